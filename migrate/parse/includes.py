"""Include folders: from a compilation database, and by searching the repository for headers clang does not find."""

from __future__ import annotations

import json
import os
import posixpath
import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span
from migrate.parse.sources import relative_name

_INCLUDE_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter")


class HeaderIndex:
    """Finds a header by the end of its path below the root. ``names``: posix, relative (sources.header_files)."""

    def __init__(self, names: Sequence[str]) -> None:
        self._by_base: dict[str, list[str]] = defaultdict(list)
        for name in names:
            self._by_base[posixpath.basename(name)].append(name)

    def folder_for(self, wanted: str, including: str) -> str | None:
        """The folder (relative to the root, ``.`` for the root) that makes ``#include "wanted"`` work, or None.

        ``including`` is the file with the directive. Of several candidates the one that shares the longest folder
        prefix with it wins, then the shorter and alphabetically first path.
        """
        parts = [part for part in wanted.split("/") if part not in (".", "")]
        while parts and parts[0] == "..":
            parts = parts[1:]
        if not parts or ".." in parts:
            return None
        suffix = "/".join(parts)
        here = posixpath.dirname(including).split("/")
        best: tuple[int, int, str] | None = None
        for name in self._by_base.get(parts[-1], ()):
            if name != suffix and not name.endswith("/" + suffix):
                continue
            shared = len(posixpath.commonprefix([name.split("/")[:-1], here]))
            rank = (-shared, name.count("/"), name)
            if best is None or rank < best:
                best = rank
        if best is None:
            return None
        folder = best[2][: -len(suffix)].rstrip("/")
        if wanted.startswith("../"):  # the folder must be deep enough for the steps up to stay in the tree
            return posixpath.dirname(including) or "." if folder else None
        return folder or "."


@dataclass(frozen=True)
class UnitFlags:
    """Include folders (absolute) and defines of one translation unit."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


def load_compile_commands(path: Path, root: Path) -> tuple[dict[str, UnitFlags], list[Diagnostic]]:
    """Reads a JSON compilation database: posix path relative to ``root`` → flags.

    An unreadable database gives TLM013 and no flags. Several entries for one file: the first counts.
    """
    name = relative_name(path, root)
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(entries, list):
            raise ValueError("it is not a list")
        flags: dict[str, UnitFlags] = {}
        for entry in entries:
            file, unit = _entry(entry)
            flags.setdefault(relative_name(Path(file), root), unit)
        return flags, []
    except (OSError, ValueError, KeyError, TypeError) as error:
        return {}, [make("TLM013", f"is no usable compilation database: {error}", Span(name, 0))]


def _entry(entry: Mapping[str, Any]) -> tuple[str, UnitFlags]:
    directory = str(entry.get("directory", "."))
    arguments = [str(item) for item in entry["arguments"]] if "arguments" in entry else shlex.split(entry["command"])
    include_dirs: list[str] = []
    defines: list[str] = []
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        for flag in (*_INCLUDE_FLAGS, "-D"):
            if not argument.startswith(flag):
                continue
            value = argument[len(flag) :].lstrip("=") if flag != "-D" else argument[len(flag) :]
            if not value and position < len(arguments):
                value = arguments[position]
                position += 1
            if flag == "-D":
                defines.append(value)
            elif value:
                include_dirs.append(os.path.normpath(os.path.join(directory, value)))
            break
    return os.path.normpath(os.path.join(directory, entry["file"])), UnitFlags(tuple(include_dirs), tuple(defines))
