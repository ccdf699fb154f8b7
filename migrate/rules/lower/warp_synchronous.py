"""Volatile writes to shared memory by lanes that go in step."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering
from migrate.rules.lower.memory_access import element


@rule(
    "warp_synchronous",
    "volatile shared memory without barriers",
    "volatile float* s = shared;\ns[t] += s[t + 16];",
    "s_next = s[t] + s[t + 16]\nT.sync_warp()\ns[t] = s_next\nT.sync_warp()",
    ("TLM250",),
)
def lower_step(node: k.Store, lowering: Lowering) -> None:
    """The order that lanes in step give, written out: all lanes have read before one writes, and wait for the others.

    `migrate.analysis.warp_steps` has shown that whole warps come here. A warning (TLM243) tells of the barriers.
    """
    target = element(node.buffer, node.indices, lowering)
    indices = tuple(index if _is_plain(index) else lowering.bind("at", index) for index in target.indices)
    value = lowering.exact(node.value)
    if not _is_plain(value):
        value = lowering.bind(f"{target.buffer}_next", value)
    lowering.emit(p.Do(p.Call("T.sync_warp", (), "void"), node.span))
    lowering.emit(p.SetElement(target.buffer, indices, value, node.span))
    lowering.emit(p.Do(p.Call("T.sync_warp", (), "void"), node.span))


def _is_plain(expr: p.PortExpr) -> bool:
    """Reads no memory that another lane may write, and is as good after the barrier."""
    if isinstance(expr, p.Operation):
        return _is_plain(expr.left) and _is_plain(expr.right)
    if isinstance(expr, p.Call) and expr.function == "T.cast":
        return all(isinstance(part, p.Text) or _is_plain(part) for part in expr.args)
    return isinstance(expr, (p.Name, p.Lit))
