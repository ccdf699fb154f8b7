"""Faults that were put into originals on purpose are found, with their kind and line, and nothing else is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from checked_originals import Seeded, findings, requests_for, seeded_faults

from migrate.verify.faults import CODES
from migrate.verify.originals import CheckRequest

SEEDED = Path(__file__).parent / "seeded"
FAULTS = seeded_faults(SEEDED)
# One of each family that users meet most; the others run in the sweep.
ALWAYS = {"sum_without_barrier", "halo_unset", "tail_one_too_far", "barrier_under_condition", "index_overflow"}


@pytest.fixture(scope="module")
def originals() -> dict[tuple[str, str], CheckRequest]:
    return requests_for(SEEDED, sorted(SEEDED.glob("*.cu")))


def test_there_are_enough_faults_of_every_kind() -> None:
    assert len(FAULTS) >= 40
    kinds = {fault.kind for fault in FAULTS}
    assert kinds | {"deadlock"} == set(CODES)
    assert {fault.kernel for fault in FAULTS} >= ALWAYS


@pytest.mark.parametrize(
    "fault",
    [pytest.param(f, marks=[] if f.kernel in ALWAYS else pytest.mark.sweep, id=f.kernel) for f in FAULTS],
)
def test_a_seeded_fault_is_found_on_its_line(fault: Seeded, originals: dict[tuple[str, str], CheckRequest]) -> None:
    found = findings(originals[(fault.file, fault.kernel)])
    told = [str(item) for item in found]
    assert {item.code for item in found} == {CODES[fault.kind]}, told
    assert {item.line for item in found} <= fault.lines, told
    assert all(item.file == fault.file for item in found), told
    assert len({(item.code, item.line) for item in found}) == len(found), told
    expected = "note" if fault.kind == "benign_race" else "warning"
    assert found[0].severity == expected, told
