"""Guesses for host values that nothing determines, by the name they go under.

Sizes are multiples of 32 because many kernels have no bounds guard; different roots get different sizes so that a
swapped dimension shows.
"""

from __future__ import annotations

import math
import re
from typing import Literal

Role = Literal["device", "size", "count", "block", "small", "iterations", "seed", "other"]

_PITCH = r"(?i)pitch|^ld[abc]?$|stride"

# (name pattern, role, guess). The first match counts.
_ROWS: tuple[tuple[str, Role, int], ...] = (
    # Properties of the device and of the call: those of a small device, so that grids made from them stay small, and
    # a program started without arguments.
    (r"(?i)multi_?processor_?count|num_?sms?$|sm_?count", "device", 4),
    (r"(?i)max_?threads_?per_?(multi_?processor|sm)|threads_per_sm", "device", 2048),
    (r"(?i)max_?threads_?per_?block$", "device", 1024),
    (r"(?i)shared_?mem_?per_?", "device", 49152),
    (r"(?i)^warp_?size$", "device", 32),
    (r"^argc$", "device", 1),
    (r"(?i)dilat", "small", 1),
    # A padded length is a length, and no shorter than what it was before.
    (r"(?i)(^|_)padded(_|$)", "size", 512),
    (r"(?i)^pad|_pad", "small", 1),
    (
        r"(?i)kernel_?[hwd]$|kernel_?size|ksize|filter_?(size|w|h|radius|length)|pool_?(w|h|size)|radius|^r$|halo|window",
        "small",
        3,
    ),
    (r"(?i)^stride(_[hwd]|s)?$|_stride$|^s$", "small", 2),
    (r"(?i)group|expert|top_?k", "small", 2),
    # How many of something large there are, and which of them: buffers are one after another, so that a usual size here
    # would put the last one far behind what a run can hold.
    (r"(?i)(^|_)n?_?layers?(_?(count|num))?$|(num|n)_?(process(es)?|ranks?|gpus|devices)$|^world_?size$", "small", 2),
    (r"^l$|(?i:^(layer|rank)_?(id|idx|index)?$)", "small", 1),
    (r"(?i)(num_?|n_?)?(q_|kv_)?heads?$|^nh$|head_?num|^num_head", "count", 4),
    (r"(?i)(^|_)(b|bs|batch|batch_?size|nb|batches)$", "count", 2),
    (
        r"(?i)block_?(size|dim|s|x|y)?$|threads?(_?x|_?y)?$|^bs[xy]?$|threads?_?per|nthreads|block_?size|"
        r"^num_?threads|^tile|tile_?(size|dim)",
        "block",
        64,
    ),
    (r"(?i)iter|steps?$|repeat|times|pass|epoch|n_?runs|reps?$", "iterations", 2),
    (r"(?i)seed", "seed", 42),
    (r"(?i)device|verbose|flag|mode|kernel_?num|algorithm|is_|use_|causal", "other", 0),
    (r"(?i)grid|blocks$", "small", 4),
    # Rows lie further apart than they are long, else they overlap.
    (_PITCH, "size", 160),
    (r"(?i)^(k|kdim)$", "size", 64),
    (r"(?i)^(m|n?rows?|height|h|t|ny|seq_?len|row_?size|.*_?height|.*_h|.*rows?)$", "size", 64),
    (
        r"(?i)^(n|n?cols?|width|w|nx|nz|c|channels?|.*dim|hidden.*|d|oc|ic|v|vp|col_?size|.*_?width|.*_w|.*cols?|"
        r".*channels?|.*features?)$",
        "size",
        96,
    ),
    (
        r"(?i)(size|len|length|count|num|elem|total|^n|n_|_n$|^n[a-z]?$|nb|max|points|atoms|nodes|edges|bytes|"
        r"\.size\(|numel)",
        "size",
        256,
    ),
    (r"[a-z0-9]N$", "size", 256),  # dataN, pathN
    (r"[a-z0-9]H$", "size", 64),  # imageH
    (r"[a-z0-9]W$", "size", 96),
)
_TABLE: tuple[tuple[re.Pattern[str], Role, int], ...] = tuple(
    (re.compile(pattern), role, guess) for pattern, role, guess in _ROWS
)
SPLIT = re.compile(r"\.|->|::")
SMALL_VALUE = 32  # a host constant up to here is kept: it is a radius, a stride, a number of heads
POWER_CAP = 128


def last_name(name: str) -> str:
    """The member name that a dotted path ends with; calls such as ``x.size(0)`` stay whole."""
    if name.endswith(")"):
        return name
    return SPLIT.split(name)[-1]


def role_of(name: str) -> tuple[Role, int | None]:
    """Role and raw guess of a name; ("other", None) where the table has nothing."""
    short = last_name(name)
    for pattern, role, guess in _TABLE:
        if pattern.search(short):
            return role, guess
    return "other", None


def is_pitch(name: str) -> bool:
    """Whether the name is that of a distance between rows."""
    return re.search(_PITCH, last_name(name)) is not None and role_of(name)[0] == "size"


class GuessTable:
    """Guesses of one host function: one value a name, sizes distinct."""

    def __init__(self) -> None:
        self._values: dict[str, int | float] = {}

    def copy(self) -> GuessTable:
        """An independent copy."""
        other = GuessTable()
        other._values = dict(self._values)
        return other

    def keep(self, name: str, value: int | float) -> None:
        """Takes over a guess made elsewhere."""
        self._values[name] = value

    def guess(self, name: str, dtype: str, *, hint: str = "", value: int | float | None = None) -> int | float:
        """The guess for root ``name``.

        ``hint``: a better name (the variable that the value was stored in). ``value``: what host code gives; small
        values are kept, large ones shrink to a size with the same power-of-two factor (at most 128).
        """
        if name in self._values:
            return self._values[name]
        self._values[name] = chosen = self._choose(hint or name, dtype, value)
        return chosen

    def _choose(self, name: str, dtype: str, value: int | float | None) -> int | float:
        if dtype in ("float16", "bfloat16", "float32", "float64"):
            return 0.5 if value is None or not math.isfinite(value) else float(value)
        if dtype == "bool":
            return 0 if value is None else int(value)
        role, raw = role_of(name)
        if value is not None:
            number = int(value)
            if role == "count" and raw:
                return min(number, raw)
            if role != "size" or number <= SMALL_VALUE:
                return min(number, raw) if role in ("small", "iterations") and raw and number > SMALL_VALUE else number
            factor = min(number & -number, POWER_CAP)
            base = raw or 64
            if number <= base:
                return number
            return self._distinct(-(-base // factor) * factor, max(32, factor), number)
        if raw is None:
            return 16
        return self._distinct(raw, 32, None) if role == "size" else raw

    def _distinct(self, start: int, step: int, limit: int | None) -> int:
        taken = set(self._values.values())
        chosen = start
        while chosen in taken:
            chosen += step
        return start if limit is not None and chosen > limit else chosen
