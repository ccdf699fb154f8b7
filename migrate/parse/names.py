"""Names of kernels and their instantiations, the same for every part that looks at the AST."""

from __future__ import annotations

import re

from clang import cindex
from clang.cindex import CursorKind

from migrate.parse.clang_extra import pretty_print
from migrate.parse.context import ParseContext

_SCOPES = (CursorKind.NAMESPACE, CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.CLASS_TEMPLATE)


def kernel_id(cursor: cindex.Cursor, context: ParseContext) -> str:
    """``file:line:name`` of a kernel: the line of its name in the template or function (of the use, for macro-made)."""
    location = cursor.location
    file = context.relative(location.file.name) if location.file else context.file
    return f"{file}:{location.line}:{cursor.spelling}"


def instantiation_name(cursor: cindex.Cursor, context: ParseContext) -> str:
    """What C++ calls a function or its specialisation: ``ns::reduce<float, 256>``; all template arguments are written.

    Anonymous namespaces are left out; paths in the names of lambda types are relative to the root.
    """
    scopes: list[str] = []
    parent = cursor.semantic_parent
    while parent is not None and parent.kind in _SCOPES:
        if parent.spelling:
            scopes.append(parent.spelling)
        parent = parent.semantic_parent
    name = cursor.spelling
    if cursor.get_num_template_arguments() > 0:
        name += _written_arguments(pretty_print(cursor), cursor.spelling)
    full = "::".join([*reversed(scopes), name])
    return full.replace(f"{context.root}/", "")


def _written_arguments(text: str, name: str) -> str:
    """``<...>`` after the first ``name<`` of a pretty-printed specialisation."""
    match = re.search(r"\b" + re.escape(name) + r"<", text)
    if match is None:
        return ""
    depth = 0
    for index in range(match.end() - 1, len(text)):
        char = text[index]
        if char in "<([{":
            depth += 1
        elif char in ">)]}" and text[index - 1] != "-":
            depth -= 1
            if depth == 0:
                return " ".join(text[match.end() - 1 : index + 1].split())
    return ""
