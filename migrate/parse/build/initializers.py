"""Brace initialisers: which expression initialises which leaf, brace elision included."""

from __future__ import annotations

from functools import partial

from clang.cindex import Cursor, CursorKind

from migrate.parse.build import places, pointers
from migrate.parse.build.builder import PLACES, Builder, Handler
from migrate.parse.build.hidden import expression_children, peel
from migrate.parse.build.objects import zero_value
from migrate.parse.build.types import ArrayType, CType, PointerType, RecordType, ScalarType
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    ChoicePointer,
    ClosureValue,
    NullPointer,
    Operand,
    PointerValue,
    RegisterPointer,
    ScalarValue,
)

Item = tuple[int, CType, Cursor]


def place_items(builder: Builder, cursor: Cursor, ctype: CType) -> list[Item] | None:
    """(byte offset, type, expression) for each initialised part; None if ``cursor`` is no brace list."""
    cursor = peel(cursor)
    while cursor.kind == CursorKind.UNEXPOSED_EXPR:
        inner = expression_children(cursor)
        if len(inner) != 1:
            return None
        cursor = peel(inner[0])
    if cursor.kind != CursorKind.INIT_LIST_EXPR:
        return None
    result: list[Item] = []
    _fill(builder, ctype, expression_children(cursor), 0, result)
    return result


def _fill(builder: Builder, ctype: CType, items: list[Cursor], offset: int, result: list[Item]) -> None:
    """Takes from ``items`` what an object of ``ctype`` at ``offset`` uses."""
    if not items:
        return
    if isinstance(ctype, ScalarType | PointerType):
        item = items.pop(0)
        if item.kind == CursorKind.INIT_LIST_EXPR:
            inner = expression_children(item)
            if inner:
                result.append((offset, ctype, inner[0]))
            return
        result.append((offset, ctype, item))
        return
    parts: list[tuple[CType, int]] = []
    if isinstance(ctype, ArrayType):
        count = ctype.count or 0
        parts = [(ctype.element, index * ctype.element.size) for index in range(count)]
    elif isinstance(ctype, RecordType):
        parts = [(field.ctype, field.offset) for field in ctype.fields]
        if ctype.union:
            parts = parts[:1]
    if isinstance(ctype, RecordType) and not ctype.fields and items:
        items.pop(0)
        return
    for part, position in parts:
        if not items:
            return
        item = items[0]
        if isinstance(part, ArrayType | RecordType):
            if item.kind == CursorKind.INIT_LIST_EXPR:
                items.pop(0)
                _fill(builder, part, expression_children(item), offset + position, result)
            elif isinstance(part, RecordType) and _is_whole(builder, item, part):
                result.append((offset + position, part, items.pop(0)))
            else:
                _fill(builder, part, items, offset + position, result)
        else:
            _fill(builder, part, items, offset + position, result)


def _is_whole(builder: Builder, item: Cursor, part: RecordType) -> bool:
    found = builder.ctype(item)
    return part.same_as(found)


def init_list(builder: Builder, cursor: Cursor) -> Operand:
    """``{a, b}`` of the expression's own type."""
    return init_value(builder, cursor, builder.ctype(cursor))


def init_value(builder: Builder, cursor: Cursor, ctype: CType) -> Operand:
    """A brace list as a value of ``ctype``."""
    children = expression_children(cursor)
    if not children:
        return zero_value(builder, ctype)
    if isinstance(ctype, ScalarType):
        return ScalarValue(builder.scalar_of(children[0], ctype.dtype))
    if isinstance(ctype, PointerType):
        return builder.value(_decayed(builder, children[0], ctype))
    if len(children) == 1 and isinstance(ctype, RecordType) and _is_whole(builder, children[0], ctype):
        return builder.value(builder.evaluate(children[0]))
    items: list[Item] = []
    _fill(builder, ctype, children, 0, items)
    actions = [partial(_part, builder, cursor, part) for _, part, cursor in items]
    values = [builder.value(operand) for operand in builder.in_order(actions)]
    cells: list[Cell] = []
    for (offset, part, _), value in zip(items, values, strict=True):
        if isinstance(value, AggregateValue):
            cells += [Cell(offset + cell.offset, cell.value) for cell in value.cells]
        elif isinstance(value, PointerValue | RegisterPointer | ChoicePointer | NullPointer):
            cells.append(Cell(offset, value))
        elif isinstance(part, ScalarType):
            cells.append(Cell(offset, builder.scalar(value, part.dtype)))
        elif isinstance(value, ClosureValue):
            raise builder.refuse("TLM116", "a lambda is kept in a class object")
        else:
            raise builder.refuse("TLM101", f"initial value of a {ctype.spelling}")
    return AggregateValue(ctype, tuple(sorted(cells, key=lambda cell: cell.offset)))


def _part(builder: Builder, cursor: Cursor, ctype: CType) -> Operand:
    return _decayed(builder, cursor, ctype) if isinstance(ctype, PointerType) else builder.evaluate(cursor)


def _decayed(builder: Builder, cursor: Cursor, ctype: PointerType) -> Operand:
    """A pointer's initialiser: a brace list is shown as written, so an array's decay is not in it."""
    operand = builder.evaluate(cursor)
    if ctype.reference:
        return places.address_of(builder, operand)
    if isinstance(operand, PLACES) and isinstance(operand.ctype, ArrayType):
        return pointers.retarget(places.address_of(builder, operand), ctype.pointee)
    return operand


HANDLERS: dict[CursorKind, Handler] = {CursorKind.INIT_LIST_EXPR: init_list}
