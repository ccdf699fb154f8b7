"""Conversion without verification against a bare libclang parse of the same files with the same flags.

Run: ``python benchmarks/conversion.py [FOLDER...]`` (default: the corpus). Both start with empty caches and use one
worker; the bare parse builds the precompiled shim header too, as the first run of a new installation does.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from measuring import CORPUS, Row, cpu_of, migrate_command, show

# Every unit that the conversion parses is parsed once, with the include folders that the conversion found for it.
_BARE_PARSE = """
import json, sys
from clang import cindex
from migrate.parse.flags import KEEP_GOING, clang_flags
from migrate.parse.precompiled import shim_pch
index = cindex.Index.create(excludeDecls=True)
for path, folders in json.load(open(sys.argv[1])):
    index.parse(path, args=clang_flags(include_dirs=folders, pch=shim_pch("sm_80")), options=KEEP_GOING)
"""
_UNITS = """
import json, sys
from pathlib import Path
from migrate.parse.results import ParseOptions
from migrate.parse.session import parse_repository
from migrate.parse.sources import find_sources
root = Path(sys.argv[1])
units, kernels = [], set()
for result in parse_repository(root, find_sources((root,), root)[0], ParseOptions(jobs=1)):
    if result.parse_cpu_s:
        folders = result.kernels[0].include_dirs if result.kernels else ()
        units.append([str(root / result.path), list(folders)])
    kernels |= {record.id for record in result.kernels}
json.dump({"units": units, "kernels": len(kernels)}, open(sys.argv[2], "w"))
"""


def measure(folder: Path = CORPUS) -> list[Row]:
    """CPU seconds of one cold run of each, and milliseconds a kernel beyond the parses."""
    with tempfile.TemporaryDirectory(prefix="conversion-") as scratch:
        listing = Path(scratch, "units.json")
        cold = {"TILELANG_MIGRATE_CACHE": f"{scratch}/cold"}
        command = migrate_command(
            "convert", str(folder), "-o", f"{scratch}/out", "--no-verify", "--no-lower", "-q", "-j", "1"
        )
        ours = cpu_of(command, cold, codes=(0, 1))
        cpu_of([sys.executable, "-c", _UNITS, str(folder), str(listing)], cold)
        found = json.loads(listing.read_text())
        listing.write_text(json.dumps(found["units"]))
        peer = cpu_of([sys.executable, "-c", _BARE_PARSE, str(listing)], {"TILELANG_MIGRATE_CACHE": f"{scratch}/bare"})
    name = f"{folder.name}: {found['kernels']} kernels, {len(found['units'])} files"
    beyond = (ours - peer) / max(1, found["kernels"]) * 1000
    return [
        Row(f"conversion, {name}", ours, "s", peer, "bare libclang parse", ""),
        Row("  beyond the parse, a kernel", beyond, "ms", None, "", "<= 100 ms"),
    ]


if __name__ == "__main__":
    show([row for folder in sys.argv[1:] or [str(CORPUS)] for row in measure(Path(folder).resolve())])
