"""Reading and writing places, and moving between places and pointers.

A buffer has one dtype. An access in another dtype of the same size is a bit cast; a larger one is assembled from
elements; a smaller one makes the next pass choose a smaller element (`Plan`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from migrate.ir.kernel import Assign, Buffer, Const, DType, Expr, If, Load, LocalRef, LocalVar, Scope, Select, Store
from migrate.parse.build import pointers
from migrate.parse.build.bits import assemble, insert, read_cells, split
from migrate.parse.build.effects import Effects, expression_reads
from migrate.parse.build.elements import (
    aggregate_leaf,
    cell_scalar,
    indices,
    indices_of_run,
    shifted,
    whole_index,
)
from migrate.parse.build.places import resolve, settle, slot_at
from migrate.parse.build.scalars import bitcast
from migrate.parse.build.types import SIZES, PointerType, ScalarType, leaves
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    ChoicePlace,
    ChoicePointer,
    MemoryPlace,
    NullPointer,
    Place,
    PointerValue,
    PointerVariable,
    RegisterPlace,
    RegisterPointer,
    ScalarValue,
    Slot,
    Value,
    ValuePlace,
)

if TYPE_CHECKING:
    from migrate.parse.build.builder import Builder

_POINTERS = (PointerValue, RegisterPointer, ChoicePointer, NullPointer)
_MOST_CELLS = 512


# --- loads ----------------------------------------------------------------------------------------------------------


def load(builder: Builder, place: Place) -> Value:
    """The value at a place. Refuses (TLM103) pointers that lie in memory, and types that cannot be read."""
    if isinstance(place, RegisterPlace):
        settle(place.target, None)
    place = resolve(builder, place)
    if isinstance(place, ValuePlace):
        return place.value
    if isinstance(place, ChoicePlace):
        return _load_choice(builder, place)
    ctype = place.ctype
    if isinstance(place, MemoryPlace):
        if isinstance(ctype, ScalarType):
            return ScalarValue(read_scalar(builder, place.buffer, place.offset, ctype.dtype, place.subscripts))
        if isinstance(ctype, PointerType):
            raise builder.refuse("TLM103", f"a pointer is loaded from memory ({place.buffer.name})")
        return _load_aggregate(builder, place)
    settle(place.target, None)
    if isinstance(ctype, ScalarType):
        found = read_cells(_scalar_cells(builder, place), place.offset, ctype.dtype)
        if found is None:
            raise builder.refuse("TLM102", f"part of {place.target.name} is read in a type that does not fit it")
        return ScalarValue(found)
    if isinstance(ctype, PointerType):
        slot = slot_at(place.target, place.offset)
        if slot is not None and isinstance(slot.holder, PointerVariable):
            return pointers.read_variable(builder, slot.holder)
        raise builder.refuse("TLM103", f"a pointer is made from other bytes of {place.target.name}")
    cells: list[Cell] = []
    for slot in place.target.slots:
        if place.offset <= slot.offset < place.offset + max(ctype.size, 1):
            cells += _slot_cells(builder, slot, place.offset)
    return AggregateValue(ctype, tuple(cells))


def _scalar_cells(builder: Builder, place: RegisterPlace) -> list[tuple[int, Expr]]:
    end = place.offset + place.ctype.size
    cells: list[tuple[int, Expr]] = []
    for slot in place.target.slots:
        if slot.offset + slot.size <= place.offset or slot.offset >= end:
            continue
        for cell in _slot_cells(builder, slot, 0):
            if isinstance(cell.value, _POINTERS):
                raise builder.refuse("TLM105", "the address in a pointer is used as a number")
            cells.append((cell.offset, cell.value))
    return cells


def _slot_cells(builder: Builder, slot: Slot, base: int) -> list[Cell]:
    if isinstance(slot.holder, LocalVar):
        return [Cell(slot.offset - base, LocalRef(slot.holder, builder.span))]
    if isinstance(slot.holder, PointerVariable):
        return [Cell(slot.offset - base, pointers.read_variable(builder, slot.holder))]
    buffer = slot.holder
    step = SIZES[buffer.dtype]
    count = slot.size // step
    if count > _MOST_CELLS:
        raise builder.refuse("TLM117", f"array {buffer.name} is copied as a whole and is too large for that")
    return [
        Cell(slot.offset - base + index * step, Load(buffer, whole_index(buffer, index), builder.span))
        for index in range(count)
    ]


def _load_choice(builder: Builder, place: ChoicePlace) -> Value:
    then, otherwise = load(builder, place.then), load(builder, place.otherwise)
    if isinstance(then, ScalarValue) and isinstance(otherwise, ScalarValue):
        return ScalarValue(Select(place.cond, then.expr, otherwise.expr, then.dtype, builder.span))
    if isinstance(then, AggregateValue) and isinstance(otherwise, AggregateValue):
        cells = []
        for index, leaf in enumerate(leaves(place.ctype)):
            one, other = aggregate_leaf(builder, then, index), aggregate_leaf(builder, otherwise, index)
            cells.append(Cell(leaf.offset, Select(place.cond, one, other, one.dtype, builder.span)))
        return AggregateValue(place.ctype, tuple(cells))
    if isinstance(then, _POINTERS) and isinstance(otherwise, _POINTERS):
        return ChoicePointer(place.cond, then, otherwise, then.pointee)
    raise builder.refuse("TLM101", "a choice of two objects of this type")


def read_scalar(
    builder: Builder, buffer: Buffer, offset: Expr, dtype: DType, subscripts: tuple[Expr, ...] | None = None
) -> Expr:
    """A scalar of ``dtype`` at element ``offset`` (or at full ``subscripts``) of a buffer."""
    builder.unit.record_access(buffer, dtype)
    size, step = SIZES[dtype], SIZES[buffer.dtype]
    if size < step:
        return Const(dtype, False if dtype == "bool" else 0)  # the plan has noted it: this pass is not kept
    if size == step:
        return bitcast(Load(buffer, indices(builder, buffer, offset, subscripts), builder.span), dtype)
    offset = builder.bind("index", offset)
    parts = [
        Load(buffer, indices(builder, buffer, shifted(buffer, offset, index), None), builder.span)
        for index in range(size // step)
    ]
    return assemble(parts, dtype)


def _load_aggregate(builder: Builder, place: MemoryPlace) -> AggregateValue:
    cells: list[Cell] = []
    buffer = place.buffer
    builder.unit.flatten(buffer)
    offset = builder.bind("index", place.offset)
    for start, element in _elements(builder, place):
        index = shifted(buffer, offset, element)
        cells.append(Cell(start, Load(buffer, indices(builder, buffer, index, None), builder.span)))
    return AggregateValue(place.ctype, tuple(cells))


def _elements(builder: Builder, place: MemoryPlace) -> list[tuple[int, int]]:
    """(byte offset, element number) of the buffer elements that hold the leaves of an aggregate."""
    try:
        found = leaves(place.ctype, limit=_MOST_CELLS)
    except ValueError as error:
        raise builder.refuse("TLM117", f"value of {place.buffer.name}: {error}") from None
    step = SIZES[place.buffer.dtype]
    result: list[tuple[int, int]] = []
    for leaf in found:
        if isinstance(leaf.ctype, PointerType):
            raise builder.refuse("TLM103", f"a pointer is loaded from memory ({place.buffer.name})")
        builder.unit.record_copy(place.buffer, leaf.ctype.dtype)
        if leaf.ctype.size < step or leaf.offset % step:
            builder.unit.limit(place.buffer, max(step // 2, 1))
        result += [(byte, byte // step) for byte in range(leaf.offset, leaf.offset + leaf.ctype.size, step)]
    return result


# --- stores ---------------------------------------------------------------------------------------------------------


def store(builder: Builder, place: Place, value: Value) -> None:
    """Assignment. Scalars are converted by C's rules; aggregates are copied bytewise, leaf by leaf."""
    if isinstance(place, RegisterPlace) and isinstance(place.ctype, ScalarType):
        settle(place.target, None)
    place = resolve(builder, place)
    if isinstance(place, ChoicePlace):
        _store_choice(builder, place, value)
        return
    if isinstance(place, ValuePlace):
        raise builder.refuse("TLM101", "assignment to a temporary")
    ctype = place.ctype
    if isinstance(ctype, ScalarType):
        expr = builder.scalar(value, ctype.dtype)
        if isinstance(place, MemoryPlace):
            write_scalar(builder, place, expr)
        else:
            settle(place.target, None)
            _write_register(builder, place, expr)
        return
    if isinstance(ctype, PointerType):
        if isinstance(place, RegisterPlace):
            settle(place.target, None)
            slot = slot_at(place.target, place.offset)
            if slot is not None and isinstance(slot.holder, PointerVariable) and isinstance(value, _POINTERS):
                pointers.write_variable(builder, slot.holder, value)
                return
        raise builder.refuse("TLM103", "a pointer is stored in memory")
    if not isinstance(value, AggregateValue):
        raise builder.refuse("TLM101", f"assignment of a value of another kind to {ctype.spelling}")
    if isinstance(place, MemoryPlace):
        _store_aggregate(builder, place, value)
    else:
        _store_register(builder, place, value)


def _store_choice(builder: Builder, place: ChoicePlace, value: Value) -> None:
    held = builder.value(builder.freeze(value))
    with builder.nested() as then:
        store(builder, place.then, held)
    with builder.nested() as otherwise:
        store(builder, place.otherwise, held)
    builder.emit(If(place.cond, tuple(then), tuple(otherwise), builder.span))


def write_scalar(builder: Builder, place: MemoryPlace, expr: Expr) -> None:
    """A scalar store in the dtype of ``expr``."""
    buffer = place.buffer
    builder.unit.record_access(buffer, expr.dtype)
    size, step = SIZES[expr.dtype], SIZES[buffer.dtype]
    if size < step:
        return
    if size == step:
        where = indices(builder, buffer, place.offset, place.subscripts)
        builder.emit(Store(buffer, where, bitcast(expr, buffer.dtype), builder.span, _is_step(builder, buffer)))
        return
    offset = builder.bind("index", place.offset)
    for index, part in enumerate(split(expr, buffer.dtype, lambda whole: builder.bind("bits", whole))):
        where = indices(builder, buffer, shifted(buffer, offset, index), None)
        builder.emit(Store(buffer, where, part, builder.span, _is_step(builder, buffer)))


def _is_step(builder: Builder, buffer: Buffer) -> bool:
    return builder.volatile_write and buffer.scope in (Scope.SHARED, Scope.DYNAMIC_SHARED)


def _write_register(builder: Builder, place: RegisterPlace, expr: Expr) -> None:
    start, size = place.offset, SIZES[expr.dtype]
    for slot in place.target.slots:
        if slot.offset + slot.size <= start or slot.offset >= start + size:
            continue
        if not isinstance(slot.holder, LocalVar):
            raise builder.refuse("TLM102", f"part of {place.target.name} is written in a type that does not fit it")
        if not slot.holder.mutable:  # written through a view that the look at the source did not count as a write
            builder.unit.plan.add_to(builder.unit.plan.written, place.target.key)
        variable = slot.holder
        value: Expr | None
        if slot.offset <= start and start + size <= slot.offset + slot.size:
            if slot.size == size:
                value = bitcast(expr, variable.dtype)
            else:
                value = insert(LocalRef(variable), start - slot.offset, expr)
        else:
            expr = builder.bind("bits", expr)
            value = read_cells([(start, expr)], slot.offset, variable.dtype)
        if value is None:
            raise builder.refuse("TLM102", f"part of {place.target.name} is written in a type that does not fit it")
        builder.emit(Assign(variable, value, builder.span))


def _store_aggregate(builder: Builder, place: MemoryPlace, value: AggregateValue) -> None:
    buffer = place.buffer
    builder.unit.flatten(buffer)
    elements = _elements(builder, place)
    if len(elements) > 1:
        written = Effects()
        written.write(buffer)
        if any(_cell_reads(cell, written) for cell in value.cells) and not _is_run(value):
            value = cast("AggregateValue", builder.freeze(value))
        place = MemoryPlace(buffer, builder.bind("index", place.offset), place.ctype)
    for byte, element in elements:
        part = cell_scalar(builder, value, byte, buffer.dtype)
        where = indices(builder, buffer, shifted(buffer, place.offset, element), None)
        builder.emit(Store(buffer, where, part, builder.span))


def _is_run(value: AggregateValue) -> bool:
    """True for neighbouring elements of one buffer: C lets such a copy overlap its target only exactly."""
    first = value.cells[0].value if value.cells else None
    if not isinstance(first, Load) or len(first.indices) != 1:
        return False
    for number, cell in enumerate(value.cells):
        where = indices_of_run(first.buffer, first.indices[0], number)
        if not isinstance(cell.value, Load) or cell.value.buffer != first.buffer or cell.value.indices != where:
            return False
    return True


def _cell_reads(cell: Cell, effects: Effects) -> bool:
    return not isinstance(cell.value, _POINTERS) and expression_reads(cell.value, effects)


def _store_register(builder: Builder, place: RegisterPlace, value: AggregateValue) -> None:
    target, size = place.target, place.ctype.size
    if settle(target, value if place.offset == 0 and size == target.ctype.size else None):
        return
    slots = [slot for slot in target.slots if place.offset <= slot.offset < place.offset + max(size, 1)]
    names = {slot.holder.name for slot in slots}
    if len(slots) > 1 and any(_cell_reads(cell, Effects(locals=names, buffers=names)) for cell in value.cells):
        value = cast("AggregateValue", builder.freeze(value))
    for slot in slots:
        offset = slot.offset - place.offset
        if isinstance(slot.holder, LocalVar):
            if not slot.holder.mutable:
                builder.unit.plan.add_to(builder.unit.plan.written, target.key)
            part = cell_scalar(builder, value, offset, slot.holder.dtype)
            builder.emit(Assign(slot.holder, part, builder.span))
        elif isinstance(slot.holder, PointerVariable):
            found = [cell.value for cell in value.cells if cell.offset == offset]
            if found and isinstance(found[0], _POINTERS):
                pointers.write_variable(builder, slot.holder, found[0])
        else:
            buffer = slot.holder
            step = SIZES[buffer.dtype]
            for index in range(min(slot.size, size - offset) // step):
                part = cell_scalar(builder, value, offset + index * step, buffer.dtype)
                builder.emit(Store(buffer, whole_index(buffer, index), part, builder.span))
