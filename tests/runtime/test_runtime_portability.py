"""The compiled engine elsewhere: aarch64 under qemu, and the portable context switch. Same bytes as here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from runtime_helpers import ORDERED, T, compile_native, run_with

from tilelang_runtime.native.build import EXACT_FLAGS, SOURCES
from tilelang_runtime.native.generate import generate

CROSS, QEMU = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
SIZE = 96
MAIN = """
#include "scheduler.cpp"
#include <stdio.h>
extern "C" void launch_0_grid(Context*, void**, i64*);
extern "C" void launch_0_thread(Context*, void**);
static float x[96], out[96];
static unsigned short half[96];
static i64 counts[4096], indices[8192];
int main() {
  for (int i = 0; i < 96; i++) x[i] = (float)((i * 37) % 101 - 50) * 0.37f;
  void* arguments[] = {x, out, half};
  Launch launch = {};
  launch.grid = launch_0_grid;
  launch.thread = launch_0_thread;
  launch.arguments = arguments;
  launch.counts = counts;
  launch.indices = indices;
  launch.shared_bytes = SHARED;
  launch.stack_bytes = STACK;
  launch.threads[0] = 48;
  launch.threads[1] = launch.threads[2] = 1;
  launch.workers = 1;
  int failed = tilelang_run(&launch);
  for (int i = 0; i < 96; i++) printf("%08x %04x\\n", bits_of<u32>(out[i]), half[i]);
  return failed;
}
"""


def program():
    @T.prim_func
    def mixture(x: T.Tensor((SIZE,), "float32"), out: T.Tensor((SIZE,), "float32"), half: T.Tensor((SIZE,), "float16")):
        with T.Kernel(2, threads=48) as bx:
            tx = T.get_thread_binding(0)
            i = bx * 48 + tx
            s = T.alloc_shared((48,), "float32")
            b = T.alloc_local((2,), "int8")
            s[tx] = x[i] / 3.0
            T.sync_threads()
            v = T.alloc_var("float32", init=s[47 - tx])
            if tx < 32:
                v = v + T.shfl_xor(v, 5)
            T.sync_threads()
            b[0] = T.cast(T.cast(v * 40.0, "int32"), "int8")
            b[1] = b[0] * b[0]
            out[i] = T.fma(v, s[tx], T.cast(b[1], "float32")) + T.sqrt(T.abs(v))
            half[i] = T.cast(v, "float16") * T.cast(x[i], "float16")

    return mixture


def here():
    x = (np.arange(SIZE) * 37 % 101 - 50).astype("f4") * np.float32(0.37)
    out, half = np.zeros(SIZE, "f4"), np.zeros(SIZE, "f2")
    run_with(ORDERED, compile_native(program()), x, out, half)
    return [f"{a:08x} {b:04x}" for a, b in zip(out.view("u4"), half.view("u2"), strict=True)]


def elsewhere(tmp_path: Path, compiler: str, flags: list[str], runner: list[str]):
    code = generate(program().program)
    launch = code.launches[0]
    (tmp_path / "program.cpp").write_text(code.text)
    (tmp_path / "main.cpp").write_text(
        MAIN.replace("SHARED", str(launch.shared_bytes)).replace("STACK", str(launch.stack_bytes))
    )
    units = [str(tmp_path / "program.cpp"), str(tmp_path / "main.cpp"), str(SOURCES / "gemm.cpp")]
    target = str(tmp_path / "run")
    command = [compiler, *EXACT_FLAGS, "-O2", "-pthread", *flags, f"-I{SOURCES}", *units, "-o", target, "-lm"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    done = subprocess.run([*runner, target], capture_output=True, text=True, check=True, timeout=120)
    return done.stdout.split("\n")[:SIZE]


@pytest.mark.skipif(not (CROSS and QEMU), reason="no aarch64 cross compiler or qemu-user")
def test_aarch64(tmp_path):
    assert elsewhere(tmp_path, CROSS, ["-static"], [QEMU]) == here()


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_portable_context_switch(tmp_path):
    assert elsewhere(tmp_path, "g++", ["-DTILELANG_PORTABLE_SWITCH"], []) == here()
