"""Text of strangers made harmless: names, messages and source come from repositories that nobody vouches for.

Escaping for a format is that format's work; this is what no format and no terminal should carry at all.
"""

from __future__ import annotations

import re

# C0 and C1 controls but tab and newline, lone surrogates (they cannot be written as UTF-8), non-characters, and what
# reorders or hides text for a reader: bidirectional controls, zero-width characters, line separators, tags.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e007f]"
)


def clean_text(text: str, *, multiline: bool = True) -> str:
    """``text`` with every unsafe character shown as ``<U+XXXX>``; ``multiline=False`` also shows newlines and tabs."""
    cleaned = _UNSAFE.sub(_shown, text)
    # Planes 1 to 16 end with two non-characters each; XML and SARIF readers reject some of them.
    cleaned = "".join(_shown_char(char) if ord(char) & 0xFFFE == 0xFFFE else char for char in cleaned)
    return cleaned if multiline else cleaned.replace("\n", "<U+000A>").replace("\t", "<U+0009>")


def _shown(match: re.Match[str]) -> str:
    return _shown_char(match.group())


def _shown_char(char: str) -> str:
    return f"<U+{ord(char):04X}>"
