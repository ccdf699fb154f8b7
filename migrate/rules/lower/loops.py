"""for, while, do-while, break, continue."""

from __future__ import annotations

from migrate.analysis.ranges import CountedLoop, counted_loop, writes
from migrate.analysis.walk import sub_statements, walk_expressions
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, Place, operation


@rule(
    "counted_loops",
    "for (int i = a; i < b; i += c)",
    "for (int i = threadIdx.x; i < n; i += blockDim.x)",
    "for i in T.serial(tx, n, block)",
)
def lower_loop(node: k.Loop, lowering: Lowering) -> None:
    """Counted loops become `T.serial` (or `T.unroll` under a pragma with constant bounds), others ``while``.

    Counted: declared in the loop, stepped by a constant (or the block size) at its end, neither the variable nor what
    the bound reads is written in the body.
    """
    counted = counted_loop(node)
    if counted is not None and _emit_counted(node, counted, lowering):
        return
    for statement in node.init:
        lowering.run(statement)
    if node.kind == "do":
        lowering.used.add(DO_LOOPS.name)
        _emit_do(node, lowering)
    else:
        lowering.used.add(WHILE_LOOPS.name)
        _emit_while(node, lowering)


def _emit_counted(node: k.Loop, loop: CountedLoop, lowering: Lowering) -> bool:
    if not _bound_is_fixed(loop.bound, node.body, lowering):
        return False
    dtype = lowering.ranges.carrier(k.LocalRef(loop.var))
    if dtype not in ("int32", "int64"):
        return False
    with lowering.suite() as prelude:
        step = lowering.lower(loop.step)
        start = lowering.coerce(lowering.lower(loop.start), dtype)
        stop = _stop(loop, dtype, lowering)
    constant = lowering.identities.literal(step)
    upward = loop.op in ("lt", "le")
    if stop is None or (constant is None and step.dtype != p.PYTHON):
        return False
    if constant is not None and (constant == 0 or (constant > 0) != upward):
        return False
    if step.dtype == p.PYTHON and (not upward or lowering.ranges.of(loop.step)[0] <= 0):
        return False
    if _may_lose_its_guard(loop, start, stop, lowering):
        return False
    for statement in prelude:
        lowering.emit(statement)
    if isinstance(step, p.Lit) or constant is not None:
        step = p.Lit(int(constant or 0), "int32")
    fixed = all(lowering.identities.literal(bound) is not None for bound in (start, stop))
    name = lowering.names.claim(loop.var.name)
    lowering.places[loop.var.name] = Place(p.Name(name, dtype, "loop"))
    lowering.loop_exits.append(lambda: None)
    body = lowering.body(node.body)
    lowering.loop_exits.pop()
    unroll = node.unroll is not None and fixed and (node.unroll == 0 or node.unroll > 1)
    lowering.emit(p.PortFor(name, dtype, start, stop, step, body, "unroll" if unroll else "serial", node.span))
    return True


def _may_lose_its_guard(loop: CountedLoop, start: p.PortExpr, stop: p.PortExpr, lowering: Lowering) -> bool:
    """Whether upstream may take the loop for one that runs exactly once.

    Seen with 0.1.15 on hardware: ``T.serial(tx, 64, 128)`` runs at most once; upstream's lowering drops the loop and
    with it the test whether it runs at all, so that threads past the end store out of bounds. Such loops become
    ``while``.
    """
    literal = lowering.identities.literal
    if literal(start) is not None and literal(stop) is not None:
        return False
    if literal(start) is None and stop.dtype == p.PYTHON:
        return True
    (start_low, start_high), (stop_low, stop_high) = lowering.ranges.of(loop.start), lowering.ranges.of(loop.bound)
    longest = stop_high - start_low if loop.op in ("lt", "le") else start_high - stop_low
    widest = max(abs(bound) for bound in lowering.ranges.of(loop.step))
    return longest + (loop.op in ("le", "ge")) <= widest


def _stop(loop: CountedLoop, dtype: str, lowering: Lowering) -> p.PortExpr | None:
    """The exclusive end; None where the bound does not fit the loop variable's dtype."""
    low, high = lowering.ranges.of(loop.bound)
    carrier = lowering.ranges.carrier(loop.bound)
    if carrier not in ("int32", "int64") or (
        carrier == "int64" and dtype == "int32" and not -(2**31) <= low <= high < 2**31
    ):
        return None
    stop = lowering.coerce(lowering.protected(loop.bound), dtype)
    if loop.op in ("le", "ge"):
        change = 1 if loop.op == "le" else -1
        value = lowering.identities.literal(stop)
        if value is not None:
            return lowering.coerce(p.Lit(int(value) + change, "int32"), dtype)
        trace_time = stop.dtype == p.PYTHON
        return operation("+" if change > 0 else "-", stop, p.Lit(1, "int32"), p.PYTHON if trace_time else dtype)
    return stop


def _bound_is_fixed(bound: k.Expr, body: tuple[k.Stmt, ...], lowering: Lowering) -> bool:
    changed = writes(body)
    stored = {s.buffer.name for s in sub_statements(body) if isinstance(s, (k.Store, k.Atomic))}
    opaque = any(isinstance(s, k.CallFunction) for s in sub_statements(body))
    synchronised = any(isinstance(s, (k.Barrier, k.SyncReduce)) for s in sub_statements(body))
    for part in walk_expressions(bound):
        if isinstance(part, k.LocalRef) and part.var.name in changed:
            return False
        if isinstance(part, k.Load):
            read_only = part.buffer.const or part.buffer.scope is k.Scope.CONSTANT
            if part.buffer.name in stored or opaque or (synchronised and not read_only):
                return False
    return True


@rule("while_loops", "while (cond) …", "while (lo < hi) { … }", "while lo < hi:\n    …")
def _while_rule(node: k.Loop, lowering: Lowering) -> None:
    """``while``; the step of a ``for`` comes last and before every ``continue``.

    A condition that needs statements (or none at all) makes the loop run on a flag, as upstream rejects ``while True``.
    """
    _emit_while(node, lowering)


@rule(
    "do_loops",
    "do … while (cond)",
    "do { s >>= 1; } while (s > 0);",
    'again = T.alloc_var("bool", init=True)\nwhile again:\n    s = s >> 1\n    again = s > 0',
)
def _do_rule(node: k.Loop, lowering: Lowering) -> None:
    """A flag keeps the loop going; it is computed at the end and before every ``continue``."""
    _emit_do(node, lowering)


WHILE_LOOPS, DO_LOOPS = _while_rule, _do_rule


def _emit_while(node: k.Loop, lowering: Lowering) -> None:
    with lowering.condition_scope():
        with lowering.suite() as prelude:
            for statement in node.cond_pre:
                lowering.run(statement)
            cond = lowering.lower(node.cond) if node.cond is not None else p.Lit(True, "bool")
        known = lowering.identities.literal(cond)
        if known is not None and not known and not prelude:
            return

        def step() -> None:
            for statement in node.step:
                lowering.run(statement)

        lowering.loop_exits.append(step)
        body = lowering.body(node.body)
        lowering.loop_exits.pop()
        with lowering.suite() as last:
            if not body or not isinstance(body[-1], p.Jump):
                step()
    if not prelude and known is None:
        lowering.emit(p.PortWhile(cond, (*body, *last), node.span))
        return
    flag = lowering.names.claim("running")
    lowering.emit(p.AllocVar(flag, "bool", p.Lit(True, "bool")))
    running = p.Name(flag, "bool", "var")
    check: tuple[p.PortStmt, ...] = ()
    if known is None:
        leave = p.PortIf(p.Prefix("not", running, "bool"), (p.Jump("break"),))
        check = (*prelude, p.SetVar(flag, cond), leave)
    lowering.emit(p.PortWhile(running, (*check, *body, *last), node.span))


def _emit_do(node: k.Loop, lowering: Lowering) -> None:
    name = lowering.names.claim("again")
    lowering.emit(p.AllocVar(name, "bool", p.Lit(True, "bool")))

    def decide() -> None:
        for statement in node.cond_pre:
            lowering.run(statement)
        cond = lowering.lower(node.cond) if node.cond is not None else p.Lit(True, "bool")
        lowering.emit(p.SetVar(name, cond))

    lowering.loop_exits.append(decide)
    body = lowering.body(node.body)
    lowering.loop_exits.pop()
    with lowering.suite() as last:
        decide()
    lowering.emit(p.PortWhile(p.Name(name, "bool", "var"), (*body, *last), node.span))


@rule("break", "break;", "break;", "break")
def lower_break(node: k.Break, lowering: Lowering) -> None:
    """Leaves the innermost loop."""
    lowering.emit(p.Jump("break", node.span))


@rule("continue", "continue;", "continue;", "continue")
def lower_continue(node: k.Continue, lowering: Lowering) -> None:
    """Next round; in a ``for`` written as ``while`` the step runs first, in a do loop the condition is decided."""
    lowering.loop_exits[-1]()
    lowering.emit(p.Jump("continue", node.span))
