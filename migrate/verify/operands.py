"""A variant of a kernel whose condition hangs on every bit of both operands of the condition under test.

Turning a condition round proves the code behind it, not that original and port compare the same values. In this variant
``a < b`` becomes a hash of a and b: if a port computes either of them differently, some case takes another branch.
"""

from __future__ import annotations

import ast

from migrate.ir.kernel import Binary, Const, Expr
from migrate.verify.text_difference import one_difference
from migrate.verify.textual import balanced, condition_bytes, find_comparison, replaced

_WIDE = "(((({a}) + 3ull * ({b})) * 0x9E3779B97F4A7C15ull) >> 63) != 0ull"
_NARROW = "(((({a}) + 3u * ({b})) * 2654435761u) >> 31) != 0u"
_FLOATS = frozenset({"float32", "float16", "bfloat16"})


def hashed(text: bytes, condition: Expr) -> bytes | None:
    """``text`` with ``condition`` replaced by a hash of its operands; None if it is no comparison in plain text."""
    operands = operand_texts(text, condition)
    if operands is None or not isinstance(condition, Binary) or condition.span is None:
        return None
    dtype = condition.left.dtype
    if dtype in _FLOATS:
        a, b = (f"(unsigned int)__float_as_int((float)({one}))" for one in operands)
        made = _NARROW.format(a=a, b=b)
    elif dtype == "float64":
        a, b = (f"(unsigned long long)__double_as_longlong((double)({one}))" for one in operands)
        made = _WIDE.format(a=a, b=b)
    elif dtype.startswith(("int", "uint")):
        a, b = (f"(unsigned long long)({one})" for one in operands)
        made = _WIDE.format(a=a, b=b)
    else:
        return None
    return replaced(text, condition.span, f"({made})".encode("utf-8", "surrogateescape"))


def operand_texts(text: bytes, condition: Expr) -> tuple[str, str] | None:
    """Source texts of both operands; of ``if (x & 1)`` they are ``x & 1`` and ``0``."""
    if not isinstance(condition, Binary) or condition.span is None:
        return None
    whole = condition_bytes(text, condition.span)
    if whole is None:
        return None
    low = find_comparison(whole)
    if low is not None:
        left, right = whole[: low.start()], whole[low.end() :]
    elif condition.op == "ne" and isinstance(condition.right, Const) and not condition.right.value:
        left, right = whole, b"0"
    else:
        return None
    if not balanced(left) or not balanced(right):
        return None
    return left.decode("utf-8", "surrogateescape").strip(), right.decode("utf-8", "surrogateescape").strip()


def differs_by_hashed_condition(plain: str, varied: str, condition: Binary) -> bool:
    """Whether two port texts differ in one comparison only, whose operands stand in the other text as they are here.

    A literal operand may have been folded into the hash; it must then be ``condition``'s value.
    """
    return _hashed(ast.parse(plain), ast.parse(varied), condition)


def _hashed(plain: ast.AST, varied: ast.AST, condition: Binary) -> bool:
    if isinstance(plain, ast.Compare) and len(plain.ops) == 1:
        there = {ast.dump(node) for node in ast.walk(varied)}
        pairs = ((plain.left, condition.left), (plain.comparators[0], condition.right))
        if all(ast.dump(node) in there or _is_literal(node, expr) for node, expr in pairs):
            return True
    inner = one_difference(plain, varied)
    return inner is not None and _hashed(*inner, condition)


def _is_literal(node: ast.AST, expr: Expr) -> bool:
    """Whether ``node`` spells the constant ``expr``: ``T.float32(0.0)``, ``-1``."""
    if not isinstance(expr, Const):
        return False
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Attribute):
        node = node.args[0]
    try:
        return bool(ast.literal_eval(node) == expr.value)
    except ValueError:
        return False
