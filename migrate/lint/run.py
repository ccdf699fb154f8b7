"""Files in, diagnostics out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from migrate.diagnostics import Diagnostic, load_page
from migrate.ir.span import Span
from migrate.lint.suppress import suppressed_lines

MAX_BYTES = 4 << 20
UNREADABLE = "TLM940"
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist", "venv", "env"})


@dataclass(frozen=True)
class Linted:
    """``files``: TileLang files looked at; ``skipped``: Python files without TileLang."""

    files: int = 0
    skipped: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    suppressed: tuple[Diagnostic, ...] = ()


@dataclass
class _Counts:
    files: int = 0
    skipped: int = 0
    found: list[Diagnostic] = field(default_factory=list)
    silenced: list[Diagnostic] = field(default_factory=list)


def lint_paths(paths: Iterable[Path]) -> Linted:
    """Lints files and folders (walked for ``*.py``; hidden folders, environments and build folders are passed over)."""
    counts = _Counts()
    for path in dict.fromkeys(file for given in paths for file in python_files(given)):
        shown = _shown(path)
        text = _read(path)
        if text is None:
            counts.files += 1
            counts.found.append(_diagnostic(UNREADABLE, Span(shown, 0), f"{shown} cannot be read, or is too large"))
        elif "tilelang" not in text:
            counts.skipped += 1
        else:
            findings, silenced = lint_text(shown, text)
            counts.files += 1
            counts.found += findings
            counts.silenced += silenced
    return Linted(counts.files, counts.skipped, tuple(counts.found), tuple(counts.silenced))


def lint_text(path: str, text: str) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """(findings, suppressed findings) of one file's text, in order of place and code."""
    from migrate.lint.module import parse_module
    from migrate.lint.patterns import findings

    try:
        module = parse_module(path, text)
    except SyntaxError as error:
        span = Span(path, error.lineno or 0, error.offset or 0)
        return [_diagnostic(UNREADABLE, span, f"not Python: {error.msg}")], []
    except (ValueError, RecursionError, MemoryError) as error:
        return [_diagnostic(UNREADABLE, Span(path, 0), f"cannot be parsed: {error or type(error).__name__}")], []
    try:
        found = list(findings(module)) if module.names else []
    except RecursionError:
        return [_diagnostic(UNREADABLE, Span(path, 0), "nested too deeply to be checked")], []
    silent = suppressed_lines(text)
    kept: list[Diagnostic] = []
    silenced: list[Diagnostic] = []
    for code, span, message in sorted(set(found), key=lambda f: (f[1].line, f[1].column, f[0], f[2])):
        lines = {span.line, span.end_line or span.line}
        target = silenced if any(code in silent.get(line, ()) for line in lines) else kept
        target.append(_diagnostic(code, span, message))
    return kept, silenced


def python_files(path: Path) -> Iterator[Path]:
    """The file itself if it is Python, or those below a folder, in order; links to folders are not followed."""
    if path.is_file():
        if path.suffix in (".py", ".pyi"):
            yield path
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(files):
            if name.endswith(".py"):
                yield Path(folder, name)


def _diagnostic(code: str, span: Span, message: str) -> Diagnostic:
    severity = load_page(code)["severity"]
    return Diagnostic(code, severity, message, span.file, span.line, span.column, span.end_line, span.end_column)


def _shown(path: Path) -> str:
    """The path relative to the working directory where it lies below it."""
    try:
        return Path(os.path.relpath(path)).as_posix() if not os.path.relpath(path).startswith("..") else path.as_posix()
    except ValueError:
        return path.as_posix()


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return None if b"tilelang" in data else ""
