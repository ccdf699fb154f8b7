"""Which values and branches are the same for all threads of a block, and whether barriers stand only under those.

Uniform: literals, parameters, block indices, block and grid sizes, results of counting barriers, memory read at a
uniform index, and whatever is computed from those and assigned under uniform control. The analysis is flow-insensitive.
"""

from __future__ import annotations

from migrate.analysis.walk import children, sub_statements
from migrate.diagnostics import refuse
from migrate.ir import kernel as k

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


def check_barriers(kernel: k.Kernel) -> None:
    """Refuses (TLM252) a block barrier under control that differs between threads of a block.

    A barrier after a divergent early return is legal on GPUs: exited threads no longer count.
    """
    callees = barrier_functions(kernel)
    for body in (kernel.body, *(function.body for function in kernel.functions)):
        if has_barrier(body, callees):
            _check(body, Uniformity(body), True, callees)


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


def _check(body: tuple[k.Stmt, ...], facts: Uniformity, uniform: bool, callees: frozenset[str]) -> None:
    for statement in body:
        if _is_barrier(statement, callees) and not uniform:
            raise refuse("TLM252", "a block barrier under a condition that differs between threads", statement.span)
        if isinstance(statement, k.If):
            inner = uniform and facts.expression(statement.cond)
            _check(statement.then, facts, inner, callees)
            _check(statement.otherwise, facts, inner, callees)
        elif isinstance(statement, k.Loop):
            inner = uniform and facts.loop(statement)
            _check(statement.init, facts, uniform, callees)
            for part in (statement.cond_pre, statement.body, statement.step):
                _check(part, facts, inner, callees)
