"""Special values: what an H200 gave (nvcc 13.0, sm_90) for conversions, extrema, 16-bit floats and bit functions.

Each row is an expression over `nan`, `inf`, `zero`, `minus` (-0.0f), `one`, `big` (3e9f), the same in double (`dnan`,
`dinf`), half (`hnan` …) and bfloat16 (`bnan` …), none of them known to the compiler, and the value as an integer or as
the bits of a float. The oracle headers must give the same; so must a GPU.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import migrate

ORACLE_HEADERS = Path(migrate.__file__).parent / "oracle" / "headers"
SMALLEST, SMALLEST_64, LARGEST_64 = -(2**31), -(2**63), 2**63 - 1
INTEGERS: dict[str, int] = {
    "__float2int_rz(nan)": 0,
    "__float2int_rz(inf)": 2**31 - 1,
    "__float2int_rz(-inf)": SMALLEST,
    "__float2int_rz(big)": 2**31 - 1,
    "__float2uint_rz(nan)": 0,
    "__float2uint_rz(inf)": 2**32 - 1,
    "__float2uint_rz(-one)": 0,
    "__float2ll_rz(nan)": SMALLEST_64,
    "__float2ll_rz(inf)": LARGEST_64,
    "__float2ll_rz(-inf)": SMALLEST_64,
    "__float2ull_rz(nan)": 2**63,
    "__float2ull_rz(inf)": 2**64 - 1,
    "__float2ull_rz(-one)": 0,
    "__double2int_rz(dnan)": SMALLEST,
    "__double2int_rz(dinf)": 2**31 - 1,
    "__double2uint_rz(dnan)": 2**31,
    "__double2uint_rz(dinf)": 2**32 - 1,
    "__double2uint_rz(-dinf)": 0,
    "__double2ll_rz(dnan)": SMALLEST_64,
    "__double2ull_rz(dnan)": 2**63,
    "__double2ull_rz(dinf)": 2**64 - 1,
    "__half2int_rn(hnan)": 0,
    "__half2int_rn(hinf)": 2**31 - 1,
    "__half2uint_rn(-hone)": 0,
    "__half2short_rn(hnan)": 0,
    "__half2short_rn(hinf)": 32767,
    "__half2ushort_rn(-hone)": 0,
    "__half2ushort_rn(hinf)": 65535,
    "__half2ll_rn(hnan)": SMALLEST_64,
    "__half2ll_rn(hinf)": LARGEST_64,
    "__bfloat162int_rn(bnan)": 0,
    "__bfloat162int_rn(-binf)": SMALLEST,
    "__bfloat162ll_rn(bnan)": SMALLEST_64,
    "__float_as_int(__saturatef(nan))": 0,
    "__float_as_int(__saturatef(minus))": 0,
    "__float_as_int(__saturatef(one + one))": 0x3F800000,
    "__float_as_int(fmaxf(minus, zero))": 0,
    "__float_as_int(fmaxf(zero, minus))": 0,
    "__float_as_int(fminf(zero, minus))": SMALLEST,
    "__float_as_int(fminf(minus, zero))": SMALLEST,
    "__float_as_int(fmaxf(nan, one))": 0x3F800000,
    "__float_as_int(max(nan, one))": 0x3F800000,
    "__half_as_ushort(__hmax(hminus, hzero))": 0,
    "__half_as_ushort(__hmin(hzero, hminus))": 0x8000,
    "__half_as_ushort(__hmax(hnan, hone))": 0x3C00,
    "__half_as_ushort(__hmax_nan(hnan, hone))": 0x7FFF,
    "__half_as_ushort(__hmax(hnan, hnan))": 0x7FFF,
    "__half_as_ushort(__hadd_sat(hnan, hone))": 0,
    "__half_as_ushort(__hmul_sat(hminus, hone))": 0,
    "__half_as_ushort(__hadd_sat(-hone, hzero))": 0,
    "__half_as_ushort(__hfma_relu(-hone, hone, hzero))": 0,
    "__half_as_ushort(__hfma_relu(hnan, hone, hzero))": 0x7FFF,
    "__half_as_ushort(__hfma_relu(hminus, hone, hminus))": 0,
    "__hne(hnan, hone)": 0,
    "hnan != hone": 1,
    "__hneu(hnan, hone)": 1,
    "__hequ(hnan, hone)": 1,
    "__hltu(hnan, hone)": 1,
    "__hisinf(hinf)": 1,
    "__hisinf(-hinf)": -1,
    "__hisinf(-binf)": -1,
    "ilogbf(zero)": SMALLEST,
    "ilogbf(nan)": SMALLEST,
    "ilogbf(inf)": 2**31 - 1,
    "ilogbf(one * 1e-45f)": -149,
    "lrintf(nan)": SMALLEST_64,
    "lrintf(inf)": LARGEST_64,
    "lroundf(inf)": LARGEST_64,
    "lroundf(one * 2.5f)": 3,
    "lroundf(one * -2.5f)": -3,
    "__float_as_int(rintf(one * 2.5f))": 0x40000000,
    "__float_as_int(roundf(one * 2.5f))": 0x40400000,
    "__funnelshift_l(0x12345678u, 0x9abcdef0u, 36u)": 0xABCDEF01,
    "__funnelshift_lc(0x12345678u, 0x9abcdef0u, 36u)": 0x12345678,
    "__funnelshift_r(0x12345678u, 0x9abcdef0u, 36u)": 0x01234567,
    "__funnelshift_rc(0x12345678u, 0x9abcdef0u, 36u)": 0x9ABCDEF0,
    "__byte_perm(0x12345688u, 0x9abcdef0u, 0x8c10u)": 0x88F05688,
    "__clz((int)zero)": 32,
    "__ffs((int)zero)": 0,
    "__mul24((int)(one * 0x900000), 2)": -14680064,
    "__sad((int)(-one * 5), 7, 1u)": 13,
    "__hadd((int)(-one * 3), -4)": -4,
    "__rhadd((int)(-one * 3), -4)": -3,
    "__dp4a((int)0x80ff017f, (int)0x807f02ff, 5)": 16137,
    "__float_as_int(fdimf(inf, inf))": 0,
    "__float_as_int(remainderf(one * 5, one * 3))": 0xBF800000 - 2**32,
    "__float_as_int(fmodf(one * -5, one * 3))": 0xC0000000 - 2**32,
    "__float_as_int(rsqrtf(zero))": 0x7F800000,
    "__float_as_int(rsqrtf(minus))": 0xFF800000 - 2**32,
    "__half_as_ushort(__int2half_rn((int)(one * 70000)))": 0x7C00,
    "__bfloat16_as_ushort(__nv_bfloat16((int)(one * 16842752)))": 0x4B80,
    "__bfloat16_as_ushort(__int2bfloat16_rn((int)(one * 0x1010000) + 1))": 0x4B81,
}
_VALUES = """\
volatile float f[] = {NAN, INFINITY, 0.0f, -0.0f, 1.0f, 3e9f};
float nan = f[0], inf = f[1], zero = f[2], minus = f[3], one = f[4], big = f[5];
double dnan = nan, dinf = inf;
__half hnan = __float2half(nan), hinf = __float2half(inf), hzero = __float2half(zero), hminus = __float2half(minus);
__half hone = __float2half(one);
__nv_bfloat16 bnan = __float2bfloat16(nan), binf = __float2bfloat16(inf);
(void)big; (void)dnan; (void)dinf; (void)hzero; (void)bnan; (void)binf;
"""


def program(rows: list[str]) -> str:
    """A C++ program that prints one value a row."""
    prints = "\n".join(
        f'{{ auto v = {row}; if (v < 0) dprintf(1, "%lld\\n", (long long)v);'
        f' else dprintf(1, "%llu\\n", (unsigned long long)v); }}'
        for row in rows
    )
    return (
        '#define ORACLE_USES_HALF 1\n#include "cuda_kernel.h"\n'
        'extern "C" int dprintf(int, const char*, ...);\n'
        f"int main() {{\n{_VALUES}{prints}\n}}\n"
    )


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_oracle_headers_give_what_the_gpu_gave(tmp_path: Path) -> None:
    rows = list(INTEGERS)
    source, binary = tmp_path / "values.cpp", tmp_path / "values"
    source.write_text(program(rows), encoding="utf-8")
    flags = ["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-builtin", "-I", str(ORACLE_HEADERS)]
    subprocess.run(["g++", *flags, str(source), "-o", str(binary)], check=True, capture_output=True)
    printed = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split()
    got = dict(zip(rows, map(int, printed), strict=True))
    assert {row: value for row, value in got.items() if value != INTEGERS[row]} == {}
