"""The stages of one conversion that has something to do: parse, plan, emit, write, verify, lower, report."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager

from migrate.pipeline.assemble import Converted, assemble
from migrate.pipeline.emitting import Emitted, emit_all
from migrate.pipeline.lock import make_lock, remember
from migrate.pipeline.options import Options
from migrate.pipeline.outcome import Outcome
from migrate.pipeline.progress import stage
from migrate.pipeline.reading import Reading, read_sources
from migrate.pipeline.writing import OutputFolder
from migrate.report.json_report import render_json
from migrate.report.model import Report


def run_stages(options: Options, *, dry_run: bool = False, quiet: bool = False) -> Outcome:
    """See `migrate.pipeline.convert.convert_repository`; whether anything changed is not asked here."""
    times: dict[str, float] = {}
    with _no_collection():
        reading = read_sources(options, times, quiet=quiet)
        emitted = emit_all(reading, options, times, quiet=quiet)
    folder = OutputFolder(options.output, dry_run=dry_run)
    texts = write_ports(folder, emitted)
    if dry_run:
        report = assemble(Converted(options, reading, emitted, kept=tuple(folder.kept)))
        changed = tuple(name for name in folder.changed if not name.startswith(".migrate"))
        return Outcome(report, options.output, changed, texts)
    return _prove_and_report(options, reading, emitted, folder, times, quiet=quiet)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Kernel models live until the end of a run: looking for garbage among them costs a fifth of these stages."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def write_ports(folder: OutputFolder, emitted: Emitted) -> dict[str, str]:
    """Writes ports, plans and package files; returns the text by relative path."""
    texts: dict[str, str] = {}
    for name, text in emitted.support.items():
        folder.write(name, text)
        texts[name] = text
    for port in emitted.ports:
        folder.write_port(port.path, port.text)
        texts[port.path] = port.text
    for name, text in emitted.plans.items():
        folder.write(name, text)
        texts[name] = text
    return texts


def _prove_and_report(
    options: Options,
    reading: Reading,
    emitted: Emitted,
    folder: OutputFolder,
    times: dict[str, float],
    *,
    quiet: bool,
) -> Outcome:
    from migrate.pipeline.proving import Proof, lower_all, verify_all

    proof = Proof()
    interrupted = False
    try:
        if options.verify:
            verify_all(options, emitted, proof, times, quiet=quiet)
        if options.lower:
            lower_all(options, emitted, proof, times, quiet=quiet)
    except KeyboardInterrupt:
        interrupted = True
    with stage("report", 0, times, quiet=True):
        report = assemble(
            Converted(
                options, reading, emitted, kept=tuple(folder.kept), verdicts=proof.verdicts, lowered=proof.lowered
            )
        )
        folder.write("report.json", render_json(report))
    # Times differ from run to run, so the file is written but not locked.
    folder.write("timings.json", json.dumps({k: round(v, 3) for k, v in times.items()}, indent=1) + "\n")
    folder.owned.discard("timings.json")
    if not interrupted:
        _lock(options, reading, report, folder)
    return Outcome(report, options.output, tuple(folder.changed), interrupted=interrupted)


def _lock(options: Options, reading: Reading, report: Report, folder: OutputFolder) -> None:
    kernels = [
        {"id": kernel.id, "level": kernel.level, "verdict": kernel.verdict, "arcs": kernel.evidence.arcs}
        for kernel in report.kernels
    ]
    text = make_lock(options, reading.files_read, folder.owned, kernels)
    folder.write("migrate.lock", text)
    remember(text)
