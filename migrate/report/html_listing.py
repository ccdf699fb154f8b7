"""Source listings as HTML: few token classes, one list item a line, so that hundreds of kernels stay a small page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from migrate.report.clean import clean_text
from migrate.report.sources import Slice

MAX_LINE = 300
MAX_LINES = 400


@dataclass(frozen=True)
class Listing:
    """Highlighted lines (HTML list items, at most MAX_LINES of them) and how many lines there are in all."""

    first_line: int = 1
    items: tuple[str, ...] = ()
    total: int = 0
    note: str = ""

    def size(self, limit: int) -> int:
        """Bytes that ``limit`` lines take."""
        return sum(len(item.encode()) + 1 for item in self.items[:limit])

    def html(self, limit: int) -> Markup:
        """``<ol>`` of at most ``limit`` lines, and how many were left out."""
        shown = self.items[:limit]
        rest = self.total - len(shown)
        more = f'<p class="dim">{rest} more lines are in the file.</p>' if rest else ""
        if not shown:
            return Markup(more)
        body = "\n".join(shown)
        # every part is a number, a constant, or escaped below
        return Markup(f'<ol class="code" start="{self.first_line}">\n{body}\n</ol>{more}')


def listing(source: Slice, language: str, *, marks: Mapping[int, str] | None = None, anchor: str = "") -> Listing:
    """Highlights ``source``.

    ``marks``: severity by line number; such lines get a class and, with ``anchor``, an id ``anchor-L<line>``.
    """
    if not source.lines:
        return Listing(note=source.note)
    shown = source.lines[:MAX_LINES]
    lines = [clean_text(line[:MAX_LINE]).replace("\n", " ") + ("…" if len(line) > MAX_LINE else "") for line in shown]
    items = []
    for offset, text in enumerate(_highlighted(lines, language)):
        number = source.first_line + offset
        severity = (marks or {}).get(number)
        attributes = f' class="{escape(severity)}"' if severity else ""
        if severity and anchor:
            attributes += f' id="{escape(anchor)}-L{number}"'
        items.append(f"<li{attributes}>{text}</li>")
    return Listing(source.first_line, tuple(items), len(source.lines), source.note)


def _highlighted(lines: list[str], language: str) -> Iterator[str]:
    """One escaped text a line; tokens that span lines are closed and opened again."""
    current: list[str] = []
    for kind, text in _merged(_lexer(language).get_tokens("\n".join(lines))):
        for position, part in enumerate(text.split("\n")):
            if position:
                yield "".join(current)
                current = []
            if part:
                safe = str(escape(part))
                current.append(f'<span class="{kind}">{safe}</span>' if kind else safe)
    yield "".join(current)


def _merged(tokens: Iterable[tuple[Any, str]]) -> Iterator[tuple[str, str]]:
    """Neighbouring tokens of one class as one; white space joins whatever stands before it."""
    kind, text = "", ""
    for token, part in tokens:
        found = kind if not part.strip() else _class(str(token))
        if found == kind:
            text += part
            continue
        if text:
            yield kind, text
        kind, text = found, part
    if text:
        yield kind, text


# By prefix of pygments' token name; everything else has the colour of text.
_CLASSES = (
    ("Token.Comment.Preproc", "p"),
    ("Token.Comment", "c"),
    ("Token.Keyword", "k"),
    ("Token.Operator.Word", "k"),
    ("Token.Literal.String", "s"),
    ("Token.Literal.Number", "n"),
    ("Token.Name.Decorator", "p"),
)


@cache
def _class(token: str) -> str:
    return next((name for prefix, name in _CLASSES if token.startswith(prefix)), "")


@cache
def _lexer(language: str) -> Any:
    from pygments.lexers.c_like import CudaLexer
    from pygments.lexers.python import PythonLexer

    lexer = {"cuda": CudaLexer, "python": PythonLexer}[language]
    return lexer(stripnl=False, ensurenl=False)
