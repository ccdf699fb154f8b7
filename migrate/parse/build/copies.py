"""``memcpy`` and ``memset`` of a constant size, on local objects and buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrate.ir.kernel import Const
from migrate.parse.build import elements, places, pointers
from migrate.parse.build.builder import Builder
from migrate.parse.build.scalars import constant
from migrate.parse.build.types import ArrayType, CType, ScalarType
from migrate.parse.build.values import AggregateValue, Cell, Operand, Pointer, ScalarValue

Copy = Callable[[Builder, Sequence[Operand]], Operand]


def _size(builder: Builder, operand: Operand) -> int:
    size = builder.scalar(operand)
    if not isinstance(size, Const):
        raise builder.refuse("TLM102", "memory is copied or set with a size that is not constant")
    return int(size.value)


def _pointer(builder: Builder, operand: Operand) -> Pointer:
    value = builder.value(operand)
    if isinstance(value, ScalarValue):
        raise builder.refuse("TLM105", "a number is used as an address")
    return value  # type: ignore[return-value]


def _view(pointer: Pointer, size: int) -> CType:
    """The pointee if it has the wanted size, else enough of them."""
    pointee = pointer.pointee
    if pointee.size == size:
        return pointee
    if pointee.size and size % pointee.size == 0 and pointee.size > 1:
        return ArrayType(pointee, size // pointee.size)
    word = ScalarType("uint32") if size % 4 == 0 else ScalarType("uint8")
    return word if word.size == size else ArrayType(word, size // word.size)


def copy(builder: Builder, arguments: Sequence[Operand]) -> Operand:
    """``memcpy(target, source, size)``."""
    size = _size(builder, arguments[2])
    target, source = _pointer(builder, arguments[0]), _pointer(builder, arguments[1])
    view = _view(source, size)
    value = builder.value(places.dereference(builder, pointers.retarget(source, view)))
    place = places.dereference(builder, pointers.retarget(target, _view(target, size)))
    if isinstance(value, ScalarValue) and not isinstance(place.ctype, ScalarType):
        value = AggregateValue(place.ctype, (Cell(0, value.expr),))
    elif isinstance(value, AggregateValue) and isinstance(place.ctype, ScalarType):
        value = ScalarValue(elements.cell_scalar(builder, value, 0, place.ctype.dtype))
    elif isinstance(value, ScalarValue) and isinstance(place.ctype, ScalarType):
        whole = AggregateValue(view, (Cell(0, value.expr),))
        value = ScalarValue(elements.cell_scalar(builder, whole, 0, place.ctype.dtype))
    builder.write(place, value)
    return arguments[0]


def fill(builder: Builder, arguments: Sequence[Operand]) -> Operand:
    """``memset(target, 0, size)``. Refuses other bytes than zero (TLM102)."""
    size = _size(builder, arguments[2])
    byte = builder.scalar(arguments[1])
    if not isinstance(byte, Const) or int(byte.value) != 0:
        raise builder.refuse("TLM102", "memory is set to bytes other than zero")
    target = _pointer(builder, arguments[0])
    view = _view(target, size)
    place = places.dereference(builder, pointers.retarget(target, view))
    zero: Operand = AggregateValue(view, ())
    if isinstance(view, ScalarType):
        zero = ScalarValue(constant(view.dtype, 0))
    builder.write(place, zero)
    return arguments[0]


COPIES: dict[str, Copy] = {"memcpy": copy, "memmove": copy, "__builtin_memcpy": copy, "memset": fill}
