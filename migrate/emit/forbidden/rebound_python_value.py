"""A name that is a Python value assigned again: the trace runs once, so loops and branches see only one value."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p
from migrate.ir.port_walk import statements

CODE = "TLM907"


def find(body: Body) -> Iterator[Finding]:
    """Assignments to names that are no `T.alloc_var`, and snapshots bound twice."""
    bound: set[str] = set()
    for statement in statements(body.statements):
        if isinstance(statement, p.Bind):
            if statement.name in bound:
                yield Finding(statement.name, statement.span)
            bound.add(statement.name)
        if isinstance(statement, p.SetVar) and statement.name in bound:
            yield Finding(statement.name, statement.span)
