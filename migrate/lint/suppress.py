"""``# noqa: TLM901`` and ``# migrate: ignore[TLM901]``: both silence the codes they name, on their line."""

from __future__ import annotations

import io
import re
import tokenize

_NOQA = re.compile(r"#\s*noqa:\s*([A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)", re.IGNORECASE)
_IGNORE = re.compile(r"#\s*migrate:\s*ignore\[([^\]]*)\]", re.IGNORECASE)


def suppressed_lines(text: str) -> dict[int, frozenset[str]]:
    """Codes by line. A bare ``# noqa`` silences nothing here: a suppression must say what it accepts."""
    found: dict[int, frozenset[str]] = {}
    if "noqa" not in text.lower() and "ignore[" not in text:
        return found
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                codes = {
                    c.upper()
                    for m in (*_NOQA.finditer(token.string), *_IGNORE.finditer(token.string))
                    for c in re.findall(r"TLM\d{3}", m.group(1), re.IGNORECASE)
                }
                if codes:
                    found[token.start[0]] = found.get(token.start[0], frozenset()) | codes
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass
    return found
