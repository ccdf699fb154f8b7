"""A counted loop that runs at most once: upstream's lowering takes it for one that runs exactly once.

``T.serial(tx, 64, 128)``: the loop is dropped and with it the test whether it runs at all, so threads past the end run
the body. Seen on an H200 as an illegal access; only the full lowering shows it, the traced program does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM913"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Loops from an index (never negative) to a constant that is no larger than the step."""
    for loop in traced.nodes:
        if not isinstance(loop, ast.For) or traced.loop_kind(loop) != "serial" or not isinstance(loop.iter, ast.Call):
            continue
        args = loop.iter.args
        if len(args) != 3:
            continue
        start, stop, step = args
        last, stride = traced.constant(stop), traced.constant(step)
        if last is None or stride is None or not 0 < last <= stride or traced.constant(start) is not None:
            continue
        if traced.is_run_time(start) and _never_negative(start, traced):
            text = traced.module.source(loop.iter)
            yield (
                CODE,
                LintFinding(loop.iter, f"`{text}` runs at most once; upstream runs it exactly once, without a test"),
            )


def _never_negative(node: ast.expr, traced: Traced, depth: int = 4) -> bool:
    """Indices of threads, blocks and loops, their sums and products with constants, names bound to such."""
    if isinstance(node, ast.Name):
        symbol = traced.symbols.get(node.id)
        if symbol is None:
            return False
        if symbol.kind == "bind" and symbol.value is not None and depth:
            return _never_negative(symbol.value, traced, depth - 1)
        return symbol.kind in ("thread", "block")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult, ast.FloorDiv, ast.Mod)):
        return _never_negative(node.left, traced, depth) and _never_negative(node.right, traced, depth)
    value = traced.constant(node)
    if value is not None:
        return value >= 0
    return traced.module.function_of(node) in ("T.get_thread_binding", "T.get_lane_idx", "T.get_warp_idx")
