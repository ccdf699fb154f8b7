"""Integer arithmetic of ports as z3 formulas, and syntax trees with something replaced in them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

__all__ = ["Replace", "binary", "masked", "number", "truth", "type_range", "with_marks", "wrapped", "z3"]

try:
    import z3
except ImportError:  # the extra `mutants` is not installed: nothing is proven
    z3 = None


class Replace(ast.NodeTransformer):
    """Puts expressions in for the nodes that `with_marks` has marked."""

    def __init__(self, replaced: Mapping[ast.expr, ast.expr]):
        self.texts = list(replaced.values())

    def visit(self, node: ast.AST) -> Any:
        """The node, or what stands for it."""
        position = getattr(node, "replaced_by", None)
        return self.texts[position] if position is not None else self.generic_visit(node)


def with_marks(node: ast.AST, replaced: Mapping[ast.expr, ast.expr]) -> ast.AST:
    """A copy of ``node`` with marks on the nodes to replace."""
    order = {one: position for position, one in enumerate(replaced)}

    def copied(one: Any) -> Any:
        if isinstance(one, list):
            return [copied(item) for item in one]
        if not isinstance(one, ast.AST):
            return one
        made = type(one)(**{name: copied(value) for name, value in ast.iter_fields(one)})
        if one in order:
            made.replaced_by = order[one]  # type: ignore[attr-defined]
        return made

    result: ast.AST = copied(node)
    return result


def truth(value: Any) -> Any:
    """A formula as a condition."""
    return value if z3.is_bool(value) else value != 0


def number(value: Any) -> Any:
    """A formula as an integer."""
    return z3.If(value, 1, 0) if z3.is_bool(value) else value


def type_range(dtype: str) -> tuple[int, int]:
    """Least and largest value of an integer dtype."""
    bits = int(dtype.removeprefix("u")[3:])
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def wrapped(value: Any, dtype: str) -> Any:
    """``value`` converted to an integer dtype: modulo its size."""
    low, high = type_range(dtype)
    return value % (high + 1) if low == 0 else (value - low) % (high - low + 1) + low


def binary(operator: ast.operator, left: Any, right: Any) -> Any:
    """The formula of an operation (division rounds down, for divisors above zero); None if there is none."""
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, (ast.LShift, ast.RShift)) and z3.is_int_value(right) and 0 <= right.as_long() < 32:
        factor = 2 ** right.as_long()
        return left * factor if isinstance(operator, ast.LShift) else left / factor
    if isinstance(operator, (ast.FloorDiv, ast.Mod)):
        return left / right if isinstance(operator, ast.FloorDiv) else left % right
    return None


def masked(value: Any, mask: int) -> Any:
    """``value & mask`` where the bits of ``mask`` stand together."""
    shift = (mask & -mask).bit_length() - 1
    width = mask >> shift
    if width & (width + 1):
        return None
    return value / 2**shift % (width + 1) * 2**shift
