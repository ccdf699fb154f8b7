"""A Python number assigned again inside a run-time loop or branch: the trace runs the body once, so one value remains.

``x = 0`` and ``x += 1`` in a loop of ten gives 1, not 10.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM907"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Names that start as a number outside of the loop or branch that assigns them again."""
    starts: dict[str, ast.Assign | ast.AnnAssign] = {}
    for node in traced.nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id not in starts:
                starts[target.id] = node
    for node in traced.nodes:
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Store) or node.id not in starts:
            continue
        start = starts[node.id]
        if start.value is None or not _is_number(start.value, traced):
            continue
        around = _run_time_block(node, start, traced)
        if around and not _is_target_of_loop(node, traced):
            yield (
                CODE,
                LintFinding(
                    node, f"`{node.id}` is a Python number; assigned again in a {around}, it is not seen at run time"
                ),
            )


def _is_number(node: ast.expr, traced: Traced) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand, traced)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    if isinstance(node, ast.Call) and len(node.args) == 1 and traced.module.function_of(node).startswith("T."):
        return bool(traced.dtype_of(node.func)) and _is_number(node.args[0], traced)
    return False


def _run_time_block(node: ast.AST, start: ast.AST, traced: Traced) -> str:
    """The innermost run-time loop or branch around ``node`` that ``start`` is not in."""
    around_start = set(traced.module.enclosing(start))
    for outer in traced.module.enclosing(node):
        if outer is traced.function or outer in around_start:
            return ""
        if isinstance(outer, ast.For) and traced.loop_kind(outer) not in ("", "unroll"):
            return "run-time loop"
        if isinstance(outer, ast.While):
            return "run-time loop" if traced.is_run_time(outer.test) else ""
        if isinstance(outer, ast.If) and traced.is_run_time(outer.test):
            return "run-time branch"
    return ""


def _is_target_of_loop(node: ast.Name, traced: Traced) -> bool:
    parent: ast.AST | None = traced.module.parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.List)):
        parent = traced.module.parents.get(parent)
    return isinstance(parent, (ast.For, ast.comprehension))
