"""Hand-written kernel models for the tests of rules and emitter."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.ir import kernel as k
from migrate.ir.span import Span

SPAN = Span("src/test.cu", 1)


def i32(value: int) -> k.Const:
    return k.Const("int32", value)


def u32(value: int) -> k.Const:
    return k.Const("uint32", value)


def f32(value: float) -> k.Const:
    return k.Const("float32", value)


def builtin(kind: str, axis: str = "x") -> k.Builtin:
    return k.Builtin(kind, axis)  # type: ignore[arg-type]


def op(name: str, left: k.Expr, right: k.Expr, dtype: str | None = None) -> k.Binary:
    comparison = name in ("lt", "le", "gt", "ge", "eq", "ne", "and", "or")
    return k.Binary(name, left, right, dtype or ("bool" if comparison else left.dtype))  # type: ignore[arg-type]


def cast(expr: k.Expr, dtype: str) -> k.Cast:
    return k.Cast(expr, dtype)


def ref(var: k.LocalVar) -> k.LocalRef:
    return k.LocalRef(var)


def pointer(name: str, dtype: str = "float32", const: bool = False) -> k.Buffer:
    return k.Buffer(name, dtype, k.Scope.GLOBAL, const=const)


def thread_index() -> k.Expr:
    """(int)(blockIdx.x * blockDim.x + threadIdx.x)."""
    product = op("mul", builtin("blockIdx"), builtin("blockDim"))
    return cast(op("add", product, builtin("threadIdx")), "int32")


def kernel(
    body: Sequence[k.Stmt],
    params: Sequence[k.Buffer | tuple[str, str]] = (),
    extra: Sequence[k.Buffer] = (),
    functions: Sequence[k.Function] = (),
    name: str = "test",
) -> k.Kernel:
    """A kernel whose parameters are buffers or (name, dtype) scalars."""
    found: list[k.ScalarParam | k.PointerParam] = []
    for position, param in enumerate(params):
        if isinstance(param, k.Buffer):
            found.append(k.PointerParam(param, f"{param.dtype}*", position))
        else:
            found.append(k.ScalarParam(param[0], param[1], param[1], position))
    buffers = [param for param in params if isinstance(param, k.Buffer)]
    return k.Kernel(
        id=f"src/test.cu:1:{name}",
        name=name,
        symbol=name,
        cpp_name=name,
        template_args=(),
        params=tuple(found),
        c_params=tuple((param.c_type, 8) for param in found),
        buffers=(*buffers, *extra),
        functions=tuple(functions),
        body=tuple(body),
        span=SPAN,
    )


def saxpy() -> k.Kernel:
    """y[i] = a * x[i] + y[i] for i < n."""
    x, y = pointer("x", const=True), pointer("y")
    n, a = k.ParamRef("n", "int32"), k.ParamRef("a", "float32")
    i = k.LocalVar("i", "int32", mutable=False)
    value = op("add", op("mul", a, k.Load(x, (ref(i),))), k.Load(y, (ref(i),)))
    body = [k.Declare(i, thread_index()), k.If(op("lt", ref(i), n), (k.Store(y, (ref(i),), value),))]
    return kernel(body, [("n", "int32"), ("a", "float32"), x, y], name="saxpy")
