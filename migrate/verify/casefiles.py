"""Case files: where each root lies in case.bin, guard bands, poison, and reading results back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from migrate.verify.case import GUARD_BYTES, Case, Root
from migrate.verify.dtypes import numpy_dtype

ALIGNMENT = 256
# Neither pattern is a NaN in any float dtype, so "never written" cannot hide behind "any NaN equals any NaN".
# Fills of what is written only; NaN in no float dtype.
POISONS = (0xCD, 0x3B, 0x5A, 0x42, 0xB7)
_GUARD_PERIOD = 251  # a prime, so that a shifted copy of a guard band is not a guard band

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class RootSpec:
    """A root before it has a place: ``bytes`` may be zero."""

    name: str
    dtype: str
    bytes: int
    role: str = "inout"


def place(specs: Sequence[RootSpec]) -> tuple[tuple[Root, ...], int]:
    """Roots with their starts, and the total size of case.bin."""
    roots: list[Root] = []
    position = 0
    for spec in specs:
        start = -(-(position + GUARD_BYTES) // ALIGNMENT) * ALIGNMENT
        roots.append(Root(spec.name, spec.dtype, spec.bytes, start, spec.role))
        position = start + spec.bytes + GUARD_BYTES
    # A kernel without buffers still has a file, all guard band.
    return tuple(roots), max(position, GUARD_BYTES)


def guard_pattern(start: int, stop: int) -> Bytes:
    """The bytes that stand in guard bands at positions ``start`` … ``stop`` of case.bin."""
    pattern: Bytes = (np.arange(start, stop, dtype=np.int64) % _GUARD_PERIOD).astype(np.uint8) ^ np.uint8(0xA5)
    return pattern


def guard_ranges(case: Case) -> list[tuple[int, int]]:
    """Byte ranges of case.bin that belong to no root."""
    ranges: list[tuple[int, int]] = []
    position = 0
    for root in sorted(case.roots, key=lambda item: item.start):
        ranges.append((position, root.start))
        position = root.start + root.bytes
    ranges.append((position, case.total_bytes))
    return [(low, high) for low, high in ranges if high > low]


def poison(dtype: str, count_bytes: int, which: int) -> Bytes:
    """Filling of a root that is written and never read first. ``which`` chooses the pattern."""
    if dtype == "bool":
        return np.full(count_bytes, 1 - which % 2, dtype=np.uint8)
    return np.full(count_bytes, POISONS[which % len(POISONS)], dtype=np.uint8)


def pack(case: Case, contents: Mapping[str, npt.NDArray[np.generic]]) -> bytes:
    """case.bin of ``case``: every root's contents between guard bands.

    ``contents``: one array a root, of any dtype; its bytes must be exactly the root's. Raises ValueError otherwise.
    """
    data = guard_pattern(0, case.total_bytes)
    for root in case.roots:
        raw = np.ascontiguousarray(contents[root.name]).reshape(-1).view(np.uint8)
        if raw.nbytes != root.bytes:
            raise ValueError(f"{root.name}: {raw.nbytes} bytes given, {root.bytes} wanted")
        data[root.start : root.start + root.bytes] = raw
    return data.tobytes()


def root_view(case: Case, data: Bytes, root: Root) -> npt.NDArray[np.generic]:
    """The elements of ``root`` inside ``data``, a view (whole elements only)."""
    dtype = numpy_dtype(root.dtype)
    count = root.bytes // dtype.itemsize
    return data[root.start : root.start + count * dtype.itemsize].view(dtype)
