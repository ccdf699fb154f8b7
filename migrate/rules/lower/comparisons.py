"""< <= > >= == !=."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, is_float, operation
from migrate.rules.lower.literals import literal

_SYMBOLS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
# Upstream's simplifier negates the constant of an int32 comparison: with this one it fails, or says False.
_INT32_LOWEST = -(2**31)
_PYTHON = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


@rule("comparisons", "a < b … on integers and bools", "i < n", "i < n")
def lower_integer_comparison(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """The operator in a dtype that holds both sides; unsigned operands that may wrap are bound to variables first."""
    flag = _tested_flag(node)
    if flag is not None:
        return lowering.lower(flag)
    dtype = _common(lowering.ranges.carrier(node.left), lowering.ranges.carrier(node.right), node.left.dtype)
    if dtype == "bool":
        flags = [p.Call("T.cast", (lowering.lower(n), p.Text("int32")), "int32") for n in (node.left, node.right)]
        return operation(_SYMBOLS[node.op], flags[0], flags[1], "bool")
    left = lowering.coerce(lowering.protected(node.left), dtype)
    right = lowering.coerce(lowering.protected(node.right), dtype)
    a, b = lowering.identities.literal(left), lowering.identities.literal(right)
    if a is not None and b is not None:
        return p.Lit(_PYTHON[node.op](a, b), "bool")
    if lowering.identities.same(left, right):
        return p.Lit(node.op in ("le", "ge", "eq"), "bool")
    if dtype == "int32" and _INT32_LOWEST in (a, b):
        left, right = _widened(left, a), _widened(right, b)
    if left.dtype == p.PYTHON and (right.dtype == p.PYTHON or b is not None):
        left = p.Call("T.int32", (left,), "int32")
    elif right.dtype == p.PYTHON and a is not None:
        right = p.Call("T.int32", (right,), "int32")
    return operation(_SYMBOLS[node.op], left, right, "bool")


def _widened(side: p.PortExpr, value: float | None) -> p.PortExpr:
    return literal(value, "int64") if value is not None else p.Call("T.cast", (side, p.Text("int64")), "int64")


def _tested_flag(node: k.Binary) -> k.Expr | None:
    """What ``(int)flag != 0`` and ``(int)flag == 0`` ask for."""
    left, right = node.left, node.right
    if node.op not in ("eq", "ne") or not isinstance(left, k.Cast) or left.operand.dtype != "bool":
        return None
    if not isinstance(right, k.Const) or right.value != 0:
        return None
    return left.operand if node.op == "ne" else k.Unary("not", left.operand, "bool", node.span)


def _common(left: str, right: str, declared: str) -> str:
    if left == right:
        return left
    if {left, right} <= {"int32", "int64"}:
        return "int64"
    return declared


@rule("float_comparisons", "a < b … on floats", "x != x", "T.isnan(x)")
def lower_float_comparison(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """The operator, NaN-safe.

    Upstream folds ``x == x`` and combines ``a < b`` with its negation, so those use `T.isnan` and flags.
    """
    left, right = lowering.lower(node.left), lowering.lower(node.right)
    a, b = lowering.identities.literal(left), lowering.identities.literal(right)
    if a is not None and b is not None:
        return p.Lit(_PYTHON[node.op](a, b), "bool")
    expr = operation(_SYMBOLS[node.op], left, right, "bool")
    if lowering.identities.same(left, right):
        return _with_itself(node, left, lowering)
    return expr if node.op in ("eq", "ne") else lowering.guard_comparison(expr, node)


def _with_itself(node: k.Binary, operand: p.PortExpr, lowering: Lowering) -> p.PortExpr:
    if node.op in ("lt", "gt"):
        return p.Lit(False, "bool")
    wide = (
        operand
        if is_float(operand.dtype) and operand.dtype in ("float32", "float64")
        else lowering.coerce(operand, "float32")
    )
    unordered = p.Call("T.isnan", (wide,), "bool")
    return unordered if node.op == "ne" else p.Prefix("not", unordered, "bool")
