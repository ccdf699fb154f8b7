"""Two ordered float comparisons of one pair in one condition, or one guarded by the other: upstream combines them as if
there were no NaN (``a < b or a >= b`` is folded to true)."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import FLOATS, Body, Finding
from migrate.emit.forbidden.negated_comparison import ORDERED
from migrate.ir import port as p
from migrate.ir.port_walk import own_expressions, suites, walk
from migrate.ir.span import Span

CODE = "TLM906"
Pair = tuple[frozenset[int], int]  # the operands, and the comparison itself: repeating it is harmless


def find(body: Body) -> Iterator[Finding]:
    """Walks the suites with the pairs that enclosing conditions already compared."""
    yield from _suite(body.statements, body, frozenset())


def _suite(suite: tuple[p.PortStmt, ...], body: Body, known: frozenset[Pair]) -> Iterator[Finding]:
    for statement in suite:
        inner = known
        for expr in own_expressions(statement):
            pairs: list[Pair] = []
            yield from _collect(expr, body, known, pairs, statement.span)
            if isinstance(statement, (p.PortIf, p.PortWhile)):
                inner = known | frozenset(pairs)
        for nested in suites(statement):
            yield from _suite(nested, body, inner)


def _collect(
    expr: p.PortExpr, body: Body, known: frozenset[Pair], pairs: list[Pair], span: Span | None
) -> Iterator[Finding]:
    combines = isinstance(expr, (p.Operation, p.Prefix, p.Call))
    for part in walk(expr) if combines else ():
        found = body.identities.resolve(part)
        if not isinstance(found, p.Operation) or found.op not in ORDERED or found.left.dtype not in FLOATS:
            continue
        pair = frozenset((body.identities.number(found.left), body.identities.number(found.right)))
        this = body.identities.number(found)
        if any(other == pair and number != this for other, number in (*known, *pairs)):
            yield Finding(text(found), span)
        pairs.append((pair, this))
