"""T.gemm into float32 against the reference interpreter, bit for bit: padding, strides, special values, rounding."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from runtime_helpers import T, run

TYPES = {"float32": np.dtype("f4"), "float16": np.dtype("f2"), "bfloat16": np.dtype(ml_dtypes.bfloat16)}


def product(m, n, k, dtype="float32", *, turned=(False, False), clear=False, margin=0):
    """c (+)= a @ b in tiles that are windows of buffers ``margin`` larger on each side."""
    rows_a, columns_a = (k, m) if turned[0] else (m, k)
    rows_b, columns_b = (n, k) if turned[1] else (k, n)
    e = 2 * margin

    @T.prim_func
    def gemm(
        a: T.Tensor((rows_a, columns_a), dtype),
        b: T.Tensor((rows_b, columns_b), dtype),
        c: T.Tensor((m + e, n + e), "float32"),
    ):
        with T.Kernel(1, threads=32):
            left = T.alloc_shared((rows_a + e, columns_a + e), dtype)
            right = T.alloc_shared((rows_b + e, columns_b + e), dtype)
            acc = T.alloc_fragment((m + e, n + e), "float32")
            T.copy(c, acc)
            T.copy(a, left[margin : margin + rows_a, margin : margin + columns_a])
            T.copy(b, right[margin : margin + rows_b, margin : margin + columns_b])
            T.gemm(
                left[margin : margin + rows_a, margin : margin + columns_a],
                right[margin : margin + rows_b, margin : margin + columns_b],
                acc[margin : margin + m, margin : margin + n],
                transpose_A=turned[0],
                transpose_B=turned[1],
                clear_accum=clear,
            )
            T.copy(acc, c)

    return gemm


def check(m, n, k, a, b, c, dtype="float32", **options):
    turned = options.get("turned", (False, False))
    a, b = (a.T if turned[0] else a), (b.T if turned[1] else b)
    a, b = (np.ascontiguousarray(x).astype(TYPES[dtype]) for x in (a, b))
    run(product(m, n, k, dtype, **options), a, b, c)  # compares with the reference interpreter
    return c


def normal(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    ("m", "n", "k"),
    [(1, 1, 1), (3, 5, 7), (4, 8, 8), (5, 9, 16), (6, 4, 17), (7, 12, 33), (8, 16, 64), (50, 20, 65), (57, 31, 130)],
)
def test_sizes_that_do_not_fit_the_blocks(m, n, k, dtype):
    check(m, n, k, normal(m, m, k), normal(n, k, n), normal(k, m, n), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("clear", [False, True])
def test_windows_and_transposes(turned, clear, dtype):
    m, n, k = 14, 19, 70
    c = normal(3, m + 6, n + 6)
    before = c.copy()
    check(m, n, k, normal(1, m, k), normal(2, k, n), c, dtype, turned=turned, clear=clear, margin=3)
    c[3:-3, 3:-3] = before[3:-3, 3:-3]
    assert np.array_equal(c, before)  # nothing around the window is touched


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("place", [0, 9, 33])
def test_infinities_and_nans_stay_in_their_rows(place, dtype):
    m, n, k = 13, 17, 34  # k is padded for every instruction
    a, b, c = normal(4, m, k), normal(5, k, n), normal(6, m, n)
    a[2, place], a[7, place], b[place, 16], b[place, 3] = np.inf, np.nan, -np.inf, 0
    c[12, 1], c[11, 2] = np.inf, np.nan
    found = check(m, n, k, a, b, c, dtype)
    assert np.isnan(found[2, 3]) and np.isnan(found[7]).all() and np.isinf(found[2, 0]) and np.isinf(found[12, 1])
    assert np.isfinite(found[[0, 1, 3, 4, 5, 6, 8, 9, 10]][:, :16]).all()


def test_infinities_with_payload_bits_and_rounding_to_infinity():
    bits = np.array(
        [0x7F7FFFFF, 0x7F7FEFFF, 0x7F7FF000, 0xFF7FF000, 0x7F800001, 0xFFFFFFFF, 0x7F800000, 0xFF800000], "u4"
    )
    a = np.zeros((8, 8), "f4")
    np.fill_diagonal(a, bits.view("f4"))
    check(8, 8, 8, a, np.eye(8, dtype="f4"), np.zeros((8, 8), "f4"))
    check(8, 8, 8, np.eye(8, dtype="f4"), a, np.zeros((8, 8), "f4"))


def test_sums_that_overflow_on_rounding():
    big = np.float32(2.0**64)
    a, b = np.full((6, 24), big, "f4"), np.full((24, 8), big / 8, "f4")
    b[8:16] *= -1
    c = np.zeros((6, 8), "f4")
    c[0] = np.finfo("f4").max
    c[1] = -np.finfo("f4").max
    found = check(6, 8, 24, a, b, c)
    assert np.isinf(found).any()


def test_subnormal_inputs_sums_and_accumulators():
    generator = np.random.default_rng(8)
    m, n, k = 12, 16, 40
    tiny = generator.integers(0, 1 << 23, (m, k)).astype("u4") | (generator.integers(0, 2, (m, k)) << 31).astype("u4")
    a, b, c = tiny.view("f4"), normal(9, k, n), normal(10, m, n) * np.float32(1e-40)
    found = check(m, n, k, a, b, c)
    assert (np.abs(found[found != 0]) < np.finfo("f4").tiny).any()
    check(m, n, k, normal(11, m, k) * np.float32(2.0**-70), b * np.float32(2.0**-75), c)


@pytest.mark.parametrize("k", [1, 5, 8, 20, 64, 67])
def test_signs_of_zero(k):
    a, b = np.zeros((5, k), "f4"), np.full((k, 9), -0.0, "f4")
    a[1] = -0.0
    c = np.full((5, 9), -0.0, "f4")
    c[3] = 0
    found = check(5, 9, k, a, b, c)
    assert np.signbit(found[0]).all() and not np.signbit(found[1]).any() and not np.signbit(found[3]).any()


def test_ties_and_cancellation():
    generator = np.random.default_rng(12)
    m, n, k = 18, 24, 96
    a = generator.integers(-2047, 2048, (m, k)).astype("f4")
    b = generator.integers(-2047, 2048, (k, n)).astype("f4")
    c = (generator.integers(-(2**24), 2**24, (m, n)) * 2).astype("f4")
    check(m, n, k, a, b, c)
    scale = np.exp2(generator.integers(-60, 60, (1, k))).astype("f4")
    check(m, n, k, a * scale, b / scale.T, c)
    check(m, n, k, a * scale, b * scale.T, c)


def test_inputs_halfway_between_two_tf32_values():
    bits = (np.random.default_rng(13).integers(0, 1 << 19, (16, 16)) << 13 | 0x1000).astype("u4")
    a = (bits & np.uint32(0x807FFFFF) | np.uint32(0x3F800000)).view("f4")
    check(16, 16, 16, a, np.eye(16, dtype="f4"), np.zeros((16, 16), "f4"))
