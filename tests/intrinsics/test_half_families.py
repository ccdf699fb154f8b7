"""half, bfloat16 and their pairs."""

from __future__ import annotations

import pytest
from fake_sink import BFLOAT162, FLOAT2, HALF2, SPAN, call, shown

from migrate.diagnostics import Refusal
from migrate.parse.build.types import CType, Field, RecordType, ReferenceType, ScalarType

H, B, F, I32 = "float16", "bfloat16", "float32", "int32"
HALF_REFERENCE = ReferenceType(ScalarType(H))
RAW = RecordType("__half_raw", 2, 2, (Field("x", ScalarType("uint16"), 0),), spelling="__half_raw")


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("operator+", [H, H], H, "(a + b)"),
        ("operator/", [B, B], B, "(a / b)"),
        ("operator<", [H, H], "bool", "(a < b)"),
        ("operator-", [H], H, "-a"),
        ("__hadd", [H, H], H, "(a + b)"),
        ("__hadd", [I32, I32], I32, "__hadd(a, b)"),
        ("__hmul_sat", [H, H], H, "float16(__saturatef(float32((a * b))))"),
        ("__hfma", [B, B, B], B, "hfma(a, b, c)"),
        ("__hmax", [H, H], H, "float16(fmaxf(float32(a), float32(b)))"),
        ("__hlt", [H, H], "bool", "(a < b)"),
        ("__hltu", [H, H], "bool", "((isnanf(float32(a)) || isnanf(float32(b))) || (a < b))"),
        ("__hne", [H, H], "bool", "((!isnanf(float32(a)) && !isnanf(float32(b))) && (a != b))"),
        ("__hisnan", [H], "bool", "isnanf(float32(a))"),
        ("__habs", [H], H, "bits_float16((bits_uint16(a) & 0x7fff))"),
        ("hexp", [H], H, "float16(expf(float32(a)))"),
        ("hrcp", [B], B, "bfloat16((1.0 / float32(a)))"),
        ("hsqrt", [H], H, "float16(sqrtf(float32(a)))"),
        ("__half2float", [H], F, "float32(a)"),
        ("__float2half", [F], H, "float16(a)"),
        ("__float2bfloat16_rn", [F], B, "bfloat16_rn(a)"),
        ("__double2half", ["float64"], H, "float16(a)"),
        ("__half::__half", [F], H, "float16(a)"),
        ("__half::__half", [I32], H, "float16(a)"),
        ("__half::__half", [B], H, "float16(float32(a))"),
        ("__half::operator float", [H], F, "float32(a)"),
        ("__half::operator int", [H], I32, "int32_rz(a)"),
        ("__nv_bfloat16::operator bool", [B], "bool", "(a != 0.0)"),
    ],
)
def test_scalars(name: str, kinds: list[str], result: str, text: str) -> None:
    assert shown(name, kinds, result) == text


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("operator*", [HALF2, HALF2], HALF2, "{(a.x * b.x), (a.y * b.y)}"),
        ("operator==", [HALF2, HALF2], "bool", "((a.x == b.x) && (a.y == b.y))"),
        ("__hadd2", [BFLOAT162, BFLOAT162], BFLOAT162, "{(a.x + b.x), (a.y + b.y)}"),
        ("__hfma2", [HALF2] * 3, HALF2, "{hfma(a.x, b.x, c.x), hfma(a.y, b.y, c.y)}"),
        ("__hlt2", [HALF2, HALF2], HALF2, "{float16((a.x < b.x)), float16((a.y < b.y))}"),
        ("__hbgt2", [HALF2, HALF2], "bool", "((a.x > b.x) && (a.y > b.y))"),
        ("h2exp", [HALF2], HALF2, "{float16(expf(float32(a.x))), float16(expf(float32(a.y)))}"),
        ("__floats2half2_rn", [F, F], HALF2, "{float16(a), float16(b)}"),
        ("__float2half2_rn", [F], HALF2, "float16 lane1 = float16(a); {lane1, lane1}"),
        ("__half2half2", [H], HALF2, "{a, a}"),
        ("__half22float2", [HALF2], FLOAT2, "{float32(a.x), float32(a.y)}"),
        ("__float22bfloat162_rn", [FLOAT2], BFLOAT162, "{bfloat16(a.x), bfloat16(a.y)}"),
        ("__low2half", [HALF2], H, "a.x"),
        ("__high2float", [HALF2], F, "float32(a.y)"),
        ("__lowhigh2highlow", [HALF2], HALF2, "{a.y, a.x}"),
        ("__highs2half2", [HALF2, HALF2], HALF2, "{a.y, b.y}"),
        ("__half2::__half2", [H, H], HALF2, "{a, b}"),
        ("make_bfloat162", [B, B], BFLOAT162, "{a, b}"),
    ],
)
def test_pairs(name: str, kinds: list[CType | str], result: CType | str, text: str) -> None:
    assert shown(name, kinds, result) == text


def test_compound_assignment_stores_once() -> None:
    assert shown("operator+=", [HALF_REFERENCE, H], H) == "float16 updated1 = (a[a_at] + b); a[a_at] = updated1"
    assert shown("operator*=", [ReferenceType(HALF2), HALF2], HALF2) == (
        "float16 term1 = a[a_at]; float16 term2 = a[(a_at + 1)]; float16 low3 = (term1 * b.x); "
        "float16 high4 = (term2 * b.y); a[a_at] = low3; a[(a_at + 1)] = high4"
    )
    assert shown("__half::operator=", [HALF_REFERENCE, F], H) == "a[a_at] = float16(b)"


def test_postfix_increment_gives_the_old_value() -> None:
    text = shown("operator++", [HALF_REFERENCE, I32], H)
    assert text == "float16 before1 = a[a_at]; float16 after2 = (before1 + 1.0); a[a_at] = after2; before1"


def test_raw_bits() -> None:
    assert shown("__half::__half", [RAW], H) == "bits_float16(a.x)"


def test_approximate_functions_are_noted_and_exact_ones_not() -> None:
    assert call("hexp", [H], H)[1].notes == ["TLM322"]
    assert call("h2sqrt", [HALF2], HALF2)[1].notes == []


@pytest.mark.parametrize(
    ("name", "kinds"), [("operator+", [F, F]), ("__hmul", [F, F]), ("__hadd2", [H, H]), ("hexp", [F])]
)
def test_other_types_are_refused(name: str, kinds: list[str]) -> None:
    with pytest.raises(Refusal) as refusal:
        call(name, kinds, H)
    assert refusal.value.diagnostic.code == "TLM301"
    assert refusal.value.diagnostic.file == SPAN.file
