"""A number as operand of and, or, not: upstream wants bool there and says so only when the kernel is built.

``if flags:`` alone is traced and means what C means.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced
from migrate.lint.translate import Translation

CODE = "TLM921"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Operands of ``and``, ``or``, ``not`` that are run-time numbers."""
    translation = Translation(traced)
    seen: set[ast.AST] = set()
    for node in traced.nodes:
        if isinstance(node, ast.BoolOp):
            candidates = list(node.values)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            candidates = [node.operand]
        else:
            continue
        for test in candidates:
            if test in seen or isinstance(test, (ast.BoolOp, ast.Compare, ast.Constant)):
                continue
            seen.add(test)
            dtype = translation.dtype(test)
            if dtype.startswith(("int", "uint", "float", "bfloat")) and traced.is_run_time(test):
                text = traced.module.source(test)
                yield (
                    CODE,
                    LintFinding(test, f"`{text}` is {dtype}; and, or, not take bool: write `{text} != 0`"),
                )
