"""Report files beside (or apart from) the ports, and what they show besides the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from migrate.pipeline.lock import read_lock
from migrate.pipeline.options import Options, UsageError
from migrate.pipeline.stored import StoredReportError, load_report_file
from migrate.pipeline.writing import OutputFolder
from migrate.report.baseline import Comparison, compare
from migrate.report.formats import FILES, Surroundings, UnknownFormat, parse_formats, render
from migrate.report.model import Report
from migrate.report.sources import Sources


def wanted_formats(text: str) -> tuple[str, ...]:
    """``--report`` as format names. Raises UsageError."""
    try:
        return parse_formats(text)
    except UnknownFormat as error:
        raise UsageError(f"--report: {error}") from None


def read_baseline(path: Path | None) -> Report | None:
    """The report to compare with; a folder stands for its report.json. Raises UsageError."""
    if path is None:
        return None
    try:
        return load_report_file(path / FILES["json"] if path.is_dir() else path)
    except StoredReportError as error:
        raise UsageError(f"--baseline: {error}") from None


def compared(baseline: Report | None, report: Report, *, verified: bool = True) -> Comparison | None:
    """The comparison where there is a baseline."""
    return compare(baseline, report, verified=verified) if baseline is not None else None


def exit_code(report_is_clean: bool, comparison: Comparison | None) -> int:
    """0 or 1: with a baseline only what is worse than it counts."""
    if comparison is not None:
        return 1 if comparison.regressions() else 0
    return 0 if report_is_clean else 1


def surroundings(
    report: Report,
    output: Path | None,
    code: int,
    *,
    root: Path | None = None,
    options: Options | None = None,
    comparison: Comparison | None = None,
) -> Surroundings:
    """Where originals and ports lie: as given, else as the lock in ``output`` says."""
    lock = read_lock(output) if output is not None else None
    request: dict[str, Any] = lock.get("request", {}) if lock else {}
    settings: dict[str, Any] = {key: request[key] for key in ("arch", "cases", "seed") if key in request}
    if options is not None:
        root = options.root
        settings = {"arch": options.arch, "cases": options.cases, "seed": options.seed}
    elif root is None and output is not None and isinstance(request.get("root"), str):
        root = output / request["root"]
    hashes = {file.path: file.sha256 for file in report.files}
    ports = {k: v for k, v in lock.get("outputs", {}).items() if isinstance(v, str)} if lock else {}
    return Surroundings(code, Sources(root, output, hashes, ports), settings, comparison)


def write_reports(folder: Path, formats: tuple[str, ...], report: Report, around: Surroundings) -> list[Path]:
    """Writes one file a format into ``folder``, atomically and only where bytes change."""
    out = OutputFolder(folder)
    for name in formats:
        out.write(FILES[name], render(name, report, around))
    return [folder / FILES[name] for name in formats]
