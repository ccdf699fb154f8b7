"""-u and negative literals of unsigned dtypes: upstream cannot build them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p

CODE = "TLM908"


def find(body: Body) -> Iterator[Finding]:
    """Unary minus on unsigned operands, negative unsigned literals."""
    for expr, span in body.expressions():
        negated = isinstance(expr, p.Prefix) and expr.op == "-" and expr.dtype.startswith("uint")
        negative = isinstance(expr, p.Lit) and expr.dtype.startswith("uint") and expr.value < 0
        if negated or negative:
            yield Finding(text(expr), span)
