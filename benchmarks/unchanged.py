"""A conversion with nothing changed against hashing the same files. Run: ``python benchmarks/unchanged.py``."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from measuring import CORPUS, Row, cpu_of, migrate_command, show

ROUNDS = 5
_HASH_ALL = """
import hashlib, pathlib, sys
for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            hashlib.sha256(path.read_bytes()).hexdigest()
"""


def measure(folder: Path = CORPUS) -> list[Row]:
    """Median CPU seconds of the second and later runs."""
    with tempfile.TemporaryDirectory(prefix="unchanged-") as scratch:
        environment = {"TILELANG_MIGRATE_CACHE": f"{scratch}/cache"}
        command = migrate_command(
            "convert", str(folder), "-o", f"{scratch}/out", "--no-verify", "--no-lower", "-q", "-j", "1"
        )
        cpu_of(command, environment, codes=(0, 1))
        ours = statistics.median(cpu_of(command, environment, codes=(0, 1)) for _ in range(ROUNDS))
        hashing = [sys.executable, "-c", _HASH_ALL, str(folder), f"{scratch}/out"]
        peer = statistics.median(cpu_of(hashing) for _ in range(ROUNDS))
    return [Row(f"nothing changed, {folder.name}", ours, "s", peer, "hashing sources and OUT", "<= 1 s + hashing")]


if __name__ == "__main__":
    show(measure(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else CORPUS))
