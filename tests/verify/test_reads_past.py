"""Loads past the end of a buffer whose value nobody uses: a port may make those of the original, and no others."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

SOURCE = """
#include <stdlib.h>
__global__ void guarded(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = s[threadIdx.x];
}
__global__ void ahead(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float pair[2] = {x[i], x[i + 1]};
  y[i] = pair[0];
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  guarded<<<(n + 63) / 64, 64>>>(x, y, n);
  ahead<<<(n + 63) / 64, 64>>>(x, y, n);
}
"""
PATIENT = {"case_timeout_s": 120.0, "time_limit_s": 1200.0}


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("converted"), SOURCE)


def test_a_load_that_the_original_does_not_make_fails(converted, tmp_path):
    assert converted.verify("guarded", **PATIENT).status == "passed"
    # What is loaded too much never reaches `y`: only the access itself shows it.
    damage = ("T.if_then_else(i < n, x[i]", "T.if_then_else(i <= n, x[i]")
    verdict = converted.verify_damaged("guarded", tmp_path, damage, **PATIENT)
    assert verdict.status == "failed", verdict.to_json()
    assert verdict.diagnostics[-1].code == "TLM744" and "read of x" in verdict.diagnostics[-1].message


def test_a_load_that_the_original_makes_too_passes(converted):
    verdict = converted.verify("ahead", **PATIENT)
    assert verdict.status == "passed", verdict.to_json()
    assert any("the port reads past a buffer" in note for note in verdict.notes)
