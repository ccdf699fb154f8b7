"""Ported files as they stand in an output folder: whose they are, and whether they still belong to their originals.

Nothing here loads what converting or verifying needs: this is what a hook runs on every commit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span
from migrate.pipeline.lock import file_hash, read_lock
from migrate.pipeline.options import UsageError
from migrate.pipeline.writing import BASE

_OWNERLESS = "{name}: a port without migrate.lock there or above; the conversion did not end, convert again"


def output_of(path: Path) -> Path:
    """The output folder that ``path`` is or lies in. Raises UsageError when there is none."""
    start = path.resolve()
    if not start.exists():
        raise UsageError(f"{path}: no such file or folder")
    for folder in (start, *start.parents):
        if folder.is_dir() and (folder / "migrate.lock").is_file():
            return folder
    raise UsageError(f"{path}: not part of an output folder (no migrate.lock there or above)")


@dataclass(frozen=True)
class Checked:
    """What `check_files` found; ``files`` counts the ports looked at."""

    files: int
    diagnostics: tuple[Diagnostic, ...]


def check_files(paths: tuple[Path, ...]) -> Checked:
    """Cheap checks of ported files, by hashes alone: original unchanged, text as generated, last verdict good.

    Files that no output folder owns are passed over, unless they are ports (an interrupted conversion). Raises
    UsageError for a path that does not exist.
    """
    found: list[Diagnostic] = []
    count = 0
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
        ports = [path.resolve()] if path.is_file() else sorted(path.resolve().rglob("*_tl.py"))
        try:
            output = output_of(path)
        except UsageError:
            ownerless = [port for port in ports if _is_port(port)]
            count += len(ownerless)
            found += [make("TLM643", _OWNERLESS.format(name=port.name), Span(str(port), 1)) for port in ownerless]
            continue
        for port in ports:
            relative = port.relative_to(output).as_posix()
            if relative.startswith(".migrate") or not relative.endswith("_tl.py"):
                continue
            count += 1
            found += _check_port(output, relative)
    return Checked(count, tuple(found))


def _is_port(path: Path) -> bool:
    """Whether the converter wrote this file: its first line names the original."""
    with path.open("rb") as file:
        return path.suffix == ".py" and file.readline().startswith(b"# Ported from ")


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
