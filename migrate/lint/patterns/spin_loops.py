"""Waiting for memory with a plain load: the compiler may read it once, so the loop never ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM932"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """``while`` on an element of a tensor with a body that changes nothing."""
    for loop in traced.nodes:
        if not isinstance(loop, ast.While):
            continue
        loads = [n for n in ast.walk(loop.test) if isinstance(n, ast.Subscript) and _is_memory(n, traced)]
        if not loads or not all(_is_idle(statement) for statement in loop.body):
            continue
        text = traced.module.source(loads[0])
        yield CODE, LintFinding(loads[0], f"`{text}` may be read only once; wait with T.atomic_load")


def _is_memory(node: ast.Subscript, traced: Traced) -> bool:
    symbol = traced.symbol(node)
    inside_call = isinstance(traced.module.parents.get(node), ast.Call)
    return symbol is not None and symbol.kind in ("global", "shared") and not inside_call


def _is_idle(statement: ast.stmt) -> bool:
    """Nothing is assigned; a call may wait but must not write (only sleeps and the like are known not to)."""
    if isinstance(statement, ast.Pass):
        return True
    return isinstance(statement, ast.Expr) and "nanosleep" in ast.unparse(statement)
