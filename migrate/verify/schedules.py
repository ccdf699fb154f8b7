"""Whether the original itself depends on the order of blocks, warps and threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from migrate.oracle import api as oracle
from migrate.verify.casefiles import Bytes
from migrate.verify.compare import compare_outputs, same_results
from migrate.verify.races import has_race
from migrate.verify.trial import Accepted, OracleSession, read_bytes, rejected

SCHEDULES: tuple[oracle.Schedule, ...] = ("reversed", 11, 29)
# Without atomics and without races nothing can depend on order; two cases are run all the same.
SAMPLE_CASES = 2


@dataclass(frozen=True)
class OrderReport:
    """``dependent``: positions of cases for which some schedule gave other bytes.

    ``stuck``: a schedule that did not end normally, with its message. ``noise``: largest absolute difference of the
    original with itself. ``case``: label of the first dependent case. ``mirrored``: position of a case -> what the
    original left under the reversed schedule, where it ran as cleanly then. ``findings``: of the check build under
    that schedule.
    """

    dependent: tuple[int, ...] = ()
    noise: float = 0.0
    case: str = ""
    stuck: str = ""
    mirrored: Mapping[int, Bytes] = field(default_factory=dict)
    findings: tuple[oracle.Finding, ...] = ()


def order_report(session: OracleSession, accepted: Sequence[Accepted], *, atomics: bool) -> OrderReport:
    """Runs the original under the reversed and two seeded schedules.

    All cases when the kernel has atomics, those with a race, else the first `SAMPLE_CASES` that change something.
    """
    chosen = {position for position, item in enumerate(accepted) if atomics or has_race(item)}
    sample = [position for position, item in enumerate(accepted) if item.changed][:SAMPLE_CASES]
    dependent: list[int] = []
    noise, stuck = 0.0, ""
    mirrored: dict[int, Bytes] = {}
    findings: list[oracle.Finding] = []
    for position in sorted(chosen | set(sample)):
        item = accepted[position]
        for schedule in SCHEDULES if position in chosen else SCHEDULES[:2]:
            run = session.run(session.run_build, item.folder, f"order_{schedule}.bin", schedule)
            if run.status != "ok":
                stuck = stuck or f"{item.case.label}, schedule {schedule}: {run.status} {run.message}".strip()
                continue
            other = read_bytes(run.output)
            if schedule == "reversed":
                # Sizes are probed in contract order; where an atomic hands out places, another may read past them.
                check = _checked_reversed(session, item) if position in chosen else None
                if check is None or rejected(check) is None:
                    mirrored[position] = other
                findings += check.findings if check else ()
            if not same_results(item.case, item.original, other):
                found = compare_outputs(item.case, item.before, item.original, other)
                noise = max(noise, found.metrics.max_abs)
                dependent.append(position)
            run.output.unlink(missing_ok=True)
    unique = tuple(dict.fromkeys(dependent))
    first = accepted[unique[0]].case.label if unique else ""
    return OrderReport(unique, noise, first, stuck, mirrored, tuple(findings))


def _checked_reversed(session: OracleSession, item: Accepted) -> oracle.OracleRun:
    return session.run(session.check_build, item.folder, "check_reversed.bin", "reversed")
