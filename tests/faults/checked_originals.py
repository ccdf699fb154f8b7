"""Parse a file, plan its launches and check its originals: what users get, without ports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from migrate.analysis.launch_plan import plan_kernel
from migrate.diagnostics import Diagnostic
from migrate.parse.merge import merge_results
from migrate.parse.results import ParseOptions
from migrate.parse.session import parse_repository
from migrate.verify.faults import CHECK_CODES
from migrate.verify.originals import CheckRequest, check_original

_MARK = re.compile(r"// FAULT (\w+)\s*$")
_KERNEL = re.compile(r"__global__ void (\w+)\(")


@dataclass(frozen=True)
class Seeded:
    """A kernel with one fault and the lines that may be named for it."""

    file: str
    kernel: str
    kind: str
    lines: frozenset[int]


def seeded_faults(folder: Path) -> list[Seeded]:
    """What the marks in the folder's files say."""
    found: list[Seeded] = []
    for path in sorted(folder.glob("*.cu")):
        marks: dict[str, list[tuple[str, int]]] = {}
        kernel = ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if start := _KERNEL.search(line):
                kernel = start.group(1)
            if mark := _MARK.search(line):
                marks.setdefault(kernel, []).append((mark.group(1), number))
        for name, places in marks.items():
            kinds = {kind for kind, _ in places}
            assert len(kinds) == 1, name
            found.append(Seeded(path.name, name, kinds.pop(), frozenset(line for _, line in places)))
    return found


def requests_for(root: Path, files: list[Path]) -> dict[tuple[str, str], CheckRequest]:
    """A request for each kernel that could be read, by file and name."""
    results = list(parse_repository(root, files, ParseOptions()))
    launches = [launch for result in results for launch in result.launches]
    return {
        (record.file, kernel.name): CheckRequest(root, record, kernel, plan_kernel(kernel, launches, record.id))
        for record in merge_results(results)
        for kernel in record.instantiations
    }


def findings(request: CheckRequest) -> list[Diagnostic]:
    """What the check says about one original."""
    return [item for item in check_original(request).diagnostics if item.code in CHECK_CODES or item.severity != "note"]
