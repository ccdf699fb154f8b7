"""``if (cond) { … __syncthreads() … }`` as a kernel's last act: the threads that skip it leave early instead."""

from __future__ import annotations

from dataclasses import replace

from migrate.analysis.ranges import is_integer
from migrate.analysis.uniformity import Uniformity, barrier_functions, fixed_locals, has_barrier, is_fixed
from migrate.ir import kernel as k
from migrate.rules.base import rule

# On integers only: with a NaN neither a < b nor a >= b holds.
_OPPOSITE: dict[str, k.BinaryOp] = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


@rule(
    "tail_guards",
    "a barrier under a thread's condition that ends the kernel",
    "if (x < n) {\n    tile[t] = in[x];\n    __syncthreads();\n    out[x] = tile[t ^ 1];\n}",
    "if x >= n:\n    T.thread_return()\ntile[t] = x_in[x]\nT.sync_threads()\nout[x] = tile[t ^ 1]",
)
def leave_at_tail_guards(kernel: k.Kernel, used: set[str]) -> k.Kernel:
    """``if (!cond) return;`` in front of what the condition guarded, also inside the guarded statements in turn.

    Fires only where the condition differs between threads, a block barrier stands on exactly one side, and nothing that
    has an effect follows. Then the threads on the other side have nothing left to do: whether they fall off the end or
    return here is the same, and CUDA's barriers do not wait for threads that have exited.

    A condition on the thread's index alone (``if (threadIdx.x < 40)``) stays refused: it splits every block, which is
    rather a fault than a bounds check.
    """
    callees = barrier_functions(kernel)
    if not has_barrier(kernel.body, callees):
        return kernel
    facts = Uniformity(kernel.body)
    body = _tail(kernel.body, facts, callees, fixed_locals(kernel.body))
    if body == kernel.body:
        return kernel
    used.add("tail_guards")
    return replace(kernel, body=body)


def _tail(
    body: tuple[k.Stmt, ...], facts: Uniformity, callees: frozenset[str], fixed: frozenset[str]
) -> tuple[k.Stmt, ...]:
    """``body``, after which the kernel ends. ``fixed``: locals that depend on the thread's index alone."""
    position = len(body) - 1
    while position >= 0 and _idle(body[position]):
        position -= 1
    if position < 0:
        return body
    last = body[position]
    if not isinstance(last, k.If):
        return body
    if facts.expression(last.cond):
        then, otherwise = _tail(last.then, facts, callees, fixed), _tail(last.otherwise, facts, callees, fixed)
        return (*body[:position], replace(last, then=then, otherwise=otherwise), *body[position + 1 :])
    waits, waits_too = has_barrier(last.then, callees), has_barrier(last.otherwise, callees)
    if waits == waits_too or is_fixed(last.cond, fixed):
        return body
    leaving = last.otherwise if waits else last.then
    staying = last.then if waits else last.otherwise
    cond = _negated(last.cond) if waits else last.cond
    guard = k.If(cond, (*leaving, k.Return(None, last.span)), (), last.span)
    return (*body[:position], guard, *_tail(staying, facts, callees, fixed))


def _negated(cond: k.Expr) -> k.Expr:
    if isinstance(cond, k.Binary) and cond.op in _OPPOSITE and is_integer(cond.left.dtype):
        return replace(cond, op=_OPPOSITE[cond.op])
    if isinstance(cond, k.Unary) and cond.op == "not":
        return cond.operand
    return k.Unary("not", cond, "bool", cond.span)


def _idle(statement: k.Stmt) -> bool:
    """Nothing that anyone could see: expressions are pure."""
    return isinstance(statement, (k.Comment, k.Declare, k.DeclareArray, k.Assign)) or (
        isinstance(statement, k.Return) and statement.value is None
    )
