"""Builds of kind `moved`: math functions off by what CUDA's documentation allows, and nothing else changed."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

F16, F32, F64, I32 = np.float16, np.float32, np.float64, np.int32


def bessel_j0(x: float) -> float:
    function = ctypes.CDLL("libm.so.6").j0
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return float(function(x))


# name, units for float, units for double, values, the function in a wider precision
FUNCTIONS = (
    ("exp", 2, 1, "wide", np.exp), ("exp2", 2, 1, "wide", np.exp2), ("expm1", 1, 1, "wide", np.expm1),
    ("exp10", 2, 1, "wide", lambda x: 10.0**x),
    ("log", 1, 1, "positive", np.log), ("log2", 1, 1, "positive", np.log2), ("log10", 2, 1, "positive", np.log10),
    ("log1p", 1, 1, "positive", np.log1p), ("sin", 2, 2, "wide", np.sin), ("cos", 2, 2, "wide", np.cos),
    ("tan", 4, 2, "wide", np.tan), ("asin", 4, 2, "unit", np.arcsin), ("acos", 3, 2, "unit", np.arccos),
    ("atan", 2, 2, "wide", np.arctan), ("sinh", 3, 2, "wide", np.sinh), ("cosh", 2, 1, "wide", np.cosh),
    ("tanh", 2, 1, "wide", np.tanh), ("asinh", 3, 3, "wide", np.arcsinh), ("atanh", 3, 2, "unit", np.arctanh),
    ("cbrt", 1, 1, "wide", np.cbrt), ("erf", 2, 2, "wide", math.erf), ("erfc", 4, 5, "wide", math.erfc),
    ("tgamma", 11, 10, "positive", math.gamma), ("lgamma", 6, 4, "positive", math.lgamma),
    ("rsqrt", 2, 1, "positive", lambda x: 1 / math.sqrt(x)), ("rcbrt", 1, 1, "positive", lambda x: x ** (-1 / 3)),
    ("normcdf", 5, 5, "wide", lambda x: math.erfc(-x / 2**0.5) / 2), ("j0", 9, 7, "unit", bessel_j0),
)  # fmt: skip
RANGES = {"sin": 1, "cos": 1, "tanh": 1, "erf": 1, "erfc": 2, "normcdf": 1}
N = 400


def values(family: str) -> np.ndarray:
    rng = np.random.default_rng(7)
    if family == "unit":
        return rng.uniform(-0.99, 0.99, N)
    return rng.uniform(0.01, 9.0, N) if family == "positive" else rng.uniform(-9.0, 9.0, N)


def wider(function, x: np.ndarray) -> np.ndarray:
    """The correctly rounded float results, from double or more."""
    if isinstance(function, np.ufunc):
        return function(x.astype(np.longdouble)).astype(F32)
    return np.array([function(float(v)) for v in x]).astype(F32)


def kernel_of_all() -> str:
    lines = [
        f"  f[{i * N} + i] = {name}f(x[{i * N} + i]); d[{i * N} + i] = {name}((double)x[{i * N} + i]);"
        for i, (name, *_) in enumerate(FUNCTIONS)
    ]
    return (
        "__global__ void k(const float* x, float* f, double* d) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        + f"  if (i >= {N}) return;\n"
        + "\n".join(lines)
        + "\n}"
    )


def units(result: np.ndarray, base: np.ndarray) -> np.ndarray:
    """How many representable values ``result`` lies above ``base``."""
    kind = {2: np.int16, 4: np.int32, 8: np.int64}[result.itemsize]

    def ordered(array: np.ndarray) -> np.ndarray:
        bits = array.view(kind).astype(np.int64)
        return np.where(bits < 0, np.int64(np.iinfo(kind).min) - bits, bits)

    return ordered(result) - ordered(base)


@pytest.fixture
def run_all(bench):
    text = kernel_of_all()
    x = np.concatenate([values(family) for _, _, _, family, _ in FUNCTIONS]).astype(F32)
    empty = np.zeros(x.size, F32), np.zeros(x.size, F64)

    def run(moved=None) -> list[np.ndarray]:
        kind = "run" if moved is None else "moved"
        return bench(text, "k", (N + 127) // 128, 128, x, *empty, kind=kind, moved=moved).arrays

    return run


def test_results_move_by_at_most_the_documented_units(run_all):
    x, _, plain_wide = run_all()
    runs = {how: run_all(how) for how in ("up", "down", 3, 6)}
    for i, (name, narrow, wide, _, exact) in enumerate(FUNCTIONS):
        part = slice(i * N, (i + 1) * N)
        base = wider(exact, x[part])
        up, down, first, second = (units(runs[how][1][part], base) for how in runs)
        limit = RANGES.get(name, np.inf)
        free = np.abs(runs["up"][1][part]) < limit * (1 - 1e-6)
        free &= np.abs(runs["down"][1][part]) < limit * (1 - 1e-6)
        assert (up[free] == narrow).all(), name
        assert (down[free] == -narrow).all(), name
        for seeded in (first, second):
            assert np.abs(seeded).max() <= narrow, name
            assert len(np.unique(seeded[free])) >= min(3, 2 * narrow + 1), name
        assert not np.array_equal(first, second), name
        # the widened precision: against the plain run, whose libm is off by a few units itself
        up, down, first = (units(runs[how][2][part], plain_wide[part]) for how in ("up", "down", 3))
        slack = {"normcdf": 200, "tgamma": 12, "lgamma": 12}.get(name, 5)
        assert np.abs(first).max() <= wide + slack, name
        assert (up >= first).all() and (first >= down).all() and (up > down).any(), name
        for result in (runs["up"][1][part], runs["down"][1][part], runs["up"][2][part], runs["down"][2][part]):
            assert np.abs(result).max() <= limit, name


def test_up_and_down_are_the_extremes_and_a_seed_gives_one_result(run_all):
    up, down = run_all("up"), run_all("down")
    for seed in (3, 4):
        once, again = run_all(seed), run_all(seed)
        for which in (1, 2):
            assert np.array_equal(once[which].view(np.uint8), again[which].view(np.uint8))
            assert (once[which] <= up[which]).all() and (once[which] >= down[which]).all()


def test_a_plain_build_calls_libm_itself(run_all):
    x, plain, plain_wide = run_all()
    libm = ctypes.CDLL("libm.so.6")
    for i, (name, *_) in enumerate(FUNCTIONS):
        if name in ("rsqrt", "rcbrt", "normcdf"):
            continue
        for suffix, kind, result in (("f", ctypes.c_float, plain), ("", ctypes.c_double, plain_wide)):
            function = getattr(libm, name + suffix)
            function.restype, function.argtypes = kind, [kind]
            expected = np.array([function(float(v)) for v in x[i * N : (i + 1) * N]], result.dtype)
            assert np.array_equal(result[i * N : (i + 1) * N].view(np.uint8), expected.view(np.uint8)), name + suffix


EXACT = """
#include <cuda_fp16.h>
__global__ void k(const float* x, float* f, double* d, unsigned short* h, int n) {
  int i = threadIdx.x;
  float v = x[i];
  f[i] = sqrtf(fabsf(v)) + fmaf(v, v, 1.0f) - floorf(v) * fmodf(v, 0.7f) + 1.0f / v + rintf(v) + fminf(v, 0.5f);
  f[n + i] = __fadd_rn(v, 0.1f) + __fmul_rn(v, 0.1f) + __fdiv_rn(v, 3.0f) + __frcp_rn(v) + ldexpf(v, 3);
  f[n + i] += fdividef(v, 7.0f);
  d[i] = sqrt(fabs((double)v)) + ceil((double)v) + fma((double)v, 0.1, 0.3) + remainder((double)v, 0.3);
  h[i] = __half_as_ushort(hsqrt(__habs(__float2half(v))) + __hfma(__float2half(v), __float2half(v), __float2half(v)));
}"""


def test_exact_functions_stay(bench):
    x = np.random.default_rng(0).standard_normal(256).astype(F32)
    arrays = x, np.zeros(512, F32), np.zeros(256), np.zeros(256, np.uint16), I32(256)
    plain = bench(EXACT, "k", 1, 256, *arrays).arrays
    for moved in ("up", "down", 9):
        result = bench(EXACT, "k", 1, 256, *arrays, kind="moved", moved=moved).arrays
        assert all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(plain, result, strict=True))


SPECIAL = """
__global__ void k(const float* x, float* f) {
  int i = threadIdx.x;
  f[i] = expf(x[i]);
  f[32 + i] = sinf(x[i]);
  f[64 + i] = logf(x[i]);
  f[96 + i] = coshf(x[i]);
  f[128 + i] = sinpif(x[i]);
}"""


def test_special_values_stay_and_none_is_made(bench):
    special = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        -200.0,
        88.72283,
        -87.3,
        -103.0,
        1e-45,
        1.0,
        2.0,
        1.5707964,
        1e-20,
        -1e-20,
    ]
    x = np.array([*special, *np.linspace(-3, 3, 32 - len(special))], F32)
    plain = bench(SPECIAL, "k", 1, 32, x, np.zeros(160, F32)).arrays[1]
    for moved in ("up", "down", 1, 2):
        result = bench(SPECIAL, "k", 1, 32, x, np.zeros(160, F32), kind="moved", moved=moved).arrays[1]
        assert np.array_equal(np.isnan(result), np.isnan(plain))
        special_result = np.isinf(plain[:128]) | (plain[:128] == 0)
        assert np.array_equal(result[:128][special_result], plain[:128][special_result])
        assert np.isfinite(result[np.isfinite(plain)]).all()
        assert (np.sign(result[:128]) * np.sign(plain[:128]) >= 0)[~np.isnan(plain[:128])].all()
        assert np.nanmax(np.abs(result[32:64])) <= 1 and np.nanmin(result[96:128]) >= 1
        assert (result[128 + np.flatnonzero(x == 2.0)] == 0).all()  # exact on a device


FAST = """
__global__ void k(const float* x, float* f, int n) {
  int i = threadIdx.x;
  float v = x[i];
  f[i] = __expf(v);
  f[n + i] = __sinf(v);
  f[2 * n + i] = __logf(fabsf(v));
  f[3 * n + i] = __fdividef(v, 3.0f);
  f[4 * n + i] = __tanhf(v);
  f[5 * n + i] = __powf(fabsf(v), 2.5f);
  f[6 * n + i] = __tanf(v);
  f[7 * n + i] = __cosf(v * 40.0f);
}"""


def test_fast_intrinsics_move_by_their_own_bounds(bench):
    n = 512
    x = np.random.default_rng(3).uniform(-3, 3, n).astype(F32)
    w = x.astype(F64)
    run = {
        m: bench(FAST, "k", 1, n, x, np.zeros(8 * n, F32), I32(n), kind="moved", moved=m).arrays[1].reshape(8, n)
        for m in ("up", "down", 5)
    }
    up, down, seeded = run.values()
    assert (up >= down).all() and (seeded <= up).all() and (seeded >= down).all()
    assert np.array_equal(units(up[0], np.exp(w).astype(F32)), 2 + np.floor(np.abs(1.173 * w)))
    absolute = 2.0**-21.41
    assert np.abs(up[1] - (np.sin(w) + absolute)).max() < 1e-7 and np.abs(down[1] - (np.sin(w) - absolute)).max() < 1e-7
    near = (np.abs(w) >= 0.5) & (np.abs(w) <= 2)
    assert np.abs(up[2] - (np.log(np.abs(w)) + absolute))[near].max() < 1e-7
    assert np.array_equal(units(up[2], np.log(np.abs(w)).astype(F32))[~near], np.full((~near).sum(), 3))
    assert np.array_equal(units(down[3], (w / 3).astype(F32)), np.full(n, -2))
    assert np.abs(up[4] / np.tanh(w) - 1).max() == pytest.approx(2.0**-11, rel=1e-3)
    power = np.abs(w) ** 2.5
    assert (up[5] > power).all() and (up[5] < power * (1 + 5e-6)).all() and (down[5] < power).all()
    good = np.abs(np.cos(w)) > 1e-3
    assert (up[6] >= np.tan(w))[good].all() and (down[6] <= np.tan(w))[good].all()
    assert np.abs(up[7] - np.cos(w * 40)).max() > 2.0**-15  # PTX ISA: 2^-14.7 up to 100 pi


HALF = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(const unsigned short* x, unsigned short* f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half v = __ushort_as_half(x[i]);
  __nv_bfloat16 w = __ushort_as_bfloat16(x[i]);
  f[i] = __half_as_ushort(hexp(v));
  f[n + i] = __half_as_ushort(hcos(v));
  f[2 * n + i] = __half_as_ushort(hrcp(v));
  f[3 * n + i] = __bfloat16_as_ushort(htanh(w));
  f[4 * n + i] = __bfloat16_as_ushort(hrsqrt(w));
  f[5 * n + i] = __half_as_ushort(h2exp(__halves2half2(v, v)).y);
}"""


def test_functions_of_half_and_bfloat16_move_by_one_unit(bench):
    n = 65536
    x = np.arange(n, dtype=np.uint16)
    run = {}
    for moved in (None, "up", "down", 5):
        kind = "run" if moved is None else "moved"
        done = bench(HALF, "k", n // 256, 256, x, np.zeros(6 * n, np.uint16), I32(n), kind=kind, moved=moved)
        run[moved] = done.arrays[1].reshape(6, n)
    for row, largest in enumerate((0x7BFF, 0x3C00, 0x7BFF, 0x3F80, 0x7F7F, 0x7BFF)):
        plain = run[None][row]
        magnitude = plain & 0x7FFF
        fixed = (magnitude == 0) | (magnitude > largest)
        for moved in ("up", "down", 5):
            result = run[moved][row]
            assert np.array_equal(result[fixed], plain[fixed])
            step = units(result, plain)
            assert np.abs(step[~fixed]).max() == 1
            assert ((result & 0x7FFF) <= largest)[~fixed].all()
        inner = ~fixed & (magnitude < largest) & (magnitude > 1)
        assert (units(run["up"][row], plain)[inner] == 1).all() and (units(run["down"][row], plain)[inner] == -1).all()


def test_a_kernel_with_barriers_moves_too(bench):
    text = """__global__ void k(float* x) {
      __shared__ float s[64];
      s[threadIdx.x] = expf(x[threadIdx.x]);
      __syncthreads();
      x[threadIdx.x] = s[63 - threadIdx.x];
    }"""
    x = np.linspace(-1, 1, 64).astype(F32)
    up = bench(text, "k", 1, 64, x, kind="moved", moved="up").arrays[0]
    assert np.array_equal(units(up, np.exp(x[::-1].astype(F64)).astype(F32)), np.full(64, 2))


def test_moving_belongs_to_moved_builds(bench):
    text = "__global__ void k(float* x) { *x = expf(*x); }"
    for kind, moved in (("run", "up"), ("check", 3), ("moved", None)):
        with pytest.raises(ValueError, match="moved"):
            bench(text, "k", 1, 1, np.ones(1, F32), kind=kind, moved=moved)


@pytest.mark.parametrize(("seed", "share"), [(1, 0.25), (2, 0.75)])
def test_other_seeds_move_by_the_whole_bound_and_most_one_way(run_all, seed, share):
    x, _, _ = run_all()
    name, narrow, _, _, exact = FUNCTIONS[0]
    moved = units(run_all(seed)[1][:N], wider(exact, x[:N]))
    assert set(np.unique(np.abs(moved))) == {narrow}, name
    assert abs(np.mean(moved > 0) - share) < 0.1
