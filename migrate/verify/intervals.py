"""Which values a condition of the kernel can have under one concrete launch.

Interval arithmetic over the kernel model with the launch's numbers filled in; anything not understood may be anything.
Used only to excuse branches that no launch can take, so every doubt widens the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import TypeAlias

import numpy as np

from migrate.ir import kernel as k
from migrate.ir.span import Span
from migrate.verify.setting import Setting
from migrate.verify.thresholds import walk

Interval: TypeAlias = "tuple[int, int] | None"
Place: TypeAlias = "tuple[str, int, int]"  # file, line, column
_AXES = {"x": 0, "y": 1, "z": 2}
BOTH = frozenset({False, True})


def _type_interval(dtype: str) -> Interval:
    if dtype == "bool":
        return (0, 1)
    if dtype.startswith(("int", "uint")):
        limits = np.iinfo(dtype)
        return (int(limits.min), int(limits.max))
    return None


def _within(value: Interval, dtype: str) -> Interval:
    """``value`` if ``dtype`` holds all of it, else everything of ``dtype`` (it may wrap)."""
    whole = _type_interval(dtype)
    if value is None or whole is None:
        return whole
    return value if whole[0] <= value[0] and value[1] <= whole[1] else whole


@dataclass
class ConditionTable:
    """Possible values of the leaf conditions of one kernel under one launch, by place in the source."""

    setting: Setting
    values: dict[Place, frozenset[bool]] = field(default_factory=dict)
    dead: set[Place] = field(default_factory=set)
    alive: set[Place] = field(default_factory=set)
    leaves: dict[Place, k.Expr] = field(default_factory=dict)
    calls: dict[str, list[list[Interval]]] = field(default_factory=dict)
    _locals: dict[str, Interval] = field(default_factory=dict)

    def scan(self, body: Iterable[k.Stmt], *, dead: bool = False) -> None:
        """Records every condition in ``body``; ``dead``: it is known not to run."""
        for statement in body:
            self._statement(statement, dead)

    def scan_kernel(self, kernel: k.Kernel) -> None:
        """Records the conditions of a kernel and of its device functions, callers before callees."""
        self.scan(kernel.body)
        for function in _callers_first(kernel):
            self._scan_function(function)

    def _scan_function(self, function: k.Function) -> None:
        """Parameters have the values of all calls that may run; without such a call the function is dead."""
        self._locals.clear()  # names are unique in a function only
        calls = self.calls.get(function.name, [])
        for position, parameter in enumerate(function.params):
            if not parameter.var.mutable and not parameter.ref and parameter.buffer is None and calls:
                self._locals[parameter.var.name] = _hull([call[position] for call in calls])
        self.scan(function.body, dead=not calls)

    def interval(self, expr: k.Expr) -> Interval:
        """Values of an integer or bool expression; None: a float, or nothing is known."""
        if isinstance(expr, k.Const):
            return (int(expr.value), int(expr.value)) if isinstance(expr.value, int) else None
        if isinstance(expr, k.LocalRef):
            return self._locals.get(expr.var.name, _type_interval(expr.dtype))
        if isinstance(expr, k.ParamRef):
            value = self.setting.scalars.get(expr.name)
            return (int(value), int(value)) if isinstance(value, int) else _type_interval(expr.dtype)
        if isinstance(expr, k.Builtin):
            return self._builtin(expr)
        if isinstance(expr, k.Cast):
            inner = self.interval(expr.operand)
            return _within(inner, expr.dtype) if inner is not None else _type_interval(expr.dtype)
        if isinstance(expr, k.Unary):
            return self._unary(expr)
        if isinstance(expr, k.Binary):
            return self._binary(expr)
        if isinstance(expr, k.Select):
            left, right = self.interval(expr.then), self.interval(expr.otherwise)
            return None if left is None or right is None else (min(left[0], right[0]), max(left[1], right[1]))
        return _type_interval(expr.dtype)

    def _builtin(self, expr: k.Builtin) -> Interval:
        axis = _AXES[expr.axis]
        if expr.kind == "threadIdx":
            return (0, self.setting.block[axis] - 1)
        if expr.kind == "blockIdx":
            return (0, max(self.setting.grid[axis] - 1, 0))
        if expr.kind == "blockDim":
            return (self.setting.block[axis],) * 2
        if expr.kind == "gridDim":
            return (self.setting.grid[axis],) * 2
        threads = self.setting.block[0] * self.setting.block[1] * self.setting.block[2]
        return (0, min(31, threads - 1) if expr.kind == "laneid" else (threads - 1) // 32)

    def _unary(self, expr: k.Unary) -> Interval:
        inner = self.interval(expr.operand)
        if inner is None or expr.op == "bitnot":
            return _type_interval(expr.dtype)
        if expr.op == "not":
            return (1 - inner[1], 1 - inner[0])
        return _within((-inner[1], -inner[0]), expr.dtype)

    def _binary(self, expr: k.Binary) -> Interval:
        left, right = self.interval(expr.left), self.interval(expr.right)
        if left is None or right is None:
            return _type_interval(expr.dtype)
        if expr.op in ("lt", "le", "gt", "ge", "eq", "ne"):
            return _compare(expr.op, left, right)
        if expr.op == "and":
            return (min(left[0], right[0]), min(left[1], right[1]))
        if expr.op == "or":
            return (max(left[0], right[0]), max(left[1], right[1]))
        return _within(_arithmetic(expr.op, left, right), expr.dtype)

    # --- statements ---

    def _condition(self, expr: k.Expr, dead: bool, near: Span | None = None) -> frozenset[bool]:
        """Records the leaves of ``expr`` and returns its possible values.

        ``near``: where the statement or expression that asks stands; variables have no place of their own.
        """
        near = expr.span or near
        if isinstance(expr, k.Binary) and expr.op in ("and", "or"):
            left = self._condition(expr.left, dead, near)
            stops = frozenset({expr.op == "or"})
            right = self._condition(expr.right, dead or left == stops, near)
            if left == stops:
                return stops
            return right if left.isdisjoint(stops) else right | stops
        if isinstance(expr, k.Unary) and expr.op == "not":
            return frozenset(not value for value in self._condition(expr.operand, dead, near))
        self._expressions(expr, dead)
        found = self.interval(expr)
        values = BOTH if found is None or found[0] != found[1] else frozenset({bool(found[0])})
        place = None if near is None else (near.file, near.line, near.column)
        # A literal condition (a template argument, usually) has no branch in compiled code.
        if place is not None and not isinstance(expr, k.Const):
            self.leaves[place] = expr
            if dead:
                self.dead.add(place)
            else:
                self.alive.add(place)
                self.values[place] = self.values.get(place, frozenset()) | values
        return values

    def _expressions(self, node: object, dead: bool) -> None:
        """Finds conditional expressions and short-circuit operators inside ``node``."""
        if isinstance(node, tuple):
            for item in node:
                self._expressions(item, dead)
        elif isinstance(node, k.Select):
            values = self._condition(node.cond, dead, node.span)
            self._expressions(node.then, dead or values == {False})
            self._expressions(node.otherwise, dead or values == {True})
        elif isinstance(node, k.Binary):
            if node.op in ("and", "or"):
                self._condition(node, dead)
            else:
                self._expressions((node.left, node.right), dead)
        elif isinstance(node, k.Unary | k.Cast | k.Bitcast):
            self._expressions(node.operand, dead)
        elif isinstance(node, k.Load):
            self._expressions(node.indices, dead)
        elif isinstance(node, k.MathCall):
            self._expressions(node.args, dead)

    def _statement(self, node: k.Stmt, dead: bool) -> None:
        if isinstance(node, k.If):
            values = self._condition(node.cond, dead, node.span)
            self.scan(node.then, dead=dead or values == {False})
            self.scan(node.otherwise, dead=dead or values == {True})
        elif isinstance(node, k.Loop):
            self._loop(node, dead)
        elif isinstance(node, k.Declare):
            if node.init is not None:
                self._expressions(node.init, dead)
                if not node.var.mutable:
                    self._locals[node.var.name] = self.interval(node.init)
        elif isinstance(node, k.Assign):
            self._expressions(node.value, dead)
        elif isinstance(node, k.Store):
            self._expressions((*node.indices, node.value), dead)
        elif isinstance(node, k.Atomic):
            self._expressions((*node.indices, *node.operands), dead)
        elif isinstance(node, k.DeclareArray) and node.init is not None:
            self._expressions(node.init, dead)
        elif isinstance(node, k.Shuffle):
            self._expressions((node.value, node.operand, node.width), dead)
        elif isinstance(node, k.Vote | k.Return) and node.value is not None:
            self._expressions(node.value, dead)
        elif isinstance(node, k.SyncReduce):
            self._expressions(node.predicate, dead)
        elif isinstance(node, k.CallFunction):
            plain = tuple(item for item in node.args if not isinstance(item, k.RefArg | k.BufferArg))
            self._expressions(plain, dead)
            if not dead:
                self.calls.setdefault(node.function, []).append(
                    [None if isinstance(item, k.RefArg | k.BufferArg) else self.interval(item) for item in node.args]
                )

    def _loop(self, node: k.Loop, dead: bool) -> None:
        self.scan(node.init, dead=dead)
        self.scan(node.cond_pre, dead=dead)
        values = BOTH if node.cond is None else self._condition(node.cond, dead, node.span)
        # A do loop's body runs before its condition; a for or while that never starts has a dead body.
        never = node.kind != "do" and values == {False}
        self.scan(node.body, dead=dead or never)
        self.scan(node.step, dead=dead or never)


def _hull(intervals: Sequence[Interval]) -> Interval:
    """The smallest interval around all; None if one of them is unknown."""
    known = [one for one in intervals if one is not None]
    if len(known) < len(intervals):
        return None
    return (min(low for low, _ in known), max(high for _, high in known))


def _callers_first(kernel: k.Kernel) -> list[k.Function]:
    named = {function.name: function for function in kernel.functions}
    sorter = TopologicalSorter[str]({name: () for name in named})
    for function in kernel.functions:
        for node in walk(function.body):
            if isinstance(node, k.CallFunction) and node.function in named:
                sorter.add(node.function, function.name)
    return [named[name] for name in sorter.static_order()]


def _compare(op: str, left: tuple[int, int], right: tuple[int, int]) -> Interval:
    if op in ("gt", "ge"):
        return _compare({"gt": "lt", "ge": "le"}[op], right, left)
    if op == "lt":
        return (1, 1) if left[1] < right[0] else (0, 0) if left[0] >= right[1] else (0, 1)
    if op == "le":
        return (1, 1) if left[1] <= right[0] else (0, 0) if left[0] > right[1] else (0, 1)
    apart = left[1] < right[0] or right[1] < left[0]
    single = left == right and left[0] == left[1]
    if op == "eq":
        return (0, 0) if apart else (1, 1) if single else (0, 1)
    return (1, 1) if apart else (0, 0) if single else (0, 1)


def _arithmetic(op: str, left: tuple[int, int], right: tuple[int, int]) -> Interval:
    corners = [(a, b) for a in left for b in right]
    if op == "add":
        return (left[0] + right[0], left[1] + right[1])
    if op == "sub":
        return (left[0] - right[1], left[1] - right[0])
    if op == "mul":
        products = [a * b for a, b in corners]
        return (min(products), max(products))
    if min(left[0], right[0]) < 0:
        return None
    if op == "truncdiv" and right[0] > 0:
        return (left[0] // right[1], left[1] // right[0])
    if op == "truncmod" and right[0] > 0:
        return left if left[1] < right[0] else (0, min(left[1], right[1] - 1))
    if op == "shl" and right[1] < 64:
        return (left[0] << right[0], left[1] << right[1])
    if op == "shr":
        return (left[0] >> min(right[1], 64), left[1] >> min(right[0], 64))
    if op == "bitand":
        return (
            (left[0] & right[0], left[0] & right[0])
            if left[0] == left[1] and right[0] == right[1]
            else (
                0,
                min(left[1], right[1]),
            )
        )
    return None


def leaf_conditions(kernel: k.Kernel, setting: Setting) -> list[k.Expr]:
    """The leaf conditions of ``kernel`` and its device functions, in source order; variables have no span."""
    table = ConditionTable(setting)
    table.scan_kernel(kernel)
    return [table.leaves[place] for place in sorted(table.leaves)]


def condition_values(
    kernel: k.Kernel, settings: Iterable[Setting]
) -> tuple[Mapping[Place, frozenset[bool]], set[Place]]:
    """Values of every leaf condition over all ``settings``, and the conditions that none of them evaluates."""
    values: dict[Place, frozenset[bool]] = {}
    dead: set[Place] = set()
    alive: set[Place] = set()
    for setting in settings:
        table = ConditionTable(setting)
        table.scan_kernel(kernel)
        for place, found in table.values.items():
            values[place] = values.get(place, frozenset()) | found
        dead |= table.dead
        alive |= table.alive
    return values, dead - alive
