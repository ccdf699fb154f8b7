"""The open regions of run-time code while a function is traced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tilelang_runtime.ir import nodes
from tilelang_runtime.ir.nodes import Expr, Span, Stmt
from tilelang_runtime.ir.operators import LOCATION, fail

LOOPS = ("for", "while", "parallel")


@dataclass(eq=False)
class Frame:
    """An open region of run-time code."""

    kind: str  # program, kernel, then, else, for, while, parallel
    body: list[Stmt]
    bound: tuple[Expr, ...] = ()  # loop bounds, evaluated again each round by upstream


@dataclass(eq=False)
class Binding:
    """What a Python name holds, the region it was bound in, and the loops that have read it since."""

    value: Any
    frame: Frame
    reads: set[int] = field(default_factory=set)


@dataclass(eq=False)
class Scope:
    """Names of one function activation."""

    names: dict[str, Binding]
    macro: bool
    depth: int  # frames open at entry
    references: frozenset[str] = frozenset()


class PythonLoop(Frame):
    """A loop that runs while tracing: it opens no run-time region."""


class Regions:
    """The program so far: regions, function activations and launches."""

    def __init__(self, name: str):
        self.program_body: list[Stmt] = []
        self.frames: list[Frame] = [Frame("program", self.program_body)]
        self.scopes: list[Scope] = []
        self.launches: list[nodes.Launch] = []
        self.launch: nodes.Launch | None = None
        self.attributes: dict[str, Any] = {}
        self.boolean_depth = 0
        self.name = name
        self.counter = 0

    @staticmethod
    def at(file: str, line: int) -> None:
        """The statement that runs next."""
        LOCATION.span = Span(file, line)

    def emit(self, statement: Stmt) -> None:
        """Appends a statement to the innermost open region."""
        self.region().body.append(statement)

    def region(self) -> Frame:
        """The innermost run-time region."""
        return next(frame for frame in reversed(self.frames) if not isinstance(frame, PythonLoop))

    def require_kernel(self, what: str) -> nodes.Launch:
        """The open launch. Raises when ``what`` is used outside `T.Kernel`."""
        if self.launch is None:
            raise fail(f"{what} outside T.Kernel")
        return self.launch

    @contextmanager
    def open(self, frame: Frame) -> Iterator[None]:
        """Keeps ``frame`` open."""
        self.frames.append(frame)
        try:
            yield
        finally:
            while self.frames[-1] is not frame:
                self.frames.pop()
            self.frames.pop()

    @contextmanager
    def activation(self, *, macro: bool, references: frozenset[str] = frozenset()) -> Iterator[None]:
        """One call of a rewritten function."""
        self.scopes.append(Scope({}, macro, len(self.frames), references))
        where = LOCATION.span
        try:
            yield
        finally:
            self.scopes.pop()
            LOCATION.span = where
