"""Generated values keep their promises: reproducible, in range, specials present."""

from __future__ import annotations

import numpy as np
import pytest

from migrate.verify.dtypes import is_float, numpy_dtype
from migrate.verify.thresholds import sentinels_of
from migrate.verify.values import FLAVOURS, distinct_indices, index_values, row_pointers, scalar_value, values

DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("flavour", FLAVOURS)
def test_same_seed_same_bytes(dtype, flavour):
    first = values(np.random.default_rng(5), dtype, 333, flavour, (7.0, -1.0))
    second = values(np.random.default_rng(5), dtype, 333, flavour, (7.0, -1.0))
    assert first.dtype == numpy_dtype(dtype) and first.size == 333
    assert first.tobytes() == second.tobytes()
    assert values(np.random.default_rng(5), dtype, 0, flavour, (7.0,)).size == 0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_specials_hold_nan_infinity_denormals_and_negative_zero(dtype):
    made = values(np.random.default_rng(1), dtype, 20000, "specials").astype(np.float64)
    assert np.isnan(made).any() and np.isposinf(made).any() and np.isneginf(made).any()
    assert ((made == 0) & np.signbit(made)).any()
    assert np.isfinite(made).mean() > 0.9
    for calm in ("ordinary", "magnitudes", "ties", "unit", "wide"):
        calm_values = values(np.random.default_rng(1), dtype, 5000, calm).astype(np.float64)
        assert not np.isnan(calm_values).any(), calm


@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_specials_hold_each_of_them(seed):
    made = values(np.random.default_rng(seed), "float32", 100, "specials")
    assert np.isnan(made).any() and np.isposinf(made).any() and np.isneginf(made).any()
    assert ((made != 0) & (np.abs(made) < np.finfo(np.float32).tiny)).sum() >= 3


@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bool" and not name.startswith("u")])
def test_ordinary_values_are_signed(dtype):
    made = values(np.random.default_rng(1), dtype, 1000, "ordinary").astype(np.float64)
    assert (made < 0).any() and (made > 0).any()


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "int64"])
@pytest.mark.parametrize("limit", [1, 2, 100, 10**6])
def test_index_values_stay_below_their_limit(dtype, limit):
    made = index_values(np.random.default_rng(2), dtype, 500, limit)
    assert made.min() == 0 and made.max() < limit
    if limit <= 100:
        assert made.max() == limit - 1


def test_row_pointers_are_monotone_and_span_the_range():
    made = row_pointers(np.random.default_rng(3), "int32", 65, 640)
    assert made[0] == 0 and made[-1] == 640 and (np.diff(made) >= 0).all()
    assert row_pointers(np.random.default_rng(3), "int32", 0, 5).size == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_thresholds_appear(dtype):
    made = values(np.random.default_rng(4), dtype, 400, "thresholds", (1.0,))
    assert (made == np.ones(1, dtype=made.dtype)[0]).sum() > 20


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_scalars_are_finite(flavour):
    generator = np.random.default_rng(6)
    for dtype in DTYPES:
        for _ in range(20):
            value = scalar_value(generator, dtype, flavour, (3.0,))
            assert np.isfinite(np.float64(value)) or not is_float(dtype)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_tiny_values_are_denormals_and_huge_ones_overflow(dtype):
    tiny = values(np.random.default_rng(7), dtype, 400, "tiny").astype(np.float64)
    smallest_normal = float(np.float64(2.0) ** {"float16": -14, "float64": -1022}.get(dtype, -126))
    assert (tiny != 0).all() and (np.abs(tiny) < smallest_normal).all() and (tiny < 0).any() and (tiny > 0).any()
    # Whole rows whose largest value vanishes when it is divided by 127.
    assert (values(np.random.default_rng(7), dtype, 400, "tiny")[:100] / numpy_dtype(dtype).type(127) == 0).all()
    huge = values(np.random.default_rng(7), dtype, 400, "huge")
    assert np.isfinite(huge.astype(np.float64)).all()
    with np.errstate(over="ignore"):
        assert np.isinf((huge * huge).astype(np.float64)).all()


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8"])
def test_equal_values_and_a_single_spike(dtype):
    assert len(set(values(np.random.default_rng(8), dtype, 50, "equal").tolist())) == 1
    assert (values(np.random.default_rng(8), dtype, 50, "spike") != 0).sum() == 1


def test_index_data_with_marks_for_nothing_here():
    made = index_values(np.random.default_rng(9), "int32", 500, 40, (-1,))
    assert made.min() == -1 and made.max() < 40 and 0.1 < (made == -1).mean() < 0.3
    assert sentinels_of((0,), "int32") == (-1,) and sentinels_of((-1, 0, 7), "int64") == (-1,)
    assert sentinels_of((0, 3), "uint32") == () and sentinels_of((7,), "int32") == ()


@pytest.mark.parametrize(("count", "limit"), [(40, 40), (7, 40), (41, 40), (5, 1), (0, 3)])
def test_distinct_indices_repeat_only_where_there_are_too_few(count, limit):
    made = distinct_indices(np.random.default_rng(3), "uint32", count, limit)
    assert made.size == count and made.dtype == np.uint32
    assert len(set(made.tolist())) == min(count, limit)
    assert all(0 <= value < limit for value in made.tolist())
