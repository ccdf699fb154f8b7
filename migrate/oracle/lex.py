"""Tokens of CUDA C++ after preprocessing: enough to find declarations and names, nothing more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["id", "num", "str", "op", "pp"]

# A directive is a whole logical line. <<< and >>> stay single characters: templates close with >> and >>> too.
_TOKEN = re.compile(
    r"""(?P<skip>//(?:[^\n\\]|\\.)*|/\*.*?\*/|\s+)
    |(?P<pp>(?<![^\n])[ \t]*\#(?:/\*.*?\*/|\\\r?\n|[^\n])*)
    |(?P<str>(?:u8|[uUL])?R"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)"
        |(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
    |(?P<id>[A-Za-z_$]\w*)
    |(?P<num>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
    |(?P<op>::|->|&&|\|\||[-+*/%&|^=!<>]=|\+\+|--|.)""",
    re.S | re.X,
)


@dataclass(frozen=True)
class Token:
    """``start``/``end``: offsets in the text it came from."""

    kind: TokenKind
    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """All tokens of ``text`` without comments and white space. Never fails: an odd character becomes an ``op``."""
    tokens = []
    position, size = 0, len(text)
    match = _TOKEN.match
    while position < size:
        found = match(text, position)
        if found is None:  # only a lone line start with odd characters; step over it
            position += 1
            continue
        position = found.end()
        kind = found.lastgroup
        if kind == "delimiter":
            kind = "str"
        if kind != "skip":
            tokens.append(Token(kind, found.group(), found.start(), position))  # type: ignore[arg-type]
    return tokens


def word_set(text: str) -> frozenset[str]:
    """The blank-separated words of ``text``."""
    return frozenset(text.split())
