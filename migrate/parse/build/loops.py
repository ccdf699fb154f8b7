"""for, while, do, range-for and their pragmas."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import Assign, Binary, Const, Declare, Expr, LocalRef, Loop, Stmt
from migrate.parse.build import memory
from migrate.parse.build.bindings import bound_operand
from migrate.parse.build.builder import PLACES, Builder, StatementHandler
from migrate.parse.build.operators import discard
from migrate.parse.build.scalars import binary, constant, to_bool
from migrate.parse.build.types import ArrayType
from migrate.parse.build.unit import declaration_key
from migrate.parse.clang_extra import pretty_print

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
    target = inner[0]
    if target.kind in _LOOPS:
        builder.frame.unroll = _unroll_factor(pretty_print(cursor))
    builder.execute(target)


def _unroll_factor(text: str) -> int | None:
    """The factor of ``#pragma unroll`` at the start of a printed statement (0: full); None if there is none."""
    head = text[: text.find("for")] if "for" in text else text
    found = re.search(r"unroll(?:\s*\(?\s*(\d+)\s*\)?)?", head)
    if found is None or "nounroll" in head or "unroll(disable)" in head:
        return None
    return int(found.group(1)) if found.group(1) else 0


def _take_unroll(builder: Builder) -> int | None:
    factor, builder.frame.unroll = builder.frame.unroll, None
    return factor


def for_loop(builder: Builder, cursor: Cursor) -> None:
    """``for (init; cond; step) body``."""
    unroll = _take_unroll(builder)
    children = list(cursor.get_children())
    body = children[-1]
    init, cond, step = _slots(builder, cursor, children[:-1])
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
    builder: Builder, cursor: Cursor, present: list[Cursor]
) -> tuple[Cursor | None, Cursor | None, Cursor | None]:
    """Which of init, condition and step the children are: libclang leaves out the absent ones."""
    if len(present) == 3:
        return present[0], present[1], present[2]
    filled = _filled_slots(pretty_print(cursor))
    if sum(filled) != len(present):
        raise builder.refuse("TLM206", "the parts of a for statement could not be told apart")
    remaining = list(present)
    parts = [remaining.pop(0) if is_filled else None for is_filled in filled]
    return parts[0], parts[1], parts[2]


def _filled_slots(text: str) -> tuple[bool, bool, bool]:
    """Which of the three parts of a printed ``for (...)`` are not empty."""
    position = text.find("(") + 1
    depth, parts, current = 1, [], ""
    quote = ""
    while position < len(text) and depth:
        character = text[position]
        if quote:
            quote = "" if character == quote and text[position - 1] != "\\" else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                break
        if character == ";" and depth == 1 and not quote:
            parts.append(current.strip())
            current = ""
        else:
            current += character
        position += 1
    parts.append(current.strip())
    padded = [*parts, "", "", ""][:3]
    return bool(padded[0]), bool(padded[1]), bool(padded[2])


def while_loop(builder: Builder, cursor: Cursor) -> None:
    """``while (cond) body``."""
    unroll = _take_unroll(builder)
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
    builder.emit(Loop("while", (), tuple(before), loop_test, (), tuple(inner), unroll, builder.span))


def do_loop(builder: Builder, cursor: Cursor) -> None:
    """``do body while (cond)``; ``while (0)`` without jumps is just its body."""
    unroll = _take_unroll(builder)
    body, cond = list(cursor.get_children())
    with builder.nested() as inner, _breakable(builder):
        builder.execute(body)
    with builder.nested() as before, _breakable(builder):
        test = _condition(builder, cond)
    if isinstance(test, Const) and not test.value and not before and not _jumps(body):
        builder.block.extend(inner)
        return
    loop_test = None if isinstance(test, Const) and test.value else test
    builder.emit(Loop("do", (), tuple(before), loop_test, (), tuple(inner), unroll, builder.span))


def _jumps(body: Cursor) -> bool:
    for child in body.get_children():
        if child.kind in (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT):
            return True
        if child.kind not in _LOOPS and _jumps(child):
            return True
    return False


def range_loop(builder: Builder, cursor: Cursor) -> None:
    """``for (auto& x : array)`` over an array of known extent. Refuses other ranges (TLM205)."""
    unroll = _take_unroll(builder)
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
        item = memory.element(builder, operand, reference)
        mutated = variable.hash in builder.frame.mutated
        key = declaration_key(variable)
        builder.frame.bindings[variable.hash] = bound_operand(
            builder, variable.spelling, key, ctype, item, mutated, temporary=False
        )
        builder.execute(body)
    test = Binary("lt", reference, constant("int32", operand.ctype.count), "bool", builder.span)
    first: tuple[Stmt, ...] = (Declare(counter, constant("int32", 0), builder.span),)
    step = (Assign(counter, binary("add", reference, constant("int32", 1)), builder.span),)
    builder.emit(Loop("for", first, (), test, step, tuple(inner), unroll, builder.span))


HANDLERS: dict[CursorKind, StatementHandler] = {
    CursorKind.FOR_STMT: for_loop,
    CursorKind.WHILE_STMT: while_loop,
    CursorKind.DO_STMT: do_loop,
    CursorKind.CXX_FOR_RANGE_STMT: range_loop,
}
