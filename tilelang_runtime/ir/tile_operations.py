"""Tile operations of the program IR: executed once by the block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tilelang_runtime.ir.expressions import Buffer, Expr
from tilelang_runtime.ir.span import NO_SPAN, Span


@dataclass(eq=False)
class Region:
    """A box of a buffer: per dimension a first index and an extent (a Python int, or an expression)."""

    buffer: Buffer
    starts: tuple[Expr, ...]
    extents: tuple[Expr | int, ...]


@dataclass(eq=False)
class TileCopy:
    """T.copy with dtype conversion: out-of-range reads of global memory give 0, writes are dropped.

    Dimensions of extent 1 are squeezed; what is left must agree.
    """

    source: Region
    target: Region
    span: Span = NO_SPAN


@dataclass(eq=False)
class TileFill:
    """T.fill / T.clear."""

    target: Region
    value: Expr
    span: Span = NO_SPAN


@dataclass(eq=False)
class TileGemm:
    """target (M, N) += left (M, K) @ right (K, N), with the transposes applied to the stored forms."""

    left: Region
    right: Region
    target: Region
    transpose_left: bool
    transpose_right: bool
    clear: bool
    span: Span = NO_SPAN


@dataclass(eq=False)
class TileReduce:
    """op: sum max min abssum absmax bitand bitor bitxor over dimension ``dim`` (>= 0), ascending."""

    op: str
    source: Region
    target: Region
    dim: int
    clear: bool
    nan_propagate: bool = False
    span: Span = NO_SPAN


@dataclass(eq=False)
class TileScan:
    """op: sum (T.cumsum), max (T.cummax) along ``dim``."""

    op: str
    source: Region
    target: Region
    dim: int
    reverse: bool
    span: Span = NO_SPAN


@dataclass(eq=False)
class TileAtomic:
    """T.atomic_add(region, buffer): element by element, ascending. op: add min max."""

    op: str
    target: Region
    source: Region | Expr
    span: Span = NO_SPAN


@dataclass(eq=False)
class TileTranspose:
    """T.transpose of a 2-D region."""

    source: Region
    target: Region
    span: Span = NO_SPAN


TileOp: TypeAlias = "TileCopy | TileFill | TileGemm | TileReduce | TileScan | TileAtomic | TileTranspose"
TILE_OPS = (TileCopy, TileFill, TileGemm, TileReduce, TileScan, TileAtomic, TileTranspose)
