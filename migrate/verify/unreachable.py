"""Branch outcomes of the original that no launch of the plan can take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from migrate.ir.kernel import Kernel
from migrate.oracle.api import Arc
from migrate.verify.evidence import ExcusedArc
from migrate.verify.intervals import Place, condition_values
from migrate.verify.setting import Setting


@dataclass(frozen=True)
class Excuser:
    """What is known of the kernel's conditions under all launches of the plan."""

    values: Mapping[Place, frozenset[bool]]
    dead: frozenset[Place]

    @staticmethod
    def for_kernel(kernel: Kernel, settings: Sequence[Setting]) -> Excuser:
        """Evaluates every condition of ``kernel`` under every setting."""
        values, dead = condition_values(kernel, settings)
        return Excuser(values, frozenset(dead))

    def excused(self, arcs: Sequence[Arc], taken: Sequence[bool]) -> list[ExcusedArc]:
        """Untaken arcs that are provably unreachable.

        Arcs know their line only, so this is counted by line: a condition that is always the same leaves exactly one
        of its two arcs untaken. Where a line has as many untaken arcs as such conditions, these arcs are theirs.
        """
        by_line: dict[tuple[str, int], list[int]] = {}
        for position, arc in enumerate(arcs):
            by_line.setdefault((arc.file, arc.line), []).append(position)
        found: list[ExcusedArc] = []
        for (file, line), positions in by_line.items():
            untaken = [position for position in positions if not taken[position]]
            if not untaken:
                continue
            conditions = [place for place in self.values if place[1] == line and _same_file(place[0], file)]
            dead = [place for place in self.dead if place[1] == line and _same_file(place[0], file)]
            constant = [place for place in conditions if len(self.values[place]) == 1]
            if not conditions and dead:
                found += [ExcusedArc(item, "inside a branch that is never entered") for item in untaken]
            elif len(positions) == 2 * (len(conditions) + len(dead)) and len(untaken) == len(constant) + 2 * len(dead):
                found += [
                    ExcusedArc(item, "its condition is constant for the launches of the plan") for item in untaken
                ]
        return found


def _same_file(left: str, right: str) -> bool:
    """Spans are relative to the root; an arc's file may be absent or relative to something else."""
    return not right or left == right or left.endswith("/" + right) or right.endswith("/" + left)
