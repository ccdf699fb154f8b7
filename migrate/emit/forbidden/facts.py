"""What the forbidden-pattern checks share: each body with its snapshots, and where an expression stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from migrate.ir import port as p
from migrate.ir.port_identity import Identities
from migrate.ir.port_walk import bodies, own_expressions, statements, walk
from migrate.ir.span import Span

FLOATS = ("float16", "bfloat16", "float32", "float64")


@dataclass(frozen=True)
class Body:
    """One suite (kernel or macro) with identities that see through its snapshots."""

    statements: tuple[p.PortStmt, ...]
    identities: Identities

    def expressions(self) -> tuple[tuple[p.PortExpr, Span | None], ...]:
        """Every expression of every statement, parts included, with the statement's position."""
        return self._expressions

    @cached_property
    def _expressions(self) -> tuple[tuple[p.PortExpr, Span | None], ...]:
        return tuple(
            (part, statement.span)
            for statement in statements(self.statements)
            for expr in own_expressions(statement)
            for part in walk(expr)
        )

    def operations(self, *ops: str) -> Iterator[tuple[p.Operation, Span | None]]:
        """Operators among ``ops`` on floats."""
        for expr, span in self.expressions():
            if isinstance(expr, p.Operation) and expr.op in ops and expr.left.dtype in FLOATS:
                yield expr, span


def bodies_of(kernel: p.PortKernel) -> tuple[Body, ...]:
    """The kernel's body and its macros'."""
    found: list[Body] = []
    for body in bodies(kernel):
        definitions = {s.name: s.value for s in statements(body) if isinstance(s, p.Bind)}
        found.append(Body(body, Identities(definitions)))
    return tuple(found)


@dataclass(frozen=True)
class Finding:
    """A forbidden pattern: what was found and where."""

    text: str
    span: Span | None
