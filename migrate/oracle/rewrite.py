"""The few places where a kernel's text cannot stay as it is for a host compiler."""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate.oracle.lex import Token, tokenize

_ALIGNMENT = frozenset(("__align__", "alignas", "__attribute__", "__builtin_align__"))
_SPECIFIERS = frozenset(("extern", "__shared__", "static", "__device__"))
_ASM = frozenset(("asm", "__asm__", "__asm"))


def rewrite(text: str, tokens: Sequence[Token], top_level: bool) -> str:
    """``text`` is the source that ``tokens`` index into, from the first token's start to the last one's end.

    - ``extern __shared__ T s[];`` becomes a pointer to the block's dynamic shared memory;
    - ``static __shared__`` loses ``static`` (the macro ``__shared__`` brings it);
    - inline assembly becomes a call that the compiler refuses where it is reached;
    - ``#pragma unroll`` and its like stay (ignored by host compilers).
    Line breaks are kept, so that lines still count.
    """
    if tokens[0].kind == "pp":
        return _rewrite_macro(tokens[0].text)
    base = tokens[0].start
    pieces: list[str] = []
    copied = base
    for start, end, new in _changes(tokens, top_level):
        pieces.append(text[copied:start])
        pieces.append(new + "\n" * (text.count("\n", start, end) - new.count("\n")))
        copied = end
    pieces.append(text[copied : tokens[-1].end])
    return "".join(pieces)


def _rewrite_macro(text: str) -> str:
    """The same inside a macro's body, where a statement may be the last thing and the whole is one line."""
    if "__shared__" not in text and "asm" not in text:
        return text
    joined = re.sub(r"\\\n", " ", text)
    head = re.match(r"\s*#\s*define\s+\w+(?:\([^)]*\))?", joined)
    if head is None:
        return text
    body = joined[head.end() :]
    tokens = tokenize(body)
    return head.group() + " " + (rewrite(body, tokens, False) if tokens else "")


def _changes(tokens: Sequence[Token], top_level: bool) -> list[tuple[int, int, str]]:
    changes: list[tuple[int, int, str]] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        following = [t.text for t in tokens[i + 1 : i + 4]]
        extern_first = token.kind == "id" and token.text == "extern" and "__shared__" in following[:3]
        if extern_first or (token.text == "__shared__" and "extern" in following[:1]):
            stop = _find(tokens, i, ";")
            if stop is not None:
                new = _dynamic_shared(tokens[i:stop], top_level)
                if new is not None:
                    changes.append((token.start, tokens[stop].end, new))
                    i = stop + 1
                    continue
        if token.text == "static" and "__shared__" in following[:2]:
            changes.append((token.start, token.end, ""))
        elif token.text == "__shared__" and "static" in following[:2]:
            at = i + 1 + following.index("static")
            changes.append((tokens[at].start, tokens[at].end, ""))
        elif token.text == "__shared__" and following[:1] == ["alignas"]:
            # Attributes stand before the specifiers that the macro __shared__ brings.
            stop = _skip_parentheses(tokens, i + 2)
            changes.append((token.start, token.end, ""))
            changes.append((tokens[stop - 1].end, tokens[stop - 1].end, " __shared__"))
        elif token.text in _ASM and token.kind == "id":
            stop = _find(tokens, i, ";")
            if stop is not None and not _is_empty_asm(tokens[i:stop]):
                changes.append((token.start, tokens[stop].end, "oracle_inline_assembly();"))
                i = stop
        i += 1
    return changes


def _find(tokens: Sequence[Token], start: int, text: str) -> int | None:
    for k in range(start, len(tokens)):
        if tokens[k].text == text:
            return k
    return None


def _is_empty_asm(tokens: Sequence[Token]) -> bool:
    """``asm volatile("" ::: "memory")``: a compiler barrier, without instructions."""
    templates = [t.text for t in tokens if t.kind == "str"][:1]
    return templates == ['""']


def _dynamic_shared(tokens: Sequence[Token], top_level: bool) -> str | None:
    """``extern __shared__ [alignment] T a[], b[][8]`` as pointer declarations; None when it is something else."""
    words: list[str] = []
    i = 0
    while i < len(tokens):
        if tokens[i].text in _ALIGNMENT:
            i = _skip_parentheses(tokens, i + 1)
            continue
        if tokens[i].text not in _SPECIFIERS:
            words.append(tokens[i].text)
        i += 1
    if "[" not in words:
        return None
    first = words.index("[")
    type_text = " ".join(words[: first - 1])
    declarations = []
    declarator: list[str] = []
    for word in [*words[first - 1 :], ","]:
        if word == ",":
            if len(declarator) < 3 or declarator[1] != "[":
                return None
            name = declarator[0]
            close = declarator.index("]")
            if close != 2:
                return None  # sized: not dynamic
            rest = " ".join(declarator[3:])
            if rest:
                declarations.append(f"{type_text} (*{name}){rest} = ({type_text} (*){rest})oracle_dynamic_shared;")
            else:
                declarations.append(f"{type_text}* {name} = ({type_text}*)oracle_dynamic_shared;")
            declarator = []
        else:
            declarator.append(word)
    prefix = "static " if top_level else ""
    return " ".join(prefix + d for d in declarations)


def _skip_parentheses(tokens: Sequence[Token], i: int) -> int:
    depth = 0
    while i < len(tokens):
        if tokens[i].text == "(":
            depth += 1
        elif tokens[i].text == ")":
            depth -= 1
            if depth == 0:
                return i + 1
        elif depth == 0:
            return i
        i += 1
    return i
