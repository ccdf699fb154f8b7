import json
from pathlib import Path

import jsonschema
import pytest

from migrate.diagnostics import Diagnostic
from migrate.report.json_report import render_json
from migrate.report.model import Evidence, FileReport, InstantiationReport, KernelReport, Report, report_from_dict
from migrate.report.text_report import main_code, totals

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/report.schema.json").read_text())
REFUSAL = Diagnostic("TLM201", "error", "inline assembly is not converted", "a.cu", 5, 5, 5, 40)


def kernel(name: str, level: str, verdict: str, *diagnostics: Diagnostic) -> KernelReport:
    evidence = Evidence("shim", ("native",), "cpu", 8, 1.0, True, {"max_ulp": 0}, ("n was guessed",))
    one = InstantiationReport(name, name, level, verdict, None, evidence, ("loops",), diagnostics)  # type: ignore[arg-type]
    return KernelReport(
        f"a.cu:3:{name}", "a.cu", 3, 9, name, True, level, "a_cu_tl.py", name, None, verdict, evidence, "none",  # type: ignore[arg-type]
        (one,), ("loops",), (), (), diagnostics,
    )  # fmt: skip


def report() -> Report:
    kernels = (kernel("good", "simt", "passed"), kernel("bad", "refused", "not_run", REFUSAL))
    return Report("0.1.0", "cuda", "repo", (FileReport("a.cu", "0" * 64, "partial", "a_cu_tl.py"),), kernels)


def test_json_is_valid_against_the_schema_and_round_trips() -> None:
    text = render_json(report())
    raw = json.loads(text)
    jsonschema.validate(raw, SCHEMA)
    assert report_from_dict(raw) == report()


def test_the_schema_rejects_a_level_that_does_not_exist() -> None:
    raw = json.loads(render_json(report()))
    raw["kernels"][0]["level"] = "perfect"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(raw, SCHEMA)


def test_refused_kernels_stay_in_the_denominator() -> None:
    counts = report().summary()
    assert (counts["kernels"], counts["simt"], counts["refused"], counts["passed"], counts["not_run"]) == (
        2,
        1,
        1,
        1,
        1,
    )
    assert "50% of all kernels passed" in totals(report())[1]
    assert "TLM201 1" in totals(report())[2]


def test_a_report_with_a_refusal_is_not_clean() -> None:
    found = report()
    assert not found.clean()
    only_good = Report("0.1.0", "cuda", "repo", found.files, found.kernels[:1])
    assert only_good.clean()


def test_the_deciding_code_is_the_first_error() -> None:
    warning = Diagnostic("TLM730", "warning", "never taken", "a.cu", 4)
    assert main_code(kernel("k", "refused", "not_run", warning, REFUSAL)) == "TLM201"
    assert main_code(kernel("k", "simt", "inconclusive", warning)) == "TLM730"
    printed = Diagnostic("TLM241", "warning", "output left out", "a.cu", 3)
    assert main_code(kernel("k", "simt", "inconclusive", printed, warning)) == "TLM730"
    assert main_code(kernel("k", "simt", "not_run", printed)) == "TLM241"


def test_another_schema_version_is_an_error() -> None:
    raw = json.loads(render_json(report()))
    raw["schema_version"] = 2
    with pytest.raises(ValueError, match="schema_version 2"):
        report_from_dict(raw)
