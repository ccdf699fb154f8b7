"""What host code launches when it runs, held against the launch plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from end_to_end import Converted, convert

from migrate.ir.launch import HostConst
from migrate.verify.inputs import inputs_from_request
from migrate.verify.verify import verify_kernel
from migrate.verify.witness import ask_host

SOURCE = """
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void scale(float* x, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}
__global__ void first(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] = 0.0f;
}
__global__ void shift(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}
void run(float* x, int rows, cudaStream_t stream) {
  scale<<<(rows + 63) / 64, 64, 0, stream>>>(x, rows, 0.1f);
}
void clear(float* x, int n, int unused, double nor_this) { first<<<1, 64>>>(x, n); }
int main() {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  shift<<<(n + 63) / 64, 64>>>(x, n);
}
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("witness"), SOURCE)


def ask(converted, name, plan=None):
    request = converted.request(name)
    return ask_host(request.kernel, plan or request.plan, inputs_from_request(request).oracle_request, 1)


def wrong_plan(converted):
    plan = converted.kernels["scale"][2]
    site = plan.sites[0]
    scalars = tuple(replace(item, value=HostConst(2.0)) if item.name == "a" else item for item in site.scalars)
    grid = (HostConst(7), *site.grid[1:])
    return replace(plan, sites=(replace(site, scalars=scalars, grid=grid),))


def test_host_code_confirms_a_right_plan(converted):
    found = ask(converted, "scale")
    assert found.agreeing == (0,) and not found.differing and not found.silent


def test_parameters_that_decide_nothing_do_not_matter(converted):
    assert ask(converted, "first").agreeing == (0,)


def test_sizes_from_elsewhere_leave_the_host_silent(converted):
    found = ask(converted, "shift")
    assert not found.agreeing and not found.differing and "elsewhere" in found.silent[0]


def test_a_wrong_plan_is_corrected_and_told(converted):
    plan = wrong_plan(converted)
    found = ask(converted, "scale", plan)
    launch = found.differing[0]
    assert launch.grid == (-(-launch.scalars["n"] // 64), 1, 1)
    assert launch.scalars["a"] == pytest.approx(0.1)
    assert "grid (7, 1, 1) in the plan" in found.complaints[0] and "a 2.0 in the plan" in found.complaints[0]
    request = replace(converted.request("scale", record_host=True), plan=plan)
    verdict = verify_kernel(request)
    assert verdict.status == "passed", verdict.to_json()
    assert [item.code for item in verdict.diagnostics] == ["TLM747"]
    assert any(item.grid == launch.grid for item in verdict.results)


def test_a_value_that_a_caller_decides_is_no_disagreement(tmp_path):
    source = (
        SOURCE[: SOURCE.index("int main")]
        + """
int main() {
  float* x;
  cudaMalloc(&x, 4096 * sizeof(float));
  run(x, 4096, 0);
}
"""
    )
    made = convert(tmp_path, source)
    plan = made.kernels["scale"][2]
    assert plan.instantiate().scalars["n"] != 1
    found = ask(made, "scale")
    assert not found.differing and (found.agreeing or "does not say" in found.silent[0])


def test_agreement_is_part_of_the_provenance(converted):
    verdict = converted.verify("scale", record_host=True)
    assert verdict.status == "passed" and "when run, launches as planned" in " ".join(verdict.provenance)
