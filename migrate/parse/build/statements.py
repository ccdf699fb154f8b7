"""Statements other than loops, switches and declarations."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import Break, Const, Continue, If, Return
from migrate.parse.build.builder import Builder, StatementHandler
from migrate.parse.build.hidden import expression_children, peel
from migrate.parse.build.inline import give_back
from migrate.parse.build.operators import discard
from migrate.parse.build.scalars import to_bool
from migrate.parse.build.types import RecordType, ReferenceType, ScalarType, VoidType
from migrate.parse.build.values import Operand


def compound(builder: Builder, cursor: Cursor) -> None:
    """``{ ... }``. What follows a return, break or continue of the same list is dead and left out."""
    for child in cursor.get_children():
        builder.execute(child)
        if child.kind in (CursorKind.RETURN_STMT, CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT):
            break


def branch(builder: Builder, cursor: Cursor) -> None:
    """``if``; a constant condition keeps only its branch."""
    children = list(cursor.get_children())
    while children and children[0].kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL):
        builder.execute(children.pop(0))
    cond = to_bool(builder.scalar_of(children[0], "bool"))
    if isinstance(cond, Const):
        chosen, other = children[1:2], children[2:3]
        if not cond.value:
            chosen, other = other, chosen
        builder.unit.left_out += [builder.unit.context.span(child) for child in other]
        for child in chosen:
            builder.execute(child)
        return
    with builder.nested() as then:
        builder.execute(children[1])
    with builder.nested() as otherwise:
        if len(children) > 2:
            builder.execute(children[2])
    if then or otherwise:
        builder.emit(If(cond, tuple(then), tuple(otherwise), builder.span))


def return_statement(builder: Builder, cursor: Cursor) -> None:
    """``return``: of a kernel, a kept function or an inlined body."""
    frame = builder.frame
    children = expression_children(cursor)
    if frame.mode == "kernel":
        builder.emit(Return(None, builder.span))
        return
    operand: Operand | None = None
    if children and isinstance(frame.result_type, VoidType):
        discard(builder, children[0])
    elif children:
        operand = _result(builder, children[0])
    give_back(builder, operand)


def _result(builder: Builder, cursor: Cursor) -> Operand:
    result_type = builder.frame.result_type
    if isinstance(result_type, ReferenceType):
        return builder.evaluate(cursor)
    from migrate.parse.build.declarations import initial_value

    if isinstance(result_type, RecordType) and peel(cursor).kind != CursorKind.INIT_LIST_EXPR:
        from migrate.parse.build.construct import unshared

        return unshared(builder, builder.evaluate(cursor))
    value = initial_value(builder, cursor, result_type)
    if isinstance(result_type, ScalarType):
        from migrate.parse.build.values import ScalarValue

        return ScalarValue(builder.scalar(value, result_type.dtype))
    return value


def break_statement(builder: Builder, _cursor: Cursor) -> None:
    """``break`` of a loop; in a switch it leaves the switch."""
    from migrate.parse.build.switch import leave_switch

    if builder.frame.breakables and builder.frame.breakables[-1] == "switch":
        leave_switch(builder)
    else:
        builder.emit(Break(builder.span))


def continue_statement(builder: Builder, _cursor: Cursor) -> None:
    """``continue``."""
    builder.emit(Continue(builder.span))


def nothing(_builder: Builder, _cursor: Cursor) -> None:
    """``;``."""


def attributed(builder: Builder, cursor: Cursor) -> None:
    """A statement with attributes; ``#pragma unroll`` is one of them."""
    from migrate.parse.build.loops import attributed_loop

    attributed_loop(builder, cursor)


def expression(builder: Builder, cursor: Cursor) -> None:
    """An expression for its effects."""
    discard(builder, cursor)


def refuse_goto(builder: Builder, _cursor: Cursor) -> None:
    """``goto`` and labels."""
    raise builder.refuse("TLM200", "goto is not converted")


def refuse_assembly(builder: Builder, _cursor: Cursor) -> None:
    """Inline assembly."""
    raise builder.refuse("TLM201", "inline assembly is not converted")


def refuse_exception(builder: Builder, _cursor: Cursor) -> None:
    """try, catch, throw."""
    raise builder.refuse("TLM211", "exceptions are not converted")


HANDLERS: dict[CursorKind, StatementHandler] = {
    CursorKind.COMPOUND_STMT: compound,
    CursorKind.IF_STMT: branch,
    CursorKind.RETURN_STMT: return_statement,
    CursorKind.BREAK_STMT: break_statement,
    CursorKind.CONTINUE_STMT: continue_statement,
    CursorKind.NULL_STMT: nothing,
    CursorKind.UNEXPOSED_STMT: attributed,
    CursorKind.GOTO_STMT: refuse_goto,
    CursorKind.INDIRECT_GOTO_STMT: refuse_goto,
    CursorKind.LABEL_STMT: refuse_goto,
    CursorKind.ASM_STMT: refuse_assembly,
    CursorKind.MS_ASM_STMT: refuse_assembly,
    CursorKind.CXX_TRY_STMT: refuse_exception,
    CursorKind.CXX_THROW_EXPR: refuse_exception,
    CursorKind.BINARY_OPERATOR: expression,
    CursorKind.UNARY_OPERATOR: expression,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: expression,
    CursorKind.PAREN_EXPR: expression,
    CursorKind.UNEXPOSED_EXPR: expression,
    CursorKind.CALL_EXPR: expression,
}
