"""cuComplex: the functions of cuComplex.h, formula by formula as that header computes them."""

from __future__ import annotations

from collections.abc import Callable

from migrate.ir.kernel import DType, Expr, Unary
from migrate.parse.build.intrinsics.arguments import aggregate, binary, const, freeze, math, pair, reuse, scalar, value
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

_Combine = Callable[[Expr, Expr, Expr, Expr], tuple[Expr, Expr]]


def _make(dtype: DType) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return aggregate(call, scalar(call, 0, dtype), scalar(call, 1, dtype))

    return handler


def _part(index: int) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return value(pair(call, 0)[index])

    return handler


def _conjugate(call: IntrinsicCall) -> Operand:
    real, imaginary = pair(call, 0)
    return aggregate(call, real, Unary("neg", imaginary, imaginary.dtype))


def _combined(combine: _Combine) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        terms = [reuse(call, "term", part) for index in range(2) for part in pair(call, index)]
        return aggregate(call, *combine(terms[0], terms[1], terms[2], terms[3]))

    return handler


def _sum(a: Expr, b: Expr, c: Expr, d: Expr) -> tuple[Expr, Expr]:
    return binary("add", a, c), binary("add", b, d)


def _difference(a: Expr, b: Expr, c: Expr, d: Expr) -> tuple[Expr, Expr]:
    return binary("sub", a, c), binary("sub", b, d)


def _product(a: Expr, b: Expr, c: Expr, d: Expr) -> tuple[Expr, Expr]:
    real = binary("sub", binary("mul", a, c), binary("mul", b, d))
    return real, binary("add", binary("mul", a, d), binary("mul", b, c))


def _quotient(a: Expr, b: Expr, c: Expr, d: Expr, call: IntrinsicCall) -> tuple[Expr, Expr]:
    """Division with both operands scaled by the divisor's 1-norm."""
    absolute = "fabsf" if a.dtype == "float32" else "fabs"
    norm = binary("add", math(absolute, c), math(absolute, d))
    scale = freeze(call, "scale", binary("div", const(a.dtype, 1.0), norm))
    a, b, c, d = (freeze(call, "scaled", binary("mul", part, scale)) for part in (a, b, c, d))
    inverse = binary("div", const(a.dtype, 1.0), binary("add", binary("mul", c, c), binary("mul", d, d)))
    inverse = freeze(call, "inverse", inverse)
    real = binary("mul", binary("add", binary("mul", a, c), binary("mul", b, d)), inverse)
    return real, binary("mul", binary("sub", binary("mul", b, c), binary("mul", a, d)), inverse)


def _divide(call: IntrinsicCall) -> Operand:
    a, b, c, d = (reuse(call, "term", part) for index in range(2) for part in pair(call, index))
    return aggregate(call, *_quotient(a, b, c, d, call))


def _multiply_and_add(call: IntrinsicCall) -> Operand:
    """``cuCfma(x, y, d)``: ordinary operations, not fused ones."""
    terms = [reuse(call, "term", part) for index in range(3) for part in pair(call, index)]
    a, b, c, d, e, f = terms
    real = binary("add", Unary("neg", binary("mul", b, d), a.dtype), binary("add", binary("mul", a, c), e))
    imaginary = binary("add", binary("mul", b, c), binary("add", binary("mul", a, d), f))
    return aggregate(call, real, imaginary)


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {}
    for suffix, dtype, word in (("f", "float32", "cuFloatComplex"), ("", "float64", "cuDoubleComplex")):
        table[f"make_{word}"] = _make(dtype)
        table[f"cuCreal{suffix}"], table[f"cuCimag{suffix}"] = _part(0), _part(1)
        table[f"cuConj{suffix}"] = _conjugate
        table[f"cuCadd{suffix}"] = _combined(_sum)
        table[f"cuCsub{suffix}"] = _combined(_difference)
        table[f"cuCmul{suffix}"] = _combined(_product)
        table[f"cuCdiv{suffix}"], table[f"cuCfma{suffix}"] = _divide, _multiply_and_add
    table["make_cuComplex"] = _make("float32")
    return table


TABLE: dict[str, Intrinsic] = _make_table()
