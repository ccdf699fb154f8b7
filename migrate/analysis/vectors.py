"""Accesses of several neighbouring elements (float4 and the like, which are scalar loads in the model)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from migrate.analysis.walk import own_expressions, sub_statements, walk_expressions
from migrate.ir import kernel as k

WIDTHS = (16, 8, 4, 2)
_NARROW = frozenset({"float16", "bfloat16", "int8", "uint8", "int16", "uint16"})


def _strip(expr: k.Expr) -> k.Expr:
    while isinstance(expr, k.Cast):
        expr = expr.operand
    return expr


def _constant(expr: k.Expr) -> int | None:
    expr = _strip(expr)
    if isinstance(expr, k.Const) and isinstance(expr.value, int) and not isinstance(expr.value, bool):
        return expr.value
    return None


def _split(index: k.Expr) -> tuple[k.Expr, int]:
    """``base + constant``."""
    index = _strip(index)
    if isinstance(index, k.Binary) and index.op == "add":
        right, left = _constant(index.right), _constant(index.left)
        if right is not None:
            return _strip(index.left), right
        if left is not None:
            return _strip(index.right), left
    return index, 0


def _scaled_by(base: k.Expr, locals_: dict[str, k.Expr], depth: int = 0) -> int:
    """The largest of `WIDTHS` that ``base`` is a multiple of, as far as its text shows."""
    base = _strip(base)
    if depth > 8:
        return 1
    constant = _constant(base)
    if constant is not None:
        return next((width for width in WIDTHS if constant % width == 0), 1)
    if isinstance(base, k.LocalRef) and base.var.name in locals_:
        return _scaled_by(locals_[base.var.name], locals_, depth + 1)
    if isinstance(base, k.Binary):
        left, right = _scaled_by(base.left, locals_, depth + 1), _scaled_by(base.right, locals_, depth + 1)
        if base.op == "mul":
            return max(left, right)
        if base.op in ("add", "sub"):
            return min(left, right)
        if base.op == "shl":
            shift = _constant(base.right)
            return min(1 << shift, WIDTHS[0]) if shift is not None and 0 <= shift < 8 else left
    return 1


def vector_widths(kernel: k.Kernel) -> dict[str, int]:
    """Buffer name → elements accessed together (2, 4, 8, 16), for global buffers with such accesses.

    A group counts when the constants 0 to width-1 are all added to one base. Pairs count for 8 and 16-bit elements
    only: elsewhere they are neighbours of a scan or a butterfly more often than vectors.
    """
    locals_ = {
        statement.var.name: statement.init
        for statement in sub_statements(kernel.body)
        if isinstance(statement, k.Declare) and statement.init is not None and not statement.var.mutable
    }
    groups: dict[tuple[str, k.Expr], set[int]] = defaultdict(set)
    dtypes = {buffer.name: buffer.dtype for buffer in kernel.buffers}
    for buffer, index in _global_accesses(kernel.body):
        base, constant = _split(index)
        groups[(buffer, _without_span(base))].add(constant)
    found: dict[str, int] = {}
    for (name, base), constants in groups.items():
        together = next((width for width in WIDTHS if set(range(width)) <= constants), 1)
        if together > 1:
            scale = _scaled_by(base, locals_)
            width = min(together, scale) if scale > 1 else 1
            if width > 2 or (width == 2 and dtypes[name] in _NARROW):
                found[name] = max(found.get(name, 1), width)
    return found


def _without_span(expr: k.Expr) -> k.Expr:
    from dataclasses import fields, replace

    changes: dict[str, object] = {"span": None}
    for one in fields(expr):
        value = getattr(expr, one.name)
        if one.name in ("operand", "left", "right", "cond", "then", "otherwise"):
            changes[one.name] = _without_span(value)
        elif one.name in ("indices", "args"):
            changes[one.name] = tuple(_without_span(part) for part in value)
    return replace(expr, **changes)  # type: ignore[arg-type]


def _global_accesses(body: Iterable[k.Stmt]) -> Iterable[tuple[str, k.Expr]]:
    for statement in sub_statements(body):
        if isinstance(statement, (k.Store, k.Atomic)) and statement.buffer.scope == k.Scope.GLOBAL:
            yield statement.buffer.name, statement.indices[0]
        for expr in own_expressions(statement):
            for part in walk_expressions(expr):
                if isinstance(part, k.Load) and part.buffer.scope == k.Scope.GLOBAL:
                    yield part.buffer.name, part.indices[0]
