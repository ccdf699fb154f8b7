"""The comment at the top of a source file: licence and description, carried over into the port."""

from __future__ import annotations


def leading_comment(text: str) -> str:
    """Lines of the first comment block, markers removed; empty if the file does not start with a comment."""
    rest = text.lstrip("\ufeff \t\r\n")
    if rest.startswith("/*"):
        end = rest.find("*/")
        return "" if end < 0 else _clean(rest[2:end].splitlines())
    lines: list[str] = []
    for line in rest.splitlines():
        if not line.strip().startswith("//"):
            break
        lines.append(line.strip()[2:])
    return _clean(lines)


def _clean(lines: list[str]) -> str:
    found = [line.strip().lstrip("*").strip() if line.strip().startswith("*") else line.strip() for line in lines]
    while found and not found[0]:
        found.pop(0)
    while found and not found[-1]:
        found.pop()
    return "\n".join(found)
