"""The two engines on the same CUDA text: what they share is libm and the schedule, nothing else."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from migrate.oracle.api import BuildKind, OracleError, OracleRequest, build
from migrate.pipeline.again import verify_again
from migrate.pipeline.convert import convert_repository
from migrate.pipeline.options import Options, default_jobs
from migrate.pipeline.proving import VerifySettings
from tests.oracle.ptx.bench import run_text

pytestmark = [
    pytest.mark.nvcc,
    pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed"),
]
CORPUS = Path(__file__).parents[3] / "corpus"
F32, F64, I32, U32, I64 = np.float32, np.float64, np.int32, np.uint32, np.int64


def both(folder: Path, text: str, name: str, grid: int, block: int, *arguments, kind: BuildKind = "check", shared=0):
    """The arrays after a run under either engine: text first, PTX second."""
    (folder / "k.cu").write_text(text)
    bare = name.split("<", maxsplit=1)[0].rsplit("::", 1)[-1]
    request = OracleRequest(folder, folder / "k.cu", bare, name)
    found = []
    for engine in ("shim", "ptx"):
        built = build(request, kind, engine)
        done, arrays = run_text(built, folder / engine, grid, block, *arguments, shared=shared)
        assert done.status == "ok", (engine, done.message)
        found.append(arrays)
    return found


def unequal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Bits differ, and not both are NaN."""
    bits = f"u{a.itemsize}"
    different = a.view(bits) != b.view(bits)
    return different & ~(np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else different


class Expressions:
    """Random well-defined expressions: no signed overflow, no shift or division outside of what C defines."""

    LIBM = ("expf", "logf", "sinf", "cosf", "tanhf", "erff", "__expf", "__logf", "exp2f", "atanf", "cbrtf")

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def unsigned(self, depth: int) -> str:
        if depth == 0:
            return self.pick("u0", "u1", "u2", f"{self.random.getrandbits(32)}u", f"{self.random.randrange(40)}u")
        a, b, c = self.unsigned(depth - 1), self.unsigned(depth - 1), self.unsigned(0)
        f, d = self.floating(depth - 1), self.double(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / ({b} | 1u))", f"({a} % ({b} | 1u))",
            f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})", f"(~{a})", f"({a} << ({b} & 31u))", f"({a} >> ({b} & 31u))",
            f"(unsigned)((int){a} >> ({b} & 31u))", f"({a} < {b} ? {c} : {b})", f"((int){a} <= (int){b} ? {a} : {c})",
            f"(unsigned)__popc({a})", f"(unsigned)__clz((int){a})", f"(unsigned)__ffs((int){a})", f"__brev({a})",
            f"__umulhi({a}, {b})", f"(unsigned)__mulhi((int){a}, (int){b})", f"__byte_perm({a}, {b}, {c})",
            f"__funnelshift_l({a}, {b}, {c})", f"__funnelshift_rc({a}, {b}, {c})", f"__umul24({a}, {b})",
            f"(unsigned)__dp4a((int){a}, (int){b}, (int){c})", f"min({a}, {b})", f"(unsigned)max((int){a}, (int){b})",
            f"(unsigned)(short){a}", f"(unsigned)(signed char){a}", f"(unsigned)(unsigned short){a}",
            f"(unsigned)(((unsigned long long){a} << 32 | {b}) * 0x9e3779b97f4a7c15ull >> ({c} & 63u))",
            f"(unsigned)((long long)(int){a} * (int){b} / ((long long)({c} & 1023u) + 1))",
            f"(unsigned)__float2int_rn({f})", f"__float2uint_rz({f})", f"(unsigned)__float2ll_rd({f})",
            f"(unsigned)__double2int_ru({d})", f"(unsigned)(int)fminf(fmaxf({f}, -1e6f), 1e6f)",
            f"(unsigned)__half_as_ushort(__float2half_rn({f}))",
            f"(unsigned)__bfloat16_as_ushort(__float2bfloat16_rn({f}))",
            f"({f} < {self.floating(0)} ? {a} : {b})", f"(unsigned)isnan({f})", f"(unsigned)({f} != {f})",
        )  # fmt: skip

    def floating(self, depth: int) -> str:
        if depth == 0:
            return self.pick("f0", "f1", "f2", f"{self.random.uniform(-4, 4):.6f}f", "0.0f", "-0.0f", "1e30f")
        a, b, c = self.floating(depth - 1), self.floating(depth - 1), self.floating(0)
        u, d = self.unsigned(depth - 1), self.double(depth - 1)
        half, other = f"__float2half_rn({a})", f"__float2half_rn({b})"
        bfloat, wide = f"__float2bfloat16_rn({a})", f"__float2bfloat16_rn({b})"
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"fmaf({a}, {b}, {c})", f"sqrtf({a})",
            f"fminf({a}, {b})", f"fmaxf({a}, {b})", f"floorf({a})", f"ceilf({a})", f"truncf({a})", f"rintf({a})",
            f"roundf({a})", f"fabsf({a})", f"(-({a}))", f"copysignf({a}, {b})", f"({a} > {b} ? {c} : {a})",
            f"(float){d}", f"(float){u}", f"(float)(int){u}", f"(float)((long long)(int){u} * (int)({u} & 0xffffu))",
            f"__saturatef({a})",
            f"rsqrtf({a})", f"fmodf({a}, {b})", f"ldexpf({a}, (int)({u} & 15u) - 8)", f"fdimf({a}, {b})",
            f"__half2float(__hadd({half}, {other}))", f"__half2float(__hmul({half}, {other}))",
            f"__half2float(__hfma({half}, {other}, {half}))", f"__half2float(__hsub({half}, {other}))",
            f"__bfloat162float(__hadd({bfloat}, {wide}))", f"__bfloat162float(__hmul({bfloat}, {wide}))",
            f"__bfloat162float(__hfma({bfloat}, {wide}, {bfloat}))", f"__half2float({half})",
            f"__bfloat162float({bfloat})", f"__uint2float_rn({u})", f"{self.pick(*self.LIBM)}({a})", f"powf({a}, {b})",
        )  # fmt: skip

    def double(self, depth: int) -> str:
        if depth == 0:
            return self.pick("d0", "d1", f"{self.random.uniform(-4, 4):.12f}", "1e-300")
        a, b, f, u = self.double(depth - 1), self.double(0), self.floating(depth - 1), self.unsigned(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"fma({a}, {b}, {a})", f"sqrt(fabs({a}))",
            f"floor({a})", f"rint({a})", f"fmin({a}, {b})", f"(double){f}", f"(double){u}",
            f"(double)(long long)(int){u}",
            f"({a} >= {b} ? {a} : {b})", f"exp({a})", f"log(fabs({a}))", f"pow({a}, {b})", f"fmod({a}, {b})",
        )  # fmt: skip

    def kernel(self, count: int, depth: int) -> str:
        lines = [
            "#include <cuda_fp16.h>\n#include <cuda_bf16.h>",
            "__global__ void k(const unsigned* u, const float* f, const double* d, unsigned* ou, float* of,",
            "                  double* od, int n) {",
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "  if (i >= n) return;",
            "  unsigned u0 = u[i], u1 = u[i + n], u2 = u[i + 2 * n];",
            "  float f0 = f[i], f1 = f[i + n], f2 = f[i + 2 * n];",
            "  double d0 = d[i], d1 = d[i + n];",
        ]
        for k in range(count):
            kind, text = [
                ("ou", self.unsigned), ("of", self.floating), ("od", self.double), ("ou", self.unsigned),
                ("of", self.floating),
            ][k % 5]  # fmt: skip
            lines.append(f"  {kind}[{k} * n + i] = {text(depth)};")
        return "\n".join([*lines, "}"]) + "\n"


def compare_expressions(folder: Path, seed: int, count: int, depth: int, kind: BuildKind) -> list[str]:
    rng = np.random.default_rng(seed)
    n = 96
    special = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-40, 65504, 70000, 0.5, 2.5, 3e9, -3e9], F32)
    f = np.where(rng.random(3 * n) < 0.3, rng.choice(special, 3 * n), rng.standard_normal(3 * n) * 8).astype(F32)
    d = np.where(rng.random(2 * n) < 0.2, rng.choice(special, 2 * n), rng.standard_normal(2 * n) * 8).astype(F64)
    u = rng.choice([0, 1, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], 3 * n).astype(U32)
    u = np.where(rng.random(3 * n) < 0.3, u, rng.integers(0, 1 << 32, 3 * n, dtype=U32))
    text = Expressions(seed).kernel(count, depth)
    outputs = (np.zeros(count * n, U32), np.zeros(count * n, F32), np.zeros(count * n, F64))
    left, right = both(folder, text, "k", 3, 32, u, f, d, *outputs, I32(n), kind=kind)
    lines = [line.strip() for line in text.splitlines() if " * n + i] = " in line]
    found = []
    for a, b in zip(left[3:], right[3:], strict=True):
        for k, different in enumerate(unequal(a, b).reshape(count, n)):
            if different.any():
                i = int(np.flatnonzero(different)[0])
                values = f"u {u[i::n]}, f {f[i::n]}, d {d[i::n]}"
                found.append(f"{lines[k]} with {values}: {a[k * n + i]!r} by the text, {b[k * n + i]!r} by its PTX")
    return found


@pytest.mark.parametrize(("seed", "kind"), [(1, "run"), (2, "check"), (3, "check")])
def test_random_expressions_agree(tmp_path, seed, kind):
    assert compare_expressions(tmp_path, seed, 100, 3, kind) == []


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_random_expressions_agree(tmp_path, seed):
    assert compare_expressions(tmp_path, seed, 120, 2 + seed % 3, "check" if seed % 2 else "run") == []


REDUCE = """
template <class T, int N> __global__ void reduce(const T* in, T* out, int n) {
  __shared__ T part[N / 32];
  T v = 0;
  for (int i = threadIdx.x + blockIdx.x * N; i < n; i += N * gridDim.x) v += in[i];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < N / 32; i++) v += part[i];
    out[blockIdx.x] = v;
  }
}
"""
HISTOGRAM = """
namespace bins {
__constant__ int edges[4] = {10, 20, 30, 40};
__device__ unsigned long long seen;
__device__ __noinline__ int place(int v) { int k = 0; while (k < 4 && v >= edges[k]) k++; return k; }
__global__ void count(const int* in, int* out, int n) {
  extern __shared__ int local[];
  if (threadIdx.x < 5) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { atomicAdd(&local[place(in[i])], 1); atomicAdd(&seen, 1ull); }
  __syncthreads();
  if (threadIdx.x < 5) atomicAdd(&out[threadIdx.x], local[threadIdx.x]);
  if (i == 0) out[5] = (int)seen;
}
}
"""
SWITCH = """
struct Pair { short a; double b; };
__global__ void k(Pair p, const int* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double table[8];
  for (int j = 0; j < 8; j++) table[j] = p.b * j + p.a;
  switch (in[i]) {
    case 0: out[i] = 1; break;
    case 1: out[i] = table[(unsigned)i % 8]; break;
    case 2: out[i] = -p.b; break;
    case 3: out[i] = sin(p.b); break;
    case 4: out[i] = 4; break;
    case 5: out[i] = 55; break;
    case 6: out[i] += 6; break;
    default: out[i] = sqrt((double)i); printf("%d", i);
  }
}
"""
GROUPS = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  float v = in[block.thread_rank()];
  v = cg::reduce(tile, v, cg::plus<float>());
  unsigned mask = tile.ballot(v > 0);
  out[block.thread_rank()] = v + mask + tile.shfl_xor(v, 5) + __popc(__match_any_sync(~0u, (int)in[threadIdx.x]));
}
"""


def test_templates_shuffles_and_shared_memory(tmp_path):
    values = np.random.default_rng(0).standard_normal(3000).astype(F32)
    for kind in ("run", "check"):
        left, right = both(
            tmp_path, REDUCE, "reduce<float, 128>", 3, 128, values, np.zeros(3, F32), I32(3000), kind=kind
        )
        np.testing.assert_array_equal(left[1].view(U32), right[1].view(U32))
        np.testing.assert_allclose(left[1].sum(), values.sum(dtype=F64), rtol=1e-3)


def test_atomics_constants_and_device_variables_of_a_namespace(tmp_path):
    values = np.random.default_rng(0).integers(0, 50, 500).astype(I32)
    left, right = both(tmp_path, HISTOGRAM, "bins::count", 4, 128, values, np.zeros(6, I32), I32(500), shared=20)
    np.testing.assert_array_equal(left[1], right[1])
    assert left[1][:5].sum() == 500


def test_structs_switches_and_local_arrays(tmp_path):
    values = np.random.default_rng(0).integers(-1, 8, 100).astype(I32)
    pair = np.void(np.array([(3, 2.5)], np.dtype([("a", "i2"), ("pad", "V6"), ("b", "f8")])).tobytes())
    left, right = both(tmp_path, SWITCH, "k", 1, 128, pair, values, np.ones(100), I32(100))
    np.testing.assert_array_equal(left[1], right[1])


def test_cooperative_groups(tmp_path):
    values = np.random.default_rng(0).standard_normal(64).astype(F32)
    left, right = both(tmp_path, GROUPS, "k", 1, 64, values, np.zeros(64, F32))
    np.testing.assert_array_equal(left[1], right[1])


def test_a_kernel_that_only_ptx_can_run(tmp_path):
    text = """
    #include <mma.h>
    using namespace nvcuda;
    __global__ void k(const half* a, const half* b, float* c) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
      wmma::fill_fragment(fc, 1.f);
      wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, b, 16);
      wmma::mma_sync(fc, fa, fb, fc);
      int lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane));
      for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= lane < 32 ? 2 : 0;
      wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    }
    """
    (tmp_path / "k.cu").write_text(text)
    request = OracleRequest(tmp_path, tmp_path / "k.cu", "k", "k")
    with pytest.raises(OracleError):
        build(request, "run")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-8, 8, (16, 16)).astype(np.float16) for _ in "ab")
    for kind in ("run", "check"):
        built = build(request, kind, "ptx")
        done, arrays = run_text(built, tmp_path / kind, 1, 32, a, b, np.zeros((16, 16), F32))
        assert done.status == "ok", done.message
        np.testing.assert_array_equal(arrays[2].reshape(16, 16), 2 * (a.astype(F32) @ b.T.astype(F32) + 1))


def test_arcs_are_those_of_the_source(tmp_path):
    text = "__global__ void k(int* p, int n) {\n  int i = threadIdx.x;\n  if (i < n)\n    p[i] = i % 2 ? 5 : 7;\n}\n"
    (tmp_path / "k.cu").write_text(text)
    built = build(OracleRequest(tmp_path, tmp_path / "k.cu", "k", "k"), "run", "ptx")
    assert {a.line for a in built.arcs} == {3, 4} and len(built.arcs) == 4 and built.counts_arcs
    done, _ = run_text(built, tmp_path / "one", 1, 1, np.zeros(4, I32), I32(4))
    assert done.arcs_taken.count(1) == 2
    done, _ = run_text(built, tmp_path / "all", 1, 4, np.zeros(4, I32), I32(3))
    assert done.arcs_taken.count(1) == 4


def test_text_that_nvcc_refuses(tmp_path):
    (tmp_path / "k.cu").write_text("__global__ void k(int* p) {\n  p[0] = nothing;\n}\n")
    with pytest.raises(OracleError) as caught:
        build(OracleRequest(tmp_path, tmp_path / "k.cu", "k", "k"), "run", "ptx")
    assert caught.value.code == "TLM711" and caught.value.line == 2 and "nothing" in caught.value.message


def agreed(folder: Path, output: Path) -> list[str]:
    """Converts ``folder`` and verifies with both engines; what did not pass under both is described."""
    convert_repository(
        Options(CORPUS, (folder,), output, lower=False, jobs=default_jobs(), timeout_s=300.0, verify=False), quiet=True
    )
    settings = VerifySettings(time_limit_s=300.0, oracle="both")
    report = verify_again((output,), settings, lower=False, jobs=default_jobs(), quiet=True)
    kernels = [k for k in report.kernels if k.level != "refused"]
    assert kernels
    return [
        f"{k.file} {k.name}: {k.verdict} by {k.evidence.oracle}: {' '.join(map(str, k.diagnostics))}"
        for k in kernels
        if (k.verdict, k.evidence.oracle) != ("passed", "shim,ptx")
    ]


def test_corpus_kernels_pass_under_both_engines(tmp_path):
    assert agreed(CORPUS / "transpose", tmp_path / "out") == []


@pytest.mark.sweep
def test_the_whole_corpus_passes_under_both_engines(tmp_path):
    assert agreed(CORPUS, tmp_path / "out") == []
