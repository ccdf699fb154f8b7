"""Local declarations."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from migrate.parse.build.bindings import bound_operand
from migrate.parse.build.builder import Builder, StatementHandler
from migrate.parse.build.hidden import initializer, peel
from migrate.parse.build.initializers import init_value
from migrate.parse.build.objects import make_object
from migrate.parse.build.types import ArrayType, CType, OpaqueType, PointerType, RecordType, ReferenceType, ScalarType
from migrate.parse.build.unit import declaration_key
from migrate.parse.build.values import AggregateValue, Cell, Operand, RegisterPlace, ScalarValue, StringValue, Value
from migrate.parse.clang_extra import has_global_storage

_IGNORED = frozenset(
    {
        CursorKind.STRUCT_DECL,
        CursorKind.CLASS_DECL,
        CursorKind.UNION_DECL,
        CursorKind.ENUM_DECL,
        CursorKind.TYPEDEF_DECL,
        CursorKind.TYPE_ALIAS_DECL,
        CursorKind.TYPE_ALIAS_TEMPLATE_DECL,
        CursorKind.STATIC_ASSERT,
        CursorKind.USING_DIRECTIVE,
        CursorKind.USING_DECLARATION,
        CursorKind.NAMESPACE_ALIAS,
        CursorKind.FUNCTION_DECL,
        CursorKind.UNEXPOSED_DECL,
    }
)


def declaration_statement(builder: Builder, cursor: Cursor) -> None:
    """All declarators of a declaration."""
    for child in cursor.get_children():
        if child.kind == CursorKind.VAR_DECL:
            with_span(builder, child)
        elif child.kind not in _IGNORED:
            raise builder.refuse("TLM206", f"declaration {child.kind.name.lower()} is not converted")


def with_span(builder: Builder, cursor: Cursor) -> None:
    """One variable, at its own position."""
    builder._spans.append(builder.unit.context.span(cursor))
    try:
        variable(builder, cursor)
    finally:
        builder._spans.pop()


def variable(builder: Builder, cursor: Cursor) -> None:
    """A local variable; those of static storage are made when they are used."""
    if has_global_storage(cursor):
        return
    ctype = builder.ctype(cursor)
    start = initializer(cursor)
    name, key, mutated = cursor.spelling, declaration_key(cursor), cursor.hash in builder.frame.mutated
    inlined = builder.frame.mode == "inline"  # what only an inlined body names may be forwarded
    if start is None:
        builder.frame.bindings[cursor.hash] = _undefined(builder, name, key, ctype)
        return
    inner = peel(start)
    if inner.kind == CursorKind.CALL_EXPR and _is_plain_construction(builder, inner, ctype):
        builder.frame.bindings[cursor.hash] = _undefined(builder, name, key, ctype)
        return
    if isinstance(ctype, ReferenceType):
        operand: Operand = builder.evaluate(start)
    else:
        builder.wanted_name = name if isinstance(ctype, RecordType) else None
        if isinstance(ctype, RecordType) and inner.kind != CursorKind.INIT_LIST_EXPR:
            operand = builder.evaluate(start)
        else:
            operand = initial_value(builder, start, ctype)
        builder.wanted_name = None
    bound = bound_operand(builder, name, key, ctype, operand, mutated, temporary=inlined)
    builder.frame.bindings[cursor.hash] = bound


def _is_plain_construction(builder: Builder, call: Cursor, ctype: CType) -> bool:
    """``T x;`` with a constructor that does nothing: the object stays undefined."""
    from migrate.parse.build.construct import _defaults
    from migrate.parse.build.hidden import body_of, expression_children, is_written

    constructor = call.referenced
    if constructor is None or constructor.kind != CursorKind.CONSTRUCTOR or list(call.get_arguments()):
        return False
    if isinstance(ctype, ScalarType):
        return True
    definition = constructor if body_of(constructor) is not None else constructor.get_definition()
    has_body = definition is not None and is_written(definition)
    inner: CType = ctype
    while isinstance(inner, ArrayType):
        inner = inner.element
    if isinstance(inner, ScalarType):
        return True
    if isinstance(ctype, ArrayType) and has_body:
        raise builder.refuse("TLM106", "an array of objects with constructors")
    written = any(child.kind == CursorKind.TYPE_REF for child in call.get_children())
    return not has_body and not written and not expression_children(call) and not _defaults(builder, call)


def _undefined(builder: Builder, name: str, key: str, ctype: CType) -> Operand:
    if isinstance(ctype, OpaqueType):
        raise builder.refuse("TLM106", f"an object of type {ctype.spelling} is not converted")
    target = make_object(builder, name, ctype, key, temporary=builder.frame.mode == "inline")
    return RegisterPlace(target, 0, ctype)


def initial_value(builder: Builder, start: Cursor, ctype: CType) -> Value:
    """The value of an initialiser for a variable or member of ``ctype``."""
    inner = peel(start)
    if inner.kind == CursorKind.INIT_LIST_EXPR and isinstance(ctype, ScalarType | PointerType | ArrayType | RecordType):
        return builder.value(init_value(builder, inner, ctype))
    value = builder.value(builder.evaluate(start))
    if isinstance(ctype, ArrayType) and isinstance(value, StringValue):
        return _text(builder, inner, ctype)
    if isinstance(ctype, ScalarType):
        return ScalarValue(builder.scalar(value, ctype.dtype))
    return value


def _text(builder: Builder, cursor: Cursor, ctype: ArrayType) -> Value:
    text = cursor.spelling.strip('"')
    if "\\" in text or not isinstance(ctype.element, ScalarType):
        raise builder.refuse("TLM101", "an array that is initialised with escaped text")
    cells = tuple(Cell(index, builder.scalar(ScalarValue(_byte(byte)))) for index, byte in enumerate(text.encode()))
    return AggregateValue(ctype, cells)


def _byte(value: int):  # type: ignore[no-untyped-def]
    from migrate.parse.build.scalars import constant

    return constant("int8", value)


HANDLERS: dict[CursorKind, StatementHandler] = {
    CursorKind.DECL_STMT: declaration_statement,
    CursorKind.VAR_DECL: with_span,
}
