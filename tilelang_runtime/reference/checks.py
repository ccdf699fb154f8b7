"""What the checked engine watches: undefined content, races inside a block and between blocks, bounds everywhere.

The reference interpreter calls it at every access; findings are events with the line of the TileLang source. An access
is ordered after another one if the same thread made both, a block barrier lies between, or, inside one warp, a warp
operation. Iterations of T.Parallel count as threads of their own, because upstream may put them on any thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilelang_runtime.ir.nodes import Buffer, Fence, Launch, Span, Stmt
from tilelang_runtime.reference.memory import Recorder

Identity = tuple[int, ...]


@dataclass(frozen=True)
class Actor:
    """Who accesses: block, thread (or T.Parallel iteration), its warp (-1: none), and how far both clocks are."""

    block: tuple[int, int, int]
    identity: Identity
    warp: int
    epoch: int
    warp_epoch: int


@dataclass(frozen=True)
class _Access:
    actor: Actor
    span: Span
    atomic: bool


@dataclass
class _Cell:
    """The accesses of one element that a later one may race with."""

    write: _Access | None = None
    reads: dict[Identity, _Access] = field(default_factory=dict)


class Checker:
    """State of one run; `start_launch` and `start_block` forget what can no longer matter."""

    def __init__(self, recorder: Recorder):
        self.recorder = recorder
        self.fenced = False
        self.shared: dict[int, _Cell] = {}
        self.outside: dict[int, _Cell] = {}
        self.written: dict[int, np.ndarray] = {}

    def start_launch(self, launch: Launch) -> None:
        """Launches are ordered. Blocks that talk through fences are left alone."""
        self.outside = {}
        self.fenced = _has_fence(launch.body)

    def start_block(self) -> None:
        """Shared memory and locals belong to one block."""
        self.shared = {}
        self.written = {}

    # --- undefined content ------------------------------------------------------------------------------------------

    def fresh(self, array: np.ndarray) -> None:
        """``array`` came into scope and holds nothing yet."""
        self.written[id(array)] = np.zeros(array.nbytes, np.bool_)

    def alias(self, array: np.ndarray, of: np.ndarray) -> None:
        """``array`` shows the bytes of ``of``."""
        if id(of) in self.written:
            self.written[id(array)] = self.written[id(of)]

    def defined(self, array: np.ndarray) -> None:
        """All of ``array`` was written at once."""
        if id(array) in self.written:
            self.written[id(array)][:] = True

    def _bytes(self, array: np.ndarray, place: tuple[int, ...]) -> tuple[np.ndarray, int] | None:
        known = self.written.get(id(array))
        if known is None:
            return None
        flat = int(np.ravel_multi_index(place, array.shape)) if place else 0
        return known, flat * array.itemsize

    # --- accesses ---------------------------------------------------------------------------------------------------

    def read(self, actor: Actor, buffer: Buffer, array: np.ndarray, place: tuple[int, ...], span: Span) -> None:
        """A plain load."""
        self._defined_before(buffer, array, place, span)
        cell = self._cell(buffer, array, place)
        if cell is None:
            return
        found = _Access(actor, span, atomic=False)
        if cell.write is not None and not self._ordered(buffer, cell.write.actor, actor):
            self._race(buffer, "read", found, "written", cell.write)
        cell.reads[actor.identity] = found

    def write(
        self, actor: Actor, buffer: Buffer, array: np.ndarray, place: tuple[int, ...], span: Span, *, changes: bool
    ) -> None:
        """A plain store. ``changes``: it gives the element another value; the same value twice is no race."""
        cell = self._written(buffer, array, place)
        if cell is None:
            return
        found = _Access(actor, span, atomic=False)
        self._against(buffer, cell, found, "written" if changes else "")
        cell.write, cell.reads = found, {}

    def atomic(self, actor: Actor, buffer: Buffer, array: np.ndarray, place: tuple[int, ...], span: Span) -> None:
        """A read-modify-write: races with plain accesses only."""
        self._defined_before(buffer, array, place, span)
        cell = self._written(buffer, array, place)
        if cell is None:
            return
        found = _Access(actor, span, atomic=True)
        self._against(buffer, cell, found, "changed by an atomic")
        cell.write = found

    def _written(self, buffer: Buffer, array: np.ndarray, place: tuple[int, ...]) -> _Cell | None:
        """Marks the element as defined; its record of accesses, if it is watched for races."""
        known = self._bytes(array, place)
        if known is not None:
            known[0][known[1] : known[1] + array.itemsize] = True
        return self._cell(buffer, array, place)

    def _defined_before(self, buffer: Buffer, array: np.ndarray, place: tuple[int, ...], span: Span) -> None:
        known = self._bytes(array, place)
        if known is not None and not known[0][known[1] : known[1] + array.itemsize].all():
            what = f"{buffer.name} ({buffer.scope}) is read where nothing was written"
            self.recorder.add("uninitialised_read", span, what, place)

    def _against(self, buffer: Buffer, cell: _Cell, found: _Access, how: str) -> None:
        """Reports what ``found``, which writes, races with; an empty ``how`` reports nothing."""
        if not how:
            return
        earlier = cell.write
        both_atomic = earlier is not None and earlier.atomic and found.atomic
        if earlier is not None and not both_atomic and not self._ordered(buffer, earlier.actor, found.actor):
            self._race(buffer, how, found, "written", earlier)
            return
        for other in cell.reads.values():
            if not self._ordered(buffer, other.actor, found.actor):
                self._race(buffer, how, found, "read", other)
                return

    def _cell(self, buffer: Buffer, array: np.ndarray, place: tuple[int, ...]) -> _Cell | None:
        if buffer.scope not in ("global", "shared", "fragment"):
            return None
        address = int(array.__array_interface__["data"][0])
        address += sum(index * stride for index, stride in zip(place, array.strides, strict=True))
        cells = self.outside if buffer.scope == "global" else self.shared
        return cells.setdefault(address, _Cell())

    def _ordered(self, buffer: Buffer, earlier: Actor, later: Actor) -> bool:
        if earlier.block != later.block:
            return buffer.scope != "global" or self.fenced
        if earlier.identity == later.identity or earlier.epoch != later.epoch:
            return True
        return earlier.warp >= 0 and earlier.warp == later.warp and earlier.warp_epoch != later.warp_epoch

    def _race(self, buffer: Buffer, how: str, later: _Access, before: str, earlier: _Access) -> None:
        between = "blocks" if earlier.actor.block != later.actor.block else "threads of a block"
        what = f"{buffer.name} ({buffer.scope}) is {how} here and {before} at {earlier.span} by two {between}"
        self.recorder.add("race", later.span, what, later.actor.identity)


def _has_fence(body: list[Stmt]) -> bool:
    for statement in body:
        if isinstance(statement, Fence):
            return True
        for name in ("then", "otherwise", "body", "cond_pre"):
            inner: Any = getattr(statement, name, None)
            if isinstance(inner, list) and _has_fence(inner):
                return True
    return False
