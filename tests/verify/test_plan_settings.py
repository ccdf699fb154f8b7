"""Launches to try: several blocks, guards that close, the block size of the instantiation, other floats."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from end_to_end import Converted, convert

from migrate.diagnostics import Refusal
from migrate.ir.kernel import PointerParam
from migrate.verify.plan_settings import settings_from_plan
from migrate.verify.thresholds import bounding_parameters, bounding_products, find_thresholds

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
template <int THREADS>
__global__ void scale(int n, float a, int mode, const float* x, float* y) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  y[i] = i < n ? (mode == 7 ? a * x[i] : x[i]) : 0.0f;
}
void run(float* x, float* y, int rows, int threads, int mode) {
  switch (threads) {
    case 64: scale<64><<<rows, threads>>>(rows * threads, 2.0f, mode, x, y); break;
    case 256: scale<256><<<rows, threads>>>(rows * threads, 2.0f, mode, x, y); break;
  }
}
int main(int argc, char** argv) {
  int rows = atoi(argv[1]), threads = atoi(argv[2]), mode = atoi(argv[3]);
  float *x, *y;
  cudaMalloc(&x, rows * threads * sizeof(float));
  cudaMalloc(&y, rows * threads * sizeof(float));
  run(x, y, rows, threads, mode);
}
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("settings"), SOURCE)


def settings(converted: Converted, symbol: str):
    _, kernel, plan, _ = converted.kernels[symbol]
    return settings_from_plan(plan, kernel, (), find_thresholds(kernel).scalars)


@pytest.mark.parametrize("threads", [64, 256])
def test_the_block_has_the_size_that_the_template_argument_names(converted, threads):
    made = settings(converted, f"scale_{threads}")
    assert made[0].base and math.prod(made[0].block) == threads
    assert {math.prod(item.block) for item in made} == {threads}


def test_there_are_launches_of_several_blocks_and_bounds_that_end_early(converted):
    made = settings(converted, "scale_64")
    assert max(item.grid[0] for item in made) > 1
    assert any(item.scalars["n"] < item.grid[0] * 64 for item in made)


def test_the_value_that_a_flag_is_compared_with_is_tried(converted):
    assert {7} <= {item.scalars["mode"] for item in settings(converted, "scale_64")}


def test_float_parameters_use_their_whole_mantissa_somewhere(converted):
    values = {item.scalars["a"] for item in settings(converted, "scale_64")}
    assert 2.0 in values and any(value not in (2.0, 0.0) and value * 1024 % 1 for value in values)


def test_settings_are_distinct_and_the_same_every_time(converted):
    first, second = settings(converted, "scale_64"), settings(converted, "scale_64")
    assert first == second and len({item.key() for item in first}) == len(first)


def test_bounds_are_the_parameters_that_indices_are_ordered_against(converted):
    assert bounding_parameters(converted.kernels["scale_64"][1]) == ["n"]


def test_a_pointer_inside_a_struct_is_refused(converted):
    _, kernel, plan, _ = converted.kernels["scale_64"]
    params = tuple(
        replace(item, path=("data",)) if isinstance(item, PointerParam) and item.position == 3 else item
        for item in kernel.params
    )
    with pytest.raises(Refusal) as error:
        settings_from_plan(plan, replace(kernel, params=params), (), {})
    assert error.value.diagnostic.code == "TLM766"


def test_a_plan_without_a_valid_launch_is_refused(converted):
    _, kernel, plan, _ = converted.kernels["scale_64"]
    with pytest.raises(Refusal) as error:
        settings_from_plan(replace(plan, sites=()), kernel, (), {})
    assert error.value.diagnostic.code == "TLM742"


def test_sizes_that_vector_accesses_do_not_divide_are_tried(tmp_path):
    made = convert(
        tmp_path,
        """
#include <cuda_runtime.h>
__global__ void add4(const float* a, float* c, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 v = *reinterpret_cast<const float4*>(a + i);
    v.x += v.w;
    *reinterpret_cast<float4*>(c + i) = v;
  } else {
    for (int k = i; k < n; ++k) c[k] = a[k];
  }
}
void run(const float* a, float* c, int n) { add4<<<(n / 4 + 128) / 128, 128>>>(a, c, n); }
""",
    )
    plan = made.kernels["add4"][2]
    assert [root.multiple_of for root in plan.sites[0].roots] == [4]
    found = [item for item in settings(made, "add4") if not item.base and item.label != "plan"]
    assert {item.scalars["n"] % 4 for item in found} >= {1, 3}


def test_the_sizes_of_the_host_itself_are_tried(tmp_path):
    made = convert(
        tmp_path,
        """
#include <cuda_runtime.h>
__global__ void mix(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = n == 12345 ? x[i] : 0.0f;
}
int main() {
  int n = 12345;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  mix<<<(n + 127) / 128, 128>>>(x, y, n);
}
""",
    )
    plan = made.kernels["mix"][2]
    assert plan.host_values() and plan.sites[0].roots[0].guess != 12345
    found = settings(made, "mix")
    assert 12345 in [item.scalars["n"] for item in found] and found[0].scalars["n"] != 12345


VECTORS = """
#include <cuda_runtime.h>
__global__ void twice(const float* x, float* y, int rows, int width) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; ++k) y[i + k] = i + k < rows * width ? 2.0f * x[i + k] : 0.0f;
}
void run(const float* x, float* y, int rows) { twice<<<rows, 64>>>(x, y, rows, 256); }
"""


def test_a_bound_that_is_a_product_closes_inside_a_vector(tmp_path):
    converted = convert(tmp_path, VECTORS)
    assert bounding_products(converted.kernels["twice"][1]) == [("rows", "width")]
    made = settings(converted, "twice")
    products = {(item.grid[0] * 256) - item.scalars["rows"] * item.scalars["width"] for item in made}
    assert {0, 1, 3} <= products
    assert converted.verify("twice", force_arcs=False).status == "passed"


TILES = """
#include <cuda_runtime.h>
__global__ void tiles(const float* x, float* y, int n) {
  for (int k = threadIdx.x; k < 128; k += blockDim.x) {
    int i = blockIdx.x * 128 + k;
    if (i < n) y[i] = x[i] + 1.0f;
  }
}
void run(const float* x, float* y, int n) { tiles<<<(n + 127) / 128, 32>>>(x, y, n); }
"""


def test_whole_tiles_first_and_several_of_them(tmp_path):
    made = settings(convert(tmp_path, TILES), "tiles")
    assert made[0].scalars["n"] % 128 == 0
    assert any(item.grid[0] > 1 for item in made[:4]) and any(item.scalars["n"] % 128 for item in made)
