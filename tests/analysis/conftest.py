"""Small kernels built by hand, so that analyses are tested without the parser."""

from __future__ import annotations

import pytest
from handmade_kernels import I32, binary, builtin, const, global_index, kernel, pointer, scalar

from migrate.ir import kernel as k


@pytest.fixture
def saxpy() -> k.Kernel:
    x, y = pointer("x", "float32", 0), pointer("y", "float32", 1)
    i = k.LocalVar("i", I32, mutable=False)
    n = k.ParamRef("n", I32)
    store = k.Store(y.buffer, (k.LocalRef(i),), k.Load(x.buffer, (k.LocalRef(i),)))
    guard = k.If(binary("lt", k.LocalRef(i), n, "bool"), (store,))
    return kernel((x, y, scalar("n", 2)), (k.Declare(i, global_index()), guard))


@pytest.fixture
def spmv() -> k.Kernel:
    """y[r] = sum of val[e] * x[col[e]] for e in rp[r] .. rp[r + 1]."""
    rp, col = pointer("rp", I32, 0), pointer("col", I32, 1)
    val, x, y = pointer("val", "float32", 2), pointer("x", "float32", 3), pointer("y", "float32", 4)
    r, e = k.LocalVar("r", I32, mutable=False), k.LocalVar("e", I32)
    total = k.LocalVar("total", "float32")
    rows = k.ParamRef("rows", I32)
    term = binary(
        "mul",
        k.Load(val.buffer, (k.LocalRef(e),)),
        k.Load(x.buffer, (k.Load(col.buffer, (k.LocalRef(e),)),)),
        "float32",
    )
    loop = k.Loop(
        "for",
        (k.Declare(e, k.Load(rp.buffer, (k.LocalRef(r),))),),
        (),
        binary("lt", k.LocalRef(e), k.Load(rp.buffer, (binary("add", k.LocalRef(r), const(1)),)), "bool"),
        (k.Assign(e, binary("add", k.LocalRef(e), const(1))),),
        (k.Assign(total, binary("add", k.LocalRef(total), term, "float32")),),
    )
    body = (
        k.Declare(r, global_index()),
        k.If(binary("ge", k.LocalRef(r), rows, "bool"), (k.Return(),)),
        k.Declare(total, k.Const("float32", 0.0)),
        loop,
        k.Store(y.buffer, (k.LocalRef(r),), k.LocalRef(total)),
    )
    return kernel((rp, col, val, x, y, scalar("rows", 5)), body)


@pytest.fixture
def tree() -> k.Kernel:
    """Shared-memory tree reduction: load, barrier, loop { add; barrier }, store."""
    x, y = pointer("x", "float32", 0), pointer("y", "float32", 1)
    s = k.Buffer("s", "float32", k.Scope.SHARED, (128,))
    t = k.LocalVar("t", I32, mutable=False)
    h = k.LocalVar("h", I32)
    add = k.Store(
        s,
        (k.LocalRef(t),),
        binary(
            "add",
            k.Load(s, (k.LocalRef(t),)),
            k.Load(s, (binary("add", k.LocalRef(t), k.LocalRef(h)),)),
            "float32",
        ),
    )
    loop = k.Loop(
        "for",
        (k.Declare(h, const(64)),),
        (),
        binary("gt", k.LocalRef(h), const(0), "bool"),
        (k.Assign(h, binary("shr", k.LocalRef(h), const(1))),),
        (k.If(binary("lt", k.LocalRef(t), k.LocalRef(h), "bool"), (add,)), k.Barrier("block")),
    )
    body = (
        k.Declare(t, builtin("threadIdx")),
        k.Store(s, (k.LocalRef(t),), k.Load(x.buffer, (global_index(),))),
        k.Barrier("block"),
        loop,
        k.If(
            binary("eq", k.LocalRef(t), const(0), "bool"),
            (k.Store(y.buffer, (builtin("blockIdx"),), k.Load(s, (const(0),))),),
        ),
    )
    return kernel((x, y), body, (s,))
