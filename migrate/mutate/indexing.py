"""Mistakes about where: indices, bounds, axes, strides, and the shape of the launch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.mutate.view import BuilderView, Mutation, called

_AXES = {"bx": ("by", "bz"), "by": ("bx",), "bz": ("bx",), "tx": ("ty", "tz"), "ty": ("tx",), "tz": ("tx",)}
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def off_by_one_index(view: BuilderView) -> Iterator[Mutation]:
    """An index one too high or one too low."""
    for node in view.body():
        if not isinstance(node, ast.Subscript) or not _is_memory(view, node.value):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            for sign in ("+", "-"):
                text = f"{_wrapped(view.source(part))} {sign} 1"
                yield view.mutation("off_by_one_index", part, text, f"index {sign} 1")


def off_by_one_bound(view: BuilderView) -> Iterator[Mutation]:
    """A loop or a guard that ends one too early or too late."""
    for node in view.body():
        if isinstance(node, ast.For) and called(node.iter) in ("serial", "unroll"):
            assert isinstance(node.iter, ast.Call)
            stop = node.iter.args[0] if len(node.iter.args) == 1 else node.iter.args[1]
            for sign in ("+", "-"):
                text = f"{_wrapped(view.source(stop))} {sign} 1"
                yield view.mutation("off_by_one_bound", stop, text, f"loop bound {sign} 1")
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _ORDERED):
            right = node.comparators[0]
            if view.integral(node.left) and view.integral(right):
                # The other direction is what `comparison` does.
                sign = "-" if isinstance(node.ops[0], (ast.Lt, ast.GtE)) else "+"
                text = f"{_wrapped(view.source(right))} {sign} 1"
                yield view.mutation("off_by_one_bound", right, text, f"bound {sign} 1")


def swapped_axes(view: BuilderView) -> Iterator[Mutation]:
    """``bx`` for ``by``, ``tx`` for ``ty``, one use at a time."""
    known = set(view.dtypes)
    for node in view.body():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            for other in _AXES.get(node.id, ()):
                if other in known:
                    yield view.mutation("swapped_axes", node, other, f"{node.id} becomes {other}")


def shared_stride(view: BuilderView) -> Iterator[Mutation]:
    """A wrong stride in an index of shared memory: a factor one larger, or two dimensions swapped."""
    for node in view.body():
        if not isinstance(node, ast.Subscript) or _scope(view, node.value) != "shared":
            continue
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            first, second = (view.source(part) for part in node.slice.elts)
            yield view.mutation("shared_stride", node.slice, f"{second}, {first}", "dimensions swapped")
        for part in ast.walk(node.slice):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult):
                factor = part.right
                if isinstance(factor, (ast.Constant, ast.Name)):
                    text = f"({view.source(factor)} + 1)"
                    yield view.mutation("shared_stride", factor, text, "stride one larger")


def swapped_launch(view: BuilderView) -> Iterator[Mutation]:
    """Two axes of the grid or of the block exchanged."""
    for node in ast.walk(view.builder):
        if called(node) != "Kernel" or not isinstance(node, ast.Call):
            continue
        if len(node.args) >= 2:
            yield _exchange(view, node.args[0], node.args[1], "grid axes exchanged")
        for keyword in node.keywords:
            if keyword.arg == "threads" and isinstance(keyword.value, ast.Tuple):
                yield _exchange(view, keyword.value.elts[0], keyword.value.elts[1], "block axes exchanged")
    for node in ast.walk(view.builder):
        if called(node) == "get_thread_binding" and isinstance(node, ast.Call):
            axis = node.args[0]
            if isinstance(axis, ast.Constant) and axis.value in (0, 1):
                yield view.mutation("swapped_launch", axis, str(1 - axis.value), "thread axes exchanged")


def _exchange(view: BuilderView, left: ast.expr, right: ast.expr, note: str) -> Mutation:
    splices = (view.replace(left, view.source(right)), view.replace(right, view.source(left)))
    return Mutation("swapped_launch", left.lineno, left.col_offset, note, splices)


def _scope(view: BuilderView, node: ast.AST) -> str:
    return view.memory.get(node.id, "") if isinstance(node, ast.Name) else ""


def _is_memory(view: BuilderView, node: ast.AST) -> bool:
    return _scope(view, node) != ""


def _wrapped(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"
