"""Text that makes clang show an instantiation: the binding does not visit explicit ones.

``template void k<float>(float*);`` becomes, on the same line and in the same scope,
``template void k<float>(float*); static void (*tlm_use_0)(float*) = &k<float>;`` in an unsaved copy of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from migrate.parse.lexer import LexedFile
from migrate.parse.macros import closing

PREFIX: Final = "tlm_use_"
_DROPPED: Final = re.compile(
    r"__(?:global|host|device|forceinline|noinline)__|\b(?:inline|static|extern|constexpr|__inline__)\b"
    r"|__launch_bounds__\s*\([^()]*\)|__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)"
)


def use_statement(declaration: str, number: int) -> str | None:
    """The added declaration for one explicit instantiation; None if its text is not understood."""
    text = " ".join(_DROPPED.sub(" ", declaration).split())
    opening = _last_parameter_list(text)
    if opening < 0:
        return None
    head = text[:opening].rstrip()
    end = closing(text, opening)
    name = _trailing_name(head)
    if name is None or end < 0:
        return None
    last = name.rpartition("::")[2] if not name.endswith(">") else name
    if "<" not in last and "<" in name:
        return f" static auto {PREFIX}{number} = &{name};"
    result = head[: len(head) - len(name)].strip()
    if not result:
        return None
    return f" static {result} (*{PREFIX}{number}){text[opening:end]} = &{name};"


def _last_parameter_list(text: str) -> int:
    """Offset of the parenthesis that opens the parameters: the last one at the top level."""
    depth = 0
    found = -1
    for index, char in enumerate(text):
        if char in "([{":
            if depth == 0 and char == "(":
                found = index
            depth += 1
        elif char in ")]}":
            depth -= 1
    return found


def _trailing_name(head: str) -> str | None:
    """The (qualified, possibly templated) name at the end of ``head``."""
    index = len(head)
    while True:
        while index > 0 and head[index - 1].isspace():
            index -= 1
        if index > 0 and head[index - 1] == ">":
            depth = 0
            while index > 0:
                index -= 1
                depth += {">": 1, "<": -1}.get(head[index], 0)
                if depth == 0:
                    break
            while index > 0 and head[index - 1].isspace():
                index -= 1
        start = index
        while start > 0 and (head[start - 1].isalnum() or head[start - 1] == "_"):
            start -= 1
        if start == index:
            return None
        before = head[:start].rstrip()
        if not before.endswith("::"):
            return head[start:]
        index = len(before) - 2
        if index == 0 or before[index - 1].isspace():
            return head[index:]


def prepared_text(
    text: str, file: LexedFile, extra: Iterable[str] = (), members: Mapping[int, Sequence[str]] | None = None
) -> str | None:
    """What clang shall read instead of ``text``; None if that is the text itself. Lines keep their numbers.

    Every explicit instantiation gets a use after it, every C++ name of ``extra`` a use at the end, and spellings that
    clang does not take are replaced. ``members``: line of a class instantiation → names of its member functions, which
    get a use each.
    """
    edits = [(item.offset, item.old, item.new) for item in file.replacements]
    number = 0
    for item in file.instantiations:
        statement = use_statement(item.declaration, number)
        if statement is not None:
            edits.append((item.offset, "", statement))
            number += 1
    for instantiation in file.classes:
        for member in (members or {}).get(instantiation.line, ()):
            statement = f" static auto {PREFIX}{number} = &{instantiation.name}::{member};"
            edits.append((instantiation.offset, "", statement))
            number += 1
    tail = "".join(f"static auto {PREFIX}{number + index} = &{name};\n" for index, name in enumerate(extra))
    if not edits and not tail:
        return None
    parts: list[str] = []
    position = 0
    for offset, old, new in sorted(edits, key=lambda edit: edit[0]):
        parts += [text[position:offset], new]
        position = offset + len(old)
    parts.append(text[position:])
    return "".join(parts) + ("\n" + tail if tail else "")
