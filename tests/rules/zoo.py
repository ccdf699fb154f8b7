"""A kernel model for every rule, with C semantics spelled out as the builder would."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir.math_names import MATH_NAMES
from rules.kernels import builtin, cast, f32, i32, kernel, op, pointer, ref, saxpy, thread_index, u32

FULL = u32(0xFFFFFFFF)
N = k.ParamRef("n", "int32")


def _index(body, params, **more):
    """A kernel that computes ``i`` first and returns for i >= n."""
    i = k.LocalVar("i", "int32", mutable=False)
    head = [k.Declare(i, thread_index()), k.If(op("ge", ref(i), N), (k.Return(),))]
    return kernel([*head, *body(ref(i))], [("n", "int32"), *params], **more)


def grid_stride() -> k.Kernel:
    x, y = pointer("x", const=True), pointer("y")
    i = k.LocalVar("i", "int32")
    stride = op("mul", builtin("blockDim"), builtin("gridDim"))
    step = k.Assign(i, cast(op("add", cast(ref(i), "uint32"), stride), "int32"))
    body = (k.Store(y, (ref(i),), op("mul", k.Load(x, (ref(i),)), f32(2.0))),)
    loop = k.Loop("for", (k.Declare(i, thread_index()),), (), op("lt", ref(i), N), (step,), body)
    return kernel([loop], [("n", "int32"), x, y], name="grid_stride")


def block_sum() -> k.Kernel:
    """Tree reduction with an unsigned stride, one block sum an output."""
    x, out = pointer("x", const=True), pointer("out")
    s = k.Buffer("s", "float32", k.Scope.SHARED, (256,))
    tid, i = k.LocalVar("tid", "uint32", False), k.LocalVar("i", "uint32", False)
    half = k.LocalVar("half", "uint32")
    n = cast(N, "uint32")
    body = [
        k.Declare(tid, builtin("threadIdx")),
        k.Declare(i, op("add", op("mul", builtin("blockIdx"), builtin("blockDim")), ref(tid))),
        k.Store(s, (ref(tid),), k.Select(op("lt", ref(i), n), k.Load(x, (ref(i),)), f32(0.0), "float32")),
        k.Barrier("block"),
        k.Loop(
            "for",
            (k.Declare(half, op("truncdiv", builtin("blockDim"), u32(2))),),
            (),
            op("gt", ref(half), u32(0)),
            (k.Assign(half, op("shr", ref(half), i32(1))),),
            (
                k.If(
                    op("lt", ref(tid), ref(half)),
                    (
                        k.Store(
                            s,
                            (ref(tid),),
                            op("add", k.Load(s, (ref(tid),)), k.Load(s, (op("add", ref(tid), ref(half)),))),
                        ),
                    ),
                ),
                k.Barrier("block"),
            ),
        ),
        k.If(op("eq", ref(tid), u32(0)), (k.Store(out, (builtin("blockIdx"),), k.Load(s, (i32(0),))),)),
    ]
    return kernel(body, [("n", "int32"), x, out], [s], name="block_sum")


def warp_sum() -> k.Kernel:
    """A device function with a reference, shuffles, a loop over halving offsets."""
    x, out = pointer("x", const=True), pointer("out")
    v, offset, t = k.LocalVar("v", "float32"), k.LocalVar("offset", "int32"), k.LocalVar("t", "float32")
    function = k.Function(
        "warp_sum_f",
        "warp_sum",
        (k.FunctionParam(v, ref=True),),
        None,
        (
            k.Loop(
                "for",
                (k.Declare(offset, i32(16)),),
                (),
                op("gt", ref(offset), i32(0)),
                (k.Assign(offset, op("truncdiv", ref(offset), i32(2))),),
                (
                    k.Declare(t, None),
                    k.Shuffle(t, "xor", ref(v), ref(offset), i32(32), FULL),
                    k.Assign(v, op("add", ref(v), ref(t))),
                ),
            ),
        ),
    )
    i, total = k.LocalVar("i", "int32", False), k.LocalVar("total", "float32")
    lane = op("truncmod", builtin("threadIdx"), u32(32))
    body = [
        k.Declare(i, thread_index()),
        k.Declare(total, k.Select(op("lt", ref(i), N), k.Load(x, (ref(i),)), f32(0.0), "float32")),
        k.CallFunction(None, "warp_sum_f", (k.RefArg(total),)),
        k.If(
            op("eq", lane, u32(0)),
            (k.Store(out, (op("truncdiv", ref(i), i32(32)),), ref(total)),),
        ),
    ]
    return kernel(body, [("n", "int32"), x, out], functions=[function], name="warp_sum_kernel")


def hashes() -> k.Kernel:
    x, out = pointer("x", "uint32", True), pointer("out", "uint32")
    h = k.LocalVar("h", "uint32")

    def body(i):
        mixed = op("bitxor", ref(h), op("shr", ref(h), i32(16)))
        return [
            k.Declare(h, k.Load(x, (i,))),
            k.Assign(h, mixed),
            k.Assign(h, op("mul", ref(h), u32(0x85EBCA6B))),
            k.Assign(h, op("bitxor", ref(h), op("shr", op("mul", ref(h), u32(5)), i32(13)))),
            k.Assign(h, op("sub", k.Unary("bitnot", ref(h), "uint32"), u32(7))),
            k.If(op("gt", op("add", ref(h), u32(1)), u32(0)), (k.Assign(h, k.Unary("neg", ref(h), "uint32")),)),
            k.If(op("lt", cast(op("sub", i, i32(5)), "uint32"), u32(200)), (k.Assign(h, op("add", ref(h), u32(3))),)),
            k.Store(out, (i,), op("truncdiv", ref(h), op("add", op("truncmod", ref(h), u32(9)), u32(1)))),
        ]

    return _index(body, [x, out], name="hashes")


def divisions() -> k.Kernel:
    a, b, out = pointer("a", "int32", True), pointer("b", "int32", True), pointer("out", "int32")

    def body(i):
        la, lb = k.Load(a, (i,)), k.Load(b, (i,))
        return [
            k.Store(out, (i,), op("add", op("truncdiv", la, lb), op("mul", op("truncmod", la, lb), i32(1000)))),
            k.Store(
                out,
                (i,),
                op("add", k.Load(out, (i,)), op("add", op("truncmod", i, i32(7)), op("truncdiv", la, i32(3)))),
            ),
        ]

    return _index(body, [a, b, out], name="divisions")


def loops() -> k.Kernel:
    """do-while, a for with continue and a step, an endless loop with break, nested counted loops."""
    out = pointer("out", "int32")
    s, j, q, r = (k.LocalVar(name, "int32") for name in "sjqr")

    def body(i):
        return [
            k.Declare(s, i32(0)),
            k.Declare(q, i),
            k.Loop("do", (), (), op("gt", ref(q), i32(0)), (), (
                k.Assign(q, op("truncdiv", ref(q), i32(2))),
                k.If(op("eq", ref(q), i32(3)), (k.Continue(),)),
                k.Assign(s, op("add", ref(s), ref(q))),
            )),
            k.Loop("for", (k.Declare(j, i32(0)),), (), op("lt", ref(j), i), (
                k.Assign(j, op("add", op("mul", ref(j), i32(2)), i32(1))),), (
                k.If(op("eq", ref(j), i32(3)), (k.Continue(),)),
                k.Assign(s, op("add", ref(s), ref(j))),
            )),
            k.Assign(q, i),
            k.Loop("while", (), (), None, (), (
                k.Assign(q, op("add", ref(q), i32(7))),
                k.If(op("gt", ref(q), i32(100)), (k.Break(),)),
            )),
            k.Loop("for", (k.Declare(r, i32(0)),), (), op("le", ref(r), i32(3)), (
                k.Assign(r, op("add", ref(r), i32(1))),), (
                k.If(op("eq", ref(r), i32(2)), (k.Continue(),)),
                k.Assign(s, op("add", ref(s), op("mul", ref(r), ref(q)))),
            ), unroll=0),
            k.Store(out, (i,), ref(s)),
        ]  # fmt: skip

    return _index(body, [out], name="loops")


def counted_down() -> k.Kernel:
    out = pointer("out", "int32")
    s, j = k.LocalVar("s", "int32"), k.LocalVar("j", "int32")

    def body(i):
        step = k.Assign(j, op("sub", ref(j), i32(3)))
        inner = (k.Assign(s, op("add", op("mul", ref(s), i32(3)), ref(j))),)
        return [
            k.Declare(s, i32(0)),
            k.Loop("for", (k.Declare(j, op("truncmod", i, i32(20))),), (), op("ge", ref(j), i32(0)), (step,), inner),
            k.Store(out, (i,), ref(s)),
        ]

    return _index(body, [out], name="counted_down")


def early_return_before_barrier() -> k.Kernel:
    x, y = pointer("x", const=True), pointer("y")
    s = k.Buffer("s", "float32", k.Scope.SHARED, (64,))
    i = k.LocalVar("i", "int32", False)
    tid = cast(builtin("threadIdx"), "int32")
    body = [
        k.Declare(i, thread_index()),
        k.If(op("ge", ref(i), N), (k.Return(),)),
        k.Store(s, (tid,), k.Load(x, (ref(i),))),
        k.Barrier("block"),
        k.Store(y, (ref(i),), k.Load(s, (op("bitxor", tid, i32(0)),))),
    ]
    return kernel(body, [("n", "int32"), x, y], [s], name="early_return")


def guarded_tail() -> k.Kernel:
    x, y = pointer("x", const=True), pointer("y")
    s = k.Buffer("s", "float32", k.Scope.SHARED, (256,))
    i, tid = k.LocalVar("i", "int32", False), cast(builtin("threadIdx"), "int32")
    body = [
        k.Store(s, (tid,), k.Load(x, (ref(i),))),
        k.Barrier("block"),
        k.If(
            op("gt", k.Load(s, (tid,)), f32(-1.0)),
            (k.Barrier("block"), k.Store(y, (ref(i),), k.Load(s, (op("bitxor", tid, i32(0)),)))),
            (k.Store(y, (ref(i),), f32(7.0)),),
        ),
    ]
    guard = k.If(op("lt", ref(i), N), tuple(body))
    return kernel([k.Declare(i, thread_index()), guard], [("n", "int32"), x, y], [s], name="guarded_tail")


def atomics() -> k.Kernel:
    counts, wide, floats = pointer("counts", "uint32"), pointer("wide", "uint64"), pointer("floats")
    signed = pointer("signed", "int32")
    old, old64 = k.LocalVar("old", "uint32"), k.LocalVar("old64", "uint64")

    def body(i):
        u = cast(i, "uint32")
        return [
            k.Atomic(None, "add", counts, (i32(0),), (u32(1),)),
            k.Declare(old, None),
            k.Atomic(old, "add", counts, (i32(1),), (u,)),
            k.Store(counts, (op("add", i, i32(10)),), ref(old)),
            k.Atomic(None, "max", counts, (i32(2),), (u,)),
            k.Atomic(None, "min", signed, (i32(0),), (i,)),
            k.Atomic(None, "sub", signed, (i32(1),), (i,)),
            k.Atomic(None, "xor", counts, (i32(3),), (u,)),
            k.Atomic(None, "inc", counts, (i32(4),), (u32(6),)),
            k.Atomic(None, "cas", signed, (i32(2),), (i32(0), i)),
            k.Atomic(None, "exch", floats, (i32(0),), (f32(1.5),)),
            k.Atomic(None, "add", floats, (i32(1),), (f32(0.5),)),
            k.Declare(old64, None),
            k.Atomic(old64, "add", wide, (i32(0),), (k.Const("uint64", 1 << 40),)),
            k.Atomic(None, "max", wide, (i32(1),), (ref(old64),)),
        ]

    return _index(body, [counts, wide, floats, signed], name="atomics")


def votes() -> k.Kernel:
    x, out = pointer("x", const=True), pointer("out", "uint32")
    b, a, m, t, h, w = (k.LocalVar(name, dtype) for name, dtype in
                        (("b", "uint32"), ("a", "int32"), ("m", "uint32"), ("t", "int32"), ("h", "float32"),
                         ("w", "uint32")))  # fmt: skip
    tid = cast(builtin("threadIdx"), "int32")
    even = op("eq", op("truncmod", tid, i32(2)), i32(0))
    i = k.LocalVar("i", "int32", False)
    positive = op("gt", k.Load(x, (ref(i),)), f32(0.0))
    body = [
        k.Declare(i, thread_index()),
        k.Declare(b, None),
        k.Vote(b, "ballot", positive, FULL),
        k.Declare(a, None),
        k.Vote(a, "any", positive, FULL),
        k.Declare(m, None),
        k.Vote(m, "match_any", op("truncmod", tid, i32(3)), FULL),
        k.Declare(w, None),
        k.Vote(w, "reduce_xor", op("mul", ref(m), u32(77)), FULL),
        k.If(even, (k.Vote(w, "reduce_min", ref(w), u32(0x55555555)),)),
        k.Declare(t, None),
        k.SyncReduce(t, "count", positive),
        k.Declare(h, None),
        k.Shuffle(h, "idx", k.Load(x, (ref(i),)), i32(3), i32(16), FULL),
        k.Fence("device"),
        k.Store(out, (ref(i),), op("add", op("add", ref(b), ref(m)), cast(op("add", ref(a), ref(t)), "uint32"))),
        k.Store(out, (ref(i),), op("bitxor", k.Load(out, (ref(i),)), ref(w))),
        k.If(op("lt", ref(h), f32(0.0)), (k.Store(out, (ref(i),), u32(1)),)),
    ]
    return kernel(body, [x, out], name="votes")


def conversions() -> k.Kernel:
    x, out, half = pointer("x", const=True), pointer("out", "float64"), pointer("half", "float16")
    u8 = pointer("bytes", "uint8")

    def body(i):
        v = k.Load(x, (i,))
        h = k.Load(half, (i,))
        return [
            k.Store(out, (i,), cast(cast(v, "int32"), "float64")),
            k.Store(out, (i,), op("add", k.Load(out, (i,)), op("mul", cast(v, "float64"), k.Const("float64", 0.1)))),
            k.Store(u8, (i,), cast(op("add", cast(k.Load(u8, (i,)), "int32"), i32(200)), "uint8")),
            k.Store(half, (i,), op("add", op("mul", h, h), cast(f32(0.25), "float16"))),
            k.Store(half, (i,), op("sub", k.Load(half, (i,)), k.Load(half, (i,)))),
            k.Store(out, (i,), op("add", k.Load(out, (i,)), cast(k.Bitcast(v, "int32"), "float64"))),
            k.Store(out, (i,), op("add", k.Load(out, (i,)), cast(k.Cast(v, "int32", "rn"), "float64"))),
            k.Store(out, (i,), op("add", k.Load(out, (i,)), cast(op("lt", v, f32(1.0)), "float64"))),
            k.Store(out, (i,), op("add", k.Load(out, (i,)), k.Const("float64", 1e300))),
        ]

    return _index(body, [x, out, half, u8], name="conversions")


def folds() -> k.Kernel:
    """Float operations that upstream would fold."""
    x, out = pointer("x", const=True), pointer("out")
    t, e = k.LocalVar("t", "float32", False), k.LocalVar("e", "float32", False)

    def body(i):
        a, b = k.Load(x, (i,)), k.Load(x, (op("add", i, i32(1)),))

        def put(slot, value):
            return k.Store(out, (op("add", op("mul", i, i32(8)), i32(slot)),), value)

        return [
            k.Declare(t, op("add", a, b)),
            k.Declare(e, op("sub", ref(t), a)),
            put(0, op("sub", b, ref(e))),
            put(1, op("sub", a, a)),
            put(2, op("mul", a, f32(0.0))),
            put(3, op("add", a, f32(0.0))),
            put(4, op("truncdiv" if False else "div", f32(0.0), a)),
            put(5, op("mul", f32(0.10000000149011612), f32(0.10000000149011612))),
            put(6, k.Select(op("ne", a, a), f32(1.0), f32(2.0), "float32")),
            k.If(
                op("lt", a, b),
                (put(7, f32(1.0)),),
                (k.If(op("ge", a, b), (put(7, f32(2.0)),), (put(7, f32(3.0)),)),),
            ),
            k.If(k.Unary("not", op("le", a, b), "bool"), (put(6, f32(5.0)),)),
            k.If(op("or", op("lt", a, b), op("gt", a, b)), (put(5, f32(6.0)),)),
        ]

    return _index(body, [x, out], name="folds")


def dynamic_shared() -> k.Kernel:
    x, y = pointer("x", const=True), pointer("y")
    s = k.Buffer("s", "float32", k.Scope.DYNAMIC_SHARED)
    counts = k.Buffer(
        "counts", "int32", k.Scope.DYNAMIC_SHARED,
        offset_bytes=op("mul", cast(builtin("blockDim"), "int64"), k.Const("int64", 4), "int64"),
    )  # fmt: skip
    tid = builtin("threadIdx")
    i = k.LocalVar("i", "int32", False)
    body = [
        k.Declare(i, thread_index()),
        k.Store(s, (tid,), k.Load(x, (ref(i),))),
        k.Store(counts, (tid,), ref(i)),
        k.Barrier("block"),
        k.Store(
            y,
            (ref(i),),
            op("add", k.Load(s, (op("sub", op("sub", builtin("blockDim"), u32(1)), tid),)),
               cast(k.Load(counts, (tid,)), "float32")),
        ),
    ]  # fmt: skip
    return kernel(body, [x, y], [s, counts], name="dynamic_shared")


def local_arrays() -> k.Kernel:
    out = pointer("out")
    acc = k.Buffer("acc", "float32", k.Scope.LOCAL, (2, 4))
    small = k.Buffer("small", "int32", k.Scope.LOCAL, (3,))
    j = k.LocalVar("j", "int32")

    def body(i):
        step = (k.Assign(j, op("add", ref(j), i32(1))),)
        return [
            k.DeclareArray(acc, (f32(0.0),)),
            k.DeclareArray(small, (i32(4), i)),
            k.Loop("for", (k.Declare(j, i32(0)),), (), op("lt", ref(j), i32(4)), step, (
                k.Store(acc, (i32(1), ref(j)), cast(op("add", ref(j), k.Load(small, (i32(1),))), "float32")),
            )),
            k.Store(out, (i,), k.Load(acc, (op("bitand", i, i32(1)), op("bitand", i, i32(3))))),
        ]  # fmt: skip

    return _index(body, [out], name="local_arrays")


def globals_and_structs() -> k.Kernel:
    out = pointer("out")
    weights = k.Buffer("weights", "float32", k.Scope.CONSTANT, (4,), const=True, initial=(0.25, 0.5, 0.75, 1.0))
    counter = k.Buffer("counter", "uint32", k.Scope.DEVICE, ())

    def body(i):
        scale = k.ParamRef("p_scale", "float32")
        return [
            k.Store(out, (i,), op("mul", k.Load(weights, (op("bitand", i, i32(3)),)), scale)),
            k.Atomic(None, "add", counter, (), (k.ParamRef("p_step", "uint32"),)),
        ]

    built = _index(body, [out, ("p_scale", "float32"), ("p_step", "uint32")], extra=[weights, counter], name="globals_")
    params = (
        *built.params[:2],
        k.ScalarParam("p_scale", "float32", "Params", 2, ("scale",), 0),
        k.ScalarParam("p_step", "uint32", "Params", 2, ("step",), 4),
    )
    return k.Kernel(**{**built.__dict__, "params": params, "c_params": (*built.c_params[:2], ("Params", 8))})


def wide_indices() -> k.Kernel:
    """size_t and int64 index arithmetic, a two-dimensional launch."""
    x, y = pointer("x", const=True), pointer("y")
    row, col, at = (
        k.LocalVar("row", "int32", False),
        k.LocalVar("col", "int32", False),
        k.LocalVar("at", "uint64", False),
    )
    rows, cols = k.ParamRef("rows", "int32"), k.ParamRef("cols", "int32")
    tile = k.Buffer("tile", "float32", k.Scope.SHARED, (16, 17))
    body = [
        k.Declare(
            row, cast(op("add", op("mul", builtin("blockIdx", "y"), u32(16)), builtin("threadIdx", "y")), "int32")
        ),
        k.Declare(col, cast(op("add", op("mul", builtin("blockIdx"), u32(16)), builtin("threadIdx")), "int32")),
        k.Declare(at, op("add", op("mul", cast(ref(row), "uint64"), cast(cols, "uint64")), cast(ref(col), "uint64"))),
        k.If(
            op("and", op("lt", ref(row), rows), op("lt", ref(col), cols)),
            (k.Store(tile, (builtin("threadIdx", "y"), builtin("threadIdx")), k.Load(x, (ref(at),))),),
        ),
        k.Barrier("block"),
        k.If(
            op("and", op("lt", ref(row), rows), op("lt", ref(col), cols)),
            (k.Store(y, (ref(at),), k.Load(tile, (builtin("threadIdx", "y"), builtin("threadIdx")))),),
        ),
    ]
    return kernel(body, [("rows", "int32"), ("cols", "int32"), x, y], [tile], name="wide_indices")


def math_functions(dtype: str) -> k.Kernel:
    """Every function of one float dtype (and of integers with float32)."""
    wanted = [m for m in MATH_NAMES.values() if m.name != "hfma" and _operand_family(m.operands) == dtype]
    x, out = pointer("x", dtype, True), pointer("out", dtype)

    def body(i):
        found = []
        for slot, name in enumerate(wanted):
            args = tuple(cast(k.Load(x, (op("add", i, i32(n)),)), d) for n, d in enumerate(name.operands))
            args = tuple(a.operand if a.operand.dtype == a.dtype else a for a in args)
            value = k.MathCall(name.name, args, name.result)
            found.append(
                k.Store(out, (op("add", i, i32(slot)),), value if value.dtype == dtype else cast(value, dtype))
            )
        return found

    return _index(body, [x, out], name=f"math_{dtype}")


def _operand_family(operands: tuple[str, ...]) -> str:
    return next((o for o in operands if o.startswith("float")), operands[0])


def function_with_buffer() -> k.Kernel:
    """A function that reads a buffer from an offset, returns early values and uses a captured shared array."""
    x, out = pointer("x", const=True), pointer("out")
    formal = k.Buffer("v", "float32", k.Scope.GLOBAL, const=True)
    s = k.Buffer("s", "float32", k.Scope.SHARED, (32,))
    start, count, j = k.LocalVar("v_at", "int64"), k.LocalVar("count", "int32"), k.LocalVar("j", "int32")
    total, r = k.LocalVar("total", "float32"), k.LocalVar("r", "float32")
    load = k.Load(formal, (op("add", ref(start), cast(ref(j), "int64")),))
    step = (k.Assign(j, op("add", ref(j), i32(1))),)
    function = k.Function(
        "dot", "dot", (k.FunctionParam(start, buffer=formal), k.FunctionParam(count)), "float32",
        (
            k.Declare(total, f32(0.0)),
            k.Assign(count, op("add", ref(count), i32(1))),
            k.Loop("for", (k.Declare(j, i32(0)),), (), op("lt", ref(j), ref(count)), step,
                   (k.Assign(total, op("add", ref(total), load)),)),
            k.Store(s, (op("truncmod", builtin("threadIdx"), u32(32)),), ref(total)),
            k.If(op("gt", ref(total), f32(1.0)), (k.Return(ref(total)),), (k.Return(f32(1.0)),)),
        ),
    )  # fmt: skip

    def body(i):
        return [
            k.Declare(r, None),
            k.CallFunction(r, "dot", (k.BufferArg(x, cast(i, "int64")), i32(3))),
            k.Store(out, (i,), ref(r)),
        ]

    return _index(body, [x, out], extra=[s], functions=[function], name="function_with_buffer")


def side_effects_in_conditions() -> k.Kernel:
    """Conditions that need statements: unsigned sums in &&, ?: and while."""
    x, out = pointer("x", "uint32", True), pointer("out", "uint32")
    u = k.LocalVar("u", "uint32")

    def body(i):
        wraps = op("lt", op("add", ref(u), u32(10)), u32(20))
        return [
            k.Declare(u, k.Load(x, (i,))),
            k.If(op("and", op("gt", i, i32(2)), wraps), (k.Store(out, (i,), u32(1)),)),
            k.Loop("while", (), (), op("gt", op("add", ref(u), u32(3)), u32(100)), (), (
                k.Assign(u, op("shr", ref(u), i32(1))),)),
            k.Store(out, (i,), k.Select(wraps, op("truncdiv", op("add", ref(u), u32(9)), u32(3)), ref(u), "uint32")),
        ]  # fmt: skip

    return _index(body, [x, out], name="conditions")


def halves(dtype: str) -> k.Kernel:
    """16-bit floats: operators, fused multiply-add, comparisons, shuffles, atomics, conversions."""
    x, out = pointer("x", dtype, True), pointer("out", dtype)
    t, s = k.LocalVar("t", dtype), k.LocalVar("s", dtype)
    i = k.LocalVar("i", "int32", False)
    v = k.Load(x, (ref(i),))
    body = [
        k.Declare(i, thread_index()),
        k.Declare(s, op("add", op("mul", v, v), k.Const(dtype, 0.5))),
        k.Declare(t, None),
        k.Shuffle(t, "down", ref(s), i32(4), i32(32), FULL),
        k.Assign(s, k.MathCall("hfma", (ref(s), ref(t), v), dtype)),
        k.If(op("lt", ref(s), ref(t)), (k.Assign(s, op("div", ref(s), ref(t))),)),
        k.If(k.Unary("not", op("le", ref(s), v), "bool"), (k.Assign(s, k.Unary("neg", ref(s), dtype)),)),
        k.Assign(s, op("sub", ref(s), cast(k.MathCall("expf", (cast(v, "float32"),), "float32"), dtype))),
        k.Store(out, (op("add", ref(i), i32(1)),), k.Select(op("gt", v, k.Const(dtype, 0.0)), ref(s), ref(t), dtype)),
        k.Atomic(None, "add", out, (i32(0),), (ref(s),)),
    ]
    return kernel(body, [x, out], name=f"halves_{dtype}")


def scalar_types() -> k.Kernel:
    """One parameter of each type that upstream cannot pass as it is."""
    out = pointer("out", "float64")
    dtypes = ("uint64", "bool", "int8", "uint8", "int16", "uint16", "float16", "bfloat16", "uint32")
    values = [k.ParamRef(f"p_{dtype}", dtype) for dtype in dtypes]
    total = k.LocalVar("total", "float64")
    body: list[k.Stmt] = [k.Declare(total, cast(values[0], "float64"))]
    for value in values[2:]:
        wide = cast(value, "float32") if "float" in value.dtype else value
        body.append(k.Assign(total, op("add", op("mul", ref(total), k.Const("float64", 3.0)), cast(wide, "float64"))))
    body.append(k.If(values[1], (), (k.Assign(total, k.Unary("neg", ref(total), "float64")),)))
    params = [out, *((value.name, value.dtype) for value in values)]
    return _index(lambda i: [*body, k.Store(out, (i,), ref(total))], params, name="scalar_types")


def in_step() -> k.Kernel:
    x, out = pointer("x", const=True), pointer("out")
    s = k.Buffer("s", "float32", k.Scope.SHARED, shape=(512,), volatile=True)
    t = k.LocalVar("t", "int32", False)

    def halved(distance: int) -> k.Stmt:
        total = op("add", k.Load(s, (ref(t),)), k.Load(s, (op("add", ref(t), i32(distance)),)))
        return k.Store(s, (ref(t),), total, volatile=True)

    body = [
        k.Declare(t, cast(builtin("threadIdx"), "int32")),
        k.Store(s, (ref(t),), k.Load(x, (ref(t),)), volatile=True),
        k.Store(s, (op("add", ref(t), i32(256)),), f32(0.0), volatile=True),
        k.Barrier("block"),
        k.If(op("lt", ref(t), i32(64)), (halved(32), halved(16), halved(8), halved(4), halved(2), halved(1))),
        k.Store(out, (thread_index(),), k.Load(s, (ref(t),))),
    ]
    return kernel(body, [x, out, s], name="in_step")


ZOO = {
    built.name: built
    for built in (
        saxpy(), grid_stride(), block_sum(), warp_sum(), hashes(), divisions(), loops(), counted_down(),
        early_return_before_barrier(), guarded_tail(), atomics(), votes(), conversions(), folds(), dynamic_shared(),
        local_arrays(),
        globals_and_structs(), wide_indices(), math_functions("float32"), math_functions("float64"),
        function_with_buffer(), side_effects_in_conditions(), math_functions("int32"), math_functions("uint32"),
        halves("float16"), halves("bfloat16"), scalar_types(), in_step(),
    )
}  # fmt: skip
