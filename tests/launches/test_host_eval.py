"""Evaluation of host expressions: C semantics against ctypes, and the JSON round trip."""

import ctypes
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.ir.host_eval import HostEvalError, convert, evaluate, fold, from_json, roots_of, text, to_json
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot

C_TYPES = {
    "int8": ctypes.c_int8,
    "uint8": ctypes.c_uint8,
    "int16": ctypes.c_int16,
    "uint16": ctypes.c_uint16,
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
}


def ceil_div(total: HostExpr, step: HostExpr, dtype: str = "int32") -> HostExpr:
    summed = HostOp("sub", (HostOp("add", (total, step), dtype), HostConst(1)), dtype)
    return HostOp("truncdiv", (summed, step), dtype)


@given(st.integers(-(2**70), 2**70), st.sampled_from(sorted(C_TYPES)))
def test_integer_conversion_is_that_of_c(value: int, dtype: str) -> None:
    assert convert(value, dtype) == C_TYPES[dtype](value).value


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_division_truncates_and_remainder_has_the_sign_of_the_dividend(left: int, right: int) -> None:
    quotient = HostOp("truncdiv", (HostConst(left), HostConst(right)), "int64")
    remainder = HostOp("truncmod", (HostConst(left), HostConst(right)), "int64")
    if right == 0:
        with pytest.raises(HostEvalError):
            evaluate(quotient, {})
        return
    assert evaluate(quotient, {}) == math.trunc(left / right)
    assert evaluate(quotient, {}) * right + evaluate(remainder, {}) == left


def test_ceil_div_over_a_root() -> None:
    grid = ceil_div(HostRoot("n"), HostConst(256))
    assert [evaluate(grid, {"n": n}) for n in (0, 1, 256, 257)] == [0, 1, 1, 2]
    assert roots_of(grid) == {"n"}
    assert text(grid) == "(((n + 256) - 1) / 256)"


def test_unsigned_arithmetic_wraps_and_signed_overflow_is_an_error() -> None:
    assert evaluate(HostOp("sub", (HostConst(0), HostConst(1)), "uint32"), {}) == 2**32 - 1
    with pytest.raises(HostEvalError, match="overflow"):
        evaluate(HostOp("mul", (HostConst(1 << 20), HostConst(1 << 20)), "int32"), {})


def test_operands_are_converted_before_an_unsigned_division() -> None:
    assert evaluate(HostOp("truncdiv", (HostConst(-1), HostConst(2)), "uint32"), {}) == (2**32 - 1) // 2


def test_only_the_taken_side_of_a_select_is_evaluated() -> None:
    bad = HostOp("truncdiv", (HostConst(1), HostConst(0)), "int32")
    assert evaluate(HostOp("select", (HostRoot("c"), HostConst(7), bad), "int32"), {"c": 1}) == 7
    assert evaluate(HostOp("and", (HostConst(0), bad), "bool"), {}) == 0


def test_float_to_integer() -> None:
    half = HostOp("div", (HostRoot("n"), HostConst(3.0)), "float32")
    assert evaluate(HostOp("cast:int32", (HostOp("ceil", (half,), "float64"),), "int32"), {"n": 10}) == 4
    with pytest.raises(HostEvalError):
        convert(math.inf, "int32")
    with pytest.raises(HostEvalError):
        convert(3e9, "int32")


def test_unknown_roots_are_named_in_the_error() -> None:
    with pytest.raises(HostEvalError, match="'rows'"):
        evaluate(HostRoot("rows"), {})


expressions = st.recursive(
    st.one_of(
        st.builds(HostConst, st.integers(-1000, 1000)),
        st.builds(HostConst, st.floats(allow_nan=False)),
        st.builds(HostRoot, st.sampled_from(["n", "x.size(0)", "cfg.width"])),
    ),
    lambda inner: st.builds(
        HostOp, st.sampled_from(["add", "mul", "truncdiv", "min", "cast:int32"]), st.tuples(inner, inner)
    ),
    max_leaves=8,
)


@given(expressions)
def test_json_round_trip(expr: HostExpr) -> None:
    assert from_json(to_json(expr)) == expr


def test_malformed_json_is_refused() -> None:
    for raw in (None, True, [], ["add"], [1, 2, 3]):
        with pytest.raises(ValueError):
            from_json(raw)  # type: ignore[arg-type]


def test_fold_keeps_what_has_no_value() -> None:
    bad = HostOp("truncdiv", (HostConst(1), HostConst(0)), "int32")
    assert fold(bad) == bad
    assert fold(ceil_div(HostConst(1000), HostConst(256))) == HostConst(4)


@given(st.integers(-(2**31), 2**31 - 1), st.sampled_from(["mul", "add"]), st.sampled_from([0, 1]), st.booleans())
def test_simplification_keeps_the_value(value: int, name: str, constant: int, swap: bool) -> None:
    args = (HostConst(constant), HostRoot("n"))
    expr = HostOp(name, args[::-1] if swap else args, "uint32")
    assert evaluate(fold(expr), {"n": value}) == evaluate(expr, {"n": value})
