"""What a cooperative group is, read from its C++ type, and its ranks, sizes and masks as expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from migrate.diagnostics import refuse
from migrate.ir.kernel import Builtin, DType, Expr
from migrate.parse.build.intrinsics.arguments import binary, cast, const, plain, unknown
from migrate.parse.build.types import CType, RecordType
from migrate.parse.build.values import IntrinsicCall

NAMESPACE = "cooperative_groups::"
WARP_SIZE = 32


@dataclass(frozen=True)
class Group:
    """``block``, ``grid`` or ``tile``. A tile has a size (power of two, at most 32) and a parent.

    ``parent`` is the size of the parent tile, 0 for the block, None where the type does not say (a tile<N, void>).
    """

    kind: Literal["block", "grid", "tile"]
    size: int = 0
    parent: int | None = 0


def group_of(call: IntrinsicCall, index: int = 0) -> Group:
    """The group that argument ``index`` is; refuses groups whose size or members are only known at run time."""
    if index >= len(call.arg_types):
        raise unknown(call)
    ctype = plain(call.arg_types[index])
    name = _short_name(ctype)
    if name == "thread_block":
        return Group("block")
    if name == "grid_group":
        return Group("grid")
    if name == "thread_block_tile" and isinstance(ctype, RecordType):
        return _tile(call, ctype)
    if name == "coalesced_group":
        raise refuse("TLM304", "coalesced groups depend on which threads happen to be active", call.span)
    raise refuse("TLM311", f"the size of the group in {call.name} is not part of its type", call.span)


def _short_name(ctype: CType) -> str:
    return ctype.name.rpartition("::")[2] if isinstance(ctype, RecordType) else ""


def _tile(call: IntrinsicCall, ctype: RecordType) -> Group:
    size = _number(ctype.template_args[0]) if ctype.template_args else 0
    if size not in (1, 2, 4, 8, 16, 32):
        raise refuse("TLM311", f"a tile of {size or 'unknown'} threads is not part of one warp", call.span)
    return Group("tile", size, _parent_size(ctype.template_args[1] if len(ctype.template_args) > 1 else "void", size))


def _parent_size(spelling: str, size: int) -> int | None:
    """Size of the parent tile, 0 for the block, None if unknown; a full warp can only come from the block."""
    if "thread_block_tile<" in spelling:
        return _number(spelling.partition("<")[2].partition(",")[0].rstrip("> "))
    if spelling.rstrip().endswith("thread_block") or size == WARP_SIZE:
        return 0
    return None


def _number(text: str) -> int:
    digits = text.strip().rstrip("uUlL")
    return int(digits) if digits.isdigit() else 0


def block_size(dtype: DType = "uint32") -> Expr:
    """Threads in the block."""
    x, y, z = (cast(Builtin("blockDim", axis), dtype) for axis in _AXES)
    return binary("mul", binary("mul", x, y), z)


def block_rank_of_thread(dtype: DType = "uint32") -> Expr:
    """Linear index of the thread in its block: x fastest."""
    return _linear("threadIdx", "blockDim", dtype)


def grid_size(dtype: DType = "uint64") -> Expr:
    """Blocks in the grid."""
    x, y, z = (cast(Builtin("gridDim", axis), dtype) for axis in _AXES)
    return binary("mul", binary("mul", x, y), z)


def rank_of_block(dtype: DType = "uint64") -> Expr:
    """Linear index of the block in the grid."""
    return _linear("blockIdx", "gridDim", dtype)


_AXES: tuple[Literal["x", "y", "z"], ...] = ("x", "y", "z")


def _linear(index: Literal["threadIdx", "blockIdx"], extent: Literal["blockDim", "gridDim"], dtype: DType) -> Expr:
    x, y, z = (cast(Builtin(index, axis), dtype) for axis in _AXES)
    width, height = cast(Builtin(extent, "x"), dtype), cast(Builtin(extent, "y"), dtype)
    return binary("add", x, binary("mul", width, binary("add", y, binary("mul", height, z))))


def lane() -> Expr:
    """Lane of the thread in its warp."""
    return Builtin("laneid", "x")


def rank_in_tile(group: Group) -> Expr:
    """Lane within the tile."""
    return lane() if group.size == WARP_SIZE else binary("bitand", lane(), const("uint32", group.size - 1))


def first_lane(group: Group) -> Expr:
    """Warp lane of the tile's first thread."""
    return binary("bitand", lane(), const("uint32", (WARP_SIZE - 1) & ~(group.size - 1)))


def tile_mask(group: Group) -> Expr:
    """Mask of the tile's lanes in its warp."""
    if group.size == WARP_SIZE:
        return const("uint32", 0xFFFFFFFF)
    return binary("shl", const("uint32", (1 << group.size) - 1), first_lane(group))


def rank_among_tiles(call: IntrinsicCall, group: Group) -> Expr:
    """meta_group_rank: which tile of its parent."""
    size = const("uint32", group.size)
    if group.parent is None:
        raise refuse("TLM311", "the parent of this tile is not part of its type", call.span)
    if group.parent:
        inside = binary("bitand", lane(), const("uint32", group.parent - 1))
        return binary("truncdiv", inside, size)
    if group.size == WARP_SIZE:
        return Builtin("warpid", "x")
    return binary("truncdiv", block_rank_of_thread(), size)


def number_of_tiles(call: IntrinsicCall, group: Group) -> Expr:
    """meta_group_size: how many tiles the parent has."""
    if group.parent is None:
        raise refuse("TLM311", "the parent of this tile is not part of its type", call.span)
    if group.parent:
        return const("uint32", max(1, group.parent // group.size))
    rounded_up = binary("add", block_size(), const("uint32", group.size - 1))
    return binary("truncdiv", rounded_up, const("uint32", group.size))
