"""Tile operations and annotations."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Expr, Region
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail
from tilelang_runtime.tracer.builder import require_builder
from tilelang_runtime.tracer.values import BufferRegion, constant_extent, region_of


def _emit(statement: nodes.Stmt, what: str) -> None:
    builder = require_builder(what)
    builder.require_kernel(what)
    builder.emit(statement)


def _is_point(region: Region) -> bool:
    return all(isinstance(extent, int) and extent == 1 for extent in region.extents)


def _squeezed(region: Region) -> list[Expr | int]:
    return [extent for extent in region.extents if not (isinstance(extent, int) and extent == 1)]


def _spread(point: Region, full: Region) -> Region:
    """A base point takes the extents of the other side, aligned at the last dimension."""
    wanted = _squeezed(full)
    rank = len(point.extents)
    if len(wanted) > rank:
        raise fail("T.copy: the base point has fewer dimensions than the tile")
    extents = tuple([1] * (rank - len(wanted)) + wanted)
    return Region(point.buffer, point.starts, extents)


def copy(src: Any, dst: Any, *_positional: Any, **_options: Any) -> None:
    """Copies a region with dtype conversion; out-of-range reads of arguments give 0, writes are dropped."""
    source, target = region_of(src).region, region_of(dst).region
    if _is_point(source) and not _is_point(target):
        source = _spread(source, target)
    elif _is_point(target) and not _is_point(source):
        target = _spread(target, source)
    left, right = _squeezed(source), _squeezed(target)
    if len(left) != len(right):
        raise fail("T.copy: the two regions have different ranks")
    for a, b in zip(left, right, strict=True):
        first, second = constant_extent(a), constant_extent(b)
        if first is not None and second is not None and first != second:
            raise fail(f"T.copy: extents {first} and {second} differ")
    _emit(nodes.TileCopy(source, target, LOCATION.span), "T.copy")


def fill(buffer: Any, value: Any, *_positional: Any, **_options: Any) -> None:
    """Sets every element."""
    region = region_of(buffer).region if not isinstance(buffer, Buffer) or buffer.scope != "var" else None
    if region is None:
        raise fail("T.fill of a scalar variable: assign to it")
    _emit(nodes.TileFill(region, cast(value, region.buffer.dtype), LOCATION.span), "T.fill")


def clear(buffer: Any, **_options: Any) -> None:
    """Sets every element to zero."""
    fill(buffer, 0)


class GemmWarpPolicy:
    """How upstream spreads a gemm over warps; no meaning here."""

    Square = 0
    FullRow = 1
    FullCol = 2


def gemm(
    A: Any,
    B: Any,
    C: Any,
    transpose_A: bool = False,
    transpose_B: bool = False,
    policy: Any = GemmWarpPolicy.Square,
    clear_accum: bool = False,
    **_options: Any,
) -> None:
    """C += A @ B (C = A @ B with clear_accum). float32 inputs are rounded to TF32, as the tensor cores do."""
    left, right, target = region_of(A).region, region_of(B).region, region_of(C).region
    shapes = []
    for region in (left, right, target):
        sizes = [constant_extent(extent) for extent in region.extents[-2:]]
        if len(sizes) != 2 or None in sizes:
            raise fail("T.gemm needs 2-D tiles of constant extents")
        shapes.append(tuple(size or 0 for size in sizes))
    (am, ak), (bk, bn), (m, n) = shapes
    if transpose_A:
        am, ak = ak, am
    if transpose_B:
        bk, bn = bn, bk
    if am != m or bn != n or ak != bk:
        raise fail(f"T.gemm: ({am}, {ak}) times ({bk}, {bn}) into ({m}, {n})")
    if left.buffer.dtype != right.buffer.dtype:
        raise fail(f"T.gemm of {left.buffer.dtype} and {right.buffer.dtype}")
    statement = nodes.TileGemm(left, right, target, transpose_A, transpose_B, bool(clear_accum), LOCATION.span)
    _emit(statement, "T.gemm")


def _reduce(op: str) -> Any:
    def function(buffer: Any, out: Any, dim: int = -1, clear: bool = True, **options: Any) -> None:
        source, target = region_of(buffer).region, region_of(out).region
        rank = len(source.extents)
        axis = dim + rank if dim < 0 else dim
        if not 0 <= axis < rank:
            raise fail(f"T.reduce_{op}: dimension {dim} of a rank {rank} buffer")
        kept = [constant_extent(e) for position, e in enumerate(source.extents) if position != axis]
        got = [constant_extent(extent) for extent in target.extents]
        without = [extent for extent in kept if extent != 1]
        if without != [extent for extent in got if extent != 1]:
            raise fail(f"T.reduce_{op}: the result has extents {got}, expected {kept or [1]}")
        nan = bool(options.get("nan_propagate", False))
        _emit(nodes.TileReduce(op, source, target, axis, bool(clear), nan, LOCATION.span), f"T.reduce_{op}")

    function.__name__ = f"reduce_{op}"
    function.__doc__ = f"out = {op} of the buffer over a dimension (combined with out unless clear)."
    return function


def _scan(op: str, name: str) -> Any:
    def function(src: Any, dst: Any = None, dim: int = 0, reverse: bool = False, **_options: Any) -> None:
        source = region_of(src).region
        target = source if dst is None else region_of(dst).region
        rank = len(source.extents)
        axis = dim + rank if dim < 0 else dim
        if not 0 <= axis < rank:
            raise fail(f"T.{name}: dimension {dim} of a rank {rank} buffer")
        _emit(nodes.TileScan(op, source, target, axis, bool(reverse), LOCATION.span), f"T.{name}")

    function.__name__ = name
    function.__doc__ = f"Inclusive {op} along a dimension, in place without dst."
    return function


def transpose(src: Any, dst: Any, **_options: Any) -> None:
    """dst[j, i] = src[i, j]."""
    source, target = region_of(src).region, region_of(dst).region
    if len(source.extents) != 2 or len(target.extents) != 2:
        raise fail("T.transpose needs 2-D buffers")
    _emit(nodes.TileTranspose(source, target, LOCATION.span), "T.transpose")


def _annotation(name: str) -> Any:
    def function(*values: Any, **options: Any) -> None:
        require_builder(f"T.{name}").attributes.setdefault(name, []).append((values, options))

    function.__name__ = name
    function.__doc__ = "Noted with the program; changes nothing in what it computes."
    return function


def annotate_safe_value(values: dict[Buffer, Any]) -> None:
    """The value of out-of-range reads; only 0 is available in this runtime."""
    for buffer, value in values.items():
        constant = as_expr(value)
        if not isinstance(constant, nodes.Const) or constant.value != 0:
            raise fail(f"T.annotate_safe_value of {buffer.name} other than 0 is not available in this runtime")


def import_source(source: Any = None) -> None:
    """Raw CUDA source."""
    if source is not None:
        raise fail("T.import_source is raw CUDA: it cannot run here")


def view(src: Any, shape: Any = None, dtype: Any = None, strides: Any = None) -> Buffer:
    """The bytes of a shared or local buffer under another shape and dtype of the same size."""
    if not isinstance(src, Buffer) or src.scope not in ("shared", "local"):
        raise fail("T.view shows shared and local buffers only in this runtime")
    if strides is not None:
        raise fail("T.view with strides is not available in this runtime")
    sizes = tuple(src.shape) if shape is None else tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    extents = [constant_extent(size) for size in sizes]
    name = src.dtype if dtype is None else types.normalise(dtype)
    wanted = _bytes([constant_extent(size) for size in src.shape], src.dtype)
    if _bytes(extents, name) != wanted:
        raise fail(f"T.view of `{src.name}` must keep its size of {wanted} bytes")
    builder = require_builder("T.view")
    builder.require_kernel("T.view")
    made = Buffer("?", name, src.scope, tuple(e or 0 for e in extents), None, src.dynamic, LOCATION.span, src)
    builder.emit(nodes.Allocate(made, None, LOCATION.span))
    return made


def _bytes(extents: list[int | None], dtype: str) -> int:
    total = types.bits(dtype) // 8
    for extent in extents:
        if extent is None:
            raise fail("T.view needs constant extents")
        total *= extent
    return total


ANNOTATIONS = [
    "annotate_layout",
    "annotate_l2_hit_ratio",
    "annotate_restrict_buffers",
    "annotate_min_blocks_per_sm",
    "annotate_compile_flags",
    "annotate_pass_configs",
    "use_swizzle",
    "set_max_nreg",
    "no_set_max_nreg",
    "disable_warp_group_reg_alloc",
]

FUNCTIONS: dict[str, Any] = {
    "copy": copy,
    "fill": fill,
    "clear": clear,
    "gemm": gemm,
    "GemmWarpPolicy": GemmWarpPolicy,
    "transpose": transpose,
    "annotate_safe_value": annotate_safe_value,
    "import_source": import_source,
    "view": view,
    "reshape": view,
    **{f"reduce_{op}": _reduce(op) for op in ["sum", "max", "min", "abssum", "absmax", "bitand", "bitor", "bitxor"]},
    "cumsum": _scan("sum", "cumsum"),
    "cummax": _scan("max", "cummax"),
    **{name: _annotation(name) for name in ANNOTATIONS},
}

__all__ = ["FUNCTIONS", "BufferRegion", "types"]
