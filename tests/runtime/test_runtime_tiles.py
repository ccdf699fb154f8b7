"""Tile-level and mixed programs against numpy, and the engines against each other."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from runtime_helpers import T, run

from tilelang_runtime import TileLangError

rng = np.random.default_rng(9)


def floats(*shape, dtype="f4"):
    return rng.standard_normal(shape).astype(dtype)


def tf32(x):
    return ((x.view("u4") + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view("f4")


def test_parallel_saxpy_with_ragged_tail():
    n = T.dynamic("n", "int64")

    @T.prim_func
    def saxpy(a: T.float32, x: T.Tensor((n,), "float32"), y: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, 128), threads=64) as bx:
            for i in T.Parallel(128):
                if bx * 128 + i < n:
                    y[bx * 128 + i] = a * x[bx * 128 + i] + y[bx * 128 + i]

    for size in (0, 1, 127, 128, 300):
        x, y = floats(size), floats(size)
        expected = np.float32(3) * x + y
        kernel = run(saxpy, 3.0, x, y, parallel=True)
        assert np.array_equal(y, expected) and kernel.report() == []


def test_softmax_rows_in_fragments():
    rows = T.dynamic("rows", "int64")
    cols, width = 50, 64

    @T.prim_func
    def softmax(out: T.Tensor((rows, cols), "float32"), inp: T.Tensor((rows, cols), "float32")):
        with T.Kernel(rows, threads=64) as row:
            x = T.alloc_fragment((1, width), "float32")
            peak = T.alloc_fragment((1,), "float32")
            total = T.alloc_fragment((1,), "float32")
            for i, j in T.Parallel(1, width):
                x[i, j] = T.if_then_else(j < cols, inp[row, j], -T.infinity("float32"))
            T.reduce_max(x, peak, dim=1)
            for i, j in T.Parallel(1, width):
                x[i, j] = T.exp(x[i, j] - peak[i])
            T.reduce_sum(x, total, dim=1)
            for i, j in T.Parallel(1, width):
                if j < cols:
                    out[row, j] = x[i, j] / total[i]

    inp, out = floats(9, cols), np.zeros((9, cols), "f4")
    assert run(softmax, out, inp, parallel=True).report() == []
    e = np.exp(inp - inp.max(1, keepdims=True))
    assert np.allclose(out, e / e.sum(1, keepdims=True), atol=1e-6)


def matmul(dtype, accumulator, transpose_b=False):
    m, n, k = T.dynamic("m, n, k")
    shape_b = (n, k) if transpose_b else (k, n)

    @T.prim_func
    def gemm(a: T.Tensor((m, k), dtype), b: T.Tensor(shape_b, dtype), c: T.Tensor((m, n), accumulator)):
        with T.Kernel(T.ceildiv(n, 32), T.ceildiv(m, 32), threads=128) as (bx, by):
            left = T.alloc_shared((32, 16), dtype)
            right = T.alloc_shared((32, 16) if transpose_b else (16, 32), dtype)
            acc = T.alloc_fragment((32, 32), accumulator)
            T.clear(acc)
            for step in T.Pipelined(T.ceildiv(k, 16), num_stages=2):
                T.copy(a[by * 32, step * 16], left)
                if transpose_b:
                    T.copy(b[bx * 32, step * 16], right)
                else:
                    T.copy(b[step * 16, bx * 32], right)
                T.gemm(left, right, acc, transpose_B=transpose_b)
            T.copy(acc, c[by * 32, bx * 32])

    return gemm


@pytest.mark.parametrize("transpose_b", [False, True])
def test_gemm_float32_rounds_its_inputs_to_tf32(transpose_b):
    a, b = floats(45, 40), floats(40, 70)
    c = np.zeros((45, 70), "f4")
    stored = np.ascontiguousarray(b.T) if transpose_b else b
    run(matmul("float32", "float32", transpose_b), a, stored, c, parallel=True)
    expected = tf32(a).astype("f8") @ tf32(b).astype("f8")
    assert np.allclose(c, expected, atol=1e-5)
    assert not np.allclose(c, a.astype("f8") @ b.astype("f8"), atol=1e-5)


@pytest.mark.parametrize(
    ("dtype", "accumulator", "atol"),
    [
        ("float16", "float32", 1e-4),
        ("bfloat16", "float32", 1e-4),
        ("float16", "float16", 0.1),
        ("float64", "float64", 1e-12),
    ],
)
def test_gemm_dtypes(dtype, accumulator, atol):
    numpy_dtype = np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)
    a, b = floats(32, 33).astype(numpy_dtype), floats(33, 40).astype(numpy_dtype)
    c = np.zeros((32, 40), accumulator)
    run(matmul(dtype, accumulator), a, b, c)
    assert np.allclose(c.astype("f8"), a.astype("f8") @ b.astype("f8"), atol=atol)


def test_gemm_of_integers():
    a, b = rng.integers(-100, 100, (32, 32)).astype("i1"), rng.integers(-100, 100, (32, 32)).astype("i1")
    c = np.zeros((32, 32), "i4")
    run(matmul("int8", "int32"), a, b, c)
    assert np.array_equal(c, a.astype("i4") @ b.astype("i4"))


def test_copy_pads_with_zeros_and_converts():
    n, m = T.dynamic("n, m")

    @T.prim_func
    def tiles(x: T.Tensor((n, m), "float32"), y: T.Tensor((n, m), "float16"), z: T.Tensor((8, 16), "float32")):
        with T.Kernel(1, threads=32):
            s = T.alloc_shared((8, 16), "float32")
            T.copy(x[0:8, 0:16], s)
            T.copy(s, z)
            T.copy(s, y[0, 0])

    x, y, z = floats(5, 11), np.zeros((5, 11), "f2"), np.ones((8, 16), "f4")
    assert run(tiles, x, y, z).report() == []
    assert np.array_equal(y, x.astype("f2"))
    assert np.array_equal(z, np.pad(x, ((0, 3), (0, 5))))


def test_reductions_scans_and_transposes():
    @T.prim_func
    def many(
        x: T.Tensor((8, 16), "int32"),
        rows: T.Tensor((8, 8), "int32"),
        columns: T.Tensor((16,), "int32"),
        scans: T.Tensor((2, 8, 16), "int32"),
        turned: T.Tensor((16, 8), "int32"),
    ):
        with T.Kernel(1, threads=32):
            s = T.alloc_fragment((8, 16), "int32")
            r = T.alloc_fragment((8,), "int32")
            t = T.alloc_fragment((16,), "int32")
            u = T.alloc_shared((8, 16), "int32")
            v = T.alloc_shared((16, 8), "int32")
            T.copy(x, s)
            T.reduce_sum(s, r, dim=1)
            T.copy(r, rows[0, 0:8])
            T.reduce_max(s, r, dim=1)
            T.copy(r, rows[1, 0:8])
            T.reduce_min(s, r, dim=-1)
            T.copy(r, rows[2, 0:8])
            T.reduce_abssum(s, r, dim=1)
            T.copy(r, rows[3, 0:8])
            T.reduce_absmax(s, r, dim=1)
            T.copy(r, rows[4, 0:8])
            T.reduce_bitand(s, r, dim=1)
            T.copy(r, rows[5, 0:8])
            T.reduce_bitxor(s, r, dim=1)
            T.copy(r, rows[6, 0:8])
            T.reduce_sum(s, r, dim=1, clear=False)
            T.copy(r, rows[7, 0:8])
            T.reduce_sum(s, t, dim=0)
            T.copy(t, columns)
            T.copy(x, u)
            T.cumsum(u, dim=1)
            T.copy(u, scans[0, 0:8, 0:16])
            T.copy(x, u)
            T.cumsum(u, dim=0, reverse=True)
            T.copy(u, scans[1, 0:8, 0:16])
            T.copy(x, u)
            T.transpose(u, v)
            T.copy(v, turned)

    x = rng.integers(-50, 50, (8, 16)).astype("i4")
    rows, columns = np.zeros((8, 8), "i4"), np.zeros(16, "i4")
    scans, turned = np.zeros((2, 8, 16), "i4"), np.zeros((16, 8), "i4")
    run(many, x, rows, columns, scans, turned)
    xor = np.bitwise_xor.reduce(x, axis=1)
    expected = [x.sum(1), x.max(1), x.min(1), abs(x).sum(1), abs(x).max(1), np.bitwise_and.reduce(x, axis=1), xor]
    assert np.array_equal(rows, [*expected, xor + x.sum(1)])
    assert np.array_equal(columns, x.sum(0)) and np.array_equal(turned, x.T)
    assert np.array_equal(scans[0], x.cumsum(1)) and np.array_equal(scans[1], x[::-1].cumsum(0)[::-1])


def test_atomic_of_a_block_value_repeats_for_every_thread():
    @T.prim_func
    def count(out: T.Tensor((2,), "int32"), x: T.Tensor((8,), "int32")):
        with T.Kernel(3, threads=64):
            s = T.alloc_fragment((8,), "int32")
            total = T.alloc_fragment((1,), "int32")
            T.copy(x, s)
            T.reduce_sum(s, total, dim=0)
            T.atomic_add(out[0], total[0])
            for i in T.Parallel(1):
                T.atomic_add(out[1], total[i])

    out = np.zeros(2, "i4")
    run(count, out, np.arange(8, dtype="i4"), parallel=True)
    assert out.tolist() == [3 * 64 * 28, 3 * 28]


def test_threads_and_tiles_mixed():
    n = T.dynamic("n")

    @T.prim_func
    def mixed(x: T.Tensor((n, 64), "float32"), y: T.Tensor((n, 64), "float32")):
        with T.Kernel(n, threads=64) as bx:
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((64,), "float32")
            f = T.alloc_fragment((64,), "float32")
            t = T.alloc_fragment((1,), "float32")
            s[tx] = x[bx, tx] * 2.0
            T.sync_threads()
            T.copy(s, f)
            T.reduce_max(f, t, dim=0)
            for i in T.Parallel(64):
                s[i] = f[i] - t[0]
            y[bx, tx] = s[63 - tx]

    x, y = floats(3, 64), np.zeros((3, 64), "f4")
    run(mixed, x, y, parallel=True)
    doubled = x * np.float32(2)
    assert np.array_equal(y, (doubled - doubled.max(1, keepdims=True))[:, ::-1])


def test_loops_and_variables_inside_parallel():
    n = T.dynamic("n")

    @T.prim_func
    def search(a: T.Tensor((n,), "int32"), q: T.Tensor((100,), "int32"), out: T.Tensor((100,), "int32")):
        with T.Kernel(4, threads=32) as bx:
            for i in T.Parallel(32):
                low = T.alloc_var("int32", init=0)
                high = T.alloc_var("int32", init=n)
                if bx * 32 + i < 100:
                    while low < high:
                        middle = (low + high) >> 1
                        if a[middle] < q[bx * 32 + i]:
                            low = middle + 1
                        else:
                            high = middle
                    out[bx * 32 + i] = low

    a, q = np.sort(rng.integers(0, 999, 500)).astype("i4"), rng.integers(0, 999, 100).astype("i4")
    out = np.zeros(100, "i4")
    run(search, a, q, out, parallel=True)
    assert np.array_equal(out, np.searchsorted(a, q))


def test_uninitialised_accumulators_are_visible():
    @T.prim_func
    def forgot(x: T.Tensor((16, 16), "float32"), y: T.Tensor((16, 16), "float32")):
        with T.Kernel(1, threads=32):
            s = T.alloc_shared((16, 16), "float32")
            acc = T.alloc_fragment((16, 16), "float32")
            T.copy(x, s)
            T.gemm(s, s, acc)
            T.copy(acc, y)

    y = np.zeros((16, 16), "f4")
    run(forgot, floats(16, 16), y)
    assert np.isnan(y).all()


def test_shapes_that_do_not_fit_are_rejected():
    with pytest.raises(TileLangError, match="extents 8 and 4 differ"):

        @T.prim_func
        def copies(x: T.Tensor((8,), "float32")):
            with T.Kernel(1, threads=32):
                s = T.alloc_shared((4,), "float32")
                T.copy(x, s)

    with pytest.raises(TileLangError, match=r"\(16, 8\) times \(16, 16\)"):

        @T.prim_func
        def gemms(x: T.Tensor((8,), "float32")):
            with T.Kernel(1, threads=32):
                a, b = T.alloc_shared((16, 8), "float32"), T.alloc_shared((16, 16), "float32")
                c = T.alloc_fragment((16, 16), "float32")
                T.gemm(a, b, c)
