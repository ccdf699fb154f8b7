"""Blank out comments and literals of C++ text, keeping every offset and newline."""

from __future__ import annotations

import re
from typing import Final

_NOT_NEWLINE: Final = re.compile(r"[^\n]")
# Alternatives in order: line comment (with continuations), block comment, raw string, string, character literal.
# A quote after a letter or digit is a digit separator (1'000), unless the letters are an encoding prefix.
_TOKEN: Final = re.compile(
    r"""
      (?P<line>//(?:\\\r?\n|[^\n])*)
    | (?P<block>/\*.*?(?:\*/|\Z))
    | (?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z))
    | (?P<string>"(?:\\.|\\\r?\n|[^"\\\n])*(?:"|(?=\n)|\Z))
    | (?P<char>(?:(?<![A-Za-z0-9_])|(?<=\bu8)|(?<=\b[uUL]))'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z))
    """,
    re.VERBOSE | re.DOTALL,
)


def _blank(match: re.Match[str]) -> str:
    text = match.group(0)
    if match.lastgroup in ("string", "char") and len(text) >= 2:
        return text[0] + _NOT_NEWLINE.sub(" ", text[1:-1]) + (text[-1] if text[-1] in "\"'" else " ")
    return _NOT_NEWLINE.sub(" ", text)


def strip_comments_and_literals(text: str) -> str:
    """The same text, same length, with comments, raw strings and the contents of literals turned into spaces."""
    return _TOKEN.sub(_blank, text)
