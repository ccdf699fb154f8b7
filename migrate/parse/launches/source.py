"""Source text behind cursors. Tokens are wrong where a macro is expanded; extents give the text of its use."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from clang import cindex


def source_bytes(name: str) -> bytes:
    """Contents of a file; empty if it cannot be read."""
    path = Path(name)
    try:
        status = path.stat()
        return _read(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return b""


@lru_cache(maxsize=64)
def _read(path: Path, _modified: int, _size: int) -> bytes:
    return path.read_bytes()


def source_text(cursor: cindex.Cursor) -> str:
    """What stands at ``cursor`` in the file; empty inside the expansion of a function-like macro."""
    extent = cursor.extent
    known: dict[bytes, str] = vars(cursor._tu).setdefault("_migrate_texts", {})
    key = bytes(extent)
    if key not in known:
        known[key] = _text_of(extent.start, extent.end)
    return known[key]


def _text_of(start: cindex.SourceLocation, end: cindex.SourceLocation) -> str:
    if start.file is None or end.file is None or start.file.name != end.file.name:
        return ""
    return source_bytes(start.file.name)[start.offset : end.offset].decode("utf-8", "replace")
