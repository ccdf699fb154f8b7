"""Warp-synchronous code: volatile writes to shared memory that count on the lanes of a warp going in step.

Before Volta the lanes of a warp ran in step, so ``s[t] += s[t + 16]`` through a volatile pointer needed no barrier. The
port writes the barriers out (`migrate/rules/lower/warp_synchronous.py`). That has one meaning only where the whole warp
arrives: under conditions that are the same for all its lanes. Lanes that have left the kernel do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from migrate.analysis.uniformity import Uniformity
from migrate.analysis.walk import children, sub_statements
from migrate.diagnostics import Diagnostic, make, refuse
from migrate.ir import kernel as k

WARP = 32


def has_warp_steps(body: tuple[k.Stmt, ...]) -> bool:
    """Whether a volatile write to shared memory stands in ``body`` itself."""
    return any(isinstance(statement, k.Store) and statement.volatile for statement in sub_statements(body))


def check_warp_steps(kernel: k.Kernel) -> tuple[Diagnostic, ...]:
    """Refuses (TLM250) a volatile write under control that differs between lanes of a warp.

    The warning (TLM243) that barriers were added stands at the first of the others.
    """
    functions = {function.name: function for function in kernel.functions}
    stepping = {function.name for function in kernel.functions if has_warp_steps(function.body)}
    size = -1
    while size != len(stepping):
        size = len(stepping)
        stepping |= {f.name for f in kernel.functions if _calls(f.body) & stepping}
    if not has_warp_steps(kernel.body) and not stepping:
        return ()
    linear = not any(
        isinstance(expr, k.Builtin) and expr.kind == "threadIdx" and expr.axis != "x"
        for body in (kernel.body, *(f.body for f in kernel.functions))
        for expr in _expressions(body)
    )
    found: list[k.Store] = []
    facts = _Facts(Uniformity(kernel.body), _definitions(kernel.body, {}), linear)
    _Check(functions, stepping, found, in_function=False).body(kernel.body, facts, True)
    message = "lanes of a warp count on going in step: warp barriers are added around this write"
    return (make("TLM243", message, found[0].span),) if found else ()


@dataclass(frozen=True)
class _Facts:
    """What is known in one body: block-uniform locals, locals with one definition, whether blocks are rows of x."""

    uniformity: Uniformity
    definitions: Mapping[str, k.Expr]
    linear: bool

    def same_in_warp(self, expr: k.Expr) -> bool:
        """Whether all lanes of a warp have one value of ``expr``."""
        expr = self.resolved(expr)
        if self.uniformity.expression(expr):
            return True
        if isinstance(expr, k.Builtin):
            return expr.kind == "warpid"
        if isinstance(expr, k.Binary):
            limit = self.resolved(expr.right)
            if isinstance(limit, k.Const) and self._splits_at_warps(expr.op, expr.left, int(limit.value)):
                return True
            return self.same_in_warp(expr.left) and self.same_in_warp(expr.right)
        if isinstance(expr, (k.Unary, k.Cast)):
            return self.same_in_warp(expr.operand)
        if isinstance(expr, k.Select):
            return all(self.same_in_warp(part) for part in (expr.cond, expr.then, expr.otherwise))
        return False

    def _splits_at_warps(self, op: str, left: k.Expr, limit: int) -> bool:
        """``threadIdx.x < 64``, ``threadIdx.x / 32`` and their like."""
        if not self._is_thread_index(left):
            return False
        if op in ("lt", "ge", "truncdiv"):
            return limit % WARP == 0 and (op != "truncdiv" or limit > 0)
        if op in ("le", "gt"):
            return (limit + 1) % WARP == 0
        return op == "shr" and limit >= 5

    def _is_thread_index(self, expr: k.Expr) -> bool:
        expr = self.resolved(expr)
        while isinstance(expr, k.Cast) and "int" in expr.dtype and expr.dtype not in ("int8", "uint8"):
            expr = self.resolved(expr.operand)
        return self.linear and isinstance(expr, k.Builtin) and expr.kind == "threadIdx" and expr.axis == "x"

    def resolved(self, expr: k.Expr) -> k.Expr:
        """A local with one definition as that definition."""
        for _ in range(8):
            if not isinstance(expr, k.LocalRef) or expr.var.name not in self.definitions:
                break
            expr = self.definitions[expr.var.name]
        return expr


def _definitions(body: tuple[k.Stmt, ...], given: Mapping[str, k.Expr]) -> dict[str, k.Expr]:
    found = dict(given)
    for statement in sub_statements(body):
        if isinstance(statement, k.Declare) and statement.init is not None and not statement.var.mutable:
            found[statement.var.name] = statement.init
    return found


class _Check:
    """One walk over a body; ``found`` collects the writes that stand well."""

    def __init__(
        self, functions: Mapping[str, k.Function], stepping: set[str], found: list[k.Store], *, in_function: bool
    ) -> None:
        self._functions, self._stepping, self._found = functions, stepping, found
        self._in_function = in_function

    def body(self, body: tuple[k.Stmt, ...], facts: _Facts, whole: bool) -> None:
        """Statements that run with the whole warp or not."""
        for statement in body:
            if isinstance(statement, k.Store) and statement.volatile:
                if not whole:
                    message = f"{statement.buffer.name} is written through volatile by some lanes of a warp only"
                    raise refuse("TLM250", message, statement.span)
                self._found.append(statement)
            elif isinstance(statement, k.CallFunction) and statement.function in self._stepping:
                self._call(statement, facts, whole)
            elif isinstance(statement, k.If):
                inner = whole and facts.same_in_warp(statement.cond)
                self.body(statement.then, facts, inner)
                self.body(statement.otherwise, facts, inner)
                if not inner and self._leaves(statement):
                    whole = False
            elif isinstance(statement, k.Loop):
                self.body(statement.init, facts, whole)
                same = statement.cond is None or facts.same_in_warp(statement.cond)
                inner = whole and same and not self._parts(statement.body, facts)
                for part in (statement.cond_pre, statement.body, statement.step):
                    self.body(part, facts, inner)
                if not inner and self._in_function and self._leaves(statement):
                    whole = False

    def _leaves(self, statement: k.Stmt) -> bool:
        """Whether lanes may leave a function early in ``statement``, to go on behind its call."""
        return self._in_function and any(isinstance(s, k.Return) for s in sub_statements((statement,)))

    def _parts(self, body: tuple[k.Stmt, ...], facts: _Facts) -> bool:
        """Whether some lanes of a warp may leave a round before others."""
        for statement in body:
            if isinstance(statement, k.If):
                leaves = any(
                    isinstance(s, (k.Break, k.Continue))
                    for s in sub_statements((*statement.then, *statement.otherwise))
                )
                if leaves and not facts.same_in_warp(statement.cond):
                    return True
                if self._parts(statement.then, facts) or self._parts(statement.otherwise, facts):
                    return True
        return False

    def _call(self, call: k.CallFunction, facts: _Facts, whole: bool) -> None:
        function = self._functions[call.function]
        given: dict[str, k.Expr] = {}
        varying: set[str] = set()
        for param, argument in zip(function.params, call.args, strict=True):
            if isinstance(argument, (k.RefArg, k.BufferArg)):
                varying.add(param.var.name)
            elif not facts.uniformity.expression(argument):
                varying.add(param.var.name)
                resolved = facts.resolved(argument)
                if not param.var.mutable or not _is_written(function, param.var.name):
                    given[param.var.name] = resolved
        inner = replace(
            facts,
            uniformity=Uniformity(function.body, frozenset(varying)),
            definitions=_definitions(function.body, given),
        )
        check = _Check(self._functions, self._stepping, self._found, in_function=True)
        check.body(function.body, inner, whole)


def _is_written(function: k.Function, name: str) -> bool:
    return any(isinstance(s, k.Assign) and s.var.name == name for s in sub_statements(function.body))


def _calls(body: tuple[k.Stmt, ...]) -> set[str]:
    return {statement.function for statement in sub_statements(body) if isinstance(statement, k.CallFunction)}


def _expressions(body: tuple[k.Stmt, ...]) -> list[k.Expr]:
    from migrate.analysis.walk import own_expressions

    pending = [expr for statement in sub_statements(body) for expr in own_expressions(statement)]
    found: list[k.Expr] = []
    while pending:
        expr = pending.pop()
        found.append(expr)
        pending += children(expr)
    return found
