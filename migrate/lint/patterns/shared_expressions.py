"""Expressions that upstream folds or rejects: the emitter's own forbidden patterns, on hand-written text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.emit import forbidden
from migrate.ir import port as p
from migrate.ir.span import Span
from migrate.lint.symbols import Traced
from migrate.lint.translate import PlacedBody, Translation

WHY = {
    "TLM900": "is folded to 0, also where the value is infinite or NaN",
    "TLM901": "is folded to the other term, without the rounding",
    "TLM902": "is folded (or rejected) as if there were no NaN, infinity or −0",
    "TLM904": "is folded, so the test for NaN vanishes",
    "TLM905": "is turned round, so NaN takes the other path",
    "TLM906": "is combined with another comparison of the same pair as if there were no NaN",
    "TLM908": "cannot be built: unsigned values are not negative",
    "TLM909": "may crash the simplifier or be taken for exact: use variables",
    "TLM911": "is rejected: a loop's condition must not be constant",
}
DIVISION, FLOOR, CONFIG = "TLM910", "TLM920", "TLM912"


def find(traced: Traced) -> Iterator[tuple[str, Span, str]]:
    """(code, place, message)."""
    translation = Translation(traced)
    body = translation.body()
    for code, why in WHY.items():
        for finding in forbidden.PATTERNS[code](body):
            if finding.span is not None:
                text = _text(traced, finding.span)
                yield code, finding.span, f"`{text}` {why}"
    yield from _divisions(body, traced)
    yield from _arenas(traced)


def _divisions(body: PlacedBody, traced: Traced) -> Iterator[tuple[str, Span, str]]:
    for expr, span in body.expressions():
        if not isinstance(expr, p.Operation) or span is None:
            continue
        integers = all(side.dtype.startswith(("int", "uint")) for side in (expr.left, expr.right))
        if expr.op == "/" and integers:
            yield DIVISION, span, f"`{_text(traced, span)}`: / on integers is an error; C's division is T.truncdiv"
    for node in traced.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod)) and traced.is_run_time(node):
            negative = next((side for side in (node.left, node.right) if _is_negative(side, traced)), None)
            if negative is not None and not _is_ceiling(node, traced):
                text = traced.module.source(node)
                message = f"`{text}` rounds down (Python), not towards zero (C): T.truncdiv and T.truncmod are C's"
                yield FLOOR, traced.module.span(node), message


def _is_negative(node: ast.expr, traced: Traced) -> bool:
    value = traced.constant(node)
    if value is not None:
        return value < 0
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _is_ceiling(node: ast.BinOp, traced: Traced) -> bool:
    """``-(-a // b)``: the division that rounds up, as Python writes it."""
    parent = traced.module.parents.get(node)
    return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)


def _arenas(traced: Traced) -> Iterator[tuple[str, Span, str]]:
    """Several dynamic shared arrays in a file that switches upstream's barriers off but not their overlapping."""
    text = traced.module.text
    if "disable_thread_storage_sync" not in text or "disable_shared_memory_reuse" in text:
        return
    arrays = [call for call in traced.calls("T.alloc_shared") if _scope(call) in ("", "shared.dyn")]
    for call in arrays[1:]:
        message = "dynamic shared arrays may lie over each other, and this file switches automatic barriers off"
        yield CONFIG, traced.module.span(call), message


def _scope(call: ast.Call) -> str:
    values = [k.value for k in call.keywords if k.arg == "scope"] + call.args[2:3]
    return next((v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)), "")


def _text(traced: Traced, span: Span) -> str:
    lines = traced.module.lines[span.line - 1 : (span.end_line or span.line)]
    if not lines:
        return ""
    if len(lines) == 1:
        lines = [lines[0][max(span.column - 1, 0) : span.end_column - 1 if span.end_column else None]]
    else:
        lines = [lines[0][max(span.column - 1, 0) :], *lines[1:-1], lines[-1][: max(span.end_column - 1, 0)]]
    text = " ".join(" ".join(lines).split())
    return text if len(text) <= 80 else text[:79] + "…"
