"""What became of each mutant: plain data with a JSON form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Outcome = Literal["killed", "survived", "undecided", "invalid", "equivalent"]


@dataclass(frozen=True)
class MutantResult:
    """One mutant. ``line`` and ``column`` in the port; ``diff``: the changed lines; ``reason``: code and message.

    killed: verification says ``failed``. survived: it says ``passed``. undecided: ``inconclusive``. invalid: the port
    cannot be built. equivalent: proven to mean the same (``reason`` says how).
    """

    operator: str
    kernel: str
    port: str
    line: int
    column: int
    note: str
    diff: str
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True)
class OperatorSummary:
    """Counts of one operator. ``run``: everything but invalid and equivalent ones; the share is of those."""

    operator: str
    sites: int
    outcomes: Mapping[str, int]

    @property
    def run(self) -> int:
        """Mutants that can be told apart in principle and could be built."""
        return sum(self.outcomes.get(name, 0) for name in ("killed", "survived", "undecided"))

    @property
    def killed_share(self) -> float | None:
        """Killed of run; None when nothing was run."""
        return self.outcomes.get("killed", 0) / self.run if self.run else None


@dataclass
class MutationReport:
    """All results of one run. ``sites``: operator -> sites in all kernels; ``skipped``: kernels that did not pass."""

    seed: int
    sites: dict[str, int] = field(default_factory=dict)
    results: list[MutantResult] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    def summaries(self) -> list[OperatorSummary]:
        """One an operator, in the order of ``sites``, then all together under the name ``all``."""
        counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for result in self.results:
            for name in (result.operator, "all"):
                counts[name][result.outcome] += 1
        rows = [OperatorSummary(name, sites, dict(counts[name])) for name, sites in self.sites.items()]
        return [*rows, OperatorSummary("all", sum(self.sites.values()), dict(counts["all"]))]

    def to_dict(self) -> dict[str, Any]:
        """The JSON object."""
        summaries = {
            row.operator: {"sites": row.sites, "run": row.run, **dict(row.outcomes)} for row in self.summaries()
        }
        return {
            "schema_version": 1,
            "seed": self.seed,
            "operators": summaries,
            "mutants": [asdict(item) for item in self.results],
            "skipped": dict(sorted(self.skipped.items())),
        }


def text_lines(report: MutationReport, *, diffs: bool = True) -> Iterable[str]:
    """The report for people: a line an operator, then every mutant that was not found."""
    heads = ("sites", "run", "killed", "share", "left", "invalid", "equivalent")
    yield f"{'operator':18} " + " ".join(f"{head:>10}" for head in heads)
    for row in report.summaries():
        share = "" if row.killed_share is None else f"{row.killed_share:.1%}"
        counts = row.outcomes
        left = counts.get("survived", 0) + counts.get("undecided", 0)
        others = (counts.get("invalid", 0), counts.get("equivalent", 0))
        cells = (row.sites, row.run, counts.get("killed", 0), share, left, *others)
        yield f"{row.operator:18} " + " ".join(f"{cell:>10}" for cell in cells)
    for item in report.results:
        if item.outcome in ("survived", "undecided"):
            yield ""
            reason = f": {item.reason}" if item.reason else ""
            place = f"{item.port}:{item.line}:{item.column + 1}"
            yield f"{item.outcome}: {place} {item.kernel}, {item.operator}, {item.note}{reason}"
            if diffs:
                yield from item.diff.splitlines()
    for kernel, reason in sorted(report.skipped.items()):
        yield f"not mutated: {kernel}: {reason}"
