"""Numeric headers against numpy and ml_dtypes, on values that matter."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

I32, F32, F64 = np.int32, np.float32, np.float64
BF16, F16 = ml_dtypes.bfloat16, np.float16


def same(got: np.ndarray, expected: np.ndarray) -> None:
    """Equal bits, any NaN equal to any NaN."""
    unsigned = {2: np.uint16, 4: np.uint32, 8: np.uint64, 1: np.uint8}[got.itemsize]
    with np.errstate(invalid="ignore"):  # signalling NaNs
        nan, got_nan = np.isnan(expected.astype(F64)), np.isnan(got.astype(F64))
    np.testing.assert_array_equal(got_nan, nan)
    np.testing.assert_array_equal(got.view(unsigned)[~nan], expected.view(unsigned)[~nan])


def pairs(dtype) -> tuple[np.ndarray, np.ndarray]:
    """Every 16-bit pattern against a few partners, and random pairs."""
    every = np.arange(65536, dtype=np.uint16)
    rng = np.random.default_rng(0)
    other = rng.integers(0, 65536, 65536).astype(np.uint16)
    a = np.concatenate([every, every, rng.integers(0, 65536, 65536).astype(np.uint16)])
    b = np.concatenate([other, every[::-1], rng.permutation(every)])
    return a.view(dtype), b.view(dtype)


@pytest.mark.parametrize(("name", "dtype"), [("__half", F16), ("__nv_bfloat16", BF16)])
def test_half_arithmetic(bench, name, dtype):
    text = f"""
    #include <cuda_fp16.h>
    #include <cuda_bf16.h>
    typedef {name} T;
    __global__ void k(const T* a, const T* b, T* sum, T* product, T* quotient, T* root, float* wide, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      sum[i] = a[i] + b[i];
      product[i] = __hmul(a[i], b[i]);
      quotient[i] = a[i] / b[i];
      root[i] = hsqrt(a[i]);
      wide[i] = (float)a[i];
    }}"""
    a, b = pairs(dtype)
    n = a.size
    empty = [np.zeros(n, dtype) for _ in range(4)]
    storage = [x.view(np.uint16) for x in (a, b, *empty)]
    got = bench(text, "k", (n + 255) // 256, 256, *storage, np.zeros(n, F32), I32(n))
    with np.errstate(all="ignore"):
        wide_a, wide_b = a.astype(F64), b.astype(F64)
        same(got.arrays[2].view(dtype), (a.astype(F32) + b.astype(F32)).astype(dtype))
        same(got.arrays[3].view(dtype), (wide_a * wide_b).astype(F32).astype(dtype))
        same(got.arrays[4].view(dtype), (a.astype(F32) / b.astype(F32)).astype(dtype))
        same(got.arrays[5].view(dtype), np.sqrt(a.astype(F32)).astype(dtype))
    same(got.arrays[6], a.astype(F32))


def exact_fused(a: float, b: float, c: float, dtype) -> float:
    """a*b+c rounded once, by choosing among the neighbours of the double result with exact rationals."""
    from fractions import Fraction

    exact = Fraction(a) * Fraction(b) + Fraction(c)
    first = dtype(float(exact))
    if not np.isfinite(first.astype(F64)) or exact == 0:
        return first
    candidates = [first, np.nextafter(first, dtype(np.inf)), np.nextafter(first, dtype(-np.inf))]
    finite = [x for x in candidates if np.isfinite(x.astype(F64))]
    best = min(abs(Fraction(float(x)) - exact) for x in finite)
    nearest = [x for x in finite if abs(Fraction(float(x)) - exact) == best]
    return nearest[0] if len(nearest) == 1 else next(x for x in nearest if not x.view(np.uint16) & 1)


@pytest.mark.parametrize(("name", "dtype"), [("__half", F16), ("__nv_bfloat16", BF16)])
def test_fused_multiply_add_rounds_once(bench, name, dtype):
    text = f"""
    typedef {name} T;
    __global__ void k(const T* a, const T* b, const T* c, T* out) {{
      int i = threadIdx.x + blockIdx.x * blockDim.x;
      out[i] = __hfma(a[i], b[i], c[i]);
    }}"""
    rng = np.random.default_rng(5)
    n = 1024
    a, b = ((rng.standard_normal(n) * 2.0 ** rng.integers(-4, 4, n)).astype(dtype) for _ in range(2))
    c = (rng.standard_normal(n) * 2.0 ** rng.integers(-24 if dtype is F16 else -60, 6, n)).astype(dtype)
    # Products that lie exactly between two values, with a tiny c that must decide.
    a[:64], b[:64] = dtype(1 + 2.0**-5), (1 + 2.0 ** -(6 if dtype is F16 else 3)) * np.ones(64, dtype)
    a[64:128] = dtype(1)
    b[64:128] = dtype(1)
    c[64:96] = np.array([2.0**-k for k in range(5, 37)], F64).astype(dtype)
    got = bench(text, "k", n // 256, 256, *(x.view(np.uint16) for x in (a, b, c)), np.zeros(n, np.uint16))
    result = got.arrays[3].view(dtype)
    expected = np.array(
        [exact_fused(float(x), float(y), float(z), dtype) for x, y, z in zip(a, b, c, strict=True)], dtype
    )
    same(result, expected)


@pytest.mark.parametrize(("name", "dtype"), [("half", F16), ("bfloat16", BF16)])
def test_conversions_round_once(bench, name, dtype):
    text = f"""
    #include <cuda_fp16.h>
    __global__ void k(const double* d, const float* f, unsigned short* a, unsigned short* b, unsigned short* z,
                      unsigned short* u, unsigned short* w) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      a[i] = __{name}_as_ushort(__double2{name}(d[i]));
      b[i] = __{name}_as_ushort(__float2{name}(f[i]));
      z[i] = __{name}_as_ushort(__float2{name}_rz(f[i]));
      u[i] = __{name}_as_ushort(__float2{name}_ru(f[i]));
      w[i] = __{name}_as_ushort(__float2{name}_rd(f[i]));
    }}"""
    with np.errstate(invalid="ignore"):
        every = np.arange(65536, dtype=np.uint16).view(dtype).astype(F64)
    finite = every[np.isfinite(every)]
    ordered = np.unique(finite)
    middle = (ordered[:-1] + ordered[1:]) / 2  # exact ties
    tiny = np.abs(middle) * 2.0**-40
    values = np.concatenate(
        [middle, middle + tiny, middle - tiny, finite, [np.inf, -np.inf, np.nan, 1e300, -1e-300, 0.0, -0.0]]
    )
    values = np.resize(values, (values.size + 255) // 256 * 256)
    with np.errstate(all="ignore"):
        singles = values.astype(F32)
    empty = [np.zeros(values.size, np.uint16) for _ in range(5)]
    got = bench(text, "k", values.size // 256, 256, values, singles, *empty)
    nearest_single = singles.astype(dtype)
    same(got.arrays[3].view(dtype), nearest_single)
    down = ordered[np.clip(np.searchsorted(ordered, singles.astype(F64), "right") - 1, 0, ordered.size - 1)]
    up = ordered[np.clip(np.searchsorted(ordered, singles.astype(F64), "left"), 0, ordered.size - 1)]
    inside = (np.abs(singles) <= ordered[-1]) & (singles != 0)
    for array, expected in (
        (got.arrays[4], np.where(singles > 0, down, up)),
        (got.arrays[5], up),
        (got.arrays[6], down),
    ):
        np.testing.assert_array_equal(array.view(dtype).astype(F64)[inside], expected[inside])
    # From double with one rounding: at the ties the tiny part decides, which a detour through float would lose.
    n = middle.size
    normal = np.abs(middle) > 1e-37
    upper = got.arrays[2][n : 2 * n].view(dtype).astype(F64)
    lower = got.arrays[2][2 * n : 3 * n].view(dtype).astype(F64)
    np.testing.assert_array_equal(upper[normal], ordered[1:][normal])
    np.testing.assert_array_equal(lower[normal], ordered[:-1][normal])


def test_float_to_integer_saturates(bench):
    text = """
    __global__ void k(const float* f, int* a, unsigned* b, long long* c, int* d, int* e) {
      int i = threadIdx.x;
      a[i] = __float2int_rn(f[i]);
      b[i] = __float2uint_rz(f[i]);
      c[i] = __float2ll_rd(f[i]);
      d[i] = __float2int_ru(f[i]);
      e[i] = __float2int_rd(f[i]);
    }"""
    f = np.array([0.5, 1.5, -0.5, 2.5, 3e9, -3e9, 5e9, np.nan, np.inf, -np.inf, 1e20, -1.25, 2147483520], F32)
    n = f.size
    zeros = [np.zeros(n, I32), np.zeros(n, np.uint32), np.zeros(n, np.int64), np.zeros(n, I32), np.zeros(n, I32)]
    got = bench(text, "k", 1, n, f, *zeros)
    low, high = -(2**31), 2**31 - 1
    np.testing.assert_array_equal(got.arrays[1], [0, 2, 0, 2, high, low, high, 0, high, low, high, -1, 2147483520])
    top = 2**32 - 1
    np.testing.assert_array_equal(
        got.arrays[2], np.array([0, 1, 0, 2, 3000000000, 0, top, 0, top, 0, top, 0, 2147483520], np.uint32)
    )
    wide = [0, 1, -1, 2, 3000000000, -3000000000, 5000000000, -(2**63), 2**63 - 1, -(2**63), 2**63 - 1, -2, 2147483520]
    np.testing.assert_array_equal(got.arrays[3], np.array(wide, np.int64))
    np.testing.assert_array_equal(got.arrays[4][[0, 2, 11]], [1, 0, -1])
    np.testing.assert_array_equal(got.arrays[5][[0, 2, 11]], [0, -1, -2])


def test_minimum_and_maximum(bench):
    text = """
    __global__ void k(const float* a, const float* b, float* low, float* high) {
      int i = threadIdx.x;
      low[i] = fminf(a[i], b[i]);
      high[i] = max(a[i], b[i]);
    }"""
    nan = np.nan
    a = np.array([0.0, -0.0, nan, 1.0, nan, -np.inf, 2], F32)
    b = np.array([-0.0, 0.0, 1.0, nan, nan, nan, 3], F32)
    got = bench(text, "k", 1, a.size, a, b, np.zeros_like(a), np.zeros_like(a))
    same(got.arrays[2], np.array([-0.0, -0.0, 1, 1, nan, -np.inf, 2], F32))
    same(got.arrays[3], np.array([0.0, 0.0, 1, 1, nan, -np.inf, 3], F32))


def test_math_is_libm_even_for_constants(bench):
    # Constants folded by the compiler differ from libm in some last bits; here both must be the same call.
    values = [0.1 + 0.37 * i for i in range(60)]
    functions = ["tanhf", "erff", "logf", "sinf", "expf", "powf"]
    lines = []
    for f, name in enumerate(functions):
        for i, v in enumerate(values):
            argument = f"{v!r}f, 1.3f" if name == "powf" else f"{v!r}f"
            lines.append(f"folded[{f * len(values) + i}] = {name}({argument});")
    calls = "\n".join(
        f"out[{f} * n + i] = {name}(x[i]{', 1.3f' if name == 'powf' else ''});" for f, name in enumerate(functions)
    )
    text = f"""
    #include <cmath>
    __global__ void k(const float* x, float* out, float* folded, int n) {{
      int i = threadIdx.x;
      {calls}
      if (i == 0) {{ {" ".join(lines)} }}
    }}"""
    x = np.array(values, F32)
    size = len(functions) * x.size
    got = bench(text, "k", 1, x.size, x, np.zeros(size, F32), np.zeros(size, F32), I32(x.size))
    same(got.arrays[1], got.arrays[2])


def test_integer_intrinsics(bench):
    text = """
    __global__ void k(const unsigned* a, const unsigned* b, int* out, int n) {
      int i = threadIdx.x;
      unsigned x = a[i], y = b[i];
      out[i] = __popc(x); out[n + i] = __clz(x); out[2 * n + i] = __ffs(x); out[3 * n + i] = __brev(x);
      out[4 * n + i] = __umulhi(x, y); out[5 * n + i] = __mulhi((int)x, (int)y);
      out[6 * n + i] = __funnelshift_l(x, y, i); out[7 * n + i] = __float_as_int(__int_as_float(x));
    }"""
    rng = np.random.default_rng(2)
    a = np.concatenate([[0, 1, 2**31, 2**32 - 1], rng.integers(0, 2**32, 28)]).astype(np.uint32)
    b = rng.integers(0, 2**32, 32).astype(np.uint32)
    got = bench(text, "k", 1, 32, a, b, np.zeros(256, I32), I32(32)).arrays[2].view(np.uint32).reshape(8, 32)
    for i, (x, y) in enumerate(zip(map(int, a), map(int, b), strict=True)):
        signed = [v - 2**32 if v >= 2**31 else v for v in (x, y)]
        assert got[0, i] == bin(x).count("1")
        assert got[1, i] == 32 - x.bit_length()
        assert got[2, i] == ((x & -x).bit_length() if x else 0)
        assert got[3, i] == int(f"{x:032b}"[::-1], 2)
        assert got[4, i] == x * y >> 32
        assert got[5, i] == (signed[0] * signed[1] >> 32) & 0xFFFFFFFF
        assert got[6, i] == ((y << 32 | x) << i >> 32) & 0xFFFFFFFF
        assert got[7, i] == x


@pytest.mark.parametrize(("kind", "dtype"), [("E4M3", ml_dtypes.float8_e4m3fn), ("E5M2", ml_dtypes.float8_e5m2)])
def test_fp8_conversions(bench, kind, dtype):
    text = f"""
    #include <cuda_fp8.h>
    __global__ void k(const float* f, unsigned char* plain, unsigned char* saturated, float* back) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      plain[i] = __nv_cvt_float_to_fp8(f[i], __NV_NOSAT, __NV_{kind});
      saturated[i] = __nv_cvt_float_to_fp8(f[i], __NV_SATFINITE, __NV_{kind});
      back[i] = (float)__half(__nv_cvt_fp8_to_halfraw(plain[i], __NV_{kind}));
    }}"""
    every = np.arange(256, dtype=np.uint8).view(dtype).astype(F32)
    ordered = np.unique(every[np.isfinite(every)])
    middle = (ordered[:-1] + ordered[1:]) / 2
    f = np.concatenate([every, middle, middle * F32(1.0001), middle * F32(0.9999), [1e6, -1e6]]).astype(F32)
    f = np.resize(f, (f.size + 63) // 64 * 64)
    got = bench(
        text, "k", f.size // 64, 64, f, np.zeros(f.size, np.uint8), np.zeros(f.size, np.uint8), np.zeros(f.size, F32)
    )
    expected = f.astype(dtype)
    same(got.arrays[1].view(dtype), expected)
    same(got.arrays[3], expected.astype(F32))
    largest = float(ordered[-1])
    same(got.arrays[2].view(dtype), np.clip(f, -largest, largest).astype(dtype))


def test_zero_minus_a_converted_zero(bench):
    text = """
    __global__ void k(const int* a, float* y, int n) {
      int i = threadIdx.x;
      if (i < n) y[i] = 0.0f - (float)a[i];
    }"""
    a = np.array([0, 1, -1], I32)
    same(bench(text, "k", 1, 32, a, np.ones(3, F32), I32(3)).arrays[1], np.array([0.0, -1.0, 1.0], F32))
