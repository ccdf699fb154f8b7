"""Source positions for what handlers return: every node that has none gets the call's."""

from __future__ import annotations

from dataclasses import replace

from migrate.ir.kernel import Binary, Bitcast, Cast, Const, Expr, MathCall, Select, Unary
from migrate.ir.span import Span
from migrate.parse.build.values import AggregateValue, Cell, Operand, ScalarValue


def with_span(operand: Operand | None, span: Span | None) -> Operand | None:
    """The operand with ``span`` on all nodes that a handler made; arguments keep their own positions."""
    if span is None:
        return operand
    if isinstance(operand, ScalarValue):
        return ScalarValue(_expression(operand.expr, span))
    if isinstance(operand, AggregateValue):
        return AggregateValue(operand.ctype, tuple(_cell(cell, span) for cell in operand.cells))
    return operand


def _cell(cell: Cell, span: Span) -> Cell:
    value = cell.value
    if isinstance(value, Cast | Bitcast | Unary | Binary | Select | MathCall):
        return Cell(cell.offset, _expression(value, span))
    return cell


def _expression(expr: Expr, span: Span) -> Expr:
    if expr.span is not None:
        return expr
    if isinstance(expr, Cast | Bitcast | Unary):
        return replace(expr, operand=_expression(expr.operand, span), span=span)
    if isinstance(expr, Binary):
        return replace(expr, left=_expression(expr.left, span), right=_expression(expr.right, span), span=span)
    if isinstance(expr, Select):
        parts = (_expression(part, span) for part in (expr.cond, expr.then, expr.otherwise))
        cond, then, otherwise = parts
        return replace(expr, cond=cond, then=then, otherwise=otherwise, span=span)
    if isinstance(expr, MathCall):
        return replace(expr, args=tuple(_expression(argument, span) for argument in expr.args), span=span)
    return replace(expr, span=span) if isinstance(expr, Const) else expr
