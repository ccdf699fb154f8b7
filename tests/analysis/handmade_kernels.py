"""Pieces of kernels built by hand."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir.span import Span

SPAN = Span("unit.cu", 1)
I32 = "int32"


def builtin(kind: str, axis: str = "x") -> k.Expr:
    return k.Cast(k.Builtin(kind, axis), I32)  # type: ignore[arg-type]


def binary(op: str, left: k.Expr, right: k.Expr, dtype: str = I32) -> k.Expr:
    return k.Binary(op, left, right, dtype)  # type: ignore[arg-type]


def const(value: int) -> k.Const:
    return k.Const(I32, value)


def global_index(axis: str = "x") -> k.Expr:
    return binary(
        "add", binary("mul", builtin("blockIdx", axis), builtin("blockDim", axis)), builtin("threadIdx", axis)
    )


def pointer(name: str, dtype: str, position: int) -> k.PointerParam:
    return k.PointerParam(k.Buffer(name, dtype, k.Scope.GLOBAL), f"{dtype}*", position)


def scalar(name: str, position: int, dtype: str = I32) -> k.ScalarParam:
    return k.ScalarParam(name, dtype, dtype, position)


def kernel(
    params: tuple[k.ScalarParam | k.PointerParam, ...],
    body: tuple[k.Stmt, ...],
    extra: tuple[k.Buffer, ...] = (),
    name: str = "kern",
    template_args: tuple[str, ...] = (),
    launch_bounds: tuple[int, ...] = (),
) -> k.Kernel:
    buffers = tuple(param.buffer for param in params if isinstance(param, k.PointerParam)) + extra
    return k.Kernel(
        f"unit.cu:1:{name}",
        name,
        name,
        name,
        template_args,
        params,
        tuple(("?", 8) for _ in params),
        buffers,
        (),
        body,
        SPAN,
        launch_bounds,
    )
