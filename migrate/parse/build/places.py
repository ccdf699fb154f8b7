"""Places: members, elements, addresses, and objects whose slots are chosen at their first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from migrate.ir.kernel import Binary, Buffer, Const, Expr, Select
from migrate.parse.build import pointers
from migrate.parse.build.elements import cell_scalar, indices, shifted, whole_index
from migrate.parse.build.plan import may_pun
from migrate.parse.build.types import SIZES, ArrayType, CType, PointerType, ScalarType
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
    return value_part(builder, value, offset, ctype)


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
