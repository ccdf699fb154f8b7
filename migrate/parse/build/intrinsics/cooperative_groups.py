"""Cooperative groups inside a block: blocks, tiles of one warp, and the ranks of the grid.

A group is a type, not a value: its objects have no data here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from migrate.diagnostics import refuse
from migrate.ir.kernel import Barrier, Builtin, Expr
from migrate.parse.build.intrinsics.arguments import (
    aggregate,
    argument_dtype,
    binary,
    cast,
    const,
    plain,
    result_scalar,
    scalar,
    truth,
    unknown,
    value,
)
from migrate.parse.build.intrinsics.groups import (
    NAMESPACE,
    WARP_SIZE,
    Group,
    block_rank_of_thread,
    block_size,
    first_lane,
    grid_size,
    group_of,
    number_of_tiles,
    rank_among_tiles,
    rank_in_tile,
    rank_of_block,
    tile_mask,
)
from migrate.parse.build.intrinsics.shuffles import Mode, shuffle_operand
from migrate.parse.build.intrinsics.votes import Ask, ask, match
from migrate.parse.build.types import PointerType, RecordType
from migrate.parse.build.values import AggregateValue, Intrinsic, IntrinsicCall, Operand

_CLASSES = ("thread_group", "thread_block", "grid_group", "coalesced_group", "thread_block_tile")
_AXES: tuple[Literal["x", "y", "z"], ...] = ("x", "y", "z")


def _object(call: IntrinsicCall) -> Operand:
    """``this_thread_block()``, ``tiled_partition<32>(block)``, a tile made from a tile: a value without data."""
    ctype = plain(call.result_type)
    if not isinstance(ctype, RecordType):
        raise unknown(call)
    if ctype.name.rpartition("::")[2] == "thread_group":
        raise refuse("TLM311", "a partition whose size is an argument has no size in its type", call.span)
    return AggregateValue(ctype)


def _synchronise(call: IntrinsicCall) -> Operand | None:
    """``group.sync()`` and ``sync(group)``."""
    group = group_of(call)
    if group.kind == "grid":
        raise refuse("TLM303", "a grid-wide barrier needs a cooperative launch", call.span)
    if group.kind == "block":
        call.sink.emit(Barrier("block", None, call.span))
    else:
        call.sink.emit(Barrier("warp", tile_mask(group), call.span))
    return None


def _thread_rank(group: Group) -> Expr:
    if group.kind == "tile":
        return rank_in_tile(group)
    if group.kind == "block":
        return block_rank_of_thread()
    inside = cast(block_rank_of_thread(), "uint64")
    return binary("add", binary("mul", rank_of_block(), cast(block_size(), "uint64")), inside)


def _size(group: Group) -> Expr:
    if group.kind == "tile":
        return const("uint32", group.size)
    if group.kind == "block":
        return block_size()
    return binary("mul", grid_size(), cast(block_size(), "uint64"))


def _number(make: Callable[[Group], Expr]) -> Intrinsic:
    """A rank or size in the type that CUDA declares."""

    def handler(call: IntrinsicCall) -> Operand:
        return value(cast(make(group_of(call)), result_scalar(call)))

    return handler


def _of_tile(make: Callable[[IntrinsicCall, Group], Expr]) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return value(make(call, _tile(call)))

    return handler


def _tile(call: IntrinsicCall) -> Group:
    group = group_of(call)
    if group.kind != "tile":
        raise unknown(call)
    return group


def _indices(kind: Literal["threadIdx", "blockIdx", "blockDim", "gridDim"]) -> Intrinsic:
    """``block.thread_index()`` and its like, a dim3."""

    def handler(call: IntrinsicCall) -> Operand:
        return aggregate(call, *(Builtin(kind, axis) for axis in _AXES))

    return handler


def _rank_of_block(call: IntrinsicCall) -> Operand:
    return value(cast(rank_of_block(), result_scalar(call)))


def _number_of_blocks(call: IntrinsicCall) -> Operand:
    return value(cast(grid_size(), result_scalar(call)))


def _shuffle(mode: Mode) -> Intrinsic:
    """``tile.shfl_xor(value, delta)``: a shuffle of the tile's width."""

    def handler(call: IntrinsicCall) -> Operand:
        group = _tile(call)
        operand = scalar(call, 2, "int32" if mode in ("idx", "xor") else "uint32")
        return shuffle_operand(call, mode, 1, operand, const("int32", group.size), tile_mask(group))

    return handler


def _ask(mode: Ask) -> Intrinsic:
    """``tile.any(p)``; the ballot is counted from the tile's first lane."""

    def handler(call: IntrinsicCall) -> Operand:
        group = _tile(call)
        answer = ask(call, mode, truth(scalar(call, 1)), tile_mask(group))
        return value(_from_first_lane(group, answer) if mode == "ballot" else answer)

    return handler


def _from_first_lane(group: Group, mask: Expr) -> Expr:
    return mask if group.size == WARP_SIZE else binary("shr", mask, first_lane(group))


def _match_any(call: IntrinsicCall) -> Operand:
    group = _tile(call)
    if argument_dtype(call, 1) is None or isinstance(plain(call.arg_types[1]), PointerType):
        raise unknown(call)
    return value(_from_first_lane(group, match(call, scalar(call, 1), tile_mask(group))))


def _match_all(call: IntrinsicCall) -> Operand:
    """``tile.match_all(value, same)``."""
    group = _tile(call)
    if argument_dtype(call, 1) is None or isinstance(plain(call.arg_types[1]), PointerType):
        raise unknown(call)
    found = match(call, scalar(call, 1), tile_mask(group), "match_all")
    call.sink.store(call.args[2], value(binary("ne", found, const("uint32", 0))))
    return value(_from_first_lane(group, found))


def _valid(call: IntrinsicCall) -> Operand:
    """``grid.is_valid()``: whether the launch was cooperative, which a port's never is."""
    raise refuse("TLM303", f"{call.name} asks for a cooperative launch", call.span)


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {}
    for name in ("this_thread_block", "this_grid", "tiled_partition", "experimental::tiled_partition"):
        table[NAMESPACE + name] = _object
    table[f"{NAMESPACE}thread_block_tile::thread_block_tile"] = _object
    table[f"{NAMESPACE}sync"] = _synchronise
    table[f"{NAMESPACE}thread_rank"] = _number(_thread_rank)
    table[f"{NAMESPACE}group_size"] = _number(_size)
    for name in _CLASSES:
        prefix = f"{NAMESPACE}{name}::"
        table[prefix + "sync"] = _synchronise
        table[prefix + "thread_rank"] = _number(_thread_rank)
        table[prefix + "size"] = table[prefix + "num_threads"] = _number(_size)
    for name in ("thread_block_tile", "coalesced_group"):
        prefix = f"{NAMESPACE}{name}::"
        table[prefix + "meta_group_rank"] = _of_tile(rank_among_tiles)
        table[prefix + "meta_group_size"] = _of_tile(number_of_tiles)
        table[prefix + "shfl"], table[prefix + "shfl_xor"] = _shuffle("idx"), _shuffle("xor")
        table[prefix + "shfl_up"], table[prefix + "shfl_down"] = _shuffle("up"), _shuffle("down")
        table[prefix + "any"], table[prefix + "all"], table[prefix + "ballot"] = (
            _ask("any"),
            _ask("all"),
            _ask("ballot"),
        )
        table[prefix + "match_any"], table[prefix + "match_all"] = _match_any, _match_all
    block, grid = f"{NAMESPACE}thread_block::", f"{NAMESPACE}grid_group::"
    table[block + "thread_index"], table[block + "group_index"] = _indices("threadIdx"), _indices("blockIdx")
    table[block + "group_dim"] = table[block + "dim_threads"] = _indices("blockDim")
    table[grid + "block_index"] = _indices("blockIdx")
    table[grid + "dim_blocks"] = table[grid + "group_dim"] = _indices("gridDim")
    table[grid + "block_rank"], table[grid + "num_blocks"] = _rank_of_block, _number_of_blocks
    table[grid + "is_valid"] = _valid
    return table


TABLE: dict[str, Intrinsic] = _make_table()
