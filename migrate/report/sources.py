"""The texts that a report shows beside its rows: the original as it was read, the port as it stands in OUT.

Nothing outside the two folders is ever read, whatever path a report names, and an original that changed since the run
is not shown: its lines would be other lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MAX_BYTES = 4 << 20
_DEFINITION = re.compile(r"def (\w+)\(")


@dataclass(frozen=True)
class Slice:
    """Some lines of a file; ``note`` says why there are none or not all."""

    first_line: int = 1
    lines: tuple[str, ...] = ()
    note: str = ""


@dataclass
class Sources:
    """Reads originals below ``root`` and ports below ``output``; either may be None (nothing is shown then).

    ``hashes``: sha256 by path of the originals as the run read them; ``ports``: sha256 by path of the ports it left.
    """

    root: Path | None = None
    output: Path | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    ports: Mapping[str, str] = field(default_factory=dict)
    _texts: dict[Path, tuple[str, str] | None] = field(default_factory=dict, repr=False)
    _ports: dict[str, tuple[list[str], dict[str, tuple[int, int]]]] = field(default_factory=dict, repr=False)

    def line(self, file: str, number: int) -> str | None:
        """One line of an original (1-based) without its newline, None where it cannot be read."""
        found = self._original(file)
        if isinstance(found, str):
            return None
        return found[number - 1] if 0 < number <= len(found) else None

    def original(self, file: str, first: int, last: int) -> Slice:
        """Lines ``first`` to ``last`` of an original, both included."""
        found = self._original(file)
        if isinstance(found, str):
            return Slice(note=found)
        first = max(first, 1)
        return Slice(first, tuple(found[first - 1 : max(last, first)]))

    def port(self, path: str, symbol: str) -> Slice:
        """The builder of ``symbol`` in a port (the part that says what the kernel does)."""
        if not path:
            return Slice(note="There is no port.")
        text = self._read(self.output, path)
        if isinstance(text, str):
            return Slice(note=text)
        if path not in self._ports:
            split = text[0].split("\n")
            self._ports[path] = split, _definitions(split)
        lines, functions = self._ports[path]
        note = "The port was edited since this report." if self.ports.get(path, text[1]) != text[1] else ""
        span = functions.get(f"_{symbol}") or functions.get(symbol)
        if span is None:
            return Slice(note=f"{path} has no function for this kernel.")
        return Slice(span[0], tuple(lines[span[0] - 1 : span[1]]), note)

    def _original(self, file: str) -> list[str] | str:
        text = self._read(self.root, file)
        if isinstance(text, str):
            return text
        expected = self.hashes.get(file)
        if expected is None:
            return "The report does not say which version of this file was read."
        if expected != text[1]:
            return "The file changed since this report; convert again to see it here."
        # Only \n ends a line for the compiler that counted them.
        return text[0].replace("\r\n", "\n").split("\n")

    def _read(self, folder: Path | None, relative: str) -> tuple[str, str] | str:
        """(text, sha256), or why not."""
        if folder is None:
            return "The text is not at hand here."
        path = folder / relative
        try:
            inside = path.resolve().is_relative_to(folder.resolve())
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside:
            return "The path leads out of the folder, so it was not read."
        if path not in self._texts:
            self._texts[path] = _load(path)
        found = self._texts[path]
        return found if found is not None else "The file cannot be read here, or is too large to show."


@dataclass
class LooseLines:
    """Lines of files named relative to the working directory, for findings in files that a person named."""

    _files: dict[str, list[str]] = field(default_factory=dict, repr=False)

    def line(self, file: str, number: int) -> str | None:
        """As `Sources.line`."""
        if file not in self._files:
            found = _load(Path(file))
            self._files[file] = found[0].replace("\r\n", "\n").split("\n") if found else []
        lines = self._files[file]
        return lines[number - 1] if 0 < number <= len(lines) else None


def _load(path: Path) -> tuple[str, str] | None:
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        data = path.read_bytes()
    except (OSError, ValueError):
        return None
    return data.decode("utf-8", errors="replace"), hashlib.sha256(data).hexdigest()


def _definitions(lines: list[str]) -> dict[str, tuple[int, int]]:
    """First and last line of each top-level function, by where the text stands: a port may be megabytes of code."""
    found: dict[str, tuple[int, int]] = {}
    name, start, last = "", 0, 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if line[0] not in " \t)":
            if name:
                found.setdefault(name, (start, last))
            match = _DEFINITION.match(line)
            name, start = (match.group(1), number) if match else ("", 0)
        last = number
    if name:
        found.setdefault(name, (start, last))
    return found
