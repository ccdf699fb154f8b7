"""Index data that a kernel compares with a bound before it indexes: some cases hold values on and past the bound."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

SOURCE = """
#include <stdlib.h>
__global__ void pick(const float* table, const int* which, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = which[i];
  if (k < 0 || k >= m) {
    y[i] = -1.0f;
    return;
  }
  y[i] = table[k];
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  float *x, *y; int* k;
  cudaMalloc(&x, m * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&k, n * sizeof(int));
  pick<<<(n + 127) / 128, 128>>>(x, k, y, n, m);
}
"""
PATIENT = {"case_timeout_s": 120.0, "time_limit_s": 1200.0, "force_arcs": False}


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("converted"), SOURCE)


def test_both_ends_of_the_guard_are_taken(converted):
    verdict = converted.verify("pick", **PATIENT)
    assert verdict.status == "passed", verdict.to_json()


@pytest.mark.parametrize("damage", ["k < 0 or k > m", "k < 0", "k >= m", "k < 0 or k >= m + 1"])
def test_a_guard_that_lets_more_through_fails(converted, tmp_path, damage):
    verdict = converted.verify_damaged("pick", tmp_path, ("k < 0 or k >= m", damage), **PATIENT)
    assert verdict.status == "failed", verdict.to_json()
