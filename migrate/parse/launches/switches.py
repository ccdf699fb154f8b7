"""What a ``case`` label says: ``switch (threads) { case 256: kernel<256><<<…>>>(…)`` launches with 256 threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang.cindex import CursorKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp
from migrate.parse.clang_extra import evaluate
from migrate.parse.launches.definitions import leaves
from migrate.parse.launches.program import Frame, Node
from migrate.parse.launches.slicer import Slicer
from migrate.parse.launches.types import dtype_of

_LABELS = (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT)


def selected(slicer: Slicer, statement: Node, body: Node, frame: Frame) -> Iterator[HostExpr]:
    """The condition under which ``statement``, a child of a switch's ``body``, runs; nothing elsewhere.

    Labels that fall through to the statement count as well; ``default`` excludes the labels of all other cases.
    """
    switch = body.parent
    if switch is None or switch.kind != CursorKind.SWITCH_STMT or not switch.children:
        return
    subject = switch.children[0]
    labels = _labels_of(statement, body)
    if dtype_of(subject.cursor.type) is None or not labels:
        return
    value = slicer.value(subject, frame)
    if any(label.kind == CursorKind.DEFAULT_STMT for label in labels):
        own = {id(label) for label in labels}
        others = [label for child in body.children for label in _nested(child) if id(label) not in own]
        for constant in filter(None, map(_constant, others)):
            yield fold(HostOp("ne", (value, HostConst(constant[0])), "bool"))
        return
    tests: list[HostExpr] = []
    for label in labels:
        known = _constant(label)
        if known is None:
            return
        tests.append(HostOp("eq", (value, HostConst(known[0])), "bool"))
    condition = tests[0]
    for test in tests[1:]:
        condition = HostOp("or", (condition, test), "bool")
    yield fold(condition)


def before(statement: Node, body: Node) -> list[Node]:
    """Children of ``body`` that run before ``statement``, latest first: in a switch none from before its label."""
    earlier = body.children[: body.children.index(statement)]
    if body.parent is None or body.parent.kind != CursorKind.SWITCH_STMT:
        return earlier[::-1]
    if statement.kind in _LABELS:
        return []
    found: list[Node] = []
    for child in reversed(earlier):
        found.append(_nested(child)[-1].children[-1] if child.kind in _LABELS and child.children else child)
        if child.kind in _LABELS:
            break
    return found


def _labels_of(statement: Node, body: Node) -> list[Node]:
    """All labels through which control reaches ``statement``: its own group's, and those that fall through to it."""
    labels: list[Node] = []
    for child in reversed(body.children[: body.children.index(statement) + 1]):
        if child is not statement and _ends(child):
            break
        labels += _nested(child)
    return labels


def _nested(statement: Node) -> Sequence[Node]:
    """``case 1: case 2: statement`` as its labels."""
    found: list[Node] = []
    while statement.kind in _LABELS:
        found.append(statement)
        if not statement.children:
            break
        statement = statement.children[-1]
    return found


def _ends(statement: Node) -> bool:
    """Whether control never reaches what stands behind ``statement`` in the switch."""
    while statement.kind in _LABELS and statement.children:
        statement = statement.children[-1]
    if statement.kind == CursorKind.COMPOUND_STMT and statement.children:
        return _ends(statement.children[-1])
    return statement.kind == CursorKind.BREAK_STMT or leaves(statement)


def _constant(label: Node) -> tuple[int] | None:
    """The label's value in a tuple (0 is a value); None for ``default`` and what libclang cannot evaluate."""
    if label.kind != CursorKind.CASE_STMT or not label.children:
        return None
    value = evaluate(label.children[0].cursor)
    return (value,) if isinstance(value, int) else None
