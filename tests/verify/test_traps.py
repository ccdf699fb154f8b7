"""Traps: left out of ports with a warning; branches that only lead to one need no case, all others still do."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

SOURCE = """
#include <cuda_runtime.h>
__device__ float checked(float v, int limit) {
  if (limit % 2 != 0) {
    if (limit > 7) __trap();
    abort();
  }
  return v + 1.0f;
}
__global__ void guarded(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 0) __trap();
  if (i < n) y[i] = checked(x[i], 2 * n);
}
__global__ void open_branch(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n == 1000003) {
    y[0] = 5.0f;
    if (i == 77) __trap();
  }
  if (i < n) y[i] = x[i];
}
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("traps"), SOURCE)


def test_branches_that_end_in_a_trap_are_excused_and_told(converted):
    verdict = converted.verify("guarded")
    assert verdict.status == "passed", verdict.diagnostics
    assert sum("ends" in text or "stops there" in text for text in verdict.arcs_excused) >= 3
    assert {warning.code for warning in converted.kernels["guarded"][1].warnings} == {"TLM242"}


def test_a_branch_that_may_go_on_is_not(converted):
    verdict = converted.verify("open_branch", force_arcs=False)
    taken = [text for text in verdict.arcs_excused if "1000003" in text]
    assert verdict.arcs_total and not any("stops there" in text for text in taken)
