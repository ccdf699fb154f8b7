"""Is the AST of a kernel, and of all it reaches, free of errors? clang recovers from errors by leaving things out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from clang import cindex
from clang.cindex import CursorKind

from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span
from migrate.parse.clang_extra import has_recovery, is_invalid, pretty_print, visit
from migrate.parse.context import ParseContext
from migrate.parse.unit import ClangError
from tilelang_runtime.support.cache import key_of

_DEVICE_LAUNCH = re.compile(
    r"reference to __global__ function .* in __(?:global|device)__ function"
    r"|'cudaConfigureCall' in __(?:global|device)__"
)
_FUNCTIONS = frozenset(
    kind.value
    for kind in (
        CursorKind.FUNCTION_DECL,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
    )
)
_REFERENCES = frozenset(
    kind.value
    for kind in (
        CursorKind.DECL_REF_EXPR,
        CursorKind.CALL_EXPR,
        CursorKind.MEMBER_REF_EXPR,
        CursorKind.TYPE_REF,
        CursorKind.PARM_DECL,
        CursorKind.VAR_DECL,
    )
)
_DECLARATIONS_OF_VALUES = frozenset((CursorKind.PARM_DECL.value, CursorKind.VAR_DECL.value))


def problem_of(
    kernel: cindex.Cursor,
    name: str,
    context: ParseContext,
    errors: Sequence[ClangError],
    missing: Sequence[str],
    condition_lines: Callable[[str], Collection[int]],
) -> Diagnostic | None:
    """The diagnostic that refuses an instantiation whose AST cannot be trusted; None if it is intact.

    TLM022: clang reported an error in the kernel or in something it uses. TLM030: a kernel launches a kernel.
    TLM027: a header is missing and a preprocessor condition in the kernel or in something it uses may depend on it.
    ``condition_lines`` gives the lines with preprocessor conditions of a file.
    """
    if not errors and not missing:
        return None
    reached = _reached(kernel, context)
    for cursor in reached:
        extent = cursor.extent
        if extent.start.file is None:
            continue
        file = context.relative(extent.start.file.name)
        first, last = extent.start.line, extent.end.line
        for error in errors:
            if error.file == file and first <= error.line <= last:
                code = "TLM030" if _DEVICE_LAUNCH.search(error.message) else "TLM022"
                return make(code, f"{name}: {error.message}", Span(error.file, error.line, error.column))
        if is_invalid(cursor) or (cursor._kind_id in _FUNCTIONS and has_recovery(cursor)):
            message = f"{name}: {cursor.spelling} could not be understood"
            return make("TLM022", message, context.span(cursor))
        if missing:
            for line in condition_lines(file):
                if first < line < last:
                    message = f"{name}: a condition depends on macros, and the header '{missing[0]}' was not found"
                    return make("TLM027", message, Span(file, line, 1))
    return None


def signature(kernel: cindex.Cursor, name: str, context: ParseContext) -> str:
    """Equal for two instantiations (in translation units of one run) that mean the same: a hash over where the kernel
    and everything that it uses stands, and how clang prints it, macros expanded.
    """
    parts = [name]
    for cursor in _reached(kernel, context):
        span = context.span(cursor)
        parts.append(f"{span}\n{pretty_print(cursor)}")
    return key_of(*sorted(parts))


def _reached(kernel: cindex.Cursor, context: ParseContext) -> list[cindex.Cursor]:
    """The kernel and every function, type and global outside the shim that it uses, directly or not."""
    seen: set[str] = set()
    found: list[cindex.Cursor] = []
    work = [kernel]
    named: set[bytes] = set()  # the same declaration is named many times

    def on_cursor(cursor: cindex.Cursor) -> None:
        if cursor._kind_id in _DECLARATIONS_OF_VALUES:
            declaration = cursor.type.get_canonical().get_declaration()
            if is_invalid(cursor):
                found.append(cursor)
        else:
            declaration = cursor.referenced
        if declaration is not None and declaration.kind != CursorKind.NO_DECL_FOUND:
            identity = bytes(declaration)
            if identity not in named:
                named.add(identity)
                work.append(declaration)

    while work:
        cursor = work.pop()
        definition = cursor.get_definition() or cursor
        identity = f"{definition.get_usr()}|{definition.location.line}|{definition.location.column}"
        if identity in seen:
            continue
        seen.add(identity)
        if context.in_shim(definition) or definition.kind in (CursorKind.NAMESPACE, CursorKind.TRANSLATION_UNIT):
            continue
        found.append(definition)
        visit(definition, _REFERENCES, on_cursor)
    return found
