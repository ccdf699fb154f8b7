"""Arithmetic in a smaller type than it looks: 8- and 16-bit integers stay narrow, 64-bit ones meet a Python float.

C promotes to int first; TileLang keeps ``uint8 + uint8`` in uint8 and makes ``int64 * 0.5`` float32.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced
from migrate.lint.translate import Translation

WIDENED, ROUNDED = "TLM926", "TLM927"
_BITS = {"int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64, "uint64": 64}


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Casts to a wider integer around narrow arithmetic; 64-bit integers times or over Python floats."""
    translation = Translation(traced)
    for node in traced.nodes:
        if isinstance(node, ast.Call):
            operand, wanted = _cast(node, traced)
            if isinstance(operand, ast.BinOp) and isinstance(operand.op, (ast.Add, ast.Mult, ast.LShift)):
                have = translation.dtype(operand)
                if _BITS.get(have, 99) <= 16 and _BITS.get(wanted, 0) > _BITS[have]:
                    text = traced.module.source(operand)
                    yield (
                        WIDENED,
                        LintFinding(
                            operand, f"`{text}` is computed in {have} and loses bits before it becomes {wanted}"
                        ),
                    )
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.Add, ast.Sub)):
            for number, other in ((node.left, node.right), (node.right, node.left)):
                is_float = isinstance(number, ast.Constant) and isinstance(number.value, float)
                if is_float and translation.dtype(other) in ("int64", "uint64"):
                    text = traced.module.source(node)
                    yield (
                        ROUNDED,
                        LintFinding(
                            node, f"`{text}`: a 64-bit integer and a Python float make float32, which has 24 bits"
                        ),
                    )


def _cast(node: ast.Call, traced: Traced) -> tuple[ast.expr | None, str]:
    name = traced.module.function_of(node)
    if name == "T.cast" and len(node.args) == 2:
        return node.args[0], traced.dtype_of(node.args[1])
    if name and len(node.args) == 1 and traced.dtype_of(node.func):
        return node.args[0], traced.dtype_of(node.func)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "astype" and len(node.args) == 1:
        return node.func.value, traced.dtype_of(node.args[0])
    return None, ""
