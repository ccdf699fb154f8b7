"""Arithmetic, math functions, casts and bit operations of tilelang.language."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np

from tilelang_runtime.ir import operators, types
from tilelang_runtime.ir.functions import FLOAT_ARITY, PREDICATES
from tilelang_runtime.ir.nodes import Call, Const, Expr
from tilelang_runtime.ir.operators import LOCATION, as_expr, fail
from tilelang_runtime.language.dtypes import dtype as dtype_object
from tilelang_runtime.tracer.values import ceildiv as _ceildiv


def _float_call(name: str, *operands: Any) -> Expr:
    """A `Call` of a float function; operands are brought to one float dtype (integers become float32)."""
    parts = [as_expr(operand) for operand in operands]
    common = parts[0].dtype
    for part in parts[1:]:
        common = types.match(common, part.dtype)
    if not types.is_float(common):
        raise fail(f"T.{name} needs floats, not {common}: cast first")
    return Call(name, tuple(operators.cast(part, common) for part in parts), common, LOCATION.span)


def _make_float(name: str, canonical: str) -> Any:
    arity = FLOAT_ARITY[canonical]

    def function(*operands: Any) -> Expr:
        if len(operands) != arity:
            raise fail(f"T.{name} takes {arity} operands")
        return _float_call(canonical, *operands)

    function.__name__ = name
    function.__doc__ = f"{canonical}, element by element; docs/semantics.md tells its rounding."
    return function


FLOAT_NAMES = {
    **{name: name for name in FLOAT_ARITY if not name.endswith("_rn") and name not in ("fmin", "fmax", "round")},
    "fabs": "fabs",
    "nearbyint": "rint",
    "__exp": "exp",
    "__exp10": "exp10",
    "__log": "log",
    "__log2": "log2",
    "__log10": "log10",
    "__sin": "sin",
    "__cos": "cos",
    "__tan": "tan",
}
FUNCTIONS: dict[str, Any] = {name: _make_float(name, canonical) for name, canonical in FLOAT_NAMES.items()}


def _predicate(name: str) -> Any:
    def function(value: Any) -> Expr:
        operand = as_expr(value)
        if not types.is_float(operand.dtype):
            raise fail(f"T.{name} needs a float, not {operand.dtype}")
        return Call(name, (operand,), "bool", LOCATION.span)

    function.__name__ = name
    function.__doc__ = f"{name} of a float, bool."
    return function


FUNCTIONS |= {name: _predicate(name) for name in PREDICATES if name != "signbit"}


def _ieee(name: str, canonical: str, arity: int) -> Any:
    def function(*operands: Any, rounding_mode: str = "rn") -> Expr:
        values = operands
        if len(values) == arity + 1 and isinstance(values[-1], str):
            values, rounding_mode = values[:-1], values[-1]
        if rounding_mode != "rn":
            raise fail(f"T.{name} with rounding mode {rounding_mode!r} is not available in this runtime")
        if len(values) != arity:
            raise fail(f"T.{name} takes {arity} operands")
        return _float_call(canonical, *values)

    function.__name__ = name
    function.__doc__ = "IEEE operation rounded to nearest even, never fused or folded."
    return function


FUNCTIONS |= {
    name: _ieee(name, canonical, arity)
    for name, canonical, arity in (
        ("ieee_add", "add_rn", 2),
        ("ieee_sub", "sub_rn", 2),
        ("ieee_mul", "mul_rn", 2),
        ("ieee_fdiv", "div_rn", 2),
        ("ieee_fmaf", "fma", 3),
        ("ieee_fsqrt", "sqrt", 1),
        ("ieee_frsqrt", "rsqrt", 1),
        ("ieee_frcp", "rcp_rn", 1),
    )
}


def ldexp(value: Any, exponent: Any) -> Expr:
    """value * 2 ** exponent (int32)."""
    operand = as_expr(value)
    if not types.is_float(operand.dtype):
        raise fail("T.ldexp needs a float")
    return Call("ldexp", (operand, operators.cast(exponent, "int32")), operand.dtype, LOCATION.span)


def abs_(value: Any) -> Expr:
    """Absolute value; of the smallest integer: itself."""
    operand = as_expr(value)
    if types.is_float(operand.dtype):
        return _float_call("fabs", operand)
    if types.is_unsigned(operand.dtype):
        return operand
    if operand.dtype == "bool":
        raise fail("T.abs of a bool")
    return Call("abs", (operand,), operand.dtype, LOCATION.span)


def max_(left: Any, right: Any) -> Expr:
    """Larger operand; floats: a NaN operand is dropped, -0 < +0."""
    return operators.binary("max", as_expr(left), as_expr(right))


def min_(left: Any, right: Any) -> Expr:
    """Smaller operand; floats: a NaN operand is dropped, -0 < +0."""
    return operators.binary("min", as_expr(left), as_expr(right))


def clamp(value: Any, low: Any, high: Any) -> Expr:
    """min(max(value, low), high) in the value's dtype."""
    operand = as_expr(value)
    raised = max_(operand, operators.cast(low, operand.dtype))
    return min_(raised, operators.cast(high, operand.dtype))


def round_(value: Any, rounding_mode: str = "ties-to-even") -> Expr:
    """Nearest integer as a float: ties to even, or away from zero."""
    modes = {"ties-to-even": "rint", "ties-away-from-zero": "round"}
    if rounding_mode not in modes:
        raise fail(f"T.round has no rounding mode {rounding_mode!r}")
    operand = as_expr(value)
    return operand if types.is_int(operand.dtype) else _float_call(modes[rounding_mode], operand)


def if_then_else(cond: Any, then: Any, otherwise: Any) -> Expr:
    """``cond ? then : otherwise``; only the taken side is evaluated."""
    return operators.select(cond, then, otherwise)


def Select(cond: Any, then: Any, otherwise: Any) -> Expr:
    """Both sides may be evaluated on a GPU; here as T.if_then_else."""
    return operators.select(cond, then, otherwise)


def _integer_binary(op: str) -> Any:
    def function(left: Any, right: Any) -> Expr:
        return operators.build(op, left, right)

    function.__name__ = op
    function.__doc__ = f"{op} of integers."
    return function


FUNCTIONS |= {
    name: _integer_binary(op)
    for name, op in (
        ("truncdiv", "truncdiv"),
        ("truncmod", "truncmod"),
        ("floordiv", "floordiv"),
        ("floormod", "floormod"),
        ("indexdiv", "floordiv"),
        ("indexmod", "floormod"),
        ("shift_left", "shl"),
        ("shift_right", "shr"),
        ("bitwise_and", "bitand"),
        ("bitwise_or", "bitor"),
        ("bitwise_xor", "bitxor"),
    )
}
FUNCTIONS["ceildiv"] = _ceildiv


def div(left: Any, right: Any) -> Expr:
    """Float division, or truncating division of integers."""
    a, b = as_expr(left), as_expr(right)
    return operators.binary("div" if types.is_float(types.match(a.dtype, b.dtype)) else "truncdiv", a, b)


def bitwise_not(value: Any) -> Expr:
    """~value."""
    return operators.build("bitnot", value)


def _comparison(op: str) -> Any:
    def function(left: Any, right: Any) -> Expr:
        return operators.binary(op, as_expr(left), as_expr(right))

    function.__name__ = op
    function.__doc__ = f"Comparison {op}, bool."
    return function


FUNCTIONS |= {
    name: _comparison(op)
    for name, op in (("LT", "lt"), ("LE", "le"), ("GT", "gt"), ("GE", "ge"), ("EQ", "eq"), ("NE", "ne"))
}


def And(left: Any, right: Any) -> Expr:
    """left and right, short-circuit."""
    return operators.binary("and", as_expr(left), as_expr(right))


def Or(left: Any, right: Any) -> Expr:
    """left or right, short-circuit."""
    return operators.binary("or", as_expr(left), as_expr(right))


def Not(value: Any) -> Expr:
    """not value."""
    return operators.build("not", value)


def cast(value: Any, dtype: Any, round: str = "", sat: bool = True, rbits: Any = None) -> Expr:
    """Value conversion; float to integer truncates and saturates, NaN gives 0."""
    if round or rbits is not None:
        raise fail("T.cast with a rounding mode is not available in this runtime")
    return operators.cast(value, dtype)


def reinterpret(value: Any, dtype: Any = None) -> Expr:
    """Same bits, other dtype. Both argument orders that upstream accepts work."""
    if isinstance(value, str) and not isinstance(dtype, str):
        value, dtype = dtype, value
    return operators.reinterpret(value, dtype)


def _bits(name: str, *, unsigned_only: bool) -> Any:
    def function(value: Any) -> Expr:
        operand = as_expr(value)
        if not types.is_int(operand.dtype) or types.bits(operand.dtype) < 32:
            raise fail(f"T.{name} needs a 32- or 64-bit integer, not {operand.dtype}")
        if unsigned_only and types.is_signed(operand.dtype):
            raise fail(f"T.{name} is unresolved on {operand.dtype}: reinterpret as unsigned first")
        # upstream keeps popcount in the operand's dtype and gives int32 for the others
        result = operand.dtype if name == "popcount" else "int32"
        return Call(name, (operand,), result, LOCATION.span)

    function.__name__ = name
    function.__doc__ = f"{name} of a 32- or 64-bit integer."
    return function


FUNCTIONS |= {
    "popcount": _bits("popcount", unsigned_only=True),
    "clz": _bits("clz", unsigned_only=False),
    "__ffs": _bits("ffs", unsigned_only=False),
}


def infinity(dtype: Any) -> Expr:
    """+inf of a float dtype."""
    name = types.normalise(dtype)
    if not types.is_float(name):
        raise fail(f"T.infinity of {name}")
    return Const(name, math.inf, LOCATION.span)


def nan(dtype: Any) -> Expr:
    """A quiet NaN of a float dtype."""
    name = types.normalise(dtype)
    if not types.is_float(name):
        raise fail(f"T.nan of {name}")
    return Const(name, math.nan, LOCATION.span)


def _limits(name: str) -> tuple[int | float, int | float]:
    if name == "bool":
        return 0, 1
    if types.is_int(name):
        width = types.bits(name)
        return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if types.is_signed(name) else (0, (1 << width) - 1)
    info = ml_dtypes.finfo(types.numpy_dtype(name)) if name == "bfloat16" else np.finfo(types.numpy_dtype(name))
    return float(info.min), float(info.max)


def min_value(dtype: Any) -> Expr:
    """The smallest finite value."""
    name = types.normalise(dtype)
    return Const(name, _limits(name)[0], LOCATION.span)


def max_value(dtype: Any) -> Expr:
    """The largest finite value."""
    name = types.normalise(dtype)
    return Const(name, _limits(name)[1], LOCATION.span)


def const(value: Any, dtype: Any = None) -> Expr:
    """A constant of ``dtype`` (upstream's guess without it)."""
    if isinstance(value, str):
        raise fail("T.const for sizes belongs to the eager style, which this runtime does not have: use T.dynamic")
    return as_expr(value) if dtype is None else operators.constant(types.normalise(dtype), value)


FUNCTIONS |= {
    "ldexp": ldexp,
    "abs": abs_,
    "max": max_,
    "min": min_,
    "clamp": clamp,
    "round": round_,
    "if_then_else": if_then_else,
    "Select": Select,
    "div": div,
    "truediv": div,
    "bitwise_not": bitwise_not,
    "And": And,
    "Or": Or,
    "Not": Not,
    "cast": cast,
    "Cast": lambda dtype, value: cast(value, dtype),
    "reinterpret": reinterpret,
    "infinity": infinity,
    "nan": nan,
    "min_value": min_value,
    "max_value": max_value,
    "const": const,
    "dtype": dtype_object,
}
