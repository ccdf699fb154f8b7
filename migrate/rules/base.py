"""What a rule is: a function from KernelModule to PortModule nodes with a name, a before and an after."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One lowering rule.

    ``construct``: what it converts, in a CUDA programmer's words. ``before``/``after``: one example each. ``codes``:
    diagnostics that it may refuse with. ``apply(node, lowering)`` does the work.
    """

    name: str
    construct: str
    before: str
    after: str
    apply: Callable[..., Any]
    codes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """One line: what it converts."""
        return self.construct

    @property
    def doc(self) -> str:
        """The rule's page: its function's docstring, before and after, codes."""
        text = inspect.cleandoc(self.apply.__doc__ or "")
        codes = f"\n\nRefuses with {', '.join(self.codes)}." if self.codes else ""
        return (
            f"{self.construct}\n\n{text}\n\nbefore:\n{_indented(self.before)}\nafter:\n{_indented(self.after)}{codes}"
        )

    def __call__(self, node: Any, lowering: Any) -> Any:
        """Applies the rule and records that it was used."""
        lowering.used.add(self.name)
        return self.apply(node, lowering)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def rule(
    name: str, construct: str, before: str, after: str, codes: tuple[str, ...] = ()
) -> Callable[[Callable[..., Any]], Rule]:
    """Makes a `Rule` of a function."""

    def make(function: Callable[..., Any]) -> Rule:
        return Rule(name, construct, before, after, function, codes)

    return make
