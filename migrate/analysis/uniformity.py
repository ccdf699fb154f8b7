"""Which values and branches are the same for all threads of a block, and whether barriers stand only under those.

Uniform: literals, parameters, block indices, block and grid sizes, results of counting barriers, memory read at a
uniform index, and whatever is computed from those and assigned under uniform control. The analysis is flow-insensitive.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

from migrate.analysis.ranges import direct_writes
from migrate.analysis.walk import children, sub_statements
from migrate.diagnostics import Diagnostic, make, refuse
from migrate.ir import kernel as k

_Control: TypeAlias = Literal["uniform", "rounds", "divergent"]
_PER_THREAD = frozenset({"threadIdx", "laneid", "warpid"})


class Uniformity:
    """Uniform locals of one body. ``varying_inputs``: by-value parameters of a function that differ between threads."""

    def __init__(self, body: tuple[k.Stmt, ...], varying_inputs: frozenset[str] = frozenset()):
        self.varying: set[str] = set(varying_inputs)
        size = -1
        while size != len(self.varying):
            size = len(self.varying)
            self._visit(body, True)

    def expression(self, expr: k.Expr) -> bool:
        """Whether ``expr`` has one value in the whole block."""
        if isinstance(expr, k.Builtin):
            return expr.kind not in _PER_THREAD
        if isinstance(expr, k.LocalRef):
            return expr.var.name not in self.varying
        if isinstance(expr, k.Load) and expr.buffer.scope is k.Scope.LOCAL:
            return False
        return all(self.expression(child) for child in children(expr))

    def _visit(self, body: tuple[k.Stmt, ...], uniform: bool) -> None:
        for statement in body:
            if isinstance(statement, (k.Declare, k.Assign)):
                value = statement.init if isinstance(statement, k.Declare) else statement.value
                if value is not None and not (uniform and self.expression(value)):
                    self.varying.add(statement.var.name)
            elif isinstance(statement, (k.Shuffle, k.Vote, k.SyncReduce)):
                if not uniform or not isinstance(statement, k.SyncReduce):
                    self.varying.add(statement.result.name)
            elif isinstance(statement, k.Atomic):
                if statement.result is not None:
                    self.varying.add(statement.result.name)
            elif isinstance(statement, k.CallFunction):
                if statement.result is not None:
                    self.varying.add(statement.result.name)
                self.varying |= {argument.var.name for argument in statement.args if isinstance(argument, k.RefArg)}
            elif isinstance(statement, k.If):
                inner = uniform and self.expression(statement.cond)
                self._visit(statement.then, inner)
                self._visit(statement.otherwise, inner)
            elif isinstance(statement, k.Loop):
                inner = uniform and self.loop(statement)
                for part in (statement.init, statement.cond_pre, statement.body, statement.step):
                    self._visit(part, inner)

    def loop(self, loop: k.Loop) -> bool:
        """Whether all threads of the block run the same rounds of ``loop``."""
        if loop.cond is not None and not self.expression(loop.cond):
            return False
        return not self._leaves(loop.body, False)

    def _leaves(self, body: tuple[k.Stmt, ...], divergent: bool) -> bool:
        for statement in body:
            if isinstance(statement, (k.Break, k.Continue)) and divergent:
                return True
            if isinstance(statement, k.If):
                inner = divergent or not self.expression(statement.cond)
                if self._leaves(statement.then, inner) or self._leaves(statement.otherwise, inner):
                    return True
        return False


def check_barriers(kernel: k.Kernel) -> tuple[Diagnostic, ...]:
    """Refuses (TLM252) a block barrier under control that differs between threads of a block.

    A barrier after a divergent early return is legal on GPUs: exited threads no longer count. One in a loop whose
    rounds follow from sizes or data is legal for those where all threads run equally many; it stays where it is, with
    a warning (TLM240) that is returned.
    """
    callees = barrier_functions(kernel)
    found: list[Diagnostic] = []
    for body in (kernel.body, *(function.body for function in kernel.functions)):
        if has_barrier(body, callees):
            _BarrierCheck(Uniformity(body), fixed_locals(body), callees, found).body(body, "uniform")
    return tuple(found)


def barrier_functions(kernel: k.Kernel) -> frozenset[str]:
    """Names of the kernel's device functions that reach a block barrier."""
    found = {f.name for f in kernel.functions if has_barrier(f.body, frozenset())}
    for _ in kernel.functions:
        found |= {f.name for f in kernel.functions if has_barrier(f.body, frozenset(found))}
    return frozenset(found)


def has_barrier(body: tuple[k.Stmt, ...], callees: frozenset[str]) -> bool:
    """Whether a block barrier stands in ``body``, or a call of one of ``callees``."""
    return any(_is_barrier(statement, callees) for statement in sub_statements(body))


def _is_barrier(statement: k.Stmt, callees: frozenset[str]) -> bool:
    if isinstance(statement, k.Barrier):
        return statement.kind == "block"
    return isinstance(statement, k.SyncReduce) or (
        isinstance(statement, k.CallFunction) and statement.function in callees
    )


class _BarrierCheck:
    """Looks for barriers of one body; ``found`` collects the warnings."""

    def __init__(
        self, facts: Uniformity, fixed: frozenset[str], callees: frozenset[str], found: list[Diagnostic]
    ) -> None:
        self._facts, self._fixed, self._callees, self._found = facts, fixed, callees, found

    def body(self, body: tuple[k.Stmt, ...], control: _Control) -> None:
        """Checks statements that run under ``control``."""
        for statement in body:
            if _is_barrier(statement, self._callees):
                self._barrier(statement, control)
            if isinstance(statement, k.If):
                inner = control if self._facts.expression(statement.cond) else "divergent"
                self.body(statement.then, inner)
                self.body(statement.otherwise, inner)
            elif isinstance(statement, k.Loop):
                self.body(statement.init, control)
                inner = self._rounds(statement, control)
                check = self._within(statement) if inner == "rounds" else self
                for part in (statement.cond_pre, statement.body, statement.step):
                    check.body(part, inner)

    def _rounds(self, loop: k.Loop, control: _Control) -> _Control:
        if control == "divergent" or self._facts.loop(loop):
            return control
        leaves = any(isinstance(statement, (k.Break, k.Continue)) for statement in sub_statements(loop.body))
        if leaves or loop.cond is None or is_fixed(loop.cond, self._fixed):
            return "divergent"
        return "rounds"

    def _within(self, loop: k.Loop) -> _BarrierCheck:
        """The check of one round: what its body declares from uniform values is the same in all threads that run it."""
        inside = (*loop.cond_pre, *loop.body, *loop.step)
        declared = {s.var.name for s in sub_statements(inside) if isinstance(s, k.Declare)}
        facts = Uniformity(inside, frozenset(self._facts.varying - declared))
        return _BarrierCheck(facts, self._fixed, self._callees, self._found)

    def _barrier(self, statement: k.Stmt, control: _Control) -> None:
        if control == "divergent":
            raise refuse("TLM252", "a block barrier under a condition that differs between threads", statement.span)
        if control == "rounds":
            message = "a block barrier in a loop whose number of rounds may differ between threads"
            self._found.append(make("TLM240", message, statement.span))


def fixed_locals(body: tuple[k.Stmt, ...]) -> frozenset[str]:
    """Locals that are computed from literals, thread indices and block sizes only."""
    found = {var.name for statement in sub_statements(body) for var, _ in direct_writes(statement)}
    size = -1
    while size != len(found):
        size = len(found)
        for statement in sub_statements(body):
            for var, value in direct_writes(statement):
                if value is None or not is_fixed(value, found):
                    found.discard(var.name)
    return frozenset(found)


def is_fixed(expr: k.Expr, locals_: Collection[str]) -> bool:
    """Whether ``expr`` depends on the thread's index in its block only; ``locals_``: see `fixed_locals`."""
    if isinstance(expr, k.Builtin):
        return expr.kind not in ("blockIdx", "gridDim")
    if isinstance(expr, k.LocalRef):
        return expr.var.name in locals_
    if isinstance(expr, (k.ParamRef, k.Load)):
        return False
    return all(is_fixed(child, locals_) for child in children(expr))
