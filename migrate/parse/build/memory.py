"""Reading and writing places, and moving between places and pointers.

A buffer has one dtype. An access in another dtype of the same size is a bit cast; a larger one is assembled from
elements; a smaller one makes the next pass choose a smaller element (`Plan`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from migrate.ir.kernel import Assign, Binary, Buffer, Const, DType, Expr, If, Load, LocalRef, LocalVar, Select, Store
from migrate.parse.build import pointers
from migrate.parse.build.bits import assemble, insert, read_cells, split
from migrate.parse.build.effects import Effects, expression_reads
from migrate.parse.build.plan import may_pun
from migrate.parse.build.scalars import add, bitcast, constant, convert
from migrate.parse.build.types import SIZES, ArrayType, CType, PointerType, RecordType, ScalarType, leaves
from migrate.parse.build.unit import is_wide
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    ChoicePlace,
    ChoicePointer,
    MemoryPlace,
    NullPointer,
    Operand,
    Place,
    Pointer,
    PointerValue,
    PointerVariable,
    RegisterObject,
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


def address_dtype(buffer: Buffer) -> DType:
    """int64 for buffers in global memory, int32 for small ones."""
    return "int64" if is_wide(buffer) else "int32"


def shifted(buffer: Buffer, offset: Expr, elements: int) -> Expr:
    """``offset + elements`` in the address dtype."""
    if elements == 0:
        return offset
    dtype = address_dtype(buffer)
    if isinstance(offset, Const):
        return constant(dtype if is_wide(buffer) else offset.dtype, int(offset.value) + elements)
    return add(convert(offset, dtype), constant(dtype, elements))


# --- loads ----------------------------------------------------------------------------------------------------------


def load(builder: Builder, place: Place) -> Value:
    """The value at a place. Refuses (TLM103) pointers that lie in memory, and types that cannot be read."""
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
            cells.append((cell.offset, cast("Expr", cell.value)))
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


def whole_index(buffer: Buffer, element: int) -> tuple[Expr, ...]:
    """Indices of the row-major ``element`` of a buffer."""
    shape = buffer.shape or (0,)
    result: list[Expr] = []
    for extent in reversed(shape[1:]):
        result.append(Const("int32", element % extent))
        element //= extent
    result.append(Const("int32", element))
    return tuple(reversed(result))


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


def indices(builder: Builder, buffer: Buffer, offset: Expr, subscripts: tuple[Expr, ...] | None) -> tuple[Expr, ...]:
    """Index tuple of an access; an array of arrays that is not fully subscripted is noted for flattening."""
    if buffer.shape is not None and len(buffer.shape) > 1:
        if subscripts is not None and len(subscripts) == len(buffer.shape):
            return subscripts
        builder.unit.flatten(buffer)
        return tuple(Const("int32", 0) for _ in buffer.shape)
    return (offset,)


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


def aggregate_leaf(builder: Builder, value: AggregateValue, index: int) -> Expr:
    """Leaf ``index`` of an aggregate value in its own dtype."""
    leaf = leaves(value.ctype)[index]
    if not isinstance(leaf.ctype, ScalarType):
        raise builder.refuse("TLM101", "a scalar member is needed here")
    return cell_scalar(builder, value, leaf.offset, leaf.ctype.dtype)


def cell_scalar(builder: Builder, value: AggregateValue, offset: int, dtype: DType) -> Expr:
    """A scalar at a byte offset of an aggregate value."""
    cells = [(cell.offset, cast("Expr", cell.value)) for cell in value.cells if not isinstance(cell.value, _POINTERS)]
    found = read_cells(cells, offset, dtype)
    if found is None:
        raise builder.refuse("TLM102", f"part of a {value.ctype.spelling} is read in a type that does not fit it")
    return found


# --- stores ---------------------------------------------------------------------------------------------------------


def store(builder: Builder, place: Place, value: Value) -> None:
    """Assignment. Scalars are converted by C's rules; aggregates are copied bytewise, leaf by leaf."""
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
        builder.emit(Store(buffer, where, bitcast(expr, buffer.dtype), builder.span))
        return
    offset = builder.bind("index", place.offset)
    for index, part in enumerate(split(expr, buffer.dtype, lambda whole: builder.bind("bits", whole))):
        where = indices(builder, buffer, shifted(buffer, offset, index), None)
        builder.emit(Store(buffer, where, part, builder.span))


def _write_register(builder: Builder, place: RegisterPlace, expr: Expr) -> None:
    start, size = place.offset, SIZES[expr.dtype]
    for slot in place.target.slots:
        if slot.offset + slot.size <= start or slot.offset >= start + size:
            continue
        if not isinstance(slot.holder, LocalVar):
            raise builder.refuse("TLM102", f"part of {place.target.name} is written in a type that does not fit it")
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
        if any(_cell_reads(cell, Effects(buffers={buffer.name})) for cell in value.cells):
            value = cast("AggregateValue", builder.freeze(value))
        place = MemoryPlace(buffer, builder.bind("index", place.offset), place.ctype)
    for byte, element in elements:
        part = cell_scalar(builder, value, byte, buffer.dtype)
        where = indices(builder, buffer, shifted(buffer, place.offset, element), None)
        builder.emit(Store(buffer, where, part, builder.span))


def _cell_reads(cell: Cell, effects: Effects) -> bool:
    return not isinstance(cell.value, _POINTERS) and expression_reads(cast("Expr", cell.value), effects)


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


# --- places ---------------------------------------------------------------------------------------------------------


def settle(target: RegisterObject, value: AggregateValue | None) -> bool:
    """Chooses the slots of an object whose choice was put off; ``value`` is what is about to be stored in all of it.

    True if the declaration has taken the value, so that nothing is left to store.
    """
    if target.settle is None:
        return False
    action, target.settle = target.settle, None
    return action(value)


def slot_at(target: RegisterObject, offset: int) -> Slot | None:
    """The slot that covers a byte offset."""
    for slot in target.slots:
        if slot.offset <= offset < slot.offset + slot.size:
            return slot
    return None


def resolve(builder: Builder, place: Place) -> Place:
    """A place inside a local array as a place in that buffer; others unchanged."""
    if not isinstance(place, RegisterPlace) or place.target.settle is not None:
        return place
    slot = slot_at(place.target, place.offset)
    if slot is None or not isinstance(slot.holder, Buffer):
        return place
    if place.offset + place.ctype.size > slot.offset + slot.size:
        return place
    buffer = slot.holder
    step = SIZES[buffer.dtype]
    start = place.offset - slot.offset
    if start % step:
        builder.unit.limit(buffer, max(step // 2, 1))
    whole = start == 0 and place.ctype.size == slot.size and buffer.shape is not None and len(buffer.shape) > 1
    if isinstance(place.ctype, ScalarType) and buffer.shape is not None and len(buffer.shape) > 1:
        return MemoryPlace(buffer, Const("int32", 0), place.ctype, whole_index(buffer, start // step))
    return MemoryPlace(buffer, Const("int32", start // step), place.ctype, () if whole else None)


def element(builder: Builder, place: Place, index: Expr) -> Place:
    """``array[index]`` for a place of array type. Refuses (TLM115) a computed index into separate variables."""
    place = resolve(builder, place)
    ctype = place.ctype
    assert isinstance(ctype, ArrayType)
    if isinstance(place, RegisterPlace) and place.target.settle is not None:
        settle(place.target, None)
        place = resolve(builder, place)
    if isinstance(place, MemoryPlace):
        if place.subscripts is not None and len(place.subscripts) < len(place.buffer.shape or ()):
            return MemoryPlace(place.buffer, place.offset, ctype.element, (*place.subscripts, index))
        pointer = pointers.advance(builder, PointerValue(place.buffer, place.offset, ctype.element), index)
        return dereference(builder, pointer)
    if isinstance(place, ChoicePlace):
        then, otherwise = element(builder, place.then, index), element(builder, place.otherwise, index)
        return ChoicePlace(place.cond, then, otherwise, ctype.element)
    if isinstance(index, Const):
        offset = int(index.value) * ctype.element.size
        if isinstance(place, RegisterPlace):
            return RegisterPlace(place.target, place.offset + offset, ctype.element)
        return value_part(builder, place.value, offset, ctype.element)
    if isinstance(place, RegisterPlace):
        if any(isinstance(slot.holder, PointerVariable) for slot in place.target.slots):
            raise builder.refuse("TLM115", f"{place.target.name}: a computed index into an array of pointers")
        builder.unit.plan.add_to(builder.unit.plan.held_as_array, place.target.key)
        return RegisterPlace(place.target, place.offset, ctype.element)
    raise builder.refuse("TLM115", "a computed index into a temporary")


def member(builder: Builder, operand: Operand, offset: int, ctype: CType) -> Place:
    """A data member at a byte offset of a record."""
    if isinstance(operand, MemoryPlace):
        step = SIZES[operand.buffer.dtype]
        if offset % step:
            builder.unit.limit(operand.buffer, max(step // 2, 1))
        builder.unit.flatten(operand.buffer)
        return MemoryPlace(operand.buffer, shifted(operand.buffer, operand.offset, offset // step), ctype)
    if isinstance(operand, RegisterPlace):
        return RegisterPlace(operand.target, operand.offset + offset, ctype)
    if isinstance(operand, ChoicePlace):
        then = member(builder, operand.then, offset, ctype)
        return ChoicePlace(operand.cond, then, member(builder, operand.otherwise, offset, ctype), ctype)
    value = operand.value if isinstance(operand, ValuePlace) else operand
    return value_part(builder, cast("Value", value), offset, ctype)


def value_part(builder: Builder, value: Value, offset: int, ctype: CType) -> ValuePlace:
    """A member or element of an aggregate value."""
    if not isinstance(value, AggregateValue):
        if offset == 0:
            return ValuePlace(value, ctype)
        raise builder.refuse("TLM101", "a member of something that is no aggregate")
    if isinstance(ctype, ScalarType):
        return ValuePlace(ScalarValue(cell_scalar(builder, value, offset, ctype.dtype)), ctype)
    if isinstance(ctype, PointerType):
        for cell in value.cells:
            if cell.offset == offset and isinstance(cell.value, _POINTERS):
                return ValuePlace(cell.value, ctype)
        raise builder.refuse("TLM103", "a pointer is made from other bytes")
    end = offset + ctype.size
    cells = tuple(Cell(cell.offset - offset, cell.value) for cell in value.cells if offset <= cell.offset < end)
    return ValuePlace(AggregateValue(ctype, cells), ctype)


def dereference(builder: Builder, pointer: Operand) -> Place:
    """``*pointer``. Refuses (TLM115) null and values that are no pointers."""
    if isinstance(pointer, PointerValue):
        return MemoryPlace(pointer.buffer, pointer.offset, pointer.pointee)
    if isinstance(pointer, RegisterPointer):
        return RegisterPlace(pointer.place.target, pointer.place.offset, pointer.pointee)
    if isinstance(pointer, ChoicePointer):
        if isinstance(pointer.then, NullPointer):
            return dereference(builder, pointer.otherwise)
        if isinstance(pointer.otherwise, NullPointer):
            return dereference(builder, pointer.then)
        then, otherwise = dereference(builder, pointer.then), dereference(builder, pointer.otherwise)
        return ChoicePlace(pointer.cond, then, otherwise, pointer.pointee)
    if isinstance(pointer, NullPointer):
        raise builder.refuse("TLM115", "a null pointer is used")
    raise builder.refuse("TLM115", "something that is no pointer is used as one")


def address_of(builder: Builder, operand: Operand) -> Pointer:
    """``&place``, also the decay of an array to its first element's pointer (give the pointee by `retarget`)."""
    if isinstance(operand, ValuePlace | ScalarValue | AggregateValue):
        return RegisterPointer(spill(builder, operand), _type_of(operand))
    place = resolve(builder, cast("Place", operand))
    if isinstance(place, RegisterPlace) and place.target.settle is not None and isinstance(place.ctype, ArrayType):
        settle(place.target, None)
        place = resolve(builder, place)
    if isinstance(place, MemoryPlace):
        offset = place.offset
        if place.subscripts is not None:
            builder.unit.flatten(place.buffer)
        return PointerValue(place.buffer, offset, place.ctype)
    if isinstance(place, RegisterPlace):
        return RegisterPointer(place, place.ctype)
    if isinstance(place, ChoicePlace):
        then, otherwise = address_of(builder, place.then), address_of(builder, place.otherwise)
        return ChoicePointer(place.cond, then, otherwise, place.ctype)
    raise builder.refuse("TLM115", "the address of a temporary is taken")


def _type_of(operand: Operand) -> CType:
    if isinstance(operand, ScalarValue):
        return ScalarType(operand.dtype)
    return cast("CType", cast("Any", operand).ctype)


def spill(builder: Builder, operand: Operand) -> RegisterPlace:
    """A temporary object that holds a value, for references to temporaries."""
    from migrate.parse.build.objects import make_object

    value = builder.value(operand)
    ctype = _type_of(operand)
    target = make_object(builder, "held", ctype, f"temporary:{builder.span}", value)
    return RegisterPlace(target, 0, ctype)


def element_of(builder: Builder, place: Place) -> tuple[Buffer, tuple[Expr, ...]]:
    """Buffer and indices of a scalar place for an atomic operation."""
    place = resolve(builder, place)
    if not isinstance(place, MemoryPlace) or not isinstance(place.ctype, ScalarType):
        raise builder.refuse("TLM208", "an atomic operation needs one element of one buffer")
    builder.unit.record_atomic(place.buffer, place.ctype.dtype)
    if place.buffer.dtype != place.ctype.dtype and not may_pun(place.buffer.dtype, place.ctype.dtype):
        raise builder.refuse("TLM208", f"atomic operation on {place.ctype.dtype} in a buffer of {place.buffer.dtype}")
    return place.buffer, indices(builder, place.buffer, place.offset, place.subscripts)


def is_not_null(builder: Builder, pointer: Value) -> Expr:
    """``pointer != nullptr``. Pointers into buffers count as set: launchers refuse null (note TLM108)."""
    if isinstance(pointer, NullPointer):
        return Const("bool", False)
    if isinstance(pointer, ChoicePointer):
        then, otherwise = is_not_null(builder, pointer.then), is_not_null(builder, pointer.otherwise)
        if isinstance(then, Const) and isinstance(otherwise, Const):
            if then.value == otherwise.value:
                return then
            return pointer.cond if then.value else _negate(pointer.cond)
        return Select(pointer.cond, then, otherwise, "bool", builder.span)
    if isinstance(pointer, PointerValue) and is_wide(pointer.buffer):
        builder.note("TLM108")
    return Const("bool", True)


def _negate(expr: Expr) -> Expr:
    from migrate.ir.kernel import Unary

    if isinstance(expr, Binary) and expr.op == "eq":
        return Binary("ne", expr.left, expr.right, "bool", expr.span)
    return Unary("not", expr, "bool", expr.span)


def leaf_values(builder: Builder, value: AggregateValue) -> Sequence[Expr]:
    """All scalar leaves of an aggregate value in memory order."""
    return [aggregate_leaf(builder, value, index) for index in range(len(leaves(value.ctype)))]


def is_record(ctype: CType) -> bool:
    """True for class types."""
    return isinstance(ctype, RecordType)
