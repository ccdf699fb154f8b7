"""Structured control flow out of returns and switch breaks.

`Leave` statements become nested ``if``/``else``; where that is not possible (inside loops, or when only some paths of
an ``if`` leave) a flag is set and tested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, cast

from migrate.ir.kernel import Assign, Break, Const, Declare, Expr, If, LocalRef, LocalVar, Loop, Stmt, Unary
from migrate.parse.build.markers import Leave


class Exit(Enum):
    """Whether a statement list leaves."""

    NEVER = 0
    SOMETIMES = 1
    ALWAYS = 2


class _NeedFlag(Exception):
    pass


def contains(statements: Sequence[Stmt], target: object) -> bool:
    """True if a `Leave` of ``target`` is somewhere inside."""
    for statement in statements:
        if isinstance(statement, Leave):
            if cast("Leave", statement).target is target:
                return True
        elif isinstance(statement, If):
            if contains(statement.then, target) or contains(statement.otherwise, target):
                return True
        elif isinstance(statement, Loop) and contains(statement.body, target):
            return True
    return False


def structure(statements: Sequence[Stmt], target: object, flag: Callable[[], LocalVar]) -> list[Stmt]:
    """``statements`` without `Leave` of ``target``; ``flag`` makes a new mutable bool if one is needed."""
    if not contains(statements, target):
        return list(statements)
    try:
        return _Structure(target, None).block(statements, in_loop=False)[0]
    except _NeedFlag:
        variable = flag()
        body = _Structure(target, variable).block(statements, in_loop=False)[0]
        return [Declare(variable, Const("bool", False)), *body]


class _Structure:
    def __init__(self, target: object, flag: LocalVar | None) -> None:
        self.target = target
        self.flag = flag

    def _left(self) -> Expr:
        if self.flag is None:
            raise _NeedFlag
        return LocalRef(self.flag)

    def block(self, statements: Sequence[Stmt], *, in_loop: bool) -> tuple[list[Stmt], Exit]:
        """The structured list and whether it leaves. In loops a leaving path ends in `Break`, so it never goes on."""
        result: list[Stmt] = []
        for index, statement in enumerate(statements):
            rest = statements[index + 1 :]
            marker: Any = statement
            if isinstance(marker, Leave) and marker.target is self.target:
                if self.flag is not None or in_loop:
                    self._left()
                    result.append(Assign(cast("LocalVar", self.flag), Const("bool", True)))
                if in_loop:
                    result.append(Break())
                return result, Exit.ALWAYS
            if isinstance(statement, If) and contains((statement,), self.target):
                if in_loop:
                    result.append(self._branch_in_loop(statement))
                    continue
                return self._branch(statement, rest, result)
            if isinstance(statement, Loop) and contains((statement,), self.target):
                body, _ = self.block(statement.body, in_loop=True)
                result.append(
                    Loop(
                        statement.kind,
                        statement.init,
                        statement.cond_pre,
                        statement.cond,
                        statement.step,
                        tuple(body),
                        statement.unroll,
                        statement.span,
                    )
                )
                if in_loop:
                    result.append(If(self._left(), (Break(),)))
                    continue
                return self._guard(rest, result)
            result.append(statement)
        return result, Exit.NEVER

    def _branch_in_loop(self, statement: If) -> Stmt:
        then, _ = self.block(statement.then, in_loop=True)
        otherwise, _ = self.block(statement.otherwise, in_loop=True)
        return If(statement.cond, tuple(then), tuple(otherwise), statement.span)

    def _branch(self, statement: If, rest: Sequence[Stmt], result: list[Stmt]) -> tuple[list[Stmt], Exit]:
        then, one = self.block(statement.then, in_loop=False)
        otherwise, other = self.block(statement.otherwise, in_loop=False)
        if one is Exit.ALWAYS and other is Exit.ALWAYS:
            result.append(If(statement.cond, tuple(then), tuple(otherwise), statement.span))
            return result, Exit.ALWAYS
        if Exit.SOMETIMES in (one, other):
            result.append(If(statement.cond, tuple(then), tuple(otherwise), statement.span))
            return self._guard(rest, result)
        tail, end = self.block(rest, in_loop=False)
        if one is Exit.ALWAYS:
            otherwise += tail
        else:
            then += tail
        result.append(If(statement.cond, tuple(then), tuple(otherwise), statement.span))
        return result, Exit.ALWAYS if end is Exit.ALWAYS else Exit.SOMETIMES

    def _guard(self, rest: Sequence[Stmt], result: list[Stmt]) -> tuple[list[Stmt], Exit]:
        tail, end = self.block(rest, in_loop=False)
        left = self._left() if tail else None
        if left is not None:
            result.append(If(Unary("not", left, "bool"), tuple(tail)))
        return result, Exit.ALWAYS if end is Exit.ALWAYS else Exit.SOMETIMES
