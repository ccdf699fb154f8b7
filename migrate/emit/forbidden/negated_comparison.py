"""not (a < b) on floats: upstream writes b <= a, so a NaN takes the other path."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import FLOATS, Body, Finding
from migrate.ir import port as p

CODE = "TLM905"
ORDERED = frozenset({"<", "<=", ">", ">="})


def find(body: Body) -> Iterator[Finding]:
    """A ``not`` whose operand shows an ordered float comparison (through snapshots, ``and`` and ``or``)."""
    for expr, span in body.expressions():
        if isinstance(expr, p.Prefix) and expr.op == "not" and _shows(expr.operand, body):
            yield Finding(text(expr), span)
    yield from _else_only(body.statements, body)


def _shows(expr: p.PortExpr, body: Body) -> bool:
    found = body.identities.resolve(expr)
    if isinstance(found, p.Operation):
        if found.op in ORDERED:
            return found.left.dtype in FLOATS
        return found.op in ("and", "or") and (_shows(found.left, body) or _shows(found.right, body))
    return False


def _else_only(statements: tuple[p.PortStmt, ...], body: Body) -> Iterator[Finding]:
    from migrate.ir.port_walk import statements as all_statements

    for statement in all_statements(statements):
        if not isinstance(statement, p.PortIf) or not _idle(statement.then) or _idle(statement.otherwise):
            continue
        if _shows(statement.cond, body):
            yield Finding(f"if {text(statement.cond)}: pass … else", statement.span)


def _idle(suite: tuple[p.PortStmt, ...]) -> bool:
    return all(isinstance(statement, p.Remark) for statement in suite)
