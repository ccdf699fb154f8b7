"""A chain of snapshots that each use the last one twice must not double at every link in upstream's eyes."""

from __future__ import annotations

from itertools import pairwise

from migrate.emit.kernels import builder_lines
from migrate.ir import kernel as k
from migrate.rules.lower.lower_kernel import lower_kernel
from rules.kernels import builtin, cast, i32, kernel, op, pointer, ref

OUT = pointer("out", "int32")
LINKS = 12


def test_a_variable_ends_a_chain_that_grows_too_long() -> None:
    values = [k.LocalVar(f"v{link}", "int32", mutable=False) for link in range(LINKS + 1)]
    body: list[k.Stmt] = [k.Declare(values[0], k.Load(OUT, (cast(builtin("threadIdx"), "int32"),)))]
    for before, after in pairwise(values):
        smaller = k.Select(op("lt", ref(before), i32(7)), ref(before), op("sub", ref(before), i32(1)), "int32")
        body.append(k.Declare(after, smaller))
    body.append(k.Store(OUT, (i32(0),), ref(values[-1])))
    lines = [line.strip() for line in builder_lines(lower_kernel(kernel(body, [OUT])).kernel)]
    ended = [line for line in lines if "T.alloc_var" in line]
    assert 2 <= len(ended) <= LINKS // 2, lines
    assert "v1 = T.if_then_else(v0 < 7, v0, v0 - 1)" in lines
