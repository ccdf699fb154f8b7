"""Final form of locals: which ones are mutable, and temporaries that are not needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from migrate.ir.kernel import (
    Assign,
    Atomic,
    Binary,
    CallFunction,
    Declare,
    Expr,
    If,
    Load,
    LocalRef,
    LocalVar,
    Loop,
    RefArg,
    Shuffle,
    Stmt,
    SyncReduce,
    Vote,
)
from migrate.parse.build.effects import Effects, effects_of, expression_reads
from migrate.parse.build.rewrite import (
    map_blocks,
    map_expression,
    map_statement,
    nested_statements,
    own_expressions,
    walk_expression,
    walk_statements,
)
from migrate.parse.build.scalars import children, is_constant
from migrate.parse.build.types import INTEGERS

_SMALL = 12


def written_names(statements: Sequence[Stmt]) -> set[str]:
    """Locals that anything but their declaration writes."""
    found: set[str] = set()
    for statement in walk_statements(statements):
        if isinstance(statement, Assign):
            found.add(statement.var.name)
        elif isinstance(statement, Shuffle | Vote | SyncReduce):
            found.add(statement.result.name)
        elif isinstance(statement, Atomic | CallFunction):
            if statement.result is not None:
                found.add(statement.result.name)
            if isinstance(statement, CallFunction):
                found |= {argument.var.name for argument in statement.args if isinstance(argument, RefArg)}
    return found


def freeze(statements: Sequence[Stmt], fixed: frozenset[str] = frozenset()) -> tuple[Stmt, ...]:
    """Sets ``mutable`` of every local: false iff its declaration gives it its only value."""
    written = written_names(statements)
    undefined = {s.var.name for s in walk_statements(statements) if isinstance(s, Declare) and s.init is None}
    mutable = (written | undefined) - fixed

    def variable(var: LocalVar) -> LocalVar:
        wanted = var.name in mutable
        return var if var.mutable == wanted else replace(var, mutable=wanted)

    def change(expr: Expr) -> Expr | None:
        if isinstance(expr, LocalRef):
            var = variable(expr.var)
            return expr if var is expr.var else replace(expr, var=var)
        return None

    def block(items: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for item in items:
            statement: Any = map_blocks(map_statement(item, change), block)
            if isinstance(statement, Declare | Assign):
                var = variable(statement.var)
                statement = statement if var is statement.var else replace(statement, var=var)
            elif isinstance(statement, Shuffle | Vote | SyncReduce | Atomic | CallFunction):
                if statement.result is not None:
                    statement = replace(statement, result=variable(statement.result))
                if isinstance(statement, CallFunction):
                    arguments = tuple(
                        RefArg(variable(argument.var)) if isinstance(argument, RefArg) else argument
                        for argument in statement.args
                    )
                    statement = replace(statement, args=arguments)
            result.append(statement)
        return tuple(result)

    return block(tuple(statements))


def count_reads(statements: Sequence[Stmt]) -> Counter[str]:
    """How often each local is read."""
    counts: Counter[str] = Counter()
    for statement in walk_statements(statements):
        _add_own_reads(statement, counts)
    return counts


def _add_own_reads(statement: Stmt, counts: Counter[str]) -> None:
    """Adds the reads of a statement itself, those of nested statements left out."""
    pending = list(own_expressions(statement))
    while pending:
        node = pending.pop()
        if isinstance(node, LocalRef):
            counts[node.var.name] += 1
        else:
            pending.extend(children(node))
    if isinstance(statement, CallFunction):
        for argument in statement.args:
            if isinstance(argument, RefArg):
                counts[argument.var.name] += 1


def tidy(statements: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """Address sums with zero, which forwarding leaves behind, lose the zero."""

    def change(expr: Expr) -> Expr | None:
        if isinstance(expr, Binary) and expr.op == "add" and expr.dtype in INTEGERS:
            for zero, other in ((expr.left, expr.right), (expr.right, expr.left)):
                if is_constant(zero, 0):
                    return map_expression(other, change)
        return None

    def block(items: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map_blocks(map_statement(item, change), block) for item in items)

    return block(tuple(statements))


def drop_results(statements: Sequence[Stmt], temporaries: set[str]) -> tuple[Stmt, ...]:
    """Results that nobody reads: atomics lose them; a result that is only copied goes to where it is copied."""
    counts = count_reads(statements)

    def unread(var: LocalVar | None) -> bool:
        return var is not None and var.name in temporaries and counts[var.name] == 0

    def block(items: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        result: list[Stmt] = []
        for item in items:
            statement: Any = map_blocks(item, block)
            if isinstance(statement, Atomic | CallFunction) and unread(statement.result):
                statement = replace(statement, result=None)
            last: Any = result[-1] if result else None
            if (
                isinstance(statement, Assign)
                and isinstance(last, Shuffle | Vote | SyncReduce | Atomic | CallFunction)
                and last.result is not None
                and isinstance(statement.value, LocalRef)
                and statement.value.var.name == last.result.name
                and last.result.name in temporaries
                and counts[last.result.name] == 1
            ):
                counts[last.result.name] = 0
                result[-1] = replace(last, result=statement.var)
                continue
            result.append(statement)
        return tuple(result)

    def used(items: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        kept = [item for item in items if not (isinstance(item, Declare) and idle(item))]
        return tuple(map_blocks(item, used) for item in kept)

    changed = block(tuple(statements))
    counts = count_reads(changed)
    written = written_names(changed)

    def idle(item: Declare) -> bool:
        return item.var.name in temporaries and counts[item.var.name] == 0 and item.var.name not in written

    return used(changed)


def _weight(expr: Expr) -> int:
    return 1 + sum(_weight(child) for child in children(expr))


def forward(statements: Sequence[Stmt], temporaries: set[str]) -> tuple[Stmt, ...]:
    """Replaces temporaries by what they stand for where nothing in between can change it, and drops unused ones."""
    current = tuple(statements)
    reads = _Reads()
    for _ in range(4):
        counts: Counter[str] = Counter()
        for item in current:
            counts.update(reads.of(item))
        written = written_names(current)
        following = _Forward(counts, written, temporaries, reads).block(current)
        if following == current:
            break
        current = following
    return current


class _Reads:
    """How often statements read each local, nested statements included; every statement is looked through once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Stmt, Counter[str]]] = {}  # by identity; holding the statement keeps it unique

    def of(self, item: Stmt) -> Counter[str]:
        """Counts of one statement."""
        found = self._known.get(id(item))
        if found is None:
            counts: Counter[str] = Counter()
            _add_own_reads(item, counts)
            for inner in nested_statements(item):
                counts.update(self.of(inner))
            found = (item, counts)
            self._known[id(item)] = found
        return found[1]


class _Forward:
    def __init__(self, counts: Counter[str], written: set[str], temporaries: set[str], reads: _Reads) -> None:
        self.counts = counts
        self.written = written
        self.temporaries = temporaries
        self.reads = reads

    def block(self, statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        items = list(statements)
        index = 0
        while index < len(items):
            item = items[index]
            if isinstance(item, Declare) and item.var.name in self.temporaries and item.var.name not in self.written:
                name = item.var.name
                if self.counts[name] == 0 and item.init is not None:
                    del items[index]
                    continue
                if item.init is not None and self._fits(item.init, name):
                    rest = self._substitute(items[index + 1 :], name, item.init)
                    if rest is not None:
                        items[index:] = rest
                        continue
            index += 1
        return tuple(map_blocks(item, self.block) for item in items)

    def _fits(self, expr: Expr, name: str) -> bool:
        """Cheap to repeat, or read once. A load keeps its place unless it is read once."""
        if self.counts[name] <= 1:
            return True
        has_load = any(isinstance(node, Load) for node in walk_expression(expr))
        return not has_load and _weight(expr) <= 3

    def _substitute(self, rest: list[Stmt], name: str, value: Expr) -> list[Stmt] | None:
        """``rest`` with the temporary replaced; None if something may change the value before its last read."""
        if sum(self.reads.of(item)[name] for item in rest) != self.counts[name]:
            return None  # read outside of this list: by the condition of the loop that it prepares
        last = max((i for i, item in enumerate(rest) if self._reads(item, name)), default=-1)
        for index in range(last + 1):
            item = rest[index]
            nested = isinstance(item, If | Loop)
            if (index < last or nested) and expression_reads(value, _effects(item)):
                if index == last and isinstance(item, If) and not self._reads_inside(item, name):
                    continue
                return None
            if isinstance(item, Loop) and self._has_load(value) and self._reads(item, name):
                return None

        def change(expr: Expr) -> Expr | None:
            if isinstance(expr, LocalRef) and expr.var.name == name:
                return value
            return None

        def block(items: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
            return tuple(map_blocks(map_statement(item, change), block) for item in items)

        return [*(map_blocks(map_statement(item, change), block) if self._reads(item, name) else item for item in rest)]

    def _reads(self, item: Stmt, name: str) -> bool:
        return self.reads.of(item)[name] > 0

    def _reads_inside(self, item: If, name: str) -> bool:
        return any(self._reads(inner, name) for inner in (*item.then, *item.otherwise))

    @staticmethod
    def _has_load(expr: Expr) -> bool:
        return any(isinstance(node, Load) for node in walk_expression(expr))


def _effects(item: Stmt) -> Effects:
    return effects_of((item,))


__all__ = ["count_reads", "drop_results", "forward", "freeze", "map_expression", "written_names"]
