"""Two reports compared: what became better, what worse, what is new, what is gone.

Kernels are matched by file, name and order in the file, never by line, so that edits above a kernel change nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from migrate.report.model import LEVELS, FileReport, KernelReport, Report
from migrate.report.text_report import main_code

Kind: TypeAlias = Literal["regressed", "new_finding", "fixed", "changed", "new", "removed"]
KINDS: tuple[Kind, ...] = ("regressed", "new_finding", "fixed", "changed", "new", "removed")
HEADINGS: dict[Kind, str] = {
    "regressed": "worse than before",
    "new_finding": "new and not clean",
    "fixed": "better than before",
    "changed": "other findings, same outcome",
    "new": "new and clean",
    "removed": "no longer there",
}
# Worst first. Not run stands below inconclusive: losing a proof is a step back, whatever the reason.
_VERDICTS = ("failed", "not_run", "inconclusive", "passed")


@dataclass(frozen=True)
class Change:
    """One kernel (or, with an empty name, one file) that differs. ``before``/``after``: its outcome in words."""

    kind: Kind
    file: str
    line: int
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Comparison:
    """All changes against a baseline, regressions first; ``unchanged`` counts the kernels without any."""

    changes: tuple[Change, ...]
    unchanged: int

    def regressions(self) -> tuple[Change, ...]:
        """What makes the exit code 1: anything worse than before, and anything new that is not clean."""
        return tuple(change for change in self.changes if change.kind in ("regressed", "new_finding"))

    def counts(self) -> dict[str, int]:
        """Number of changes by kind, and of unchanged kernels."""
        found = Counter(change.kind for change in self.changes)
        return {**{kind: found[kind] for kind in KINDS}, "unchanged": self.unchanged}

    def to_dict(self) -> dict[str, Any]:
        """The ``comparison`` object of docs/report.schema.json."""
        return {"counts": self.counts(), "changes": [asdict(change) for change in self.changes]}


def compare(before: Report, after: Report, *, verified: bool = True) -> Comparison:
    """Compares two reports. ``verified=False``: the later run did not verify, so missing verdicts say nothing."""
    old, new = _keyed(before), _keyed(after)
    changes: list[Change] = []
    unchanged = 0
    for key, kernel in new.items():
        if key not in old:
            kind: Kind = "new" if _clean(kernel, verified) else "new_finding"
            changes.append(Change(kind, kernel.file, kernel.line, kernel.name, "", outcome(kernel)))
            continue
        found = _step(old[key], kernel, verified)
        if found is None:
            unchanged += 1
        else:
            changes.append(Change(found, kernel.file, kernel.line, kernel.name, outcome(old[key]), outcome(kernel)))
    changes += [
        Change("removed", kernel.file, kernel.line, kernel.name, outcome(kernel), "")
        for key, kernel in old.items()
        if key not in new
    ]
    changes += _file_changes(before, after)
    changes.sort(key=lambda change: (KINDS.index(change.kind), change.file, change.line, change.name))
    return Comparison(tuple(changes), unchanged)


def outcome(kernel: KernelReport) -> str:
    """A kernel's outcome in words: level, verdict, deciding code."""
    parts = [kernel.level, kernel.verdict.replace("_", " "), main_code(kernel)]
    return ", ".join(part for part in parts if part)


def _keyed(report: Report) -> dict[tuple[str, str, int], KernelReport]:
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str, int], KernelReport] = {}
    for kernel in sorted(report.kernels, key=lambda k: (k.file, k.line)):
        found[(kernel.file, kernel.name, seen[(kernel.file, kernel.name)])] = kernel
        seen[(kernel.file, kernel.name)] += 1
    return found


def _step(old: KernelReport, new: KernelReport, verified: bool) -> Kind | None:
    ranks = [(LEVELS.index(old.level), LEVELS.index(new.level)), (int(old.parsed), int(new.parsed))]
    if verified:
        ranks.append((_VERDICTS.index(old.verdict), _VERDICTS.index(new.verdict)))
        if old.verdict == new.verdict == "passed":
            ranks.append((int(old.evidence.exact), int(new.evidence.exact)))
    if old.lowered is not None and new.lowered is not None:
        ranks.append((int(old.lowered), int(new.lowered)))
    if any(now < was for was, now in ranks):
        return "regressed"
    if any(now > was for was, now in ranks):
        return "fixed"
    codes = [{(d.code, d.severity) for d in kernel.diagnostics} for kernel in (old, new)]
    return "changed" if codes[0] != codes[1] else None


def _clean(kernel: KernelReport, verified: bool) -> bool:
    good = ("passed",) if verified else ("passed", "not_run")
    no_error = not any(d.severity == "error" for d in kernel.diagnostics)
    return kernel.level in ("tile", "simt") and kernel.verdict in good and kernel.lowered is not False and no_error


def _file_changes(before: Report, after: Report) -> list[Change]:
    """Files that can no longer be read, or can again: their kernels may not be seen at all."""
    old = {file.path: file for file in before.files}
    found = []
    for file in after.files:
        was = old.get(file.path)
        if _unreadable(file) and not (was and _unreadable(was)):
            kind: Kind = "regressed" if was else "new_finding"
            found.append(Change(kind, file.path, 0, "", was.status if was else "", file.status))
        elif was and _unreadable(was) and not _unreadable(file):
            found.append(Change("fixed", file.path, 0, "", was.status, file.status))
    return found


def _unreadable(file: FileReport) -> bool:
    return file.status == "unreadable"
