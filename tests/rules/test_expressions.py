"""What each expression rule makes, that it says so, and where it holds back."""

from __future__ import annotations

import pytest

from migrate.diagnostics import Refusal
from migrate.emit.expressions import text
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.lower.lower_kernel import lower_kernel
from rules.kernels import builtin, cast, f32, i32, kernel, op, pointer, thread_index, u32

N, M = k.ParamRef("n", "int32"), k.ParamRef("m", "int32")
U, W = k.ParamRef("u", "uint32"), k.ParamRef("w", "uint32")
A, B = k.ParamRef("a", "float32"), k.ParamRef("b", "float32")
D, L = k.ParamRef("d", "float64"), k.ParamRef("big", "int64")
H = k.ParamRef("h", "float16")
PARAMS = [(ref.name, ref.dtype) for ref in (N, M, U, W, A, B, D, L, H)]
TX = builtin("threadIdx")


def stored(value: k.Expr) -> tuple[list[str], str, tuple[str, ...]]:
    """(statements before, the stored expression, rules used) of ``out[0] = value``."""
    out = pointer("out", value.dtype)
    built = lower_kernel(kernel([k.Store(out, (i32(0),), value)], [*PARAMS, out])).kernel
    store = built.body[-1]
    assert isinstance(store, p.SetElement)
    before = [f"{s.name} = {text(s.init)}" for s in built.body[:-1] if isinstance(s, p.AllocVar) and s.init is not None]
    return before, text(store.value), built.rules


CASES: list[tuple[str, k.Expr, list[str], str]] = [
    ("arithmetic", op("sub", op("add", N, M), op("mul", N, i32(3))), [], "n + m - n * 3"),
    ("arithmetic", op("sub", N, op("sub", M, i32(1))), [], "n - (m - 1)"),
    ("arithmetic", op("mul", i32(6), i32(7)), [], "42"),
    ("arithmetic", op("sub", U, W), [], "u - w"),
    ("arithmetic", op("add", L, cast(N, "int64")), [], "big + n"),
    ("arithmetic", op("add", cast(N, "int64"), cast(M, "int64")), [], 'T.cast(n, "int64") + m'),
    ("launch_indices", thread_index(), [], "bx * block + tx"),
    ("launch_indices", cast(op("truncdiv", TX, u32(32)), "int32"), [], "tx // 32"),
    ("integer_division", op("truncdiv", N, M), [], "T.truncdiv(n, m)"),
    ("integer_division", op("truncmod", N, i32(4)), [], "T.truncmod(n, 4)"),
    ("integer_division", op("truncmod", U, u32(3)), [], "T.truncmod(u, T.uint32(3))"),
    ("integer_division", op("truncdiv", op("add", U, u32(1)), W), ["total = u + T.uint32(1)"], "T.truncdiv(total, w)"),
    ("integer_division", op("truncdiv", i32(-7), i32(2)), [], "-3"),
    ("bit_operations", op("shr", U, i32(16)), [], "u >> T.uint32(16)"),
    ("bit_operations", op("bitand", op("shl", N, i32(2)), i32(12)), [], "(n << 2) & 12"),
    ("negation", k.Unary("neg", U, "uint32"), [], "T.uint32(0) - u"),
    ("negation", k.Unary("neg", op("add", A, B), "float32"), [], "-(a + b)"),
    ("negation", k.Unary("bitnot", N, "int32"), [], "~n"),
    ("float_arithmetic", op("div", A, f32(3.0)), [], "a / 3.0"),
    ("float_arithmetic", op("sub", A, A), [], "T.ieee_sub(a, a)"),
    ("float_arithmetic", op("sub", op("add", A, B), B), [], "T.ieee_sub(a + b, b)"),
    ("float_arithmetic", op("sub", A, op("add", B, A)), [], "T.ieee_sub(a, b + a)"),
    ("float_arithmetic", op("mul", A, f32(0.0)), [], "T.ieee_mul(a, T.float32(0.0))"),
    ("float_arithmetic", op("add", A, f32(-0.0)), [], "a"),
    ("float_arithmetic", op("sub", op("div", A, f32(1.0)), op("add", f32(1.0), A)), [], "T.ieee_sub(a, 1.0 + a)"),
    ("float_arithmetic", op("mul", D, k.Const("float64", 0.1)), [], "d * 0.1"),
    ("float_arithmetic", op("sub", H, H), ["first = h", "second = h"], "first - second"),
    ("casts", cast(N, "float32"), [], 'T.cast(n, "float32")'),
    ("casts", cast(TX, "float32"), [], 'T.cast(tx, "float32")'),
    ("casts", cast(N, "uint32"), [], 'T.cast(n, "uint32")'),
    ("casts", cast(A, "int32"), [], 'T.cast(a, "int32")'),
    ("casts", k.Cast(A, "int32", "rn"), [], 'T.call_extern("int32", "__float2int_rn", a)'),
    ("casts", cast(f32(0.10000000149011612), "float64"), [], "T.float64(0.10000000149011612)"),
    ("casts", cast(N, "bool"), [], "n != 0"),
    ("bit_casts", k.Bitcast(A, "int32"), [], 'T.reinterpret(a, "int32")'),
    ("comparisons", op("lt", U, cast(N, "uint32")), ['as_uint32 = T.cast(n, "uint32")'], "u < as_uint32"),
    ("comparisons", op("lt", op("add", U, u32(1)), W), ["total = u + T.uint32(1)"], "total < w"),
    ("comparisons", op("lt", TX, u32(5)), [], "tx < 5"),
    ("comparisons", op("ne", cast(op("lt", N, M), "int32"), i32(0)), [], "n < m"),
    ("comparisons", op("le", N, i32(-(2**31))), [], 'T.cast(n, "int64") <= -2147483648'),
    ("arithmetic", op("sub", N, i32(-(2**31))), [], "n + -2147483648"),
    ("float_comparisons", op("ne", A, A), [], "T.isnan(a)"),
    ("float_comparisons", op("lt", A, B), [], "a < b"),
    ("logic", op("and", op("lt", N, M), op("gt", A, B)), [], "n < m and a > b"),
    ("logical_not", k.Unary("not", op("lt", A, B), "bool"), ["is_less = a < b"], "not is_less"),
    ("logical_not", k.Unary("not", op("eq", A, B), "bool"), [], "a != b"),
    ("logical_not", k.Unary("not", op("lt", N, M), "bool"), [], "not n < m"),
    ("selects", k.Select(op("lt", N, M), A, f32(0.0), "float32"), [], "T.if_then_else(n < m, a, T.float32(0.0))"),
    ("math", k.MathCall("expf", (A,), "float32"), [], "T.exp(a)"),
    ("math", k.MathCall("erfcf", (A,), "float32"), [], 'T.call_extern("float32", "erfcf", a)'),
    ("math", k.MathCall("roundf", (A,), "float32"), [], 'T.round(a, rounding_mode="ties-away-from-zero")'),
    ("math", k.MathCall("max_int32", (N, i32(0)), "int32"), [], "T.max(n, T.int32(0))"),
    ("math", k.MathCall("max_int32", (i32(3), i32(5)), "int32"), [], "5"),
    ("float_arithmetic", op("mul", D, k.MathCall("trunc", (k.Const("float64", -0.1),), "float64")), [],
     "T.ieee_mul(d, T.float64(-0.0))"),
    ("math", k.MathCall("__expf", (A,), "float32"), [], "T.__exp(a)"),
    ("literals", k.Const("float64", 1e300), [], 'T.reinterpret(T.uint64(0x7e37e43c8800759c), "float64")'),
    ("literals", f32(float("inf")), [], 'T.infinity("float32")'),
    ("literals", k.Const("uint64", 2**64 - 1), [], "T.uint64(0xffffffffffffffff)"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "value", "before", "after"), CASES)
def test_expression(rule: str, value: k.Expr, before: list[str], after: str) -> None:
    found_before, found, used = stored(value)
    assert (found_before, found) == (before, after)
    assert rule in used


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("TLM350", k.Cast(D, "float32", "rz")),
        ("TLM351", cast(D, "float16")),
        ("TLM352", k.MathCall("no_such_function", (A,), "float32")),
    ],
)
def test_refused(code: str, value: k.Expr) -> None:
    with pytest.raises(Refusal) as caught:
        stored(value)
    assert caught.value.diagnostic.code == code


def test_flag_outside_when_the_inner_comparison_repeats_the_outer() -> None:
    """``a < b ? x : a >= b ? y : z``: the outer comparison becomes the flag."""
    inner = k.Select(op("ge", A, B), f32(2.0), f32(3.0), "float32")
    before, found, _ = stored(k.Select(op("lt", A, B), f32(1.0), inner, "float32"))
    assert before == ["is_less = a < b"]
    assert found.startswith("T.if_then_else(is_less, ")
    assert "a >= b" in found
