"""Which findings about an original are told, how certain they are said to be, and which are left out."""

from __future__ import annotations

import pytest

from migrate.diagnostics import load_page, make
from migrate.ir.span import Span
from migrate.oracle.api import Event, Finding, OracleRun
from migrate.verify.faults import CODES, FaultLog, Observed, once_a_line
from migrate.verify.generator import Recipe
from migrate.verify.setting import ScalarSetting, Setting

KERNEL = Span("k.cu", 3)


def recipe(size: int = 100, flavour="ordinary", *, stated: bool = True) -> Recipe:
    arguments = (ScalarSetting(0, size.to_bytes(4, "little")),)
    return Recipe(Setting(f"n={size}", (1, 1, 1), (64, 1, 1), 0, arguments, stated=stated), flavour, 1, 0)


def run(*found: Finding | Event, status="ok", message: str = "") -> OracleRun:
    findings = tuple(item for item in found if isinstance(item, Finding))
    events = tuple(item for item in found if isinstance(item, Event))
    return OracleRun(status, message, None, b"", events, findings)  # type: ignore[arg-type]


def race(line: int = 7, other: int = 9, count: int = 5) -> Finding:
    return Finding("race", line, count, "two threads …", "shared", other, "k.cu")


def outside(root: str, offset: int = 400) -> Finding:
    return Finding("out_of_bounds", 8, 1, f"read of 4 bytes at offset {offset} of a root of 400 bytes", root, 0, "k.cu")


def add(log: FaultLog, made: Recipe, *found: Finding | Event, sizes=None, last=True, steered=False) -> None:
    log.add(made, [Observed(run(*found), sizes or {}, last)], steered=steered)


def told(log: FaultLog, *verdict) -> list[tuple[str, str, int]]:
    return [(item.code, item.severity, item.line) for item in log.diagnostics(KERNEL, verdict)]


def test_every_kind_has_a_code_with_a_page():
    assert all(load_page(code)["title"] for code in CODES.values())


def test_what_shows_with_all_data_of_a_stated_launch_is_a_warning():
    log = FaultLog()
    for flavour in ("ordinary", "zeros"):
        add(log, recipe(flavour=flavour), race())
    assert told(log) == [("TLM770", "warning", 7)]
    message = log.diagnostics(KERNEL)[0].message
    assert "line 9" in message and "10 times in 2 runs" in message and "n=100, ordinary" in message
    add(log, recipe(flavour="unit"))
    assert told(log) == [("TLM770", "note", 7)], "not with all data"


def test_what_only_guessed_sizes_show_is_a_note_and_says_so():
    log = FaultLog()
    for flavour in ("ordinary", "zeros"):
        add(log, recipe(stated=False, flavour=flavour), race())
    assert told(log) == [("TLM770", "note", 7)]
    assert "guess" in log.diagnostics(KERNEL)[0].message


def test_sizes_that_host_code_never_uses_do_not_count_where_it_states_its_own():
    log = FaultLog()
    add(log, recipe(33, stated=False), race())
    add(log, recipe(100))
    assert told(log) == []


def test_what_a_race_leads_to_is_not_told_twice():
    log = FaultLog()
    unwritten = Finding("uninitialised_read", 9, 1, "…", "shared", 0, "k.cu")
    same_value = Finding("benign_race", 7, 1, "…", "shared", 9, "k.cu")
    add(log, recipe(), race(), unwritten, same_value)
    assert [code for code, _, _ in told(log)] == ["TLM770"]
    add(log, recipe(), Finding("uninitialised_read", 11, 1, "…", "shared", 0, "k.cu"))
    assert {(code, line) for code, _, line in told(log)} == {("TLM770", 7), ("TLM773", 11)}


def test_what_the_verdict_says_is_not_told_again():
    log = FaultLog()
    add(log, recipe(), race())
    assert told(log, make("TLM728", "a race", Span("k.cu", 9))) == []
    assert told(log, make("TLM728", "a race", Span("k.cu", 20))) != []


@pytest.mark.parametrize(
    ("finding", "sizes", "steered", "expected"),
    [
        (outside("x"), {}, False, []),  # nobody states its size: probing will enlarge it
        (outside("x"), {"x": 400}, False, [("TLM772", "warning", 8)]),
        (outside("x", -4), {}, False, [("TLM772", "warning", 8)]),
        (outside("shared"), {}, False, [("TLM772", "warning", 8)]),
        (outside("x"), {"x": 400}, True, [("TLM772", "note", 8)]),  # with one kind of data so far
    ],
)
def test_accesses_outside(finding, sizes, steered, expected):
    log = FaultLog()
    add(log, recipe(), finding, sizes=sizes, steered=steered)
    assert told(log) == expected


def test_what_follows_from_reading_outside_an_unknown_size_is_not_told():
    log = FaultLog()
    add(log, recipe(), outside("x"), race(), Event("division_by_zero", 12, 1, "k.cu"))
    assert told(log) == []


def test_findings_of_attempts_at_sizes_are_left_out_and_deadlocks_have_their_line():
    log = FaultLog()
    add(log, recipe(), race(), last=False)
    assert told(log) == []
    log.add(
        recipe(), [Observed(run(status="deadlock", message="3 wait at a barrier of line 14"), {}, True)], steered=False
    )
    assert [(code, line) for code, _, line in told(log)] == [("TLM774", 14)]


def test_instantiations_share_one_diagnostic_a_line():
    first = make("TLM770", "5 times", Span("k.cu", 7), severity="note")
    second = make("TLM770", "8 times", Span("k.cu", 7))
    other = make("TLM743", "fast math", Span("k.cu", 7))
    assert once_a_line([first, other, second, other]) == (second, other)
