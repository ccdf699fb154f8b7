"""Identifiers that device code reads: a host constant among them is part of the kernel and must not be varied."""

from __future__ import annotations

import re

from clang import cindex
from clang.cindex import CursorKind

from migrate.parse.context import ParseContext
from migrate.parse.launches.program import is_device_function
from migrate.parse.launches.source import source_bytes, source_text

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE)
_ATTRIBUTES = frozenset({CursorKind.CUDADEVICE_ATTR, CursorKind.CUDAGLOBAL_ATTR, CursorKind.CUDACONSTANT_ATTR})


def device_identifiers(unit: cindex.TranslationUnit, context: ParseContext) -> frozenset[str]:
    """Names in the text of device functions and constants outside our headers, macros followed."""
    found: set[str] = set()
    files: set[str] = set()
    pending = [unit.cursor]
    while pending:
        for cursor in pending.pop().get_children():
            if cursor.kind == CursorKind.LINKAGE_SPEC:
                pending.append(cursor)
                continue
            if context.in_shim(cursor):
                continue
            files.add(cursor.location.file.name)
            if cursor.kind in (CursorKind.NAMESPACE, CursorKind.UNEXPOSED_DECL):
                pending.append(cursor)
            elif _is_device(cursor):
                found.update(_IDENTIFIER.findall(source_text(cursor)))
    return _close(found, files)


def _is_device(cursor: cindex.Cursor) -> bool:
    if cursor.kind in (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE):
        if is_device_function(cursor):
            return True
        return any(child.kind in _ATTRIBUTES for child in cursor.get_children())
    if cursor.kind in (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL, CursorKind.CLASS_TEMPLATE):
        return True
    return cursor.kind == CursorKind.VAR_DECL and any(child.kind in _ATTRIBUTES for child in cursor.get_children())


def _close(found: set[str], files: set[str]) -> frozenset[str]:
    bodies: dict[str, set[str]] = {}
    for name in files:
        for macro, body in _DEFINE.findall(source_bytes(name).decode("utf-8", "replace")):
            bodies.setdefault(macro, set()).update(_IDENTIFIER.findall(body))
    pending = list(found)
    while pending:
        fresh = bodies.get(pending.pop(), set()) - found
        found |= fresh
        pending.extend(fresh)
    return frozenset(found)
