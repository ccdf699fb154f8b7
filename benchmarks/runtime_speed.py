"""Speed of the bundled runtime against numpy: elementwise 1e7 and float32 512^3, CPU time, median of 20, warm.

Run: ``python benchmarks/runtime_speed.py``. Two threads each. numpy's elementwise form writes into an existing array.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

THREADS = 2
os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)  # read when numpy is loaded

import numpy as np  # noqa: E402
from measuring import Row, show  # noqa: E402

import tilelang_runtime  # noqa: E402

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


def median_ms(function: Callable[[], object], rounds: int = 20) -> float:
    """Median milliseconds of CPU time, all threads together; the first call is not counted."""
    function()
    found = []
    for _ in range(rounds):
        begin = time.process_time()
        function()
        found.append((time.process_time() - begin) * 1e3)
    return statistics.median(found)


def measure() -> list[Row]:
    """CPU milliseconds of the runtime's native engine and of numpy."""
    tilelang_runtime.configure(mode="parallel", workers=THREADS)
    x = np.random.default_rng(0).standard_normal(10_000_000, dtype="f4")
    y, z = np.zeros_like(x), np.zeros_like(x)
    kernel = tilelang.compile(elementwise())

    def by_numpy() -> None:
        np.multiply(x, np.float32(2), out=z)
        np.add(z, np.float32(1), out=z)

    rows = [
        Row(
            "native, elementwise 1e7",
            median_ms(lambda: kernel(2.0, 1.0, x, y)),
            "ms",
            median_ms(by_numpy),
            "numpy",
            "<= 2 x",
        )
    ]
    a, b = x[: SIZE * SIZE].reshape(SIZE, SIZE), x[-SIZE * SIZE :].reshape(SIZE, SIZE)
    c, d = np.zeros((SIZE, SIZE), "f4"), np.zeros((SIZE, SIZE), "f4")
    product = tilelang.compile(matrix_product())
    ours = median_ms(lambda: product(a, b, c))
    rows.append(
        Row("native, T.gemm float32 512^3", ours, "ms", median_ms(lambda: np.matmul(a, b, out=d)), "numpy", "<= 2 x")
    )
    if not (np.allclose(y, z) and np.allclose(c, d, atol=0.2)):  # T.gemm rounds its inputs to TF32
        raise RuntimeError("the runtime and numpy give different results")
    return rows


if __name__ == "__main__":
    show(measure())
