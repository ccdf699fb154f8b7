"""Host expressions made of literals only, and the macro that a literal stands behind."""

from __future__ import annotations

import re

from clang.cindex import CursorKind

from migrate.parse.clang_extra import evaluate
from migrate.parse.launches.program import Node
from migrate.parse.launches.source import source_text

_LEAVES = frozenset(
    {
        CursorKind.INTEGER_LITERAL,
        CursorKind.FLOATING_LITERAL,
        CursorKind.CHARACTER_LITERAL,
        CursorKind.CXX_BOOL_LITERAL_EXPR,
        CursorKind.CXX_UNARY_EXPR,
    }
)
_INNER = frozenset(
    {
        CursorKind.PAREN_EXPR,
        CursorKind.UNEXPOSED_EXPR,
        CursorKind.BINARY_OPERATOR,
        CursorKind.UNARY_OPERATOR,
        CursorKind.CSTYLE_CAST_EXPR,
        CursorKind.CXX_STATIC_CAST_EXPR,
        CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
    }
)
_IDENTIFIER = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def _only_literals(node: Node) -> bool:
    if node.kind in _LEAVES:
        return True
    parts = node.expressions()
    return node.kind in _INNER and bool(parts) and all(_only_literals(part) for part in parts)


def is_literal(node: Node) -> bool:
    """Whether ``node`` is built from literals alone, has a value, and is at most one macro (``N``, not ``N * M``)."""
    if not _only_literals(node) or evaluate(node.cursor) is None:
        return False
    if node.kind in _LEAVES:
        return True
    text = _without_sizeof(source_text(node.cursor))
    names = _IDENTIFIER.findall(text)
    return not names or macro_name(node) is not None or not _has_operator(node)


def _has_operator(node: Node) -> bool:
    return any(inner.kind == CursorKind.BINARY_OPERATOR for inner in node.walk())


def _without_sizeof(text: str) -> str:
    return re.sub(r"\bsizeof\s*(\([^()]*\)|\w+)", "1", text)


def macro_name(node: Node) -> str | None:
    """The macro that a literal expression is written as, if it is just that macro's name."""
    text = source_text(node.cursor).strip(" ()\n\t")
    if _IDENTIFIER.fullmatch(text) and text not in ("true", "false", "nullptr", "NULL"):
        return text
    return None
