"""Data for an audit: every root gets a style of its own, drawn anew for each case."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from migrate.verify.casefiles import RootSpec, poison
from migrate.verify.dtypes import is_float, numpy_dtype
from migrate.verify.generator import DrawRequest, Recipe, RootHint
from migrate.verify.setting import PointerSetting

Array = npt.NDArray[Any]
Random = np.random.Generator


@dataclass(frozen=True)
class AuditRecipe(Recipe):
    """A recipe whose data are drawn here; ``number`` counts them, so that seed and number name a case."""

    number: int = 0

    @property
    def label(self) -> str:
        """For reports, and enough to draw the case again."""
        return f"audit case {self.number}, {self.setting.label}, seed {self.seed}"


# --- floats ----------------------------------------------------------------------------------------------------------


def _signs(random: Random, count: int) -> Array:
    return random.integers(0, 2, count) * 2.0 - 1.0


def _uniform(random: Random, count: int) -> Array:
    return random.uniform(-1.0, 1.0, count)


def _log_uniform(random: Random, count: int) -> Array:
    return _signs(random, count) * np.exp(random.uniform(-8.0, 8.0, count))


def _lattice(random: Random, count: int) -> Array:
    return random.integers(-40, 41, count) / 8.0


def _sparse(random: Random, count: int) -> Array:
    return np.where(random.random(count) < 0.1, random.standard_normal(count), 0.0)


def _repeated(random: Random, count: int) -> Array:
    few = random.standard_normal(3)
    made: Array = few[random.integers(0, 3, count)]
    return made


def _ascending(random: Random, count: int) -> Array:
    return np.sort(random.standard_normal(count))


def _descending(random: Random, count: int) -> Array:
    return -np.sort(random.standard_normal(count))


def _ramp(random: Random, count: int) -> Array:
    """All different, so that an element taken from the wrong place shows."""
    return (np.arange(count) * 0.37 + random.uniform(0.0, 1.0)) * np.where(np.arange(count) % 2, -1.0, 1.0)


def _cancelling(random: Random, count: int) -> Array:
    """Large values of both signs that nearly cancel: the order of sums shows in the last bits."""
    made = random.standard_normal(count) + 1000.0
    made[1::2] *= -1.0
    return made


_FLOATS: tuple[Callable[[Random, int], Array], ...] = (
    _uniform, _log_uniform, _lattice, _sparse, _repeated, _ascending, _descending, _ramp, _cancelling,
)  # fmt: skip


# --- integers --------------------------------------------------------------------------------------------------------


def _full_range(random: Random, dtype: str, count: int) -> Array:
    kind = numpy_dtype(dtype)
    bits: Array = np.frombuffer(random.bytes(count * kind.itemsize), dtype=kind).copy()
    return bits


def _small(random: Random, dtype: str, count: int) -> Array:
    low = 0 if dtype.startswith("uint") else -9
    return random.integers(low, 10, count).astype(numpy_dtype(dtype))


def _few(random: Random, dtype: str, count: int) -> Array:
    return random.integers(0, 3, count).astype(numpy_dtype(dtype))


def _counting(random: Random, dtype: str, count: int) -> Array:
    start = int(random.integers(0, 50))
    return (np.arange(count, dtype=np.int64) * 3 + start).astype(numpy_dtype(dtype))


def _ordered(random: Random, dtype: str, count: int) -> Array:
    return np.sort(_small(random, dtype, count))


def _powers(random: Random, dtype: str, count: int) -> Array:
    bits = numpy_dtype(dtype).itemsize * 8 - 1
    ones = np.left_shift(np.uint64(1), random.integers(0, bits, count).astype(np.uint64))
    made: Array = (ones + random.integers(0, 2, count).astype(np.uint64)).astype(numpy_dtype(dtype))
    return made


_INTEGERS: tuple[Callable[[Random, str, int], Array], ...] = (
    _full_range, _small, _few, _counting, _ordered, _powers,
)  # fmt: skip


# --- indices ---------------------------------------------------------------------------------------------------------


def _reach(request: DrawRequest, hint: RootHint) -> int:
    """Indices stay below this: what is indexed at first, then ever smaller parts of it, at last one element."""
    if request.tightness >= 4:
        return 1
    if request.tightness == 3:
        return 2
    scalars = request.recipe.setting.scalars.values()
    positive = sorted(int(value) for value in scalars if isinstance(value, int) and 1 < value < 1 << 24)
    known = [request.extents[name] for name in hint.targets if request.extents.get(name, 0) > 0]
    widest = min(known) if known else (positive[0] if positive else 2)
    if request.tightness == 0 or not positive:
        return max(1, widest)
    row = positive[-1] if request.tightness == 1 else positive[0]
    return max(1, min(widest // row if widest > row else widest, positive[0]))


def _indices(random: Random, dtype: str, count: int, reach: int, marks: tuple[int, ...]) -> Array:
    reach = min(reach, int(np.iinfo(numpy_dtype(dtype)).max))
    style = int(random.integers(0, 5))
    if style == 0:  # every index as often as possible: permutations where there are as many places
        made = np.resize(random.permutation(reach), count)
    elif style == 1:
        made = np.sort(random.integers(0, reach, count))
    elif style == 2:  # collisions
        made = np.full(count, random.integers(0, reach))
    elif style == 3:  # only the ends
        made = random.integers(0, 2, count) * (reach - 1)
    else:
        made = random.integers(0, reach, count)
    if marks:
        chosen = random.random(count) < 0.3
        made = np.where(chosen, np.asarray(marks)[random.integers(0, len(marks), count)], made)
    converted: Array = made.astype(numpy_dtype(dtype))
    return converted


def _rows(random: Random, dtype: str, count: int, reach: int) -> Array:
    """Row starts: mostly empty rows and a few long ones."""
    if not count:
        return np.zeros(0, dtype=numpy_dtype(dtype))
    steps = np.where(random.random(count) < 0.5, 0, random.integers(0, 5, count))
    steps[0] = 0
    starts: Array = np.minimum(np.cumsum(steps), reach).astype(numpy_dtype(dtype))
    return starts


# --- roots -----------------------------------------------------------------------------------------------------------


def draw_audit(request: DrawRequest) -> Mapping[str, Array]:
    """Contents of every root of an audit case (see `casefiles.pack`)."""
    zeroed = {
        item.root
        for item in request.recipe.setting.arguments
        if isinstance(item, PointerSetting) and item.contents == "zero"
    }
    inputs = [spec.name for spec in request.specs if is_float(spec.dtype) and spec.role != "out"]
    case = np.random.default_rng([request.recipe.seed, 77])
    # In one case of four a single float input holds NaN and infinities; the others stay finite.
    special = inputs[int(case.integers(0, len(inputs)))] if inputs and case.random() < 0.25 else ""
    return {spec.name: _root(request, spec, spec.name in zeroed, spec.name == special) for spec in request.specs}


def _root(request: DrawRequest, spec: RootSpec, zeroed: bool, special: bool) -> Array:
    initial = request.symbols.get(spec.name)
    if initial is not None:
        return np.frombuffer(initial, dtype=np.uint8)
    if zeroed and spec.role != "in":
        return np.zeros(spec.bytes, dtype=np.uint8)
    if spec.role == "out":
        return poison(spec.dtype, spec.bytes, request.recipe.poison)
    random = np.random.default_rng([request.recipe.seed, zlib.crc32(spec.name.encode()), 101])
    kind = numpy_dtype(spec.dtype)
    count, rest = divmod(spec.bytes, kind.itemsize)
    if is_float(spec.dtype):
        made = _float_root(random, spec.dtype, count, special)
    elif spec.dtype == "bool":
        made = random.random(count) < random.choice([0.1, 0.5, 0.9])
    else:
        made = _integer_root(random, request, spec, count)
    raw: Array = np.ascontiguousarray(made).reshape(-1).view(np.uint8)
    return np.concatenate([raw, np.zeros(rest, dtype=np.uint8)]) if rest else raw


def _float_root(random: Random, dtype: str, count: int, special: bool) -> Array:
    style = _FLOATS[int(random.integers(0, len(_FLOATS)))]
    with np.errstate(over="ignore"):
        made: Array = style(random, count).astype(numpy_dtype(dtype))
    if special and count:
        chosen = random.random(count) < 0.15
        chosen[int(random.integers(0, count))] = True
        odd = np.array([np.nan, np.inf, -np.inf, -0.0]).astype(numpy_dtype(dtype))
        made[chosen] = odd[random.integers(0, len(odd), int(chosen.sum()))]
    return made


def _integer_root(random: Random, request: DrawRequest, spec: RootSpec, count: int) -> Array:
    hint = request.hints.get(spec.name, RootHint())
    if hint.kind == "index":
        marks = hint.sentinels if leaves_buffers(request.recipe, request.hints) and not request.tightness else ()
        return _indices(random, spec.dtype, count, _reach(request, hint), marks)
    if hint.kind == "row_pointers":
        return _rows(random, spec.dtype, count, _reach(request, hint))
    if request.tightness >= 2:  # something that nobody knew to be an index made the original go astray
        return _indices(random, spec.dtype, count, _reach(request, RootHint("index")), ())
    return _INTEGERS[int(random.integers(0, len(_INTEGERS)))](random, spec.dtype, count)


def leaves_buffers(recipe: Recipe, hints: Mapping[str, RootHint]) -> bool:
    """Whether index data of this case hold values that the kernel must look for before it indexes."""
    return recipe.seed % 2 == 0 and any(hint.sentinels for hint in hints.values())
