"""A small preprocessor for one purpose: expand the macros that make kernels.

Only macros whose expansion can reach ``__global__`` (or an explicit instantiation) are expanded; everything else stays
as written, so that offsets outside of such uses keep their lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_DEFINE: Final = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)(?P<params>\([^()]*\))?(?P<body>(?:\\\r?\n|[^\n])*)", re.MULTILINE
)
DIRECTIVE: Final = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
_INTEREST: Final = re.compile(r"\b__global__\b|^\s*template\b(?!\s*<)")
_MAX_DEPTH: Final = 12
_MAX_EXPANSION: Final = 1_000_000


@dataclass(frozen=True)
class Macro:
    """``params`` is None for an object-like macro."""

    name: str
    params: tuple[str, ...] | None
    body: str


def find_macros(stripped: str) -> dict[str, Macro]:
    """All ``#define`` of a text without comments and literals. A later definition replaces an earlier one."""
    macros: dict[str, Macro] = {}
    for match in _DEFINE.finditer(stripped):
        params = match["params"]
        names = None if params is None else tuple(part.strip() for part in params[1:-1].split(",") if part.strip())
        body = re.sub(r"\\\r?\n", " ", match["body"])
        macros[match["name"]] = Macro(match["name"], names, body)
    return macros


def kernel_macros(macros: Mapping[str, Macro]) -> dict[str, Macro]:
    """The macros from whose bodies ``__global__`` or an explicit instantiation can be reached."""
    chosen = {name for name, macro in macros.items() if _INTEREST.search(macro.body)}
    words = {name: set(_IDENTIFIER.findall(macro.body)) for name, macro in macros.items()}
    grew = bool(chosen)
    while grew:
        more = {name for name in macros if name not in chosen and words[name] & chosen}
        chosen |= more
        grew = bool(more)
    return {name: macros[name] for name in chosen}


def closing(text: str, start: int) -> int:
    """Offset after the bracket that closes the one at ``start``; -1 if there is none."""
    depth = 0
    for match in re.compile(r"[()\[\]{}]").finditer(text, start):
        depth += 1 if match.group() in "([{" else -1
        if depth == 0:
            return match.end()
    return -1


def split_arguments(text: str) -> list[str]:
    """Top-level comma split of a macro's argument list."""
    parts: list[str] = []
    depth = 0
    last = 0
    for index, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[last:index])
            last = index + 1
    parts.append(text[last:])
    return [part.strip() for part in parts]


def _substitute(macro: Macro, arguments: list[str]) -> str:
    params = macro.params or ()
    values: dict[str, str] = {}
    for index, name in enumerate(params):
        if name.endswith("..."):
            values[name[:-3] or "__VA_ARGS__"] = ", ".join(arguments[index:])
        else:
            values[name] = arguments[index] if index < len(arguments) else ""
    body = _IDENTIFIER.sub(lambda match: values.get(match.group(), match.group()), macro.body)
    return re.sub(r"\s*##\s*", "", body)


def expand_at(text: str, match: re.Match[str], macros: Mapping[str, Macro]) -> tuple[str, int] | None:
    """Full expansion of the macro named at ``match`` and the offset after the use; None if it is no use of it."""
    macro = macros[match.group()]
    if macro.params is None:
        return _expand(macro.body, macros, {macro.name}, 1), match.end()
    opening = re.compile(r"\s*\(").match(text, match.end())
    if opening is None:
        return None
    end = closing(text, opening.end() - 1)
    if end < 0:
        return None
    body = _substitute(macro, split_arguments(text[opening.end() : end - 1]))
    return _expand(body, macros, {macro.name}, 1), end


def _expand(text: str, macros: Mapping[str, Macro], active: set[str], depth: int) -> str:
    if depth > _MAX_DEPTH or len(text) > _MAX_EXPANSION:
        return text
    out: list[str] = []
    position = 0
    while True:
        match = _next_use(text, position, macros, active)
        if match is None:
            break
        expanded = expand_at(text, match, {k: v for k, v in macros.items() if k not in active})
        if expanded is None:
            out.append(text[position : match.end()])
            position = match.end()
            continue
        out += [text[position : match.start()], " ", expanded[0], " "]
        position = expanded[1]
    out.append(text[position:])
    return "".join(out)


def _next_use(text: str, position: int, macros: Mapping[str, Macro], active: Iterable[str]) -> re.Match[str] | None:
    for match in _IDENTIFIER.finditer(text, position):
        if match.group() in macros and match.group() not in active:
            return match
    return None
