"""for, while, do, range-for and their pragmas."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import Assign, Binary, Const, Declare, Expr, LocalRef, Loop, Stmt
from migrate.parse.build import places
from migrate.parse.build.bindings import bound_operand
from migrate.parse.build.builder import PLACES, Builder, StatementHandler
from migrate.parse.build.loop_text import LoopText, loops_of
from migrate.parse.build.operators import discard
from migrate.parse.build.scalars import binary, constant, to_bool
from migrate.parse.build.types import ArrayType
from migrate.parse.build.unit import declaration_key

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOPS = (CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT)


@contextmanager
def _breakable(builder: Builder) -> Iterator[None]:
    builder.frame.breakables.append("loop")
    try:
        yield
    finally:
        builder.frame.breakables.pop()


def attributed_loop(builder: Builder, cursor: Cursor) -> None:
    """A statement with attributes: ``#pragma unroll`` before a loop, other attributes mean nothing here."""
    inner = [child for child in cursor.get_children() if child.kind.is_statement() or child.kind.is_expression()]
    if len(inner) != 1:
        raise builder.refuse("TLM206", "a statement that the parser does not expose")
    builder.execute(inner[0])


def _text(builder: Builder, cursor: Cursor) -> LoopText | None:
    """What the printed function tells of a for statement."""
    unit, frame = builder.unit, builder.frame
    while frame.cursor.kind == CursorKind.LAMBDA_EXPR and frame.outer is not None:
        frame = frame.outer
    known = unit.loop_texts.get(frame.cursor.hash)
    if known is None:
        known = loops_of(frame.cursor)
        unit.loop_texts[frame.cursor.hash] = known
    return known.get(cursor.hash)


def for_loop(builder: Builder, cursor: Cursor) -> None:
    """``for (init; cond; step) body``."""
    text = _text(builder, cursor)
    unroll = text.unroll if text is not None else None
    children = list(cursor.get_children())
    body = children[-1]
    init, cond, step = _slots(builder, text, children[:-1])
    with builder.nested() as first:
        if init is not None:
            builder.execute(init)
    with builder.nested() as before, _breakable(builder):
        test = _condition(builder, cond)
    if isinstance(test, Const) and not test.value and not before:
        builder.block.extend(first)
        return
    with builder.nested() as inner, _breakable(builder):
        builder.execute(body)
    with builder.nested() as after:
        if step is not None:
            discard(builder, step)
    loop_test = None if isinstance(test, Const) else test
    builder.emit(Loop("for", tuple(first), tuple(before), loop_test, tuple(after), tuple(inner), unroll, builder.span))


def _condition(builder: Builder, cond: Cursor | None) -> Expr | None:
    if cond is None:
        return None
    if cond.kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL):
        raise builder.refuse("TLM206", "a loop condition that declares a variable")
    return to_bool(builder.scalar_of(cond, "bool"))


def _slots(
    builder: Builder, text: LoopText | None, present: list[Cursor]
) -> tuple[Cursor | None, Cursor | None, Cursor | None]:
    """Which of init, condition and step the children are: libclang leaves out the absent ones."""
    if len(present) == 3:
        return present[0], present[1], present[2]
    if text is None or sum(text.filled) != len(present):
        raise builder.refuse("TLM206", "the parts of a for statement could not be told apart")
    remaining = list(present)
    parts = [remaining.pop(0) if is_filled else None for is_filled in text.filled]
    return parts[0], parts[1], parts[2]


def while_loop(builder: Builder, cursor: Cursor) -> None:
    """``while (cond) body``."""
    children = list(cursor.get_children())
    if len(children) != 2:
        raise builder.refuse("TLM206", "a loop condition that declares a variable")
    with builder.nested() as before, _breakable(builder):
        test = _condition(builder, children[0])
    if isinstance(test, Const) and not test.value and not before:
        return
    with builder.nested() as inner, _breakable(builder):
        builder.execute(children[1])
    loop_test = None if isinstance(test, Const) else test
    builder.emit(Loop("while", (), tuple(before), loop_test, (), tuple(inner), None, builder.span))


def do_loop(builder: Builder, cursor: Cursor) -> None:
    """``do body while (cond)``; ``while (0)`` without jumps is just its body."""
    body, cond = list(cursor.get_children())
    with builder.nested() as inner, _breakable(builder):
        builder.execute(body)
    with builder.nested() as before, _breakable(builder):
        test = _condition(builder, cond)
    if isinstance(test, Const) and not test.value and not before and not _jumps(body):
        builder.block.extend(inner)
        return
    loop_test = None if isinstance(test, Const) and test.value else test
    builder.emit(Loop("do", (), tuple(before), loop_test, (), tuple(inner), None, builder.span))


def _jumps(body: Cursor) -> bool:
    for child in body.get_children():
        if child.kind in (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT):
            return True
        if child.kind not in _LOOPS and _jumps(child):
            return True
    return False


def range_loop(builder: Builder, cursor: Cursor) -> None:
    """``for (auto& x : array)`` over an array of known extent. Refuses other ranges (TLM205)."""
    children = list(cursor.get_children())
    variable = next((child for child in children if child.kind == CursorKind.VAR_DECL), None)
    body = children[-1]
    ranges = [child for child in children if child.kind.is_expression() and child != body]
    if variable is None or not ranges:
        raise builder.refuse("TLM205", "a range-based for over something that is no array")
    operand = builder.evaluate(ranges[0])
    if not isinstance(operand, PLACES) or not isinstance(operand.ctype, ArrayType) or operand.ctype.count is None:
        raise builder.refuse("TLM205", "a range-based for over something that is no array")
    counter = builder.fresh("element", "int32", mutable=True)
    reference = LocalRef(counter, builder.span)
    with builder.nested() as inner, _breakable(builder):
        ctype = builder.ctype(variable)
        item = places.element(builder, operand, reference)
        mutated = variable.hash in builder.frame.mutated
        key = declaration_key(variable)
        builder.frame.bindings[variable.hash] = bound_operand(
            builder, variable.spelling, key, ctype, item, mutated, temporary=False
        )
        builder.execute(body)
    test = Binary("lt", reference, constant("int32", operand.ctype.count), "bool", builder.span)
    first: tuple[Stmt, ...] = (Declare(counter, constant("int32", 0), builder.span),)
    step = (Assign(counter, binary("add", reference, constant("int32", 1)), builder.span),)
    builder.emit(Loop("for", first, (), test, step, tuple(inner), None, builder.span))


HANDLERS: dict[CursorKind, StatementHandler] = {
    CursorKind.FOR_STMT: for_loop,
    CursorKind.WHILE_STMT: while_loop,
    CursorKind.DO_STMT: do_loop,
    CursorKind.CXX_FOR_RANGE_STMT: range_loop,
}
