"""Tile operations of the reference interpreter, element by element."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Region
from tilelang_runtime.reference import scalars

if TYPE_CHECKING:
    from tilelang_runtime.reference.interpreter import Thread

DEPTH = {"float32": 8, "float16": 16, "bfloat16": 16, "float64": 1}
"""k of one tensor-core instruction: within it the sum is taken in float64."""


class _View:
    """A region with its numbers evaluated."""

    def __init__(self, thread: Thread, region: Region):
        self.thread = thread
        self.region = region
        self.buffer = region.buffer
        self.starts = [thread.value(start) for start in region.starts]
        self.extents = [extent if isinstance(extent, int) else thread.value(extent) for extent in region.extents]
        self.moving = [a for a, e in enumerate(region.extents) if not (isinstance(e, int) and e == 1)]

    def at(self, offsets: dict[int, int]) -> tuple[int, ...]:
        return tuple(start + offsets.get(axis, 0) for axis, start in enumerate(self.starts))

    def inside(self, place: tuple[int, ...]) -> bool:
        return all(0 <= i < n for i, n in zip(place, self.thread.array(self.buffer).shape, strict=True))

    def read(self, offsets: dict[int, int]) -> Any:
        return self.thread.load(self.buffer, self.at(offsets), self.thread.span)

    def write(self, offsets: dict[int, int], value: Any) -> None:
        self.thread.store(self.buffer, self.at(offsets), value, self.thread.span)


def run_tile(thread: Thread, statement: nodes.TileOp) -> None:
    """Executes one operation."""
    if isinstance(statement, nodes.TileCopy):
        _copy(_View(thread, statement.source), _View(thread, statement.target))
    elif isinstance(statement, nodes.TileFill):
        target, value = _View(thread, statement.target), thread.value(statement.value)
        for place in product(*map(range, target.extents)):
            target.write(dict(enumerate(place)), value)
    elif isinstance(statement, nodes.TileGemm):
        _gemm(thread, statement)
    elif isinstance(statement, nodes.TileReduce):
        _reduce(statement, _View(thread, statement.source), _View(thread, statement.target))
    elif isinstance(statement, nodes.TileScan):
        _scan(statement, _View(thread, statement.source), _View(thread, statement.target))
    elif isinstance(statement, nodes.TileAtomic):
        _atomic(thread, statement)
    elif isinstance(statement, nodes.TileTranspose):
        source, target = _View(thread, statement.source), _View(thread, statement.target)
        for i, j in product(*map(range, source.extents)):
            value = scalars.convert(source.read({0: i, 1: j}), source.buffer.dtype, target.buffer.dtype)
            target.write({0: j, 1: i}, value)


def _copy(source: _View, target: _View) -> None:
    for place in product(*(range(target.extents[axis]) for axis in target.moving)):
        here, there = (
            source.at(dict(zip(source.moving, place, strict=True))),
            target.at(dict(zip(target.moving, place, strict=True))),
        )
        for view, index in ((source, here), (target, there)):
            if view.buffer.scope != "global" and not view.inside(index):
                view.thread.load(view.buffer, index, view.thread.span)  # raises, unless every access is checked
        if not target.inside(there):
            continue
        dtype = target.buffer.dtype
        if source.inside(here):
            value = source.thread.load(source.buffer, here, source.thread.span)
            value = scalars.convert(value, source.buffer.dtype, dtype)
        else:
            value = scalars.settle(0, dtype)
        target.thread.store(target.buffer, there, value, target.thread.span)


def _matrix(view: _View, transposed: bool, *, read: bool = True) -> np.ndarray:
    array = view.thread.array(view.buffer)
    if view.thread.checker is not None:
        for place in product(*map(range, view.extents)):
            index = view.at(dict(enumerate(place)))
            if not read:
                view.thread.store(view.buffer, index, 0, view.thread.span)
            elif view.inside(index):
                view.thread.load(view.buffer, index, view.thread.span)
    window = tuple(slice(start, start + extent) for start, extent in zip(view.starts, view.extents, strict=True))
    matrix = array[window].reshape(view.extents[-2], view.extents[-1])
    return matrix.T if transposed else matrix


def _tf32(values: np.ndarray) -> np.ndarray:
    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.where(np.isfinite(values), rounded, values)


def _gemm(thread: Thread, statement: nodes.TileGemm) -> None:
    left = _matrix(_View(thread, statement.left), statement.transpose_left)
    right = _matrix(_View(thread, statement.right), statement.transpose_right)
    out = _matrix(_View(thread, statement.target), False, read=not statement.clear)
    source = statement.left.buffer.dtype
    if types.is_int(source):
        wide = left.astype(np.int64) @ right.astype(np.int64) + (0 if statement.clear else out.astype(np.int64))
        out[...] = (wide & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
        return
    if source == "float32":
        left, right = _tf32(left), _tf32(right)
    a, b = left.astype(np.float64), right.astype(np.float64)
    with np.errstate(all="ignore"):
        total = np.zeros(out.shape) if statement.clear else out.astype(np.float64)
        for first in range(0, a.shape[1], DEPTH[source]):
            for k in range(first, min(first + DEPTH[source], a.shape[1])):
                if source == "float64":
                    for i, j in product(range(out.shape[0]), range(out.shape[1])):
                        total[i, j] = scalars.fused(a[i, k], b[k, j], total[i, j], "float64")
                else:
                    total = total + np.outer(a[:, k], b[k])
            if out.dtype == np.float32:
                total = total.astype(np.float32).astype(np.float64)
            elif out.dtype != np.float64:
                total = np.vectorize(lambda x: scalars.settle(x, statement.target.buffer.dtype))(total)
        out[...] = total.astype(out.dtype)


_NAMES = {"sum": "add", "abssum": "add", "absmax": "max"}


def _identity(op: str, dtype: str) -> Any:
    if op in ("sum", "abssum", "absmax", "bitor", "bitxor"):
        return scalars.settle(0, dtype)
    if op == "bitand":
        return types.wrap_int(-1, dtype)
    if types.is_float(dtype):
        return float("inf") if op == "min" else float("-inf")
    width = types.bits(dtype)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if types.is_signed(dtype) else (0, (1 << width) - 1)
    return high if op == "min" else low


def _combine(op: str, a: Any, b: Any, dtype: str) -> Any:
    return scalars.binary(_NAMES.get(op, op), a, b, dtype)


def _reduce(statement: nodes.TileReduce, source: _View, target: _View) -> None:
    op, axis, dtype = statement.op, statement.dim, target.buffer.dtype
    kept = [d for d in range(len(source.extents)) if d != axis and source.region.extents[d] != 1]
    for place in product(*(range(source.extents[d]) for d in kept)):
        offsets = dict(zip(kept, place, strict=True))
        to = dict(zip(target.moving, place, strict=True))
        total = _identity(op, dtype) if statement.clear else target.read(to)
        for r in range(source.extents[axis]):
            term = scalars.convert(source.read({**offsets, axis: r}), source.buffer.dtype, dtype)
            if op.startswith("abs"):
                term = scalars.settle(abs(term), dtype)
            if statement.nan_propagate and (total != total or term != term):  # noqa: PLR0124
                total = float("nan")
            else:
                total = _combine(op, total, term, dtype)
        target.write(to, total)


def _scan(statement: nodes.TileScan, source: _View, target: _View) -> None:
    op, axis, dtype = statement.op, statement.dim, target.buffer.dtype
    others = [d for d in range(len(source.extents)) if d != axis]
    extent = source.extents[axis]
    for place in product(*(range(source.extents[d]) for d in others)):
        total = None
        for r in range(extent - 1, -1, -1) if statement.reverse else range(extent):
            offsets = {**dict(zip(others, place, strict=True)), axis: r}
            term = scalars.convert(source.read(offsets), source.buffer.dtype, dtype)
            total = term if total is None else _combine(op, total, term, dtype)
            target.write(offsets, total)


def _atomic(thread: Thread, statement: nodes.TileAtomic) -> None:
    target, dtype = _View(thread, statement.target), statement.target.buffer.dtype
    source = _View(thread, statement.source) if isinstance(statement.source, Region) else None
    fixed: Any = None if isinstance(statement.source, Region) else thread.value(statement.source)
    for place in product(*(range(target.extents[axis]) for axis in target.moving)):
        value: Any = fixed
        if source is not None:
            raw = source.read(dict(zip(source.moving, place, strict=True)))
            value = scalars.convert(raw, source.buffer.dtype, dtype)
        var = nodes.Const(dtype, value)
        indices = tuple(nodes.Const("int64", i) for i in target.at(dict(zip(target.moving, place, strict=True))))
        operation = nodes.Atomic(statement.op, target.buffer, indices, (var,), dtype)
        thread.atomic(operation, [*(index.value for index in indices), value], thread.span)
