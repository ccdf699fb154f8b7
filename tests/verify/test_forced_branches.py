"""Outcomes that no input takes: covered by negating the condition on both sides, or left open."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
#define INVERSE(value) ((value) == 0.0f ? 0.0f : 1.0f / (value))
__global__ void defensive(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float square = x[i] * x[i] + 1.0f;
  float inverse = square < 1.0f ? 7.0f - x[i] : 1.0f / square;
  y[i] = inverse;
}
__global__ void hidden(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float square = x[i] * x[i] + 1.0f;
  y[i] = INVERSE(square);
}
__global__ void unsafe(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float square = x[i] * x[i] + 1.0f;
  int at = i;
  if (square < 1.0f) at = i - 1000;
  y[at] = square;
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  int blocks = (n + 127) / 128;
  defensive<<<blocks, 128>>>(x, y, n);
  hidden<<<blocks, 128>>>(x, y, n);
  unsafe<<<blocks, 128>>>(x, y, n);
}
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("forced"), SOURCE)


def codes(verdict) -> list[str]:
    return [item.code for item in verdict.diagnostics]


def test_a_defensive_outcome_is_covered_and_told(converted):
    verdict = converted.verify("defensive")
    assert verdict.status == "passed" and codes(verdict) == ["TLM746"], verdict.to_json()
    assert len(verdict.arcs_forced) == 1 and "square < 1.0f" in verdict.arcs_forced[0]
    assert verdict.arcs_taken < verdict.arcs_total and verdict.arcs_share == 1.0
    assert type(verdict).from_json(verdict.to_json()) == verdict


def test_without_forcing_it_stays_open(converted):
    verdict = converted.verify("defensive", force_arcs=False)
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM730"] and not verdict.arcs_forced


def test_a_wrong_translation_of_the_outcome_is_not_covered(converted, tmp_path):
    verdict = converted.verify_damaged("defensive", tmp_path, ("7.0", "8.0"))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM730"], verdict.to_json()
    assert "the port is not what is emitted" in " ".join(verdict.notes)


@pytest.mark.parametrize(("name", "reason"), [("hidden", "by more than"), ("unsafe", "run cleanly")])
def test_conditions_that_cannot_be_forced_stay_open(converted, name, reason):
    verdict = converted.verify(name)
    assert verdict.status == "inconclusive" and "TLM730" in codes(verdict), verdict.to_json()
    assert "TLM746" not in codes(verdict) and reason in " ".join(verdict.notes), verdict.notes
