"""Decisions that one pass over a kernel's AST finds out and the next pass follows.

Some choices depend on uses that come later: the dtype of a buffer that is read as several types, whether an array of
arrays is always fully subscripted, where a pointer variable may point. The builder guesses, records what it learns
here, and builds again while something changed. The result of a pass that changed the plan is thrown away.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from migrate.ir.kernel import DType
from migrate.parse.build.types import FLOATS, SIZES

_BITS: dict[int, DType] = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}


@dataclass
class Plan:
    """Keys name roots and variables by declaration, so that they mean the same in every pass."""

    dtypes: dict[str, DType] = field(default_factory=dict)
    flat: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    held_as_array: set[str] = field(default_factory=set)
    pointer_targets: dict[str, list[str]] = field(default_factory=dict)
    changing_roots: set[str] = field(default_factory=set)
    changed: bool = False
    accesses: dict[str, Counter[DType]] = field(default_factory=dict)
    copies: dict[str, Counter[DType]] = field(default_factory=dict)
    at_most: dict[str, int] = field(default_factory=dict)
    atomics: dict[str, set[DType]] = field(default_factory=dict)
    declared: dict[str, DType] = field(default_factory=dict)

    def start_pass(self) -> None:
        """Forgets what only the previous pass saw."""
        self.changed = False
        self.accesses.clear()
        self.copies.clear()
        self.atomics.clear()

    def add_to(self, group: set[str], key: str) -> None:
        """Adds a key to one of the plan's sets."""
        if key not in group:
            group.add(key)
            self.changed = True

    def add_target(self, key: str, target: str) -> int:
        """Index of a root among those that a pointer variable may point into."""
        known = self.pointer_targets.setdefault(key, [])
        if target not in known:
            known.append(target)
            self.changed = len(known) > 1 or self.changed
        return known.index(target)

    def limit(self, key: str, size: int) -> None:
        """A pointer step or member position needs elements of at most ``size`` bytes; stays so in later passes."""
        if size < self.at_most.get(key, 16):
            self.at_most[key] = size
            self.changed = True

    def settle(self) -> bool:
        """Chooses dtypes from the accesses of this pass; True if another pass is needed."""
        for key, declared in self.declared.items():
            wanted = self._choose(key, declared)
            if wanted != self.dtypes.get(key, declared):
                self.dtypes[key] = wanted
                self.changed = True
        return self.changed

    def _choose(self, key: str, declared: DType) -> DType:
        seen = self.accesses.get(key)
        limit = self.at_most.get(key, 16)
        if not seen:
            copied = self.copies.get(key)
            if SIZES[declared] > 1 or not copied:
                known = self.dtypes.get(key, declared)
                return known if SIZES[known] <= limit else _BITS[limit]
            seen = copied
        smallest = min(limit, *(SIZES[kind] for kind in seen))
        candidates = [kind for kind in seen if SIZES[kind] == smallest]
        atomics = self.atomics.get(key, set())
        if len(atomics) == 1 and SIZES[next(iter(atomics))] == smallest and not may_pun(declared, *atomics):
            return next(iter(atomics))
        if not candidates:
            return declared if SIZES[declared] == smallest else _BITS[smallest]
        if declared in candidates:
            return declared
        floats = [kind for kind in candidates if kind in FLOATS]
        return max(sorted(floats or candidates), key=lambda kind: seen[kind])


def may_pun(*dtypes: DType) -> bool:
    """An atomic may read an element of one of these types as another: 32- and 64-bit words of one size."""
    sizes = {SIZES[dtype] for dtype in dtypes}
    return len(sizes) == 1 and sizes <= {4, 8}
