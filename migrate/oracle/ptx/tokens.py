"""Tokens of a PTX text, and the numbers that they spell."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from migrate.oracle.ptx.model import Immediate, PtxError

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:[^"\\]|\\.)*")
    |(?P<number>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|\d+\.\d*(?:[eE][+-]?\d+)?|\d+U?)
    |(?P<dot>\.[A-Za-z_]\w*(?:::\w+)*)
    |(?P<word>[%$A-Za-z_][\w$]*)
    |(?P<mark>[{}()\[\]<>,;:@!|+\-=*~])""",
    re.S | re.X,
)


@dataclass(frozen=True)
class Token:
    """``kind``: text, number, dot, word or mark; ``start`` and ``end`` are offsets in the text, ``line`` from 1."""

    kind: str
    text: str
    line: int
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """All tokens of ``text``. Raises PtxError at a character that begins none."""
    found: list[Token] = []
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise PtxError(f"unexpected character {text[at]!r}", line)
        kind = match.lastgroup or ""
        if kind != "skip":
            found.append(Token(kind, match.group(), line, at, match.end()))
        line += match.group().count("\n")
        at = match.end()
    return found


def integer_of(text: str) -> int:
    """The value of a decimal, octal or hexadecimal integer."""
    digits = text.rstrip("U")
    return int(digits, 8) if digits.startswith("0") and digits.isdigit() and digits != "0" else int(digits, 0)


def literal_of(token: Token) -> Immediate:
    """The bits of an integer, or of a float with its width."""
    text = token.text
    if text[:2].lower() == "0f":
        return Immediate(int(text[2:], 16), 32)
    if text[:2].lower() == "0d":
        return Immediate(int(text[2:], 16), 64)
    if "." in text:
        return Immediate(int.from_bytes(struct.pack("<d", float(text)), "little"), 64)
    return Immediate(integer_of(text))
