"""Speed of the bundled runtime against numpy: elementwise 1e7 and float32 512^3, CPU and wall time, median of 20.

Run: ``python benchmarks/runtime_speed.py``. Two threads each (set OPENBLAS_NUM_THREADS=2 for numpy).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

import tilelang_runtime

tilelang_runtime.activate()

import tilelang  # noqa: E402
import tilelang.language as T  # noqa: E402

BLOCK = 8192
SIZE = 512


def elementwise():
    n = T.dynamic("n", "int64")

    @T.prim_func
    def scale_shift(a: T.float32, b: T.float32, x: T.Tensor((n,), "float32"), y: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, BLOCK), threads=256) as bx:
            for i in T.Parallel(BLOCK):
                if bx * BLOCK + i < n:
                    y[bx * BLOCK + i] = a * x[bx * BLOCK + i] + b

    return scale_shift


def matrix_product(tile: int = 128, depth: int = 64):
    @T.prim_func
    def gemm(
        a: T.Tensor((SIZE, SIZE), "float32"), b: T.Tensor((SIZE, SIZE), "float32"), c: T.Tensor((SIZE, SIZE), "float32")
    ):
        with T.Kernel(SIZE // tile, SIZE // tile, threads=128) as (bx, by):
            left = T.alloc_shared((tile, depth), "float32")
            right = T.alloc_shared((depth, tile), "float32")
            acc = T.alloc_fragment((tile, tile), "float32")
            T.clear(acc)
            for step in T.Pipelined(SIZE // depth, num_stages=2):
                T.copy(a[by * tile, step * depth], left)
                T.copy(b[step * depth, bx * tile], right)
                T.gemm(left, right, acc)
            T.copy(acc, c[by * tile, bx * tile])

    return gemm


def measure(function: Callable[[], object], rounds: int = 20) -> tuple[float, float]:
    """Median milliseconds (CPU of all threads, wall)."""
    function()
    cpu, wall = [], []
    for _ in range(rounds):
        begin = time.process_time(), time.perf_counter()
        function()
        cpu.append((time.process_time() - begin[0]) * 1e3)
        wall.append((time.perf_counter() - begin[1]) * 1e3)
    return statistics.median(cpu), statistics.median(wall)


def show(what: str, function: Callable[[], object]) -> None:
    cpu, wall = measure(function)
    print(f"{what:26} {cpu:8.2f} ms CPU {wall:8.2f} ms wall")


def main() -> None:
    tilelang_runtime.configure(mode="parallel", workers=2)
    x = np.random.default_rng(0).standard_normal(10_000_000, dtype="f4")
    y = np.zeros_like(x)
    kernel = tilelang.compile(elementwise())
    show("elementwise 1e7, runtime", lambda: kernel(2.0, 1.0, x, y))
    show("numpy", lambda: np.float32(2) * x + np.float32(1))
    a, b = x[: SIZE * SIZE].reshape(SIZE, SIZE), x[-SIZE * SIZE :].reshape(SIZE, SIZE)
    c = np.zeros((SIZE, SIZE), "f4")
    product = tilelang.compile(matrix_product())
    show("gemm 512^3, runtime", lambda: product(a, b, c))
    show("numpy", lambda: a @ b)


if __name__ == "__main__":
    main()
