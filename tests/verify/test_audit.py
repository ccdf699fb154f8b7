"""The audit: its own launches and data, and what it says about ports that the default cases let through."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from end_to_end import Converted, convert

import migrate.verify.audit as audit_package
from migrate.diagnostics import make
from migrate.verify.audit.audit import audit_recipes, with_audit
from migrate.verify.audit.data import AuditRecipe, draw_audit, leaves_buffers
from migrate.verify.audit.launches import AUDIT_THREADS
from migrate.verify.casefiles import RootSpec
from migrate.verify.generator import DrawRequest, RootHint
from migrate.verify.inputs import inputs_from_request
from migrate.verify.setting import Setting
from migrate.verify.verdict import Audit, Verdict

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void scale(const float* x, float* y, int n, bool twice) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = twice ? x[i] + x[i] : x[i];
}
__global__ void pick(const float* table, const int* which, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = which[i] < 0 ? -1.0f : table[which[i]];
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  float *x, *y; int* k;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&k, n * sizeof(int));
  scale<<<(n + 127) / 128, 128>>>(x, y, n, true);
  pick<<<(n + 127) / 128, 128>>>(x, k, y, n);
}
"""


# A busy machine must not decide these tests.
PATIENT = {"case_timeout_s": 120.0, "time_limit_s": 1200.0}


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("converted"), SOURCE)


def request_for(seed: int, specs, tightness: int = 0, **hints) -> DrawRequest:
    setting = Setting("base", (1, 1, 1), (64, 1, 1), 0, (), scalars={"n": 50})
    recipe = AuditRecipe(setting, "ordinary", seed, seed % 2, 1)
    return DrawRequest(recipe, specs, hints, {"table": 200}, (), tightness)


def test_it_shares_no_choices_with_the_default_generator():
    allowed = {"DrawRequest", "Recipe", "RootHint"}
    for path in Path(audit_package.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "migrate.verify.generator":
                assert {alias.name for alias in node.names} <= allowed
            assert not (isinstance(node, ast.ImportFrom) and node.module in ("migrate.verify.plan_settings",))
            assert not (isinstance(node, ast.ImportFrom) and node.module == "migrate.verify.values")


def test_seed_and_number_name_a_case(converted):
    inputs = inputs_from_request(converted.request("scale"))
    first, again, other = (list(islice(audit_recipes(inputs, [], seed), 20)) for seed in (3, 3, 4))
    assert [item.label for item in first] == [item.label for item in again]
    assert [item.setting.key() for item in first] == [item.setting.key() for item in again]
    assert [item.setting.key() for item in first] != [item.setting.key() for item in other]
    sizes = {item.setting.scalars["n"] for item in first}
    assert len(sizes) >= 8 and all(item.setting.threads <= AUDIT_THREADS for item in first)
    assert {bool(item.setting.scalars["twice"]) for item in first} == {True, False}


def test_each_input_has_a_style_of_its_own_and_nan_stays_in_one():
    specs = [RootSpec("a", "float32", 400, "in"), RootSpec("b", "float32", 400, "in")]
    with_nan = 0
    for seed in range(60):
        drawn = draw_audit(request_for(seed, specs))
        assert all(np.array_equal(drawn[name], again) for name, again in draw_audit(request_for(seed, specs)).items())
        odd = [not np.isfinite(drawn[name].view("f4")).all() for name in ("a", "b")]
        assert sum(odd) <= 1
        with_nan += any(odd)
        assert not np.array_equal(drawn["a"], drawn["b"])
    assert 5 <= with_nan <= 30


@pytest.mark.parametrize(("tightness", "limit"), [(0, 200), (3, 2), (4, 1)])
def test_indices_stay_in_range_and_hold_marks_where_the_kernel_looks_for_them(tightness, limit):
    hint = RootHint("index", ("table",), (-1,))
    marked = permuted = 0
    for seed in range(40):
        request = request_for(seed, [RootSpec("which", "int32", 800, "in")], tightness, which=hint)
        values = draw_audit(request)["which"].view("i4")
        assert values.max() < limit and values.min() >= -1
        assert (values.min() < 0) <= (tightness == 0 and leaves_buffers(request.recipe, request.hints))
        marked += bool((values < 0).any())
        permuted += len(np.unique(values)) == 200
    assert (marked > 5) == (tightness == 0) and (permuted > 0) == (tightness == 0)


def test_row_starts_never_fall():
    for seed in range(20):
        request = request_for(seed, [RootSpec("rows", "int32", 80, "in")], rows=RootHint("row_pointers", ("table",)))
        values = draw_audit(request)["rows"].view("i4")
        assert values[0] == 0 and (np.diff(values) >= 0).all() and values[-1] <= 200


@pytest.mark.parametrize("name", ["scale", "pick"])
def test_a_right_port_agrees(converted, name):
    verdict = converted.verify(name, audit=True, **PATIENT)
    assert verdict.status == "passed" and verdict.audit is not None, verdict.to_json()
    assert verdict.audit.outcome == "agrees" and verdict.audit.cases >= 5
    assert Verdict.from_json(verdict.to_json()) == verdict


def test_a_port_that_only_the_audit_catches_has_failed(converted, tmp_path):
    # Between 900 and 4000 elements there is no default case.
    hole = "T.if_then_else(n > 900, T.if_then_else(n < 4000, 900, n), n)"
    verdict = converted.verify_damaged("scale", tmp_path, ("if i < n:", f"if i < {hole}:"), audit=True, **PATIENT)
    assert verdict.status == "failed", verdict.to_json()
    assert verdict.audit is not None and verdict.audit.outcome == "differs"
    last = verdict.diagnostics[-1]
    assert last.code == "TLM767" and "--seed 1" in last.message and "audit case" in last.message


def test_no_case_changes_no_verdict(converted):
    passed = Verdict("k", "k", "passed", oracle="shim")
    told = with_audit(passed, Audit("no case", 1, 0, "8 × crashed"), converted.request("scale"))
    assert told.status == "passed" and told.audit is not None and told.audit.outcome == "no case"


@pytest.mark.parametrize(("seen", "status"), [("TLM721: y, element 3", "inconclusive"), ("TLM722: raised", "failed")])
def test_what_two_engines_dispute_stays_open(converted, seen, status):
    disputed = Verdict("k", "k", "inconclusive", oracle="shim,ptx", diagnostics=(make("TLM755", "y differs", None),))
    told = with_audit(disputed, Audit("differs", 1, 8, seen), converted.request("scale"))
    assert told.status == status and told.audit is not None and told.audit.outcome == "differs"
