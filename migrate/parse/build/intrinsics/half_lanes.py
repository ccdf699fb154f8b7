"""What one lane of half or bfloat16 arithmetic means, as pure expressions; used by the scalar and the pair forms.

Operands that a form uses twice must be cheap (`arguments.reuse`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from migrate.ir.kernel import BinaryOp, Expr, Unary
from migrate.parse.build.intrinsics.arguments import (
    binary,
    bitcast,
    cast,
    const,
    is_nan,
    logical_not,
    math,
    select,
    zero,
)

Lanewise: TypeAlias = Callable[..., Expr]
ARITHMETIC: dict[str, BinaryOp] = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
COMPARISONS: dict[str, BinaryOp] = {"==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge"}
UNORDERED: dict[str, BinaryOp] = {"equ": "eq", "gtu": "gt", "ltu": "lt", "geu": "ge", "leu": "le", "neu": "ne"}
ORDERED: dict[str, BinaryOp] = {"eq": "eq", "gt": "gt", "lt": "lt", "ge": "ge", "le": "le"}


def plain_operation(op: BinaryOp) -> Callable[[Expr, Expr], Expr]:
    """The operation itself, one rounding."""

    def make(left: Expr, right: Expr) -> Expr:
        return binary(op, left, right)

    return make


def clamped(op: BinaryOp) -> Lanewise:
    """``__hadd_sat``: the rounded result, then clamped to [0, 1] with NaN → 0."""

    def make(left: Expr, right: Expr) -> Expr:
        return cast(math("__saturatef", cast(binary(op, left, right), "float32")), left.dtype)

    return make


def larger(left: Expr, right: Expr) -> Expr:
    """``__hmax``: drops NaN, -0 < +0; exact through float."""
    return cast(math("fmaxf", cast(left, "float32"), cast(right, "float32")), left.dtype)


def smaller(left: Expr, right: Expr) -> Expr:
    """``__hmin``."""
    return cast(math("fminf", cast(left, "float32"), cast(right, "float32")), left.dtype)


def keeping_nan(make: Lanewise) -> Lanewise:
    """``__hmax_nan``: a NaN operand is the result."""

    def with_nan(left: Expr, right: Expr) -> Expr:
        return select(is_nan(left), left, select(is_nan(right), right, make(left, right)))

    return with_nan


def unordered(op: BinaryOp) -> Lanewise:
    """``__hltu``: true where the comparison holds or an operand is NaN."""

    def make(left: Expr, right: Expr) -> Expr:
        return binary("or", binary("or", is_nan(left), is_nan(right)), binary(op, left, right))

    return make


def ordered_not_equal(left: Expr, right: Expr) -> Expr:
    """``__hne``: false if an operand is NaN, unlike ``a != b``."""
    number = binary("and", logical_not(is_nan(left)), logical_not(is_nan(right)))
    return binary("and", number, binary("ne", left, right))


def fused(left: Expr, right: Expr, addend: Expr) -> Expr:
    """``__hfma``: one rounding."""
    return math("hfma", left, right, addend, dtype=left.dtype)


def fused_clamped(left: Expr, right: Expr, addend: Expr) -> Expr:
    """``__hfma_sat``."""
    return cast(math("__saturatef", cast(fused(left, right, addend), "float32")), left.dtype)


def relu(given: Expr) -> Expr:
    """max(x, +0) that keeps NaN."""
    return select(is_nan(given), given, larger(given, zero(given.dtype)))


def absolute(given: Expr) -> Expr:
    """``__habs``: clears the sign bit."""
    bits = binary("bitand", bitcast(given, "uint16"), const("uint16", 0x7FFF))
    return bitcast(bits, given.dtype)


def negative(given: Expr) -> Expr:
    """``__hneg``."""
    return Unary("neg", given, given.dtype)
