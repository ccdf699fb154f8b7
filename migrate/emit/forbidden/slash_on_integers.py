"""a / b on integers: an error in TileLang; C's division is `T.truncdiv`."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import FLOATS, Body, Finding
from migrate.ir import port as p

CODE = "TLM910"


def find(body: Body) -> Iterator[Finding]:
    """The operator / on anything but floats."""
    for expr, span in body.expressions():
        if isinstance(expr, p.Operation) and expr.op == "/" and expr.dtype not in FLOATS:
            yield Finding(text(expr), span)
