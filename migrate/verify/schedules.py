"""Whether the original itself depends on the order of blocks, warps and threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from migrate.oracle import api as oracle
from migrate.verify.casefiles import Bytes
from migrate.verify.compare import compare_outputs, same_results
from migrate.verify.trial import Accepted, OracleSession, read_bytes, rejected

SCHEDULES: tuple[oracle.Schedule, ...] = ("reversed", 11, 29)
# Without atomics and without races nothing can depend on order; two cases are run all the same.
SAMPLE_CASES = 2


@dataclass(frozen=True)
class OrderReport:
    """``dependent``: positions of cases for which some schedule gave other bytes.

    ``stuck``: a schedule that did not end normally, with its message. ``noise``: largest absolute difference of the
    original with itself. ``case``: label of the first dependent case. ``mirrored``: position of a case -> what the
    original left under the reversed schedule, where it ran as cleanly then.
    """

    dependent: tuple[int, ...] = ()
    noise: float = 0.0
    case: str = ""
    stuck: str = ""
    mirrored: Mapping[int, Bytes] = field(default_factory=dict)


def has_race(item: Accepted) -> bool:
    """Whether the check build saw a race that is more than the same value written twice."""
    return any(finding.kind == "race" for finding in item.findings)


def blocks_overlap(item: Accepted) -> bool:
    """Whether every race is one store statement that two threads run on the same bytes of an argument.

    That is how a kernel without guards behaves at sizes that its tiles do not divide; a missing barrier does not.
    """
    found = [finding for finding in item.findings if finding.kind == "race"]
    return bool(found) and all(f.root not in ("", "shared") and f.line == f.other_line for f in found)


def lost_update(accepted: Sequence[Accepted]) -> oracle.Finding | None:
    """A race of threads that read, change and write back the same place, if there is one.

    No schedule shows it: each runs such a statement of one thread as a whole, and updates that commute (a sum, a
    count) come out right. On a device some are lost. Known by races of both kinds, read and write, in one buffer on
    overlapping lines.
    """
    for item in accepted:
        found = [finding for finding in item.findings if finding.kind == "race"]
        writes = {(f.root, f.file, line) for f in found if f.both_write for line in (f.line, f.other_line)}
        for finding in found:
            if not finding.both_write and {(finding.root, finding.file, line) for line in _lines(finding)} & writes:
                return finding
    return None


def _lines(finding: oracle.Finding) -> set[int]:
    return {finding.line, finding.other_line}


def races(accepted: Sequence[Accepted]) -> list[oracle.Finding]:
    """Races that changed or read bytes, over all cases."""
    return [finding for item in accepted for finding in item.findings if finding.kind == "race"]


def order_report(session: OracleSession, accepted: Sequence[Accepted], *, atomics: bool) -> OrderReport:
    """Runs the original under the reversed and two seeded schedules.

    All cases when the kernel has atomics, those with a race, else the first `SAMPLE_CASES` that change something.
    """
    chosen = {position for position, item in enumerate(accepted) if atomics or has_race(item)}
    sample = [position for position, item in enumerate(accepted) if item.changed][:SAMPLE_CASES]
    dependent: list[int] = []
    noise, stuck = 0.0, ""
    mirrored: dict[int, Bytes] = {}
    for position in sorted(chosen | set(sample)):
        item = accepted[position]
        for schedule in SCHEDULES if position in chosen else SCHEDULES[:2]:
            run = session.run(session.run_build, item.folder, f"order_{schedule}.bin", schedule)
            if run.status != "ok":
                stuck = stuck or f"{item.case.label}, schedule {schedule}: {run.status} {run.message}".strip()
                continue
            other = read_bytes(run.output)
            if schedule == "reversed" and (position not in chosen or _reaches_the_same(session, item)):
                mirrored[position] = other
            if not same_results(item.case, item.original, other):
                found = compare_outputs(item.case, item.before, item.original, other)
                noise = max(noise, found.metrics.max_abs)
                dependent.append(position)
            run.output.unlink(missing_ok=True)
    unique = tuple(dict.fromkeys(dependent))
    return OrderReport(unique, noise, accepted[unique[0]].case.label if unique else "", stuck, mirrored)


def _reaches_the_same(session: OracleSession, item: Accepted) -> bool:
    """Whether the original runs cleanly in reversed order too.

    Sizes are probed in contract order; where an atomic hands out places, another order may read past them.
    """
    return rejected(session.run(session.check_build, item.folder, "check_reversed.bin", "reversed")) is None
