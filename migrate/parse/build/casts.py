"""Conversions, written or implied. libclang shows implied ones as a node whose type differs from its child's."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import DType
from migrate.parse.build import places, pointers
from migrate.parse.build.builder import PLACES, POINTERS, Builder, Handler
from migrate.parse.build.hidden import expression_children
from migrate.parse.build.literals import try_constant
from migrate.parse.build.objects import zero_value
from migrate.parse.build.scalars import constant, convert
from migrate.parse.build.types import (
    ArrayType,
    CType,
    OpaqueType,
    PointerType,
    RecordType,
    ReferenceType,
    ScalarType,
    VoidType,
)
from migrate.parse.build.values import (
    ChoicePlace,
    ClosureValue,
    MemoryPlace,
    NullPointer,
    Operand,
    Place,
    RegisterPlace,
    ScalarValue,
    StringValue,
    TextureValue,
    ValuePlace,
)


def implicit(builder: Builder, cursor: Cursor) -> Operand:
    """An implied conversion, a temporary, a default argument or a value initialisation."""
    children = expression_children(cursor)
    ctype = builder.ctype(cursor)
    if not children:
        found = try_constant(builder, cursor)
        if found is not None:
            return ScalarValue(found)
        return zero_value(builder, ctype)
    if len(children) != 1:
        raise builder.refuse("TLM101", "an expression that the parser does not expose")
    return convert_operand(builder, builder.evaluate(children[0]), ctype, implied=True)


def explicit(builder: Builder, cursor: Cursor) -> Operand:
    """``(T)e``, ``T(e)``, ``static_cast``, ``reinterpret_cast``, ``const_cast``."""
    children = expression_children(cursor)
    ctype = builder.ctype(cursor)
    if not children:
        return zero_value(builder, ctype)
    if isinstance(ctype, VoidType):
        builder.evaluate(children[-1])
        return ScalarValue(constant("int32", 0))
    operand = builder.evaluate(children[-1])
    if cursor.kind == CursorKind.CXX_REINTERPRET_CAST_EXPR and not isinstance(ctype, PointerType):
        return _pun(builder, operand, ctype)
    return convert_operand(builder, operand, ctype, implied=False)


def _pun(builder: Builder, operand: Operand, ctype: CType) -> Operand:
    """``reinterpret_cast<T&>(x)``: the same object seen as another type."""
    if isinstance(operand, PLACES) and not isinstance(ctype, OpaqueType):
        pointer = pointers.retarget(places.address_of(builder, operand), ctype)
        return places.dereference(builder, pointer)
    return convert_operand(builder, operand, ctype, implied=False)


def convert_operand(builder: Builder, operand: Operand, ctype: CType, *, implied: bool) -> Operand:
    """C conversion of any operand. Places of the wanted type stay places."""
    if isinstance(ctype, ReferenceType):
        ctype = ctype.target
    if isinstance(operand, ClosureValue | StringValue | TextureValue) or isinstance(ctype, OpaqueType):
        return operand
    if isinstance(ctype, VoidType):
        return operand
    if isinstance(ctype, ScalarType):
        return _to_scalar(builder, operand, ctype.dtype, implied)
    if isinstance(ctype, PointerType):
        return _to_pointer(builder, operand, ctype)
    if isinstance(ctype, RecordType):
        return _to_record(builder, operand, ctype)
    return operand


def _to_scalar(builder: Builder, operand: Operand, dtype: DType, implied: bool) -> Operand:
    if isinstance(operand, PLACES) and isinstance(operand.ctype, ScalarType) and operand.ctype.dtype == dtype:
        return operand
    value = builder.value(operand)
    if isinstance(value, ScalarValue):
        return ScalarValue(convert(value.expr, dtype, builder.span, implicit=implied))
    return ScalarValue(builder.scalar(value, dtype))


def _to_pointer(builder: Builder, operand: Operand, ctype: PointerType) -> Operand:
    if isinstance(operand, PLACES) and isinstance(operand.ctype, ArrayType):
        pointer = places.address_of(builder, operand)
        pointee = ctype.pointee if not isinstance(ctype.pointee, VoidType) else operand.ctype.element
        return pointers.retarget(pointer, pointee)
    if isinstance(operand, PLACES) and _is_pointer_to(operand.ctype, ctype.pointee):
        return operand
    value = builder.value(operand)
    if isinstance(value, POINTERS):
        if isinstance(ctype.pointee, OpaqueType):
            return value
        return pointers.retarget(value, ctype.pointee)
    if isinstance(value, ScalarValue) and constant("int32", 0) == value.expr:
        return NullPointer(ctype.pointee)
    if isinstance(value, ScalarValue):
        found = value.expr
        if getattr(found, "value", 1) == 0:
            return NullPointer(ctype.pointee)
    raise builder.refuse("TLM105", f"a number is made a pointer ({ctype.spelling})")


def _is_pointer_to(ctype: CType, pointee: CType) -> bool:
    return isinstance(ctype, PointerType) and _same(ctype.pointee, pointee)


def _same(left: CType, right: CType) -> bool:
    return left == right or (
        isinstance(left, ScalarType) and isinstance(right, ScalarType) and left.dtype == right.dtype
    )


def _to_record(builder: Builder, operand: Operand, ctype: RecordType) -> Operand:
    """Derived to base, or the same class."""
    if not isinstance(operand, PLACES):
        return operand
    source = operand.ctype
    if not isinstance(source, RecordType) or source.name == ctype.name or not ctype.fields:
        return operand
    offset = _base_offset(source, ctype)
    if offset is None:
        return operand
    return places.member(builder, operand, offset, ctype)


def _base_offset(source: RecordType, wanted: RecordType) -> int | None:
    for field in source.fields:
        if field.name.startswith("<base") and isinstance(field.ctype, RecordType):
            if field.ctype.same_as(wanted):
                return field.offset
            inner = _base_offset(field.ctype, wanted)
            if inner is not None:
                return field.offset + inner
    return None


def with_type(place: Place, ctype: CType) -> Place:
    """The same place under another type of the same size."""
    if isinstance(place, MemoryPlace):
        return MemoryPlace(place.buffer, place.offset, ctype, place.subscripts)
    if isinstance(place, RegisterPlace):
        return RegisterPlace(place.target, place.offset, ctype)
    if isinstance(place, ChoicePlace):
        return ChoicePlace(place.cond, with_type(place.then, ctype), with_type(place.otherwise, ctype), ctype)
    return ValuePlace(place.value, ctype)


HANDLERS: dict[CursorKind, Handler] = {
    CursorKind.UNEXPOSED_EXPR: implicit,
    CursorKind.CSTYLE_CAST_EXPR: explicit,
    CursorKind.CXX_STATIC_CAST_EXPR: explicit,
    CursorKind.CXX_REINTERPRET_CAST_EXPR: explicit,
    CursorKind.CXX_CONST_CAST_EXPR: explicit,
    CursorKind.CXX_FUNCTIONAL_CAST_EXPR: explicit,
}
