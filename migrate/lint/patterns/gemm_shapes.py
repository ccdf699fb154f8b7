"""T.gemm on float32 (TF32 on tensor cores) and on shapes that no tensor-core instruction has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Symbol, Traced

TF32, SHAPE = "TLM918", "TLM931"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Float32 operands; constant M that 16 does not divide, constant N that 8 does not divide."""
    for call in traced.calls("T.gemm"):
        symbols = [traced.symbol(argument) for argument in call.args[:3]]
        if symbols and symbols[0] is not None and symbols[0].dtype == "float32":
            yield TF32, LintFinding(call, "operands are float32: tensor cores round them to TF32 (10 bits of fraction)")
        if len(symbols) < 3 or symbols[2] is None or not isinstance(call.args[2], ast.Name):
            continue
        rows, columns = _extents(symbols[2], traced)
        if rows is not None and rows % 16:
            yield SHAPE, LintFinding(call, f"M is {rows}, which 16 does not divide; pad the tile")
        if columns is not None and columns % 8:
            yield SHAPE, LintFinding(call, f"N is {columns}, which 8 does not divide; pad the tile")


def _extents(symbol: Symbol, traced: Traced) -> tuple[int | None, int | None]:
    if symbol.shape is None or len(symbol.shape) != 2:
        return None, None
    rows, columns = (traced.constant(dim) for dim in symbol.shape)
    return int(rows) if rows is not None else None, int(columns) if columns is not None else None
