"""The default generator: which cases to try in which order, and the data of each root.

Deterministic: the same plan, seed and sizes give the same bytes. A second, separately written generator exists for
audits; they share nothing but the value tables.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from migrate.verify.casefiles import POISONS, RootSpec, poison
from migrate.verify.dtypes import is_float, numpy_dtype
from migrate.verify.setting import PointerSetting, Setting
from migrate.verify.values import Array, Flavour, distinct_indices, index_values, row_pointers, values

GENERATOR_VERSION = 7
# Ranges of index-like data, from the widest that may fit to one that always does: elements of what is indexed; rows of
# it; the same for integers that the analysis does not know as indices; two values; zero.
TIGHTNESS_LEVELS = 5
_EVERY_INTEGER = 2
# Of recipes whose index data must not collide, one in so many has them sorted, with repeats, instead of all different.
SORTED_EVERY = 3
# Recipes that use two poison patterns only.
TWO_POISONS = 8


@dataclass(frozen=True)
class RootHint:
    """What the access analysis says of a root's data. ``targets``: roots that its values index.

    ``sentinels``: values outside every buffer that the kernel compares the data with before it indexes; ``bounds``:
    integer parameters that it compares them with, so that their values may lie outside as well.
    """

    kind: Literal["values", "index", "row_pointers"] = "values"
    targets: tuple[str, ...] = ()
    sentinels: tuple[int, ...] = ()
    bounds: tuple[str, ...] = ()

    def outside(self, setting: Setting) -> tuple[int, ...]:
        """Values that a kernel with guards does not index with: its marks, its bounds and what follows them."""
        ends = (setting.scalars.get(name) for name in self.bounds)
        beyond = {end + more for end in ends if isinstance(end, int) for more in (0, 1)}
        return (*self.sentinels, *sorted(beyond))


@dataclass(frozen=True)
class Recipe:
    """One case to try: a setting, a flavour of data, and which poison fills write-only roots."""

    setting: Setting
    flavour: Flavour
    seed: int
    poison: int

    @property
    def label(self) -> str:
        """For reports: setting, flavour, seed."""
        return f"{self.setting.label}, {self.flavour}, seed {self.seed}"


@dataclass(frozen=True)
class DrawRequest:
    """Everything that decides a case's bytes. ``extents``: elements of the roots whose size the host side states.

    ``distinct``: index data name no element twice, as far as there are enough, or are sorted.
    """

    recipe: Recipe
    specs: Sequence[RootSpec]
    hints: Mapping[str, RootHint] = field(default_factory=dict)
    extents: Mapping[str, int] = field(default_factory=dict)
    thresholds: Sequence[float] = ()
    tightness: int = 0
    symbols: Mapping[str, bytes | None] = field(default_factory=dict)
    distinct: bool = False


# The first eight cover every family once; sizes and flavours alternate so that neither hides the other.
_OPENING: tuple[tuple[bool, Flavour], ...] = (
    (True, "ordinary"),
    (False, "magnitudes"),
    (True, "specials"),
    (False, "ordinary"),
    (True, "thresholds"),
    (False, "ties"),
    (False, "unit"),
    (False, "wide"),
)
# Families that few kernels ask for stand between those that many do.
_LATER: tuple[Flavour, ...] = (
    "thresholds",
    "one_special",
    "tiny",
    "zeros",
    "ordinary",
    "spike",
    "specials",
    "huge",
    "wide",
    "equal",
    "unit",
    "ties",
    "magnitudes",
)
# Flavours whose index data hold sentinels, unless that turns out to reach outside.
_WITH_SENTINELS: frozenset[Flavour] = frozenset({"thresholds", "specials", "ties"})


def recipes(settings: Sequence[Setting], seed: int) -> Iterator[Recipe]:
    """Cases to try, best first: the opening mix, then every setting with every flavour. Finite.

    ``settings``: the plan's own first. Ends after settings × flavours (at most a few hundred).
    """
    if not settings:
        return
    bases = [item for item in settings if item.base] or [settings[0]]
    others = [item for item in settings if item not in bases] or bases
    used: set[tuple[int, Flavour]] = set()
    base_turn = other_turn = 0
    number = 0

    def make(setting: Setting, flavour: Flavour) -> Recipe:
        nonlocal number
        number += 1
        used.add((id(setting), flavour))
        # Two patterns at first, so that cases of one setting can be compared; where sizes cannot vary, more must.
        pattern = number % 2 if number <= TWO_POISONS else number % len(POISONS)
        return Recipe(setting, flavour, seed * 1000 + number, pattern)

    for from_base, flavour in _OPENING:
        if from_base:
            setting = bases[base_turn % len(bases)]
            base_turn += 1
        else:
            setting = others[other_turn % len(others)]
            other_turn += 1
        yield make(setting, flavour)
    ordered = [*others[other_turn % len(others) :], *bases, *others[: other_turn % len(others)]]
    # Settings and flavours move together, so that neither has to be exhausted before the other changes.
    for shift in range(len(_LATER)):
        for place, setting in enumerate(ordered):
            flavour = _LATER[(place + shift) % len(_LATER)]
            if (id(setting), flavour) not in used:
                yield make(setting, flavour)


def has_sentinels(recipe: Recipe, hints: Mapping[str, RootHint]) -> bool:
    """Whether the recipe's index data hold values outside every buffer (at the widest range only)."""
    return recipe.flavour in _WITH_SENTINELS and any(hint.outside(recipe.setting) for hint in hints.values())


def _small_scalar(setting: Setting) -> int:
    """The smallest plain integer parameter above one: index data below it fits most shapes."""
    sizes = [value for value in setting.scalars.values() if isinstance(value, int) and 1 < value < 1 << 30]
    return min(sizes, default=2)


def _index_limit(request: DrawRequest, hint: RootHint) -> int:
    if request.tightness >= TIGHTNESS_LEVELS - 1:
        return 1
    if request.tightness == TIGHTNESS_LEVELS - 2:
        return 2
    small = _small_scalar(request.recipe.setting)
    known = [elements for root, elements in request.extents.items() if root in hint.targets and elements > 0]
    if not known:
        return small
    return min(known) if request.tightness == 0 else min(_rows(request.recipe.setting, one, small) for one in known)


def _rows(setting: Setting, elements: int, otherwise: int) -> int:
    """Rows of a table of ``elements``, if one of the integer parameters is a row's length."""
    lengths = [value for value in setting.scalars.values() if isinstance(value, int) and 1 < value < elements]
    dividing = [value for value in lengths if elements % value == 0]
    return elements // max(dividing) if dividing else min(otherwise, elements)


def _zeroed_roots(setting: Setting) -> set[str]:
    return {item.root for item in setting.arguments if isinstance(item, PointerSetting) and item.contents == "zero"}


def draw(request: DrawRequest) -> dict[str, Array]:
    """Contents of every root (see `casefiles.pack`)."""
    zeroed = _zeroed_roots(request.recipe.setting)
    recipe = request.recipe
    floats = [spec.name for spec in request.specs if is_float(spec.dtype) and spec.role != "out"]
    special = floats[recipe.seed % len(floats)] if floats else ""
    calm = replace(request, recipe=replace(recipe, flavour="ordinary"))
    drawn: dict[str, Array] = {}
    for spec in request.specs:
        # NaN in every input at once hides what a port does with NaN in one of them.
        spared = recipe.flavour == "one_special" and spec.name != special
        drawn[spec.name] = _draw_root(calm if spared else request, spec, zeroed=spec.name in zeroed)
    return drawn


def _draw_root(request: DrawRequest, spec: RootSpec, *, zeroed: bool) -> Array:
    raw = request.symbols.get(spec.name)
    if raw is not None:
        return np.frombuffer(raw, dtype=np.uint8)
    if zeroed and spec.role != "in" and (request.recipe.poison or not is_float(spec.dtype)):
        # Counters must start at zero; float accumulators do so in every other case. What this kernel only reads was
        # zeroed for some earlier kernel that filled it.
        return np.zeros(spec.bytes, dtype=np.uint8)
    if spec.role == "out":
        return poison(spec.dtype, spec.bytes, request.recipe.poison)
    kind = numpy_dtype(spec.dtype)
    count, tail = divmod(spec.bytes, kind.itemsize)
    # The root's own stream: adding or growing another root does not change this one's values.
    generator = np.random.default_rng([request.recipe.seed, zlib.crc32(spec.name.encode())])
    made = _elements(request, spec, generator, count)
    raw_bytes: Array = made.reshape(-1).view(np.uint8)
    return np.concatenate([raw_bytes, np.zeros(tail, dtype=np.uint8)]) if tail else raw_bytes


def _elements(request: DrawRequest, spec: RootSpec, generator: np.random.Generator, count: int) -> Array:
    hint = request.hints.get(spec.name, RootHint())
    integral = not is_float(spec.dtype) and spec.dtype != "bool"
    if integral and hint.kind == "index":
        marked = request.recipe.flavour in _WITH_SENTINELS and not request.tightness
        sentinels = hint.outside(request.recipe.setting) if marked else ()
        return _indices(request, generator, spec.dtype, count, _index_limit(request, hint), sentinels)
    if integral and hint.kind == "row_pointers":
        return row_pointers(generator, spec.dtype, count, _index_limit(request, hint))
    if integral and request.tightness >= _EVERY_INTEGER:
        # The analysis missed that these values steer accesses: treat every integer as an index.
        return _indices(request, generator, spec.dtype, count, _index_limit(request, RootHint("index")))
    return values(generator, spec.dtype, count, request.recipe.flavour, request.thresholds)


def _indices(
    request: DrawRequest,
    generator: np.random.Generator,
    dtype: str,
    count: int,
    limit: int,
    sentinels: Sequence[int] = (),
) -> Array:
    if not request.distinct:
        return index_values(generator, dtype, count, limit, sentinels)
    if request.recipe.seed % SORTED_EVERY == 0:
        return np.sort(index_values(generator, dtype, count, limit))  # equal ones stand together, as after a sort
    return distinct_indices(generator, dtype, count, limit)
