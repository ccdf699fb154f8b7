"""Tile operations of the real TIR (calls on regions) → the runtime's IR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilelang_runtime.ir import nodes
from tilelang_runtime.tir.expressions import Scopes, UnsupportedTir, import_expression


def import_region(node: Any, scopes: Scopes) -> nodes.Region:
    """``T.region(load, access, extents...)`` or a plain buffer load (its whole buffer from there)."""
    if type(node).__name__ == "BufferLoad":
        load = node
        extents: list[nodes.Expr] = [nodes.Const("int32", 1)] * len(node.indices)
    elif type(node).__name__ == "Call" and node.op.name.endswith("region"):
        load = node.args[0]
        extents = [import_expression(extent, scopes) for extent in node.args[2:]]
    else:
        raise UnsupportedTir(f"tile operand {type(node).__name__}")
    buffer = scopes.buffer(load.buffer.data)
    starts = tuple(import_expression(index, scopes) for index in load.indices)
    plain = tuple(int(e.value) if isinstance(e, nodes.Const) else e for e in extents)
    return nodes.Region(buffer, starts, plain)


def _flag(node: Any) -> bool:
    return bool(int(node.value))


def _copy(call: Any, scopes: Scopes) -> nodes.Stmt:
    return nodes.TileCopy(import_region(call.args[0], scopes), import_region(call.args[1], scopes))


def _fill(call: Any, scopes: Scopes) -> nodes.Stmt:
    return nodes.TileFill(import_region(call.args[0], scopes), import_expression(call.args[1], scopes))


def _gemm(call: Any, scopes: Scopes) -> nodes.Stmt:
    left, right, target = (import_region(arg, scopes) for arg in call.args[:3])
    transpose_left, transpose_right = _flag(call.args[3]), _flag(call.args[4])
    clear = _flag(call.args[9])
    return nodes.TileGemm(left, right, target, transpose_left, transpose_right, clear)


def _reduce(call: Any, scopes: Scopes) -> nodes.Stmt:
    source, target = (import_region(arg, scopes) for arg in call.args[:2])
    op, dim, clear = str(call.args[2].value), int(call.args[3].value), _flag(call.args[4])
    return nodes.TileReduce(op, source, target, dim, clear)


def _cumsum(call: Any, scopes: Scopes) -> nodes.Stmt:
    source, target = (import_region(arg, scopes) for arg in call.args[:2])
    return nodes.TileScan("sum", source, target, int(call.args[2].value), _flag(call.args[3]))


TILE_CALLS: dict[str, Callable[[Any, Scopes], nodes.Stmt]] = {
    "copy": _copy,
    "fill": _fill,
    "gemm": _gemm,
    "reduce": _reduce,
    "cumsum": _cumsum,
}
"""By operator name without its dialect prefix, as `prim_func.script()` of 0.1.15 shows them."""
