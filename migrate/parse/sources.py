"""Find CUDA sources and read them; every kind of bad input has its own diagnostic."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span

CUDA_SUFFIXES: Final = frozenset({".cu", ".cuh"})
CXX_SUFFIXES: Final = frozenset({".cpp", ".cc", ".cxx", ".h", ".hpp", ".hh", ".inl", ".inc"})
HEADER_SUFFIXES: Final = frozenset({".cuh", ".h", ".hpp", ".hh", ".inl", ".inc", ".tcc", ".impl"})
MAX_BYTES: Final = 10 * 1024 * 1024
_CUDA_MARKS: Final = (b"__global__", b"<<<", b"cudaLaunchKernel", b"cudaLaunchCooperativeKernel")
_SKIPPED_FOLDERS: Final = frozenset({".git", ".hg", ".svn", "__pycache__", ".migrate"})


class UnreadableSource(Exception):
    """A file that cannot be read as C++ text; carries its diagnostic."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


@dataclass(frozen=True)
class SourceText:
    """``data`` as on disk; ``text`` has one character a byte where the file is not UTF-8."""

    data: bytes
    text: str
    utf8: bool


def relative_name(path: Path, root: Path) -> str:
    """Posix path relative to ``root`` (absolute if it lies elsewhere), symlinks not followed."""
    absolute = Path(os.path.abspath(path))
    try:
        return absolute.relative_to(root).as_posix()
    except ValueError:
        return absolute.as_posix()


def read_source(path: Path, name: str) -> SourceText:
    """Reads one source file. ``name`` is what diagnostics call it.

    Raises UnreadableSource: TLM001 cannot be opened, TLM002 empty, TLM003 binary, TLM004 UTF-16 or UTF-32, TLM005 too
    large. A file that is not UTF-8 is read byte by byte (``utf8`` is False): comments in old encodings are common.
    """
    where = Span(name, 0)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableSource(
                make("TLM005", f"{size} bytes: larger than the limit of {MAX_BYTES} bytes for one source file", where)
            )
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableSource(make("TLM001", f"cannot be read: {error.strerror or error}", where)) from error
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        raise UnreadableSource(make("TLM004", "is UTF-16 or UTF-32 text; save it as UTF-8", where))
    if b"\0" in data:
        raise UnreadableSource(make("TLM003", "is a binary file (it holds NUL bytes)", where))
    if not data.strip():
        raise UnreadableSource(make("TLM002", "is empty", where))
    try:
        return SourceText(data, data.decode("utf-8"), True)
    except UnicodeDecodeError:
        return SourceText(data, data.decode("latin-1"), False)


def find_sources(paths: Sequence[Path], root: Path) -> tuple[list[Path], list[Diagnostic]]:
    """Source files with CUDA in them below ``paths``, sorted, and one diagnostic for each that is left out.

    A file named in ``paths`` is always taken; files found in folders only with a suffix of CUDA or C++ and, for C++
    suffixes, with a kernel or a launch in them. Left out: symlink loops (TLM007), what lies outside ``root`` (TLM006),
    what does not exist (TLM001), too large files (TLM005). ``root`` may be relative.
    """
    base = Path(os.path.realpath(root))
    found: set[Path] = set()
    diagnostics: list[Diagnostic] = []
    for path in paths:
        absolute = Path(os.path.abspath(path))
        name = relative_name(absolute, base)
        problem = _problem(absolute, base, name)
        if problem is not None:
            diagnostics.append(problem)
        elif absolute.is_dir():
            _walk(absolute, base, found, diagnostics)
        else:
            found.add(_below(absolute, base))
    return sorted(found), diagnostics


def _below(path: Path, base: Path) -> Path:
    """``path`` spelled below ``base`` (which has no symlinks), where it can be."""
    try:
        path.relative_to(base)
        return path
    except ValueError:
        return Path(os.path.realpath(path))


def _problem(path: Path, base: Path, name: str) -> Diagnostic | None:
    where = Span(name, 0)
    try:
        real = path.resolve(strict=True)
    except RuntimeError:  # Python before 3.13 raises this for a loop
        return make("TLM007", "is a symlink that leads back to itself", where)
    except OSError as error:
        if "symbolic links" in (error.strerror or ""):
            return make("TLM007", "is a symlink that leads back to itself", where)
        return make("TLM001", f"cannot be read: {error.strerror or error}", where)
    if not real.is_relative_to(base):
        return make("TLM006", f"leads outside the root folder (to {real})", where)
    return None


def _walk(folder: Path, base: Path, found: set[Path], diagnostics: list[Diagnostic]) -> None:
    """Depth first, names sorted; folders reached twice through symlinks are visited once."""
    seen: set[tuple[int, int]] = set()
    stack = [_below(folder, base)]
    while stack:
        current = stack.pop()
        try:
            status = current.stat()
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            span = Span(relative_name(current, base), 0)
            diagnostics.append(make("TLM001", f"cannot be read: {error.strerror or error}", span))
            continue
        if (status.st_dev, status.st_ino) in seen:
            span = Span(relative_name(current, base), 0)
            diagnostics.append(make("TLM007", "is a symlink to a folder that was already visited", span))
            continue
        seen.add((status.st_dev, status.st_ino))
        folders = []
        for entry in entries:
            path = Path(entry.path)
            suffix = path.suffix.lower()
            is_folder = _is_folder(entry)
            if is_folder is False and suffix not in CUDA_SUFFIXES and suffix not in CXX_SUFFIXES:
                continue
            if is_folder and entry.name in _SKIPPED_FOLDERS:
                continue
            if entry.is_symlink():
                problem = _problem(path, base, relative_name(path, base))
                if problem is not None:
                    diagnostics.append(problem)
                    continue
            if is_folder:
                folders.append(path)
            elif suffix in CUDA_SUFFIXES or _has_cuda(path, base, diagnostics):
                found.add(path)
        stack += reversed(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _has_cuda(path: Path, base: Path, diagnostics: list[Diagnostic]) -> bool:
    """Does a C++ file hold a kernel or a launch? Files that cannot be looked at are reported by name only if CUDA."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return False
        data = path.read_bytes()
    except OSError as error:
        span = Span(relative_name(path, base), 0)
        diagnostics.append(make("TLM001", f"cannot be read: {error.strerror or error}", span))
        return False
    return any(mark in data for mark in _CUDA_MARKS)


def header_files(root: Path, extra: Iterable[str] = ()) -> list[str]:
    """Files below ``root`` that an ``#include`` may mean: posix, relative, sorted; symlinked folders are skipped."""
    suffixes = HEADER_SUFFIXES | CUDA_SUFFIXES | CXX_SUFFIXES | {".c"} | set(extra)
    names: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED_FOLDERS]
        prefix = os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        prefix = "" if prefix == "./" else prefix
        names += [prefix + name for name in files if os.path.splitext(name)[1].lower() in suffixes]
    return sorted(names)
