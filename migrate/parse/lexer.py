"""Accounting of every ``__global__`` body, without a parser.

A kernel is (file, line, name) of a ``__global__`` function *definition* in the text after comments and literals are
gone. A macro that makes N kernels counts N at the lines where it is used; kernels in ``#if 0`` count; declarations and
explicit instantiations do not. ``line`` is the line of the kernel's name (of the macro use for macro-made kernels),
which is also what clang reports as the location of the declaration.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from migrate.parse.macros import DIRECTIVE, Macro, closing, expand_at, find_macros, kernel_macros
from migrate.parse.strip import strip_comments_and_literals

_GLOBAL: Final = re.compile(r"\b__global__\b")
_NAME_AND_PARENTHESIS: Final = re.compile(r"([A-Za-z_]\w*)\s*(<)?")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
_INCLUDE: Final = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]""", re.MULTILINE)
_CLASS: Final = re.compile(r"(?<!extern )\btemplate\s+(?:class|struct)\s+([\w:]+\s*<[^;{}]*>)\s*;")
_SHARED_ALIGNAS: Final = re.compile(r"\b__shared__\s+(alignas)\s*\(")
_CONDITION: Final = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_ATTRIBUTES: Final = frozenset(
    {
        "__launch_bounds__",
        "__attribute__",
        "__cluster_dims__",
        "__maxnreg__",
        "__block_size__",
        "__declspec",
        "__align__",
        "alignas",
        "decltype",
        "noexcept",
        "requires",
    }
)
_GUARD: Final = re.compile(
    r"\s*(?:#[ \t]*pragma[^\n]*\n\s*)?#[ \t]*(?:ifndef[ \t]+(\w+)|if[ \t]+!\s*defined\s*\(?\s*(\w+))"
)


@dataclass(frozen=True)
class LexedKernel:
    """One ``__global__`` body. ``start_line``: of ``template`` or ``__global__``; ``end_line``: of the last brace.

    ``disabled``: inside ``#if 0``; ``conditional``: inside any ``#if`` that is not an include guard;
    ``branches``: there is a preprocessor condition inside the body.
    """

    file: str
    line: int
    end_line: int
    name: str
    start_line: int
    template: bool = False
    macro: str = ""
    disabled: bool = False
    conditional: bool = False
    branches: bool = False


@dataclass(frozen=True)
class ExplicitInstantiation:
    """``template void k<float>(float*);``: ``offset`` is where the text after it starts."""

    offset: int
    declaration: str


@dataclass(frozen=True)
class ClassInstantiation:
    """``template class Solver<float>;``: ``offset`` is where the text after it starts."""

    offset: int
    line: int
    name: str


@dataclass(frozen=True)
class Replacement:
    """Text that stands at ``offset`` and what clang shall read instead."""

    offset: int
    old: str
    new: str


@dataclass(frozen=True)
class LexedFile:
    """What the lexer found in one file; ``macros`` are all its definitions, for files that include it.

    ``replacements``: spellings that nvcc takes and clang does not (``__shared__ alignas(16)``).
    ``includes``: (name, line) of the include directives that no condition governs.
    """

    kernels: tuple[LexedKernel, ...]
    instantiations: tuple[ExplicitInstantiation, ...]
    classes: tuple[ClassInstantiation, ...]
    replacements: tuple[Replacement, ...]
    includes: tuple[tuple[str, int], ...]
    macros: Mapping[str, Macro]
    condition_lines: tuple[int, ...]
    launches: bool


class _Lines:
    """Offset → 1-based line."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def of(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


def lex(text: str, file: str, outer_macros: Mapping[str, Macro] | None = None) -> LexedFile:
    """Lexes one file's text. ``outer_macros``: definitions of included files, used where this file has none."""
    stripped = strip_comments_and_literals(text)
    own = find_macros(stripped)
    macros = kernel_macros({**(outer_macros or {}), **own})
    lines = _Lines(stripped)
    regions = _conditions(stripped, lines)
    code = DIRECTIVE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), stripped)
    kernels = _kernels(code, file, macros, lines, regions)
    instantiations = _explicit(code)
    position = 0
    for match in _IDENTIFIER.finditer(code) if macros else ():
        if match.group() not in macros or match.start() < position:
            continue
        expanded = expand_at(code, match, macros)
        if expanded is None:
            continue
        text_made, end = expanded
        position = end if "{" in text_made else match.end()
        line = lines.of(match.start())
        disabled, conditional = regions.at(line)
        for start, name, template in _definitions(text_made):
            if text_made.find("{", start) >= 0:
                kernels.append(
                    LexedKernel(
                        file, line, lines.of(end - 1), name, line, template, match.group(), disabled, conditional
                    )
                )
        instantiations += [
            ExplicitInstantiation(_after(code, end), found.declaration) for found in _explicit(text_made + ";")
        ]
    unique = {(kernel.line, kernel.name): kernel for kernel in kernels}
    return LexedFile(
        tuple(sorted(unique.values(), key=lambda kernel: (kernel.line, kernel.name))),
        tuple(sorted(instantiations, key=lambda item: item.offset)),
        tuple(ClassInstantiation(found.end(), lines.of(found.start()), found[1]) for found in _CLASS.finditer(code)),
        tuple(Replacement(found.start(1), found[1], "__align__") for found in _SHARED_ALIGNAS.finditer(code)),
        tuple(_includes(text, stripped, lines, regions)),
        own,
        tuple(regions.lines),
        "<<<" in code or "cudaLaunch" in code,
    )


def _includes(text: str, stripped: str, lines: _Lines, regions: _Regions) -> Iterator[tuple[str, int]]:
    for match in _INCLUDE.finditer(text):
        line = lines.of(match.start())
        if "#" in stripped[match.start() : match.end()] and not regions.at(line)[1]:
            yield match[1], line


def _after(code: str, end: int) -> int:
    """Offset after an optional semicolon that follows ``end``."""
    match = re.compile(r"\s*;").match(code, end)
    return match.end() if match else end


class _Regions:
    """Preprocessor conditions by line."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self.regions: list[tuple[int, int, bool]] = []  # first line, last line, is it switched off for good

    def at(self, line: int) -> tuple[bool, bool]:
        """(inside ``#if 0``, inside any condition)."""
        around = [region for region in self.regions if region[0] < line < region[1]]
        return any(region[2] for region in around), bool(around)


def _conditions(stripped: str, lines: _Lines) -> _Regions:
    found = _Regions()
    stack: list[tuple[int, bool]] = []
    guard = _include_guard(stripped)
    last_line = lines.of(len(stripped)) + 1
    for match in _CONDITION.finditer(stripped):
        keyword, condition = match[1], match[2].strip()
        line = lines.of(match.start())
        if match.start() == guard:
            stack.append((-1, False))
            continue
        if keyword in ("if", "ifdef", "ifndef"):
            stack.append((line, keyword == "if" and condition in ("0", "false", "(0)")))
        elif stack:
            start, off = stack.pop()
            if start >= 0:
                found.regions.append((start, line, off))
            if keyword != "endif":
                was_true = keyword == "else" and start >= 0 and _is_true(stripped, lines, start)
                stack.append((line if start >= 0 else -1, was_true))
        found.lines.append(line)
    found.regions += [(start, last_line, off) for start, off in stack if start >= 0]
    return found


def _is_true(stripped: str, lines: _Lines, line: int) -> bool:
    for match in _CONDITION.finditer(stripped):
        if lines.of(match.start()) == line:
            return match[1] == "if" and match[2].strip() in ("1", "true", "(1)")
    return False


def _include_guard(stripped: str) -> int:
    """Offset of the directive that opens an include guard; -1 if the file has none."""
    first = _GUARD.match(stripped)
    if first is None:
        return -1
    name = first[1] or first[2]
    rest = re.compile(r"[^\n]*\n\s*#[ \t]*define[ \t]+" + re.escape(name) + r"\b").match(stripped, first.end())
    if rest is None:
        return -1
    condition = _CONDITION.search(stripped)
    return condition.start() if condition else -1


def _kernels(code: str, file: str, macros: Mapping[str, Macro], lines: _Lines, regions: _Regions) -> list[LexedKernel]:
    """Kernels whose bodies stand in the file; their heads may use object-like macros for ``__global__``."""
    heads = {match.start() for match in _GLOBAL.finditer(code)}
    for match in _IDENTIFIER.finditer(code) if macros else ():
        macro = macros.get(match.group())
        if macro is not None and "{" not in macro.body and _GLOBAL.search(macro.body):
            heads.add(match.start())
    found = []
    for head in sorted(heads):
        opening = _body_start(code, head)
        if opening < 0:
            continue
        name = _declared_name(code, head, opening, macros)
        if name is None:
            continue
        text, offset = name
        start = _template_start(code, head)
        line = lines.of(offset)
        end_line = lines.of(_body_end(code, opening, lines, regions))
        disabled, conditional = regions.at(line)
        branches = any(lines.of(opening) < at < end_line for at in regions.lines)
        found.append(
            LexedKernel(file, line, end_line, text, lines.of(start), start != head, "", disabled, conditional, branches)
        )
    return found


def _body_start(code: str, head: int) -> int:
    """Offset of the brace that opens the body; -1 for a declaration."""
    depth = 0
    for match in re.compile(r"[()\[\]{};]").finditer(code, head):
        char = match.group()
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif depth <= 0:
            return match.start() if char == "{" else -1
    return -1


def _body_end(code: str, opening: int, lines: _Lines, regions: _Regions) -> int:
    """Offset of the brace that closes the body.

    Alternatives (``#if A {  #else {  #endif }``) open the same brace twice: only the first alternative counts.
    """
    skipped = _else_ranges(regions)
    depth = 0
    last = opening
    first_line = lines.of(opening)
    for match in re.compile(r"[{}]").finditer(code, opening):
        line = lines.of(match.start())
        if any(start < line < end and start > first_line for start, end in skipped):
            continue
        depth += 1 if match.group() == "{" else -1
        last = match.start()
        if depth == 0:
            return last
    return last


def _else_ranges(regions: _Regions) -> list[tuple[int, int]]:
    """Line ranges of ``#elif``/``#else`` branches: those that start where another branch ends."""
    ends = {region[1] for region in regions.regions}
    return [(start, end) for start, end, _ in regions.regions if start in ends]


def _declared_name(code: str, head: int, opening: int, macros: Mapping[str, Macro]) -> tuple[str, int] | None:
    """(name, its offset): the identifier before the last top-level parenthesis that belongs to no attribute."""
    best: tuple[str, int] | None = None
    position = head
    while True:
        match = re.compile(r"\(").search(code, position, opening)
        if match is None:
            return best
        name = _name_before(code, match.start(), head)
        if name is not None and name[0] not in _ATTRIBUTES:
            macro = macros.get(name[0])
            if macro is not None and name[1] == head:  # KERNEL(name)(params): the name is in the macro's result
                expanded = expand_at(code, re.compile(r"\w+").match(code, head), macros)  # type: ignore[arg-type]
                if expanded is not None:
                    words = _IDENTIFIER.findall(expanded[0])
                    name = (words[-1] if words else name[0], head)
            if not (name[0].isupper() and best is not None):
                best = name
        end = closing(code, match.start())
        if end < 0:
            return best
        position = end


def _name_before(code: str, parenthesis: int, limit: int) -> tuple[str, int] | None:
    """Identifier that ends at ``parenthesis``, stepping back over template arguments."""
    end = parenthesis
    while end > limit and code[end - 1].isspace():
        end -= 1
    if end > limit and code[end - 1] == ">":
        depth = 0
        while end > limit:
            end -= 1
            if code[end] == ">":
                depth += 1
            elif code[end] == "<":
                depth -= 1
                if depth == 0:
                    break
        while end > limit and code[end - 1].isspace():
            end -= 1
    start = end
    while start > limit and (code[start - 1].isalnum() or code[start - 1] == "_"):
        start -= 1
    return (code[start:end], start) if start < end and not code[start].isdigit() else None


def _template_start(code: str, head: int) -> int:
    """Offset of ``template<...>`` before ``head``; ``head`` itself if there is none (or ``template<>``)."""
    start = max(code.rfind(";", 0, head), code.rfind("}", 0, head)) + 1
    match = re.compile(r"\btemplate\s*<(?!\s*>)").search(code, start, head)
    return match.start() if match else head


def _definitions(text: str) -> list[tuple[int, str, bool]]:
    """(offset, name, is it a template) of the definitions in a macro's expansion."""
    found = []
    for match in _GLOBAL.finditer(text):
        opening = _body_start(text, match.start())
        if opening < 0:
            continue
        name = _declared_name(text, match.start(), opening, {})
        if name is not None:
            found.append((match.start(), name[0], _template_start(text, match.start()) != match.start()))
    return found


def _explicit(code: str) -> list[ExplicitInstantiation]:
    """Explicit instantiations of functions (not of classes, not ``extern template``)."""
    found = []
    for match in re.finditer(r"(?<![\w<,])template\b(?!\s*<)(?!\s+(?:class|struct|union)\b)([^;{}]*);", code):
        before = code[max(0, match.start() - 40) : match.start()].rstrip()
        if not before.endswith(("extern", "::", ".", "->")) and "(" in match[1]:
            found.append(ExplicitInstantiation(match.end(), " ".join(match[1].split())))
    return found
