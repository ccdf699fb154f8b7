"""Naming of host roots: one name and one guess for a host value, over all launches that one entry function leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

from migrate.analysis.roles import GuessTable
from migrate.ir.host_eval import roots_of
from migrate.ir.launch import HostExpr, HostRoot, RootInfo
from migrate.ir.span import Span

RootState: TypeAlias = "tuple[dict[Hashable, str], set[str], dict[str, RootInfo], GuessTable]"


class RootScope:
    """The roots found from one entry function: a key (what the host value is) has one name, a name one `RootInfo`."""

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}
        self._taken: set[str] = set()
        self._guesses = GuessTable()
        self.infos: dict[str, RootInfo] = {}

    def root(
        self,
        key: Hashable,
        text: str,
        dtype: str,
        origin: str,
        span: Span | None,
        *,
        hint: str = "",
        value: int | float | None = None,
    ) -> HostRoot:
        """The root for ``key``, made on first sight. ``origin`` is one of `RootInfo.origin`."""
        name = self._names.get(key)
        if name is None:
            name, number = text, 1
            while name in self._taken:
                number += 1
                name = f"{text}#{number}"
            self._names[key] = name
            self._taken.add(name)
            guess = self._guesses.guess(name, dtype, hint=hint or text, value=value)
            kept = value if origin == "constant" else None
            self.infos[name] = RootInfo(name, dtype, guess, origin, span, kept)  # type: ignore[arg-type]
        return HostRoot(name)

    def savepoint(self) -> RootState:
        """State to `restore` when the roots made since turn out not to be needed."""
        return dict(self._names), set(self._taken), dict(self.infos), self._guesses.copy()

    def restore(self, saved: RootState) -> None:
        """Forgets the roots made since `savepoint`."""
        self._names, self._taken, self.infos, self._guesses = dict(saved[0]), set(saved[1]), dict(saved[2]), saved[3]

    def used(self, expressions: Iterable[HostExpr | None]) -> tuple[RootInfo, ...]:
        """Infos of all roots in ``expressions``, in order of name."""
        names: set[str] = set()
        for expression in expressions:
            if expression is not None:
                names |= roots_of(expression)
        return tuple(self.infos[name] for name in sorted(names))
