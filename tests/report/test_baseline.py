"""Comparison with an earlier report."""

from __future__ import annotations

from dataclasses import replace

import jsonschema

from migrate.diagnostics import Diagnostic
from migrate.report.baseline import Comparison, compare
from migrate.report.html_report import render_html
from migrate.report.json_report import render_json
from migrate.report.model import FileReport, KernelReport, Report
from migrate.report.text_report import print_comparison
from report.test_model import REFUSAL, SCHEMA, kernel, report

GOOD = kernel("good", "simt", "passed")


def one(*kernels: KernelReport, files: tuple[FileReport, ...] = ()) -> Report:
    return Report("0.1.0", "cuda", "repo", files, kernels)


def kinds(before: KernelReport | None, after: KernelReport | None, *, verified: bool = True) -> list[str]:
    found = compare(one(*(k for k in (before,) if k)), one(*(k for k in (after,) if k)), verified=verified)
    return [change.kind for change in found.changes]


def test_moved_lines_change_nothing() -> None:
    moved = replace(GOOD, id="a.cu:90:good", line=90, end_line=96)
    assert compare(one(GOOD), one(moved)) == Comparison((), 1)


def test_steps_down_are_regressions_and_steps_up_are_fixes() -> None:
    refused = kernel("good", "refused", "not_run", REFUSAL)
    undecided, failed = kernel("good", "simt", "inconclusive"), kernel("good", "simt", "failed")
    inexact = replace(GOOD, evidence=replace(GOOD.evidence, exact=False))
    for worse in (refused, undecided, failed, inexact, kernel("good", "simt", "not_run")):
        assert kinds(GOOD, worse) == ["regressed"]
        assert kinds(worse, GOOD) == ["fixed"]
    assert kinds(replace(GOOD, lowered=True), replace(GOOD, lowered=False)) == ["regressed"]
    assert kinds(replace(GOOD, lowered=True), GOOD) == [], "not asked is no step down"
    assert kinds(undecided, failed) == ["regressed"]


def test_a_run_without_verification_is_compared_by_levels_alone() -> None:
    unproven = kernel("good", "simt", "not_run")
    assert kinds(GOOD, unproven, verified=False) == []
    assert kinds(GOOD, kernel("good", "refused", "not_run", REFUSAL), verified=False) == ["regressed"]


def test_new_kernels_must_be_clean_and_removed_ones_are_told() -> None:
    assert kinds(None, GOOD) == ["new"]
    assert kinds(None, kernel("bad", "refused", "not_run", REFUSAL)) == ["new_finding"]
    assert kinds(GOOD, None) == ["removed"]
    assert compare(one(GOOD), one()).regressions() == ()


def test_other_findings_with_the_same_outcome_are_a_change() -> None:
    warned = replace(GOOD, diagnostics=(Diagnostic("TLM241", "warning", "output left out", "a.cu", 3),))
    assert kinds(GOOD, warned) == ["changed"]


def test_a_second_kernel_of_the_same_name_is_its_own() -> None:
    first, second = GOOD, replace(kernel("good", "simt", "failed"), line=30)
    moved = replace(second, line=31, verdict="passed")
    assert [c.kind for c in compare(one(first, second), one(first, moved)).changes] == ["fixed"]


def test_a_file_that_can_no_longer_be_read_is_a_regression() -> None:
    fine, broken = FileReport("a.cu", "", "converted", ""), FileReport("a.cu", "", "unreadable", "")
    assert [c.kind for c in compare(one(files=(fine,)), one(files=(broken,))).changes] == ["regressed"]
    assert [c.kind for c in compare(one(files=(broken,)), one(files=(fine,))).changes] == ["fixed"]
    assert [c.kind for c in compare(one(), one(files=(broken,))).changes] == ["new_finding"]


def test_every_format_shows_the_comparison() -> None:
    comparison = compare(one(GOOD), report())
    import json

    raw = json.loads(render_json(report(), comparison))
    jsonschema.validate(raw, SCHEMA)
    assert raw["comparison"]["counts"]["new_finding"] == 1
    assert "Compared with the baseline" in render_html(report(), comparison=comparison)
    said: list[str] = []
    print_comparison(comparison, said.append, quiet=False)
    assert said[0].startswith("new and not clean: bad a.cu:3") and "1 unchanged" in said[-1]
