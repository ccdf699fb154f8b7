"""Branch outcomes of the original that no launch of the plan can take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from migrate.ir.kernel import Kernel, PointerParam
from migrate.ir.span import Span
from migrate.oracle.api import Arc
from migrate.verify.evidence import ExcusedArc
from migrate.verify.intervals import Place, condition_values
from migrate.verify.setting import Setting

# The builder's note that a pointer is tested for null; a port's launcher takes real arrays only.
NULL_TEST_NOTE = "TLM108"
NULL_REASON = "the pointer is never null in a port: its launcher refuses null"
_ASSERTION = re.compile(r"(?:assert|CUDA_KERNEL_ASSERT|gpu_assert|device_assert)\s*\(")


@dataclass(frozen=True)
class Excuser:
    """What is known of the kernel's conditions under all launches of the plan.

    ``pointers``: names of pointer parameters, given only where the kernel tests one for null. ``left_out``: branches
    that a constant condition (such as a pointer that is never null) does not enter.
    """

    values: Mapping[Place, frozenset[bool]]
    dead: frozenset[Place]
    pointers: tuple[str, ...] = ()
    left_out: tuple[Span, ...] = ()

    @staticmethod
    def for_kernel(kernel: Kernel, settings: Sequence[Setting]) -> Excuser:
        """Evaluates every condition of ``kernel`` under every setting."""
        values, dead = condition_values(kernel, settings)
        pointers: tuple[str, ...] = ()
        if NULL_TEST_NOTE in kernel.notes:
            pointers = tuple(item.buffer.name for item in kernel.params if isinstance(item, PointerParam))
        return Excuser(values, frozenset(dead), pointers, kernel.left_out)

    def excused(self, arcs: Sequence[Arc], taken: Sequence[bool]) -> list[ExcusedArc]:
        """Untaken arcs that are provably unreachable.

        Arcs know their line only, so this is counted by line and compiled function (a template has several): a
        condition that is always the same leaves exactly one of its two arcs untaken. Where a line has as many untaken
        arcs as such conditions, these arcs are theirs.
        """
        by_line: dict[tuple[str, int, str], list[int]] = {}
        for position, arc in enumerate(arcs):
            by_line.setdefault((arc.file, arc.line, arc.function), []).append(position)
        found: list[ExcusedArc] = []
        for (file, line, _), positions in by_line.items():
            untaken = [position for position in positions if not taken[position]]
            if not untaken:
                continue
            found += self._on_line(arcs, file, line, positions, untaken)
        return found

    def _on_line(
        self, arcs: Sequence[Arc], file: str, line: int, positions: Sequence[int], untaken: Sequence[int]
    ) -> list[ExcusedArc]:
        stopping = [position for position in untaken if arcs[position].stops]
        if stopping:
            rest = [position for position in untaken if position not in stopping]
            more = self._on_line(arcs, file, line, positions, rest) if rest else []
            return [*(ExcusedArc(item, "the original stops there with an error") for item in stopping), *more]
        conditions = [place for place in self.values if place[1] == line and _same_file(place[0], file)]
        dead = [place for place in self.dead if place[1] == line and _same_file(place[0], file)]
        constant = [place for place in conditions if len(self.values[place]) == 1]
        text = arcs[positions[0]].text
        if _ASSERTION.match(text) and len(untaken) == len(positions) // 2:
            return [ExcusedArc(item, "the original stops at a failed assertion") for item in untaken]
        nulls = self._null_tests(text)
        if not conditions and dead:
            return [ExcusedArc(item, "inside a branch that is never entered") for item in untaken]
        if not conditions and not nulls and self._never_entered(file, line):
            return [ExcusedArc(item, "inside a branch that a constant condition leaves out") for item in untaken]
        explained = len(constant) + 2 * len(dead) + nulls
        if len(positions) != 2 * (len(conditions) + len(dead) + nulls) or len(untaken) != explained:
            return []
        reason = NULL_REASON if nulls else "its condition is constant for the launches of the plan"
        return [ExcusedArc(item, reason) for item in untaken]

    def _never_entered(self, file: str, line: int) -> bool:
        """Whether all of the line is inside of a branch that is left out, past the line of the branch's condition."""
        return any(span.line < line <= span.end_line and _same_file(span.file, file) for span in self.left_out)

    def _null_tests(self, text: str) -> int:
        """How many pointer parameters the line tests for null: ``p != nullptr``, ``!p``, ``p &&``, ``(p)``, ``p ?``."""
        found = 0
        for name in self.pointers:
            word = rf"(?<![\w.>]){re.escape(name)}"
            null = r"(?:nullptr|NULL|0)\b"
            forms = (
                rf"{word}\s*[!=]=\s*{null}|{null}\s*[!=]=\s*{re.escape(name)}\b"
                rf"|(?:[(!]|&&|\|\|)\s*{word}\s*(?:\)|&&|\|\||\?)"
                rf"|(?:^|[,=]|\breturn)\s*{word}\s*\?"
            )
            found += len(re.findall(forms, text))
        return found


def _same_file(left: str, right: str) -> bool:
    """Spans are relative to the root; an arc's file may be absent or relative to something else."""
    return not right or left == right or left.endswith("/" + right) or right.endswith("/" + left)
