"""Operations that TileLang traces for any dtype but nvcc refuses for some: atomics, popcount, gemm of int32."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced
from migrate.lint.translate import Translation

CODE = "TLM925"
_NARROW = frozenset({"int8", "uint8", "int16", "uint16"})
_ATOMICS: dict[str, frozenset[str]] = {
    "T.atomic_add": _NARROW | {"uint64"},
    "T.atomic_max": _NARROW | {"int64", "uint64"},
    "T.atomic_min": _NARROW | {"int64", "uint64"},
}


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Atomics by the dtype of what they change, popcount of signed values."""
    for call in traced.calls(*_ATOMICS):
        # elements only: tile forms of the atomics (T.copy-like, by TMA) have their own rules
        symbol = traced.symbol(call.args[0]) if call.args and isinstance(call.args[0], ast.Subscript) else None
        name = traced.module.function_of(call)
        if symbol is not None and symbol.dtype in _ATOMICS[name]:
            yield CODE, LintFinding(call, f"{name} on {symbol.dtype} does not compile; use T.call_extern")
    translation = Translation(traced)
    for call in traced.calls("T.popcount"):
        dtype = translation.dtype(call.args[0]) if call.args else ""
        if dtype.startswith("int"):
            yield CODE, LintFinding(call, f"T.popcount takes uint32 or uint64, not {dtype}: T.reinterpret it first")
    for call in traced.calls("T.gemm"):
        symbol = traced.symbol(call.args[0]) if isinstance(call, ast.Call) and call.args else None
        if symbol is not None and symbol.dtype == "int32":
            yield CODE, LintFinding(call, "T.gemm of int32 operands does not compile; multiply int8, or use a loop")
