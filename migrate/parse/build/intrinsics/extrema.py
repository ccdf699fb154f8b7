"""min, max, clamp, for integers, floats and any comparable scalar."""

from __future__ import annotations

from typing import Literal

from migrate.ir.kernel import DType, Expr
from migrate.parse.build.intrinsics.arguments import (
    binary,
    math,
    plain,
    result_scalar,
    reuse,
    scalar,
    select,
    unknown,
    value,
)
from migrate.parse.build.types import INTEGERS, RecordType
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

Which = Literal["min", "max"]
_WIDE = ("int32", "uint32", "int64", "uint64")
_FLOAT_NAMES = {"float32": {"min": "fminf", "max": "fmaxf"}, "float64": {"min": "fmin", "max": "fmax"}}


def extremum(which: Which, left: Expr, right: Expr) -> Expr:
    """CUDA's min or max of two values of one 32- or 64-bit dtype; floats drop NaN (fminf, fmaxf)."""
    dtype = left.dtype
    if dtype in _WIDE:
        return math(f"{which}_{dtype}", left, right)
    return math(_FLOAT_NAMES[dtype][which], left, right)


def _cuda(which: Which) -> Intrinsic:
    """``min(a, b)``: the overload's type is the result type that the AST gives."""

    def handler(call: IntrinsicCall) -> Operand:
        dtype = result_scalar(call)
        if dtype not in _WIDE and dtype not in _FLOAT_NAMES:
            raise unknown(call)
        return value(extremum(which, scalar(call, 0, dtype), scalar(call, 1, dtype)))

    return handler


def _fixed(which: Which, dtype: DType) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return value(extremum(which, scalar(call, 0, dtype), scalar(call, 1, dtype)))

    return handler


def _standard(which: Which) -> Intrinsic:
    """``std::min(a, b)`` is ``b < a ? b : a``, ``std::max`` is ``a < b ? b : a``: a NaN's place decides."""

    def handler(call: IntrinsicCall) -> Operand:
        if len(call.args) != 2 or isinstance(plain(call.arg_types[0]), RecordType):
            raise unknown(call)
        dtype = result_scalar(call)
        left, right = scalar(call, 0, dtype), scalar(call, 1, dtype)
        if dtype in INTEGERS and dtype in _WIDE:
            return value(extremum(which, left, right))
        left, right = reuse(call, "left", left), reuse(call, "right", right)
        smaller = binary("lt", right, left) if which == "min" else binary("lt", left, right)
        return value(select(smaller, right, left))

    return handler


def _clamp(call: IntrinsicCall) -> Operand:
    """``std::clamp(v, lo, hi)`` is ``v < lo ? lo : hi < v ? hi : v``."""
    dtype = result_scalar(call)
    if len(call.args) != 3:
        raise unknown(call)
    given, low, high = (reuse(call, hint, scalar(call, i, dtype)) for i, hint in enumerate(("given", "low", "high")))
    return value(select(binary("lt", given, low), low, select(binary("lt", high, given), high, given)))


TABLE: dict[str, Intrinsic] = {
    "min": _cuda("min"),
    "max": _cuda("max"),
    "std::min": _standard("min"),
    "std::max": _standard("max"),
    "std::clamp": _clamp,
    "umin": _fixed("min", "uint32"),
    "umax": _fixed("max", "uint32"),
    "llmin": _fixed("min", "int64"),
    "llmax": _fixed("max", "int64"),
    "ullmin": _fixed("min", "uint64"),
    "ullmax": _fixed("max", "uint64"),
}
