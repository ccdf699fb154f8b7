"""Everything that the judge looks at, gathered by `verify_kernel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from migrate.ir.span import Span
from migrate.oracle.api import Arc
from migrate.verify.compare import Comparison
from migrate.verify.port_process import PortOutcome
from migrate.verify.schedules import OrderReport
from migrate.verify.trial import Accepted, Dropped


@dataclass(frozen=True)
class ComparedCase:
    """One accepted case with what the port did. ``comparison`` is None unless the port ended normally.

    ``multisets``: whether the results agree as multisets of integers (only asked where bytes differ).
    ``original_reads_past``: whether the original as written reads past a buffer too (only asked where the port does).
    """

    accepted: Accepted
    outcome: PortOutcome
    comparison: Comparison | None = None
    multisets: bool = False
    original_reads_past: bool | None = None


@dataclass(frozen=True)
class ExcusedArc:
    """An arc that no launch of the plan can take, and why."""

    position: int
    reason: str


@dataclass(frozen=True)
class Evidence:
    """Input of `judge`. ``arcs_taken``: one flag an arc. ``out_of_time``: the time limit cut the search short.

    ``forced``: position of an arc → cases that covered it with its condition negated (see `forcing`);
    ``not_forced``: why other conditions could not be forced. ``mirrored``: cases that port and original also ran in
    reversed order of blocks, warps and lanes; they decide like ``cases``, but do not count as further ones.
    ``geometry``: why all cases are launches under other blocks than the plan's; empty if they are not.
    """

    kernel_id: str
    symbol: str
    span: Span | None
    cases: Sequence[ComparedCase]
    dropped: Sequence[tuple[str, Dropped]]
    arcs: Sequence[Arc]
    arcs_taken: Sequence[bool]
    excused: Sequence[ExcusedArc]
    order: OrderReport
    engine: str
    fast_math: Sequence[str] = ()
    enlarged: Mapping[str, str] = field(default_factory=dict)
    provenance: Sequence[str] = ()
    out_of_time: bool = False
    cpu_s: float = 0.0
    forced: Mapping[int, int] = field(default_factory=dict)
    not_forced: Sequence[str] = ()
    oracle: str = "shim"
    geometry: str = ""
    mirrored: Sequence[ComparedCase] = ()

    def runs(self) -> list[ComparedCase]:
        """Everything that the port ran, in contract order and then in reversed order."""
        return [*self.cases, *self.mirrored]

    def missing_arcs(self) -> list[int]:
        """Positions of arcs that no case took, that can be reached, and that were not forced."""
        excused = {arc.position for arc in self.excused}
        return [
            position
            for position, taken in enumerate(self.arcs_taken)
            if not taken and position not in excused and position not in self.forced
        ]
