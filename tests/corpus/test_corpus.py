"""The whole corpus through every stage, against its manifest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from migrate.pipeline.again import verify_again
from migrate.pipeline.convert import Outcome, convert_repository
from migrate.pipeline.options import Options, default_jobs
from migrate.pipeline.proving import VerifySettings
from migrate.report.model import KernelReport, Report
from migrate.report.text_report import main_code

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

CORPUS = Path(__file__).parents[2] / "corpus"
MANIFEST = toml.loads((CORPUS / "manifest.toml").read_text(encoding="utf-8"))
REFUSED = {(entry["file"], entry["kernel"]): entry["code"] for entry in MANIFEST["refuse"]}
CAUGHT = {(entry["file"], entry["kernel"]): entry["code"] for entry in MANIFEST["caught"]}


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    output = tmp_path_factory.mktemp("corpus") / "ported"
    yield convert_repository(
        Options(CORPUS, (CORPUS,), output, lower=False, jobs=default_jobs(), timeout_s=300.0), quiet=True
    )


def described(kernel: KernelReport) -> str:
    codes = " ".join(str(diagnostic) for diagnostic in kernel.diagnostics if diagnostic.severity != "note")
    return f"{kernel.file}:{kernel.line} {kernel.name}: {kernel.level}, {kernel.verdict} {codes}"


def convertible(report: Report) -> list[KernelReport]:
    return [kernel for kernel in report.kernels if (kernel.file, kernel.name) not in REFUSED | CAUGHT]


def test_every_convertible_kernel_passes_bit_for_bit(converted: Outcome) -> None:
    kernels = convertible(converted.report)
    assert len(kernels) >= 30
    bad = [k for k in kernels if k.verdict != "passed" or not k.evidence.exact or k.evidence.cases < 5]
    assert [described(kernel) for kernel in bad] == []


def test_every_must_refuse_kernel_is_refused_with_its_code(converted: Outcome) -> None:
    found = {(k.file, k.name): (k.level, main_code(k)) for k in converted.report.kernels}
    assert len(REFUSED) >= 25
    for key, code in REFUSED.items():
        assert found[key] == ("refused", code), key
    assert len(set(REFUSED.values())) == len(REFUSED), "each refusal has a code of its own"


def test_every_broken_original_is_caught(converted: Outcome) -> None:
    found = {(k.file, k.name): (k.verdict, main_code(k)) for k in converted.report.kernels}
    assert {key: found[key] for key in CAUGHT} == {key: ("inconclusive", code) for key, code in CAUGHT.items()}


def test_refusals_name_a_line_of_the_original(converted: Outcome) -> None:
    for kernel in converted.report.kernels:
        if kernel.level == "refused":
            errors = [d for d in kernel.diagnostics if d.severity == "error"]
            assert errors and all(d.file == kernel.file and d.line > 0 for d in errors), described(kernel)


@pytest.mark.sweep
@pytest.mark.upstream
@pytest.mark.skipif(find_spec("tilelang") is None, reason="the real tilelang is not installed")
def test_every_port_agrees_through_upstreams_own_ir_and_lowers(converted: Outcome) -> None:
    settings = VerifySettings(engine="tir", time_limit_s=300.0)
    report = verify_again((converted.output,), settings, lower=True, jobs=default_jobs(), quiet=True)
    bad = [k for k in convertible(report) if k.verdict != "passed" or not k.evidence.exact or k.lowered is not True]
    assert [described(kernel) for kernel in bad] == []
