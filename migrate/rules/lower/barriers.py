"""__syncthreads and its reducing forms, __syncwarp, fences."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering
from migrate.rules.lower.locals import write

FULL_MASK = 0xFFFFFFFF
_FENCES = {"block": "__threadfence_block", "device": "__threadfence", "system": "__threadfence_system"}


@rule("barriers", "__syncthreads(), __syncwarp(mask)", "__syncthreads();", "T.sync_threads()")
def lower_barrier(node: k.Barrier, lowering: Lowering) -> None:
    """The barrier stays where it was; upstream's own insertion of barriers is switched off (docs/emitted-ports.md)."""
    if node.kind == "block":
        lowering.emit(p.Do(p.Call("T.sync_threads", (), "void"), node.span))
        return
    lowering.emit(p.Do(p.Call("T.sync_warp", mask_arguments(node.mask, lowering), "void"), node.span))


def mask_arguments(mask: k.Expr | None, lowering: Lowering) -> tuple[p.PortExpr, ...]:
    """The mask as an argument; nothing for the full warp, which is TileLang's default."""
    if mask is None:
        return ()
    expr = lowering.coerce(lowering.lower(mask), "uint32")
    value = lowering.identities.literal(expr)
    if value is not None and int(value) & FULL_MASK == FULL_MASK:
        return ()
    return (expr,)


def predicate(node: k.Expr, lowering: Lowering) -> p.PortExpr:
    """A vote's argument: int32, 0 or not."""
    expr = lowering.lower(node)
    if expr.dtype == "bool":
        return p.Call("T.cast", (_boolean(expr), p.Text("int32")), "int32")
    return expr if expr.dtype == "int32" else lowering.coerce(lowering.lower(k.Cast(node, "int32")), "int32")


def _boolean(expr: p.PortExpr) -> p.PortExpr:
    return p.Lit(expr.value, "bool", explicit=True) if isinstance(expr, p.Lit) else expr


@rule(
    "counting_barriers",
    "__syncthreads_count(p), _and, _or",
    "int c = __syncthreads_count(x > 0);",
    'c = T.syncthreads_count(T.cast(x > 0, "int32"))',
)
def lower_sync_reduce(node: k.SyncReduce, lowering: Lowering) -> None:
    """A barrier that also counts, ands or ors a predicate over the block."""
    call = p.Call(f"T.syncthreads_{node.op}", (predicate(node.predicate, lowering),), "int32")
    write(node.result, call, lowering)


@rule("fences", "__threadfence()", "__threadfence();", 'T.call_extern("handle", "__threadfence")')
def lower_fence(node: k.Fence, lowering: Lowering) -> None:
    """Memory order only: the CUDA fence by name."""
    call = p.Call("T.call_extern", (p.Text("handle"), p.Text(_FENCES[node.kind])), "void")
    lowering.emit(p.Do(call, node.span))
