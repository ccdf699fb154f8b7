"""Values by dtype: seeded arrays that exercise signs, magnitudes, ties and specials.

A *flavour* names a family of values; a case uses one flavour for all its data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from migrate.verify.dtypes import is_float, numpy_dtype

Flavour = Literal[
    "ordinary",
    "magnitudes",
    "ties",
    "unit",
    "specials",
    "wide",
    "zeros",
    "thresholds",
    "tiny",
    "huge",
    "equal",
    "spike",
    "one_special",
]
FLAVOURS: tuple[Flavour, ...] = get_args(Flavour)
Array = npt.NDArray[Any]

# Share of special values in a "specials" array: enough to meet every branch, few enough that sums stay informative.
_SPECIAL_SHARE = 0.06
# Elements for each special value from which on every one of them is there.
_ROOM_FOR_EACH = 8


_MANTISSA = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}


def _infinity(dtype: str) -> int:
    """The bits of +inf."""
    return ((1 << (numpy_dtype(dtype).itemsize * 8 - 1)) - 1) ^ ((1 << _MANTISSA[dtype]) - 1)


def _float_specials(dtype: str) -> Array:
    kind = numpy_dtype(dtype)
    bits = kind.itemsize * 8
    mantissa = _MANTISSA[dtype]
    exponent_all = _infinity(dtype)
    patterns = [
        0,  # +0
        1 << (bits - 1),  # -0
        1,  # smallest denormal
        (1 << mantissa) - 1,  # largest denormal
        (1 << (bits - 1)) | 3,  # a negative denormal
        exponent_all,  # +inf
        exponent_all | (1 << (bits - 1)),  # -inf
        exponent_all | (1 << (mantissa - 1)),  # quiet NaN
        exponent_all - 1,  # largest finite
        (exponent_all - 1) | (1 << (bits - 1)),
        1 << mantissa,  # smallest normal
    ]
    return np.array(patterns, dtype=f"uint{bits}").view(kind)


# Bits of mantissa in the denormals of a "tiny" array, by quarter: whole rows then have a largest value that vanishes
# when it is divided, a little more, and all that denormals have.
_TINY_BITS = (2, 6, 12, 64)


def _tiny(generator: np.random.Generator, dtype: str, count: int) -> Array:
    """Denormals of both signs, none of them zero."""
    kind = numpy_dtype(dtype)
    bits = kind.itemsize * 8
    mantissa = _MANTISSA[dtype]
    caps = np.repeat([min(one, mantissa) for one in _TINY_BITS], -(-count // len(_TINY_BITS)))[:count]
    magnitudes = generator.integers(1, np.left_shift(np.int64(1), caps), dtype=np.int64)
    signs = generator.integers(0, 2, count, dtype=np.int64).astype(np.uint64) << np.uint64(bits - 1)
    made: Array = (magnitudes.astype(np.uint64) | signs).astype(f"uint{bits}").view(kind)
    return made


def _huge(generator: np.random.Generator, dtype: str, count: int) -> Array:
    """Finite values of both signs whose products and sums overflow."""
    kind = numpy_dtype(dtype)
    bits = kind.itemsize * 8
    largest = np.array([_infinity(dtype) - 1], dtype=f"uint{bits}").view(kind).astype(np.float64)[0]
    signs = generator.integers(0, 2, count) * 2.0 - 1.0
    made: Array = (signs * generator.uniform(0.5, 0.999, count) * largest).astype(kind)
    return made


# Neighbours within which values of a "magnitudes" array cancel.
_CANCELLING = 16


def _cancelling(generator: np.random.Generator, drawn: Array) -> Array:
    """``drawn`` with half of each group of neighbours the negative of the other half, in random places.

    A sum is then what rounding leaves over: it shows the order of its terms also where the result has few bits.
    """
    whole = drawn.size // _CANCELLING * _CANCELLING
    groups = drawn[:whole].reshape(-1, _CANCELLING)
    groups[:, : _CANCELLING // 2] = -groups[:, _CANCELLING // 2 :]
    return np.concatenate([generator.permuted(groups, axis=1).reshape(-1), drawn[whole:]])


def _floats(generator: np.random.Generator, dtype: str, count: int, flavour: Flavour) -> Array:
    kind = numpy_dtype(dtype)
    narrow = dtype == "float16"
    if flavour == "zeros":
        return np.zeros(count, dtype=kind)
    if flavour == "tiny":
        return _tiny(generator, dtype, count)
    if flavour == "huge":
        return _huge(generator, dtype, count)
    if flavour == "equal":
        return np.full(count, generator.standard_normal() * 2.0).astype(kind)
    if flavour == "spike":
        single = np.zeros(count, dtype=kind)
        single[generator.integers(0, max(count, 1), min(count, 1))] = 3.0
        return single
    if flavour == "magnitudes":
        reach = 6.0 if narrow else 16.0
        base = _cancelling(
            generator, generator.standard_normal(count) * np.exp2(generator.uniform(-reach, reach, count))
        )
    elif flavour == "wide":
        reach = 12.0 if narrow else 60.0
        base = generator.standard_normal(count) * np.exp2(generator.uniform(-reach, reach, count))
    elif flavour == "ties":
        base = generator.integers(-24, 25, count) / 4.0
    elif flavour == "unit":
        base = generator.uniform(0.0, 1.0, count)
    else:
        base = generator.standard_normal(count) * 2.0
    with np.errstate(over="ignore"):
        values = base.astype(kind)
    if flavour in ("specials", "one_special") and count:
        specials = _float_specials(dtype)
        chosen = generator.random(count) < _SPECIAL_SHARE
        chosen[generator.integers(0, count)] = True
        values[chosen] = specials[generator.integers(0, len(specials), int(chosen.sum()))]
        if count >= _ROOM_FOR_EACH * len(specials):  # chance alone leaves NaN out of every third array of a hundred
            values[generator.permutation(count)[: len(specials)]] = specials
    return values


_REACH = {"ordinary": 100, "magnitudes": 30000, "ties": 3, "unit": 1, "specials": 1000, "thresholds": 100, "tiny": 2,
          "one_special": 100}  # fmt: skip


def _integers(generator: np.random.Generator, dtype: str, count: int, flavour: Flavour) -> Array:
    limits = np.iinfo(numpy_dtype(dtype))
    signed = limits.min < 0
    if flavour == "zeros":
        return np.zeros(count, dtype=limits.dtype)
    if flavour == "equal":
        return np.full(count, generator.integers(0, min(100, int(limits.max)) + 1)).astype(limits.dtype)
    if flavour == "spike":
        single = np.zeros(count, dtype=limits.dtype)
        single[generator.integers(0, max(count, 1), min(count, 1))] = 3
        return single
    if flavour in ("wide", "huge"):
        raw = generator.bytes(count * limits.dtype.itemsize)
        bits: Array = np.frombuffer(raw, dtype=limits.dtype).copy()
        return bits
    reach = min(_REACH[flavour], int(limits.max))
    values = generator.integers(-reach if signed and flavour != "unit" else 0, reach + 1, count).astype(limits.dtype)
    if flavour == "specials" and count:
        edges = np.array([0, 1, limits.max, limits.min, limits.max - 1], dtype=limits.dtype)
        chosen = generator.random(count) < _SPECIAL_SHARE
        values[chosen] = edges[generator.integers(0, len(edges), int(chosen.sum()))]
    return values


def values(
    generator: np.random.Generator,
    dtype: str,
    count: int,
    flavour: Flavour,
    thresholds: Sequence[float] = (),
) -> Array:
    """``count`` values of ``dtype``.

    ``thresholds``: constants that the kernel compares with; with the flavour of that name half of the values are one
    of them or a neighbour, so that both outcomes of every such comparison happen.
    """
    if dtype == "bool":
        coins: Array = generator.integers(0, 2, count).astype(bool)
        return coins & (flavour != "zeros")
    made = (_floats if is_float(dtype) else _integers)(generator, dtype, count, flavour)
    if flavour == "thresholds" and thresholds and count:
        candidates = [near for value in thresholds for near in (value, value - 1, value + 1)]
        chosen = generator.random(count) < 0.5
        picked = np.array(candidates, dtype=np.float64)[generator.integers(0, len(candidates), int(chosen.sum()))]
        made[chosen] = _converted(picked, dtype)
    return made


def _converted(picked: npt.NDArray[np.float64], dtype: str) -> Array:
    kind = numpy_dtype(dtype)
    if is_float(dtype):
        with np.errstate(over="ignore"):
            return picked.astype(kind)
    limits = np.iinfo(kind)
    # 2**53 keeps the float64 exact, so the clip cannot round up past an integer's maximum.
    low, high = max(float(limits.min), -(2.0**53)), min(float(limits.max), 2.0**53)
    clipped: Array = np.clip(np.nan_to_num(picked), low, high).astype(kind)
    return clipped


# Share of entries that stand for "nothing here" in index data.
_SENTINEL_SHARE = 0.2


def index_values(
    generator: np.random.Generator, dtype: str, count: int, limit: int, sentinels: Sequence[int] = ()
) -> Array:
    """Integers in [0, ``limit``), with repeats and both ends present where there is room.

    ``sentinels``: values that the kernel looks for before it indexes (-1); some entries are one of them.
    """
    limit = max(1, min(limit, int(np.iinfo(numpy_dtype(dtype)).max)))
    made = generator.integers(0, limit, count)
    if count >= 2:
        made[generator.integers(0, count)] = limit - 1
        made[0] = 0
    if sentinels:
        chosen = generator.random(count) < _SENTINEL_SHARE
        made[chosen] = np.asarray(sentinels)[generator.integers(0, len(sentinels), int(chosen.sum()))]
    return made.astype(numpy_dtype(dtype))


def distinct_indices(generator: np.random.Generator, dtype: str, count: int, limit: int) -> Array:
    """The first ``count`` of a permutation of [0, ``limit``); what is more than ``limit`` repeats it."""
    limit = max(1, min(limit, int(np.iinfo(numpy_dtype(dtype)).max)))
    return np.resize(generator.permutation(limit), count).astype(numpy_dtype(dtype))


def row_pointers(generator: np.random.Generator, dtype: str, count: int, limit: int) -> Array:
    """A monotone sequence from 0 to at most ``limit`` with some empty rows (CSR row pointers)."""
    limit = max(0, min(limit, int(np.iinfo(numpy_dtype(dtype)).max)))
    made = np.sort(generator.integers(0, limit + 1, count)) if count else np.zeros(0, dtype=np.int64)
    if count:
        made[0] = 0
        made[-1] = limit
    return made.astype(numpy_dtype(dtype))


def scalar_value(generator: np.random.Generator, dtype: str, flavour: Flavour, thresholds: Sequence[float]) -> Any:
    """One free scalar argument; never NaN or infinite (a special scalar would hide everything else)."""
    loud = ("specials", "wide", "magnitudes", "tiny", "huge", "spike", "equal", "one_special")
    calm: Flavour = "ordinary" if flavour in loud else flavour
    if calm == "zeros" and is_float(dtype):
        return numpy_dtype(dtype).type(0)
    return values(generator, dtype, 1, calm, thresholds)[0]
