"""Lambdas: called directly, or passed to device functions that are placed inline."""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor, CursorKind

from migrate.parse.build.builder import PLACES, Builder
from migrate.parse.build.hidden import body_of
from migrate.parse.build.inline import call_inline
from migrate.parse.build.values import ClosureValue, Operand, ValuePlace


def make_closure(builder: Builder, cursor: Cursor) -> ClosureValue:
    """A lambda with its copied captures taken now. Refuses (TLM116) captures with initialisers."""
    names = _captures(cursor)
    captured: dict[int, Operand] = {}
    copies_all = "=" in names
    copied = {name for name in names if not name.startswith("&") and name not in ("=", "this", "*this")}
    if any("=" in name and name != "=" for name in names):
        raise builder.refuse("TLM116", "a lambda captures with an initialiser")
    if copies_all or copied:
        _copy(builder, cursor, captured, None if copies_all else copied)
    return ClosureValue(cursor, builder.frame, captured)


def _captures(cursor: Cursor) -> list[str]:
    """The captures as written, one string each."""
    text = ""
    for token in cursor.get_tokens():
        text += token.spelling
        if token.spelling == "]":
            break
    return [part for part in text.strip("[]").split(",") if part]


def _copy(builder: Builder, cursor: Cursor, captured: dict[int, Operand], wanted: set[str] | None) -> None:
    for child in cursor.get_children():
        if child.kind == CursorKind.DECL_REF_EXPR and child.referenced is not None:
            declaration = child.referenced
            bound = builder.frame.lookup(declaration.hash)
            if bound is None or declaration.hash in captured:
                continue
            if wanted is not None and declaration.spelling not in wanted:
                continue
            if isinstance(bound, PLACES):
                value = builder.value(builder.freeze(bound))
                captured[declaration.hash] = ValuePlace(value, bound.ctype)
        _copy(builder, child, captured, wanted)


def call_closure(
    builder: Builder, closure: ClosureValue, method: Cursor | None, arguments: Sequence[Cursor] | Sequence[Operand]
) -> Operand:
    """A call of a lambda; ``method`` is the instantiated call operator where the lambda is generic."""
    operands = [builder.evaluate(item) if isinstance(item, Cursor) else item for item in arguments]
    if closure.cursor.kind != CursorKind.LAMBDA_EXPR:
        from migrate.parse.build.functions import call_function

        return call_function(builder, closure.cursor, operands)
    function = closure.cursor
    if method is not None and body_of(method) is not None:
        function = method
    return call_inline(builder, function, operands, None, outer=closure.frame, captured=dict(closure.captured))
