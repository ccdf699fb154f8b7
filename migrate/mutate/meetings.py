"""Whether accesses of two threads ever meet: indices of shared and global memory, compared by z3."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from migrate.mutate.formulas import z3
from migrate.mutate.values import TIMEOUT_MS, Prover
from migrate.mutate.view import BuilderView

WARP = 32


@dataclass(frozen=True)
class _Access:
    """One access to an element; ``known``: its index is that of the text (else any)."""

    node: ast.Subscript
    buffer: str
    writes: bool
    known: bool


def never_meet(
    view: BuilderView,
    sides: tuple[set[ast.AST], set[ast.AST]],
    blocks: Iterable[tuple[int, int, int]],
    parameters: Iterable[str],
    ordering: str,
) -> bool:
    """Whether no thread touches on one side what another thread (of its warp, if ``ordering`` says so) touches on the
    other, unless both only read. ``sides``: simple statements and conditions before and after a barrier.
    """
    sizes, known = sorted(set(blocks)), frozenset(parameters)
    if z3 is None or not sizes:
        return False
    lists = [_accesses(view, side) for side in sides]
    if lists[0] is None or lists[1] is None:
        return False
    pairs = [
        (left, right)
        for left, right in product(lists[0], lists[1])
        if left.buffer == right.buffer and (left.writes or right.writes)
    ]
    for block in sizes:
        provers = Prover(view, block, known, "left "), Prover(view, block, known, "right ")
        for prover in provers:
            prover.find_invariants()
        if not all(_apart(provers, left, right, ordering) for left, right in pairs):
            return False
    return True


def _accesses(view: BuilderView, nodes: Iterable[ast.AST]) -> list[_Access] | None:
    """Accesses of memory that others see; None where a macro hides them."""
    found: list[_Access] = []
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in view.macros:
                return None
            if not isinstance(part, ast.Subscript):
                continue
            if not isinstance(part.value, ast.Name) or not view.is_memory(part.value):
                return None
            name = part.value.id
            if view.memory[name] == "local":
                continue
            _, written = view.touched(part)
            by_address = name in written and isinstance(part.ctx, ast.Load)
            found.append(_Access(part, name, name in written, not by_address))
    return found


def _apart(provers: tuple[Prover, Prover], left: _Access, right: _Access, ordering: str) -> bool:
    if not left.known or not right.known:
        return False
    places: list[list[z3.ArithRef]] = []
    for prover, access in zip(provers, (left, right), strict=True):
        prover.begin(access.node)
        index = access.node.slice
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        places.append([prover.translate(part, {}) for part in parts])
        for axis in range(3):
            prover.thread(axis)
    first, second = provers
    if len(places[0]) != len(places[1]) or any(z3.is_bool(part) for side in places for part in side):
        return False
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*first.facts, *second.facts)
    solver.add(z3.Or(*(first.thread(axis) != second.thread(axis) for axis in range(3))))
    solver.add(*(one == other for one, other in zip(*places, strict=True)))
    if ordering == "warp":
        solver.add(_linear(first) / WARP == _linear(second) / WARP)
    return bool(solver.check() == z3.unsat)


def _linear(prover: Prover) -> z3.ArithRef:
    width, height, _ = prover.block
    return prover.thread(0) + width * (prover.thread(1) + height * prover.thread(2))
