"""Intervals of integer expressions, to leave out bounds checks that cannot fail."""

from __future__ import annotations

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Const, Expr, Var

Interval = tuple[int, int]


class Ranges:
    """What is known about integer variables: {variable: (smallest, largest)}."""

    def __init__(self) -> None:
        self.known: dict[Var, Interval] = {}

    def of(self, value: Expr | int) -> Interval | None:
        """An interval that contains ``value``, or None. Wrapping results give None."""
        if isinstance(value, int):
            return value, value
        result = self._of(value)
        if result is None or not types.is_int(value.dtype):
            return None
        width = types.bits(value.dtype)
        low, high = (
            (-(1 << (width - 1)), (1 << (width - 1)) - 1) if types.is_signed(value.dtype) else (0, (1 << width) - 1)
        )
        return result if low <= result[0] and result[1] <= high else None

    def _of(self, value: Expr) -> Interval | None:
        if isinstance(value, Const):
            if not types.is_int(value.dtype):
                return None
            return int(value.value), int(value.value)
        if isinstance(value, Var):
            return self.known.get(value)
        if isinstance(value, nodes.Cast) and types.is_int(value.operand.dtype):
            return self.of(value.operand)
        if not isinstance(value, nodes.Binary):
            return None
        right = self.of(value.right)
        if right is None:
            return None
        if value.op == "floormod" and right[0] == right[1] > 0:
            return 0, right[1] - 1
        if value.op == "bitand" and right[0] == right[1] >= 0:
            return 0, right[1]
        left = self.of(value.left)
        if left is None:
            return None
        if value.op == "add":
            return left[0] + right[0], left[1] + right[1]
        if value.op == "sub":
            return left[0] - right[1], left[1] - right[0]
        if value.op == "mul":
            products = [a * b for a in left for b in right]
            return min(products), max(products)
        if value.op in ("floordiv", "truncdiv") and right[0] == right[1] > 0 and left[0] >= 0:
            return left[0] // right[0], left[1] // right[0]
        if value.op == "truncmod" and right[0] == right[1] > 0 and left[0] >= 0:
            return 0, min(left[1], right[1] - 1)
        if value.op == "shr" and right[0] == right[1] >= 0:
            return left[0] >> right[0], left[1] >> right[0]
        if value.op == "bitxor" and left[0] >= 0 and right[0] >= 0:
            return 0, (1 << max(left[1].bit_length(), right[1].bit_length())) - 1
        if value.op == "min":
            return min(left[0], right[0]), min(left[1], right[1])
        if value.op == "max":
            return max(left[0], right[0]), max(left[1], right[1])
        return None
