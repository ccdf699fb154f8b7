"""Calls of libclang that neither the binding nor `migrate.parse.clang_extra` wraps, and small cursor helpers."""

from __future__ import annotations

from functools import cache
from typing import Any

from clang import cindex
from clang.cindex import Cursor, CursorKind

_REFERENCES = (
    CursorKind.TYPE_REF,
    CursorKind.NAMESPACE_REF,
    CursorKind.TEMPLATE_REF,
    CursorKind.OVERLOADED_DECL_REF,
    CursorKind.MEMBER_REF,
    CursorKind.LABEL_REF,
)


@cache
def _initializer_function() -> Any:
    function = cindex.conf.lib.clang_Cursor_getVarDeclInitializer
    function.argtypes = [Cursor]
    function.restype = Cursor
    function.errcheck = Cursor.from_cursor_result
    return function


def initializer(cursor: Cursor) -> Cursor | None:
    """The initialiser expression of a variable; None if it has none."""
    found = _initializer_function()(cursor)
    if found is None or found.kind.is_invalid():
        return None
    return found


def expression_children(cursor: Cursor) -> list[Cursor]:
    """Children that are expressions, without the references to types and templates that libclang mixes in."""
    return [child for child in cursor.get_children() if child.kind not in _REFERENCES and child.kind.is_expression()]


def body_of(function: Cursor) -> Cursor | None:
    """The compound statement of a function definition; None for a declaration."""
    for child in reversed(list(function.get_children())):
        if child.kind == CursorKind.COMPOUND_STMT:
            return child
    return None


def parameters_of(function: Cursor) -> list[Cursor]:
    """Parameter declarations of a function or lambda."""
    return [child for child in function.get_children() if child.kind == CursorKind.PARM_DECL]


def peel(cursor: Cursor) -> Cursor:
    """Without parentheses."""
    while cursor.kind == CursorKind.PAREN_EXPR:
        cursor = next(iter(cursor.get_children()))
    return cursor


def maybe_mutated(body: Cursor) -> frozenset[int]:
    """Hashes of variables that a body may write, or whose address or reference it may take.

    libclang shows a read as an implicit cast around the name; a name without one is a place that is used as such.
    """
    found: set[int] = set()

    def walk(cursor: Cursor, protected: bool) -> None:
        kind = cursor.kind
        if kind == CursorKind.DECL_REF_EXPR:
            referenced = cursor.referenced
            if not protected and referenced is not None:
                found.add(referenced.hash)
            return
        inner = kind == CursorKind.UNEXPOSED_EXPR or (protected and kind == CursorKind.PAREN_EXPR)
        for child in cursor.get_children():
            walk(child, inner)

    walk(body, False)
    return frozenset(found)


def is_written(function: Cursor) -> bool:
    """True if a person wrote the body: clang also shows the bodies of implicit and defaulted members."""
    if body_of(function) is None:
        return False
    parent = function.semantic_parent
    implicit = parent is not None and function.location == parent.location and function.kind != CursorKind.FUNCTION_DECL
    return not implicit and not function.is_default_method()


def count_returns(body: Cursor) -> int:
    """Return statements of a function body, those of nested lambdas left out."""
    total = 0
    for child in body.get_children():
        if child.kind == CursorKind.RETURN_STMT:
            total += 1
        elif child.kind != CursorKind.LAMBDA_EXPR:
            total += count_returns(child)
    return total


def size_of_tree(cursor: Cursor, limit: int) -> int:
    """Cursors below ``cursor``, counted up to ``limit``."""
    total = 0
    for child in cursor.get_children():
        total += 1 + size_of_tree(child, limit - total)
        if total >= limit:
            return total
    return total
