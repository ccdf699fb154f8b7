"""What the benchmarks share: CPU time of child processes, rows of a table. Machines are shared, so CPU time counts."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, ours and the peer's figure in ``unit``, and the bar in words."""

    what: str
    ours: float
    unit: str
    peer: float | None = None
    peer_name: str = ""
    bar: str = ""

    def text(self) -> str:
        """The line as printed."""
        peer = ratio = ""
        if self.peer is not None:
            peer = f"{self.peer:.3g} {self.unit}"
            ratio = f"{self.ours / self.peer:.2f}" if self.peer else ""
        ours = f"{self.ours:.3g} {self.unit}"
        return f"{self.what:50} {ours:>12} {peer:>12} {ratio:>7}  {self.peer_name:34} {self.bar}"


def show(rows: Sequence[Row]) -> None:
    """Prints a table."""
    print(f"{'what':50} {'ours':>12} {'peer':>12} {'ratio':>7}  {'peer is':34} bar")
    for row in rows:
        print(row.text())


def cpu_of(command: Sequence[str], environment: Mapping[str, str] | None = None, codes: Sequence[int] = (0,)) -> float:
    """Runs a command to its end; CPU seconds (user and system) of it and its own children.

    Raises RuntimeError when it ends with an exit code that is not in ``codes``.
    """
    process = subprocess.Popen(
        list(command),
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def migrate_command(*arguments: str) -> list[str]:
    """The command line of this checkout's ``migrate``."""
    return [sys.executable, "-c", "from migrate.cli.main import run; run()", *arguments]


def cpu_now() -> float:
    """CPU seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)
