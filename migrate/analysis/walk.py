"""Walks over KernelModule trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.ir import kernel as k


def children(expr: k.Expr) -> tuple[k.Expr, ...]:
    """Direct operands of an expression."""
    if isinstance(expr, k.Load):
        return expr.indices
    if isinstance(expr, (k.Unary, k.Cast, k.Bitcast)):
        return (expr.operand,)
    if isinstance(expr, k.Binary):
        return expr.left, expr.right
    if isinstance(expr, k.Select):
        return expr.cond, expr.then, expr.otherwise
    if isinstance(expr, k.MathCall):
        return expr.args
    return ()


def walk_expressions(expr: k.Expr) -> Iterator[k.Expr]:
    """The expression and all its parts, parents first."""
    yield expr
    for child in children(expr):
        yield from walk_expressions(child)


def sub_statements(body: Iterable[k.Stmt]) -> Iterator[k.Stmt]:
    """Every statement of a body, nested ones included, in source order."""
    for statement in body:
        yield statement
        if isinstance(statement, k.If):
            yield from sub_statements(statement.then)
            yield from sub_statements(statement.otherwise)
        elif isinstance(statement, k.Loop):
            for part in (statement.init, statement.cond_pre, statement.body, statement.step):
                yield from sub_statements(part)


def own_expressions(statement: k.Stmt) -> tuple[k.Expr, ...]:
    """Expressions that belong to a statement itself, not to statements nested in it."""
    found: list[k.Expr | None] = []
    if isinstance(statement, k.Declare):
        found = [statement.init]
    elif isinstance(statement, k.DeclareArray):
        found = list(statement.init or ())
    elif isinstance(statement, k.Assign):
        found = [statement.value]
    elif isinstance(statement, k.Store):
        found = [*statement.indices, statement.value]
    elif isinstance(statement, (k.If, k.Loop)):
        found = [statement.cond]
    elif isinstance(statement, k.Return):
        found = [statement.value]
    elif isinstance(statement, k.Barrier):
        found = [statement.mask]
    elif isinstance(statement, k.SyncReduce):
        found = [statement.predicate]
    elif isinstance(statement, k.Shuffle):
        found = [statement.value, statement.operand, statement.width, statement.mask]
    elif isinstance(statement, k.Vote):
        found = [statement.value, statement.mask]
    elif isinstance(statement, k.Atomic):
        found = [*statement.indices, *statement.operands]
    elif isinstance(statement, k.CallFunction):
        for argument in statement.args:
            if isinstance(argument, k.BufferArg):
                found.append(argument.offset)
            elif not isinstance(argument, k.RefArg):
                found.append(argument)
    return tuple(expr for expr in found if expr is not None)
