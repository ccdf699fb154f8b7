"""Whether the original itself depends on the order of blocks, warps and threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from migrate.oracle import api as oracle
from migrate.verify.compare import compare_outputs, same_results
from migrate.verify.trial import Accepted, OracleSession, read_bytes

SCHEDULES: tuple[oracle.Schedule, ...] = ("reversed", 11, 29)
# Without atomics and without races nothing can depend on order; two cases are run all the same.
SAMPLE_CASES = 2


@dataclass(frozen=True)
class OrderReport:
    """``dependent``: some schedule gave other bytes. ``stuck``: a schedule that did not end normally, with its message.

    ``noise``: largest absolute difference of the original with itself. ``case``: label of the first such case.
    """

    dependent: bool = False
    noise: float = 0.0
    case: str = ""
    stuck: str = ""


def races(accepted: Sequence[Accepted]) -> list[oracle.Finding]:
    """Races that changed or read bytes, over all cases."""
    return [finding for item in accepted for finding in item.findings if finding.kind == "race"]


def order_report(session: OracleSession, accepted: Sequence[Accepted], *, atomics: bool) -> OrderReport:
    """Runs the original under the reversed and two seeded schedules.

    All cases when the kernel has atomics or a race was seen, else the first `SAMPLE_CASES` that change something.
    """
    thorough = atomics or bool(races(accepted))
    chosen = list(accepted) if thorough else [item for item in accepted if item.changed][:SAMPLE_CASES]
    dependent, noise, case, stuck = False, 0.0, "", ""
    for item in chosen:
        for schedule in SCHEDULES if thorough else SCHEDULES[:2]:
            run = session.run(session.run_build, item.folder, f"order_{schedule}.bin", schedule)
            if run.status != "ok":
                stuck = stuck or f"{item.case.label}, schedule {schedule}: {run.status} {run.message}".strip()
                continue
            other = read_bytes(run.output)
            if not same_results(item.case, item.original, other):
                found = compare_outputs(item.case, item.before, item.original, other)
                dependent, noise, case = True, max(noise, found.metrics.max_abs), case or item.case.label
            run.output.unlink(missing_ok=True)
    return OrderReport(dependent, noise, case, stuck)
