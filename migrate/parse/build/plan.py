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


@dataclass
class Plan:
    """Keys name roots and variables by declaration, so that they mean the same in every pass."""

    dtypes: dict[str, DType] = field(default_factory=dict)
    flat: set[str] = field(default_factory=set)
    written_parameters: set[str] = field(default_factory=set)
    held_as_array: set[str] = field(default_factory=set)
    pointer_targets: dict[str, list[str]] = field(default_factory=dict)
    changed: bool = False
    accesses: dict[str, Counter[DType]] = field(default_factory=dict)
    copies: dict[str, Counter[DType]] = field(default_factory=dict)
    declared: dict[str, DType] = field(default_factory=dict)

    def start_pass(self) -> None:
        """Forgets what only the previous pass saw."""
        self.changed = False
        self.accesses.clear()
        self.copies.clear()

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
        if not seen:
            copied = self.copies.get(key)
            if SIZES[declared] > 1 or not copied:
                return self.dtypes.get(key, declared)
            seen = copied
        smallest = min(SIZES[kind] for kind in seen)
        candidates = [kind for kind in seen if SIZES[kind] == smallest]
        if declared in candidates:
            return declared
        floats = [kind for kind in candidates if kind in FLOATS]
        return max(sorted(floats or candidates), key=lambda kind: seen[kind])
