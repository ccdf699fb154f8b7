"""Start-up: ``migrate --help`` against ``python -c pass``. Run: ``python benchmarks/startup.py``."""

from __future__ import annotations

import statistics
import sys

from measuring import Row, cpu_of, migrate_command, show

ROUNDS = 7


def measure() -> list[Row]:
    """Medians of CPU seconds."""
    ours = statistics.median(cpu_of(migrate_command("--help")) for _ in range(ROUNDS))
    peer = statistics.median(cpu_of([sys.executable, "-c", "pass"]) for _ in range(ROUNDS))
    return [Row("migrate --help", ours, "s", peer, "python -c pass", "<= 0.3 s")]


if __name__ == "__main__":
    show(measure())
