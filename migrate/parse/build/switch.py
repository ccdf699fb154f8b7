"""switch: a chain of ifs over the cases; a case that falls through repeats the statements it falls into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import Binary, Break, Expr, If, Return, Stmt
from migrate.parse.build.builder import Builder, StatementHandler
from migrate.parse.build.hidden import expression_children
from migrate.parse.build.leaving import structure
from migrate.parse.build.literals import constant_of
from migrate.parse.build.markers import Leave
from migrate.parse.build.scalars import convert

_MOST_REPEATED = 256


@dataclass
class _Group:
    """Labels that stand together, and the statements up to the next label."""

    values: list[Cursor] = field(default_factory=list)
    default: bool = False
    statements: list[Cursor] = field(default_factory=list)


def switch(builder: Builder, cursor: Cursor) -> None:
    """``switch``. Refuses (TLM204) labels inside nested statements and ranges of cases."""
    children = list(cursor.get_children())
    while children and children[0].kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL):
        builder.execute(children.pop(0))
    value = builder.bind("selected", builder.scalar_of(children[0]))
    groups = _groups(builder, children[1])
    target = object()
    outer = builder.frame.switch_target
    builder.frame.switch_target = target
    builder.frame.breakables.append("switch")
    try:
        with builder.nested() as statements:
            _chain(builder, value, groups)
    finally:
        builder.frame.breakables.pop()
        builder.frame.switch_target = outer
    for statement in structure(statements, target, lambda: builder.fresh("left", "bool", mutable=True)):
        builder.block.append(statement)


def _groups(builder: Builder, body: Cursor) -> list[_Group]:
    groups: list[_Group] = []
    fresh = True
    for child in body.get_children():
        current = child
        while current.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
            if fresh is False or not groups:
                groups.append(_Group())
                fresh = True
            parts = list(current.get_children())
            if current.kind == CursorKind.CASE_STMT:
                if len(parts) > 2:
                    raise builder.refuse("TLM204", "a range of cases")
                groups[-1].values.append(parts[0])
            else:
                groups[-1].default = True
            if not parts or (current.kind == CursorKind.CASE_STMT and len(parts) < 2):
                raise builder.refuse("TLM204", "a case without a statement")
            current = parts[-1]
        if not groups:
            continue
        groups[-1].statements.append(current)
        fresh = False
        if _holds_label(current):
            raise builder.refuse("TLM204", "a case label inside another statement")
    return groups


def _holds_label(cursor: Cursor) -> bool:
    if cursor.kind == CursorKind.SWITCH_STMT:
        return False
    for child in cursor.get_children():
        if child.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT) or _holds_label(child):
            return True
    return False


def _chain(builder: Builder, value: Expr, groups: list[_Group]) -> None:
    bodies: list[tuple[Expr | None, list[Stmt]]] = []
    default: list[Stmt] = []
    repeated = 0
    for index, group in enumerate(groups):
        with builder.nested() as statements:
            for later in groups[index:]:
                repeated += later is not group
                if repeated > _MOST_REPEATED:
                    raise builder.refuse("TLM204", "cases fall through too often")
                if _run(builder, later.statements):
                    break
        if group.default:
            default = statements
            continue
        cond: Expr | None = None
        for label in group.values:
            constant = convert(constant_of(builder, _value(label)), value.dtype)
            test = Binary("eq", value, constant, "bool", builder.span)
            cond = test if cond is None else Binary("or", cond, test, "bool", builder.span)
        bodies.append((cond, statements))
    chain: list[Stmt] = default
    for cond, statements in reversed(bodies):
        assert cond is not None
        chain = [If(cond, tuple(statements), tuple(chain), builder.span)]
    builder.block.extend(chain)


def _value(label: Cursor) -> Cursor:
    children = expression_children(label)
    if label.kind == CursorKind.UNEXPOSED_EXPR and len(children) == 1 and constant_like(label) is False:
        return children[0]
    return label


def constant_like(label: Cursor) -> bool:
    """True if clang evaluates the label itself."""
    from migrate.parse.clang_extra import evaluate

    return evaluate(label) is not None


def _run(builder: Builder, statements: list[Cursor]) -> bool:
    """Builds the statements of a group; True if they end in a jump, so that nothing falls through."""
    for cursor in statements:
        builder.execute(cursor)
        if _always_jumps(builder.block):
            return True
    return False


def _always_jumps(block: list[Stmt]) -> bool:
    if not block:
        return False
    last: Any = block[-1]
    from migrate.ir.kernel import Continue

    if isinstance(last, Leave | Break | Continue | Return):
        return True
    if isinstance(last, If) and last.otherwise:
        return _always_jumps(list(last.then)) and _always_jumps(list(last.otherwise))
    return False


def leave_switch(builder: Builder) -> None:
    """``break`` in a switch."""
    builder.block.append(cast("Any", Leave(builder.frame.switch_target)))


HANDLERS: dict[CursorKind, StatementHandler] = {CursorKind.SWITCH_STMT: switch}
