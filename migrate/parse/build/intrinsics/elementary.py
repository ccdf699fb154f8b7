"""Elementary functions of float and double: ``expf`` → MathCall expf, ``exp(float)`` → MathCall expf, ``std::`` too.

Which form is meant is what the AST's result type says: the overloads are those of docs/overload-types.tsv.
"""

from __future__ import annotations

from migrate.ir.kernel import DType
from migrate.ir.math_names import MATH_NAMES
from migrate.parse.build.intrinsics.arguments import (
    HALVES,
    argument_dtype,
    binary,
    canonical,
    cast,
    math,
    result_scalar,
    scalar,
    unknown,
    value,
)
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

_PREDICATES = ("isnan", "isinf", "isfinite", "signbit")
_ROUND_TO_INTEGER = {"lrint": "rint", "llrint": "rint", "lround": "round", "llround": "round"}


def _float_result(call: IntrinsicCall) -> tuple[DType, str]:
    """float32 or float64 and the suffix of that form's name."""
    dtype = result_scalar(call)
    if dtype not in ("float32", "float64"):
        raise unknown(call)
    return dtype, "f" if dtype == "float32" else ""


def _by_result_type(base: str) -> Intrinsic:
    """The function whose operands all have the result's type."""

    def handler(call: IntrinsicCall) -> Operand:
        dtype, suffix = _float_result(call)
        arity = MATH_NAMES[base].arity
        if len(call.args) != arity:
            raise unknown(call)
        return value(math(base + suffix, *(scalar(call, index, dtype) for index in range(arity))))

    return handler


def _predicate(base: str) -> Intrinsic:
    """isnan and its like: the operand's type says which form; integers are converted to double."""

    def handler(call: IntrinsicCall) -> Operand:
        single = argument_dtype(call, 0) in ("float32", *HALVES)
        dtype, suffix = ("float32", "f") if single else ("float64", "")
        test = math(base + suffix, scalar(call, 0, dtype))
        return value(cast(test, result_scalar(call)))

    return handler


def _scale(call: IntrinsicCall) -> Operand:
    """ldexp(x, n) and scalbn(x, n)."""
    dtype, suffix = _float_result(call)
    return value(math("ldexp" + suffix, scalar(call, 0, dtype), scalar(call, 1, "int32")))


def _exponent(call: IntrinsicCall) -> Operand:
    """ilogb(x)."""
    single = argument_dtype(call, 0) == "float32"
    return value(math("ilogbf" if single else "ilogb", scalar(call, 0, "float32" if single else "float64")))


def _round_to_integer(base: str) -> Intrinsic:
    """``lrintf(x)`` → conversion to nearest; ``lroundf(x)`` → roundf, then conversion; both saturate as CUDA does."""

    def handler(call: IntrinsicCall) -> Operand:
        single = argument_dtype(call, 0) == "float32"
        operand = scalar(call, 0, "float32" if single else "float64")
        rounded = math(base + ("f" if single else ""), operand)
        return value(cast(rounded, "int64", "rz"))

    return handler


def _absolute(call: IntrinsicCall) -> Operand:
    """abs, std::abs, labs, llabs: by the result's type."""
    dtype = result_scalar(call)
    if dtype in ("int32", "int64"):
        return value(math(f"abs_{dtype}", scalar(call, 0, dtype)))
    if dtype in ("float32", "float64"):
        return value(math("fabsf" if dtype == "float32" else "fabs", scalar(call, 0, dtype)))
    raise unknown(call)


def _plain_division(call: IntrinsicCall) -> Operand:
    """fdividef(a, b): an ordinary division unless the project asks for fast math."""
    return value(binary("div", scalar(call, 0, "float32"), scalar(call, 1, "float32")))


def _fused(call: IntrinsicCall) -> Operand:
    """fma, fmaf; half operands do not occur (they are ``__hfma``)."""
    dtype, suffix = _float_result(call)
    return value(math("fma" + suffix, *(scalar(call, index, dtype) for index in range(3))))


def _saturate(call: IntrinsicCall) -> Operand:
    """saturate(x), __saturatef(x)."""
    return value(math("__saturatef", scalar(call, 0, "float32")))


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {}
    bases = [
        name
        for name, entry in MATH_NAMES.items()
        if entry.result == "float64" and set(entry.operands) == {"float64"} and name + "f" in MATH_NAMES
    ]
    for base in bases:
        table[base] = table[f"std::{base}"] = _by_result_type(base)
        table[base + "f"] = table[f"std::{base}f"] = canonical(base + "f")
    for prefix in ("", "std::"):
        for base in _PREDICATES:
            table[prefix + base] = _predicate(base)
        for base, rounding in _ROUND_TO_INTEGER.items():
            table[prefix + base] = table[f"{prefix}{base}f"] = _round_to_integer(rounding)
        for name in ("ldexp", "ldexpf", "scalbn", "scalbnf"):
            table[prefix + name] = _scale
        for name in ("ilogb", "ilogbf"):
            table[prefix + name] = _exponent
        for name in ("abs", "labs", "llabs"):
            table[prefix + name] = _absolute
        table[f"{prefix}nearbyint"] = table[f"{prefix}nearbyintf"] = _by_result_type("rint")
        table[f"{prefix}fma"] = table[f"{prefix}fmaf"] = _fused
    table["fdividef"] = _plain_division
    table["saturate"] = table["__saturatef"] = _saturate
    table["__fmaf_rn"] = canonical("fmaf")
    table["__fma_rn"] = canonical("fma")
    table["__fsqrt_rn"] = canonical("sqrtf")
    table["__dsqrt_rn"] = canonical("sqrt")
    for name in ("__fadd_rn", "__fsub_rn", "__fmul_rn", "__fdiv_rn", "__frcp_rn", "__frsqrt_rn"):
        table[name] = canonical(name)
    for name in ("__dadd_rn", "__dsub_rn", "__dmul_rn", "__ddiv_rn", "__drcp_rn"):
        table[name] = canonical(name)
    return table


TABLE: dict[str, Intrinsic] = _make_table()
