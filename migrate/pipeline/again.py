"""Work on an earlier conversion: verify its ports again, or check that they still belong to their originals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span
from migrate.pipeline.lock import file_hash, options_from_lock, read_lock
from migrate.pipeline.options import UsageError, default_jobs
from migrate.pipeline.writing import BASE
from migrate.report.model import Report

if TYPE_CHECKING:
    from migrate.pipeline.emitting import Emitted, EmittedKernel
    from migrate.pipeline.proving import VerifySettings


def output_of(path: Path) -> Path:
    """The output folder that ``path`` is or lies in. Raises UsageError when there is none."""
    start = path.resolve()
    if not start.exists():
        raise UsageError(f"{path}: no such file or folder")
    for folder in (start, *start.parents):
        if folder.is_dir() and (folder / "migrate.lock").is_file():
            return folder
    raise UsageError(f"{path}: not part of an output folder (no migrate.lock there or above)")


def verify_again(paths: tuple[Path, ...], settings: VerifySettings, *, lower: bool, jobs: int, quiet: bool) -> Report:
    """Runs the ports under ``paths`` (one output folder, or files in it) against their originals.

    Verdicts hold for the text that stands in the folder, edited or not. Raises UsageError.
    """
    # Checking files must not load what verifying them needs.
    from migrate.pipeline.assemble import Converted, assemble
    from migrate.pipeline.emitting import emit_all
    from migrate.pipeline.proving import Proof, lower_all, verify_all
    from migrate.pipeline.reading import read_sources

    outputs = {output_of(path) for path in paths}
    if len(outputs) != 1:
        raise UsageError("name one output folder, or files of one output folder")
    output = outputs.pop()
    lock = read_lock(output)
    if lock is None:
        raise UsageError(f"{output / 'migrate.lock'}: cannot be read; convert again")
    options = options_from_lock(output, lock, jobs=jobs or default_jobs(), lower=lower)
    times: dict[str, float] = {}
    reading = read_sources(options, times, quiet=quiet)
    emitted = emit_all(reading, options, times, quiet=quiet)
    chosen = _chosen(emitted, output, paths)
    proof = Proof()
    verify_all(options, chosen, proof, times, quiet=quiet, settings=settings)
    if lower:
        lower_all(options, chosen, proof, times, quiet=quiet)
    return assemble(Converted(options, reading, emitted, (), proof.verdicts, proof.lowered))


def _chosen(emitted: Emitted, output: Path, paths: tuple[Path, ...]) -> Emitted:
    from migrate.pipeline.emitting import Emitted

    def wanted(item: EmittedKernel) -> bool:
        port = output / item.port_path
        return port.is_file() and any(port.is_relative_to(path.resolve()) for path in paths)

    kernels = tuple(item for item in emitted.kernels if wanted(item))
    if not kernels:
        raise UsageError("no ports of known kernels there; convert again")
    return Emitted(emitted.ports, kernels, emitted.refusals, emitted.support, emitted.plans)


@dataclass(frozen=True)
class Checked:
    """What `check_files` found; ``files`` counts the ports looked at."""

    files: int
    diagnostics: tuple[Diagnostic, ...]


def check_files(paths: tuple[Path, ...]) -> Checked:
    """Cheap checks of ported files, by hashes alone: original unchanged, text as generated, last verdict good.

    Files that no output folder owns are passed over. Raises UsageError for a path that does not exist.
    """
    found: list[Diagnostic] = []
    count = 0
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
        try:
            output = output_of(path)
        except UsageError:
            continue
        for port in [path.resolve()] if path.is_file() else sorted(path.resolve().rglob("*_tl.py")):
            relative = port.relative_to(output).as_posix()
            if relative.startswith(".migrate") or not relative.endswith("_tl.py"):
                continue
            count += 1
            found += _check_port(output, relative)
    return Checked(count, tuple(found))


def _check_port(output: Path, relative: str) -> list[Diagnostic]:
    lock = read_lock(output)
    report = json.loads((output / "report.json").read_text()) if (output / "report.json").is_file() else None
    where = Span(relative, 1)
    if lock is None or report is None:
        return [make("TLM643", f"{relative}: migrate.lock or report.json is missing; convert again", where)]
    found: list[Diagnostic] = []
    source = next((item for item in report["files"] if item["port"] == relative), None)
    if source is None:
        return [make("TLM643", f"{relative}: not known to report.json; convert again", where)]
    root = output / lock["request"]["root"]
    if file_hash(root / source["path"]) != lock["sources"].get(source["path"]):
        found.append(make("TLM641", f"{source['path']} changed since {relative} was made; convert again", where))
    base = output / BASE / relative
    if file_hash(base) != file_hash(output / relative):
        verified = lock["outputs"].get(relative) == file_hash(output / relative)
        if not verified:
            found.append(make("TLM642", f"{relative} was edited and not verified since; run migrate convert", where))
    for kernel in report["kernels"]:
        if kernel["port"] == relative and kernel["verdict"] == "failed":
            found.append(make("TLM644", f"{kernel['symbol']} in {relative} failed its last verification", where))
    return found
