"""+ − × ÷ and unary minus, with C's meaning kept through upstream's folding."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, is_float, is_unsigned, operation
from migrate.rules.lower.literals import fold, literal

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_ROUNDED = {"add": "T.ieee_add", "sub": "T.ieee_sub", "mul": "T.ieee_mul", "div": "T.ieee_fdiv"}


@rule("arithmetic", "a + b, a - b, a * b on integers", "i * stride + j", "i * stride + j")
def lower_integer_arithmetic(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """Integers: the Python operator, in the carrier's dtype; two constants are folded here.

    Unsigned differences take plain loads as operands, because upstream's simplifier crashes on bounded ones.
    """
    dtype = lowering.ranges.carrier(node)
    left, right = lowering.lower_as(node.left, dtype), lowering.lower_as(node.right, dtype)
    folded = fold_constants(node.op, left, right, dtype, lowering)
    if folded is not None:
        return folded
    if _is_zero(node.op, left, right, lowering):
        return literal(0, dtype)
    if node.op == "sub" and is_unsigned(dtype):
        left, right = _plain(left, lowering), _plain(right, lowering)
    if node.op == "sub" and dtype == "int32" and lowering.identities.literal(right) == -(2**31):
        return operation("+", left, right, dtype)  # the same modulo 2**32; upstream fails to negate it
    if left.dtype == p.PYTHON and (right.dtype == p.PYTHON or isinstance(right, p.Lit)):
        return operation(_SYMBOLS[node.op], left, right, p.PYTHON)
    if right.dtype == p.PYTHON and isinstance(left, p.Lit):
        return operation(_SYMBOLS[node.op], left, right, p.PYTHON)
    return operation(_SYMBOLS[node.op], left, right, dtype)


def _is_zero(op: str, left: p.PortExpr, right: p.PortExpr, lowering: Lowering) -> bool:
    """a - a and a * 0 on integers: said here, because upstream finds it too and then folds floats with the zero."""
    if op == "sub":
        return lowering.identities.same(left, right)
    return op == "mul" and 0 in (lowering.identities.literal(left), lowering.identities.literal(right))


def fold_constants(op: str, left: p.PortExpr, right: p.PortExpr, dtype: str, lowering: Lowering) -> p.PortExpr | None:
    """``left op right`` if both are certainly constants, computed in ``dtype``."""
    a, b = lowering.identities.literal(left), lowering.identities.literal(right)
    return None if a is None or b is None else fold(op, a, b, dtype)


def _plain(expr: p.PortExpr, lowering: Lowering) -> p.PortExpr:
    plain = isinstance(expr, (p.Lit, p.Element)) or (isinstance(expr, p.Name) and expr.kind in ("var", "param"))
    return expr if plain else lowering.hoist(expr, "operand")


@rule("float_arithmetic", "a + b, a - b, a * b, a / b on floats", "(x + y) - y", "T.ieee_sub(x + y, y)")
def lower_float_arithmetic(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """Floats: the Python operator, except where upstream would fold (x - x, (x + y) - y, x * 0, 0 / x, x + 0, x / 0).

    Those use `T.ieee_*` (one rounding, never folded); 16-bit floats go through variables instead.
    """
    left, right = lowering.lower(node.left), lowering.lower(node.right)
    folded = fold_constants(node.op, left, right, node.dtype, lowering)
    if folded is not None:
        return folded
    neutral = _without_neutral(node.op, left, right, lowering)
    if neutral is not None:
        return neutral
    if folds_upstream(node.op, left, right, lowering):
        if node.dtype in ("float32", "float64"):
            return p.Call(_ROUNDED[node.op], (left, right), node.dtype)
        return operation(_SYMBOLS[node.op], lowering.hoist(left, "first"), lowering.hoist(right, "second"), node.dtype)
    return operation(_SYMBOLS[node.op], left, right, node.dtype)


def _without_neutral(op: str, left: p.PortExpr, right: p.PortExpr, lowering: Lowering) -> p.PortExpr | None:
    """x for x * 1, 1 * x, x / 1, x - 0 and x + (-0), which are exact; upstream drops them too, and then sees x."""
    a, b = lowering.identities.literal(left), lowering.identities.literal(right)
    if op in ("mul", "div") and b == 1:
        return left
    if op == "mul" and a == 1:
        return right
    if op == "sub" and _is_positive_zero(b):
        return left
    if op == "add" and b == 0 and not _is_positive_zero(b):
        return left
    return right if op == "add" and a == 0 and not _is_positive_zero(a) else None


def folds_upstream(op: str, left: p.PortExpr, right: p.PortExpr, lowering: Lowering) -> bool:
    """Whether upstream's simplifier changes the value of this float operation (tests/emit/test_upstream_folds.py)."""
    a, b = lowering.identities.literal(left), lowering.identities.literal(right)
    if op == "add":
        return _is_positive_zero(a) or _is_positive_zero(b)
    if op == "mul":
        return a == 0 or b == 0
    if op == "div":
        return a == 0 or b == 0
    if b == 0 and not _is_positive_zero(b):
        return True  # x - (-0.0)
    number = lowering.identities.number
    if number(left) == number(right):
        return True
    return _contains_term(left, right, lowering) or _contains_term(right, left, lowering)


def _is_positive_zero(value: float | None) -> bool:
    return value is not None and value == 0 and not str(value).startswith("-")


def _contains_term(total: p.PortExpr, term: p.PortExpr, lowering: Lowering) -> bool:
    resolved = lowering.identities.resolve(total)
    if not isinstance(resolved, p.Operation) or resolved.op != "+":
        return False
    number = lowering.identities.number
    return number(term) in (number(resolved.left), number(resolved.right))


@rule("negation", "-a, ~a", "-x, ~mask", "-x, ~mask", ("TLM150",))
def lower_unary(node: k.Unary, lowering: Lowering) -> p.PortExpr:
    """Minus and complement; an unsigned minus is 0 - a, as upstream has no unsigned negation."""
    if node.op == "not":
        raise refuse("TLM150", "logical negation must be of type bool", node.span)
    dtype = lowering.ranges.carrier(node)
    operand = lowering.lower_as(node.operand, dtype)
    value = lowering.identities.literal(operand)
    if value is not None and node.op == "neg" and is_float(dtype):
        return literal(-float(value), dtype)
    if value is not None and not is_float(dtype):
        folded = fold("sub", 0, value, dtype) if node.op == "neg" else fold("bitxor", value, -1, dtype)
        if folded is not None:
            return folded
    if node.op == "bitnot":
        return p.Prefix("~", _as_term(operand), dtype)
    if is_unsigned(dtype):
        return operation("-", literal(0, dtype), _plain(operand, lowering), dtype)
    return p.Prefix("-", _as_term(operand), dtype)


def _as_term(expr: p.PortExpr) -> p.PortExpr:
    return p.Call("T.int32", (expr,), "int32") if expr.dtype == p.PYTHON else expr
