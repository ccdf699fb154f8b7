"""Top-level declarations of a preprocessed file: where each begins and ends, what kind it is, which names it gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from migrate.oracle.lex import Token, tokenize, word_set

ChunkKind = Literal["kernel", "device", "host", "type", "variable", "macro", "directive", "using", "prototype", "call"]

KEYWORDS = word_set(
    "alignas auto bool break case char class const constexpr continue default delete do double else enum explicit "
    "extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private "
    "protected public register return short signed sizeof static static_assert static_cast reinterpret_cast const_cast "
    "struct switch template this throw true typedef typename union unsigned using virtual void volatile while"
)
_WITH_PARENTHESES = word_set(
    "__launch_bounds__ __align__ __attribute__ alignas decltype __cluster_dims__ __builtin_align__ __maxnreg__ "
    "__declspec noexcept static_assert"
)
_TYPE_WORDS = frozenset(("struct", "class", "union", "enum"))
_IDENTIFIER = re.compile(r"[A-Za-z_$]\w*")


@dataclass(frozen=True)
class Chunk:
    """One declaration. ``names``: what it declares; ``identifiers``: every identifier in it; ``scopes``: enclosing
    namespaces (``""`` for an unnamed one); ``start``/``end``: offsets in the file's text."""

    kind: ChunkKind
    names: frozenset[str]
    identifiers: frozenset[str]
    scopes: tuple[str, ...]
    c_linkage: bool
    start: int
    end: int
    tokens: tuple[Token, ...]


def split_chunks(text: str) -> list[Chunk]:
    """All top-level declarations of ``text`` in order; namespaces and ``extern "C"`` blocks are looked through."""
    tokens = tokenize(text)
    chunks: list[Chunk] = []
    _Splitter(tokens, chunks).block(0, len(tokens), (), False)
    device_macros = {
        name
        for c in chunks
        if c.kind == "macro" and c.identifiers & {"__device__", "__forceinline__", "__global__"}
        for name in c.names
    }
    return [_device_by_macro(c, device_macros) for c in chunks]


def _device_by_macro(chunk: Chunk, macros: set[str]) -> Chunk:
    """A function whose head uses a macro that stands for ``__device__`` is device code."""
    if chunk.kind not in ("host", "prototype") or not macros & chunk.identifiers:
        return chunk
    head = {t.text for t in chunk.tokens[: _first(chunk.tokens, "{")]}
    if chunk.kind != "host" or not head & macros:
        return chunk
    return Chunk(
        "device", chunk.names, chunk.identifiers, chunk.scopes, chunk.c_linkage, chunk.start, chunk.end, chunk.tokens
    )


def _first(tokens: Sequence[Token], text: str) -> int:
    return next((i for i, t in enumerate(tokens) if t.text == text), len(tokens))


class _Splitter:
    def __init__(self, tokens: list[Token], chunks: list[Chunk]):
        self.tokens = tokens
        self.chunks = chunks
        self.closers = _match_brackets(tokens)

    def block(self, i: int, end: int, scopes: tuple[str, ...], c_linkage: bool) -> None:
        while i < end:
            token = self.tokens[i]
            if token.kind == "pp":
                self._directive(token, scopes)
                i += 1
            elif token.text in (";", "}", ")", "]"):
                i += 1
            else:
                opened = self._opens_scope(i, end)
                if opened is not None:
                    inner, names, linkage = opened
                    close = self.closers.get(inner, end)
                    self.block(inner + 1, min(close, end), scopes + names, c_linkage or linkage)
                    i = close + 1
                else:
                    stop = self._declaration_end(i, end)
                    self._add(i, stop, scopes, c_linkage)
                    i = stop

    def _opens_scope(self, i: int, end: int) -> tuple[int, tuple[str, ...], bool] | None:
        """For ``namespace a::b {`` and ``extern "C" {``: index of the brace, names, whether C linkage."""
        text = self.tokens[i].text
        if text == "extern" and i + 2 < end and self.tokens[i + 1].kind == "str" and self.tokens[i + 2].text == "{":
            return i + 2, (), True
        if text == "inline" and i + 1 < end and self.tokens[i + 1].text == "namespace":
            i += 1
            text = "namespace"
        if text != "namespace":
            return None
        names: list[str] = []
        for k in range(i + 1, min(i + 16, end)):
            token = self.tokens[k]
            if token.text == "{":
                return k, tuple(names) or ("",), False
            if token.kind == "id":
                names.append(token.text)
            elif token.text != "::":
                return None  # an alias
        return None

    def _directive(self, token: Token, scopes: tuple[str, ...]) -> None:
        words = _IDENTIFIER.findall(token.text)
        if not words:
            return
        kind: ChunkKind = "macro" if words[0] in ("define", "undef") else "directive"
        names = frozenset(words[1:2]) if kind == "macro" else frozenset[str]()
        identifiers = frozenset(words[2:])
        if "pragma" in words[:1] and "once" in words:
            return
        self.chunks.append(Chunk(kind, names, identifiers, scopes, False, token.start, token.end, (token,)))

    def _declaration_end(self, i: int, end: int) -> int:
        """Index after the declaration that begins at ``i``."""
        start = i
        if self._is_bare_call(i, end):
            after = self.closers[i + 1] + 1
            return after + 1 if after < end and self.tokens[after].text == ";" else after
        while i < end:
            token = self.tokens[i]
            if token.text == ";":
                return i + 1
            if token.text in ("(", "["):
                i = self.closers.get(i, end) + 1
                continue
            if token.text == "{":
                close = self.closers.get(i, end)
                if is_function_head(self.tokens[start:i]):
                    return min(close + 1, end)
                i = close + 1
                continue
            i += 1
        return end

    def _is_bare_call(self, i: int, end: int) -> bool:
        """``MACRO(...)`` standing for itself, without a semicolon."""
        token = self.tokens[i]
        if token.kind != "id" or token.text in KEYWORDS or token.text in _WITH_PARENTHESES:
            return False
        if i + 1 >= end or self.tokens[i + 1].text != "(":
            return False
        after = self.closers.get(i + 1, end) + 1
        return after >= end or self.tokens[after].kind in ("id", "pp") or self.tokens[after].text in ("}", ";")

    def _add(self, i: int, stop: int, scopes: tuple[str, ...], c_linkage: bool) -> None:
        tokens = tuple(self.tokens[i:stop])
        if not tokens or tokens[0].text == "friend":
            return
        linkage = c_linkage
        kind, names = classify(tokens)
        identifiers: set[str] = set()
        for token in tokens:
            if token.kind == "id":
                identifiers.add(token.text)
            elif token.kind == "pp":
                identifiers.update(_IDENTIFIER.findall(token.text))
        chunk = Chunk(
            kind, frozenset(names), frozenset(identifiers), scopes, linkage, tokens[0].start, tokens[-1].end, tokens
        )
        self.chunks.append(chunk)


def _match_brackets(tokens: Sequence[Token]) -> dict[int, int]:
    """Index of each opening bracket → index of its closing one (the end of the file when it is missing)."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    result: dict[int, int] = {}
    stack: list[int] = []
    for i, token in enumerate(tokens):
        if token.kind != "op":
            continue
        if token.text in pairs:
            stack.append(i)
        elif token.text in (")", "]", "}"):
            # A stray closer (macros with unbalanced brackets) must not end an outer brace.
            for depth in range(len(stack) - 1, -1, -1):
                if pairs[tokens[stack[depth]].text] == token.text:
                    for open_index in stack[depth:]:
                        result[open_index] = i
                    del stack[depth:]
                    break
                if token.text != "}":
                    break
    for i in stack:
        result[i] = len(tokens)
    return result


def _after_template(tokens: Sequence[Token]) -> int:
    """Index after all leading ``template <...>``."""
    i = 0
    while i < len(tokens) and tokens[i].text == "template":
        depth, i = 0, i + 1
        while i < len(tokens):
            text = tokens[i].text
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
            i += 1
            if depth <= 0:
                break
    return i


def _instantiates(tokens: Sequence[Token]) -> bool:
    """``template void f<int>(int);``, ``extern template ...``: an explicit instantiation, no declaration."""
    rest = tokens[1:] if tokens[0].text == "extern" else tokens
    return len(rest) > 1 and rest[0].text == "template" and rest[1].text != "<"


def is_function_head(tokens: Sequence[Token]) -> bool:
    """Is what stands before a brace the head of a function definition (not of a type, variable or initialiser)?"""
    head = tokens[_after_template(tokens) :]
    if not head:
        return False
    if any(t.text in _TYPE_WORDS for t in head[:4]) and head[-1].text not in (")", "const", "noexcept", "override"):
        return False
    depth, seen = 0, False
    for i, token in enumerate(head):
        if token.text in ("(", "["):
            if depth == 0 and token.text == "(" and i and head[i - 1].text not in _WITH_PARENTHESES:
                seen = True
            depth += 1
        elif token.text in (")", "]"):
            depth -= 1
        elif token.text == "=" and depth == 0 and (i == 0 or head[i - 1].text != "operator"):
            return False
    return seen


def _function_names(head: Sequence[Token]) -> set[str]:
    """The function's name, and with ``A::f`` or ``A<T>::f`` also A, so that a class brings its members along."""
    depth = 0
    for i, token in enumerate(head):
        if token.text == "(" and depth == 0 and i:
            before = head[i - 1]
            if before.text in _WITH_PARENTHESES:
                depth += 1
                continue
            if "operator" in {t.text for t in head[max(0, i - 4) : i]}:
                names = {"operator"}
            elif before.kind == "id" and before.text not in KEYWORDS:
                names = {before.text}
            elif before.text == ">":  # an explicit specialisation: f<float>(
                opening = _opening_angle(head, i - 1)
                names = {head[opening - 1].text} if opening > 0 else set()
            else:
                names = set()
            for k in range(i - 1):
                if head[k].kind == "id" and head[k + 1].text in ("::", "<") and head[k].text not in KEYWORDS:
                    qualified = any(t.text == "::" for t in head[k + 1 : i])
                    if qualified:
                        names.add(head[k].text)
            return names
        if token.text in ("(", "["):
            depth += 1
        elif token.text in (")", "]"):
            depth -= 1
    return set()


def _opening_angle(tokens: Sequence[Token], closing: int) -> int:
    depth = 0
    for i in range(closing, -1, -1):
        if tokens[i].text == ">":
            depth += 1
        elif tokens[i].text == "<":
            depth -= 1
            if depth == 0:
                return i
    return -1


def classify(tokens: Sequence[Token]) -> tuple[ChunkKind, set[str]]:
    """Kind and declared names of one declaration."""
    if _instantiates(tokens):
        return "host", set()  # what is called is instantiated anyway; the template itself may be left behind
    head = tokens[_after_template(tokens) :]
    brace = _first(head, "{")
    words = [t.text for t in head[:brace] if t.kind == "id"]
    first = words[0] if words else ""
    if first in ("using", "namespace"):
        if "namespace" in words[:2]:
            return "using", {words[1]} if first == "namespace" and len(words) > 1 else set()
        return "type", {words[1]} if any(t.text == "=" for t in head) else set(words[-1:])
    if brace < len(head) and is_function_head(tokens[: _after_template(tokens) + brace]):
        names = _function_names(head[:brace])
        if "__global__" in words:
            return "kernel", names
        return ("device" if "__device__" in words or "constexpr" in words else "host"), names
    if first == "typedef":
        return "type", _typedef_names(head)
    if any(t.text in _TYPE_WORDS for t in head[:6] if t.kind == "id"):
        found = _type_names(head)
        if found:
            return "type", found
    if len(head) > 1 and head[0].kind == "id" and head[1].text == "(" and first not in KEYWORDS | _WITH_PARENTHESES:
        return "call", set()
    parenthesis, equals = _first(head, "("), _first(head, "=")
    if parenthesis < min(equals, brace) and not {"__shared__", "__constant__"} & set(words):
        names = _function_names(head)
        device = "__device__" in words or "__global__" in words
        return ("prototype" if device or tokens[0].text == "template" else "host"), names
    return "variable", _variable_names(head)


def _typedef_names(head: Sequence[Token]) -> set[str]:
    depth, last, function = 0, "", ""
    for i, token in enumerate(head):
        if token.text in "([{":
            depth += 1
            if token.text == "(" and i + 2 < len(head) and head[i + 1].text == "*" and not function:
                function = head[i + 2].text
        elif token.text in ")]}":
            depth -= 1
        elif token.kind == "id" and depth == 0:
            last = token.text
    return {name for name in (last, function) if name}


def _type_names(head: Sequence[Token]) -> set[str]:
    at = next((i for i, t in enumerate(head) if t.text in _TYPE_WORDS), None)
    if at is None:
        return set()
    names: set[str] = set()
    depth, angle, last = 0, 0, ""
    stop = len(head)
    for i in range(at + 1, len(head)):
        text = head[i].text
        if text in ("{", ";") or (text == ":" and depth == 0 and angle == 0):
            stop = i
            break
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        elif text == "<":
            angle += 1
        elif text == ">":
            angle -= 1
        elif head[i].kind == "id" and depth == 0 and angle <= 0 and text not in KEYWORDS | {"final"}:
            last = text
    if last and last not in _WITH_PARENTHESES:
        names.add(last)
    brace = _first(head[stop:], "{") + stop
    if brace < len(head):
        if head[at].text == "enum":
            names.update(t.text for t in head[brace:] if t.kind == "id")
        close = _match_brackets(head).get(brace, len(head))
        names.update(t.text for t in head[close:] if t.kind == "id" and t.text not in KEYWORDS)
    return names


def _variable_names(head: Sequence[Token]) -> set[str]:
    """Every declarator's name: ``int a = f(1, 2), *b, c[3] = {1, 2}, d{4}`` declares a, b, c and d."""
    names = set()
    brackets = _match_brackets(head)
    i = 0
    initialiser = False
    while i < len(head):
        token = head[i]
        following = head[i + 1].text if i + 1 < len(head) else ";"
        named = token.kind == "id" and token.text not in KEYWORDS and token.text not in _WITH_PARENTHESES
        if not initialiser and named and following in ("=", "[", ";", ",", "{"):
            names.add(token.text)
        if token.text in ("=", "{"):
            if not initialiser and i and head[i - 1].kind == "id":
                names.add(head[i - 1].text)
            initialiser = True
        elif token.text == ",":
            initialiser = False
        i = brackets.get(i, i) + 1
    return names
