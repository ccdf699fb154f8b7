"""One translation unit: parse, look for missing headers in the repository, parse again."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from clang import cindex

from migrate.parse.context import ParseContext
from migrate.parse.flags import KEEP_GOING, clang_flags
from migrate.parse.includes import HeaderIndex
from migrate.parse.precompiled import shim_pch

MAX_ROUNDS = 6
_NOT_FOUND = re.compile(r"'(.*)' file not found")


@dataclass(frozen=True)
class ClangError:
    """An error of clang's: ``file`` relative to the root (absolute outside of it)."""

    file: str
    line: int
    column: int
    message: str
    fatal: bool


@dataclass(frozen=True)
class ParsedUnit:
    """A parsed file. ``include_dirs``: absolute, those that were found included; ``missing``: (header, error).

    ``cpu_s``: CPU seconds inside libclang's parse, over all rounds.
    """

    unit: cindex.TranslationUnit
    include_dirs: tuple[str, ...]
    missing: tuple[tuple[str, ClangError], ...]
    errors: tuple[ClangError, ...]
    included: tuple[str, ...]
    cpu_s: float = 0.0


def parse_unit(
    index: cindex.Index,
    context: ParseContext,
    *,
    include_dirs: Sequence[str] = (),
    defines: Sequence[str] = (),
    headers: HeaderIndex,
    unsaved: Sequence[tuple[str, str]] = (),
) -> ParsedUnit:
    """Parses ``context.file``. Raises cindex.TranslationUnitLoadError when libclang gives nothing at all.

    A header that is not found is searched below the root by the end of its path and its folder added, at most
    MAX_ROUNDS times.
    """
    folders = [os.path.normpath(os.path.join(context.root, folder)) for folder in include_dirs]
    path = str(context.root / context.file)
    tried: set[str] = set()
    cpu_s = 0.0
    for _ in range(MAX_ROUNDS):
        flags = clang_flags(context.arch, include_dirs=folders, defines=defines, pch=shim_pch(context.arch))
        started = time.process_time()
        unit = index.parse(path, args=flags, options=KEEP_GOING, unsaved_files=list(unsaved) or None)
        cpu_s += time.process_time() - started
        errors = _errors(unit, context)
        missing = [(match[1], error) for error in errors if (match := _NOT_FOUND.match(error.message))]
        added = False
        for wanted, error in missing:
            if wanted in tried:
                continue
            tried.add(wanted)
            folder = headers.folder_for(wanted, error.file)
            if folder is not None:
                absolute = os.path.normpath(os.path.join(context.root, folder))
                if absolute not in folders:
                    folders.append(absolute)
                    added = True
        if not added:
            break
    included = sorted({context.relative(item.include.name) for item in unit.get_includes() if item.include})
    inside = tuple(name for name in included if not os.path.isabs(name) and name != context.file)
    return ParsedUnit(unit, tuple(folders), tuple(missing), tuple(errors), inside, cpu_s)


def _errors(unit: cindex.TranslationUnit, context: ParseContext) -> list[ClangError]:
    found = []
    for item in unit.diagnostics:
        if item.severity >= cindex.Diagnostic.Error:
            location = item.location
            file = context.relative(location.file.name) if location.file else context.file
            fatal = item.severity >= cindex.Diagnostic.Fatal
            found.append(ClangError(file, location.line, location.column, item.spelling, fatal))
            if os.path.isabs(file):  # in a shim header: what asked for it is named in the notes
                for note in item.children:
                    if note.location.file:
                        where = context.relative(note.location.file.name)
                        found.append(ClangError(where, note.location.line, note.location.column, item.spelling, False))
    return found
