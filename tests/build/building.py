"""Builds the kernels of a CUDA text for the tests of this folder."""

from __future__ import annotations

import os
from pathlib import Path

from clang import cindex
from clang.cindex import Cursor, CursorKind

from migrate.ir.dump import dump
from migrate.ir.kernel import Kernel
from migrate.ir.verify_kernel import verify_kernel
from migrate.parse.build import build_kernel
from migrate.parse.context import ParseContext
from migrate.parse.flags import KEEP_GOING, clang_flags

NAME = "kernel.cu"


def check_golden(folder: Path, name: str) -> None:
    """``cuda/name.cu`` in ``folder`` builds to the dump ``golden/name.txt``; MIGRATE_UPDATE_GOLDEN=1 writes it."""
    text = "\n".join(dump(kernel) for kernel in build((folder / "cuda" / f"{name}.cu").read_text()))
    golden = folder / "golden" / f"{name}.txt"
    if os.environ.get("MIGRATE_UPDATE_GOLDEN"):
        golden.write_text(text)
    assert text == golden.read_text()


def parse(text: str) -> cindex.TranslationUnit:
    """The translation unit of ``text``; fails on syntax errors."""
    unit = cindex.Index.create().parse(NAME, args=clang_flags(), unsaved_files=[(NAME, text)], options=KEEP_GOING)
    errors = [str(item) for item in unit.diagnostics if item.severity >= cindex.Diagnostic.Error]
    assert not errors, errors
    return unit


def kernel_cursors(unit: cindex.TranslationUnit) -> list[Cursor]:
    """Plain kernels and launched specialisations, in order."""
    found: dict[int, Cursor] = {}
    for cursor in unit.cursor.get_children():
        if cursor.location.file is None or cursor.location.file.name != NAME:
            continue
        for inner in cursor.walk_preorder():
            function = inner
            if inner.kind == CursorKind.CALL_EXPR and any(
                c.spelling == "cudaConfigureCall" for c in inner.get_children()
            ):
                function = inner.referenced
            if function is None or function.kind != CursorKind.FUNCTION_DECL:
                continue
            kinds = [child.kind for child in function.get_children()]
            if CursorKind.CUDAGLOBAL_ATTR in kinds and CursorKind.COMPOUND_STMT in kinds:
                found.setdefault(function.hash, function)
    return list(found.values())


def build(text: str) -> list[Kernel]:
    """All kernels of ``text``; each one must be well formed."""
    unit = parse(text)
    context = ParseContext(Path.cwd(), NAME)
    kernels = [build_kernel(cursor, context) for cursor in kernel_cursors(unit)]
    assert kernels, "no kernel in the text"
    for kernel in kernels:
        assert verify_kernel(kernel) == []
    return kernels
