"""Literals, sizeof and null pointers."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import Expr
from migrate.parse.build.builder import Builder, Handler
from migrate.parse.build.scalars import constant
from migrate.parse.build.types import ScalarType, VoidType
from migrate.parse.build.values import NullPointer, Operand, ScalarValue, StringValue
from migrate.parse.clang_extra import evaluate


def literal(builder: Builder, cursor: Cursor) -> Operand:
    """A number, character, bool, sizeof or alignof. Refuses (TLM109) what clang cannot evaluate."""
    return ScalarValue(constant_of(builder, cursor))


def constant_of(builder: Builder, cursor: Cursor) -> Expr:
    """A constant expression as a `Const` of its own type."""
    found = try_constant(builder, cursor)
    if found is None:
        raise builder.refuse("TLM109", "the value of a constant expression could not be found")
    return found


def try_constant(builder: Builder, cursor: Cursor) -> Expr | None:
    """As `constant_of`; None if the expression is not constant or not scalar."""
    ctype = builder.ctype(cursor)
    if not isinstance(ctype, ScalarType):
        return None
    value = evaluate(cursor)
    return None if value is None else constant(ctype.dtype, value, builder.span)


def null_pointer(_builder: Builder, _cursor: Cursor) -> Operand:
    """``nullptr``."""
    return NullPointer(VoidType())


def string(_builder: Builder, cursor: Cursor) -> Operand:
    """A string literal."""
    return StringValue(cursor.spelling)


HANDLERS: dict[CursorKind, Handler] = {
    CursorKind.INTEGER_LITERAL: literal,
    CursorKind.FLOATING_LITERAL: literal,
    CursorKind.CHARACTER_LITERAL: literal,
    CursorKind.CXX_BOOL_LITERAL_EXPR: literal,
    CursorKind.CXX_UNARY_EXPR: literal,
    CursorKind.SIZE_OF_PACK_EXPR: literal,
    CursorKind.CXX_NULL_PTR_LITERAL_EXPR: null_pointer,
    CursorKind.GNU_NULL_EXPR: null_pointer,
    CursorKind.STRING_LITERAL: string,
}
