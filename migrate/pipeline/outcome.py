"""What a conversion gives back."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrate.report.model import Report


@dataclass(frozen=True)
class Outcome:
    """What a run gives back to the command line."""

    report: Report
    output: Path
    changed: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def diffs(self) -> list[str]:
        """Unified diffs of every file that would change."""
        found = []
        for name in self.changed:
            path = self.output / name
            old = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
            new = self.texts.get(name, "").splitlines(keepends=True)
            found.append("".join(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")))
        return found
