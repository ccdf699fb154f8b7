"""while True: upstream rejects a loop whose condition is constant."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p
from migrate.ir.port_walk import statements

CODE = "TLM911"


def find(body: Body) -> Iterator[Finding]:
    """Loops on a literal."""
    for statement in statements(body.statements):
        if isinstance(statement, p.PortWhile) and body.identities.literal(statement.cond) is not None:
            yield Finding(f"while {text(statement.cond)}", statement.span)
