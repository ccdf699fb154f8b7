"""x == x and x != x on floats: upstream folds them, so NaN tests vanish."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding

CODE = "TLM904"


def find(body: Body) -> Iterator[Finding]:
    """Equality of equal expressions."""
    for expr, span in body.operations("==", "!="):
        if body.identities.same(expr.left, expr.right):
            yield Finding(text(expr), span)
