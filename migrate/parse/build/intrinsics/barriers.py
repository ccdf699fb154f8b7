"""Barriers and fences."""

from __future__ import annotations

from typing import Literal

from migrate.ir.kernel import Barrier, Fence, LocalRef, SyncReduce
from migrate.parse.build.intrinsics.arguments import const, declare_result, scalar, truth, value
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

FULL_MASK = const("uint32", 0xFFFFFFFF)


def block_barrier(call: IntrinsicCall) -> Operand | None:
    """``__syncthreads()``."""
    call.sink.emit(Barrier("block", None, call.span))
    return None


def _warp_barrier(call: IntrinsicCall) -> Operand | None:
    """``__syncwarp(mask = all)``."""
    mask = scalar(call, 0, "uint32") if call.args else FULL_MASK
    call.sink.emit(Barrier("warp", mask, call.span))
    return None


def _counting(op: Literal["count", "and", "or"]) -> Intrinsic:
    """``__syncthreads_count(p)``, ``_and``, ``_or``: a barrier that returns an int."""

    def handler(call: IntrinsicCall) -> Operand:
        predicate = truth(scalar(call, 0))
        result = declare_result(call, {"count": "count", "and": "every", "or": "some"}[op], "int32")
        call.sink.emit(SyncReduce(result, op, predicate, call.span))
        return value(LocalRef(result))

    return handler


def _fence(kind: Literal["block", "device", "system"]) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand | None:
        call.sink.emit(Fence(kind, call.span))
        return None

    return handler


TABLE: dict[str, Intrinsic] = {
    "__syncthreads": block_barrier,
    "__syncwarp": _warp_barrier,
    "__syncthreads_count": _counting("count"),
    "__syncthreads_and": _counting("and"),
    "__syncthreads_or": _counting("or"),
    "__threadfence": _fence("device"),
    "__threadfence_block": _fence("block"),
    "__threadfence_system": _fence("system"),
}
