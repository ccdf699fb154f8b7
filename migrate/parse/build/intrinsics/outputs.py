"""Functions that write results through pointers: sincos, sincospi, modf, frexp."""

from __future__ import annotations

from migrate.ir.kernel import Unary
from migrate.parse.build.intrinsics.arguments import (
    binary,
    const,
    freeze,
    math,
    result_scalar,
    scalar,
    select,
    value,
    zero,
)
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand


def _sine_and_cosine(sine: str, cosine: str, dtype: str) -> Intrinsic:
    """``sincosf(x, &s, &c)`` → x bound once, then two stores in that order."""

    def handler(call: IntrinsicCall) -> Operand | None:
        operand = freeze(call, "angle", scalar(call, 0, dtype))
        call.sink.store(call.args[1], value(math(sine, operand)))
        call.sink.store(call.args[2], value(math(cosine, operand)))
        return None

    return handler


def _integer_and_fraction(call: IntrinsicCall) -> Operand:
    """``modf(x, &whole)``: whole = trunc(x); the fraction keeps x's sign and is 0 for an infinity."""
    dtype = result_scalar(call)
    suffix = "f" if dtype == "float32" else ""
    operand = freeze(call, "number", scalar(call, 0, dtype))
    whole = freeze(call, "whole", math("trunc" + suffix, operand))
    call.sink.store(call.args[1], value(whole))
    rest = select(math("isinf" + suffix, operand), zero(dtype), binary("sub", operand, whole))
    return value(math("copysign" + suffix, rest, operand))


def _fraction_and_exponent(call: IntrinsicCall) -> Operand:
    """``frexp(x, &e)``: x = fraction * 2**e, 0.5 <= |fraction| < 1; 0, infinities and NaN are their own fraction."""
    dtype = result_scalar(call)
    suffix = "f" if dtype == "float32" else ""
    operand = freeze(call, "number", scalar(call, 0, dtype))
    ordinary = binary("and", math("isfinite" + suffix, operand), binary("ne", operand, zero(dtype)))
    above = binary("add", math("ilogb" + suffix, operand), const("int32", 1))
    exponent = freeze(call, "exponent", select(ordinary, above, const("int32", 0)))
    call.sink.store(call.args[1], value(exponent))
    return value(select(ordinary, math("ldexp" + suffix, operand, Unary("neg", exponent, "int32")), operand))


TABLE: dict[str, Intrinsic] = {
    "sincosf": _sine_and_cosine("sinf", "cosf", "float32"),
    "sincos": _sine_and_cosine("sin", "cos", "float64"),
    "sincospif": _sine_and_cosine("sinpif", "cospif", "float32"),
    "sincospi": _sine_and_cosine("sinpi", "cospi", "float64"),
    "modf": _integer_and_fraction,
    "modff": _integer_and_fraction,
    "std::modf": _integer_and_fraction,
    "frexp": _fraction_and_exponent,
    "frexpf": _fraction_and_exponent,
    "std::frexp": _fraction_and_exponent,
}
