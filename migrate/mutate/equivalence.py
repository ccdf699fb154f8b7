"""Mutants that mean the same as the port: only what is proven here is left out of the count.

Two proofs. *Same code*: for every block size that the cases use, the host compiler makes the same machine code of both
programs, so no input tells them apart. *Idle barrier*: memory that other threads may see is not both written on one
side of a barrier and touched on the other, up to the next barrier on every path, or z3 shows that the indices of two
different threads never meet there; then the order of the two sides does not matter, and leaving the barrier out (or
moving it past statements that touch no such memory) changes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from migrate.mutate.meetings import never_meet
from migrate.mutate.view import BuilderView, Mutation, called, is_barrier


def same_code(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two lists of compiled libraries hold the same bytes, pairwise."""
    if not left or len(left) != len(right):
        return False
    return all(
        one == other or Path(one).read_bytes() == Path(other).read_bytes()
        for one, other in zip(left, right, strict=True)
    )


@dataclass(eq=False)
class _Step:
    """A simple statement or a condition, with what may run next and before."""

    node: ast.AST
    barrier: str = ""  # what it orders: block or warp
    after: list[_Step] = field(default_factory=list)
    before: list[_Step] = field(default_factory=list)


class _Graph:
    """Control flow of one body of statements; loops lead back to their start."""

    def __init__(self, body: Sequence[ast.stmt]):
        self.steps: dict[ast.AST, _Step] = {}
        self.end = _Step(ast.Pass())
        entry = _Step(ast.Pass())
        self._link(self._block(body, [entry], [], []), self.end)

    def _step(self, node: ast.AST, sources: Sequence[_Step], barrier: str = "") -> _Step:
        step = _Step(node, barrier)
        self.steps[node] = step
        self._link(sources, step)
        return step

    @staticmethod
    def _link(sources: Sequence[_Step], target: _Step) -> None:
        for source in sources:
            source.after.append(target)
            target.before.append(source)

    def _block(
        self, body: Sequence[ast.stmt], sources: list[_Step], breaks: list[_Step], continues: list[_Step]
    ) -> list[_Step]:
        for statement in body:
            sources = self._statement(statement, sources, breaks, continues)
        return sources

    def _statement(
        self, statement: ast.stmt, sources: list[_Step], breaks: list[_Step], continues: list[_Step]
    ) -> list[_Step]:
        if isinstance(statement, ast.If):
            test = self._step(statement.test, sources)
            then = self._block(statement.body, [test], breaks, continues)
            return [*then, *self._block(statement.orelse, [test], breaks, continues)]
        if isinstance(statement, (ast.While, ast.For)):
            test = self._step(statement.test if isinstance(statement, ast.While) else statement.iter, sources)
            left: list[_Step] = []
            again: list[_Step] = []
            last = self._block(statement.body, [test], left, again)
            self._link([*last, *again], test)
            return [test, *left]
        if isinstance(statement, ast.With):
            return self._block(statement.body, sources, breaks, continues)
        if isinstance(statement, ast.FunctionDef):
            return sources
        step = self._step(statement, sources, _ordering(statement))
        if isinstance(statement, ast.Break):
            breaks.append(step)
            return []
        if isinstance(statement, ast.Continue):
            continues.append(step)
            return []
        if isinstance(statement, ast.Expr) and called(statement.value) == "thread_return":
            self._link([step], self.end)
            return []
        return [step]


def _ordering(statement: ast.stmt) -> str:
    if not is_barrier(statement):
        return ""
    return "warp" if isinstance(statement, ast.Expr) and called(statement.value) == "sync_warp" else "block"


def _reached(start: _Step, forward: bool) -> set[_Step]:
    """Steps up to the next barrier that orders what ``start`` orders; barriers themselves are not in it."""
    found: set[_Step] = set()
    waiting = list(start.after if forward else start.before)
    while waiting:
        step = waiting.pop()
        if step in found or step.barrier in ("block", start.barrier):
            continue
        found.add(step)
        waiting += step.after if forward else step.before
    return found


def _touched(view: BuilderView, steps: set[_Step]) -> tuple[set[str], set[str]]:
    read: set[str] = set()
    written: set[str] = set()
    for step in steps:
        more_read, more_written = view.touched(step.node)
        read |= more_read
        written |= more_written
    return read, written


def idle_barrier(
    view: BuilderView,
    mutation: Mutation,
    blocks: Iterable[tuple[int, int, int]] = (),
    parameters: Iterable[str] = (),
) -> bool:
    """Whether ``mutation`` leaves out or moves a barrier that orders nothing, or moves it past nothing that matters.

    ``blocks``: sizes for which accesses may be told apart by their indices; ``parameters``: integers that are never
    negative.
    """
    if mutation.operator not in ("dropped_barrier", "moved_barrier"):
        return False
    functions = [node for node in view.builder.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and is_barrier(node) and _concerns(view, mutation, node):
                if function.name in view.macros:
                    return _moves_past_nothing(view, mutation)
                step = _Graph(function.body).steps[node]
                read_before, written_before = _touched(view, _reached(step, forward=False))
                read_after, written_after = _touched(view, _reached(step, forward=True))
                ordered = written_before & (read_after | written_after) or read_before & written_after
                if not ordered or _moves_past_nothing(view, mutation):
                    return True
                return never_meet(view, _passed(view, mutation, step), blocks, parameters, step.barrier)
    return False


def _passed(view: BuilderView, mutation: Mutation, step: _Step) -> tuple[set[ast.AST], set[ast.AST]]:
    """What the barrier orders and the mutant's does not: nodes before and nodes after it."""
    before = {one.node for one in _reached(step, forward=False)}
    after = {one.node for one in _reached(step, forward=True)}
    passed = _exchanged_with(view, mutation)
    if passed is None:
        return before, after
    inside = set(ast.walk(passed))
    return (before & inside, after) if "earlier" in mutation.note else (before, after & inside)


def _exchanged_with(view: BuilderView, mutation: Mutation) -> ast.stmt | None:
    """The statement that a moved barrier exchanges places with, if it runs straight on and has no barrier in it."""
    if mutation.operator != "moved_barrier":
        return None
    for block in view.blocks():
        for statement in block:
            if not is_barrier(statement) and _concerns(view, mutation, statement):
                parts = list(ast.walk(statement))
                leaves = any(isinstance(part, (ast.Break, ast.Continue)) for part in parts)
                inner = any(isinstance(part, ast.stmt) and is_barrier(part) for part in parts)
                returns = any(called(part) == "thread_return" for part in parts)
                return None if leaves or inner or returns else statement
    return None


def _concerns(view: BuilderView, mutation: Mutation, barrier: ast.stmt) -> bool:
    place = view.replace(barrier, "")
    return any((splice.start, splice.end) == (place.start, place.end) for splice in mutation.splices)


def _moves_past_nothing(view: BuilderView, mutation: Mutation) -> bool:
    """Whether the statement that a moved barrier exchanges places with touches no memory that others see."""
    if mutation.operator != "moved_barrier":
        return False
    for block in view.blocks():
        for statement in block:
            if not is_barrier(statement) and _concerns(view, mutation, statement):
                plain = not any(isinstance(part, (ast.Break, ast.Continue)) for part in ast.walk(statement))
                returns = any(called(part) == "thread_return" for part in ast.walk(statement))
                inner = any(isinstance(part, ast.stmt) and is_barrier(part) for part in ast.walk(statement))
                return plain and not returns and not inner and view.touched(statement) == (set(), set())
    return False
