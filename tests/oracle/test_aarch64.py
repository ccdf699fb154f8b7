"""The same kernels on aarch64, cross-compiled and run under qemu: context switch, char sign, rounding modes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from migrate.oracle.api import BuildKind
from migrate.oracle.building import unit_text
from migrate.oracle.extract import extract
from migrate.oracle.toolchain import HEADERS, RUNTIME, kernel_flags
from tilelang_runtime.support.compiler import Compiler

CROSS, QEMU = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
LIBRARIES = Path("/usr/aarch64-linux-gnu")
pytestmark = pytest.mark.skipif(
    not (CROSS and QEMU and LIBRARIES.is_dir()), reason="no aarch64 cross compiler or qemu-user"
)

TEXT = """
__global__ void k(const float* in, float* out, int* extra, char c) {
  __shared__ float s[96];
  int t = threadIdx.x;
  float v = in[t];
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  s[t] = v;
  __syncthreads();
  if (t >= 90) return;
  out[t] = s[95 - t] * expf(in[t]);
  __syncthreads();
  extra[t] = c < 0 ? __float2int_rd(in[t] * 10) : 0;
  if (t) return;
  extra[90] = __float_as_int(__fadd_rz(1.0f, 0.9999999e-7f));
  extra[91] = __float_as_int(__fadd_ru(1.0f, 1e-9f));
}"""


@pytest.fixture(scope="module")
def runner(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("runner") / "runner"
    sources = [str(p) for p in sorted(RUNTIME.glob("*.cpp"))]
    link = ["-rdynamic", "-Wl,--no-as-needed", "-lm", "-ldl", "-o", str(target)]
    subprocess.run([CROSS, "-std=c++17", "-O2", "-w", f"-I{HEADERS}", *sources, *link], check=True)
    return target


@pytest.mark.parametrize("kind", ["run", "check"])
def test_a_kernel_with_barriers_and_shuffles(bench, tmp_path, runner, kind: BuildKind):
    request = bench.request(TEXT, "k")
    unit = tmp_path / "unit.cpp"
    unit.write_text(unit_text(extract(request), request, kind))
    flags = kernel_flags(kind, Compiler((str(CROSS),), "gcc", "cross"))
    subprocess.run([CROSS, *flags, f"-I{HEADERS}", "-c", str(unit), "-o", "kernel.o"], cwd=tmp_path, check=True)
    subprocess.run([CROSS, "-shared", "-nostdlib", "kernel.o", "-lgcc", "-o", "kernel.so"], cwd=tmp_path, check=True)
    x = np.random.default_rng(0).standard_normal(96).astype(np.float32)
    case, data = bench.case(x, np.zeros(96, np.float32), np.zeros(96, np.int32), np.int8(-1), threads=96)
    (tmp_path / "case.bin").write_bytes(data)
    lines = [
        "case\tcase.bin",
        "output\toutput",
        "report\treport",
        "grid\t1\t1\t1",
        "block\t96\t1\t1",
        "dynamic\t0",
        "schedule\tcontract",
    ]
    lines += ["check\t16777216"] if kind == "check" else []
    lines += [f"root\t{r.name}\t{r.start}\t{r.bytes}" for r in case.roots]
    lines += [f"pointer\t{i}\t0" for i in range(3)] + ["raw\tff"]
    (tmp_path / "job").write_text("\n".join(lines) + "\n")
    command = [QEMU, "-L", str(LIBRARIES), str(runner), "./kernel.so", "job"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    assert (tmp_path / "report").read_text().startswith("status\tok")
    here = bench(TEXT, "k", 1, 96, x, np.zeros(96, np.float32), np.zeros(96, np.int32), np.int8(-1), kind=kind)
    after = (tmp_path / "output").read_bytes()
    there = [np.frombuffer(after[r.start : r.start + r.bytes], r.dtype) for r in case.roots]
    assert here.run.status == "ok"
    np.testing.assert_allclose(there[1], here.arrays[1], rtol=1e-6)  # another libm
    np.testing.assert_array_equal(there[2], here.arrays[2])
    assert here.arrays[2][90] == 0x3F800000
    assert here.arrays[2][91] == 0x3F800001
    assert (here.arrays[2][:90] == np.floor(x[:90] * np.float32(10))).all()
