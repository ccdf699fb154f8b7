"""Statements that exist only while a kernel is built; none is left in a finished body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from migrate.ir.kernel import If, Loop, Stmt


@dataclass(eq=False)
class Mark:
    """A position in an open statement list, or the place of a declaration that is still to be chosen."""


@dataclass(eq=False)
class Leave:
    """Leaves an inlined body or a switch; removed by `migrate.parse.build.leaving.structure`."""

    target: object


def strip_marks(statements: tuple[Stmt, ...] | list[Stmt]) -> tuple[Stmt, ...]:
    """The statements without `Mark`."""
    result: list[Stmt] = []
    for statement in statements:
        if isinstance(statement, Mark):
            continue
        node: Any = statement
        if isinstance(statement, If):
            node = If(statement.cond, strip_marks(statement.then), strip_marks(statement.otherwise), statement.span)
        elif isinstance(statement, Loop):
            node = Loop(
                statement.kind,
                strip_marks(statement.init),
                strip_marks(statement.cond_pre),
                statement.cond,
                strip_marks(statement.step),
                strip_marks(statement.body),
                statement.unroll,
                statement.span,
            )
        result.append(node)
    return tuple(result)
