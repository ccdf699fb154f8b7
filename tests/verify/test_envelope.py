"""Where results may lie on a device: computed beside a bundle's cases, judged by the bundle's runner."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from end_to_end import convert

from migrate.oracle.toolchain import HEADERS
from migrate.verify import bundle, bundle_runner
from migrate.verify.case import Case, Root
from migrate.verify.envelope import INEXACT, MOVEMENTS, find_envelope, inexact_names

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void sigmoid(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f / (1.0f + expf(-x[i]));
}
__global__ void scaled(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 0.5f + sqrtf(fabsf(x[i]));
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  sigmoid<<<(n + 127) / 128, 128>>>(x, y, n);
  scaled<<<(n + 127) / 128, 128>>>(x, y, n);
}
"""


@pytest.fixture(scope="module")
def bundled(tmp_path_factory) -> dict[str, Path]:
    """The bundle's folder of each kernel. Originals are not compiled for a device here."""
    folder = tmp_path_factory.mktemp("envelope")
    converted = convert(folder, SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "compile_original", lambda folder, arch: ("entry", ""))
        for name in converted.kernels:
            verdict = converted.verify(name, bundle=folder / "bundle")
            assert verdict.status == "passed", verdict
    return {name: next((folder / "bundle" / "kernels").glob(f"*_{name}")) for name in converted.kernels}


def cases_of(folder: Path) -> list[tuple[dict, Path]]:
    described = json.loads((folder / "kernel.json").read_text())["cases"]
    assert described
    return [(item, folder / "cases" / item["folder"]) for item in described]


def test_the_oracle_lies_inside_and_the_envelope_has_a_width(bundled):
    wider = 0
    for _, place in cases_of(bundled["sigmoid"]):
        case = Case.from_json((place / "case.json").read_text())
        oracle, low, high = (np.fromfile(place / f"{n}.bin", np.uint8) for n in ("oracle", "low", "high"))
        outside_roots = np.ones(oracle.size, bool)
        for root in case.roots:
            span = slice(root.start, root.start + root.bytes)
            outside_roots[span] = False
            values = [data[span].view(root.dtype) for data in (oracle, low, high)]
            if root.dtype == "float32":
                known = ~np.isnan(values[0])
                assert (values[1] <= values[0])[known].all() and (values[0] <= values[2])[known].all()
                assert (values[2] - values[1])[np.isfinite(values[0])].max(initial=0) < 1e-5
                wider += int((values[1] < values[2]).sum())
        assert np.array_equal(oracle[outside_roots], low[outside_roots])
        assert np.array_equal(oracle[outside_roots], high[outside_roots])
    assert wider > 100


def test_kernels_without_such_functions_have_none(bundled):
    for item, place in cases_of(bundled["scaled"]):
        assert not (place / "low.bin").exists() and not (place / "high.bin").exists()
        assert "envelope_notes" not in item


def judged(folder: Path, monkeypatch, original_of) -> dict:
    """The runner's report on a kernel whose results on the device are ``original_of(place)``."""
    places = iter([place for _, place in cases_of(folder) for _ in range(2)])  # each case runs twice
    monkeypatch.setattr(bundle_runner, "run_original", lambda *_: original_of(next(places)))
    result = bundle_runner.run_kernel(folder, "original")
    assert not any("original_error" in case for case in result["cases"]), result
    return bundle_runner.summary(result)


def test_the_runner_calls_results_equal_inside_or_outside(bundled, monkeypatch):
    def read(name: str):
        return lambda place: np.fromfile(place / f"{name}.bin", np.uint8)

    def beyond(place: Path) -> np.ndarray:
        data = np.fromfile(place / "high.bin", np.uint8)
        root = next(r for r in json.loads((place / "case.json").read_text())["roots"] if r["role"] != "in")
        values = data[root["start"] : root["start"] + root["bytes"]].view(np.float32)
        finite = np.flatnonzero(np.isfinite(values) & (values > 0))
        values[finite[0]] = np.nextafter(np.nextafter(values[finite[0]], np.float32(9)), np.float32(9))
        return data

    sigmoid = bundled["sigmoid"]
    count = len(cases_of(sigmoid))
    equal = judged(sigmoid, monkeypatch, read("oracle"))
    assert equal["oracle"] == "equal" and equal["oracle_against_original"]["inside"] == count
    for name in ("low", "high"):
        inside = judged(sigmoid, monkeypatch, read(name))
        assert inside["oracle"] == "inside" and inside["oracle_against_original"]["outside"] == 0
        assert inside["oracle_against_original"]["equal"] < count
    outside = judged(sigmoid, monkeypatch, beyond)
    assert outside["oracle"] == "OUTSIDE"
    assert outside["oracle_against_original"]["outside"] == count
    assert outside["oracle_against_original"]["outside_ulp"] == 2
    assert 0 < outside["oracle_against_original"]["outside_scaled"] < 1e-6


def test_kernels_without_an_envelope_must_be_equal(bundled, monkeypatch):
    def changed(place: Path) -> np.ndarray:
        data = np.fromfile(place / "oracle.bin", np.uint8)
        root = next(r for r in json.loads((place / "case.json").read_text())["roots"] if r["role"] != "in")
        data[root["start"]] ^= 1
        return data

    assert judged(bundled["scaled"], monkeypatch, changed)["oracle"] == "OUTSIDE"


def test_guard_bands_and_nan_positions_count():
    case = {"roots": [{"start": 4, "bytes": 16, "dtype": "float32"}], "total_bytes": 24}

    def file(*values: float, guard: int = 7) -> np.ndarray:
        data = np.full(24, guard, np.uint8)
        data[4:20] = np.array(values, np.float32).view(np.uint8)
        return data

    nan = np.nan
    low, high = file(nan, nan, 1, -np.inf), file(nan, 5, 2, np.inf)
    good = bundle_runner.measure_envelope(case, file(nan, nan, 2, np.inf), low, high)
    assert good == {"inside_envelope": True, "outside": 0, "outside_ulp": 0, "outside_scaled": 0.0, "undecided": 1}
    assert bundle_runner.measure_envelope(case, file(0, 7, nan, nan), low, high)["outside"] == 3
    guarded = bundle_runner.measure_envelope(case, file(nan, 1, 1, 0, guard=8), low, high)
    assert not guarded["inside_envelope"] and guarded["outside"] == 8


class Session:
    """Runs that give what a test says: values a movement, or a message."""

    def __init__(self, results: dict):
        self.results = results
        self.asked: list = []

    def run(self, build, folder: Path, name: str, moved):
        self.asked.append(moved)
        found = self.results.get(moved, self.results["else"])
        if isinstance(found, str):
            return SimpleNamespace(status="crashed", message=found)
        np.array(found, np.float32).tofile(folder / name)
        return SimpleNamespace(status="ok", message="")


def envelope(tmp_path: Path, plain: list[float], text: str = "", dtype: str = "float32", **results):
    case = Case("k", 0, "", (1, 1, 1), (1, 1, 1), 0, (), (Root("y", dtype, 4 * len(plain), 0),), (), 4 * len(plain))
    original = np.array(plain, np.float32).view(np.uint8)
    item = SimpleNamespace(case=case, folder=tmp_path, original=original, settled=lambda data: data)
    session = Session({"else": plain, **results})
    found = find_envelope(session, SimpleNamespace(text=text), item)
    if found is None:
        return None, session
    return (found.low.view(np.float32).tolist(), found.high.view(np.float32).tolist(), found.notes), session


def test_low_and_high_are_those_of_all_runs(tmp_path):
    (low, high, notes), session = envelope(tmp_path, [1, 2, -3], "expf(x)", up=[2, 2, -4], down=[0.5, 2, -2.5])
    assert (low, high, notes) == ([0.5, 2, -4], [2, 2, -2.5], ())
    assert session.asked == list(MOVEMENTS)


def test_nothing_named_and_nothing_moved_means_no_envelope(tmp_path):
    found, session = envelope(tmp_path, [1.0], "sqrtf(x)")
    assert found is None and session.asked == ["up"]
    # not named, but moved all the same: the whole envelope
    found, _ = envelope(tmp_path, [1.0], "HIDDEN(x)", up=[2.0])
    assert found == ([1.0], [2.0], ())


def test_integers_keep_the_plain_value_and_a_note(tmp_path):
    (low, high, notes), _ = envelope(tmp_path, [1.0, 2.0], "expf(x)", "int32", up=[1.0, 3.0], down=[1.0, 1.0])
    assert low == high == [1.0, 2.0]  # their bits
    assert len(notes) == 1 and "1 integers depend on the last bits" in notes[0]


def test_unstable_nan_positions_and_failed_runs_are_noted(tmp_path):
    nan = float("nan")
    (low, high, notes), _ = envelope(tmp_path, [1.0, nan], "logf(x)", up=[nan, nan], down="division by zero")
    assert np.isnan(low).all() and high[0] == 1.0 and np.isnan(high[1])
    assert len(notes) == 2 and "NaN in some runs" in notes[1] and "division by zero" in notes[0]


def test_the_names_are_those_that_the_oracle_moves():
    """Every function of the header that moves results is known by name, as kernels spell it."""
    text = (HEADERS / "cuda_moved.h").read_text()
    names = set(re.findall(r"ORACLE_MOVED_(?:ONE|TWO)\((\w+)\)", text)) - {"NAME"}
    names |= {f"{name}f" for name in names}
    names |= set(re.findall(r"^(?:float|double) (?!oracle_)(\w+)\(", text, re.M))
    names |= {f"__{name}" for name in re.findall(r"^float oracle_fast_(\w+)\(", text, re.M)}
    sixteen = re.findall(r"ORACLE_INEXACT\(H, H2, (\w+),", (HEADERS / "cuda_half.h").read_text())
    names |= {f"h{name}" for name in sixteen} | {f"h2{name}" for name in sixteen}
    assert len(names) > 100
    assert names - {"hNAME", "h2NAME"} <= INEXACT
    assert inexact_names("float expf_ = __expf(x) + sqrtf(y); // sinf") == ["__expf", "sinf"]
