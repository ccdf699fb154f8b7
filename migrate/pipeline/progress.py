"""Progress on stderr: a bar with time left on a terminal, one line a stage elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stage(Protocol):
    """What a running stage tells its caller."""

    def step(self, label: str = "") -> None:
        """One item is done."""


class _Silent:
    def step(self, label: str = "") -> None:
        pass


class _Bar:
    def __init__(self, progress: object, task: object) -> None:
        self.progress, self.task = progress, task

    def step(self, label: str = "") -> None:
        self.progress.update(self.task, advance=1, label=label)  # type: ignore[attr-defined]


class _Lines:
    """Without a terminal: a line now and then, so that a long run in a log is seen to move."""

    INTERVAL_S = 20.0

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.done = title, total, 0
        self.begun = self.said = time.monotonic()
        print(f"{title}: {total}", file=sys.stderr, flush=True)

    def step(self, label: str = "") -> None:
        self.done += 1
        now = time.monotonic()
        if now - self.said >= self.INTERVAL_S and self.done < self.total:
            left = (now - self.begun) / self.done * (self.total - self.done)
            print(f"{self.title}: {self.done}/{self.total}, about {left:.0f} s left", file=sys.stderr, flush=True)
            self.said = now


@contextmanager
def stage(title: str, total: int, times: dict[str, float] | None = None, *, quiet: bool = False) -> Iterator[Stage]:
    """Shows ``title`` with ``total`` items; wall seconds are added to ``times`` under the title."""
    begun = time.perf_counter()
    try:
        if quiet or total == 0:
            yield _Silent()
        elif sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description:<10}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[label]}", markup=False),
            )
            with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
                yield _Bar(progress, progress.add_task(title, total=total, label=""))
        else:
            yield _Lines(title, total)
    finally:
        if times is not None:
            times[title] = times.get(title, 0.0) + time.perf_counter() - begun
