"""Compare-and-swap loops: the read that they check is no race, any other plain read of the word still is."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

from migrate.analysis.cas_reads import checked_reads
from migrate.verify.stale_reads import differs_by_one_more

SOURCE = """
#include <cuda_runtime.h>
__device__ float atomic_largest(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void largest(float* out, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_largest(out, x[i]);
}
__global__ void scramble(unsigned* out, const unsigned* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned old = out[x[i] % 8];
  while (true) {
    unsigned seen = atomicCAS(&out[x[i] % 8], old, old + x[i]);
    if (seen == old) break;
    old = seen;
  }
}
__global__ void read_inside(unsigned* out, const unsigned* x) {
  unsigned old;
  do {
    old = out[0];
  } while (atomicCAS(out, old, old + x[threadIdx.x]) != old);
}
__global__ void keeps_what_it_read(unsigned* out, unsigned* copy) {
  unsigned old = out[0], assumed;
  copy[blockIdx.x * blockDim.x + threadIdx.x] = old;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, assumed + 1);
  } while (assumed != old);
}
__global__ void never_checks(unsigned* out, unsigned* copy) {
  unsigned old = out[0];
  unsigned found = atomicCAS(out, old, old + 1);
  copy[blockIdx.x * blockDim.x + threadIdx.x] = found - found;
}
__global__ void reads_another_word(unsigned* out, const unsigned* x) {
  unsigned old = out[1], assumed;
  do {
    assumed = old;
    old = atomicCAS(&out[0], assumed, assumed + x[threadIdx.x]);
  } while (assumed != old);
}
__global__ void decides_by_it(unsigned* out, unsigned* copy) {
  unsigned old = out[0], assumed;
  if (old > 40) copy[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, assumed + 1);
  } while (assumed != old);
}
"""
RETRIED = ("largest", "scramble", "read_inside")
LEAKING = ("keeps_what_it_read", "never_checks", "reads_another_word", "decides_by_it")


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("cas"), SOURCE)


@pytest.mark.parametrize("name", RETRIED)
def test_a_read_that_the_exchange_checks_is_found(converted, name):
    assert len(checked_reads(converted.kernels[name][1])) == 1


@pytest.mark.parametrize("name", LEAKING)
def test_a_read_that_decides_anything_else_is_not(converted, name):
    assert checked_reads(converted.kernels[name][1]) == ()


@pytest.mark.parametrize("name", ["largest", "scramble"])
def test_retry_loops_pass(converted, name):
    verdict = converted.verify(name)
    assert verdict.status == "passed", verdict.diagnostics
    assert {"TLM728", "TLM738"}.isdisjoint(item.code for item in verdict.diagnostics)
    assert any("compare-and-swap" in note for note in verdict.notes)


def test_the_retry_is_run_on_both_sides(converted, tmp_path):
    assert any("seen == old" in arc for arc in converted.verify("scramble").arcs_forced)
    damaged = converted.verify_damaged("scramble", tmp_path, ("old = seen", "old = old + seen"))
    assert damaged.status != "passed" and not damaged.arcs_forced


def test_without_variants_the_retry_is_missing(converted):
    verdict = converted.verify("largest", force_arcs=False)
    assert verdict.status == "inconclusive" and "TLM730" in {item.code for item in verdict.diagnostics}


def test_ports_may_differ_by_one_more_and_nothing_else():
    assert differs_by_one_more("old = out[0]", "old = out[0] + T.uint32(1)")
    assert differs_by_one_more("f(T.cast(a, 'int64'))", "f(T.cast(a + 1, 'int64'))")
    assert not differs_by_one_more("old = out[0]", "old = out[1] + 1")
    assert not differs_by_one_more("old = a; b = c", "old = a + 1; b = d")
    assert not differs_by_one_more("old = a", "old = a + 2")
    assert not differs_by_one_more("old = a", "old = a")


@pytest.mark.parametrize("name", ["keeps_what_it_read", "decides_by_it"])
def test_other_plain_reads_of_the_word_are_still_races(converted, name):
    verdict = converted.verify(name)
    assert verdict.status != "passed" and "TLM728" in {item.code for item in verdict.diagnostics}
