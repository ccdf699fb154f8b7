"""Right ports pass, and every damage to a port that changes its meaning makes it fail."""

from __future__ import annotations

import pytest
from end_to_end import Converted, convert

from migrate.verify.many import verify_many

SOURCE = """
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void reduce(const float* x, float* out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void quantise(const float* x, signed char* q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = fminf(fmaxf(x[i] * 16.0f, -127.0f), 127.0f);
    q[i] = (signed char)rintf(v);
  }
}
__global__ void shuffle_sum(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] % 1000 : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (i < n && threadIdx.x % 32 == 0) y[i / 32] = v;
}
__global__ void racy(const int* x, int* y) {
  __shared__ int s[128];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void nothing(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 3.0e38f && x[i] < 2.9e38f) y[i] = 1.0f;
}
__global__ void tickets(const int* x, int* count, int* slots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) slots[atomicAdd(count, 1)] = i;
}
__global__ void scatter(const int* where, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[where[i]] = x[i];
}
__global__ void cell_starts(const int* cell, int* start, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || cell[i] != cell[i - 1])) start[cell[i]] = i;
}
__global__ void paint(unsigned char* image, int width, int height, size_t pitch, float t) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* pixel = (float*)(image + y * pitch) + 4 * x;
  pixel[0] = t + x;
  pixel[1] = t * y;
  pixel[2] = x - y;
  pixel[3] = 1;
}
void picture(unsigned char* image, int width, int height, size_t pitch, float t) {
  paint<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, width, height, pitch, t);
}
int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  float *x, *y, *out; int *k, *m, *count; signed char* q;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&q, n);
  cudaMalloc(&k, n * sizeof(int));
  cudaMalloc(&m, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  int blocks = (n + 127) / 128;
  cudaMalloc(&out, blocks * sizeof(float));
  saxpy<<<blocks, 128>>>(n, 2.0f, x, y);
  reduce<<<blocks, 128>>>(x, out, n);
  quantise<<<blocks, 128>>>(x, q, n);
  shuffle_sum<<<blocks, 128>>>(k, m, n);
  racy<<<1, 128>>>(k, m);
  nothing<<<blocks, 128>>>(x, y, n);
  tickets<<<blocks, 128>>>(k, count, m, n);
  scatter<<<blocks, 128>>>(k, x, y, n);
  cell_starts<<<blocks, 128>>>(k, m, n);
}
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Converted:
    return convert(tmp_path_factory.mktemp("converted"), SOURCE)


def codes(verdict) -> list[str]:
    return [item.code for item in verdict.diagnostics]


@pytest.mark.parametrize("name", ["saxpy", "reduce", "quantise", "shuffle_sum"])
def test_a_right_port_passes(converted, name):
    verdict = converted.verify(name)
    assert verdict.status == "passed", verdict.to_json()
    assert verdict.exact is True and verdict.cases >= 5 and verdict.arcs_share == 1.0
    assert verdict.oracle == "shim" and verdict.engines == ("native",) and verdict.cpu_s > 0


def test_order_of_tickets_is_reproduced(converted):
    verdict = converted.verify("tickets")
    assert verdict.status == "passed" and verdict.exact is True, verdict.to_json()
    assert "TLM729" in codes(verdict)


DAMAGE = {
    "guard one too far": ("saxpy", ("if i < n:", "if i <= n:")),
    "guard one too short": ("saxpy", ("if i < n:", "if i < n - 1:")),
    "wrong sign": ("saxpy", ("a * x[i] + y[i]", "a * x[i] - y[i]")),
    "fused multiply-add": ("saxpy", ("a * x[i] + y[i]", "T.ieee_fmaf(a, x[i], y[i])")),
    "neighbour": ("saxpy", ("a * x[i]", "a * x[i - 1]")),
    "input changed": ("saxpy", ("if i < n:", "if i < n:\n                x[i] = x[i] * T.float32(2.0)")),
    "dropped barriers": ("reduce", ("T.sync_threads()", "h = h")),
    "wrong identity": ("reduce", ("T.float32(0.0)", "T.float32(-0.5)")),
    "one step short": ("reduce", ("h > 0", "h > 1")),
    "other rounding": ("quantise", ("T.round(", "T.trunc(")),
    "clamp off by one": ("quantise", ("-127.0", "-128.0")),
    "shuffle distance": ("shuffle_sum", ("16", "8")),
    "block index": ("saxpy", ("bx * block + tx", "bx * (block - 1) + tx")),
}


@pytest.mark.parametrize("name", sorted(DAMAGE))
def test_a_damaged_port_fails(converted, tmp_path, name):
    kernel, *edits = DAMAGE[name]
    if kernel == "reduce" and name == "dropped barriers":
        edits = [("                T.sync_threads()\n", "")]
    verdict = converted.verify_damaged(kernel, tmp_path, *edits)
    assert verdict.status == "failed", verdict.to_json()
    assert set(codes(verdict)) & {"TLM721", "TLM725", "TLM744"}, codes(verdict)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("if i < n:", "if j < n:", "TLM722"),
        ("@T.prim_func", "import os\n    os.kill(os.getpid(), 9)\n\n    @T.prim_func", "TLM722"),
        pytest.param(
            "@T.prim_func",
            "while True:\n        pass\n\n    @T.prim_func",
            "TLM723",
            marks=pytest.mark.sweep,
            id="endless",
        ),
        ("@T.prim_func", "open('/etc/passwd', 'a')\n\n    @T.prim_func", "TLM722"),
    ],
)
def test_a_port_that_misbehaves_fails(converted, tmp_path, old, new, code):
    verdict = converted.verify_damaged("saxpy", tmp_path, (old, new), case_timeout_s=4.0)
    if code == "TLM723" and codes(verdict) == ["TLM736"]:
        assert verdict.status == "inconclusive"  # the machine was too busy to tell an endless port from a slow one
        return
    assert verdict.status == "failed" and codes(verdict) == [code], verdict.to_json()


def test_a_race_is_inconclusive(converted):
    verdict = converted.verify("racy")
    assert verdict.status == "inconclusive" and "TLM728" in codes(verdict)


def test_a_scatter_is_judged_on_indices_that_differ_and_the_verdict_says_so(converted):
    verdict = converted.verify("scatter")
    assert verdict.status == "passed", verdict.to_json()
    told = [item for item in verdict.diagnostics if item.code == "TLM765"]
    assert told and "name one element twice" in told[0].message
    assert verdict.dropped["race"] >= 1


def test_starts_of_runs_are_judged_on_sorted_indices_too(converted):
    verdict = converted.verify("cell_starts")
    assert verdict.status == "passed" and "TLM765" in codes(verdict), verdict.to_json()
    assert verdict.arcs_taken == verdict.arcs_total


def test_rows_that_a_pitch_of_unknown_length_parts_do_not_overlap(converted):
    verdict = converted.verify("paint")
    assert verdict.status == "passed" and "race" not in verdict.dropped, verdict.to_json()


def test_a_kernel_without_effect_is_inconclusive(converted):
    verdict = converted.verify("nothing")
    assert verdict.status == "inconclusive" and "TLM727" in codes(verdict)


def test_the_second_time_the_verdict_comes_from_the_cache(converted, monkeypatch, tmp_path):
    first = converted.verify("saxpy", use_cache=True)
    again = converted.verify("saxpy", use_cache=True)
    assert again.cached and again.status == first.status == "passed"
    damaged = converted.verify_damaged("saxpy", tmp_path, ("a * x[i] + y[i]", "a * x[i] - y[i]"), use_cache=True)
    assert damaged.status == "failed"


def test_an_original_that_does_not_compile_is_not_run(converted):
    request = converted.request("saxpy")
    (converted.root / "broken.cu").write_text("__global__ void saxpy(int n) { undeclared(n); }\n")
    from dataclasses import replace

    from migrate.verify.verify import verify_kernel

    record = replace(request.record, file="broken.cu", unit="", line=1)
    verdict = verify_kernel(replace(request, record=record))
    assert verdict.status == "not_run" and codes(verdict) == ["TLM720"] and verdict.arcs_share is None


def test_other_parameters_than_the_parser_saw_are_no_failed_port(converted):
    from dataclasses import replace

    from migrate.verify.verify import verify_kernel

    request = converted.request("saxpy")
    (converted.root / "other.cu").write_text("__global__ void saxpy(long n, float a, const float* x, float* y) {}\n")
    record = replace(request.record, file="other.cu", unit="", line=1)
    verdict = verify_kernel(replace(request, record=record))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM733"]


def test_many_kernels_in_workers(converted):
    requests = [converted.request(name) for name in ("saxpy", "racy")]
    verdicts = {verdict.symbol: verdict.status for verdict in verify_many(requests, 2)}
    assert verdicts == {"saxpy": "passed", "racy": "inconclusive"}


@pytest.mark.parametrize("engine", ["reference", pytest.param("tir", marks=pytest.mark.upstream)])
def test_other_engines_agree(converted, engine):
    verdict = converted.verify("saxpy", engine=engine, case_timeout_s=60.0)
    assert verdict.status == "passed" and verdict.engines == (engine,), verdict.to_json()


def test_two_engines_must_both_agree(converted, tmp_path):
    verdict = converted.verify("saxpy", further_engines=("reference",))
    assert verdict.status == "passed" and verdict.engines == ("native", "reference"), verdict.to_json()
    verdict = converted.verify("saxpy", further_engines=("imaginary",))
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM745"]
    assert "native: passed" in verdict.notes


def test_an_engine_that_does_not_exist_fails_nobody(converted):
    verdict = converted.verify("saxpy", engine="imaginary")
    assert verdict.status == "inconclusive" and codes(verdict) == ["TLM745"]
