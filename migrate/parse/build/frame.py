"""A function being built: what its names are bound to and what a return does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from clang.cindex import Cursor

from migrate.parse.build.names import Names
from migrate.parse.build.types import CType
from migrate.parse.build.values import Operand, Place, RegisterObject

Binding: TypeAlias = Operand


@dataclass(eq=False)
class Frame:
    """``mode``: a kernel, a function kept as such, or a body placed inline. ``outer`` is where a lambda was written."""

    cursor: Cursor
    mode: Literal["kernel", "function", "inline"]
    names: Names
    result_type: CType
    mutated: frozenset[int] = frozenset()
    bindings: dict[int, Binding] = field(default_factory=dict)
    this: Place | None = None
    outer: Frame | None = None
    caller: Frame | None = None
    result: RegisterObject | None = None
    returned: Operand | None = None
    single_return: bool = False
    breakables: list[Literal["loop", "switch"]] = field(default_factory=list)
    switch_target: object = None
    specialisation: str = ""

    def lookup(self, key: int) -> Binding | None:
        """The binding of a declaration here or in the frames around a lambda."""
        frame: Frame | None = self
        while frame is not None:
            found = frame.bindings.get(key)
            if found is not None:
                return found
            frame = frame.outer
        return None

    def is_active(self, cursor: Cursor) -> bool:
        """True if the function is already being built in this chain of calls (recursion)."""
        frame: Frame | None = self
        while frame is not None:
            if frame.cursor == cursor:
                return True
            frame = frame.caller
        return False
