"""Diagnostics: one page file a code, one small data type, one exception for refusals.

A code's page is ``pages/TLMnnn.toml`` with the keys ``title``, ``severity`` (error, warning, note), ``what``,
``why``, ``before``, ``after`` and ``action``. Pages are read on demand, so importing this package is cheap.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from migrate.ir.span import Span

Severity = Literal["error", "warning", "note"]
PAGES = Path(__file__).parent / "pages"


@dataclass(frozen=True)
class Diagnostic:
    """One finding: a code, a person's sentence, and where (1-based lines and columns; 0 means unknown)."""

    code: str
    severity: Severity
    message: str
    file: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"


class Refusal(Exception):
    """A construct that cannot be shown right; carries the diagnostic that the report will show."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[Refusal], tuple[Diagnostic]]:
        return Refusal, (self.diagnostic,)


@cache
def load_page(code: str) -> dict[str, Any]:
    """The page of ``code`` as a dict; KeyError if there is no such code."""
    path = PAGES / f"{code}.toml"
    if not path.is_file():
        raise KeyError(code)
    if sys.version_info >= (3, 11):
        import tomllib as toml
    else:
        import tomli as toml
    page: dict[str, Any] = toml.loads(path.read_text(encoding="utf-8"))
    return page


def make(code: str, message: str, span: Span | None = None, *, severity: Severity | None = None) -> Diagnostic:
    """A diagnostic for ``code`` at ``span``; severity comes from the code's page unless given."""
    level: Severity = severity or load_page(code)["severity"]
    if span is None:
        return Diagnostic(code, level, message, "")
    return Diagnostic(code, level, message, span.file, span.line, span.column, span.end_line, span.end_column)


def refuse(code: str, message: str, span: Span | None = None) -> Refusal:
    """The exception to raise for a construct that is not converted: ``raise refuse("TLM203", "...", span)``."""
    return Refusal(make(code, message, span, severity="error"))
