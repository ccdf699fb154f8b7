"""Blocks that no launch states: whole warps where host code has less than one, other blocks where one was guessed."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

SOURCE = """
#include <cuda_runtime.h>
__device__ float sum_of_warp(float v) {
  for (int step = 16; step > 0; step >>= 1) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}
template <int THREADS>
__global__ void row_sums(const float* x, float* y, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = sum_of_warp(threadIdx.x < width ? x[i] : 0.0f);
  if (threadIdx.x == 0) y[blockIdx.x] = total / THREADS;
}
void run(const float* x, float* y, int rows) { row_sums<16><<<rows, 16>>>(x, y, 16); }

__global__ void never_launched(const float* x, float* y) {
  __shared__ float part[2];
  float total = sum_of_warp(x[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = part[0] + part[1];
}

__global__ void marks(int* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicOr(&seen[0], 1 << i);
  atomicAdd(&seen[1], i);
}
void mark(int* seen) { marks<<<64, 256>>>(seen); }

__global__ void always_outside(const float* x, float* y) {
  __shared__ float part[2];
  part[threadIdx.x % 2 + 2] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = part[0];
}
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("geometries"), SOURCE)


def test_a_block_of_half_a_warp_is_judged_in_whole_warps_and_told(converted):
    verdict = converted.verify("row_sums_16")
    assert verdict.status == "passed" and verdict.dropped["inactive_lane"] >= 8
    assert {result.block for result in verdict.results if result.outcome == "equal"} == {(32, 1, 1)}
    told = [item for item in verdict.diagnostics if item.code == "TLM768"]
    assert len(told) == 1 and told[0].severity == "warning" and "32×1×1" in told[0].message


def test_a_guessed_block_that_shared_arrays_do_not_fit_gives_way_to_one_that_does(converted):
    verdict = converted.verify("never_launched")
    assert verdict.status == "passed" and verdict.dropped["out_of_bounds"]
    assert {result.block for result in verdict.results if result.outcome == "equal"} == {(64, 1, 1)}
    assert "TLM768" in {item.code for item in verdict.diagnostics}


def test_shifts_that_only_the_first_threads_define_are_judged_on_those(converted):
    verdict = converted.verify("marks")
    assert verdict.status == "passed" and verdict.dropped["event shift"]
    assert {(result.grid, result.block) for result in verdict.results if result.outcome == "equal"} == {
        ((1, 1, 1), (31, 1, 1))
    }
    assert {"TLM768", "TLM778"} <= {item.code for item in verdict.diagnostics}


def test_what_no_block_cures_stays_inconclusive(converted):
    verdict = converted.verify("always_outside")
    assert verdict.status == "inconclusive" and "TLM726" in {item.code for item in verdict.diagnostics}


LONG = """
#include <cuda_runtime.h>
__global__ void counts_down(const float* x, float* y, unsigned width, int padded_width) {
  float total = 0.0f;
  unsigned i = width / 8 + threadIdx.x - blockDim.x;
  while ((i + 1) * 8 > width) i -= blockDim.x;
  for (int j = (int)i; j >= 0; j -= blockDim.x) total += x[blockIdx.x * padded_width + j * 8];
  y[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
void run(const float* x, float* y, int rows, int width, int padded_width) {
  counts_down<<<rows, 1024>>>(x, y, width, padded_width);
}
"""

STORES_WHOLE_ROWS = """
#include <cuda_runtime.h>
template <int THREADS>
__global__ void halve_rows(const float* x, float* y, int length) {
  for (int piece = 0; piece * THREADS < length; ++piece) {
    int i = piece * THREADS + threadIdx.x;
    y[blockIdx.x * length + i] = (piece == 0 ? 0.5f : 0.25f) * x[blockIdx.x * length + i];
  }
}
void run(const float* x, float* y, int length) { halve_rows<256><<<length, 256>>>(x, y, length); }
"""


def test_a_kernel_that_ends_for_long_rows_only_gets_long_rows(tmp_path):
    verdict = convert(tmp_path, LONG).verify("counts_down", time_limit_s=300.0, case_timeout_s=1.0)
    assert verdict.cases >= 5 and verdict.dropped["timed_out"]
    assert "TLM768" not in {item.code for item in verdict.diagnostics}


def test_rows_that_a_block_stores_whole_are_tried(tmp_path):
    verdict = convert(tmp_path, STORES_WHOLE_ROWS).verify("halve_rows_256")
    assert verdict.status == "passed"
    assert 512 in {result.grid[0] for result in verdict.results if result.outcome == "equal"}
