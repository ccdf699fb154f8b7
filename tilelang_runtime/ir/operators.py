"""Typed construction of expressions: upstream's type rules, and the float folds that upstream would do silently.

Public TVM simplifies floats algebraically; a program that contains such a pattern means something else on a GPU than
it says, so it is rejected here with its line.
"""

from __future__ import annotations

import math
from typing import Any

from tilelang_runtime.ir import types
from tilelang_runtime.ir.nodes import (
    NO_SPAN,
    Atomic,
    Binary,
    Cast,
    Const,
    Expr,
    Load,
    Reinterpret,
    Select,
    Shuffle,
    Span,
    TileLangError,
    Unary,
    Var,
    Vote,
    children,
)

COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_SYMBOLS = {"floordiv": "//", "floormod": "%", "div": "/", "shl": "<<", "shr": ">>"}


class _Location:
    """The source line being traced; new nodes are stamped with it."""

    def __init__(self) -> None:
        self.span = NO_SPAN


LOCATION = _Location()


def fail(message: str, span: Span | None = None) -> TileLangError:
    """The error to raise, at ``span`` or the line being traced."""
    return TileLangError(message, span or LOCATION.span)


def constant(dtype: str, value: int | float | bool) -> Const:
    """A literal of ``dtype``; integers out of range are an error, floats are rounded once."""
    if types.is_int(dtype) and not isinstance(value, float):
        if types.is_unsigned(dtype) and value < 0:
            raise fail(f"cannot make {dtype} from the negative value {value}; write the unsigned constant itself")
        if types.wrap_int(int(value), dtype) != int(value):
            raise fail(f"the constant {value} does not fit {dtype}")
    return Const(dtype, types.convert(value, dtype), LOCATION.span)


def as_expr(value: Any) -> Expr:
    """An operand: expressions pass, Python numbers become constants of upstream's dtype for them."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, float):
        dtype = types.literal_dtype(value)
        return Const(dtype, types.convert(value, dtype), LOCATION.span, value)
    if isinstance(value, (bool, int)):
        return constant(types.literal_dtype(value), value)
    item = getattr(value, "item", None)
    if item is not None and getattr(value, "shape", None) == ():
        return constant(types.normalise(value.dtype), item())
    load = getattr(value, "as_load", None)
    if load is not None:
        return as_expr(load())
    raise fail(f"{type(value).__name__} object {value!r} cannot be an operand of a TileLang expression")


def cast(value: Any, dtype: object, rounding: str = "") -> Expr:
    """Value conversion; constants are folded as upstream does."""
    operand = as_expr(value)
    target = types.normalise(dtype)
    if operand.dtype == target:
        return operand
    if operand.dtype == "handle":
        raise fail("a pointer cannot be cast")
    if isinstance(operand, Const) and not rounding:
        if types.is_unsigned(target) and operand.value < 0 and types.is_int(operand.dtype):
            raise fail(f"cannot make {target} from the negative value {operand.value}")
        if not (types.is_float(operand.dtype) and types.is_int(target)):
            written = operand.value if operand.exact is None else operand.exact
            return Const(target, types.convert(written, target), LOCATION.span)
    return Cast(operand, target, rounding, LOCATION.span)


def reinterpret(value: Any, dtype: object) -> Expr:
    """Same bits, other dtype of the same width."""
    operand = as_expr(value)
    target = types.normalise(dtype)
    if types.bits(operand.dtype) != types.bits(target):
        raise fail(f"T.reinterpret from {operand.dtype} to {target}: the widths differ")
    return operand if operand.dtype == target else Reinterpret(operand, target, LOCATION.span)


def build(op: str, *operands: Any) -> Expr:
    """The expression of a Python operator: neg bitnot not cast, or a `Binary` op by name.

    Raises TileLangError for operands that upstream rejects and for folded float patterns.
    """
    if op == "cast":
        return cast(*operands)
    if len(operands) == 1:
        return _unary(op, as_expr(operands[0]))
    left, right = operands
    if op in ("shl", "shr"):
        return _shift(op, left, right)
    if op in ("bitand", "bitor", "bitxor"):  # a Python integer takes the other operand's dtype, as in shifts
        left, right = _literal_like(left, right), _literal_like(right, left)
    return binary(op, as_expr(left), as_expr(right))


def _unary(op: str, operand: Expr) -> Expr:
    dtype = operand.dtype
    if op == "neg":
        if types.is_unsigned(dtype) or dtype == "bool":
            raise fail(f"unary minus on {dtype}: write T.{dtype}(0) - x")
        if isinstance(operand, Const):
            if types.is_float(dtype):
                exact = None if operand.exact is None else -operand.exact
                return Const(dtype, -operand.value, LOCATION.span, exact)
            return constant(dtype, -operand.value)
    if op == "bitnot" and not types.is_int(dtype):
        raise fail(f"~ needs an integer, not {dtype}")
    if op == "not":
        require_bool(operand)
        ordering = isinstance(operand, Binary) and operand.op in ("lt", "le", "gt", "ge")
        if ordering and isinstance(operand, Binary) and types.is_float(operand.left.dtype):
            raise fail(
                "`not` of a float comparison is turned around, so NaN takes the other path: "
                "write T.isnan(x) or the opposite comparison"
            )
    return Unary(op, operand, dtype, LOCATION.span)


def require_bool(value: Expr) -> Expr:
    """``value`` if its dtype is bool; conditions of another dtype are an error in upstream."""
    if value.dtype != "bool":
        raise fail(f"a condition must be bool, not {value.dtype}: compare with != 0")
    return value


def _literal_like(value: Any, other: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and isinstance(other, Expr) and types.is_int(other.dtype):
        return constant(other.dtype, value)
    return value


def _shift(op: str, left: Any, right: Any) -> Expr:
    if not isinstance(left, Expr):
        right_expr = as_expr(right)
        left_expr: Expr = constant(right_expr.dtype, left) if isinstance(left, int) else as_expr(left)
    else:
        left_expr = left
        right_expr = (
            constant(left.dtype, right) if isinstance(right, int) and types.is_int(left.dtype) else as_expr(right)
        )
    for operand in (left_expr, right_expr):
        if not types.is_int(operand.dtype):
            raise fail(f"{_SYMBOLS[op]} needs integers, not {operand.dtype}")
    dtype = types.match(left_expr.dtype, right_expr.dtype)
    return Binary(op, cast(left_expr, dtype), cast(right_expr, dtype), dtype, LOCATION.span)


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """A `Binary` over operands brought to one dtype."""
    if op in ("and", "or"):
        return Binary(op, require_bool(left), require_bool(right), "bool", LOCATION.span)
    if "handle" in (left.dtype, right.dtype):
        raise fail(f"{op} on a pointer")
    dtype = types.match(left.dtype, right.dtype)
    if op == "div" and not types.is_float(dtype):
        raise fail("/ on integers is an error: write T.truncdiv(a, b), or // for floor division")
    if op in ("floordiv", "floormod", "truncdiv", "truncmod", "bitand", "bitor", "bitxor"):
        kinds = {left.dtype, right.dtype}
        logical = op.startswith("bit") and (
            kinds == {"bool"} or not (isinstance(left, Const) or isinstance(right, Const))
        )
        if not types.is_int(dtype) and not (dtype == "bool" and logical):
            raise fail(f"{_SYMBOLS.get(op, op)} needs integers, not {dtype}")
        if "bool" in kinds and not logical:
            raise fail(f"{_SYMBOLS.get(op, op)} of bool and {dtype}: cast the bool first")
    left, right = cast(left, dtype), cast(right, dtype)
    if types.is_float(dtype):
        _check_float_folds(op, left, right)
    elif isinstance(left, Const) and isinstance(right, Const) and dtype == "int32" and op in ("add", "sub", "mul"):
        a, b = int(left.value), int(right.value)
        return constant("int32", a + b if op == "add" else a - b if op == "sub" else a * b)
    return Binary(op, left, right, "bool" if op in COMPARISONS else dtype, LOCATION.span)


def _check_float_folds(op: str, left: Expr, right: Expr) -> None:
    advice = "; keep each step in a T.alloc_var, or use T.ieee_sub, T.ieee_add, T.ieee_mul"
    if op == "sub" and same(left, right):
        raise fail("a float minus itself is folded to 0 (wrong for inf and NaN)" + advice)
    if op in ("eq", "ne") and same(left, right):
        raise fail("a float compared with itself is folded, so NaN tests vanish: write T.isnan(x)")
    if op == "mul" and (_is_zero(left) or _is_zero(right)):
        raise fail("a float times 0.0 is folded to 0 (wrong for inf, NaN and signed zero)" + advice)
    if op == "div" and _is_zero(right):
        raise fail("division by the constant 0.0 is a compile error: write T.infinity or T.nan")
    if op == "sub" and _contains(left, right):
        raise fail("(x + y) - y on floats is folded to x" + advice)
    if op == "sub" and _contains(right, left):
        raise fail("y - (x + y) on floats is folded to -x" + advice)


def _is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 0


def _contains(total: Expr, term: Expr) -> bool:
    """Whether ``total`` is a sum with ``term`` in it. Differences are left alone: (x - y) + y stays as it is."""
    resolved = _resolve(total)
    if not isinstance(resolved, Binary) or resolved.op != "add":
        return False
    return same(resolved.left, term) or same(resolved.right, term)


def _resolve(value: Expr) -> Expr:
    while isinstance(value, Var) and value.definition is not None:
        value = value.definition
    return value


def _inlined(value: Expr) -> Expr:
    """What upstream sees behind a bind: its value, but for one that reads memory (a store may lie between)."""
    resolved = _resolve(value)
    return value if _reads(resolved) else resolved


def _reads(value: Expr) -> bool:
    return isinstance(value, Load) or any(_reads(operand) for operand in children(value))


def same(left: Expr, right: Expr) -> bool:
    """Structural equality, looking through binds, as upstream's simplifier compares operands."""
    if left is right:
        return True
    left, right = _inlined(left), _inlined(right)
    if left is right:
        return True
    if type(left) is not type(right) or left.dtype != right.dtype or isinstance(left, Var):
        return False
    if isinstance(left, Const) and isinstance(right, Const):
        return left.value == right.value and math.copysign(1, left.value) == math.copysign(1, right.value)
    for attribute in ("op", "name", "mode", "buffer", "rounding"):
        if getattr(left, attribute, None) is not getattr(right, attribute, None) and getattr(
            left, attribute, None
        ) != getattr(right, attribute, None):
            return False
    ours, theirs = children(left), children(right)
    return len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs, strict=True))


def select(cond: Any, then: Any, otherwise: Any) -> Expr:
    """``T.if_then_else``: both sides brought to one dtype."""
    test = require_bool(as_expr(cond))
    left, right = as_expr(then), as_expr(otherwise)
    dtype = types.match(left.dtype, right.dtype)
    return Select(test, cast(left, dtype), cast(right, dtype), dtype, LOCATION.span)


def truth(value: Expr) -> bool:
    """Python asked for the truth of a run-time value. Raises always, constants apart."""
    if isinstance(value, Const):
        return bool(value.value)
    raise fail(
        "a run-time value was used as a Python condition (builtin min/max/any/abs, `in`, or code outside the traced "
        "function): use T.min, T.max, T.if_then_else"
    )


def as_python_int(value: Expr) -> int:
    """Python asked for a compile-time integer."""
    if isinstance(value, Const) and types.is_int(value.dtype):
        return int(value.value)
    raise fail("a compile-time integer is needed here, but the value is only known at run time")


def has_effect(value: Expr) -> bool:
    """Whether evaluating ``value`` does more than compute (warp operation, atomic, impure external call)."""
    if isinstance(value, (Shuffle, Vote, Atomic)):
        return True
    return any(has_effect(child) for child in children(value))


def reads_memory(value: Expr) -> bool:
    """Whether ``value`` contains a load."""
    return isinstance(value, Load) or any(reads_memory(child) for child in children(value))
