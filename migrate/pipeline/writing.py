"""Writing into OUT: atomic, nothing outside OUT, hand-edited ports never overwritten."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

BASE = Path(".migrate") / "base"
NEW = Path(".migrate") / "new"


class OutsideOutput(Exception):
    """A path would leave the output folder."""


def sha256_text(text: str) -> str:
    """Hex sha256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class OutputFolder:
    """Writes under one folder and remembers which files it owns, changed, or kept because a person edited them."""

    folder: Path
    dry_run: bool = False
    owned: set[str] = field(default_factory=set)
    changed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def path_of(self, relative: str) -> Path:
        """The absolute path of ``relative``; OutsideOutput if it would leave the folder (``..`` or a symlink)."""
        path = self.folder / relative
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise OutsideOutput(f"{relative} would be written outside {self.folder}")
        return path

    def write(self, relative: str, text: str) -> None:
        """Writes a file that a person does not edit (reports, plans, lock), only if its bytes change."""
        path = self.path_of(relative)
        self.owned.add(relative)
        if _read(path) == text:
            return
        self.changed.append(relative)
        if not self.dry_run:
            _write_atomically(path, text)

    def write_port(self, relative: str, text: str) -> bool:
        """Writes a port unless it was edited by hand since it was generated.

        Returns True if OUT now holds ``text``; False if the edited file was kept (the new text goes to
        ``.migrate/new``).
        """
        path = self.path_of(relative)
        base = self.path_of(str(BASE / relative))
        current, generated = _read(path), _read(base)
        self.owned.add(relative)
        if current is not None and current not in (generated, text):
            self.kept.append(relative)
            if generated != text:
                self.write(str(NEW / relative), text)
            return False
        self.write(relative, text)
        if not self.dry_run and generated != text:
            _write_atomically(base, text)
        return True


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _write_atomically(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
