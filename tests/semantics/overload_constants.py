"""Values of the constants that kernels use, written from the formats' definitions, as C++ static assertions."""

from __future__ import annotations

import struct


def _float(word: int) -> str:
    return float(struct.unpack("<f", struct.pack("<I", word))[0]).hex() + "f"


def _double(word: int) -> str:
    return float(struct.unpack("<d", struct.pack("<Q", word))[0]).hex()


_LARGEST_FLOAT, _LARGEST_DOUBLE = _float(0x7F7FFFFF), _double(0x7FEFFFFFFFFFFFFF)
CONSTANTS: dict[str, str] = {
    "FLT_MAX": _LARGEST_FLOAT,
    "FLT_MIN": _float(0x00800000),
    "FLT_EPSILON": _float(0x34000000),
    "DBL_MAX": _LARGEST_DOUBLE,
    "DBL_MIN": _double(0x0010000000000000),
    "DBL_EPSILON": _double(0x3CB0000000000000),
    "INT_MAX": "2147483647",
    "INT_MIN": "-2147483647 - 1",
    "UINT_MAX": "4294967295u",
    "LLONG_MAX": "9223372036854775807ll",
    "LLONG_MIN": "-9223372036854775807ll - 1",
    "ULLONG_MAX": "18446744073709551615ull",
    "CHAR_MAX": "127",
    "SHRT_MAX": "32767",
    "M_PI": _double(0x400921FB54442D18),
    "M_E": _double(0x4005BF0A8B145769),
    "M_SQRT2": _double(0x3FF6A09E667F3BCD),
    "std::numeric_limits<float>::max()": _LARGEST_FLOAT,
    "std::numeric_limits<float>::min()": _float(0x00800000),
    "std::numeric_limits<float>::lowest()": "-" + _LARGEST_FLOAT,
    "std::numeric_limits<float>::epsilon()": _float(0x34000000),
    "std::numeric_limits<float>::digits": "24",
    "std::numeric_limits<double>::max()": _LARGEST_DOUBLE,
    "std::numeric_limits<double>::lowest()": "-" + _LARGEST_DOUBLE,
    "std::numeric_limits<double>::epsilon()": _double(0x3CB0000000000000),
    "std::numeric_limits<double>::digits": "53",
    "std::numeric_limits<float>::denorm_min()": _float(1),
    "std::numeric_limits<double>::denorm_min()": _double(1),
    "std::numeric_limits<float>::quiet_NaN() != std::numeric_limits<float>::quiet_NaN()": "true",
    "std::numeric_limits<int>::digits": "31",
    "std::numeric_limits<unsigned>::digits": "32",
    "std::numeric_limits<int>::max()": "2147483647",
    "std::numeric_limits<int>::min()": "-2147483647 - 1",
    "std::numeric_limits<int>::lowest()": "-2147483647 - 1",
    "std::numeric_limits<unsigned>::max()": "4294967295u",
    "std::numeric_limits<short>::max()": "32767",
    "std::numeric_limits<signed char>::min()": "-128",
    "std::numeric_limits<unsigned char>::max()": "255",
    "std::numeric_limits<unsigned short>::max()": "65535",
    "std::numeric_limits<long long>::max()": "9223372036854775807ll",
    "std::numeric_limits<long long>::min()": "-9223372036854775807ll - 1",
    "std::numeric_limits<unsigned long long>::max()": "18446744073709551615ull",
    "(1.0f / std::numeric_limits<float>::infinity())": "0.0f",
    "(1.0f / INFINITY)": "0.0f",
    "sizeof(float4)": "16",
    "alignof(float4)": "16",
    "sizeof(float3)": "12",
    "alignof(float3)": "4",
    "sizeof(double2)": "16",
    "alignof(double2)": "16",
    "alignof(double4)": "16",
    "sizeof(char4)": "4",
    "alignof(char4)": "4",
    "alignof(short2)": "4",
    "alignof(int2)": "8",
    "alignof(uchar3)": "1",
    "alignof(longlong2)": "16",
    "sizeof(__half2)": "4",
    "alignof(__half2)": "4",
    "sizeof(__nv_bfloat16)": "2",
    "sizeof(dim3)": "12",
    "sizeof(long)": "8",
    "sizeof(wchar_t)": "4",
    "(char)-1 < 0": "true",
}


def constant_assertions(preamble: str) -> str:
    """A C++ file with one static assertion a line, after ``preamble`` and one more line."""
    rows = "\n".join(f'static_assert(({name}) == ({value}), "{name}");' for name, value in CONSTANTS.items())
    return f"{preamble}__device__ void constants() {{\n{rows}\n}}\n"


def wrong_constants(source: str, error_lines: list[int]) -> list[str]:
    """Names of the constants whose assertion stands on one of the 1-based ``error_lines``."""
    first = source[: source.index("void constants()")].count("\n") + 2
    names = list(CONSTANTS)
    return [names[line - first] for line in sorted(set(error_lines)) if 0 <= line - first < len(names)]
