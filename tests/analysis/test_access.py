"""Buffer uses and scalar roles."""

from handmade_kernels import I32, binary, builtin, const, global_index, kernel, pointer, scalar

from migrate.analysis.access import access_summary
from migrate.analysis.vectors import vector_widths
from migrate.ir import kernel as k


def test_a_guarded_map(saxpy: k.Kernel) -> None:
    summary = access_summary(saxpy)
    assert (summary.buffers["x"].reads, summary.buffers["x"].writes) == (True, False)
    assert (summary.buffers["y"].reads, summary.buffers["y"].writes) == (False, True)
    assert summary.scalar_roles["n"].guards == ("x", "y")
    assert summary.scalar_roles["n"].size_like
    (bound,) = summary.bounds
    assert bound.axes == ("blockIdx.x", "threadIdx.x") and bound.limit == k.ParamRef("n", I32)
    assert summary.axes == {"blockIdx.x", "blockDim.x", "threadIdx.x"}


def test_row_pointers_and_column_indices(spmv: k.Kernel) -> None:
    summary = access_summary(spmv)
    assert summary.buffers["rp"].element_kind == "row_pointer"
    assert summary.buffers["rp"].index_of == ("col", "val", "x")
    assert summary.buffers["col"].element_kind == "index"
    assert summary.buffers["col"].index_of == ("x",)
    assert summary.buffers["val"].element_kind == "float"
    assert not summary.buffers["col"].loop_bound
    assert summary.scalar_roles["rows"].guards == ("col", "rp", "val", "x", "y")


def test_an_index_through_shared_memory_is_still_an_index() -> None:
    ids, out = pointer("ids", I32, 0), pointer("out", "float32", 1)
    shared = k.Buffer("s", I32, k.Scope.SHARED, (32,))
    t = builtin("threadIdx")
    body = (
        k.Store(shared, (t,), k.Load(ids.buffer, (t,))),
        k.Barrier("block"),
        k.Store(out.buffer, (k.Load(shared, (t,)),), k.Const("float32", 1.0)),
    )
    summary = access_summary(kernel((ids, out), body, (shared,)))
    assert summary.buffers["ids"].index_of == ("out",)
    assert summary.barriers


def test_buffers_of_kept_functions_are_the_callers() -> None:
    data = pointer("data", I32, 0)
    formal = k.Buffer("p", I32, k.Scope.GLOBAL)
    offset = k.LocalVar("p_offset", "int64", mutable=False)
    function = k.Function(
        "bump",
        "bump",
        (k.FunctionParam(offset, buffer=formal),),
        None,
        (k.Atomic(None, "add", formal, (k.LocalRef(offset),), (const(1),)),),
    )
    body = (k.CallFunction(None, "bump", (k.BufferArg(data.buffer, k.Const("int64", 3)),)),)
    made = kernel((data,), body)
    made = k.Kernel(**{**made.__dict__, "functions": (function,)})
    assert access_summary(made).buffers["data"].atomics


def test_constants_and_branches_on_scalars() -> None:
    out = pointer("out", "float32", 0)
    mode = k.ParamRef("mode", I32)
    store = k.Store(out.buffer, (global_index(),), k.Const("float32", 1.0))
    body = (k.If(binary("eq", mode, const(7), "bool"), (store,)),)
    role = access_summary(kernel((out, scalar("mode", 1)), body)).scalar_roles["mode"]
    assert role.compared == (7,) and role.selects and not role.size_like


def test_vector_width_of_four_neighbours() -> None:
    x, narrow = pointer("x", "float32", 0), pointer("x", "float16", 0)
    i = k.LocalVar("i", I32, mutable=False)
    stores = tuple(
        k.Store(
            x.buffer,
            (binary("add", binary("mul", k.LocalRef(i), const(4)), const(lane)),),
            k.Const("float32", float(lane)),
        )
        for lane in range(4)
    )
    assert vector_widths(kernel((x,), (k.Declare(i, global_index()), *stores))) == {"x": 4}
    assert vector_widths(kernel((x,), (k.Declare(i, global_index()), *stores[:3]))) == {}
    assert vector_widths(kernel((narrow,), (k.Declare(i, global_index()), *stores[:3]))) == {"x": 2}
    assert vector_widths(kernel((x,), (k.Declare(i, global_index()), *stores[1:3]))) == {}
