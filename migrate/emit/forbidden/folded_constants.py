"""An operation on two float constants: upstream folds it in double precision and rounds at the end."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import FLOATS, Body, Finding
from migrate.ir import port as p

CODE = "TLM903"


def find(body: Body) -> Iterator[Finding]:
    """Operators with two constant operands, and casts of float constants."""
    for expr, span in body.operations("+", "-", "*", "/"):
        if body.identities.literal(expr.left) is not None and body.identities.literal(expr.right) is not None:
            yield Finding(text(expr), span)
    for part, span in body.expressions():
        if not isinstance(part, p.Call) or part.function != "T.cast" or part.args[0].dtype not in FLOATS:
            continue
        if body.identities.literal(part.args[0]) is not None:
            yield Finding(text(part), span)
