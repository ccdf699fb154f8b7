"""What host code has checked when it reaches a launch: enclosing ifs, early exits, assertions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import CursorKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp
from migrate.parse.clang_extra import binary_operator, evaluate
from migrate.parse.launches.definitions import declaration_key, leaves, place_of
from migrate.parse.launches.literals import is_literal
from migrate.parse.launches.program import Frame, Node, strip
from migrate.parse.launches.slicer import Slicer
from migrate.parse.launches.source import source_text
from migrate.parse.launches.switches import before, selected
from migrate.parse.launches.types import dtype_of

_ASSERT = "__cushim_assert"  # what our headers make of `assert`
_ASSERTION = re.compile(r"\w*(assert|CHECK|ENFORCE|REQUIRE)", re.IGNORECASE)


def checked(slicer: Slicer, node: Node, frame: Frame) -> Iterator[HostExpr]:
    """Conditions that hold at ``node``, innermost first; then those of the callers."""
    current = node
    while current.parent is not None:
        parent = current.parent
        if parent.kind == CursorKind.IF_STMT and current is not parent.children[0]:
            taken = current is parent.children[1]
            yield from _known(slicer, parent.children[0], frame, taken)
        elif parent.kind == CursorKind.COMPOUND_STMT:
            yield from selected(slicer, current, parent, frame)
            for sibling in before(current, parent):
                yield from _passed(slicer, sibling, frame)
        current = parent
    if frame.call is not None and frame.caller is not None:
        yield from checked(slicer, frame.call, frame.caller)


def contradicted(slicer: Slicer, node: Node, frame: Frame) -> tuple[int, int] | None:
    """The variable (by declaration) and the constant it would have to be for ``node`` to be reached.

    ``int size = 32; if (size == 16) kernel<16><<<…>>>()`` holds a launch that never happens; it is written for 16. None
    where nothing contradicts the launch, or where more than one such comparison decides.
    """
    current = node
    while current.parent is not None:
        parent = current.parent
        if parent.kind == CursorKind.IF_STMT and len(parent.children) > 1 and current is parent.children[1]:
            wanted = _equality(slicer, strip(parent.children[0]), frame)
            if wanted is not None:
                return wanted
        current = parent
    return None


def _equality(slicer: Slicer, condition: Node, frame: Frame) -> tuple[int, int] | None:
    """The variable that ``condition``, known to be false, compares with another constant than its own."""
    if binary_operator(condition.cursor) != "==" or len(condition.children) != 2:
        return None
    if fold(slicer.value(condition, frame)) != HostConst(0):
        return None
    for side, other in (condition.children, condition.children[::-1]):
        constant = evaluate(other.cursor) if is_literal(strip(other)) else None
        key = _origin(strip(side), frame)
        if isinstance(constant, int) and key is not None:
            return key, constant
    return None


def _origin(node: Node, frame: Frame) -> int | None:
    """The variable that ``node`` names, through parameters to the caller that declares it."""
    place = place_of(node)
    if place is None or place.path:
        return None
    for parameter in frame.function.parameters:
        if declaration_key(parameter) == place.key:
            argument = frame.argument(parameter)
            if argument is None or frame.caller is None:
                return None
            return _origin(strip(argument), frame.caller)
    return place.key


def _known(slicer: Slicer, condition: Node, frame: Frame, taken: bool) -> Iterator[HostExpr]:
    if dtype_of(condition.cursor.type) is None:
        return
    value = slicer.value(condition, frame)
    yield value if taken else fold(HostOp("not", (value,), "bool"))


def _passed(slicer: Slicer, statement: Node, frame: Frame) -> Iterator[HostExpr]:
    if statement.kind == CursorKind.IF_STMT and len(statement.children) == 2 and leaves(statement.children[1]):
        yield from _known(slicer, statement.children[0], frame, False)
    elif statement.kind in (CursorKind.PAREN_EXPR, CursorKind.CSTYLE_CAST_EXPR):
        inner = strip(statement)
        if _ASSERTION.match(source_text(statement.cursor)):
            yield from _known(slicer, inner, frame, True)
    elif statement.kind == CursorKind.CALL_EXPR and statement.cursor.spelling == _ASSERT:
        for argument in statement.arguments()[:1]:
            yield from _known(slicer, strip(argument), frame, True)
