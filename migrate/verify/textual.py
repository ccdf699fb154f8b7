"""Conditions as text of the source: where they stand, their comparison operator, and replacing them."""

from __future__ import annotations

import re

from migrate.ir.span import Span

_OPERATOR = re.compile(rb"(?<![<>=!-])(?:<=|>=|==|!=|<(?!<)|>(?!>))(?!=)")


def balanced(text: bytes) -> bool:
    """Whether brackets match and there is something besides blanks."""
    depth = 0
    for byte in text:
        depth += (byte in b"([{") - (byte in b")]}")
        if depth < 0:
            return False
    return depth == 0 and bool(text.strip())


def condition_bytes(text: bytes, span: Span) -> bytes | None:
    """The text at ``span``; None if it is no plain text of one line (from a macro, or a directive).

    Columns count bytes, as in libclang. An expression from a macro has an empty span or one with odd brackets.
    """
    if span.end_line not in (0, span.line) or not 0 < span.column < span.end_column:
        return None
    lines = text.split(b"\n")
    if span.line > len(lines):
        return None
    line = lines[span.line - 1]
    low, high = span.column - 1, span.end_column - 1
    condition = line[low:high]
    if high > len(line) or not balanced(condition) or line.lstrip().startswith(b"#") or line.rstrip().endswith(b"\\"):
        return None
    return condition


def find_comparison(condition: bytes) -> re.Match[bytes] | None:
    """The only comparison operator outside of brackets; None if there is none, or more."""
    found = [one for one in _OPERATOR.finditer(condition) if balanced(condition[: one.start()])]
    return found[0] if len(found) == 1 else None


def replaced(text: bytes, span: Span, by: bytes) -> bytes:
    """``text`` with what stands at ``span`` (see `condition_bytes`) replaced."""
    lines = text.split(b"\n")
    line = lines[span.line - 1]
    lines[span.line - 1] = line[: span.column - 1] + by + line[span.end_column - 1 :]
    return b"\n".join(lines)
