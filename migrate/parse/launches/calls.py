"""Values of calls in host code: min and max, rounding, torch and vector sizes, one-return functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clang.cindex import CursorKind

from migrate.ir.launch import HostExpr, HostOp
from migrate.parse.clang_extra import evaluate
from migrate.parse.launches import tensors
from migrate.parse.launches.program import Frame, HostFunction, Node
from migrate.parse.launches.types import dtype_of

if TYPE_CHECKING:
    from migrate.parse.launches.slicer import Slicer

_MINIMUM = re.compile(r"^f?(min|max)f?$")
_ROUNDING = {"ceil": "ceil", "ceilf": "ceil", "floor": "floor", "floorf": "floor", "sqrt": "sqrt", "sqrtf": "sqrt"}
_ROUNDING |= {"log2": "log2", "log2f": "log2", "pow": "pow", "powf": "pow"}
_STATEMENT_LIMIT = 6


def value_of_call(slicer: Slicer, node: Node, frame: Frame, hint: str) -> HostExpr | None:
    """The value of a call; None if nothing is known of it."""
    name = node.cursor.spelling
    dtype = dtype_of(node.cursor.type) or "int64"
    found = tensors.size_call(slicer, node, frame, hint)
    if found is not None:
        return found
    arguments = node.arguments()
    match = _MINIMUM.match(name)
    if match and len(arguments) == 2:
        values = tuple(slicer.value(argument, frame) for argument in arguments)
        return HostOp(match.group(1), values, dtype)
    if name in _ROUNDING and arguments:
        values = tuple(slicer.value(argument, frame) for argument in arguments)
        exact = HostOp(_ROUNDING[name], values, "float64")
        return exact if dtype == "float64" else HostOp(f"cast:{dtype}", (exact,), dtype)
    function = slicer.program.definition(node)
    if function is not None and frame.depth() < 12:
        return returned(slicer, function, slicer.program.frame(function, node, frame))
    constant = evaluate(node.cursor)
    if constant is not None:
        from migrate.ir.launch import HostConst

        return HostConst(constant)
    return None


def returned(slicer: Slicer, function: HostFunction, frame: Frame) -> HostExpr | None:
    """What a function gives back, if its body is returns, if-returns and declarations only."""
    statements = function.root.children
    if len(statements) > _STATEMENT_LIMIT:
        return None
    return _returned(slicer, statements, frame)


def _returned(slicer: Slicer, statements: list[Node], frame: Frame) -> HostExpr | None:
    for position, statement in enumerate(statements):
        if statement.kind == CursorKind.RETURN_STMT:
            return slicer.value(statement.children[0], frame) if statement.children else None
        if statement.kind == CursorKind.COMPOUND_STMT:
            return _returned(slicer, statement.children, frame)
        if statement.kind == CursorKind.IF_STMT:
            then = _returned(slicer, [statement.children[1]], frame)
            rest = statement.children[2:] or statements[position + 1 :]
            otherwise = _returned(slicer, rest, frame)
            if then is None or otherwise is None:
                return None
            condition = slicer.value(statement.children[0], frame)
            return HostOp(
                "select", (condition, then, otherwise), dtype_of(frame.function.cursor.result_type) or "int64"
            )
        if not (statement.kind == CursorKind.DECL_STMT or statement.kind.is_expression()):
            return None
    return None
