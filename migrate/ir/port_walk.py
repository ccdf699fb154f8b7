"""Walks over PortModule trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.ir import port as p


def children(expr: p.PortExpr) -> tuple[p.PortExpr, ...]:
    """Direct operands of an expression."""
    if isinstance(expr, p.Element):
        return expr.indices
    if isinstance(expr, p.Operation):
        return expr.left, expr.right
    if isinstance(expr, p.Prefix):
        return (expr.operand,)
    if isinstance(expr, p.Call):
        return (*expr.args, *(value for _, value in expr.keywords))
    return ()


def walk(expr: p.PortExpr) -> Iterator[p.PortExpr]:
    """The expression and all its parts, parents first."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def statements(body: Iterable[p.PortStmt]) -> Iterator[p.PortStmt]:
    """Every statement of a suite, nested ones included, in order."""
    for statement in body:
        yield statement
        for inner in suites(statement):
            yield from statements(inner)


def suites(statement: p.PortStmt) -> tuple[tuple[p.PortStmt, ...], ...]:
    """The suites nested directly in a statement."""
    if isinstance(statement, p.PortIf):
        return statement.then, statement.otherwise
    if isinstance(statement, (p.PortFor, p.PortWhile)):
        return (statement.body,)
    return ()


def own_expressions(statement: p.PortStmt) -> tuple[p.PortExpr, ...]:
    """Expressions that belong to a statement itself."""
    if isinstance(statement, (p.Bind, p.SetVar, p.MacroReturn)):
        return (statement.value,)
    if isinstance(statement, p.AllocVar):
        return () if statement.init is None else (statement.init,)
    if isinstance(statement, p.SetElement):
        return (*statement.indices, statement.value)
    if isinstance(statement, (p.PortIf, p.PortWhile)):
        return (statement.cond,)
    if isinstance(statement, p.PortFor):
        return statement.start, statement.stop, statement.step
    return (statement.call,) if isinstance(statement, p.Do) else ()


def bodies(kernel: p.PortKernel) -> tuple[tuple[p.PortStmt, ...], ...]:
    """The suites of a kernel: each macro's and its own."""
    return (*(macro.body for macro in kernel.macros), kernel.body)
