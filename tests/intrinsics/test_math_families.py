"""Math, bits, casts, extrema: what each call becomes, as text (`fake_sink.show` checks the dtypes)."""

from __future__ import annotations

import pytest
from fake_sink import SPAN, call, shown

from migrate.diagnostics import Refusal
from migrate.ir.kernel import Cast, MathCall
from migrate.ir.math_names import MATH_NAMES, operand_dtypes
from migrate.parse.build.intrinsics import known_names, lookup
from migrate.parse.build.types import CType, PointerType, ScalarType
from migrate.parse.build.values import ScalarValue

F, D, I32, U, L = "float32", "float64", "int32", "uint32", "int64"
FLOAT_POINTER = PointerType(ScalarType(F))


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("expf", [F], F, "expf(a)"),
        ("exp", [F], F, "expf(a)"),
        ("exp", [I32], D, "exp(float64(a))"),
        ("std::sqrt", [F], F, "sqrtf(a)"),
        ("cuda::std::sqrt", [F], F, "sqrtf(a)"),
        ("pow", [F, I32], D, "pow(float64(a), float64(b))"),
        ("powf", [F, F], F, "powf(a, b)"),
        ("powf", [D, F], F, "powf(float32(a), b)"),
        ("fma", [F, F, D], D, "fma(float64(a), float64(b), c)"),
        ("__fmaf_rn", [F, F, F], F, "fmaf(a, b, c)"),
        ("__fadd_rn", [F, F], F, "__fadd_rn(a, b)"),
        ("__fsqrt_rn", [F], F, "sqrtf(a)"),
        ("fdividef", [F, F], F, "(a / b)"),
        ("abs", [I32], I32, "abs_int32(a)"),
        ("abs", [L], L, "abs_int64(a)"),
        ("abs", [F], F, "fabsf(a)"),
        ("isnan", [F], "bool", "isnanf(a)"),
        ("std::isinf", [D], "bool", "isinf(a)"),
        ("isnan", [F], I32, "int32(isnanf(a))"),
        ("rint", [F], F, "rintf(a)"),
        ("nearbyintf", [F], F, "rintf(a)"),
        ("lrintf", [F], L, "int64_rz(rintf(a))"),
        ("lround", [D], L, "int64_rz(round(a))"),
        ("ldexpf", [F, I32], F, "ldexpf(a, b)"),
        ("ilogb", [F], I32, "ilogbf(a)"),
        ("__saturatef", [F], F, "__saturatef(a)"),
    ],
)
def test_elementary(name: str, kinds: list[str], result: str, text: str) -> None:
    assert shown(name, kinds, result) == text


def test_fast_math_is_noted() -> None:
    _, sink = call("__expf", [F], F)
    assert sink.notes == ["TLM322"]
    assert shown("__fdividef", [F, F], F) == "__fdividef(a, b)"
    _, sink = call("expf", [F], F)
    assert sink.notes == []


def test_functions_with_output_pointers_bind_their_operand_first() -> None:
    kinds: list[CType | str] = [F, FLOAT_POINTER, FLOAT_POINTER]
    assert shown("sincosf", kinds, None) == "b[b_at] = sinf(a); c[c_at] = cosf(a)"
    text = shown("frexpf", [F, PointerType(ScalarType(I32))], F)
    ordinary = "(isfinitef(a) && (a != 0.0))"
    assert text == (
        f"int32 exponent1 = ({ordinary} ? (ilogbf(a) + 1) : 0); b[b_at] = exponent1; "
        f"({ordinary} ? ldexpf(a, -exponent1) : a)"
    )
    text = shown("modff", [F, FLOAT_POINTER], F)
    assert text == ("float32 whole1 = truncf(a); b[b_at] = whole1; copysignf((isinff(a) ? 0.0 : (a - whole1)), a)")


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("min", [I32, I32], I32, "min_int32(a, b)"),
        ("min", [I32, U], U, "min_uint32(uint32(a), b)"),
        ("max", [F, F], F, "fmaxf(a, b)"),
        ("max", [F, D], D, "fmax(float64(a), b)"),
        ("umin", [U, U], U, "min_uint32(a, b)"),
        ("std::max", [I32, I32], I32, "max_int32(a, b)"),
        ("std::max", [F, F], F, "((a < b) ? b : a)"),
        ("std::min", [F, F], F, "((b < a) ? b : a)"),
        ("std::min", ["int8", "int8"], "int8", "((b < a) ? b : a)"),
        ("std::clamp", [F, F, F], F, "((a < b) ? b : ((c < a) ? c : a))"),
    ],
)
def test_extrema(name: str, kinds: list[str], result: str, text: str) -> None:
    assert shown(name, kinds, result) == text


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("__popc", [I32], I32, "__popc(uint32(a))"),
        ("__clz", [U], I32, "__clz(int32(a))"),
        ("__byte_perm", [U, U, U], U, "__byte_perm(a, b, c)"),
        ("__dp4a", [I32, I32, I32], I32, "__dp4a(a, b, c)"),
        ("__dp4a", [U, U, U], U, "__udp4a(a, b, c)"),
        ("__float_as_int", [F], I32, "bits_int32(a)"),
        ("__double2hiint", [D], I32, "bits_int32(uint32((bits_uint64(a) >> 32)))"),
        ("__double2loint", [D], I32, "bits_int32(uint32(bits_uint64(a)))"),
        (
            "__hiloint2double",
            [I32, I32],
            D,
            "bits_float64(((uint64(bits_uint32(a)) << 32) | uint64(bits_uint32(b))))",
        ),
        ("__ushort_as_half", ["uint16"], "float16", "bits_float16(a)"),
        ("__float2int_rd", [F], I32, "int32_rd(a)"),
        ("__double2float_ru", [D], F, "float32_ru(a)"),
        ("__ull2float_rz", ["uint64"], F, "float32_rz(a)"),
        ("__half2int_rn", ["float16"], I32, "int32_rn(a)"),
        ("__float2half_rz", [F], "float16", "float16_rz(a)"),
    ],
)
def test_bits_and_casts(name: str, kinds: list[str], result: str, text: str) -> None:
    assert shown(name, kinds, result) == text


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("clock64", "TLM302"),
        ("cooperative_groups::coalesced_threads", "TLM304"),
        ("__vadd4", "TLM305"),
        ("__fadd_rz", "TLM306"),
        ("__fma_ru", "TLM306"),
        ("erfinvf", "TLM307"),
        ("__cvta_generic_to_shared", "TLM309"),
        ("cooperative_groups::inclusive_scan", "TLM312"),
    ],
)
def test_known_and_refused(name: str, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        call(name, [F], F)
    diagnostic = refusal.value.diagnostic
    assert (diagnostic.code, diagnostic.line) == (code, 7)
    assert name in diagnostic.message


def test_names_nobody_knows_give_none() -> None:
    assert lookup("project_function") is None
    assert lookup("std::sort") is None


def test_every_canonical_name_is_reachable_or_internal() -> None:
    reached = {name for name in MATH_NAMES if lookup(name) is not None}
    internal = set(MATH_NAMES) - reached
    assert {name.rstrip("0123456789") for name in internal} <= {
        *("min_int", "min_uint", "max_int", "max_uint", "abs_int", "hfma", "__udp4a"),
        *("isnanf", "isinff", "isfinitef", "signbitf", "__udp", "__udp4a"),
    }
    assert len(known_names()) > 1000


def test_half_stands_for_the_calls_dtype() -> None:
    assert operand_dtypes("hfma", "bfloat16") == ("bfloat16",) * 3
    with pytest.raises(KeyError):
        operand_dtypes("nothing", "float32")


def test_nodes_carry_the_calls_position() -> None:
    value, _ = call("hexp", ["float16"], "float16")
    assert isinstance(value, ScalarValue)
    rounded = value.expr
    assert isinstance(rounded, Cast)
    assert isinstance(rounded.operand, MathCall)
    assert rounded.span == rounded.operand.span == rounded.operand.args[0].span == SPAN
