"""Unique Python-safe names: the source's own name where it is free, else with a number."""

from __future__ import annotations

import keyword
import re

# Names that a port itself uses.
_PORT_NAMES = frozenset(
    {"T", "tilelang", "range", "min", "max", "abs", "len", "int", "float", "bool", "print", "launch"}
)
_RESERVED = frozenset(keyword.kwlist) | _PORT_NAMES


def safe_name(text: str) -> str:
    """``text`` as a Python identifier; keywords and builtins get a trailing underscore."""
    name = re.sub(r"\W+", "_", text).strip("_") or "value"
    if name[0].isdigit():
        name = f"v{name}"
    return f"{name}_" if name in _RESERVED else name


class Names:
    """Names taken in one scope (a kernel or a device function)."""

    def __init__(self, outer: Names | None = None) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}
        self._outer = outer

    def is_taken(self, name: str) -> bool:
        """True if this scope or an outer one uses ``name``."""
        return name in self._taken or (self._outer is not None and self._outer.is_taken(name))

    def take(self, hint: str) -> str:
        """A free name close to ``hint``; it is taken from now on."""
        base = safe_name(hint)
        name = base
        number = self._next.get(base, 2)
        while self.is_taken(name):
            name = f"{base}{'' if base.endswith('_') else '_'}{number}"
            number += 1
        self._next[base] = number
        self._taken.add(name)
        return name
