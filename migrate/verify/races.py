"""What races of the original mean for a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from migrate.oracle import api as oracle
from migrate.verify.trial import Accepted


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


def of_one_order(accepted: Sequence[Accepted], reversed_findings: Iterable[oracle.Finding]) -> oracle.Finding | None:
    """A race of a read and a write that came in the same order in all runs, if there is one.

    Then nobody knows what the other order gives: the last block of a reduction reads after the others wrote in every
    schedule that runs blocks one after another, also where no fence makes it so.
    """
    found = races(accepted)
    seen = {_read_and_write(finding) for finding in (*found, *reversed_findings) if not finding.both_write}
    for finding in found:
        root, read, write, read_first = _read_and_write(finding)
        if not finding.both_write and (root, read, write, not read_first) not in seen:
            return finding
    return None


def _read_and_write(finding: oracle.Finding) -> tuple[str, tuple[str, int], tuple[str, int], bool]:
    """(root, place of the read, place of the write, whether the read came first)."""
    here, there = (finding.file, finding.line), (finding.file, finding.other_line)
    if finding.reads_after:
        return finding.root, here, there, False
    return finding.root, there, here, True
