"""What everything that runs inside a parse worker knows about the current translation unit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from clang import cindex

from migrate.ir.span import Span
from migrate.parse.flags import DEFAULT_ARCH, HEADERS
from migrate.parse.results import PassedTexture


@lru_cache(maxsize=4096)
def _relative(name: str, root: str) -> str:
    """``name`` as a posix path below ``root``; absolute if it is elsewhere."""
    path = os.path.normpath(name if os.path.isabs(name) else os.path.join(root, name))
    if path == root or path.startswith(root.rstrip("/") + "/"):
        return os.path.relpath(path, root).replace(os.sep, "/")
    return path


@dataclass(frozen=True)
class ParseContext:
    """Root of the repository (absolute), the file being parsed (posix, relative to it) and the architecture.

    ``given``: what other files pass for textures to functions of this one.
    """

    root: Path
    file: str
    arch: str = DEFAULT_ARCH
    given: tuple[PassedTexture, ...] = ()

    def relative(self, name: str) -> str:
        """A file name as clang gives it → posix, relative to the root; absolute if it lies elsewhere."""
        return _relative(name, str(self.root))

    def span(self, cursor: cindex.Cursor) -> Span:
        """Where ``cursor`` stands. In a macro expansion: where the macro is used."""
        extent = cursor.extent
        # Conversions share the place of what they convert, and most cursors are asked for more than once.
        known = vars(cursor._tu).setdefault("_migrate_spans", {})
        key = bytes(extent)
        found: Span | None = known.get(key)
        if found is None:
            start, end = extent.start, extent.end
            name = start.file.name if start.file else self.file
            found = Span(self.relative(name), start.line, start.column, end.line, end.column)
            known[key] = found
        return found

    def in_shim(self, cursor: cindex.Cursor) -> bool:
        """True for declarations of our own headers (CUDA, standard library, third-party stubs)."""
        location = cursor.location.file
        return location is None or location.name.startswith(str(HEADERS))
