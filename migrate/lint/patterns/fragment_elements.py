"""A fragment's element by thread index or by a serial loop: a fragment is spread over the block's threads.

Each thread then reads or writes its own registers under a number that means something else for each layout; upstream
says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM914"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Elements of fragments whose index holds a thread index or serial loop variable and no T.Parallel variable."""
    for node in traced.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        symbol = traced.symbol(node)
        if symbol is None or symbol.kind != "fragment" or any(isinstance(n, ast.Slice) for n in ast.walk(node.slice)):
            continue
        if any(traced.loop_kind(loop) in ("parallel", "vectorized") for loop in traced.loops_around(node)):
            continue
        if _is_argument(node, traced):
            continue
        text = traced.module.source(node)
        if traced.uses_thread(node.slice):
            yield (
                CODE,
                LintFinding(
                    node, f"`{text}`: a fragment is spread over the threads, so a thread's index finds nothing in it"
                ),
            )
        elif _serial_index(node.slice, traced):
            yield (
                CODE,
                LintFinding(
                    node,
                    f"`{text}`: a fragment is spread over the threads; a serial loop reaches only each thread's part",
                ),
            )


def _is_argument(node: ast.Subscript, traced: Traced) -> bool:
    """A base point or region handed to a tile operation is no access by each thread."""
    parent = traced.module.parents.get(node)
    return isinstance(parent, ast.Call) and traced.module.function_of(parent).startswith("T.")


def _serial_index(index: ast.AST, traced: Traced) -> bool:
    names = {n.id for n in ast.walk(index) if isinstance(n, ast.Name)}
    return any((s := traced.symbols.get(name)) is not None and s.loop == "serial" for name in names)
