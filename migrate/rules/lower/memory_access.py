"""Loads and stores of tensors, shared and local arrays."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, operation


def element(buffer: k.Buffer, indices: tuple[k.Expr, ...], lowering: Lowering) -> p.Element:
    """``buffer[indices]`` in the port; a scalar root is element 0, a carved root starts at its offset."""
    root = lowering.roots.get(buffer.name)
    if root is None:
        raise refuse("TLM254", f"{buffer.name} is not a buffer of this kernel", buffer.span)
    found = tuple(lowering.index(index) for index in indices) or (p.Lit(0, "int32"),)
    if root.offset is not None:
        start, first = root.offset, found[0]
        if start.dtype != first.dtype and p.PYTHON not in (start.dtype, first.dtype):
            start, first = lowering.coerce(start, "int64"), lowering.coerce(first, "int64")
        found = (operation("+", start, first, first.dtype), *found[1:])
    if len(found) != root.rank:
        raise refuse("TLM254", f"{buffer.name} has {root.rank} dimensions, indexed with {len(found)}", buffer.span)
    return p.Element(root.name, found, buffer.dtype)


@rule("loads", "x[i]", "x[i]", "x[i]")
def lower_load(node: k.Load, lowering: Lowering) -> p.PortExpr:
    """An element read; volatile shared memory is read in step with the warp, other volatile memory is refused."""
    _refuse_volatile(node.buffer)
    return element(node.buffer, node.indices, lowering)


@rule("stores", "x[i] = v", "x[i] = v;", "x[i] = v")
def lower_store(node: k.Store, lowering: Lowering) -> None:
    """An element write in the buffer's own dtype."""
    _refuse_volatile(node.buffer)
    target = element(node.buffer, node.indices, lowering)
    value = lowering.exact(node.value)
    lowering.emit(p.SetElement(target.buffer, target.indices, value, node.span))


def _refuse_volatile(buffer: k.Buffer) -> None:
    if buffer.volatile and buffer.scope not in (k.Scope.SHARED, k.Scope.DYNAMIC_SHARED):
        raise refuse(
            "TLM250",
            f"{buffer.name} is volatile: TileLang may keep its elements in registers between accesses",
            buffer.span,
        )
