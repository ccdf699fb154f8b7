"""Shuffles, votes and atomics."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import nodes, operators, types
from tilelang_runtime.ir.nodes import AddressOf, Atomic, Buffer, Expr, Load, Shuffle, Vote
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail
from tilelang_runtime.tracer.builder import require_builder
from tilelang_runtime.tracer.values import BufferRegion, Ref, region_of

FULL = 0xFFFFFFFF
MEMORY_ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")


def _threads(what: str) -> None:
    require_builder(what).require_kernel(what).uses_threads = True


def _mask(mask: Any) -> Expr:
    if isinstance(mask, int):
        return operators.constant("uint32", mask & FULL)
    return cast(mask, "uint32")


def _shuffle(mode: str, value: Any, lane: Any, width: Any, mask: Any) -> Expr:
    _threads("a shuffle")
    operand = as_expr(value)
    if operand.dtype == "bool":
        raise fail("a shuffle of bool: cast to int32 first")
    parts = cast(lane, "int32"), cast(width, "int32"), _mask(mask)
    return Shuffle(mode, operand, *parts, operand.dtype, LOCATION.span)


def shfl_sync(value: Any, srcLane: Any, width: Any = 32, mask: Any = FULL) -> Expr:
    """The value of lane ``srcLane`` of the width-wide group."""
    return _shuffle("idx", value, srcLane, width, mask)


def shfl_up(value: Any, delta: Any, width: Any = 32, mask: Any = FULL) -> Expr:
    """The value of the lane ``delta`` below; the own value at the low end."""
    return _shuffle("up", value, delta, width, mask)


def shfl_down(value: Any, delta: Any, width: Any = 32, mask: Any = FULL) -> Expr:
    """The value of the lane ``delta`` above; the own value at the high end."""
    return _shuffle("down", value, delta, width, mask)


def shfl_xor(value: Any, delta: Any, width: Any = 32, mask: Any = FULL) -> Expr:
    """The value of the lane whose number differs by xor ``delta``."""
    return _shuffle("xor", value, delta, width, mask)


def _predicate(value: Any) -> Expr:
    operand = as_expr(value)
    return operand if operand.dtype == "bool" else operators.binary("ne", operand, cast(0, operand.dtype))


def _vote(mode: str, value: Any, mask: Any, dtype: str) -> Expr:
    _threads("a vote")
    return Vote(mode, None if value is None else as_expr(value), _mask(mask), dtype, LOCATION.span)


def ballot(predicate: Any) -> Expr:
    """uint64: bit N set when the predicate of lane N is true."""
    return _vote("ballot", _predicate(predicate), FULL, "uint64")


def ballot_sync(predicate: Any, mask: Any = FULL) -> Expr:
    """uint64: bit N set when the predicate of lane N is true, among ``mask``."""
    return _vote("ballot", _predicate(predicate), mask, "uint64")


def any_sync(predicate: Any, mask: Any = FULL) -> Expr:
    """int32: 1 when some lane's predicate is true."""
    return _vote("any", _predicate(predicate), mask, "int32")


def all_sync(predicate: Any, mask: Any = FULL) -> Expr:
    """int32: 1 when every lane's predicate is true."""
    return _vote("all", _predicate(predicate), mask, "int32")


def match_any_sync(value: Any, mask: Any = FULL) -> Expr:
    """uint32: the lanes with the same value."""
    return _vote("match_any", value, mask, "uint32")


def match_all_sync(value: Any, mask: Any = FULL) -> Expr:
    """uint32: the mask when all lanes have the same value, else 0."""
    return _vote("match_all", value, mask, "uint32")


def activemask() -> Expr:
    """uint64: the live lanes of the warp (of one schedule among many that a GPU may choose)."""
    _threads("T.activemask")
    return Vote("activemask", None, None, "uint64", LOCATION.span)


def _block_vote(mode: str, predicate: Any) -> Expr:
    _threads(f"T.syncthreads_{mode}")
    return Vote(f"block_{mode}", _predicate(predicate), None, "int32", LOCATION.span)


def syncthreads_count(predicate: Any) -> Expr:
    """A block barrier; how many threads' predicate is true."""
    return _block_vote("count", predicate)


def syncthreads_and(predicate: Any) -> Expr:
    """A block barrier; 1 when every thread's predicate is true."""
    return _block_vote("and", predicate)


def syncthreads_or(predicate: Any) -> Expr:
    """A block barrier; 1 when some thread's predicate is true."""
    return _block_vote("or", predicate)


def _warp_reduce(op: str) -> Any:
    def function(value: Any) -> Expr:
        _threads(f"T.warp_reduce_{op}")
        operand = as_expr(value)
        return Vote(f"reduce_{op}", operand, _mask(FULL), operand.dtype, LOCATION.span)

    function.__name__ = f"warp_reduce_{op}"
    function.__doc__ = f"{op} over the warp by an xor butterfly with distances 16, 8, 4, 2, 1; every lane has it."
    return function


# --- atomics --------------------------------------------------------------------------------------------------------


def _element(target: Any, what: str) -> tuple[Buffer, tuple[Expr, ...]]:
    if isinstance(target, (Load, AddressOf)):
        return target.buffer, target.indices
    if isinstance(target, Ref):
        return target.buffer, target.indices
    raise fail(f"{what} needs a buffer element such as A[i]")


def _order(memory_order: Any) -> None:
    if memory_order is not None and memory_order not in MEMORY_ORDERS:
        raise fail(f"memory_order {memory_order!r}")


def _atomic(op: str, dst: Any, value: Any, memory_order: Any, return_prev: bool) -> Expr | None:
    what = f"T.atomic_{op}"
    _order(memory_order)
    if isinstance(dst, (Buffer, BufferRegion)):
        if return_prev:
            raise fail(f"{what} of a region has no previous value")
        source = region_of(value).region if isinstance(value, (Buffer, BufferRegion)) else None
        target = region_of(dst).region
        operand: Any = source if source is not None else cast(value, target.buffer.dtype)
        require_builder(what).emit(nodes.TileAtomic(op, target, operand, LOCATION.span))
        return None
    if isinstance(value, (Buffer, BufferRegion)):
        source = region_of(value).region
        target = region_of(dst).region
        target.extents = source.extents if len(source.extents) == len(target.extents) else target.extents
        require_builder(what).emit(nodes.TileAtomic(op, target, source, LOCATION.span))
        return None
    buffer, indices = _element(dst, what)
    operand = cast(value, buffer.dtype)
    return Atomic(op, buffer, indices, (operand,), buffer.dtype, return_prev, LOCATION.span)


def atomic_add(
    dst: Any, value: Any, memory_order: Any = None, return_prev: bool = False, use_tma: bool = False, **_options: Any
) -> Expr | None:
    """dst += value; the previous value with return_prev."""
    return _atomic("add", dst, value, memory_order, return_prev)


def atomic_max(
    dst: Any, value: Any, memory_order: Any = None, return_prev: bool = False, **_options: Any
) -> Expr | None:
    """dst = max(dst, value); the previous value with return_prev."""
    return _atomic("max", dst, value, memory_order, return_prev)


def atomic_min(
    dst: Any, value: Any, memory_order: Any = None, return_prev: bool = False, **_options: Any
) -> Expr | None:
    """dst = min(dst, value); the previous value with return_prev."""
    return _atomic("min", dst, value, memory_order, return_prev)


def atomic_or(dst: Any, value: Any, memory_order: Any = None) -> Expr | None:
    """dst |= value."""
    buffer, _ = _element(dst, "T.atomic_or")
    if not types.is_int(buffer.dtype):
        raise fail("T.atomic_or needs integers")
    return _atomic("or", dst, value, memory_order, False)


def atomic_load(src: Any, memory_order: str = "seq_cst") -> Expr:
    """The content, read anew each time."""
    _order(memory_order)
    buffer, indices = _element(src, "T.atomic_load")
    return Atomic("load", buffer, indices, (), buffer.dtype, True, LOCATION.span)


def atomic_store(dst: Any, src: Any, memory_order: str = "seq_cst") -> Expr:
    """dst = src."""
    _order(memory_order)
    buffer, indices = _element(dst, "T.atomic_store")
    return Atomic("store", buffer, indices, (cast(src, buffer.dtype),), buffer.dtype, False, LOCATION.span)


def address_of(target: Any) -> Expr:
    """The address of an element, for external calls."""
    buffer, indices = _element(target, "T.address_of")
    return AddressOf(buffer, indices, LOCATION.span)


def access_ptr(base: Any, access_type: Any = "r", *extents: Any, **_options: Any) -> Expr:
    """The address of an element, for external calls."""
    if isinstance(base, Buffer):
        zeros = tuple(as_expr(0) for _ in base.shape)
        return AddressOf(base, zeros, LOCATION.span)
    return address_of(base)


def ldg(target: Any, index: Any = None) -> Expr:
    """T.__ldg: a load through the read-only cache."""
    if isinstance(target, Buffer) and index is not None:
        from tilelang_runtime.tracer.values import load

        return load(target, index if isinstance(index, tuple) else (index,))
    buffer, indices = _element(target, "T.__ldg")
    return Load(buffer, indices, LOCATION.span)


FUNCTIONS: dict[str, Any] = {
    "shfl_sync": shfl_sync,
    "shfl_up": shfl_up,
    "shfl_down": shfl_down,
    "shfl_xor": shfl_xor,
    "ballot": ballot,
    "ballot_sync": ballot_sync,
    "any_sync": any_sync,
    "all_sync": all_sync,
    "match_any_sync": match_any_sync,
    "match_all_sync": match_all_sync,
    "activemask": activemask,
    "syncthreads_count": syncthreads_count,
    "syncthreads_and": syncthreads_and,
    "syncthreads_or": syncthreads_or,
    "atomic_add": atomic_add,
    "atomic_max": atomic_max,
    "atomic_min": atomic_min,
    "atomic_or": atomic_or,
    "atomic_load": atomic_load,
    "atomic_store": atomic_store,
    "address_of": address_of,
    "access_ptr": access_ptr,
    "__ldg": ldg,
    **{f"warp_reduce_{op}": _warp_reduce(op) for op in ("sum", "max", "min", "bitand", "bitor")},
}
