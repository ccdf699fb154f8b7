"""Barrier epochs: between which block barriers a statement can run.

Epoch 0 is the start of the kernel; every static barrier begins an epoch of its own. A statement's epochs are the
barriers that may be the last one passed before it. Two accesses can only meet unordered if their epochs intersect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from migrate.analysis.walk import sub_statements
from migrate.ir import kernel as k

EpochSet = frozenset[int]
_NOWHERE: EpochSet = frozenset()


@dataclass(frozen=True)
class Epochs:
    """``count`` epochs (one more than there are barriers); ``of``: epochs by statement identity (`id`).

    ``in_loop``: barriers inside a loop, whose epoch repeats. The kernel must be kept alive while this is used.
    """

    count: int
    of: Mapping[int, EpochSet]
    in_loop: EpochSet

    def may_meet(self, left: k.Stmt, right: k.Stmt) -> bool:
        """Whether two statements can run in one epoch; unknown statements may."""
        first, second = self.of.get(id(left)), self.of.get(id(right))
        return first is None or second is None or bool(first & second)


@dataclass
class _Exits:
    """Epochs with which control leaves a loop body early."""

    breaks: set[int] = field(default_factory=set)
    continues: set[int] = field(default_factory=set)


class _Walker:
    def __init__(self, kernel: k.Kernel):
        self.with_barrier = _functions_with_barriers(kernel)
        self.numbers: dict[int, int] = {}
        self.of: dict[int, set[int]] = {}
        self.in_loop: set[int] = set()
        self.changed = False

    def is_barrier(self, statement: k.Stmt) -> bool:
        if isinstance(statement, k.Barrier):
            return statement.kind == "block"
        if isinstance(statement, k.CallFunction):
            return statement.function in self.with_barrier
        return isinstance(statement, k.SyncReduce)

    def body(self, statements: Iterable[k.Stmt], state: EpochSet, exits: _Exits, loops: int) -> EpochSet:
        for statement in statements:
            if not state:
                break
            state = self.statement(statement, state, exits, loops)
        return state

    def statement(self, statement: k.Stmt, state: EpochSet, exits: _Exits, loops: int) -> EpochSet:
        known = self.of.setdefault(id(statement), set())
        if not state <= known:
            known |= state
            self.changed = True
        if self.is_barrier(statement):
            number = self.numbers.setdefault(id(statement), len(self.numbers) + 1)
            if loops:
                self.in_loop.add(number)
            return frozenset({number})
        if isinstance(statement, k.If):
            then = self.body(statement.then, state, exits, loops)
            return then | self.body(statement.otherwise, state, exits, loops)
        if isinstance(statement, k.Loop):
            return self.loop(statement, state, loops)
        if isinstance(statement, k.Break):
            exits.breaks |= state
            return _NOWHERE
        if isinstance(statement, k.Continue):
            exits.continues |= state
            return _NOWHERE
        if isinstance(statement, k.Return):
            return _NOWHERE
        return state

    def loop(self, statement: k.Loop, state: EpochSet, loops: int) -> EpochSet:
        exits = _Exits()
        state = self.body(statement.init, state, exits, loops)
        entry = state
        leaving: set[int] = set()
        for _ in range(64):
            before = entry
            if statement.kind == "do":
                after = self.body(statement.body, entry, exits, loops + 1) | frozenset(exits.continues)
                tested = self.body(statement.cond_pre, after, exits, loops + 1)
                leaving |= tested
                back = tested
            else:
                tested = self.body(statement.cond_pre, entry, exits, loops + 1)
                if statement.cond is not None:
                    leaving |= tested
                after = self.body(statement.body, tested, exits, loops + 1) | frozenset(exits.continues)
                back = self.body(statement.step, after, exits, loops + 1)
            entry = entry | back
            if entry == before:
                break
        return frozenset(leaving | exits.breaks)


def _functions_with_barriers(kernel: k.Kernel) -> frozenset[str]:
    found: set[str] = set()
    for _ in range(len(kernel.functions) + 1):
        for function in kernel.functions:
            for statement in sub_statements(function.body):
                if (isinstance(statement, k.Barrier) and statement.kind == "block") or (
                    isinstance(statement, k.SyncReduce)
                    or (isinstance(statement, k.CallFunction) and statement.function in found)
                ):
                    found.add(function.name)
    return frozenset(found)


def barrier_epochs(kernel: k.Kernel) -> Epochs:
    """Epochs of every statement of the kernel's body. Unreachable statements have none."""
    walker = _Walker(kernel)
    walker.body(kernel.body, frozenset({0}), _Exits(), 0)
    return Epochs(
        len(walker.numbers) + 1,
        {key: frozenset(value) for key, value in walker.of.items()},
        frozenset(walker.in_loop),
    )
