"""Names, members, ``this``, subscripts."""

from __future__ import annotations

from typing import cast

from clang.cindex import Cursor, CursorKind, TypeKind

from migrate.ir.kernel import Expr
from migrate.parse.build import places, pointers
from migrate.parse.build.builder import PLACES, POINTERS, Builder, Handler
from migrate.parse.build.hidden import expression_children, peel
from migrate.parse.build.literals import try_constant
from migrate.parse.build.roots import global_variable
from migrate.parse.build.scalars import constant, convert
from migrate.parse.build.types import SIZES, ArrayType, RecordType, ReferenceType, ScalarType, member_type
from migrate.parse.build.values import (
    AggregateValue,
    ClosureValue,
    MemoryPlace,
    Operand,
    Place,
    ScalarValue,
    ValuePlace,
)
from migrate.parse.clang_extra import has_global_storage

_FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE)


def name(builder: Builder, cursor: Cursor) -> Operand:
    """A name: variable, parameter, enumerator, template argument or function."""
    referenced = cursor.referenced
    if referenced is None or referenced.kind.is_invalid() or referenced.kind == CursorKind.TEMPLATE_NON_TYPE_PARAMETER:
        children = expression_children(cursor)
        if children:
            return _as_type(builder, cursor, builder.evaluate(children[0]))
        found = try_constant(builder, cursor)
        if found is not None:
            return ScalarValue(found)
        raise builder.refuse("TLM101", f"the name {cursor.spelling!r} is not resolved")
    bound = builder.frame.lookup(referenced.hash)
    if bound is not None:
        return bound
    if referenced.kind == CursorKind.ENUM_CONSTANT_DECL:
        ctype = builder.ctype(cursor)
        dtype = ctype.dtype if isinstance(ctype, ScalarType) else "int32"
        return ScalarValue(constant(dtype, referenced.enum_value, builder.span))
    if referenced.kind in _FUNCTIONS:
        return ClosureValue(referenced, None, {})
    if referenced.kind in (CursorKind.VAR_DECL, CursorKind.FIELD_DECL) and has_global_storage(referenced):
        return global_variable(builder, referenced)
    found = try_constant(builder, cursor)
    if found is not None:
        return ScalarValue(found)
    raise builder.refuse("TLM101", f"the name {cursor.spelling!r} means nothing that a kernel can use")


def _as_type(builder: Builder, cursor: Cursor, operand: Operand) -> Operand:
    ctype = builder.ctype(cursor)
    if isinstance(ctype, ScalarType):
        return ScalarValue(builder.scalar(operand, ctype.dtype))
    return operand


def object_place(builder: Builder, cursor: Cursor) -> Operand:
    """The object of a member access: through a pointer, by name, or ``this`` where none is written."""
    children = expression_children(cursor)
    if not children:
        return this_place(builder)
    operand = builder.evaluate(children[0])
    if builder.ctype(children[0]).__class__.__name__ == "PointerType":
        return places.dereference(builder, builder.value(operand))
    return operand


def this_place(builder: Builder) -> Place:
    """``*this`` of the current function, or of the one around a lambda."""
    frame = builder.frame
    while frame is not None:
        if frame.this is not None:
            return frame.this
        if frame.outer is None:
            break
        frame = frame.outer
    raise builder.refuse("TLM101", "'this' outside of a method that is placed inline")


def member(builder: Builder, cursor: Cursor) -> Operand:
    """``a.b``, ``p->b`` and members of ``this``."""
    referenced = cursor.referenced
    if referenced is None:
        raise builder.refuse("TLM101", f"member {cursor.spelling!r} is not resolved")
    if referenced.kind == CursorKind.ENUM_CONSTANT_DECL:
        return name(builder, cursor)
    if referenced.kind == CursorKind.VAR_DECL:
        found = try_constant(builder, cursor)
        return ScalarValue(found) if found is not None else global_variable(builder, referenced)
    if referenced.kind != CursorKind.FIELD_DECL:
        raise builder.refuse("TLM101", f"member {cursor.spelling!r} is a function that is not called")
    operand = object_place(builder, cursor)
    ctype = builder.unit.types.read(referenced.type, builder.span)
    position = referenced.get_field_offsetof()
    if not referenced.spelling or position < 0:
        position = _position(builder, operand, cursor.spelling) * 8
    if not isinstance(operand, PLACES) and not isinstance(operand, AggregateValue):
        raise builder.refuse("TLM101", f"member {cursor.spelling} of something that is no object")
    if isinstance(ctype, ReferenceType):
        pointer = builder.value(places.member(builder, operand, position // 8, member_type(ctype)))
        return places.dereference(builder, pointer)
    return places.member(builder, operand, position // 8, ctype)


def _position(builder: Builder, operand: Operand, label: str) -> int:
    ctype = getattr(operand, "ctype", None)
    if isinstance(ctype, RecordType):
        found = ctype.field(label) if label else None
        if found is not None:
            return found.offset
        anonymous = [field for field in ctype.fields if field.name.startswith("<anonymous")]
        if not label and len(anonymous) == 1:
            return anonymous[0].offset
    raise builder.refuse("TLM106", "the position of a member could not be found")


def this(builder: Builder, _cursor: Cursor) -> Operand:
    """``this``."""
    return places.address_of(builder, this_place(builder))


def subscript(builder: Builder, cursor: Cursor) -> Operand:
    """``a[i]``. Arrays stay arrays, so that ``a[i][j]`` keeps its two indices."""
    base, index = expression_children(cursor)
    if base.type.get_canonical().kind not in (TypeKind.POINTER, *_ARRAY_KINDS) and not _is_array(builder, base):
        base, index = index, base
    array = _undecayed(builder, base)
    results = builder.in_order(
        [lambda: builder.evaluate(array), lambda: ScalarValue(_index(builder.scalar_of(index)))], places=True
    )
    where = cast("ScalarValue", results[1]).expr
    operand = results[0]
    if isinstance(operand, PLACES) and isinstance(operand.ctype, ArrayType):
        return places.element(builder, operand, where)
    value = builder.value(operand)
    if isinstance(value, AggregateValue):
        return places.element(builder, ValuePlace(value, value.ctype), where)
    return places.dereference(builder, pointers.advance(builder, value, where))


_ARRAY_KINDS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)


def _is_array(builder: Builder, cursor: Cursor) -> bool:
    return isinstance(builder.ctype(cursor), ArrayType)


def _index(expr: Expr) -> Expr:
    return convert(expr, "int32") if SIZES[expr.dtype] < 4 else expr


def _undecayed(builder: Builder, cursor: Cursor) -> Cursor:
    """The array under an implicit conversion to a pointer, else the cursor itself."""
    current = peel(cursor)
    if current.kind == CursorKind.UNEXPOSED_EXPR:
        inner = expression_children(current)
        if len(inner) == 1 and _is_array(builder, peel(inner[0])):
            return peel(inner[0])
    return current


def parenthesis(builder: Builder, cursor: Cursor) -> Operand:
    """``(e)``."""
    return builder.evaluate(expression_children(cursor)[0])


def place_of(builder: Builder, operand: Operand) -> Place:
    """An operand as a place; refuses values."""
    if isinstance(operand, PLACES):
        return operand
    raise builder.refuse("TLM101", "an object is needed here")


def is_array_place(operand: Operand) -> bool:
    """True for a place of array type."""
    return isinstance(operand, PLACES) and isinstance(operand.ctype, ArrayType)


def is_memory(operand: Operand) -> bool:
    """True for a place in a buffer."""
    return isinstance(operand, MemoryPlace)


def is_pointer(operand: Operand) -> bool:
    """True for pointer values."""
    return isinstance(operand, POINTERS)


HANDLERS: dict[CursorKind, Handler] = {
    CursorKind.DECL_REF_EXPR: name,
    CursorKind.MEMBER_REF_EXPR: member,
    CursorKind.CXX_THIS_EXPR: this,
    CursorKind.ARRAY_SUBSCRIPT_EXPR: subscript,
    CursorKind.PAREN_EXPR: parenthesis,
}
