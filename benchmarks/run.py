"""All benchmarks, one table. Run: ``python benchmarks/run.py [FOLDER...]`` (conversion also of these folders).

CPU time (user and system, children included): figures hold on a busy machine better than wall time does.
"""

from __future__ import annotations

import sys
from pathlib import Path

import conversion
import runtime_speed
import startup
import unchanged
import verification
from measuring import CORPUS, Row, show


def main(folders: list[Path]) -> None:
    """Prints the table."""
    rows: list[Row] = startup.measure()
    for folder in (CORPUS, *folders):
        rows += conversion.measure(folder)
    rows += unchanged.measure() + runtime_speed.measure()
    for folder in (CORPUS, *folders):
        rows += verification.measure(folder)
    show(rows)


if __name__ == "__main__":
    main([Path(name).resolve() for name in sys.argv[1:]])
