"""C's conversions as the builder folds them, against numpy."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from migrate.ir.kernel import Binary, Cast, Const, LocalRef, LocalVar
from migrate.parse.build.bits import assemble, extract, read_cells
from migrate.parse.build.scalars import common_dtype, constant, convert, divide_exactly, promote, wrap_integer

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@settings(deadline=None)
@given(st.integers(-(2**70), 2**70), st.sampled_from(INTEGERS))
def test_wrapping_is_two_complement(value: int, dtype: str) -> None:
    bits = np.dtype(dtype).itemsize * 8
    assert wrap_integer(value, dtype) == int(np.array(value % 2**bits, dtype=f"uint{bits}").astype(dtype))


@settings(deadline=None)
@given(st.floats(allow_nan=False))
def test_double_literals_round_once(value: float) -> None:
    folded = convert(Const("float64", value), "float32")
    assert isinstance(folded, Const)
    with np.errstate(over="ignore"):
        assert folded.value == float(np.float32(value))


@settings(deadline=None)
@given(st.sampled_from([*INTEGERS, "bool"]), st.sampled_from([*INTEGERS, "bool"]))
def test_usual_conversions_are_numpy_free_c(left: str, right: str) -> None:
    one, other = promote(left), promote(right)
    rank = ["int32", "uint32", "int64", "uint64"]
    assert common_dtype(left, right) == rank[max(rank.index(one), rank.index(other))]


def test_conversion_to_bool_is_a_comparison() -> None:
    x = LocalRef(LocalVar("x", "float32"))
    assert convert(x, "bool") == Binary("ne", x, Const("float32", 0.0), "bool")
    b = LocalRef(LocalVar("b", "bool"))
    assert convert(Cast(b, "int32"), "bool") is b


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_parts_of_a_word_give_the_word_back(value: int) -> None:
    parts = [constant("uint16", value >> (16 * index)) for index in range(4)]
    assert evaluate(assemble(parts, "uint64")) == value
    assert evaluate(extract(constant("uint64", value), 4, "uint32")) == value >> 32
    cells = [(2 * index, part) for index, part in enumerate(parts)]
    found = read_cells(cells, 2, "uint32")
    assert found is not None and evaluate(found) == (value >> 16) & 0xFFFFFFFF


def test_cells_that_do_not_tile_give_none() -> None:
    assert read_cells([(0, constant("uint32", 1)), (4, constant("uint32", 2))], 2, "uint32") is None


def test_exact_division_needs_a_visible_factor() -> None:
    n = LocalRef(LocalVar("n", "int32"))
    assert divide_exactly(Binary("mul", n, Const("int32", 8), "int32"), 4) == Binary(
        "mul", n, Const("int32", 2), "int32"
    )
    assert divide_exactly(Binary("mul", n, Const("int32", 4), "int32"), 4) == n
    assert divide_exactly(n, 4) is None
    assert divide_exactly(Binary("add", n, Const("int32", 4), "int32"), 4) is None


def evaluate(expr: object) -> int:
    """Value of an expression of unsigned literals, shifts, ors and conversions."""
    if isinstance(expr, Const):
        return int(expr.value)
    if isinstance(expr, Cast):
        return wrap_integer(evaluate(expr.operand), expr.dtype)
    assert isinstance(expr, Binary)
    left, right = evaluate(expr.left), evaluate(expr.right)
    if expr.op == "bitor":
        return left | right
    return left << right if expr.op == "shl" else left >> right
