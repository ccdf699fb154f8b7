"""T.Parallel iterations that depend on each other: they run in any order, at once, so the result is a race."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import BUFFERS, Traced

CODE = "TLM915"
_Index = tuple[ast.expr, ...]


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Stores to an element that another iteration reads, or that every iteration reads and writes."""
    for loop in traced.nodes:
        if isinstance(loop, ast.For) and traced.loop_kind(loop) == "parallel":
            yield from _in_loop(loop, traced)


def _in_loop(loop: ast.For, traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    names = [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
    extents = loop.iter.args if isinstance(loop.iter, ast.Call) else []
    sizes = {name: traced.constant(extent) for name, extent in zip(names, extents, strict=False)}
    inside = [n for statement in loop.body for n in ast.walk(statement)]
    reads = [n for n in inside if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load) and _buffer(n, traced)]
    for store in inside:
        if not isinstance(store, ast.Subscript) or not isinstance(store.ctx, ast.Store) or not _buffer(store, traced):
            continue
        buffer = _buffer(store, traced)
        for read in reads:
            if _buffer(read, traced) == buffer and _clash(_indices(store), _indices(read), sizes):
                text, other = traced.module.source(store), traced.module.source(read)
                yield CODE, LintFinding(store, f"`{text}` is written while another iteration reads it as `{other}`")
                break
        else:
            if _accumulates(store, names, traced):
                text = traced.module.source(store)
                yield CODE, LintFinding(store, f"`{text}` is read and written by every iteration at once")


def _buffer(node: ast.Subscript, traced: Traced) -> str:
    symbol = traced.symbol(node) if isinstance(node.value, ast.Name) else None
    inexact = any(isinstance(n, ast.Slice) for n in ast.walk(node.slice))
    return (
        node.value.id if isinstance(node.value, ast.Name) and symbol and symbol.kind in BUFFERS and not inexact else ""
    )


def _indices(node: ast.Subscript) -> _Index:
    return tuple(node.slice.elts) if isinstance(node.slice, ast.Tuple) else (node.slice,)


def _clash(store: _Index, read: _Index, sizes: dict[str, int | float | None]) -> bool:
    """Equal but for one parallel variable that is shifted by a constant smaller than its extent."""
    if len(store) != len(read):
        return False
    shifted = False
    for one, other in zip(store, read, strict=True):
        if ast.dump(one) == ast.dump(other):
            continue
        left, right = _shift(one), _shift(other)
        if left is None or right is None or left[0] != right[0] or left[0] not in sizes:
            return False
        extent = sizes[left[0]]
        if extent is not None and abs(left[1] - right[1]) >= extent:
            return False
        shifted = True
    return shifted


def _shift(node: ast.expr) -> tuple[str, int] | None:
    """``i``, ``i + 1``, ``1 + i``, ``i - 1`` as name and constant."""
    if isinstance(node, ast.Name):
        return node.id, 0
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        if (
            isinstance(node.left, ast.Name)
            and isinstance(node.right, ast.Constant)
            and isinstance(node.right.value, int)
        ):
            return node.left.id, sign * node.right.value
        if (
            sign == 1
            and isinstance(node.right, ast.Name)
            and isinstance(node.left, ast.Constant)
            and isinstance(node.left.value, int)
        ):
            return node.right.id, node.left.value
    return None


def _accumulates(store: ast.Subscript, names: list[str], traced: Traced) -> bool:
    """``s[0] = s[0] + x[i]`` or ``s[0] += x[i]`` on memory that the threads share."""
    symbol = traced.symbol(store)
    if symbol is None or symbol.kind not in ("shared", "global"):
        return False
    if any(not isinstance(index, ast.Constant) for index in _indices(store)):
        return False
    statement = traced.module.parents.get(store)
    if isinstance(statement, ast.AugAssign):
        value: ast.AST = statement.value
    elif isinstance(statement, ast.Assign):
        value = statement.value
        target = ast.unparse(store)
        if not any(isinstance(n, ast.Subscript) and ast.unparse(n) == target for n in ast.walk(value)):
            return False
    else:
        return False
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(value))
