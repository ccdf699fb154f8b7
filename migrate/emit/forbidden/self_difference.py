"""x - x on floats: upstream folds it to 0, also where x is infinite or NaN."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding

CODE = "TLM900"


def find(body: Body) -> Iterator[Finding]:
    """Differences of equal expressions, snapshots seen through."""
    for expr, span in body.operations("-"):
        if body.identities.number(expr.left) == body.identities.number(expr.right):
            yield Finding(text(expr), span)
