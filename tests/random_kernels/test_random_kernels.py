"""Random kernels through the whole chain: converted or refused with a code, and never a port that differs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from generate import source

from migrate.analysis.launch_plan import plan_kernel
from migrate.emit.port_file import emit_port, source_file, support_files
from migrate.parse.merge import merge_results
from migrate.parse.results import ParseOptions
from migrate.parse.session import parse_repository
from migrate.verify.request import VerifyOptions, VerifyRequest
from migrate.verify.verdict import Verdict
from migrate.verify.verify import verify_kernel

# What a kernel that is valid by construction may end as; anything else is a fault of ours.
ALLOWED = {"TLM730", "TLM731", "TLM732", "TLM735", "TLM736", "TLM240"}


def verdicts(folder: Path, seeds: list[int]) -> tuple[list[Verdict], list[str]]:
    """Verdicts of the kernels that convert, and the refusals."""
    root, out = folder / "source", folder / "out"
    root.mkdir(parents=True)
    (root / "k.cu").write_text(source(seeds))
    results = list(parse_repository(root, [root / "k.cu"], ParseOptions(jobs=1, use_cache=False)))
    records = merge_results(results)
    refused = [f"{record.name}: {problem.code} {problem.message}" for record in records for problem in record.refusals]
    kernels = [kernel for record in records for kernel in record.instantiations]
    port = emit_port(source_file(root, "k.cu"), kernels)
    refused += [str(problem) for problem in port.refusals]
    for name, content in {**support_files([port.path]), port.path: port.text}.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(content)
    entries = {entry.symbol: entry for entry in port.entries}
    sites = [site for result in results for site in result.launches]
    found = []
    options = VerifyOptions(cases=5, use_cache=False, record_host=False, force_arcs=False, time_limit_s=60)
    for record in records:
        for kernel in record.instantiations:
            if kernel.symbol not in entries:
                continue
            plan = plan_kernel(kernel, sites, record.id)
            module = port.path.removesuffix(".py").replace("/", ".")
            request = VerifyRequest(root, record, kernel, plan, out, module, entries[kernel.symbol], options)
            found.append(verify_kernel(request))
    return found, refused


def check(folder: Path, seeds: list[int]) -> None:
    found, refused = verdicts(folder, seeds)
    assert len(found) + len(refused) == len(seeds)
    for verdict in found:
        codes = {item.code for item in verdict.diagnostics if item.severity != "note"}
        fine = verdict.status == "passed" or (verdict.status == "inconclusive" and codes <= ALLOWED)
        assert fine, f"{verdict.symbol}: {verdict.status} {[(d.code, d.message) for d in verdict.diagnostics]}"
    assert len(found) >= len(seeds) * 3 // 4, refused


def test_a_few(tmp_path: Path) -> None:
    check(tmp_path, list(range(6)))


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(100))
def test_two_thousand(tmp_path: Path, part: int) -> None:
    first = int(os.environ.get("FIRST_SEED", "1000")) + 20 * part
    check(tmp_path, list(range(first, first + 20)))
