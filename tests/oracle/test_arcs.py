"""Branch arcs of the original: which exist, which a run takes."""

from __future__ import annotations

import numpy as np

I32 = np.int32


def taken(outcome) -> dict[int, list[int]]:
    """Line → outcomes taken (0 or 1), in the compiler's order."""
    result: dict[int, list[int]] = {}
    for arc, hit in zip(outcome.built.arcs, outcome.run.arcs_taken, strict=True):
        result.setdefault(arc.line, []).append(hit)
    return result


def test_if_and_short_circuit(bench):
    text = """__global__ void k(int* a, int n, int m) {
  int t = threadIdx.x;
  if (t < n)
    a[t] = 1;
  if (t > 100 &&
      a[t] > m)
    a[t] = 2;
}"""
    both = taken(bench(text, "k", 1, 32, np.zeros(32, I32), I32(5), I32(0)))
    assert sorted(both[3]) == [1, 1]
    # Two conditions on one statement: t > 100 is always false, so a[t] > m is never asked.
    assert sorted(both[5] + both.get(6, [])) == [0, 0, 0, 1]
    one = taken(bench(text, "k", 1, 32, np.zeros(32, I32), I32(100), I32(0)))
    assert sorted(one[3]) == [0, 1]


def test_loops_switch_and_conditional_expressions(bench):
    text = """__device__ int pick(int v) {
  switch (v) {
    case 0: return 10;
    case 1: return 20;
    case 7: return 30;
    default: return 40;
  }
}
__global__ void k(int* a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] = pick(a[i]);
}"""
    a = np.array([0, 1, 0, 5], I32)
    got = bench(text, "k", 1, 2, a, I32(4))
    np.testing.assert_array_equal(got.arrays[0], [10, 20, 10, 40])
    hits = taken(got)
    assert sorted(hits[10]) == [1, 1]
    switched = [h for line in range(2, 7) for h in hits.get(line, [])]
    assert 0 in switched  # case 7
    full = taken(bench(text, "k", 1, 2, np.array([0, 1, 7, 5], I32), I32(4)))
    assert all(h for line in range(2, 7) for h in full.get(line, []))


def test_constant_conditions_have_no_arcs(bench):
    text = """template <int N, bool FLAG> __global__ void k(int* a) {
  if (N >= 512) { a[0] = 1; __syncthreads(); }
  if (FLAG) a[1] = 2;
  if (threadIdx.x == 3) a[2] = 3;
}"""
    got = bench(text, "k<256, true>", 1, 32, np.zeros(3, I32))
    assert set(taken(got)) == {4}
    assert all(got.run.arcs_taken)


def test_arcs_of_macros_and_lambdas_but_not_of_our_headers(bench):
    text = """#define CLAMP(x, hi) ((x) > (hi) ? hi() : (x))
__device__ int limit() { return 5; }
__global__ void k(int* a, float* f) {
  int t = threadIdx.x;
  a[t] = (t) > 5 ? limit() * t : t;
  auto g = [&](int v) {
    if (v == 2) a[t] += 100;
  };
  g(t);
  f[t] = fmaxf(f[t], 0.0f);
  atomicMax(&a[0], a[t]);
}"""
    got = bench(text, "k", 1, 8, np.zeros(8, I32), np.zeros(8, np.float32))
    hits = taken(got)
    assert set(hits) == {5, 7}
    assert all(got.run.arcs_taken)
    assert {a.file for a in got.built.arcs} == {"kernel.cu"}


def test_arcs_after_exits_and_with_fibers(bench):
    text = """__global__ void k(int* a, int n) {
  if (threadIdx.x >= n) return;
  __syncthreads();
  while (a[threadIdx.x] > 0) {
    a[threadIdx.x]--;
    __syncwarp();
    if (a[threadIdx.x] == 1) break;
  }
}"""
    got = bench(text, "k", 2, 64, np.zeros(64, I32), I32(40))
    assert got.run.status == "ok"
    hits = taken(got)
    assert sorted(hits[2]) == [1, 1]
    assert sorted(hits[4]) == [0, 1]
    assert sorted(hits[7]) == [0, 0]


def test_functions_that_the_kernel_does_not_reach_have_no_arcs(bench):
    text = """__device__ int pick(float v) {
  return v > 3 ? 1 : 2;
}
__device__ int pick(int v) {
  return v > 3 ? 1 : 2;
}
__global__ void other(int* a) { if (*a) *a = 1; }
__global__ void k(int* a) { a[threadIdx.x] = pick((int)threadIdx.x); }"""
    got = bench(text, "k", 1, 8, np.zeros(8, I32))
    assert set(taken(got)) == {5}
    assert all(got.run.arcs_taken)


def test_a_branch_inside_arguments_is_shown_with_the_whole_statement(bench):
    text = """__device__ void put(int* a, int* b, int* c) {
  if (b) *a = *b + *c;
}
__global__ void k(int* a, int* b, int* c) {
  put(a + threadIdx.x,
      b ? b + threadIdx.x : nullptr,
      c + threadIdx.x);
}"""
    a, b, c = (np.full(4, value, I32) for value in (0, 3, 4))
    outcome = bench(text, "k", 1, 4, a, b, c)
    np.testing.assert_array_equal(outcome.arrays[0], [7, 7, 7, 7])
    assert {arc.line for arc in outcome.built.arcs} & {5, 6, 7}
    assert all("b ? b + threadIdx.x" in arc.text for arc in outcome.built.arcs if arc.line in (5, 6, 7))
