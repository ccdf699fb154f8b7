"""Where a node of the program IR came from, and the error that names the place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """Where in the TileLang source a node came from (1-based line; 0 unknown)."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


NO_SPAN = Span("", 0)


class TileLangError(Exception):
    """A TileLang program is wrong, or uses what this runtime does not have. The message starts with file:line."""

    def __init__(self, message: str, span: Span = NO_SPAN):
        super().__init__(f"{span}: {message}" if span.line else message)
        self.message = message
        self.span = span
