"""Scalar semantics of the reference interpreter, on Python numbers; math functions are the C library's own.

Written apart from the native engine: float32 and 16-bit arithmetic is done in float64 and rounded once to the dtype,
which is exact for one operation.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tilelang_runtime.ir import types
from tilelang_runtime.ir.nodes import Call, TileLangError

Number = Any  # bool, int or float


class DivisionByZero(Exception):
    """Integer division by zero."""


def to_float32(x: float) -> float:
    """Nearest float32, ties to even; overflow gives an infinity."""
    return ctypes.c_float(x).value


def _odd(x: float) -> float:
    """float32 rounded to odd: a later rounding to 16 bits is then correct."""
    near = to_float32(x)
    if near == x or math.isnan(x) or math.isinf(x):
        return near
    if math.isinf(near):
        near = math.copysign(3.4028234663852886e38, x)
    bits: int = struct.unpack("<I", struct.pack("<f", near))[0]
    if abs(near) > abs(x):
        bits -= 1
    return float(struct.unpack("<f", struct.pack("<I", bits | 1))[0])


def to_bfloat16(x: float) -> float:
    """Nearest bfloat16, ties to even, one rounding from float64."""
    value = _odd(x)
    if math.isnan(value) or math.isinf(value):
        return value
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return float(struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0])


def to_float16(x: float) -> float:
    """Nearest float16, ties to even."""
    with np.errstate(all="ignore"):
        return float(np.float16(x))


_ROUND: dict[str, Callable[[float], float]] = {
    "float16": to_float16,
    "bfloat16": to_bfloat16,
    "float32": to_float32,
    "float64": float,
}


def settle(value: Number, dtype: str) -> Any:
    """A result brought into ``dtype``: rounded or wrapped."""
    if types.is_float(dtype):
        return _ROUND[dtype](float(value))
    return bool(value) if dtype == "bool" else types.wrap_int(int(value), dtype)


def convert(value: Number, source: str, target: str, rounding: str = "") -> Number:
    """`Cast`."""
    if target == "bool":
        return value != 0
    if types.is_float(target):
        if types.is_float(source) or target == "float64":
            return settle(value, target)
        exact = int(value)
        return _int_to_float32(exact) if target == "float32" else settle(float(exact), target)
    if not types.is_float(source):
        return types.wrap_int(int(value), target)
    width = types.bits(target)
    if math.isnan(value):  # as CUDA's cvt
        wide = width == 64 or source == "float64"
        return types.wrap_int(1 << (width - 1), target) if wide else 0
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if types.is_signed(target) else (0, (1 << width) - 1)
    if math.isinf(value):
        return low if value < 0 else high
    steps: dict[str, Callable[[float], int]] = {
        "": math.trunc,
        "rz": math.trunc,
        "ru": math.ceil,
        "rd": math.floor,
        "rn": lambda x: int(_rint(x)),
    }
    return min(max(steps[rounding](value), low), high)


def _int_to_float32(value: int) -> float:
    return float(np.float32(np.uint64(value) if value >= 2**63 else np.int64(value)))


def _rint(x: float) -> float:
    return x if math.isinf(x) or math.isnan(x) or abs(x) >= 2**52 else math.copysign(float(round(x)), x)


def bits_of(value: Number, dtype: str) -> int:
    """The storage of a value as an unsigned integer."""
    if types.is_float(dtype):
        return int.from_bytes(np.array(value).astype(types.numpy_dtype(dtype)).tobytes(), "little")
    return int(value) & ((1 << types.bits(dtype)) - 1)


def from_bits(bits: int, dtype: str) -> Number:
    """The value that a storage pattern means."""
    raw = np.frombuffer(bits.to_bytes(types.bits(dtype) // 8, "little"), types.numpy_dtype(dtype))[0]
    return float(raw) if types.is_float(dtype) else raw.item()


def binary(op: str, a: Number, b: Number, dtype: str) -> Number:
    """A `Binary` of operands of ``dtype`` (and, or excluded)."""
    if op in _COMPARE:
        return _COMPARE[op](a, b)
    if op in ("min", "max"):
        return _extreme(op, a, b)
    if op == "div":
        return settle(_float_divide(a, b), dtype)
    if op in ("truncdiv", "truncmod", "floordiv", "floormod"):
        if b == 0:
            raise DivisionByZero
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if op.startswith("trunc") else a // b
        return settle(quotient if op.endswith("div") else a - quotient * b, dtype)
    if op in ("shl", "shr"):
        width = types.bits(dtype)
        if not 0 <= b < width:
            return -1 if op == "shr" and a < 0 else 0
        return settle(a << b if op == "shl" else a >> b, dtype)
    if types.is_float(dtype):
        return settle(a + b if op == "add" else a - b if op == "sub" else a * b, dtype)
    return settle(_INTEGER[op](a, b), dtype)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}
_INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "bitand": lambda a, b: a & b,
    "bitor": lambda a, b: a | b,
    "bitxor": lambda a, b: a ^ b,
}


def _extreme(op: str, a: Number, b: Number) -> Number:
    if isinstance(a, float):
        if math.isnan(a):
            return b
        if math.isnan(b):
            return a
        if a == b == 0:
            negative = [x for x in (a, b) if math.copysign(1, x) < 0]
            positive = [x for x in (a, b) if math.copysign(1, x) > 0]
            return (negative or positive)[0] if op == "min" else (positive or negative)[0]
    return min(a, b) if op == "min" else max(a, b)


def _float_divide(a: float, b: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


def fused(a: float, b: float, c: float, dtype: str) -> Any:
    """a * b + c with one rounding, exact in rational arithmetic."""
    if not all(map(math.isfinite, (a, b, c))):
        return settle(a * b + c, dtype)
    from fractions import Fraction

    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c  # the sign of a zero
    if dtype == "float64":
        try:
            return float(exact)  # Fraction to float rounds once
        except OverflowError:
            return math.copysign(math.inf, exact)
    try:
        near = float(exact)
    except OverflowError:
        return math.copysign(math.inf, exact)
    if Fraction(near) != exact:  # to odd in float64, so that the next rounding is the only one
        bits = struct.unpack("<q", struct.pack("<d", near))[0]
        if abs(Fraction(near)) > abs(exact):
            bits -= 1
        near = struct.unpack("<d", struct.pack("<q", bits | 1))[0]
    return settle(near, dtype)


# --- functions ------------------------------------------------------------------------------------------------------


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")


@cache
def _libm(name: str, arity: int, single: bool) -> Callable[..., float]:
    kind = ctypes.c_float if single else ctypes.c_double
    function = getattr(_library(), name + ("f" if single else ""))
    function.argtypes = [kind] * arity
    function.restype = kind
    return function  # type: ignore[no-any-return]


@cache
def _ldexp(single: bool) -> Callable[..., float]:
    function = _library()["ldexpf" if single else "ldexp"]
    kind = ctypes.c_float if single else ctypes.c_double
    function.argtypes, function.restype = [kind, ctypes.c_int], kind
    return function


def _formula(name: str, x: list[float], dtype: str) -> Any:
    """Functions that C lacks, step by step in ``dtype`` (float32 or float64)."""

    def libm(function: str, *operands: float) -> float:
        return _libm(function, len(operands), dtype == "float32")(*operands)

    def wide(function: str, *operands: float) -> float:
        return _libm(function, len(operands), False)(*operands)

    if name == "rsqrt":
        return settle(_float_divide(1.0, libm("sqrt", x[0])), dtype)
    if name == "rcbrt":
        return settle(_float_divide(1.0, libm("cbrt", x[0])), dtype)
    if name == "rhypot":
        return settle(_float_divide(1.0, libm("hypot", x[0], x[1])), dtype)
    if name == "normcdf":
        root = settle(0.7071067811865476, dtype)
        return settle(0.5 * libm("erfc", settle(-x[0] * root, dtype)), dtype)
    if name in ("sinpi", "cospi"):
        return settle(wide(name[:3], 3.141592653589793 * wide("fmod", x[0], 2.0)), dtype)
    if name in ("norm3d", "norm4d", "rnorm3d", "rnorm4d"):
        total = x[0] * x[0]
        for part in x[1:]:
            total = total + part * part
        length = settle(wide("sqrt", total), dtype)
        return length if name.startswith("n") else settle(_float_divide(1.0, length), dtype)
    if name == "sigmoid":
        return settle(_float_divide(1.0, settle(1.0 + libm("exp", -x[0]), dtype)), dtype)
    return None


def call(node: Call, operands: list[Number]) -> Number:
    """A `Call`. Raises TileLangError for an unknown name."""
    name, dtype = node.name, node.args[0].dtype
    if not types.is_float(dtype):
        return _integer_call(node, operands)
    x = operands
    if name in ("isnan", "isinf", "isfinite"):
        return getattr(math, name)(x[0])
    if name == "signbit":
        return math.copysign(1, x[0]) < 0
    if name == "ilogb":
        return _ilogb(x[0])
    if name in ("fmin", "fmax"):
        return _extreme(name[1:], x[0], x[1])
    if name == "fma":
        return fused(x[0], x[1], x[2], dtype)
    if name in ("add_rn", "sub_rn", "mul_rn"):
        return binary(name[:3], x[0], x[1], dtype)
    if name == "div_rn":
        return binary("div", x[0], x[1], dtype)
    if name == "rcp_rn":
        return binary("div", 1.0, x[0], dtype)
    if name == "saturate":
        return 0.0 if not x[0] > 0 else min(x[0], 1.0)
    if name == "fabs":
        return abs(x[0])
    if name == "copysign":
        return math.copysign(x[0], x[1])
    if name == "fdim":
        if math.isnan(x[0]) or math.isnan(x[1]):
            return math.nan
        return settle(x[0] - x[1], dtype) if x[0] > x[1] else 0.0
    if name == "ldexp":
        return settle(_ldexp(dtype != "float64")(x[0], x[1]), dtype)
    work = "float64" if dtype == "float64" else "float32"
    result = _formula(name, x, work)
    if result is None:
        try:
            result = _libm(name, len(x), work == "float32")(*x)
        except AttributeError:
            raise TileLangError(f"the function {name}", node.span) from None
    return settle(result, dtype)


def _ilogb(x: float) -> int:
    if x == 0 or math.isnan(x):
        return -(2**31)
    return 2**31 - 1 if math.isinf(x) else math.frexp(x)[1] - 1


def _integer_call(node: Call, x: list[int]) -> int:
    name, source = node.name, node.args[0].dtype
    width = types.bits(source)
    mask = (1 << width) - 1
    u = [value & mask for value in x]
    both = u[1] << 32 | u[0] if len(u) > 1 else 0
    results: dict[str, Callable[[], int]] = {
        "popcount": lambda: f"{u[0]:b}".count("1"),
        "clz": lambda: width - u[0].bit_length(),
        "ffs": (u[0] & -u[0]).bit_length,
        "brev": lambda: int(f"{u[0]:0{width}b}"[::-1], 2),
        "byte_perm": lambda: _byte_permute(both, u[2]),
        "mulhi": lambda: x[0] * x[1] >> width,
        "mul24": lambda: _low24(x[0], source) * _low24(x[1], source),
        "sad": lambda: abs(x[0] - x[1]) + x[2],
        "usad": lambda: abs(u[0] - u[1]) + u[2],
        "average": lambda: (x[0] + x[1]) >> 1,
        "average_up": lambda: (x[0] + x[1] + 1) >> 1,
        "dp4a": lambda: x[2] + sum(_byte(x[0], i) * _byte(x[1], i) for i in range(4)),
        "udp4a": lambda: u[2] + sum((u[0] >> 8 * i & 255) * (u[1] >> 8 * i & 255) for i in range(4)),
        "abs": lambda: abs(x[0]),
        "funnelshift_l": lambda: (both << (u[2] & 31)) >> 32,
        "funnelshift_r": lambda: both >> (u[2] & 31),
        "funnelshift_lc": lambda: (both << min(u[2], 32)) >> 32,
        "funnelshift_rc": lambda: both >> min(u[2], 32),
    }
    if name not in results:
        raise TileLangError(f"the function {name} of {source}", node.span)
    return types.wrap_int(results[name](), node.dtype)


def _byte(value: int, position: int) -> int:
    return types.wrap_int(value >> (8 * position), "int8")


def _low24(value: int, dtype: str) -> int:
    low = value & 0xFFFFFF
    return low - (1 << 24) if types.is_signed(dtype) and low >> 23 else low


def _byte_permute(both: int, selector: int) -> int:
    result = 0
    for position in range(4):
        choice = selector >> (4 * position) & 7
        result |= (both >> (8 * choice) & 255) << (8 * position)
    return result
