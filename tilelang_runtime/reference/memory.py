"""Memory of the reference interpreter: bounds, undefined content, element access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tilelang_runtime.arguments import BoundArguments
from tilelang_runtime.ir import types
from tilelang_runtime.ir.nodes import Buffer, Program, Span, Var
from tilelang_runtime.report import Event, RunError

if TYPE_CHECKING:
    from tilelang_runtime.reference.checks import Checker


class Recorder:
    """Events of a run, counted by place; and two clocks: block barriers, and warp operations by warp."""

    def __init__(self) -> None:
        self.epoch = 0
        self.warp_epochs: dict[int, int] = {}
        self.found: dict[tuple[str, Span, str], list[Any]] = {}

    def add(self, kind: str, span: Span, what: str, first: tuple[int, ...]) -> None:
        """One more event."""
        entry = self.found.setdefault((kind, span, what), [0, first])
        entry[0] += 1

    def events(self) -> list[Event]:
        """All of them."""
        return [Event(kind, span, what, count, first) for (kind, span, what), (count, first) in self.found.items()]


def undefined(shape: Sequence[int], dtype: str) -> np.ndarray:
    """An array of 0xFF bytes."""
    array = np.zeros(tuple(shape), types.numpy_dtype(dtype))
    array.view(np.uint8).reshape(-1)[:] = 1 if dtype == "bool" else 0xFF
    return array


class Memory:
    """Arguments of one run, with guards. ``checker``: told of every access (the checked engine); None: nobody is."""

    def __init__(
        self,
        program: Program,
        bound: BoundArguments,
        unguarded: bool,
        recorder: Recorder,
        checker: Checker | None = None,
    ):
        self.checker = checker
        self.unguarded = unguarded
        self.recorder = recorder
        self.arrays: dict[int, np.ndarray] = {}
        self.scalars: dict[int, Any] = {}
        for parameter, value in zip(program.params, bound.values, strict=True):
            if isinstance(value, np.ndarray):
                self.arrays[id(parameter)] = value
            else:
                self.scalars[id(parameter)] = value.scalar
        for symbol, size in zip(program.symbols, bound.symbols, strict=True):
            self.scalars[id(symbol)] = size

    def place(
        self, array: np.ndarray, buffer: Buffer, indices: tuple[int, ...], what: str, span: Span, where: str
    ) -> tuple[int, ...] | None:
        """The indices if they are inside; None after a guarded access. Raises RunError for the others.

        The checked engine notes every access outside and goes on.
        """
        if all(0 <= index < size for index, size in zip(indices, array.shape, strict=True)):
            return indices
        if self.checker is None and (buffer.scope != "global" or self.unguarded):
            listed = ", ".join(map(str, indices))
            raise RunError(f"{span}: {what} out of range: index ({listed}) ({where})", span)
        self.recorder.add("out_of_range", span, what, indices)
        return None


def read_element(array: np.ndarray, place: tuple[int, ...], dtype: str) -> Any:
    """An element as a Python number."""
    value = array[place]
    return float(value) if types.is_float(dtype) else value.item()


Lookup = Callable[[Var], Any]
