"""Kernels as they occur, run on cases and compared with numpy."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from migrate.oracle.api import OracleError, OracleRequest, build, run
from migrate.oracle.chunks import split_chunks

I32, F32, U32, F64 = np.int32, np.float32, np.uint32, np.float64

SAXPY = """
#include <cstdio>
#include <vector>
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
void host(std::vector<float>& v) { saxpy<<<1, 256>>>(1, 2.f, v.data(), v.data()); cudaDeviceSynchronize(); }
"""
REDUCE = """
template <typename T, int N> __global__ void reduce(const T* in, T* out, int n) {
  __shared__ T s[N];
  int t = threadIdx.x, i = blockIdx.x * N + t;
  s[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int o = N / 2; o > 0; o >>= 1) {
    if (t < o) s[t] += s[t + o];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
template __global__ void reduce<float, 256>(const float*, float*, int);
"""


WMMA = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(half* p) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::load_matrix_sync(a, p, 16);
}"""


def tree_sum(values: np.ndarray, width: int) -> np.ndarray:
    s = np.zeros(-(-values.size // width) * width, values.dtype)
    s[: values.size] = values
    s = s.reshape(-1, width)
    while s.shape[1] > 1:
        half = s.shape[1] // 2
        s = s[:, :half] + s[:, half:]
    return s[:, 0]


@pytest.mark.parametrize("n", [0, 1, 31, 1000])
def test_saxpy(bench, n):
    rng = np.random.default_rng(n)
    x, y = rng.standard_normal(1000).astype(F32), rng.standard_normal(1000).astype(F32)
    got = bench(SAXPY, "saxpy", 4, 256, I32(n), F32(2.5), x, y)
    expected = y.copy()
    expected[:n] = F32(2.5) * x[:n] + y[:n]
    assert got.run.status == "ok"
    assert got.guards_intact
    assert not got.built.synchronises
    assert [t for t, _ in got.built.signature][:2] == ["int", "float"]
    np.testing.assert_array_equal(got.arrays[1], expected)
    np.testing.assert_array_equal(got.arrays[0], x)


def test_no_contraction(bench):
    # 1 + 2^-12 squared minus its rounded square is 0 without fma, 2^-24 with it.
    a = F32(1) + F32(2.0**-12)
    got = bench(SAXPY, "saxpy", 1, 32, I32(1), a, np.array([a]), np.array([-(a * a)]))
    assert got.arrays[1][0] == 0


@pytest.mark.parametrize("schedule", ["contract", "reversed", 1, 2])
@pytest.mark.parametrize("kind", ["run", "check"])
def test_tree_reduction(bench, kind, schedule):
    x = np.random.default_rng(3).standard_normal(1000).astype(F32)
    got = bench(REDUCE, "reduce<float, 256>", 4, 256, x, np.zeros(4, F32), I32(1000), kind=kind, schedule=schedule)
    assert got.run.status == "ok"
    assert got.run.findings == ()
    np.testing.assert_array_equal(got.arrays[1], tree_sum(x, 256))


def test_template_type(bench):
    x = np.arange(100, dtype=F64) / 3
    got = bench(REDUCE, "reduce<double, 64>", 2, 64, x, np.zeros(2, F64), I32(100))
    np.testing.assert_array_equal(got.arrays[1], tree_sum(x, 64))


def test_shuffles(bench):
    text = """
    __device__ float warp_sum(float v) {
      for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
      return v;
    }
    __global__ void k(const float* in, float* sum, int* up, int* down, int* seg, unsigned* ballots) {
      int t = threadIdx.x, lane = t & 31;
      sum[t] = warp_sum(in[t]);
      up[t] = __shfl_up_sync(~0u, lane, 3);
      down[t] = __shfl_down_sync(~0u, lane, 3, 8);
      seg[t] = __shfl_sync(~0u, lane, 9, 8);
      unsigned b = __ballot_sync(~0u, in[t] > 0);
      if (lane == 0) ballots[t / 32] = b;
    }"""
    x = np.random.default_rng(0).standard_normal(64).astype(F32)
    zeros = np.zeros(64, I32)
    got = bench(text, "k", 1, 64, x, np.zeros(64, F32), zeros, zeros, zeros, np.zeros(2, U32))
    lanes = np.arange(64) % 32
    s = x.reshape(2, 32)
    for o in (16, 8, 4, 2, 1):
        s = s + s[:, np.arange(32) ^ o]
    np.testing.assert_array_equal(got.arrays[1], s.reshape(-1))
    np.testing.assert_array_equal(got.arrays[2], np.where(lanes < 3, lanes, lanes - 3))
    np.testing.assert_array_equal(got.arrays[3], np.where(lanes % 8 + 3 > 7, lanes, lanes + 3))
    np.testing.assert_array_equal(got.arrays[4], lanes // 8 * 8 + 1)
    expected = [sum(1 << i for i in range(32) if x[w * 32 + i] > 0) for w in (0, 1)]
    np.testing.assert_array_equal(got.arrays[5], np.array(expected, U32))


@pytest.mark.parametrize("kind", ["run", "check"])
def test_atomics(bench, kind):
    text = """
    __global__ void k(const int* in, int n, int* hist, float* total, int* low, unsigned* ticket, int* order,
                      unsigned long long* wide) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      atomicAdd(&hist[in[i] & 7], 1);
      atomicAdd(total, (float)in[i]);
      atomicMin(low, in[i]);
      order[atomicInc(ticket, 1000000u)] = i;
      atomicAdd(wide, 1ull << 33);
      atomicCAS(&hist[8], 0, i + 1);
    }"""
    x = np.random.default_rng(1).integers(-1000, 1000, 300).astype(I32)
    zeros = [
        np.zeros(9, I32),
        np.zeros(1, F32),
        np.zeros(1, I32),
        np.zeros(1, U32),
        np.zeros(300, I32),
        np.zeros(1, np.uint64),
    ]
    got = bench(text, "k", 3, 128, x, I32(300), *zeros, kind=kind)
    assert got.run.status == "ok"
    assert got.run.findings == ()
    hist = np.bincount(x & 7, minlength=9)
    hist[8] = 1
    np.testing.assert_array_equal(got.arrays[1], hist)
    assert got.arrays[2][0] == x.sum()
    assert got.arrays[3][0] == min(0, x.min())
    assert got.arrays[4][0] == 300
    np.testing.assert_array_equal(got.arrays[5], np.arange(300))  # the schedule contract: threads ascending
    assert got.arrays[6][0] == 300 << 33


def test_schedules_order_tickets(bench):
    text = """
    __global__ void k(unsigned* ticket, int* order) {
      order[atomicAdd(ticket, 1u)] = blockIdx.x * blockDim.x + threadIdx.x;
    }"""
    orders = {}
    for schedule in ("contract", "reversed", 7, 8):
        got = bench(text, "k", 3, 48, np.zeros(1, U32), np.zeros(144, I32), schedule=schedule)
        orders[schedule] = got.arrays[1]
        np.testing.assert_array_equal(np.sort(got.arrays[1]), np.arange(144))
    np.testing.assert_array_equal(orders["contract"], np.arange(144))
    np.testing.assert_array_equal(orders["reversed"], np.arange(144)[::-1])
    assert (orders[7] != orders[8]).any()
    assert (orders[7] != orders["contract"]).any()


def test_warps_run_one_by_one_between_barriers(bench):
    text = """
    __global__ void k(unsigned* ticket, int* order) {
      for (int round = 0; round < 2; round++) {
        order[atomicAdd(ticket, 1u)] = threadIdx.x * 10 + round * 2;
        __syncwarp();
        order[atomicAdd(ticket, 1u)] = threadIdx.x * 10 + round * 2 + 1;
        __syncthreads();
      }
    }"""
    got = bench(text, "k", 1, 64, np.zeros(1, U32), np.zeros(256, I32))
    expected = [
        t * 10 + r * 2 + part
        for r in (0, 1)
        for warp in (0, 1)
        for part in (0, 1)
        for t in range(warp * 32, warp * 32 + 32)
    ]
    np.testing.assert_array_equal(got.arrays[1], expected)


def test_early_return_before_barrier(bench):
    text = """
    __global__ void k(int* out, int n) {
      __shared__ int s[64];
      int t = threadIdx.x;
      if (t >= n) return;
      s[t] = t * t;
      __syncthreads();
      out[t] = s[n - 1 - t] + __shfl_down_sync(0xffffffffu, t, 1);
    }"""
    got = bench(text, "k", 1, 64, np.zeros(64, I32), I32(40))
    assert got.run.status == "ok"
    t = np.arange(40)
    shuffled = np.where(t == 31, 31, t + 1)
    np.testing.assert_array_equal(got.arrays[0][:39], ((39 - t) ** 2 + shuffled)[:39])
    # Lane 39 reads lane 40, which has returned: unspecified, so it is reported.
    assert [f.kind for f in got.run.findings] == ["inactive_lane"]


def test_dynamic_shared_and_three_dimensions(bench):
    text = """
    extern __shared__ float tile[];
    __global__ void k(const float* in, float* out) {
      int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      int size = blockDim.x * blockDim.y * blockDim.z;
      tile[t] = in[block * size + t];
      __syncthreads();
      out[block * size + t] = tile[size - 1 - t];
    }"""
    x = np.arange(12 * 60, dtype=F32)
    got = bench(text, "k", (2, 3, 2), (3, 4, 5), x, np.zeros_like(x), shared=240)
    np.testing.assert_array_equal(got.arrays[1], x.reshape(12, 60)[:, ::-1].reshape(-1))


def test_constants_globals_and_offsets(bench):
    text = """
    namespace model { __constant__ float weights[4] = {1, 2, 3, 4}; __device__ int calls; }
    __global__ void k(const float* in, float* out) {
      out[threadIdx.x] = in[threadIdx.x] * model::weights[threadIdx.x & 3];
      atomicAdd(&model::calls, 1);
    }"""
    x = np.arange(40, dtype=F32)
    weights = np.array([2, 3, 5, 7], F32)
    symbols = {"model::weights": weights, "model::calls": np.array([100], I32)}
    got = bench(text, "k", 1, 32, (x, 16), np.zeros(32, F32), symbols=symbols)
    assert dict(got.built.symbols) == {"model::weights": 16, "model::calls": 4}
    np.testing.assert_array_equal(got.arrays[1], x[4:36] * np.tile(weights, 8))
    assert got.symbols["model::calls"][0] == 132


def test_structs_by_value_and_namespaces(bench):
    text = """
    namespace a { namespace {
    struct Shape { int rows, cols; float scale; __device__ int at(int r, int c) const { return r * cols + c; } };
    #define SQUARE(x) ((x) * (x))
    template <class T> __device__ T twice(T v);
    template <> __device__ float twice<float>(float v) { return 2 * v; }
    template <> __device__ int twice<int>(int v) { return 3 * v; }
    __global__ void k(Shape s, float* out) {
      for (int c = threadIdx.x; c < s.cols; c += blockDim.x)
        out[s.at(blockIdx.x, c)] = twice(SQUARE(s.scale) * c) + twice(1);
    }
    } }"""
    got = bench(text, "a::k", 2, 4, np.array([2, 5], I32).tobytes() + F32(1.5).tobytes(), np.zeros(10, F32))
    np.testing.assert_array_equal(got.arrays[0], np.tile(2 * (F32(2.25) * np.arange(5, dtype=F32)) + 3, 2))


def test_includes_conditionals_and_macro_kernels(bench):
    bench.source(
        "#pragma once\n#define SCALE 3\n#include <unknown.h>\n__device__ inline int f(int x) { return x * SCALE; }\n",
        "lib/deep/scale.cuh",
    )
    text = """
    #include "deep/scale.cuh"
    #include <thrust/sort.h>
    #if defined(WIDE)
    typedef long long T;
    #else
    typedef int T;
    #endif
    #if __CUDA_ARCH__ < 700
    #error too old
    #endif
    #define MAKE(name, op) __global__ void name##_kernel(T* out) { out[threadIdx.x] op f(threadIdx.x); }
    MAKE(add, +=)
    MAKE(sub, -=)
    """
    for defines, dtype in (((), I32), (("WIDE",), np.int64)):
        got = bench(text, "sub_kernel", 1, 32, np.full(32, 100, dtype), request={"defines": defines})
        np.testing.assert_array_equal(got.arrays[0], 100 - 3 * np.arange(32))


def test_grid_zero_does_nothing(bench):
    got = bench(SAXPY, "saxpy", 0, 256, I32(5), F32(1), np.ones(5, F32), np.ones(5, F32))
    assert got.run.status == "ok"
    np.testing.assert_array_equal(got.arrays[1], np.ones(5, F32))


def test_cooperative_groups(bench):
    text = """
    #include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void k(const float* in, float* out, float* top) {
      cg::thread_block block = cg::this_thread_block();
      cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
      auto quarter = cg::tiled_partition<8>(block);
      float v = in[block.thread_rank()];
      out[block.thread_rank()] = cg::reduce(warp, v, cg::plus<float>{});
      top[block.thread_rank()] = cg::reduce(quarter, v, cg::greater<float>{}) + warp.meta_group_rank();
      block.sync();
    }"""
    x = np.random.default_rng(0).standard_normal(64).astype(F32)
    got = bench(text, "k", 1, 64, x, np.zeros(64, F32), np.zeros(64, F32))
    s = x.reshape(2, 32)
    for o in (16, 8, 4, 2, 1):
        s = s + s[:, np.arange(32) ^ o]
    np.testing.assert_array_equal(got.arrays[1], s.reshape(-1))
    np.testing.assert_array_equal(
        got.arrays[2], np.repeat(x.reshape(8, 8).max(1), 8) + np.repeat([0, 1], 32).astype(F32)
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("__global__ void k(float* p) { *p = undefined_name; }", "TLM700"),
        ('__global__ void k(int* p) { asm volatile("mov.u32 %0, %%laneid;" : "=r"(*p)); }', "TLM701"),
        (WMMA, "TLM701"),
        ("namespace cg = cooperative_groups;\n__global__ void k(int* p) { cg::this_grid().sync(); *p = 1; }", "TLM702"),
        ("__global__ void other(int* p) {}\n#if 0\n__global__ void k(int* p) {}\n#endif", "TLM703"),
        ('#include "kernel.cu"\n__global__ void k(int* p) {}', "TLM705"),
        ("#if 1\n__global__ void k(int* p) {}", "TLM705"),
        ("__global__ void k(int* p) { if (*p) k<<<1, 1>>>(p); }", "TLM702"),
        ("__global__ void k(cudaTextureObject_t t, float* p) { *p = tex2DLayered<float>(t, 0, 0, 1); }", "TLM706"),
    ],
)  # fmt: skip
def test_refusals(bench, text, code):
    with pytest.raises(OracleError) as caught:
        build(bench.request(text, "k"), "run")
    assert caught.value.code == code


def test_case_must_fit(bench):
    with pytest.raises(OracleError, match="arguments") as caught:
        bench(SAXPY, "saxpy", 1, 32, I32(1))
    assert caught.value.code == "TLM707"
    with pytest.raises(OracleError, match="bytes"):
        bench(SAXPY, "saxpy", 1, 32, F64(1), F32(1), np.ones(1, F32), np.ones(1, F32))


def test_declarations_made_by_macros_and_odd_shared_memory(bench):
    text = """
    template <typename T> struct Shared { virtual __device__ T* get() = 0; };
    #define MAKE_SHARED(t, n)                \\
      template <> struct Shared<t> {         \\
        __device__ t* get() {                \\
          extern __shared__ t n[];           \\
          return n;                          \\
        }                                    \\
      }
    MAKE_SHARED(int, s_int);
    MAKE_SHARED(float, s_float);
    __global__ void k(float* out) {
      Shared<float> s;
      __shared__ alignas(16) float own[64];
      static __shared__ int flag;
      extern __shared__ __align__(16) unsigned char raw[];
      s.get()[threadIdx.x] = threadIdx.x;
      own[threadIdx.x] = 1;
      if (threadIdx.x == 0) flag = 5;
      __syncthreads();
      out[threadIdx.x] = ((float*)raw)[63 - threadIdx.x] + own[threadIdx.x] + flag;
    }"""
    got = bench(text, "k", 1, 64, np.zeros(64, F32), shared=256, kind="check")
    assert got.run.findings == ()
    np.testing.assert_array_equal(got.arrays[0], 63 - np.arange(64) + 6)


def test_portable_context_switch_gives_the_same(bench, monkeypatch):
    from migrate.oracle import running
    from migrate.oracle.toolchain import runner

    x = np.random.default_rng(3).standard_normal(1000).astype(F32)
    monkeypatch.setattr(running, "runner", lambda: runner(portable=True))
    got = bench(REDUCE, "reduce<float, 256>", 4, 256, x, np.zeros(4, F32), I32(1000))
    np.testing.assert_array_equal(got.arrays[1], tree_sum(x, 256))


def test_macros_of_the_original_stay_with_it(bench):
    text = """
    #define K 3
    #define A + 1
    #define I 5
    #define T int
    #define F float
    #define min(a, b) ((a) < (b) ? (a) : (b))
    __global__ void k(T* out, F scale) { out[threadIdx.x] = min(K, I) A + (T)scale; }"""
    got = bench(text, "k", 1, 4, np.zeros(4, I32), F32(10))
    np.testing.assert_array_equal(got.arrays[0], [14] * 4)


@pytest.mark.skipif(shutil.which("clang++") is None, reason="no clang++")
@pytest.mark.parametrize("kind", ["run", "check"])
def test_clang_gives_the_same(bench, monkeypatch, kind):
    from migrate.oracle import building, toolchain
    from tilelang_runtime.support.compiler import Compiler

    x = np.random.default_rng(3).standard_normal(1000).astype(F32)
    arguments = ("reduce<float, 256>", 4, 256, x, np.zeros(4, F32), I32(1000))
    expected = bench(REDUCE, *arguments, kind=kind)
    clang = Compiler(("clang++",), "clang", "clang of the test")
    runner = toolchain.runner()
    for module in (building, toolchain):
        monkeypatch.setattr(module, "compiler_or_error", lambda: clang)
    monkeypatch.setattr(building, "runner", lambda: runner)
    got = bench(REDUCE, *arguments, kind=kind)
    np.testing.assert_array_equal(got.arrays[1], expected.arrays[1])
    assert got.run.findings == ()
    assert got.run.extents == expected.run.extents
    assert got.built.signature == expected.built.signature
    assert not got.built.counts_arcs
    if kind == "run":
        assert got.run.arcs_taken == b"\0"  # not counted is not taken


def test_overloaded_kernels_are_told_apart_by_line(bench):
    text = (
        "__global__ void scale(float* p);\n"
        "__global__ void scale(float* p) { *p *= 2; }\n"
        "__global__ void scale(int* p) { *p += 1; }\n"
        "template <class T> __global__ void scale(T* p, int by) { *p += by; }\n"
    )
    out = bench(text, "scale", 1, 1, np.array([3], "i4"), request={"line": 3})
    assert out.arrays[0].tolist() == [4]
    out = bench(text, "scale", 1, 1, np.array([3], "f4"), request={"line": 2})
    assert out.arrays[0].tolist() == [6]


def test_constants_in_device_memory_are_no_symbols(bench):
    text = """
    __device__ const unsigned char order[] = {3, 1, 2, 0};
    __device__ int total[2][2];
    __global__ void pick(const int* a, int* out) { out[threadIdx.x] = order[a[threadIdx.x] & 3]; total[1][1] = 8; }
    """
    out = bench(text, "pick", 1, 4, np.arange(4, dtype="i4"), np.zeros(4, "i4"), symbols={"total": np.ones(4, "i4")})
    assert out.built.symbols == (("total", 16),)
    assert out.arrays[1].tolist() == [3, 1, 2, 0] and out.symbols["total"].tolist() == [1, 1, 1, 8]


def test_access_extents_of_roots_with_long_names(bench):
    built = build(bench.request("__global__ void k(int* a, int* b) { a[1] = b[2]; }", "k"), "check")
    case, data = bench.case(np.zeros(4, "i4"), np.zeros(4, "i4"))
    names = {root.name: "x" * 300 + root.name for root in case.roots}
    case = replace(
        case,
        roots=tuple(replace(root, name=names[root.name]) for root in case.roots),
        arguments=tuple(replace(argument, root=names[argument.root]) for argument in case.arguments),
    )
    case.save(bench.folder / "case", data)
    result = run(built, bench.folder / "case", bench.folder / "output.bin")
    assert [(extent.read_hi, extent.write_hi) for extent in result.extents] == [(None, 8), (12, None)]


def test_every_declarator_of_a_declaration_is_a_name() -> None:
    text = "__constant__ float a[3] = {1, 2}, b, *c = nullptr; __device__ int x = f(1, y), z{3}, w;"
    assert [sorted(chunk.names) for chunk in split_chunks(text)] == [["a", "b", "c"], ["w", "x", "z"]]


HEADER = """
__global__ void halve(const fraction* in, fraction* out) { out[threadIdx.x] = in[threadIdx.x] * HALF; }
"""


def test_headers_get_what_stands_before_their_include(bench):
    header = bench.source(HEADER, "halve.cuh")
    unit = bench.source('typedef float fraction;\n#define HALF 0.5f\n#include "halve.cuh"\n', "main.cu")
    kernel = OracleRequest(bench.folder, header, "halve", "halve", line=2, unit=unit)
    built = build(kernel, "run")
    assert {arc.file for arc in built.arcs} <= {"halve.cuh"}
    assert "typedef float fraction" in built.text
    with pytest.raises(OracleError) as raised:
        build(replace(kernel, unit=None), "run")
    assert raised.value.code == "TLM700"


def test_explicit_instantiations_of_namesakes_stay_behind(bench):
    text = """
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void k(double* p) {
      auto tile = cg::tiled_partition<32>(cg::this_thread_block());
      p[threadIdx.x] = cg::reduce(tile, p[threadIdx.x], cg::plus<double>());
    }
    template <class T> void reduce(int size, T* p) { k<<<1, 32>>>(p); }
    template void reduce<double>(int, double*);
    extern template void reduce<double>(int, double*);
    """
    values = np.arange(32, dtype=F64)
    result = bench(text, "k", 1, 32, values)
    assert np.array_equal(result.arrays[0], np.full(32, values.sum()))
