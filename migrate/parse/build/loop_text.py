"""What libclang's cursors do not tell of loops: which parts of a ``for`` are empty, and unroll pragmas.

The printed form of the function tells both: it is free of macros and comments, and its ``for`` statements come in the
order of the AST.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind

from migrate.parse.clang_extra import pretty_print

_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\bfor\s*\(|#pragma\s+(\w+)\s*(?:\(([^)]*)\))?")


@dataclass(frozen=True)
class LoopText:
    """``filled``: whether init, condition and step are there. ``unroll``: the pragma's factor, 0 for full."""

    filled: tuple[bool, bool, bool]
    unroll: int | None


def loops_of(function: Cursor) -> dict[int, LoopText]:
    """Facts of every ``for`` of a function by cursor hash; empty if text and AST do not tell the same number."""
    found = _printed(pretty_print(function))
    loops = [cursor for cursor in function.walk_preorder() if cursor.kind == CursorKind.FOR_STMT]
    if len(found) != len(loops):
        return {}
    return {loop.hash: text for loop, text in zip(loops, found, strict=True)}


def _printed(text: str) -> list[LoopText]:
    result: list[LoopText] = []
    unroll: int | None = None
    position = 0
    while True:
        match = _TOKEN.search(text, position)
        if match is None:
            return result
        position = match.end()
        if match.group(0).startswith("#"):
            unroll = _factor(match.group(1), match.group(2))
        elif match.group(0).startswith("for"):
            parts = _parts(text, match.end())
            between = text[: match.start()].rstrip().rpartition("\n")[2]
            if len(parts) == 3:
                pragma = unroll if between.lstrip().startswith("#pragma") else None
                result.append(LoopText((bool(parts[0]), bool(parts[1]), bool(parts[2])), pragma))
            unroll = None


def _factor(name: str, argument: str | None) -> int | None:
    if name != "unroll" or (argument or "").strip() == "disable":
        return None
    digits = re.fullmatch(r"\s*\(*(\d+)U?L*\)*\s*", argument or "")
    return int(digits.group(1)) if digits else 0


def _parts(text: str, position: int) -> list[str]:
    """The text between the parentheses of a ``for``, split at its own semicolons."""
    depth, parts, current, quote = 1, [], "", ""
    while position < len(text):
        character = text[position]
        if quote:
            quote = "" if character == quote and text[position - 1] != "\\" else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                break
        if character == ";" and depth == 1 and not quote:
            parts.append(current.strip())
            current = ""
        else:
            current += character
        position += 1
    return [*parts, current.strip()]
