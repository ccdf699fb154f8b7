"""Mutants of real ports, from the source text to their outcomes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "verify"))

from end_to_end import convert

from migrate.mutate.campaign import run_campaign

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void shifted(const int* x, int* y, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n && t > 0) y[i] = (s[t - 1] + (i + 1 < n ? 1 : 0)) / 2;
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  shifted<<<(n + 127) / 128, 128>>>(x, y, n);
}
"""


def test_every_mistake_in_a_small_kernel_is_found(tmp_path):
    converted = convert(tmp_path, SOURCE)
    operators = ("dropped_barrier", "lost_tail", "floor_division", "swapped_operands", "changed_constant")
    report = run_campaign(
        [converted.request("shifted", case_timeout_s=120.0, time_limit_s=1200.0)],
        operators=operators,
        per_operator=2,
        seed=1,
    )
    found = {(item.operator, item.note): item for item in report.results}
    assert not report.skipped
    barrier = found[("dropped_barrier", "barrier left out")]
    # In contract order the lower neighbour has always stored already: only the reversed order shows this one.
    assert barrier.outcome == "killed" and "reversed order" in barrier.reason
    missed = [item for item in report.results if item.outcome not in ("killed", "equivalent")]
    assert not missed, missed
    assert found[("floor_division", "rounds down")].outcome == "killed"


def test_an_operator_that_does_not_exist(tmp_path):
    converted = convert(tmp_path, SOURCE)
    with pytest.raises(KeyError):
        run_campaign([converted.request("shifted")], operators=("no_such",))
