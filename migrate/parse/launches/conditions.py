"""What host code has checked when it reaches a launch: enclosing ifs, early exits, assertions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import CursorKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostExpr, HostOp
from migrate.parse.launches.definitions import leaves
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
