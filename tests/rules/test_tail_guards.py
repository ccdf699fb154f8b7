"""Guards that end a kernel and hold a barrier become early exits; others stay refused."""

from __future__ import annotations

import pytest

from migrate.diagnostics import Refusal
from migrate.emit.kernels import builder_lines
from migrate.ir import kernel as k
from migrate.rules.lower.lower_kernel import lower_kernel
from rules.kernels import builtin, cast, i32, kernel, op, pointer, ref

N = k.ParamRef("n", "int32")
OUT = pointer("out", "int32")
TID = cast(builtin("threadIdx"), "int32")
BLOCK = cast(builtin("blockIdx"), "int32")
WAIT = k.Barrier("block")
HALF = k.LocalVar("half", "int32", False)
INSIDE = op("lt", TID, N)
UNIFORM = op("lt", BLOCK, N)


def store(value: int) -> k.Store:
    return k.Store(OUT, (TID,), i32(value))


def lower(*body: k.Stmt, functions: tuple[k.Function, ...] = ()) -> tuple[list[str], tuple[str, ...]]:
    """The builder's stripped lines from the first guard on, and the rules used."""
    built = lower_kernel(kernel(list(body), [("n", "int32"), OUT], functions=functions)).kernel
    lines = [line.strip() for line in builder_lines(built)]
    first = next(index for index, line in enumerate(lines) if line.startswith("if "))
    return [line for line in lines[first:-2] if line], built.rules


def test_a_guard_that_ends_the_kernel_leaves_early() -> None:
    lines, rules = lower(k.If(INSIDE, (store(1), WAIT, store(2))), k.Comment("done"), k.Return())
    assert lines[:5] == ["if tx >= n:", "T.thread_return()", "out[tx] = 1", "T.sync_threads()", "out[tx] = 2"]
    assert "tail_guards" in rules


def test_nested_guards_and_an_else_that_does_not_wait() -> None:
    inner = k.If(op("gt", N, TID), (WAIT, store(2)), (store(7),))
    lines, _ = lower(k.If(INSIDE, (store(1), inner)))
    assert lines == [
        "if tx >= n:", "T.thread_return()", "out[tx] = 1", "if n <= tx:", "out[tx] = 7", "T.thread_return()",
        "T.sync_threads()", "out[tx] = 2",
    ]  # fmt: skip


def test_the_waiting_side_may_be_the_else() -> None:
    lines, _ = lower(k.If(INSIDE, (store(1),), (WAIT, store(2))))
    assert lines == ["if tx < n:", "out[tx] = 1", "T.thread_return()", "T.sync_threads()", "out[tx] = 2"]


def test_a_condition_of_floats_is_negated_not_flipped() -> None:
    x = pointer("x", const=True)
    value = k.Load(x, (TID,))
    body = [k.If(op("lt", value, k.Const("float32", 1.0)), (WAIT, store(2)))]
    text = "\n".join(builder_lines(lower_kernel(kernel(body, [OUT, x])).kernel))
    assert ">=" not in text and "not " in text


def test_uniform_conditions_stay_and_are_looked_into() -> None:
    lines, rules = lower(k.If(UNIFORM, (k.If(INSIDE, (WAIT, store(2))),)))
    assert lines[:3] == ["if bx < n:", "if tx >= n:", "T.thread_return()"]
    assert "tail_guards" in rules
    lines, rules = lower(k.If(UNIFORM, (WAIT, store(2))))
    assert lines == ["if bx < n:", "T.sync_threads()", "out[tx] = 2"]
    assert "tail_guards" not in rules


def test_a_barrier_in_a_callee_counts() -> None:
    helper = k.Function("wait", "wait", (), None, (WAIT,))
    call = k.CallFunction(None, "wait", ())
    lines, _ = lower(k.If(INSIDE, (call, store(2))), functions=(helper,))
    assert lines[:2] == ["if tx >= n:", "T.thread_return()"]


@pytest.mark.parametrize(
    "body",
    [
        (k.If(op("lt", TID, i32(40)), (WAIT, store(2))),),  # splits every block
        (k.Declare(HALF, op("mul", TID, i32(2))), k.If(op("lt", ref(HALF), i32(40)), (WAIT, store(2)))),
        (k.If(INSIDE, (WAIT,)), store(3)),  # the others still store
        (k.If(INSIDE, (WAIT,)), WAIT),  # the others still wait
        (k.If(INSIDE, (WAIT,), (WAIT,)),),  # two different barriers
        (k.If(INSIDE, (k.If(op("gt", TID, i32(3)), (WAIT,)), store(3))),),
        (k.Loop("while", (), (), UNIFORM, (), (k.If(INSIDE, (WAIT,)),)),),  # the next round follows
    ],
)
def test_other_divergent_barriers_are_refused(body: tuple[k.Stmt, ...]) -> None:
    with pytest.raises(Refusal) as refused:
        lower(*body)
    assert refused.value.diagnostic.code == "TLM252"


def test_nothing_changes_without_a_barrier() -> None:
    lines, rules = lower(k.If(INSIDE, (store(1),)))
    assert lines == ["if tx < n:", "out[tx] = 1"]
    assert "tail_guards" not in rules
