"""Calls that are folded give what numpy's function of the same type gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.rules.lower.constant_calls import fold_call

FLOAT = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "fabs": np.abs}


@pytest.mark.parametrize("name", FLOAT)
@given(value=st.floats(width=32))
def test_one_operand(name: str, value: float) -> None:
    folded = fold_call(name + "f", [value], "float32")
    assert folded is not None
    found, expected = np.float32(folded.value), FLOAT[name](np.float32(value))
    assert found.tobytes() == expected.tobytes() or (np.isnan(found) and np.isnan(expected))


@given(a=st.floats(), b=st.floats())
def test_extrema_drop_nan_and_order_zeros(a: float, b: float) -> None:
    low, high = fold_call("fmin", [a, b], "float64"), fold_call("fmax", [a, b], "float64")
    assert low is not None and high is not None
    numbers = [x for x in (a, b) if not np.isnan(x)] or [np.nan]
    key = lambda x: (x, np.copysign(1, x))  # noqa: E731
    for found, expected in ((low.value, min(numbers, key=key)), (high.value, max(numbers, key=key))):
        assert np.float64(found).tobytes() == np.float64(expected).tobytes() or np.isnan([found, expected]).all()


@given(value=st.integers(-(2**31), 2**31 - 1))
def test_bits(value: int) -> None:
    word = f"{value % 2**32:032b}"
    expected = {"__popc": word.count("1"), "__clz": len(word) - len(word.lstrip("0"))}
    expected["__ffs"] = len(word) - word.rfind("1") if "1" in word else 0
    for name, number in expected.items():
        folded = fold_call(name, [value], "int32")
        assert folded is not None and folded.value == number


def test_an_unknown_operand_or_function_is_left_alone() -> None:
    assert fold_call("floorf", [None], "float32") is None
    assert fold_call("expf", [1.0], "float32") is None
