"""The compiler's own functions: hints that mean nothing here, and constants."""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor

from migrate.parse.build.builder import Builder
from migrate.parse.build.literals import try_constant
from migrate.parse.build.scalars import constant
from migrate.parse.build.values import Operand, ScalarValue

_FIRST_ARGUMENT = frozenset({"__builtin_assume_aligned", "__builtin_expect", "__builtin_launder"})
_NOTHING = frozenset({"__builtin_assume", "__builtin_unreachable", "__builtin_prefetch"})


def compiler_builtin(builder: Builder, cursor: Cursor, name: str, arguments: Sequence[Cursor]) -> Operand | None:
    """Result of a ``__builtin_`` call; None if it is to be treated like any other function."""
    if name in _FIRST_ARGUMENT and arguments:
        return builder.evaluate(arguments[0])
    if name in _NOTHING:
        return ScalarValue(constant("int32", 0))
    found = try_constant(builder, cursor)
    return None if found is None else ScalarValue(found)
