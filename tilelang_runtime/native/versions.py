"""Loop versioning: when do all accesses of a T.Parallel to arguments stay inside?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Var
from tilelang_runtime.ir.shape import expressions, statements

if TYPE_CHECKING:
    from tilelang_runtime.native.statements import LaunchWriter


def inside_test(writer: LaunchWriter, statement: nodes.ParallelFor, extents: list[str]) -> tuple[str | None, set[int]]:
    """A C++ condition under which every access to ``buffers`` (ids) in the body is inside; None if there is none."""
    tests: list[str] = []
    buffers: set[int] = set()
    changed = {id(s.var) for s in statements(statement.body) if isinstance(s, (nodes.Bind, nodes.For))}
    definitions = {id(s.var): s.value for s in statements(statement.body) if isinstance(s, nodes.Bind)}
    for inner in statements(statement.body):
        accesses: list[tuple[Buffer, tuple[Expr, ...]]] = []
        if isinstance(inner, nodes.Store):
            accesses.append((inner.buffer, inner.indices))
        for value in expressions(inner):
            if isinstance(value, nodes.Load):
                accesses.append((value.buffer, value.indices))
            elif isinstance(value, nodes.Atomic) and value.buffer.scope == "global":
                return None, set()
        for buffer, indices in accesses:
            if buffer.scope != "global":
                continue
            sizes, _ = writer.bounds[id(buffer)]
            for index, size in zip(indices, sizes, strict=True):
                parts = _linear(index, statement.variables, definitions, changed)
                if parts is None:
                    return None, set()
                low, high = _extremes(writer, parts, statement.variables, extents)
                if index.dtype not in ("int32", "int64"):
                    return None, set()
                limit = "" if index.dtype == "int64" else f" && {high} < 0x80000000ll"
                tests.append(f"{low} >= 0 && {high} < {size}{limit}")
            buffers.add(id(buffer))
    if not buffers:
        return None, set()
    return " && ".join(dict.fromkeys(tests)), buffers


def _extremes(
    writer: LaunchWriter, parts: tuple[dict[int, int], list[Expr]], variables: tuple[Var, ...], extents: list[str]
) -> tuple[str, str]:
    factors, rest = parts
    base = " + ".join(f"(i64){writer.expr(term)}" for term in rest) or "0"
    low, high = [base], [base]
    for position, extent in enumerate(extents):
        factor = factors.get(id(variables[position]), 0)
        if factor:
            (high if factor > 0 else low).append(f"({extent} - 1) * {factor}")
    return f"({' + '.join(low)})", f"({' + '.join(high)})"


def _linear(
    value: Expr, variables: tuple[Var, ...], definitions: dict[int, Expr], changed: set[int]
) -> tuple[dict[int, int], list[Expr]] | None:
    """Factors of the loop variables and terms that do not change in the loop; None if it is not of that form."""
    if any(value is var for var in variables):
        return {id(value): 1}, []
    if isinstance(value, Var):
        if id(value) in definitions:
            return _linear(definitions[id(value)], variables, definitions, changed)
        return None if id(value) in changed else ({}, [value])
    if isinstance(value, Const):
        return {}, [value]
    if isinstance(value, nodes.Cast) and types.is_int(value.operand.dtype) and types.is_int(value.dtype):
        return _linear(value.operand, variables, definitions, changed)
    if not isinstance(value, nodes.Binary) or value.op not in ("add", "sub", "mul"):
        return None
    left = _linear(value.left, variables, definitions, changed)
    right = _linear(value.right, variables, definitions, changed)
    if left is None or right is None:
        return None
    if value.op == "add":
        factors = dict(left[0])
        for key, factor in right[0].items():
            factors[key] = factors.get(key, 0) + factor
        return factors, left[1] + right[1]
    if not left[0] and not right[0]:
        return {}, [value]
    if value.op == "mul":
        for scaled, other in ((left, right), (right, left)):
            if not other[0] and len(other[1]) == 1 and isinstance(other[1][0], Const):
                number = other[1][0]
                terms: list[Expr] = [
                    nodes.Binary(
                        "mul",
                        nodes.Cast(t, "int64") if t.dtype != "int64" else t,
                        Const("int64", number.value),
                        "int64",
                    )
                    for t in scaled[1]
                ]
                return {key: factor * int(number.value) for key, factor in scaled[0].items()}, terms
    return None
