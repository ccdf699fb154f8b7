"""Scalar expressions in C's arithmetic: constants, conversions, promotions and light constant folding.

Folding is limited to what cannot change a value: integer constants, identities of addresses, literals converted to
the type of their context.
"""

from __future__ import annotations

import math
import struct

from migrate.ir.kernel import (
    Binary,
    BinaryOp,
    Bitcast,
    Builtin,
    Cast,
    Const,
    DType,
    Expr,
    Load,
    LocalRef,
    MathCall,
    ParamRef,
    Select,
    Unary,
)
from migrate.ir.span import Span
from migrate.parse.build.types import FLOATS, INTEGERS, SIGNED, SIZES, UNSIGNED

_LEAVES = frozenset({Const, LocalRef, ParamRef, Builtin})
COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_RANK: dict[DType, int] = {"int32": 1, "uint32": 2, "int64": 3, "uint64": 4}
_UNSIGNED_OF_SIZE: dict[int, DType] = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}


def wrap_integer(value: int, dtype: DType) -> int:
    """``value`` modulo two's complement of an integer dtype."""
    bits = SIZES[dtype] * 8
    value &= (1 << bits) - 1
    if dtype in SIGNED and value >> (bits - 1):
        value -= 1 << bits
    return value


def round_float(value: float, dtype: DType) -> float:
    """``value`` rounded to float32 or kept as float64 (overflow gives an infinity)."""
    if dtype == "float32" and math.isfinite(value):
        try:
            return float(struct.unpack("<f", struct.pack("<f", value))[0])
        except OverflowError:
            return math.copysign(math.inf, value)
    return value


def constant(dtype: DType, value: int | float | bool, span: Span | None = None) -> Const:
    """A `Const` with the value normalised to the dtype."""
    if dtype == "bool":
        return Const(dtype, bool(value), span)
    if dtype in INTEGERS:
        return Const(dtype, wrap_integer(int(value), dtype), span)
    return Const(dtype, round_float(float(value), dtype), span)


def is_constant(expr: Expr, value: int | None = None) -> bool:
    """True for an integer literal (equal to ``value`` if given)."""
    return isinstance(expr, Const) and expr.dtype in INTEGERS and (value is None or expr.value == value)


def promote(dtype: DType) -> DType:
    """C's integer promotion; floats stay."""
    return "int32" if dtype == "bool" or (dtype in INTEGERS and SIZES[dtype] < 4) else dtype


def common_dtype(left: DType, right: DType) -> DType:
    """C's usual arithmetic conversions. Half types are not C arithmetic types; they win only over integers."""
    if left in FLOATS or right in FLOATS:
        order = ("float64", "float32", "float16", "bfloat16")
        return next(kind for kind in order if kind in (left, right))
    left, right = promote(left), promote(right)
    return left if _RANK[left] >= _RANK[right] else right


def to_bool(expr: Expr, span: Span | None = None) -> Expr:
    """``expr != 0``; bool stays, and a bool widened to an integer is taken back."""
    if expr.dtype == "bool":
        return expr
    if isinstance(expr, Cast) and expr.operand.dtype == "bool" and expr.dtype in INTEGERS:
        return expr.operand
    if isinstance(expr, Const):
        return Const("bool", bool(expr.value), span or expr.span)
    return Binary("ne", expr, constant(expr.dtype, 0, span), "bool", span or expr.span)


def convert(expr: Expr, dtype: DType, span: Span | None = None, *, implicit: bool = True) -> Expr:
    """C conversion of a scalar to ``dtype``; literals are folded where the result is certain."""
    if expr.dtype == dtype:
        return expr
    if dtype == "bool":
        return to_bool(expr, span)
    if isinstance(expr, Const):
        source = expr.dtype
        if dtype in INTEGERS and (source in INTEGERS or source == "bool"):
            return constant(dtype, int(expr.value), expr.span)
        if dtype in ("float32", "float64") and source not in {"float16", "bfloat16"}:
            exact = source in FLOATS or source == "bool" or abs(expr.value) <= 1 << 53
            if exact:
                return constant(dtype, float(expr.value), expr.span)
    return Cast(expr, dtype, None, implicit, span or expr.span)


def bitcast(expr: Expr, dtype: DType) -> Expr:
    """The same bits as ``dtype`` (of the same size); bool counts as the byte 0 or 1."""
    if expr.dtype == dtype:
        return expr
    if expr.dtype == "bool":
        return bitcast(convert(expr, "uint8"), dtype)
    if dtype == "bool":
        return to_bool(expr)
    if expr.dtype in INTEGERS and dtype in INTEGERS:
        return convert(expr, dtype)
    if isinstance(expr, Bitcast):
        return bitcast(expr.operand, dtype)
    return Bitcast(expr, dtype, expr.span)


def bits_dtype(size: int) -> DType:
    """The unsigned integer of ``size`` bytes."""
    return _UNSIGNED_OF_SIZE[size]


def binary(op: BinaryOp, left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """Binary node with operands already of one dtype; folds integer literals."""
    dtype = "bool" if op in COMPARISONS or op in ("and", "or") else left.dtype
    if isinstance(left, Const) and isinstance(right, Const) and left.dtype in INTEGERS and right.dtype in INTEGERS:
        folded = _fold(op, int(left.value), int(right.value), dtype)
        if folded is not None:
            return folded
    return Binary(op, left, right, dtype, span)


def _fold(op: str, left: int, right: int, dtype: DType) -> Const | None:
    results = {"add": left + right, "sub": left - right, "mul": left * right}
    if op in results:
        value = results[op]
        if dtype in UNSIGNED or wrap_integer(value, dtype) == value:
            return constant(dtype, value)
        return None
    if op in COMPARISONS:
        answers = {
            "lt": left < right,
            "le": left <= right,
            "gt": left > right,
            "ge": left >= right,
            "eq": left == right,
            "ne": left != right,
        }
        return Const("bool", answers[op])
    return None


def add(left: Expr, right: Expr) -> Expr:
    """Address sum of two integers of one dtype; zero disappears, constants are gathered on the right."""
    if is_constant(left, 0):
        return right
    if is_constant(right, 0):
        return left
    if isinstance(left, Const) and not isinstance(right, Const):
        left, right = right, left
    if isinstance(right, Const) and isinstance(left, Binary) and left.op == "add" and isinstance(left.right, Const):
        return add(left.left, constant(left.dtype, int(left.right.value) + int(right.value)))
    if isinstance(left, Binary) and left.op == "add" and isinstance(left.right, Const) and not isinstance(right, Const):
        return add(add(left.left, right), left.right)
    return binary("add", left, right)


def scale(expr: Expr, factor: int) -> Expr:
    """``expr * factor`` in the dtype of ``expr``."""
    if factor == 1:
        return expr
    if isinstance(expr, Binary) and expr.op == "mul" and isinstance(expr.right, Const):
        return binary("mul", expr.left, constant(expr.dtype, int(expr.right.value) * factor))
    return binary("mul", expr, constant(expr.dtype, factor))


def divide_exactly(expr: Expr, divisor: int) -> Expr | None:
    """``expr / divisor`` if the form of ``expr`` shows that nothing remains; None otherwise."""
    if divisor == 1:
        return expr
    if isinstance(expr, Const):
        value = int(expr.value)
        return constant(expr.dtype, value // divisor) if value % divisor == 0 else None
    if isinstance(expr, Cast) and expr.operand.dtype in INTEGERS and SIZES[expr.dtype] >= SIZES[expr.operand.dtype]:
        inner = divide_exactly(expr.operand, divisor)
        return None if inner is None else convert(inner, expr.dtype)
    if isinstance(expr, Binary):
        if expr.op in ("add", "sub"):
            left, right = divide_exactly(expr.left, divisor), divide_exactly(expr.right, divisor)
            if left is None or right is None:
                return None
            return add(left, right) if expr.op == "add" else binary("sub", left, right)
        if expr.op == "mul":
            right = divide_exactly(expr.right, divisor)
            if right is not None:
                return expr.left if is_constant(right, 1) else binary("mul", expr.left, right)
            left = divide_exactly(expr.left, divisor)
            if left is not None:
                return expr.right if is_constant(left, 1) else binary("mul", left, expr.right)
        if expr.op == "shl" and isinstance(expr.right, Const) and (1 << int(expr.right.value)) % divisor == 0:
            return scale(expr.left, (1 << int(expr.right.value)) // divisor)
    return None


def children(expr: Expr) -> tuple[Expr, ...]:
    """Direct operands."""
    kind = type(expr)
    if kind in _LEAVES:
        return ()
    if isinstance(expr, Binary):
        return (expr.left, expr.right)
    if isinstance(expr, Load):
        return expr.indices
    if isinstance(expr, Unary | Cast | Bitcast):
        return (expr.operand,)
    if isinstance(expr, Select):
        return (expr.cond, expr.then, expr.otherwise)
    if isinstance(expr, MathCall):
        return expr.args
    return ()


def is_trivial(expr: Expr) -> bool:
    """True for literals, builtins and parameters, alone or converted: they never change."""
    if isinstance(expr, Cast):
        return is_trivial(expr.operand)
    return isinstance(expr, Const | Builtin | ParamRef)


def is_stable(expr: Expr) -> bool:
    """True if no statement can change the value: no loads, no mutable locals."""
    if isinstance(expr, Load):
        return False
    if isinstance(expr, LocalRef):
        return not expr.var.mutable
    return all(is_stable(child) for child in children(expr))
