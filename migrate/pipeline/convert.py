"""One conversion, stage by stage. Each stage's results are cached by content, so a stopped run resumes."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrate.pipeline.assemble import Converted, assemble
from migrate.pipeline.emitting import Emitted, emit_all
from migrate.pipeline.lock import make_lock, remember, unchanged
from migrate.pipeline.options import Options
from migrate.pipeline.progress import stage
from migrate.pipeline.reading import Reading, read_sources
from migrate.pipeline.stored import StoredReportError, load_report
from migrate.pipeline.writing import OutputFolder
from migrate.report.json_report import render_json
from migrate.report.model import Report


@dataclass(frozen=True)
class Outcome:
    """What a run gives back to the command line."""

    report: Report
    output: Path
    changed: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def diffs(self) -> list[str]:
        """Unified diffs of every file that would change."""
        found = []
        for name in self.changed:
            path = self.output / name
            old = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
            new = self.texts.get(name, "").splitlines(keepends=True)
            found.append("".join(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")))
        return found


def convert_repository(options: Options, *, dry_run: bool = False, quiet: bool = False) -> Outcome:
    """Parses, plans, emits, writes, lowers, verifies and reports. Raises UsageError for requests that make no sense.

    Ctrl-C while lowering or verifying gives a partial, valid result with ``interrupted`` set.
    """
    if unchanged(options):
        try:
            return Outcome(load_report(options.output), options.output)
        except StoredReportError:
            pass  # the lock is right but the report was removed: run again, from the caches
    times: dict[str, float] = {}
    reading = read_sources(options, times, quiet=quiet)
    emitted = emit_all(reading, options, times, quiet=quiet)
    folder = OutputFolder(options.output, dry_run=dry_run)
    texts = write_ports(folder, emitted)
    if dry_run:
        report = assemble(Converted(options, reading, emitted, kept=tuple(folder.kept)))
        changed = tuple(name for name in folder.changed if not name.startswith(".migrate"))
        return Outcome(report, options.output, changed, texts)
    return _prove_and_report(options, reading, emitted, folder, times, quiet=quiet)


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
