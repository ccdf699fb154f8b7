"""Calls that only people see: output and assertions. They have no form in a port and are left out with a warning."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain

from clang.cindex import Cursor, CursorKind

from migrate.diagnostics import refuse
from migrate.ir.kernel import Atomic, Kernel, Scope, Store
from migrate.ir.span import Span
from migrate.parse.build.builder import Builder
from migrate.parse.build.rewrite import walk_statements
from migrate.parse.build.types import VoidType
from migrate.parse.build.values import AggregateValue, Operand

PRINTS = frozenset({"printf", "fprintf", "puts", "putchar", "vprintf"})
ASSERTION = "__cushim_assert"
_OUTSIDE = (Scope.GLOBAL, Scope.DEVICE)


def drop_output(builder: Builder, name: str, arguments: list[Cursor]) -> Operand:
    """A call of printf or a relative: its arguments are evaluated for their effects, its result cannot be used."""
    _evaluate(builder, arguments)
    builder.warn("TLM241", f"the output of {name} is left out")
    return AggregateValue(VoidType())


def drop_assertion(builder: Builder, arguments: list[Cursor]) -> Operand:
    """``assert(x)``: as with NDEBUG, but the effects of ``x`` stay."""
    _evaluate(builder, arguments)
    builder.warn("TLM242", "an assertion is left out")
    return AggregateValue(VoidType())


def drop_trap(builder: Builder) -> Operand:
    """``__trap()`` or ``abort()``: like an assertion that fails; the port goes on where the original has ended."""
    builder.warn("TLM242", "a trap is left out")
    return AggregateValue(VoidType())


def refuse_mere_output(kernel: Kernel) -> None:
    """Refuses (TLM202) a kernel that does nothing but print."""
    printed = next((warning for warning in kernel.warnings if warning.code == "TLM241"), None)
    if printed is None or _writes_memory(kernel):
        return
    raise refuse("TLM202", "the kernel does nothing but print", Span(printed.file, printed.line, printed.column, 0, 0))


def _writes_memory(kernel: Kernel) -> bool:
    for statement in chain(walk_statements(kernel.body), *(walk_statements(f.body) for f in kernel.functions)):
        if isinstance(statement, (Store, Atomic)) and statement.buffer.scope in _OUTSIDE:
            return True
    return False


def _evaluate(builder: Builder, arguments: list[Cursor]) -> None:
    actions: list[Callable[[], Operand]] = [
        partial(builder.evaluate, argument) for argument in arguments if not _is_text(argument)
    ]
    builder.in_order(actions, places=True)


def _is_text(cursor: Cursor) -> bool:
    while cursor.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        children = list(cursor.get_children())
        if len(children) != 1:
            return False
        cursor = children[0]
    return bool(cursor.kind == CursorKind.STRING_LITERAL)
