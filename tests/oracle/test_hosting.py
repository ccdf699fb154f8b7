"""Launches recorded from running host code."""

from __future__ import annotations

import struct

import pytest

from migrate.oracle.api import OracleError
from migrate.oracle.hosting import HostBuffer, record_host

TEXT = """
#include <cstdio>
#include <vector>
#include <iostream>
#include <cuda_runtime.h>
#define CHECK(call)                                  \\
  do {                                               \\
    cudaError_t status = (call);                     \\
    if (status != cudaSuccess) {                     \\
      printf("%s", cudaGetErrorString(status));      \\
      exit(1);                                       \\
    }                                                \\
  } while (0)
template <class T, int N> __global__ void scale(T* x, const T* y, int n, float a) {
  __shared__ T s[N];
  x[0] = __shfl_sync(~0u, y[0] + s[0], 0);
}
__global__ void plain(float* x, long long n = 3) {}
__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
namespace app {
void launch(float* d, float* e, int n, double a) {
  const int block = 128;
  scale<float, 32><<<ceil_div(n, block), block>>>(d, e + 16, n, a);
  if (n > 100) plain<<<dim3(2, 3), dim3(4, 5, 6), n * sizeof(float)>>>(d);
  for (int i = 0; i < 2; i++) {
    long long m = i;
    void* args[] = {&e, &m};
    cudaLaunchKernel(plain, dim3(i + 1), dim3(32), args, 0, 0);
  }
}
}
int main() {
  int n = 1000;
  std::vector<float> host(n, 1.5f);
  float *d, *e;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&e, 2 * n * sizeof(float)));
  CHECK(cudaMemcpy(d, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  app::launch(d, e, n, host[0] * 2);
  CHECK(cudaDeviceSynchronize());
  std::cout << "done" << std::endl;
  return 0;
}
"""


def test_launches_of_main(bench):
    launches = record_host(bench.request(TEXT, "main"))
    assert [(x.kernel, x.grid, x.block, x.shared_bytes) for x in launches] == [
        ("scale", (8, 1, 1), (128, 1, 1), 0),
        ("plain", (2, 3, 1), (4, 5, 6), 4000),
        ("plain", (1, 1, 1), (32, 1, 1), 0),
        ("plain", (2, 1, 1), (32, 1, 1), 0),
    ]
    x, y, n, a = launches[0].arguments
    lines = TEXT.splitlines()
    first = 1 + next(i for i, line in enumerate(lines) if "cudaMalloc(&d" in line)
    assert (x.origin, x.offset, x.bytes, x.c_type) == (f"cudaMalloc:{first}", 0, 4000, "float*")
    assert (y.origin, y.offset, y.bytes) == (f"cudaMalloc:{first + 1}", 64, 8000)
    assert (n.c_type, n.raw) == ("int", struct.pack("<i", 1000).hex())
    assert a.raw == struct.pack("<f", 3.0).hex()
    assert "T = float" in launches[0].function
    assert "N = 32" in launches[0].function
    assert launches[1].arguments[1].raw == struct.pack("<q", 3).hex()
    assert [x.arguments[1].raw for x in launches[2:]] == [struct.pack("<q", i).hex() for i in (0, 1)]


def test_launches_of_a_function_with_arguments(bench):
    launches = record_host(bench.request(TEXT, "launch"), [HostBuffer(400), HostBuffer(800), 100, 0.5])
    assert [x.grid for x in launches] == [(1, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert [a.origin for a in launches[0].arguments] == ["argument:0", "argument:1", "", ""]
    assert launches[0].arguments[1].bytes == 800


def test_what_was_launched_before_a_failure_counts(bench):
    text = "#include <cstdlib>\n__global__ void k(int n) {}\nvoid f() { k<<<1, 32>>>(7); abort(); k<<<2, 32>>>(8); }"
    launches = record_host(bench.request(text, "f"))
    assert [x.arguments[0].raw for x in launches] == [struct.pack("<i", 7).hex()]


def test_half_arguments(bench):
    text = """#include <cuda_fp16.h>
__global__ void k(half a, half2* p) { p[0] = __hadd2(p[0], __half2half2(a)); }
void f(half2* p) { k<<<1, 32>>>(__float2half(1.5f), p); }"""
    (launch,) = record_host(bench.request(text, "f"), [HostBuffer(64)])
    assert launch.arguments[0].raw == "003e"
    assert launch.arguments[1].origin == "argument:0"


def test_refused(bench):
    with pytest.raises(OracleError) as caught:
        record_host(bench.request("__global__ void k(int n) {}\nvoid f() { cublasSgemm(1); k<<<1, 1>>>(1); }", "f"))
    assert caught.value.code == "TLM708"
    with pytest.raises(OracleError) as caught:
        record_host(bench.request(TEXT, "absent"))
    assert caught.value.code == "TLM703"
