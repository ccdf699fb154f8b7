"""Rebuilding of IR trees with replaced expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from migrate.ir.kernel import (
    Binary,
    Bitcast,
    Buffer,
    BufferArg,
    Builtin,
    Cast,
    Const,
    Expr,
    If,
    Load,
    LocalRef,
    LocalVar,
    Loop,
    MathCall,
    ParamRef,
    Select,
    Stmt,
    Unary,
)
from migrate.ir.span import Span

_EXPRESSIONS = (Load, Unary, Binary, Cast, Bitcast, Select, MathCall)
Replace = Callable[[Expr], "Expr | None"]


def map_expression(expr: Expr, change: Replace) -> Expr:
    """``expr`` with ``change`` applied to each node, outermost first; None keeps a node and goes inside."""
    changed = change(expr)
    if changed is not None:
        return changed
    if isinstance(expr, Load):
        indices = tuple(map_expression(index, change) for index in expr.indices)
        return expr if _same(indices, expr.indices) else replace(expr, indices=indices)
    if isinstance(expr, Unary | Cast | Bitcast):
        operand = map_expression(expr.operand, change)
        return expr if operand is expr.operand else replace(expr, operand=operand)
    if isinstance(expr, Binary):
        left, right = map_expression(expr.left, change), map_expression(expr.right, change)
        return expr if left is expr.left and right is expr.right else replace(expr, left=left, right=right)
    if isinstance(expr, Select):
        parts = tuple(map_expression(part, change) for part in (expr.cond, expr.then, expr.otherwise))
        if _same(parts, (expr.cond, expr.then, expr.otherwise)):
            return expr
        return replace(expr, cond=parts[0], then=parts[1], otherwise=parts[2])
    if isinstance(expr, MathCall):
        args = tuple(map_expression(arg, change) for arg in expr.args)
        return expr if _same(args, expr.args) else replace(expr, args=args)
    return expr


def _same(left: Sequence[object], right: Sequence[object]) -> bool:
    return all(one is other for one, other in zip(left, right, strict=True))


_ALL = frozenset({*_EXPRESSIONS, Const, LocalRef, ParamRef, Builtin})
_SPANS = frozenset({Span, str, int, bool, type(None), LocalVar, Buffer})


def is_expression(value: object) -> bool:
    """True for expression nodes."""
    return type(value) in _ALL


def own_expressions(statement: Stmt) -> Iterator[Expr]:
    """Expressions of a statement itself, those of nested statements left out."""
    kind = type(statement)
    if kind is If or kind is Loop:
        cond = cast("If | Loop", statement).cond
        if cond is not None:
            yield cond
        return
    for value in vars(statement).values():
        value_kind = type(value)
        if value_kind in _ALL:
            yield value
        elif value_kind is tuple:
            for item in value:
                if type(item) in _ALL:
                    yield item
                elif type(item) is BufferArg:
                    yield item.offset


def map_statement(statement: Stmt, change: Replace) -> Stmt:
    """A statement with its own expressions replaced (not those of nested statements)."""

    def convert(value: Any) -> Any:
        if is_expression(value):
            return map_expression(value, change)
        if isinstance(value, BufferArg):
            offset = map_expression(value.offset, change)
            return value if offset is value.offset else replace(value, offset=offset)
        if isinstance(value, tuple) and value and not isinstance(value[0], str):
            mapped = tuple(convert(item) for item in value)
            return value if _same(mapped, value) else mapped
        return value

    if not is_dataclass(statement):
        return statement
    changes: dict[str, Any] = {}
    skip: tuple[str, ...] = ()
    if isinstance(statement, If):
        skip = ("then", "otherwise")
    elif isinstance(statement, Loop):
        skip = ("init", "cond_pre", "step", "body")
    for item in fields(statement):
        old = getattr(statement, item.name)
        if item.name in skip or type(old) in _SPANS:
            continue
        new = convert(old)
        if new is not old:
            changes[item.name] = new
    return replace(statement, **changes) if changes else statement


def map_blocks(statement: Stmt, change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> Stmt:
    """A statement with its nested statement lists replaced."""
    if isinstance(statement, If):
        return replace(statement, then=change(statement.then), otherwise=change(statement.otherwise))
    if isinstance(statement, Loop):
        return replace(
            statement,
            init=change(statement.init),
            cond_pre=change(statement.cond_pre),
            step=change(statement.step),
            body=change(statement.body),
        )
    return statement


def walk_statements(statements: Sequence[Stmt]) -> Iterator[Stmt]:
    """All statements, nested ones included, in order."""
    for statement in statements:
        yield statement
        if isinstance(statement, If):
            yield from walk_statements(statement.then)
            yield from walk_statements(statement.otherwise)
        elif isinstance(statement, Loop):
            for part in (statement.init, statement.cond_pre, statement.body, statement.step):
                yield from walk_statements(part)


def nested_statements(statement: Stmt) -> tuple[Stmt, ...]:
    """Statements directly inside another one: of both branches, of all parts of a loop."""
    if isinstance(statement, If):
        return (*statement.then, *statement.otherwise)
    if isinstance(statement, Loop):
        return (*statement.init, *statement.cond_pre, *statement.body, *statement.step)
    return ()


def walk_expression(expr: Expr) -> Iterator[Expr]:
    """An expression and all its parts."""
    from migrate.parse.build.scalars import children

    yield expr
    for child in children(expr):
        yield from walk_expression(child)
