"""Python's own min, max, abs, int, float, math.* on values that exist only at run time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM923"
_INSTEAD = {
    "min": "T.min", "max": "T.max", "abs": "T.abs", "round": "T.round", "int": "T.cast(…, \"int32\")",
    "float": "T.cast(…, \"float32\")", "bool": "… != 0", "pow": "T.pow",
}  # fmt: skip


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Calls of builtins and of the math module with a run-time argument."""
    for node in traced.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = _builtin(node, traced)
        if name and any(traced.is_run_time(argument) for argument in node.args):
            instead = _INSTEAD.get(name, f"T.{name.removeprefix('math.')}")
            yield (
                CODE,
                LintFinding(
                    node,
                    f"`{traced.module.source(node)}`: Python's {name} cannot take run-time values; write {instead}",
                ),
            )


def _builtin(node: ast.Call, traced: Traced) -> str:
    function = node.func
    if isinstance(function, ast.Name) and function.id in _INSTEAD and function.id not in traced.module.names:
        return function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "math":
        return f"math.{function.attr}"
    return ""
