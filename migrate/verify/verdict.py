"""Verdict: what the comparison of one kernel with its port showed, and everything that a report says about it.

Plain data with a JSON round trip; importing this module is cheap.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from migrate.diagnostics import Diagnostic

Status = Literal["passed", "failed", "inconclusive", "not_run"]


@dataclass(frozen=True)
class Difference:
    """The first element of a root that differs. ``index`` counts elements of ``dtype`` from the root's start."""

    case: str
    root: str
    dtype: str
    index: int
    original: str
    port: str


@dataclass(frozen=True)
class Metrics:
    """Worst disagreement over all cases: elements that differ, units in the last place, absolute error."""

    differing: int = 0
    compared: int = 0
    max_ulp: int = 0
    max_abs: float = 0.0


@dataclass(frozen=True)
class CaseResult:
    """One case: its label and what came of it (``equal``, ``different``, or why it was dropped)."""

    label: str
    outcome: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    detail: str = ""


AuditOutcome = Literal["agrees", "differs", "no case"]


@dataclass(frozen=True)
class Audit:
    """What cases of the second generator showed. ``cases``: compared; ``detail``: a sentence for people.

    ``transient``: a busy machine may be the reason.
    """

    outcome: AuditOutcome
    seed: int
    cases: int = 0
    detail: str = ""
    transient: bool = False


@dataclass(frozen=True)
class Verdict:
    """Outcome of `verify_kernel`.

    ``cases``: accepted and compared; ``dropped``: reason -> count. ``arcs_taken`` of ``arcs_total`` branch arcs of the
    original were taken; ``arcs_excused`` lists those that no launch of the plan can take, ``arcs_forced`` those that
    were covered by negating their condition in original and port (text a line).
    ``exact``: bit for bit under the schedule contract; None when nothing was compared. ``noise``: largest absolute
    difference of the original with itself under other schedules. ``provenance``: a sentence a guess.
    """

    kernel_id: str
    symbol: str
    status: Status
    oracle: str | None = None
    engines: tuple[str, ...] = ()
    cases: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    arcs_taken: int = 0
    arcs_total: int = 0
    arcs_excused: tuple[str, ...] = ()
    exact: bool | None = None
    worst: Metrics = Metrics()
    noise: float = 0.0
    first_difference: Difference | None = None
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    provenance: tuple[str, ...] = ()
    results: tuple[CaseResult, ...] = ()
    cpu_s: float = 0.0
    cached: bool = False
    arcs_forced: tuple[str, ...] = ()
    audit: Audit | None = None

    @property
    def arcs_share(self) -> float | None:
        """Taken share of the arcs that inputs can take; None without any arc information. Forced arcs are left out."""
        if self.oracle is None:
            return None
        reachable = self.arcs_total - len(self.arcs_excused) - len(self.arcs_forced)
        return 1.0 if reachable <= 0 else self.arcs_taken / reachable

    def with_cached(self) -> Verdict:
        """The same verdict, marked as read from the cache."""
        return replace(self, cached=True)

    def to_json(self) -> str:
        """Stable JSON text."""
        return json.dumps(asdict(self), indent=1, sort_keys=True)

    @staticmethod
    def from_json(text: str) -> Verdict:
        """Inverse of `to_json`."""
        raw: dict[str, Any] = json.loads(text)
        difference = raw.pop("first_difference")
        audit = raw.pop("audit", None)
        sequences: dict[str, Any] = {
            key: tuple(raw.pop(key)) for key in ("engines", "arcs_excused", "arcs_forced", "notes", "provenance")
        }
        return Verdict(
            first_difference=Difference(**difference) if difference else None,
            audit=Audit(**audit) if audit else None,
            worst=Metrics(**raw.pop("worst")),
            diagnostics=tuple(Diagnostic(**item) for item in raw.pop("diagnostics")),
            results=tuple(
                CaseResult(**{**item, "grid": tuple(item["grid"]), "block": tuple(item["block"])})
                for item in raw.pop("results")
            ),
            **sequences,
            **raw,
        )
