"""Mutants of the corpus: how many seeded mistakes in ports does verification find?

Run: ``python benchmarks/mutants.py [PER_OPERATOR] [SEED] [JOBS] [OPERATOR,OPERATOR…]`` (default 25, 1, 1, all); prints
the report and writes ``mutants.json`` to the working folder. Bars: every operator 90 %, all together 98 %.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from measuring import CORPUS
from verification import requests_of

EVERY_KERNEL = 10**6


def main(per_operator: int, seed: int, jobs: int, operators: tuple[str, ...]) -> None:
    """Runs the campaign and prints it."""
    from migrate.mutate.campaign import run_campaign
    from migrate.mutate.model import text_lines

    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        requests = requests_of(CORPUS, Path(scratch, "out"), EVERY_KERNEL)
        report = run_campaign(
            requests,
            operators=operators,
            per_operator=per_operator,
            seed=seed,
            jobs=jobs,
            progress=lambda done: print(f"{done.kernel}: {len(done.results)} mutants", file=sys.stderr),
        )
    Path("mutants.json").write_text(json.dumps(report.to_dict(), indent=1) + "\n")
    for line in text_lines(report):
        print(line)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("25", "1", "1", "")[len(sys.argv) - 1 :]]
    main(int(given[0]), int(given[1]), int(given[2]), tuple(name for name in given[3].split(",") if name))
