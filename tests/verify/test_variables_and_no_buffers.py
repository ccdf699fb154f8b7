"""`__device__` variables (one array a variable, kept from launch to launch), and kernels that have no buffer at all."""

from __future__ import annotations

import subprocess
import sys

from end_to_end import convert

SOURCE = """
__device__ static unsigned int errors = 0, found = 0;
__global__ void mark(const int* data, int wanted) {
  if (threadIdx.x == 0 && data[blockIdx.x] == wanted) { errors += 3; found = 1; }
}
__global__ void report(unsigned* out) { out[threadIdx.x] = errors * 10u + found; }
void both(int* data, unsigned* out, int n) {
  mark<<<n, 32>>>(data, 7);
  report<<<1, 4>>>(out);
}
"""
PROGRAM = """
import sys
import numpy as np
import tilelang_runtime
tilelang_runtime.activate()
sys.path.insert(0, sys.argv[1])
from k_cu_tl import mark, report
out = np.zeros(4, np.uint32)
for count in (1, 2):
    mark(np.array([7], np.int32), 7, grid=1, block=32)
    report(out, grid=1, block=4)
    assert (out == 30 * count + 1).all(), out
own = np.array([5], np.uint32)
report(out, grid=1, block=4, errors=own)
assert (out == 51).all(), out
"""


def test_kernels_of_a_file_share_its_variables(tmp_path):
    made = convert(tmp_path, SOURCE)
    verdict = made.verify("mark")
    assert verdict.status != "failed", verdict.to_json()
    package = tmp_path / "package"
    package.mkdir()
    made.out.rename(package / "out")
    program = PROGRAM.replace("from k_cu_tl", "from out.k_cu_tl")
    done = subprocess.run(
        [sys.executable, "-c", program, str(package)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_kernel_without_buffers_proves_nothing_and_says_so(tmp_path):
    text = "__global__ void idle(int n) { if (n > 3) n = 4; }\nvoid f(int n) { idle<<<2, 32>>>(n); }\n"
    verdict = convert(tmp_path, text).verify("idle")
    assert verdict.status == "inconclusive"
    assert [item.code for item in verdict.diagnostics if item.severity != "note"] == ["TLM727"], verdict.to_json()


def test_bytes_between_members_are_not_compared(tmp_path):
    text = """
    struct __align__(16) Point { float x, y, z; };
    __global__ void move(const Point* from, Point* to, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) to[i] = from[n - 1 - i];
    }
    void f(const Point* from, Point* to, int n) { move<<<(n + 63) / 64, 64>>>(from, to, n); }
    """
    made = convert(tmp_path, text)
    verdict = made.verify("move")
    assert verdict.status == "passed" and "TLM748" in [item.code for item in verdict.diagnostics], verdict.to_json()
    damaged = made.verify_damaged("move", tmp_path / "damaged", ("* 4 + 2] = from_", "* 4 + 1] = from_"))
    assert damaged.status == "failed"
