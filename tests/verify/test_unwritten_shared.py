"""What an original reads from shared memory that nothing wrote is no result that a port could be held to."""

from __future__ import annotations

from end_to_end import convert

SOURCE = """
__global__ void partly(const float* x, float* y, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x < 60) tile[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = tile[63 - threadIdx.x];
}
__global__ void wholly(const float* x, float* y, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (n < 0) tile[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = tile[threadIdx.x] + x[i];
}
void f(const float* x, float* y, int n) {
  partly<<<n / 64, 64>>>(x, y, n);
  wholly<<<n / 64, 64>>>(x, y, n);
}
"""


def test_elements_that_come_from_there_are_not_compared(tmp_path):
    made = convert(tmp_path, SOURCE)
    verdict = made.verify("partly")
    codes = [item.code for item in verdict.diagnostics]
    assert verdict.status == "passed" and {"TLM737", "TLM748"} <= set(codes), verdict.to_json()
    assert made.verify("wholly").status == "inconclusive"
