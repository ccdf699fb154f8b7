"""What the command line asks for, resolved to paths and numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


class UsageError(Exception):
    """The request cannot be carried out; the message says what to change. Exit code 2."""


@dataclass(frozen=True)
class Options:
    """One conversion. All paths are absolute; ``root`` is the repository that relative paths refer to.

    ``parse_timeout_s``: wall seconds that one source file may take to parse.
    """

    root: Path
    sources: tuple[Path, ...]
    output: Path
    target: str = "cuda"
    level: str = "auto"
    verify: bool = True
    lower: bool = True
    jobs: int = 1
    defines: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    compile_commands: Path | None = None
    only: str | None = None
    cases: int = 8
    seed: int = 0
    timeout_s: float = 120.0
    arch: str = "sm_80"
    parse_timeout_s: float = 60.0


def default_jobs() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def common_root(sources: tuple[Path, ...]) -> Path:
    """The folder all sources lie in: a single folder is its own root, files share their parent.

    Raises UsageError when a source does not exist or nothing is shared.
    """
    folders: list[str] = []
    for source in sources:
        if not source.exists():
            raise UsageError(f"{source}: no such file or folder")
        folders.append(str(source if source.is_dir() else source.parent))
    if not folders:
        raise UsageError("nothing to convert: name files or folders")
    return Path(os.path.commonpath(folders))


def check_output(output: Path, root: Path, sources: tuple[Path, ...]) -> None:
    """Raises UsageError if OUT would overwrite inputs or is not a folder of ours."""
    if output.exists() and not output.is_dir():
        raise UsageError(f"{output}: exists and is not a folder")
    above = next(folder for folder in (output, *output.parents) if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise UsageError(f"{output}: cannot be written, because {above} is not a folder or read-only")
    if output == root or any(output == source or source.is_relative_to(output) for source in sources):
        raise UsageError(f"{output}: the output folder would hold the sources; name another one with -o")
    # an interrupted run leaves no lock, but the texts it generated or its report
    ours = any((output / name).exists() for name in ("migrate.lock", ".migrate", "report.json"))
    if output.is_dir() and any(output.iterdir()) and not ours:
        raise UsageError(f"{output}: not empty and not made by migrate; name another folder with -o or empty it")
