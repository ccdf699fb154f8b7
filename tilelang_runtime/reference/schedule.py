"""The schedule contract over coroutines: warp by warp between block barriers, lanes ascending between collectives."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from tilelang_runtime.ir.nodes import Span
from tilelang_runtime.reference.memory import Recorder
from tilelang_runtime.report import RunError


@dataclass(frozen=True)
class Collective:
    """Where a thread waits. kind: barrier block_count block_and block_or elect activemask shuffle sync ballot any all
    match_any match_all."""

    kind: str
    mask: int
    value: Any
    source: int
    span: Span
    what: str

    @property
    def whole_block(self) -> bool:
        """Whether all threads of the block meet here."""
        return self.kind == "barrier" or self.kind.startswith("block_")

    @property
    def group(self) -> str:
        """Collectives of one group complete together."""
        return "ballot" if self.kind in ("ballot", "any", "all") else self.kind


def run_block(threads: list[Generator[Collective, Any, Any]], recorder: Recorder, where: str) -> None:
    """Runs the threads of one block to the end. Raises RunError for a deadlock."""
    waits: list[Collective | None] = [None] * len(threads)
    answers: list[Any] = [None] * len(threads)
    alive = set(range(len(threads)))
    ready = set(alive)

    def lanes(warp: int) -> list[int]:
        return [t for t in range(warp * 32, min(warp * 32 + 32, len(threads))) if t in alive]

    def complete_warp(warp: int) -> bool:
        for first in lanes(warp):
            wait = waits[first]
            if first in ready or wait is None or wait.whole_block:
                continue
            members = [t for t in lanes(warp) if wait.mask >> (t % 32) & 1]
            others = [waits[t] for t in members]
            live = sum(1 << (t % 32) for t in lanes(warp))
            if not members or any(
                t in ready or o is None or o.group != wait.group or o.mask & live != wait.mask & live
                for t, o in zip(members, others, strict=True)
            ):
                continue
            recorder.warp_epochs[warp] = recorder.warp_epochs.get(warp, 0) + 1
            _answer(members, [o for o in others if o is not None], answers, recorder)
            ready.update(members)
            return True
        return False

    def complete_block() -> bool:
        waiting = [t for t in sorted(alive) if waits[t] is not None and waits[t].whole_block and t not in ready]  # type: ignore[union-attr]
        if not waiting or len(waiting) != len(alive):
            return False
        found = [wait for t in waiting if (wait := waits[t]) is not None]
        spans = {(wait.span, wait.what) for wait in found}
        for wait in found if len(spans) > 1 else []:
            if (wait.span, wait.what) != (found[0].span, found[0].what):
                recorder.add("barrier_divergence", wait.span, wait.what, (0, 0))
        votes = [bool(wait.value) for wait in found]
        for t, wait in zip(waiting, found, strict=True):
            answers[t] = {"block_count": sum(votes), "block_and": int(all(votes)), "block_or": int(any(votes))}.get(
                wait.kind
            )
        ready.update(waiting)
        recorder.epoch += 1
        return True

    current = -1
    while alive:
        if not ready:
            waiting = [f"{waits[t].what} of {waits[t].span}" for t in sorted(alive) if waits[t] is not None]  # type: ignore[union-attr]
            counted = "; ".join(f"{waiting.count(text)} wait at {text}" for text in dict.fromkeys(waiting))
            raise RunError(f"deadlock: {len(alive)} live threads; {counted} ({where})", waits[min(alive)].span)  # type: ignore[union-attr]
        current = _next(ready, current)
        ready.discard(current)
        try:
            wait = threads[current].send(answers[current])
        except StopIteration:
            alive.discard(current)
            while complete_warp(current // 32):
                pass
            if complete_block():
                current = -1
            continue
        waits[current], answers[current] = wait, None
        if wait.kind == "elect":
            answers[current] = current == min(alive)
            ready.add(current)
            current -= 1
        elif wait.kind == "activemask":
            answers[current] = sum(1 << (t % 32) for t in lanes(current // 32))
            ready.add(current)
            current -= 1
        elif wait.whole_block:
            if complete_block():
                current = -1
        else:
            if not wait.mask >> (current % 32) & 1:
                raise RunError(f"{wait.span}: {wait.what}: the lane is not in its own mask ({where})", wait.span)
            complete_warp(current // 32)


def _next(ready: set[int], current: int) -> int:
    """The next ready lane of the warp, else its first, else the first of the next warps."""
    warp = max(current, 0) // 32
    same = sorted(t for t in ready if t // 32 == warp)
    later = [t for t in same if t > current]
    if later or same:
        return (later or same)[0]
    return min(ready, key=lambda t: ((t // 32 - warp) % 32, t))


def _answer(members: list[int], waits: list[Collective], answers: list[Any], recorder: Recorder) -> None:
    by_lane = {t % 32: wait for t, wait in zip(members, waits, strict=True)}
    everyone = sum(1 << lane for lane in by_lane)
    for t, wait in zip(members, waits, strict=True):
        lane = t % 32
        if wait.kind == "shuffle":
            if wait.source not in by_lane:
                recorder.add("inactive_lane", wait.span, wait.what, (lane, wait.source))
            answers[t] = by_lane.get(wait.source, wait).value
        elif wait.group == "ballot":
            votes = sum(1 << other for other, w in by_lane.items() if w.value)
            answers[t] = (
                votes if wait.kind == "ballot" else int(votes != 0) if wait.kind == "any" else int(votes == everyone)
            )
        elif wait.kind in ("match_any", "match_all"):
            same = sum(1 << other for other, w in by_lane.items() if w.value == wait.value)
            answers[t] = same if wait.kind == "match_any" or same == everyone else 0
