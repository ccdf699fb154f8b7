"""The judgement never says `passed` without its reasons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from migrate.ir.span import Span
from migrate.oracle.api import Arc, Finding
from migrate.verify.case import Argument, Case
from migrate.verify.casefiles import RootSpec, pack, place, root_view
from migrate.verify.compare import compare_outputs, same_multisets
from migrate.verify.evidence import ComparedCase, Evidence, ExcusedArc
from migrate.verify.generator import Recipe
from migrate.verify.judge import judge
from migrate.verify.port_process import PortOutcome
from migrate.verify.schedules import OrderReport
from migrate.verify.setting import Setting
from migrate.verify.trial import Accepted, Dropped
from migrate.verify.verdict import Verdict


def accepted(number: int, result: list[int], *, findings=(), dtype: str = "int32") -> Accepted:
    roots, total = place([RootSpec("x", dtype, 16, "in"), RootSpec("y", dtype, 16, "out")])
    setting = Setting("base", (1, 1, 1), (4, 1, 1), 0, (), base=True)
    recipe = Recipe(setting, "ordinary", number, number % 2)
    arguments = (Argument(root="x"), Argument(root="y"))
    case = Case("k", number, f"case {number}", (1, 1, 1), (4, 1, 1), 0, arguments, roots, (), total)
    contents = {"x": np.full(4, number, dtype=dtype), "y": np.full(4, -1, dtype=dtype)}
    before = np.frombuffer(pack(case, contents), dtype=np.uint8)
    original = before.copy()
    root_view(case, original, case.roots[1])[:] = result
    changed = not np.array_equal(before, original)
    return Accepted(recipe, case, Path("/nowhere"), before, original, b"", tuple(findings), changed)


def compared(item: Accepted, port: np.ndarray | None = None) -> ComparedCase:
    other = item.original if port is None else port
    comparison = compare_outputs(item.case, item.before, item.original, other)
    return ComparedCase(item, PortOutcome("ok"), comparison, same_multisets(item.case, item.original, other))


def with_output(item: Accepted, result: list[int]) -> np.ndarray:
    port = item.original.copy()
    root_view(item.case, port, item.case.roots[1])[:] = result
    return port


def good_cases(count: int = 5, **options) -> list[ComparedCase]:
    return [compared(accepted(number, [number, 2, 3, 4], **options)) for number in range(count)]


def evidence(cases, **changes) -> Evidence:
    arcs = (Arc(3, "if (i < n)", "1 of 2", "k.cu"), Arc(3, "if (i < n)", "2 of 2", "k.cu"))
    base = Evidence("k.cu:1:k", "k", Span("k.cu", 1), cases, [], arcs, [True, True], [], OrderReport(), "native")
    return replace(base, **changes)


def codes(verdict: Verdict) -> list[str]:
    return [item.code for item in verdict.diagnostics]


def test_five_equal_telling_cases_pass():
    verdict = judge(evidence(good_cases()))
    assert verdict.status == "passed" and verdict.exact is True and verdict.cases == 5
    assert verdict.arcs_share == 1.0 and not verdict.diagnostics
    assert Verdict.from_json(verdict.to_json()) == verdict


def test_four_cases_are_too_few():
    verdict = judge(evidence(good_cases(4)))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM732"]


def test_one_different_element_fails_and_is_named():
    cases = good_cases()
    cases[2] = compared(cases[2].accepted, with_output(cases[2].accepted, [2, 2, 9, 4]))
    verdict = judge(evidence(cases))
    assert verdict.status == "failed" and codes(verdict) == ["TLM721"] and verdict.exact is False
    assert verdict.first_difference is not None
    assert (verdict.first_difference.root, verdict.first_difference.index) == ("y", 2)
    assert Verdict.from_json(verdict.to_json()) == verdict


def test_guard_band_damage_fails():
    cases = good_cases()
    port = cases[0].accepted.original.copy()
    port[0] ^= 1
    cases[0] = compared(cases[0].accepted, port)
    assert codes(judge(evidence(cases))) == ["TLM724"]


def test_changed_input_fails():
    cases = good_cases()
    port = cases[0].accepted.original.copy()
    root_view(cases[0].accepted.case, port, cases[0].accepted.case.roots[0])[0] = 77
    cases[0] = compared(cases[0].accepted, port)
    verdict = judge(evidence(cases))
    assert verdict.status == "failed" and codes(verdict) == ["TLM725"]


@pytest.mark.parametrize(
    ("status", "code"),
    [("raised", "TLM722"), ("import", "TLM722"), ("crashed", "TLM722"), ("timed_out", "TLM723"), ("skipped", "TLM740")],
)
def test_a_port_that_does_not_end_well_fails(status, code):
    cases = good_cases()
    cases[1] = ComparedCase(cases[1].accepted, PortOutcome(status, "what it said"))
    verdict = judge(evidence(cases))
    assert verdict.status == "failed" and codes(verdict) == [code]


def test_a_store_past_the_end_fails_and_an_unused_load_is_noted():
    cases = good_cases()
    cases[1] = replace(cases[1], outcome=PortOutcome("ok", "", ("out of range: write of y at k.py:3, 1 times",)))
    assert codes(judge(evidence(cases))) == ["TLM744"]
    cases[1] = replace(cases[1], outcome=PortOutcome("ok", "", ("out of range: read of x at k.py:3, 1 times",)))
    verdict = judge(evidence(cases))
    assert verdict.status == "passed" and "read of x" in verdict.notes[0]
    cases[1] = replace(cases[1], original_reads_past=True)
    assert judge(evidence(cases)).status == "passed"
    cases[1] = replace(cases[1], original_reads_past=False)
    assert codes(judge(evidence(cases))) == ["TLM744"]


def test_a_busy_machine_is_nobodys_failure():
    cases = good_cases()
    cases[1] = ComparedCase(cases[1].accepted, PortOutcome("starved", "2 s"))
    verdict = judge(evidence(cases))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM736"]


@pytest.mark.parametrize("status", ["engine", "unsupported"])
def test_an_engine_that_cannot_run_the_port_does_not_fail_it(status):
    cases = [ComparedCase(item.accepted, PortOutcome(status, "no tilelang")) for item in good_cases()]
    verdict = judge(evidence(cases))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM745"]


def test_no_effect_is_inconclusive():
    cases = [compared(accepted(number, [-1, -1, -1, -1])) for number in range(8)]
    verdict = judge(evidence(cases))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM727"]


def test_results_that_are_all_nan_are_inconclusive():
    nan = float("nan")
    cases = [compared(accepted(number, [nan, nan, nan, nan], dtype="float32")) for number in range(8)]
    verdict = judge(evidence(cases))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM727"] and "NaN" in verdict.diagnostics[0].message


def test_results_that_never_vary_are_inconclusive():
    cases = [compared(accepted(number, [1, 2, 3, 4])) for number in range(8)]
    verdict = judge(evidence(cases))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM732"]


def test_four_cases_with_an_effect_are_too_few():
    idle = [compared(accepted(number, [-1, -1, -1, -1])) for number in range(6)]
    verdict = judge(evidence([*good_cases()[:4], *idle]))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM732"]
    assert judge(evidence([*good_cases()[:5], *idle])).status == "passed"


def test_missing_arc_is_inconclusive_unless_excused():
    verdict = judge(evidence(good_cases(), arcs_taken=[True, False]))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM730"] and verdict.arcs_share == 0.5
    excused = judge(evidence(good_cases(), arcs_taken=[True, False], excused=[ExcusedArc(1, "constant")]))
    assert excused.status == "passed" and codes(excused) == ["TLM731"] and excused.arcs_share == 1.0


def test_race_that_changes_bytes_is_inconclusive_even_when_equal():
    race = Finding("race", 7, 3, "shared s", other_line=9)
    cases = good_cases(findings=[race])
    verdict = judge(evidence(cases, order=OrderReport((0,), 1.0, "case 0")))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM728"]
    assert "lines 7 and 9" in verdict.diagnostics[0].message


def test_race_without_effect_is_a_note_where_both_orders_were_seen():
    race = Finding("race", 7, 3, "a thread writes what another reads", other_line=9)
    other = Finding("race", 9, 3, "a thread reads what another wrote", other_line=7)
    verdict = judge(evidence(good_cases(findings=[race]), order=OrderReport(findings=(other,))))
    assert verdict.status == "passed" and codes(verdict) == ["TLM738"]
    verdict = judge(evidence(good_cases(findings=[race]), order=OrderReport(findings=(race,))))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM728"]


def test_order_dependence_without_race_is_compared_under_the_contract():
    verdict = judge(evidence(good_cases(), order=OrderReport((0,), 0.5, "case 1")))
    assert (
        verdict.status == "passed" and verdict.exact is True and codes(verdict) == ["TLM729"] and verdict.noise == 0.5
    )
    cases = good_cases()
    cases[0] = compared(cases[0].accepted, with_output(cases[0].accepted, [4, 3, 2, 0]))
    permuted = judge(evidence(cases, order=OrderReport((0,), 0.5, "case 1")))
    assert permuted.status == "passed" and permuted.exact is False and permuted.notes
    assert judge(evidence(cases)).status == "failed"


def test_difference_beside_uninitialised_reads_is_inconclusive():
    cases = good_cases(findings=[Finding("uninitialised_read", 5, 1, "shared s")])
    assert judge(evidence(cases)).status == "passed"
    cases[0] = compared(cases[0].accepted, with_output(cases[0].accepted, [9, 9, 9, 9]))
    verdict = judge(evidence(cases))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM737"]


def test_without_cases_the_reason_is_named():
    dropped = [("a", Dropped("event signed_overflow", "line 4")), ("b", Dropped("event shift", "line 5"))]
    events = judge(evidence([], dropped=dropped))
    assert events.status == "inconclusive" and codes(events) == ["TLM735"] and events.dropped["event shift"] == 1
    crashes = judge(evidence([], dropped=[*dropped, ("c", Dropped("crashed", "signal 11"))]))
    assert codes(crashes) == ["TLM726"]
    assert codes(judge(evidence([], out_of_time=True))) == ["TLM736"]
    assert judge(evidence([])).status == "inconclusive"
