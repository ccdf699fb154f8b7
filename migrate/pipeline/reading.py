"""First stages: find sources, parse them in workers, merge kernels over the repository, plan launches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from migrate.analysis.launch_plan import plan_kernels
from migrate.analysis.plan_model import LaunchPlan
from migrate.diagnostics import Diagnostic
from migrate.ir.launch import LaunchSite
from migrate.parse.merge import merge_results
from migrate.parse.results import FileResult, KernelRecord, ParseOptions
from migrate.parse.session import parse_repository
from migrate.parse.sources import find_sources
from migrate.parse.texture_callers import with_callers_asked
from migrate.parse.texture_launches import with_textures_checked
from migrate.pipeline.options import Options, UsageError
from migrate.pipeline.progress import stage


@dataclass(frozen=True)
class SourceRead:
    """One source file after parsing. ``status``: parsed, no_kernels, unreadable or failed."""

    path: str
    sha256: str
    status: str
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Reading:
    """Everything known about the repository before any port is written."""

    sources: tuple[SourceRead, ...]
    records: tuple[KernelRecord, ...]
    launches: tuple[LaunchSite, ...]
    plans: tuple[LaunchPlan, ...]
    files_read: tuple[str, ...]


def read_sources(options: Options, times: dict[str, float], *, quiet: bool) -> Reading:
    """Parses all sources. Raises UsageError when there is nothing to read or ``only`` names no kernel."""
    found, problems = find_sources(options.sources, options.root)
    # An output folder below the root holds no sources of this run.
    found = [path for path in found if not path.is_relative_to(options.output)]
    if not found and not problems:
        raise UsageError("no CUDA sources found in " + ", ".join(str(path) for path in options.sources))
    parse_options = ParseOptions(
        include_dirs=tuple(map(str, options.include_dirs)),
        defines=options.defines,
        arch=options.arch,
        jobs=options.jobs,
        compile_commands=options.compile_commands,
        timeout_s=options.parse_timeout_s,
    )
    results: list[FileResult] = []
    with stage("parse", len(found), times, quiet=quiet) as bar:
        for result in parse_repository(options.root, found, parse_options):
            results.append(result)
            bar.step(result.path)
        results = with_callers_asked(options.root, results, parse_options)
    results.sort(key=lambda result: result.path)
    launches = tuple(launch for result in results for launch in result.launches)
    records = with_textures_checked(merge_results(results), launches)
    if options.only:
        records = [record for record in records if record.name == options.only]
        if not records:
            raise UsageError(f"--only {options.only}: no kernel of this name was found")
    with stage("plan", 0, times, quiet=True):
        plans = plan_kernels(records, launches)
    sources = [SourceRead(r.path, r.sha256, r.status, r.diagnostics) for r in results]
    sources += [SourceRead(d.file, "", "unreadable", (d,)) for d in problems]
    read = {name for result in results for name in (result.path, *result.included)}
    return Reading(
        tuple(sorted(sources, key=lambda source: source.path)),
        tuple(records),
        launches,
        tuple(plans),
        tuple(sorted(name for name in read if not Path(name).is_absolute())),
    )
