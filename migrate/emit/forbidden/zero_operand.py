"""x * 0, 0 / x, x + 0, x - (-0) and x / 0 on floats: upstream folds them (or rejects the division)."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p

CODE = "TLM902"


def find(body: Body) -> Iterator[Finding]:
    """Operations with a constant zero that change a NaN, an infinity or a signed zero."""
    for expr, span in body.operations("*", "/", "+", "-"):
        left, right = body.identities.literal(expr.left), body.identities.literal(expr.right)
        if _changes(expr, left, right):
            yield Finding(text(expr), span)


def _changes(expr: p.Operation, left: float | None, right: float | None) -> bool:
    if expr.op in ("*", "/"):
        return left == 0 or right == 0
    if expr.op == "+":
        return any(value == 0 and not str(value).startswith("-") for value in (left, right) if value is not None)
    return right is not None and right == 0 and str(right).startswith("-")
