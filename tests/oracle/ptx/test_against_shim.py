"""The two engines on the same CUDA text: what they share is libm and the schedule, nothing else.

Random expressions are in tests/expressions.
"""

from __future__ import annotations

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
    pair = np.void(np.array([(3, 2.5)], np.dtype([("a", "i2"), ("b", "f8")], align=True)).tobytes())
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
