"""Check the originals of an earlier conversion alone: findings on their lines, no port is run."""

from __future__ import annotations

from pathlib import Path

from migrate.diagnostics import Diagnostic
from migrate.pipeline.again import opened
from migrate.pipeline.assemble import Converted, assemble
from migrate.pipeline.emitting import emit_all
from migrate.pipeline.options import Options, UsageError
from migrate.pipeline.progress import stage
from migrate.pipeline.reading import Reading, read_sources
from migrate.report.model import Report
from migrate.verify.many import verify_many
from migrate.verify.originals import CheckOptions, CheckRequest, check_original

Key = tuple[str, str]


def check_originals(paths: tuple[Path, ...], settings: CheckOptions, *, jobs: int, quiet: bool) -> Report:
    """Runs every original of the output folder (or of the ports named) under the check build.

    Kernels that were read but not converted are checked too. Raises UsageError.
    """
    options = opened(paths, jobs=jobs, lower=False)
    times: dict[str, float] = {}
    reading = read_sources(options, times, quiet=quiet)
    emitted = emit_all(reading, options, times, quiet=quiet)
    ports = {item.record.file: options.output / item.port_path for item in emitted.kernels}
    whole = any(path.resolve() == options.output for path in paths)
    files = {
        file
        for file in {record.file for record in reading.records}
        if whole or (file in ports and any(ports[file].is_relative_to(path.resolve()) for path in paths))
    }
    found = run_checks(options, reading, files, settings, times, quiet=quiet)
    if not found:
        raise UsageError("no kernels that could be read belong to these ports; convert again")
    return assemble(Converted(options, reading, emitted, checks=found))


def run_checks(
    options: Options,
    reading: Reading,
    files: set[str],
    settings: CheckOptions,
    times: dict[str, float],
    *,
    quiet: bool,
) -> dict[Key, tuple[Diagnostic, ...]]:
    """Findings by instantiation, for the kernels in ``files``."""
    plans = {(plan.kernel_id, plan.cpp_name): plan for plan in reading.plans}
    requests = [
        CheckRequest(options.root, record, kernel, plans[(kernel.id, kernel.cpp_name)], settings)
        for record in reading.records
        if record.file in files
        for kernel in record.instantiations
    ]
    keys = {(r.kernel.id, r.kernel.symbol): (r.kernel.id, r.kernel.cpp_name) for r in requests}
    found: dict[Key, tuple[Diagnostic, ...]] = {}
    with stage("check", len(requests), times, quiet=quiet) as bar:
        for verdict in verify_many(requests, options.jobs, function=check_original):
            found[keys[(verdict.kernel_id, verdict.symbol)]] = verdict.diagnostics
            bar.step(verdict.symbol)
    return found
