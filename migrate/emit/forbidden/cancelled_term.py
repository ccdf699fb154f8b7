"""(x + y) - y and x - (x + y) on floats: upstream cancels the term, which changes the rounding."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p

CODE = "TLM901"


def find(body: Body) -> Iterator[Finding]:
    """Differences in which one side is a sum that contains the other side."""
    number = body.identities.number
    for expr, span in body.operations("-"):
        for total, term in ((expr.left, expr.right), (expr.right, expr.left)):
            resolved = body.identities.resolve(total)
            if not isinstance(resolved, p.Operation) or resolved.op != "+":
                continue
            if number(term) in (number(resolved.left), number(resolved.right)):
                yield Finding(text(expr), span)
