"""An atomic of one block value outside T.Parallel: every thread of the block executes it.

``T.atomic_add(out[0], s[0])`` with a fragment s gave 256 times the sum on an H200, and took 118 ms instead of 0.25.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM916"
_ATOMICS = ("T.atomic_add", "T.atomic_max", "T.atomic_min", "T.atomic_or")


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Scalar atomics whose value is an element of a fragment or shared array, with nothing that picks one thread."""
    for call in traced.calls(*_ATOMICS):
        if len(call.args) < 2 or not isinstance(call.args[0], ast.Subscript) or _is_region(call.args[0]):
            continue
        value = call.args[1]
        if not any(_is_block_value(part, traced) for part in ast.walk(value)):
            continue
        if traced.uses_thread(call) or _elected(call, traced):
            continue
        text = traced.module.source(call)
        yield CODE, LintFinding(call, f"`{text}` is executed by every thread of the block")


def _is_region(node: ast.Subscript) -> bool:
    return any(isinstance(n, ast.Slice) for n in ast.walk(node.slice))


def _is_block_value(node: ast.AST, traced: Traced) -> bool:
    symbol = traced.symbol(node) if isinstance(node, ast.Subscript) else None
    return symbol is not None and symbol.kind in ("fragment", "shared")


def _elected(call: ast.Call, traced: Traced) -> bool:
    """Inside T.Parallel (or another loop over lanes), or under a condition on the thread."""
    for outer in traced.module.enclosing(call):
        if outer is traced.function:
            return False
        if isinstance(outer, ast.For) and traced.loop_kind(outer) in ("parallel", "vectorized"):
            return True
        if isinstance(outer, (ast.If, ast.While)) and (traced.uses_thread(outer.test) or _elects(outer.test)):
            return True
    return False


def _elects(test: ast.AST) -> bool:
    """T.shuffle_elect and the like."""
    return any(isinstance(n, ast.Attribute) and "elect" in n.attr for n in ast.walk(test))
