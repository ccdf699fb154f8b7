"""Faults of the original itself, gathered from the runs under the check build and told on the original's lines.

Nothing here changes a verdict: it only makes diagnostics. What is a fault of the CUDA and what comes of sizes or data
that were guessed here is kept apart, because only the first may be called a defect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from migrate.diagnostics import Diagnostic, Severity, make
from migrate.ir.span import Span
from migrate.oracle.api import Finding, OracleRun
from migrate.verify.generator import Recipe

# What the check build calls it → the code that users see. Two races share a code: same place, other consequence.
CODES: Mapping[str, str] = {
    "race": "TLM770",
    "benign_race": "TLM771",
    "out_of_bounds": "TLM772",
    "uninitialised_read": "TLM773",
    "barrier_divergence": "TLM774",
    "deadlock": "TLM774",
    "inactive_lane": "TLM775",
    "misaligned": "TLM776",
    "division_by_zero": "TLM777",
    "shift": "TLM778",
    "signed_overflow": "TLM779",
    "float_cast": "TLM780",
}
CHECK_CODES = frozenset(CODES.values())

_EVENT_TEXT: Mapping[str, str] = {
    "misaligned": "an address is not aligned to the type that is read or written there; a device faults",
    "division_by_zero": "an integer is divided by zero",
    "shift": "a shift by a negative number, or by the width of the type or more",
    "signed_overflow": "a signed integer overflows, which C++ leaves undefined",
    "float_cast": "a float does not fit the integer type that it is converted to",
}
# The verdict names these places already, under codes of its own.
_TOLD_BY_VERDICT: Mapping[str, tuple[str, ...]] = {
    "race": ("TLM728", "TLM738"),
    "uninitialised_read": ("TLM737",),
}
_WHERE_IN_MESSAGE = re.compile(r"\bline (\d+)")
_BEFORE_START = re.compile(r"at offset -\d")


@dataclass(frozen=True)
class Observed:
    """One run of a recipe under the check build. ``sizes``: bytes of the roots whose size the host side states.

    ``last``: sizes had settled, or the run ended this attempt.
    """

    run: OracleRun
    sizes: Mapping[str, int]
    last: bool


@dataclass
class _Sighting:
    """All that was seen of one kind on one line.

    ``launches``: launch → recipes in which it was seen there. ``steered``: data may decide whether it happens.
    """

    kind: str
    file: str
    line: int
    text: str
    root: str
    first: Recipe
    count: int = 0
    others: set[int] = field(default_factory=set)
    launches: dict[tuple[object, ...], set[str]] = field(default_factory=dict)
    steered: bool = True


@dataclass
class FaultLog:
    """Collects sightings over all recipes of one kernel.

    ``tried``: launch → recipes whose runs were looked at. A launch's key begins with whether host code makes it.
    """

    sightings: dict[tuple[str, str, int], _Sighting] = field(default_factory=dict)
    tried: dict[tuple[object, ...], set[str]] = field(default_factory=dict)

    def add(self, recipe: Recipe, runs: Sequence[Observed], *, steered: bool) -> None:
        """What the runs of the final attempt at ``recipe`` saw.

        ``steered``: integer data may decide which elements are accessed, so that an access outside says nothing of
        the kernel unless every kind of data leads there.
        """
        if not runs:
            return
        key = (recipe.setting.stated, *recipe.setting.key())
        self.tried.setdefault(key, set()).add(recipe.label)
        for seen in runs:
            unknown_outside = False
            for finding in seen.run.findings:
                if finding.kind == "out_of_bounds" and not _attributable(finding, seen.sizes):
                    unknown_outside = True
            for finding in seen.run.findings:
                if finding.kind not in CODES:
                    continue
                if finding.kind == "out_of_bounds":
                    if not _attributable(finding, seen.sizes) or (unknown_outside and steered):
                        continue
                elif not seen.last or unknown_outside:
                    continue  # what was read outside a buffer of unknown size may have caused it
                entry = self._note(finding.kind, finding.file, finding.line, finding.message, finding, recipe, key)
                entry.steered = steered or finding.kind != "out_of_bounds"
            if seen.last and not unknown_outside:
                for event in seen.run.events:
                    if event.kind in CODES:
                        shown = Finding(event.kind, event.line, event.count, "", file=event.file)
                        self._note(event.kind, event.file, event.line, _EVENT_TEXT[event.kind], shown, recipe, key)
                if seen.run.status == "deadlock":
                    self._deadlock(seen.run.message, recipe, key)

    def _deadlock(self, message: str, recipe: Recipe, key: tuple[object, ...]) -> None:
        place = _WHERE_IN_MESSAGE.search(message)
        line = int(place.group(1)) if place else 0
        self._note("deadlock", "", line, message, Finding("deadlock", line, 1, message), recipe, key)

    def _note(
        self, kind: str, file: str, line: int, text: str, found: Finding, recipe: Recipe, key: tuple[object, ...]
    ) -> _Sighting:
        entry = self.sightings.get((kind, file, line))
        if entry is None:
            entry = self.sightings[(kind, file, line)] = _Sighting(kind, file, line, text, found.root, recipe)
        if recipe.setting.stated and not entry.first.setting.stated:
            entry.text, entry.root, entry.first = text, found.root, recipe
        entry.count += found.count
        if found.other_line and found.other_line != line:
            entry.others.add(found.other_line)
        entry.launches.setdefault(key, set()).add(recipe.label)
        return entry

    def diagnostics(self, span: Span, told: Iterable[Diagnostic] = ()) -> tuple[Diagnostic, ...]:
        """One diagnostic a kind and line, most certain first; nothing that ``told`` says already.

        ``span``: the kernel's, for places that are not known.
        """
        said = {(item.code, item.line) for item in told}
        entries = list(self.sightings.values())
        if any(key[0] for key in self.tried):
            # Host code says how it launches: what happens at other sizes is no fault of the program.
            entries = [entry for entry in entries if any(key[0] for key in entry.launches)]
        racing = {(e.file, line) for e in entries if e.kind == "race" for line in (e.line, *e.others)}
        found: list[Diagnostic] = []
        for entry in entries:
            # What a thread reads too early looks unwritten as well: one fault, one finding.
            if entry.kind in ("benign_race", "uninitialised_read") and (entry.file, entry.line) in racing:
                continue
            lines = {entry.line, *entry.others}
            if any((code, line) in said for code in _TOLD_BY_VERDICT.get(entry.kind, ()) for line in lines):
                continue
            found.append(self._diagnostic(entry, span))
        order = {"error": 0, "warning": 1, "note": 2}
        return tuple(sorted(found, key=lambda d: (order[d.severity], d.file, d.line, d.code)))

    def _diagnostic(self, entry: _Sighting, span: Span) -> Diagnostic:
        stated = [key for key in entry.launches if key[0]]
        # Without integer data the addresses are the launch's own; once a buffer was enlarged, later runs stay inside.
        always = bool(stated) and not entry.steered
        always |= any(entry.launches[key] == self.tried[key] and len(self.tried[key]) > 1 for key in stated)
        severity: Severity = "note"
        if always and entry.kind != "benign_race":
            severity = "warning"
        if not stated:
            certainty = "only at sizes that are a guess: host code states none like them"
        elif not always:
            certainty = "in a launch that host code makes, but only with some of the data drawn for it"
        else:
            certainty = "in a launch that host code makes, with all data tried"
        parts = [entry.text.rstrip(".")]
        if entry.others:
            lines = sorted(entry.others)
            parts.append(f"the other access is in line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}")
        if entry.root:
            parts.append("in shared memory" if entry.root == "shared" else f"in {entry.root}")
        runs = sum(len(labels) for labels in entry.launches.values())
        launch = entry.first.setting
        geometry = f"grid {'×'.join(map(str, launch.grid))}, block {'×'.join(map(str, launch.block))}"
        parts.append(f"{entry.count} times in {runs} runs, first in “{entry.first.label}” ({geometry}); {certainty}")
        place = Span(entry.file or span.file, entry.line) if entry.line else span
        return make(CODES[entry.kind], "; ".join(parts), place, severity=severity)


def _attributable(finding: Finding, sizes: Mapping[str, int]) -> bool:
    """Whether an access outside is one whatever the buffer's size: shared, of stated size, or before the start."""
    return finding.root == "shared" or finding.root in sizes or bool(_BEFORE_START.search(finding.message))


def once_a_line(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Without repeats; of check findings of several instantiations one a code and line, the most certain."""
    found: dict[object, Diagnostic] = {}
    for item in diagnostics:
        key: object = (item.code, item.file, item.line) if item.code in CHECK_CODES else item
        known = found.get(key)
        if known is None or (known.severity == "note" and item.severity == "warning"):
            found[key] = item
    return tuple(found.values())
