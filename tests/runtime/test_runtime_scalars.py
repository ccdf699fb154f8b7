"""Scalar semantics: 16-bit floats, casts, integers, math functions."""

from __future__ import annotations

import ctypes
import ctypes.util
import math

import ml_dtypes
import numpy as np
import pytest
from runtime_helpers import T, run

from tilelang_runtime.ir.functions import LIBM_UNARY

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.5,
    3.0e38,
    -3.0e38,
    1e-40,
    6e-8,
    65504.0,
    65520.0,
    math.inf,
    -math.inf,
    math.nan,
    1e5,
]
rng = np.random.default_rng(3)


def numpy_dtype(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_16_bit_arithmetic_rounds_once(dtype):
    n = T.dynamic("n")

    @T.prim_func
    def work(x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype), z: T.Tensor((8, n), dtype)):
        with T.Kernel(T.ceildiv(n, 32), threads=32) as bx:
            i = bx * 32 + T.get_thread_binding(0)
            if i < n:
                z[0, i] = x[i] + y[i]
                z[1, i] = x[i] - y[i]
                z[2, i] = x[i] * y[i]
                z[3, i] = x[i] / y[i]
                z[4, i] = T.sqrt(x[i])
                z[5, i] = T.fma(x[i], y[i], x[i])
                z[6, i] = T.max(x[i], y[i])
                z[7, i] = T.exp(x[i])

    values = np.concatenate([np.array(SPECIAL, "f8"), rng.standard_normal(400) * 10.0 ** rng.integers(-5, 5, 400)])
    kind = numpy_dtype(dtype)
    with np.errstate(all="ignore"):
        x, y = values.astype("f4").astype(kind), rng.permutation(values).astype("f4").astype(kind)
        z = np.zeros((8, len(x)), kind)
        run(work, x, y, z)
        a, b = x.astype("f4"), y.astype("f4")
        expected = [(a + b).astype(kind), (a - b).astype(kind), (a * b).astype(kind), (a / b).astype(kind)]
        for got, wanted in zip(z, expected, strict=False):
            assert np.array_equal(got.astype("f4"), wanted.astype("f4"), equal_nan=True)


def test_casts_between_all_dtypes():
    """Engines agree on every pair; numpy agrees where the conversion is defined."""
    names = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
    names += ["float16", "bfloat16", "float32", "float64"]
    numbers = [
        0,
        1,
        -1,
        2,
        100,
        127,
        128,
        -128,
        255,
        256,
        32767,
        65535,
        2**31 - 1,
        -(2**31),
        2**32 - 1,
        2**53 + 1,
        2**63 - 1,
    ]
    fractions = [
        0.5,
        -0.5,
        1.5,
        2.5,
        -3.999,
        1e10,
        -1e10,
        1e20,
        70000.0,
        3e38,
        math.inf,
        -math.inf,
        math.nan,
        16777217.0,
    ]
    for source in names:
        kind = numpy_dtype(source)
        with np.errstate(all="ignore"):
            if source.startswith(("int", "uint")):
                info = np.iinfo(kind)
                x = np.array([v for v in numbers if info.min <= v <= info.max], kind)
            elif source == "bool":
                x = np.array([False, True])
            else:
                x = np.array([float(v) for v in numbers] + fractions).astype("f8").astype(kind)
        outputs = [np.zeros(len(x), numpy_dtype(target)) for target in names]
        size = len(x)
        types_ = [T.Tensor((size,), target) for target in names]

        @T.prim_func
        def convert(
            x: T.Tensor((size,), source),
            o0: types_[0], o1: types_[1], o2: types_[2], o3: types_[3], o4: types_[4], o5: types_[5], o6: types_[6],
            o7: types_[7], o8: types_[8], o9: types_[9], o10: types_[10], o11: types_[11], o12: types_[12],
        ):  # fmt: skip
            with T.Kernel(1, threads=size):  # noqa: B023 - traced at once
                i = T.get_thread_binding(0)
                for o in (o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12):
                    o[i] = T.cast(x[i], o.dtype)

        run(convert, x, *outputs)
        for target, got in zip(names, outputs, strict=True):
            if (target.startswith(("int", "uint")) and x.dtype.kind == "f") or source == "bfloat16":
                continue  # saturating, checked below
            if target in ("float16", "bfloat16") and source == "float64":
                continue  # ml_dtypes rounds twice
            with np.errstate(all="ignore"):
                through = x.astype("f4") if target in ("float16", "bfloat16") else x
                wanted = through.astype(numpy_dtype(target))
            assert np.array_equal(got.astype("f8"), wanted.astype("f8"), equal_nan=True), (
                source,
                target,
                x,
                got,
                wanted,
            )


def test_float_to_integer_saturates():
    @T.prim_func
    def convert(
        x: T.Tensor((8,), "float32"), i: T.Tensor((8,), "int32"), u: T.Tensor((8,), "uint32"), b: T.Tensor((8,), "int8")
    ):
        with T.Kernel(1, threads=8):
            k = T.get_thread_binding(0)
            i[k] = T.cast(x[k], "int32")
            u[k] = x[k].astype("uint32")
            b[k] = T.int8(x[k])

    x = np.array([3e9, -3e9, math.nan, 2.9, -2.9, 5e9, math.inf, -math.inf], "f4")
    i, u, b = np.zeros(8, "i4"), np.zeros(8, "u4"), np.zeros(8, "i1")
    run(convert, x, i, u, b)
    assert i.tolist() == [2**31 - 1, -(2**31), 0, 2, -2, 2**31 - 1, 2**31 - 1, -(2**31)]
    assert u.tolist() == [3000000000, 0, 0, 2, 0, 2**32 - 1, 2**32 - 1, 0]
    assert b.tolist() == [127, -128, 0, 2, -2, 127, 127, -128]


def test_a_truncated_value_has_no_negative_zero():
    @T.prim_func
    def truncate(x: T.Tensor((4,), "float32"), y: T.Tensor((4,), "float32")):
        with T.Kernel(1, threads=4):
            i = T.get_thread_binding(0)
            y[i] = T.cast(T.cast(x[i], "int32"), "float32")

    y = np.full(4, 9, "f4")
    run(truncate, np.array([-0.5, -0.0, 0.5, -1.5], "f4"), y)
    assert y.tolist() == [0, 0, 0, -1] and not np.signbit(y[:3]).any()


def test_integer_division_shifts_and_wrapping():
    n = T.dynamic("n")

    @T.prim_func
    def work(a: T.Tensor((n,), "int32"), b: T.Tensor((n,), "int32"), out: T.Tensor((9, n), "int32")):
        with T.Kernel(1, threads=64):
            i = T.get_thread_binding(0)
            if i < n:
                out[0, i] = T.truncdiv(a[i], b[i])
                out[1, i] = T.truncmod(a[i], b[i])
                out[2, i] = a[i] // b[i]
                out[3, i] = a[i] % b[i]
                out[4, i] = a[i] * b[i] + a[i]
                out[5, i] = a[i] << b[i]
                out[6, i] = a[i] >> b[i]
                out[7, i] = a[i] // 8
                out[8, i] = T.truncmod(a[i], 7)

    values = [0, 1, -1, 7, -7, 8, -8, 33, 2**31 - 1, -(2**31), 123456789]
    pairs = [(x, y) for x in values for y in (1, -1, 3, -3, 32, -(2**31))][:64]
    a, b = np.array([p[0] for p in pairs], "i4"), np.array([p[1] for p in pairs], "i4")
    out = np.zeros((9, len(a)), "i4")
    run(work, a, b, out)

    def wrap(v):
        return (v + 2**31) % 2**32 - 2**31

    for k, (x, y) in enumerate(pairs):
        quotient = int(abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)
        shifted = wrap(x << y) if 0 <= y < 32 else 0
        assert out[:, k].tolist() == [
            wrap(quotient), x - quotient * y, wrap(x // y), x % y, wrap(x * y + x), shifted,
            x >> y if 0 <= y < 32 else -(x < 0), x // 8, int(math.fmod(x, 7)),
        ]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_math_functions_are_the_c_librarys(dtype):
    from tilelang_runtime.language import mathematics

    names = [name for name in LIBM_UNARY if name in mathematics.FUNCTIONS]
    count = len(names)
    n = T.dynamic("n")

    @T.prim_func
    def work(x: T.Tensor((n,), dtype), out: T.Tensor((count, n), dtype)):
        with T.Kernel(T.ceildiv(n, 32), threads=32) as bx:
            i = bx * 32 + T.get_thread_binding(0)
            if i < n:
                for k, name in enumerate(names):
                    out[k, i] = mathematics.FUNCTIONS[name](x[i])

    x = np.concatenate([np.array(SPECIAL), rng.standard_normal(80) * 3, rng.random(40)]).astype(dtype)
    out = np.zeros((count, len(x)), dtype)
    run(work, x, out, reference=dtype == "float32")
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    kind = ctypes.c_float if dtype == "float32" else ctypes.c_double
    for k, name in enumerate(names):
        function = getattr(library, name + ("f" if dtype == "float32" else ""))
        function.restype, function.argtypes = kind, [kind]
        wanted = np.array([function(float(v)) for v in x], dtype)
        assert np.array_equal(out[k], wanted, equal_nan=True), name


def test_rounding_selection_and_bits():
    n = T.dynamic("n")

    @T.prim_func
    def work(
        x: T.Tensor((n,), "float32"),
        f: T.Tensor((6, n), "float32"),
        u: T.Tensor((n,), "uint32"),
        o: T.Tensor((4, n), "int32"),
    ):
        with T.Kernel(1, threads=32):
            i = T.get_thread_binding(0)
            if i < n:
                f[0, i] = T.round(x[i])
                f[1, i] = T.round(x[i], rounding_mode="ties-away-from-zero")
                f[2, i] = T.floor(x[i]) + T.ceil(x[i]) + T.trunc(x[i])
                f[3, i] = T.reinterpret(T.reinterpret(x[i], "uint32") ^ T.uint32(0x80000000), "float32")
                f[4, i] = T.clamp(x[i], -1.0, 1.0)
                f[5, i] = T.sigmoid(x[i]) if T.isfinite(x[i]) else T.float32(7)
                o[0, i] = T.cast(T.popcount(u[i]), "int32")
                o[1, i] = T.clz(u[i])
                o[2, i] = T.__ffs(u[i])
                o[3, i] = T.abs(T.cast(u[i], "int32"))

    x = np.array([0.5, 1.5, 2.5, -0.5, -2.5, 1e10, math.inf, -3.7], "f4")
    u = np.array([0, 1, 0x80000000, 0xFF00, 7, 2**32 - 1, 12, 5], "u4")
    f, o = np.zeros((6, 8), "f4"), np.zeros((4, 8), "i4")
    run(work, x, f, u, o)
    assert f[0].tolist() == [0, 2, 2, -0.0, -2, 1e10, math.inf, -4]
    assert f[1].tolist() == [1, 2, 3, -1, -3, 1e10, math.inf, -4]
    assert np.array_equal(f[3], -x) and f[5, 6] == 7 and f[4].tolist() == [0.5, 1, 1, -0.5, -1, 1, 1, -1]
    assert o[0].tolist() == [bin(v).count("1") for v in u]
    assert o[1].tolist() == [32 - int(v).bit_length() for v in u]
    assert o[2].tolist() == [(int(v) & -int(v)).bit_length() for v in u]


def test_min_and_max_of_zeros_and_nan():
    @T.prim_func
    def work(
        a: T.Tensor((4,), "float32"),
        b: T.Tensor((4,), "float32"),
        low: T.Tensor((4,), "float32"),
        high: T.Tensor((4,), "float32"),
    ):
        with T.Kernel(1, threads=4):
            i = T.get_thread_binding(0)
            low[i] = T.min(a[i], b[i])
            high[i] = T.max(a[i], b[i])

    a, b = np.array([0.0, -0.0, math.nan, 1], "f4"), np.array([-0.0, 0.0, 2, math.nan], "f4")
    low, high = np.zeros(4, "f4"), np.zeros(4, "f4")
    run(work, a, b, low, high)
    assert np.signbit(low).tolist() == [True, True, False, False] and np.signbit(high).tolist() == [False] * 4
    assert low[2:].tolist() == high[2:].tolist() == [2, 1]
