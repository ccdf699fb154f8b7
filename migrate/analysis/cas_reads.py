"""Plain reads whose value only serves compare-and-swap loops as what they expect to find.

``old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (seen != old);`` is how CUDA builds atomics that
the device lacks. The first read races with other threads' atomics in the language's terms, but whatever it gives is
checked by the exchange before anything is stored. Such a read counts as an atomic load; one whose value goes anywhere
else does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any

from migrate.analysis.walk import own_expressions, sub_statements, walk_expressions
from migrate.ir import kernel as k

_PLAIN_END = (k.Break, k.Continue, k.Return)
_COPIES = (k.Cast, k.Bitcast)
_SHARED = (k.Scope.SHARED, k.Scope.DYNAMIC_SHARED)


@dataclass(frozen=True)
class CheckedRead:
    """A plain read and the exchange that checks it, by line. ``buffer``: whose; empty inside device functions, where
    a parameter may be any buffer."""

    file: str
    line: int
    exchange_line: int
    buffer: str


def checked_reads(kernel: k.Kernel) -> tuple[CheckedRead, ...]:
    """Reads of ``kernel`` and its device functions that only feed the expected value of a checked exchange."""
    found = list(_of_body(kernel.body, inside=False))
    for function in kernel.functions:
        found += _of_body(function.body, inside=True)
    return tuple(dict.fromkeys(found))


def _of_body(body: Sequence[k.Stmt], *, inside: bool) -> Iterator[CheckedRead]:
    statements = list(sub_statements(body))
    for exchange in statements:
        if not isinstance(exchange, k.Atomic) or exchange.op != "cas" or exchange.result is None:
            continue
        loop = _innermost_loop(statements, exchange)
        expected = _local(exchange.operands[0])
        if loop is None or expected is None or exchange.span is None:
            continue
        flow = _Flow(statements, exchange, loop, {expected, exchange.result.name})
        if not flow.only_checked():
            continue
        for read in flow.reads:
            if read.span is not None and _alone(statements, read, exchange, inside=inside):
                scope = exchange.buffer.scope
                name = "" if inside else "shared" if scope in _SHARED else exchange.buffer.name
                yield CheckedRead(read.span.file, read.span.line, exchange.span.line, name)


def _innermost_loop(statements: Sequence[k.Stmt], inner: k.Stmt) -> k.Loop | None:
    found = None
    for statement in statements:  # outer loops come first
        if isinstance(statement, k.Loop) and any(part is inner for part in sub_statements((statement,))):
            found = statement
    return found


def _stripped(expr: k.Expr) -> k.Expr:
    while isinstance(expr, _COPIES):
        expr = expr.operand
    return expr


def _local(expr: k.Expr | None) -> str | None:
    bare = None if expr is None else _stripped(expr)
    return bare.var.name if isinstance(bare, k.LocalRef) else None


def _names(expressions: Iterable[k.Expr]) -> set[str]:
    return {part.var.name for expr in expressions for part in walk_expressions(expr) if isinstance(part, k.LocalRef)}


def _without_spans(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(_without_spans(item) for item in node)
    if is_dataclass(node) and not isinstance(node, type) and hasattr(node, "span"):
        changes = {name: _without_spans(value) for name, value in vars(node).items() if name != "span"}
        return replace(node, span=None, **changes)
    return node


@dataclass
class _Flow:
    """Where the value that an exchange expects comes from and goes. ``same``: locals that hold it or what was found."""

    statements: Sequence[k.Stmt]
    exchange: k.Atomic
    loop: k.Loop
    same: set[str]
    derived: set[str] = field(default_factory=set)
    reads: list[k.Load] = field(default_factory=list)

    def only_checked(self) -> bool:
        """Whether all that is done with the value is to compare, exchange and compute what to store with it."""
        return self._sources() and self._checked() and self._uses() and bool(self.reads)

    def _assigned(self) -> Iterator[tuple[str, k.Expr]]:
        for statement in self.statements:
            if isinstance(statement, k.Assign):
                yield statement.var.name, statement.value
            elif isinstance(statement, k.Declare) and statement.init is not None:
                yield statement.var.name, statement.init

    def _sources(self) -> bool:
        """Follows copies backwards to reads of the exchange's own place; False where anything else flows in."""
        grown = True
        while grown:
            grown = False
            for name, value in self._assigned():
                source = _local(value)
                if name in self.same and source is not None and source not in self.same:
                    self.same.add(source)
                    grown = True
        place = (self.exchange.buffer.name, _without_spans(self.exchange.indices))
        for name, value in self._assigned():
            if name not in self.same or _local(value) is not None:
                continue
            read = _stripped(value)
            if not isinstance(read, k.Load):
                if not isinstance(read, k.Const):
                    return False
            elif (read.buffer.name, _without_spans(read.indices)) == place:
                self.reads.append(read)
            else:
                return False
        written = [s.result.name for s in self.statements if isinstance(s, k.Atomic | k.Shuffle | k.Vote) and s.result]
        return sum(name in self.same for name in written) == 1

    def _checked(self) -> bool:
        """Whether the loop goes on until the exchange found what it expected."""
        conditions = [self.loop.cond]
        for statement in sub_statements((self.loop,)):
            if isinstance(statement, k.If) and any(
                isinstance(one, k.Break | k.Return) for one in sub_statements((*statement.then, *statement.otherwise))
            ):
                conditions.append(statement.cond)
        return any(
            isinstance(part, k.Binary) and part.op in ("eq", "ne") and {*_pair(part)} <= self.same
            for condition in conditions
            if condition is not None
            for part in walk_expressions(condition)
        )

    def _uses(self) -> bool:
        """Whether the value, and what is computed from it, goes nowhere but into conditions and the exchange."""
        grown = True
        while grown:
            grown = False
            for name, value in self._assigned():
                if name not in self.same | self.derived and _names((value,)) & (self.same | self.derived):
                    self.derived.add(name)
                    grown = True
        tainted = self.same | self.derived
        return all(
            self._allowed(statement) for statement in self.statements if _names(own_expressions(statement)) & tainted
        )

    def _allowed(self, statement: k.Stmt) -> bool:
        if statement is self.exchange or isinstance(statement, k.Declare | k.Assign):
            return True
        if isinstance(statement, k.Loop):
            return statement is self.loop
        if isinstance(statement, k.If):
            branches = list(sub_statements((*statement.then, *statement.otherwise)))
            plain = all(isinstance(one, (*_PLAIN_END, k.Declare, k.Assign)) for one in branches)
            return plain or any(one is self.exchange for one in branches)
        # What a loop that ran at least once leaves is what the exchange found.
        return isinstance(statement, k.Return) and (self.loop.kind == "do" or self.loop.cond is None)


def _pair(comparison: k.Binary) -> tuple[str | None, str | None]:
    return _local(comparison.left), _local(comparison.right)


def _alone(statements: Sequence[k.Stmt], read: k.Load, exchange: k.Atomic, *, inside: bool) -> bool:
    """Whether nothing else on the lines of the two accesses may touch the same memory: findings know lines only."""
    assert read.span is not None and exchange.span is not None
    lines = {read.span.line, exchange.span.line}
    for statement in statements:
        line = statement.span.line if statement.span is not None else 0
        if isinstance(statement, k.Store | k.Atomic) and statement is not exchange and line in lines:
            return False
        for expr in own_expressions(statement):
            for part in walk_expressions(expr):
                if not isinstance(part, k.Load) or part is read or part.buffer.scope == k.Scope.LOCAL:
                    continue
                near = part.span.line if part.span is not None else line
                if near in lines and (inside or part.buffer.scope in _SHARED or part.buffer.name == read.buffer.name):
                    return False
    return True
