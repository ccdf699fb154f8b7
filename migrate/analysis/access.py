"""What a kernel does with each buffer and scalar parameter: input of launch plans and of the case generator.

Flow-insensitive: one set of sources a local variable. So an index-like buffer may be reported that is none (its data
then merely stays in range), but none is missed for lack of paths.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from migrate.analysis.walk import own_expressions, sub_statements, walk_expressions
from migrate.ir import kernel as k

ElementKind = Literal["float", "integer", "bool", "index", "row_pointer"]
_ORDERINGS = frozenset({"lt", "le", "gt", "ge"})
_EQUALITIES = frozenset({"eq", "ne"})
_CALL_DEPTH = 8


@dataclass(frozen=True)
class BufferUse:
    """How a kernel uses a root.

    ``index_of``: buffers whose indices are computed from this one's elements; ``loop_bound``: elements bound a loop;
    ``indexed_by``: scalar parameters that enter its indices.
    """

    reads: bool = False
    writes: bool = False
    atomics: bool = False
    index_of: tuple[str, ...] = ()
    loop_bound: bool = False
    element_kind: ElementKind = "float"
    indexed_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScalarRole:
    """What a scalar parameter decides.

    ``guards``: buffers whose accesses a comparison with it protects; ``bounds_loop``: it limits a loop;
    ``scales_index``: buffers whose index it enters; ``divides``: used as divisor; ``compared``: integer constants that
    it is compared with; ``selects``: it decides a branch that has nothing to do with thread indices.
    """

    guards: tuple[str, ...] = ()
    bounds_loop: bool = False
    scales_index: tuple[str, ...] = ()
    divides: bool = False
    compared: tuple[int, ...] = ()
    selects: bool = False

    @property
    def size_like(self) -> bool:
        """Whether it looks like an extent or a stride."""
        return bool(self.guards or self.bounds_loop or self.scales_index)


@dataclass(frozen=True)
class IndexBound:
    """A comparison of an index with a value that all threads share: ``axes`` (``threadIdx.x``, ``blockIdx.y``) on one
    side, ``limit`` over scalar parameters on the other. ``loop``: it is a loop's condition."""

    axes: tuple[str, ...]
    limit: k.Expr
    loop: bool


@dataclass(frozen=True)
class AccessSummary:
    """Uses by buffer name (all roots that are not local), roles by scalar parameter name.

    ``axes``: builtin axes that the kernel reads, such as ``threadIdx.y``; ``collectives``: warp operations are used;
    ``constants``: constants in comparisons anywhere in the kernel (branch targets for coverage); ``bounds``: what
    thread and block indices are compared with.
    """

    buffers: Mapping[str, BufferUse]
    scalar_roles: Mapping[str, ScalarRole]
    axes: frozenset[str]
    collectives: bool
    barriers: bool
    constants: tuple[int, ...]
    float_constants: tuple[float, ...] = ()
    bounds: tuple[IndexBound, ...] = ()


@dataclass
class _Sources:
    """Where values come from: buffers, scalar parameters, thread and block indices."""

    buffers: set[str] = field(default_factory=set)
    params: set[str] = field(default_factory=set)
    threads: set[str] = field(default_factory=set)

    def add(self, other: _Sources) -> bool:
        """Union; True if anything was new."""
        before = (len(self.buffers), len(self.params), len(self.threads))
        self.buffers |= other.buffers
        self.params |= other.params
        self.threads |= other.threads
        return before != (len(self.buffers), len(self.params), len(self.threads))


class _Collector:
    """One pass over a kernel with all functions it keeps, buffers named by the kernel's roots."""

    def __init__(self, kernel: k.Kernel):
        self.kernel = kernel
        self.functions = {function.name: function for function in kernel.functions}
        self.sources: dict[str, _Sources] = defaultdict(_Sources)
        self.uses: dict[str, BufferUse] = {}
        self.index_of: dict[str, set[str]] = defaultdict(set)
        self.indexed_by: dict[str, set[str]] = defaultdict(set)
        self.loop_bounds: set[str] = set()
        self.guards: dict[str, set[str]] = defaultdict(set)
        self.loops: set[str] = set()
        self.scales: dict[str, set[str]] = defaultdict(set)
        self.divisors: set[str] = set()
        self.compared: dict[str, set[int]] = defaultdict(set)
        self.selects: set[str] = set()
        self.axes: set[str] = set()
        self.constants: set[int] = set()
        self.float_constants: set[float] = set()
        self.collectives = False
        self.barriers = False
        self.bounds: list[IndexBound] = []

    # --- value flow ---------------------------------------------------------------------------------------------

    def of(self, expr: k.Expr, names: Mapping[str, str]) -> _Sources:
        found = _Sources()
        for part in walk_expressions(expr):
            if isinstance(part, k.Load):
                name = names.get(part.buffer.name, part.buffer.name)
                if part.buffer.scope in (k.Scope.SHARED, k.Scope.DYNAMIC_SHARED, k.Scope.LOCAL):
                    found.add(self.sources[f"[{name}]"])
                else:
                    found.buffers.add(name)
            elif isinstance(part, k.LocalRef):
                found.add(self.sources[part.var.name])
            elif isinstance(part, k.ParamRef):
                found.params.add(part.name)
            elif isinstance(part, k.Builtin):
                self.axes.add(f"{part.kind}.{part.axis}")
                if part.kind in ("threadIdx", "blockIdx", "laneid", "warpid"):
                    axis = part.axis if part.kind in ("threadIdx", "blockIdx") else "x"
                    found.threads.add(f"{'blockIdx' if part.kind == 'blockIdx' else 'threadIdx'}.{axis}")
        return found

    def flow(self, body: Iterable[k.Stmt], names: Mapping[str, str], depth: int = 0) -> bool:
        """One round of value flow; True if anything changed."""
        changed = False
        for statement in sub_statements(body):
            target: str | None = None
            values: tuple[k.Expr, ...] = ()
            if isinstance(statement, k.Declare) and statement.init is not None:
                target, values = statement.var.name, (statement.init,)
            elif isinstance(statement, k.Assign):
                target, values = statement.var.name, (statement.value,)
            elif isinstance(statement, k.Store):
                target, values = f"[{names.get(statement.buffer.name, statement.buffer.name)}]", (statement.value,)
            elif isinstance(statement, k.DeclareArray):
                target, values = f"[{statement.buffer.name}]", statement.init or ()
            elif isinstance(statement, (k.Shuffle, k.Vote, k.SyncReduce)):
                target, values = statement.result.name, own_expressions(statement)
            elif isinstance(statement, k.Atomic):
                name = names.get(statement.buffer.name, statement.buffer.name)
                for value in statement.operands:
                    changed |= self.sources[f"[{name}]"].add(self.of(value, names))
                if statement.result is not None:
                    old = _Sources({name}) if statement.buffer.scope == k.Scope.GLOBAL else self.sources[f"[{name}]"]
                    changed |= self.sources[statement.result.name].add(old)
            elif isinstance(statement, k.CallFunction) and depth < _CALL_DEPTH:
                changed |= self._flow_call(statement, names, depth)
            if target is not None:
                for value in values:
                    changed |= self.sources[target].add(self.of(value, names))
        return changed

    def _flow_call(self, call: k.CallFunction, names: Mapping[str, str], depth: int) -> bool:
        function = self.functions.get(call.function)
        if function is None:
            return False
        changed = False
        for formal, actual in zip(function.params, call.args, strict=False):
            if isinstance(actual, k.RefArg):
                changed |= self.sources[formal.var.name].add(self.sources[actual.var.name])
                changed |= self.sources[actual.var.name].add(self.sources[formal.var.name])
            elif isinstance(actual, k.BufferArg):
                changed |= self.sources[formal.var.name].add(self.of(actual.offset, names))
            else:
                changed |= self.sources[formal.var.name].add(self.of(actual, names))
        inner = self.renamed(function, call, names)
        changed |= self.flow(function.body, inner, depth + 1)
        if call.result is not None:
            for statement in sub_statements(function.body):
                if isinstance(statement, k.Return) and statement.value is not None:
                    changed |= self.sources[call.result.name].add(self.of(statement.value, inner))
        return changed

    def renamed(self, function: k.Function, call: k.CallFunction, names: Mapping[str, str]) -> dict[str, str]:
        """Formal buffers of a call → the caller's roots."""
        inner = dict(names)
        for formal, actual in zip(function.params, call.args, strict=False):
            if formal.buffer is not None and isinstance(actual, k.BufferArg):
                inner[formal.buffer.name] = names.get(actual.buffer.name, actual.buffer.name)
        return inner

    # --- uses ---------------------------------------------------------------------------------------------------

    def use(self, body: Iterable[k.Stmt], names: Mapping[str, str], active: frozenset[str], depth: int = 0) -> None:
        """Records accesses, loops and guards; ``active``: parameters whose comparison protects this body."""
        statements = list(body)
        for position, statement in enumerate(statements):
            for expr in own_expressions(statement):
                self._expression(expr, names, active)
            if isinstance(statement, (k.Store, k.Atomic)):
                self._access(statement.buffer, statement.indices, names, active, statement)
            elif isinstance(statement, k.If):
                self._branch(statement, statements[position + 1 :], names, active, depth)
                if _leaves(statement.then) and not statement.otherwise:
                    active = active | self._guarding(statement.cond, names, loop=False)
            elif isinstance(statement, k.Loop):
                self._loop(statement, names, active, depth)
            elif isinstance(statement, k.CallFunction) and depth < _CALL_DEPTH:
                function = self.functions.get(statement.function)
                if function is not None:
                    self.use(function.body, self.renamed(function, statement, names), active, depth + 1)
            elif isinstance(statement, (k.Shuffle, k.Vote)) or (
                isinstance(statement, k.Barrier) and statement.kind == "warp"
            ):
                self.collectives = True
            elif isinstance(statement, (k.Barrier, k.SyncReduce)):
                self.barriers = True

    def _branch(
        self, statement: k.If, _rest: list[k.Stmt], names: Mapping[str, str], active: frozenset[str], depth: int
    ) -> None:
        sources = self.of(statement.cond, names)
        if not sources.threads and not sources.buffers:
            self.selects |= sources.params
        self.use(statement.then, names, active | self._guarding(statement.cond, names, loop=False), depth)
        self.use(statement.otherwise, names, active, depth)

    def _guarding(self, cond: k.Expr, names: Mapping[str, str], *, loop: bool) -> frozenset[str]:
        found: set[str] = set()
        for part in walk_expressions(cond):
            if isinstance(part, k.Binary) and part.op in _ORDERINGS:
                left, right = self.of(part.left, names), self.of(part.right, names)
                if bool(left.threads) != bool(right.threads):
                    limit, shared = (part.right, right) if left.threads else (part.left, left)
                    found |= shared.params
                    bound = IndexBound(tuple(sorted(left.threads | right.threads)), limit, loop)
                    if not shared.buffers and bound not in self.bounds:
                        self.bounds.append(bound)
        return frozenset(found)

    def _loop(self, statement: k.Loop, names: Mapping[str, str], active: frozenset[str], depth: int) -> None:
        inner = active
        if statement.cond is not None:
            sources = self.of(statement.cond, names)
            self.loop_bounds |= sources.buffers
            self.loops |= sources.params
            inner = active | frozenset(sources.params)
            self._guarding(statement.cond, names, loop=True)
        self.use(statement.init, names, active, depth)
        self.use(statement.cond_pre, names, active, depth)
        self.use(statement.body, names, inner, depth)
        self.use(statement.step, names, inner, depth)

    def _expression(self, expr: k.Expr, names: Mapping[str, str], active: frozenset[str]) -> None:
        for part in walk_expressions(expr):
            if isinstance(part, k.Load):
                self._access(part.buffer, part.indices, names, active, None)
            elif isinstance(part, k.Binary):
                if part.op in ("truncdiv", "truncmod"):
                    self.divisors |= self.of(part.right, names).params
                if part.op in _ORDERINGS | _EQUALITIES:
                    self._comparison(part, names)

    def _comparison(self, part: k.Binary, names: Mapping[str, str]) -> None:
        for side, other in ((part.left, part.right), (part.right, part.left)):
            constant = _without_casts(side)
            if not isinstance(constant, k.Const) or isinstance(constant.value, bool):
                continue
            if isinstance(constant.value, float):
                self.float_constants.add(constant.value)
                continue
            self.constants.add(constant.value)
            sources = self.of(other, names)
            if not sources.threads and not sources.buffers:
                for name in sources.params:
                    self.compared[name].add(constant.value)

    def _access(
        self,
        buffer: k.Buffer,
        indices: tuple[k.Expr, ...],
        names: Mapping[str, str],
        active: frozenset[str],
        statement: k.Store | k.Atomic | None,
    ) -> None:
        if buffer.scope == k.Scope.LOCAL:
            return
        name = names.get(buffer.name, buffer.name)
        old = self.uses.get(name, BufferUse())
        if statement is None:
            self.uses[name] = replace(old, reads=True)
        elif isinstance(statement, k.Store):
            self.uses[name] = replace(old, writes=True)
        else:
            self.uses[name] = replace(old, reads=True, writes=True, atomics=True)
        for parameter in active:
            self.guards[parameter].add(name)
        for index in indices:
            sources = self.of(index, names)
            self.indexed_by[name] |= sources.params
            for source in sources.buffers:
                self.index_of[source].add(name)
            for parameter in sources.params:
                self.scales[parameter].add(name)


def _without_casts(expr: k.Expr) -> k.Expr:
    while isinstance(expr, k.Cast):
        expr = expr.operand
    return expr


def _leaves(body: tuple[k.Stmt, ...]) -> bool:
    return bool(body) and isinstance(body[-1], (k.Return, k.Continue, k.Break))


def _kind(buffer: k.Buffer, index_of: set[str], loop_bound: bool) -> ElementKind:
    if buffer.dtype == "bool":
        return "bool"
    integer = buffer.dtype.startswith(("int", "uint"))
    if integer and loop_bound and index_of:
        return "row_pointer"
    if index_of:
        return "index"
    return "integer" if integer else "float"


def access_summary(kernel: k.Kernel) -> AccessSummary:
    """Uses of every root and roles of every scalar parameter of ``kernel``. Never raises; unknown means "not used"."""
    collector = _Collector(kernel)
    for _ in range(len(collector.functions) + 16):
        if not collector.flow(kernel.body, {}):
            break
    collector.use(kernel.body, {}, frozenset())
    roots = {buffer.name: buffer for buffer in kernel.buffers}
    roots.update({param.buffer.name: param.buffer for param in kernel.params if isinstance(param, k.PointerParam)})
    buffers: dict[str, BufferUse] = {}
    for name, buffer in roots.items():
        reached = collector.index_of.get(name, set())
        bound = name in collector.loop_bounds
        buffers[name] = replace(
            collector.uses.get(name, BufferUse()),
            index_of=tuple(sorted(reached)),
            loop_bound=bound,
            element_kind=_kind(buffer, reached, bound),
            indexed_by=tuple(sorted(collector.indexed_by.get(name, ()))),
        )
    global_names = {name for name, buffer in roots.items() if buffer.scope in (k.Scope.GLOBAL, k.Scope.DEVICE)}
    roles: dict[str, ScalarRole] = {}
    for param in kernel.params:
        if isinstance(param, k.ScalarParam):
            roles[param.name] = ScalarRole(
                guards=tuple(sorted(collector.guards.get(param.name, set()) & global_names)),
                bounds_loop=param.name in collector.loops,
                scales_index=tuple(sorted(collector.scales.get(param.name, set()) & global_names)),
                divides=param.name in collector.divisors,
                compared=tuple(sorted(collector.compared.get(param.name, ()))),
                selects=param.name in collector.selects,
            )
    return AccessSummary(
        buffers,
        roles,
        frozenset(collector.axes),
        collector.collectives,
        collector.barriers,
        tuple(sorted(collector.constants)),
        tuple(sorted(value for value in collector.float_constants if not math.isnan(value))),
        tuple(collector.bounds),
    )
