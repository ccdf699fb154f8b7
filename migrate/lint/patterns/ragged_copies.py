"""T.copy of a tile to a 1-D tensor whose length is no multiple of the tile: the tail is written in 16-byte pieces.

On an H200 such a copy wrote up to three floats past the end of the tensor, silently.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Symbol, Traced

CODE = "TLM917"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Copies from on-chip memory to a 1-D tensor of run-time length, or of a constant one the tile does not divide."""
    for call in traced.calls("T.copy"):
        if len(call.args) < 2:
            continue
        source, target = traced.symbol(call.args[0]), traced.symbol(call.args[1])
        if source is None or target is None or source.kind not in ("shared", "fragment") or target.kind != "global":
            continue
        if target.shape is None or len(target.shape) != 1 or not isinstance(call.args[1], ast.Subscript):
            continue
        reason = _ragged(target.shape[0], source, traced)
        if reason:
            yield CODE, LintFinding(call, f"`{traced.module.source(call)}`: {reason}")


def _ragged(length: ast.expr, source: Symbol, traced: Traced) -> str:
    size = traced.constant(length)
    if size is None:
        symbol = traced.symbol(length)
        dynamic = symbol is not None and symbol.kind == "symbol"
        return "the length is known only at run time; a ragged tail is written past the end" if dynamic else ""
    tile = 1
    for dim in source.shape or ():
        extent = traced.constant(dim)
        if extent is None:
            return ""
        tile *= int(extent)
    if not source.shape or size % tile == 0:
        return ""
    return f"{size} is no multiple of the tile's {tile} elements; the tail is written past the end"
