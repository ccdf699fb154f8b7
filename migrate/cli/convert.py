"""``migrate convert``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from migrate.pipeline.options import Options
    from migrate.pipeline.outcome import Outcome
    from migrate.report.model import Report


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("convert")(convert)


def convert(
    sources: Annotated[list[str], typer.Argument(help="CUDA files or folders; '-' reads stdin.", metavar="SRC...")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Output folder.")] = Path("ported"),
    target: Annotated[str, typer.Option(help="cuda or ascend.")] = "cuda",
    level: Annotated[str, typer.Option(help="auto or simt.")] = "auto",
    verify: Annotated[bool, typer.Option("--verify/--no-verify", help="Run original and port side by side.")] = True,
    lower: Annotated[
        bool, typer.Option("--lower/--no-lower", help="Lower ports with the real tilelang where it is installed.")
    ] = True,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="Worker processes; 0: one a core.")] = 0,
    define: Annotated[list[str] | None, typer.Option("-D", "--define", help="Macro X or X=Y; repeatable.")] = None,
    include: Annotated[list[Path] | None, typer.Option("-I", "--include", help="Include folder; repeatable.")] = None,
    compile_commands: Annotated[
        Path | None, typer.Option("-p", "--compile-commands", help="compile_commands.json or its folder.")
    ] = None,
    report: Annotated[str, typer.Option(help="Report files in OUT, comma separated: json, sarif, csv, html.")] = "json",
    only: Annotated[str | None, typer.Option(help="Convert only kernels of this name.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print what would change in OUT; write nothing.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if something would change.")] = False,
    baseline: Annotated[
        Path | None, typer.Option(help="Earlier report.json (or its folder): exit 1 only for what is worse than there.")
    ] = None,
    cases: Annotated[int, typer.Option(min=5, max=1000, help="Cases a kernel.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the case generator.")] = 0,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds of verification a kernel may take.")] = 120.0,
    arch: Annotated[str, typer.Option(help="Architecture the sources are read for (sets __CUDA_ARCH__).")] = "sm_80",
    root: Annotated[Path | None, typer.Option(help="Repository root; default: what the sources share.")] = None,
    stdin_filename: Annotated[str, typer.Option(help="Name of the file that '-' stands for.")] = "stdin.cu",
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show passed kernels and notes.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, totals only.")] = False,
) -> None:
    """Convert CUDA sources to TileLang ports in OUT, run original and port side by side, and report.

    Sources are never changed. Exit codes: 0 clean, 1 findings, 2 usage or internal error.
    """
    from migrate.parse.flags import arch_number
    from migrate.pipeline.convert import convert_repository
    from migrate.pipeline.options import Options, UsageError, check_output, common_root, default_jobs
    from migrate.pipeline.reports import read_baseline, wanted_formats
    from migrate.pipeline.stdin_source import source_from_stdin

    try:
        formats = wanted_formats(report)
        earlier = read_baseline(baseline)
        if target != "cuda":
            raise UsageError(f"--target {target}: not built yet in this version; built: cuda")
        if level not in ("auto", "simt"):
            raise UsageError(f"--level {level}: choose auto or simt")
        try:
            arch_number(arch)
        except ValueError as error:
            raise UsageError(f"--arch {arch}: {error}") from None
        if compile_commands is not None and not compile_commands.exists():
            raise UsageError(f"{compile_commands}: no such file")
        for folder in include or ():
            if not folder.is_dir():
                raise UsageError(f"-I {folder}: no such folder")
        with source_from_stdin(sources, stdin_filename) as found:
            paths = tuple(path.resolve() for path in found)
            top = root.resolve() if root else common_root(paths)
            for path in paths:
                if not path.is_relative_to(top):
                    raise UsageError(f"{path}: outside the root {top}")
            out = output.resolve()
            check_output(out, top, paths)
            options = Options(
                root=top,
                sources=paths,
                output=out,
                target=target,
                level=level,
                verify=verify,
                lower=lower,
                jobs=jobs or default_jobs(),
                defines=tuple(define or ()),
                include_dirs=tuple(path.resolve() for path in include or ()),
                compile_commands=compile_commands.resolve() if compile_commands else None,
                only=only,
                cases=cases,
                seed=seed,
                timeout_s=timeout,
                arch=arch,
            )
            outcome = convert_repository(options, dry_run=diff or check, quiet=quiet)
    except UsageError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    _show(outcome, diff=diff, check=check)
    _report(outcome, options, formats, earlier, verbose=verbose, quiet=quiet)


def _show(outcome: Outcome, *, diff: bool, check: bool) -> None:
    """Ends a dry run; does nothing for a real one."""
    if diff:
        for text in outcome.diffs():
            typer.echo(text, nl=False)
    if diff or check:
        for name in outcome.changed:
            typer.echo(f"would change: {name}", err=True)
        raise typer.Exit(1 if outcome.changed or not outcome.report.clean() else 0)


def _report(
    outcome: Outcome,
    options: Options,
    formats: tuple[str, ...],
    earlier: Report | None,
    *,
    verbose: bool,
    quiet: bool,
) -> None:
    from migrate.pipeline.reports import compared, exit_code, surroundings, write_reports
    from migrate.report.text_report import print_comparison, print_report, totals

    comparison = compared(earlier, outcome.report, verified=options.verify)
    code = 2 if outcome.interrupted else exit_code(outcome.report.clean(), comparison)
    # report.json is the run's own (and locked with it); a comparison belongs to one call
    extra = tuple(name for name in formats if name != "json")
    around = surroundings(outcome.report, outcome.output, code, options=options, comparison=comparison)
    written = [outcome.output / "report.json", *write_reports(outcome.output, extra, outcome.report, around)]
    if quiet:
        for line in totals(outcome.report):
            typer.echo(line)
    else:
        from rich.console import Console

        print_report(outcome.report, Console(), verbose=verbose)
    if comparison is not None:
        print_comparison(comparison, typer.echo, quiet=quiet)
    typer.echo(f"report: {', '.join(map(str, written))}", err=True)
    if outcome.interrupted:
        typer.echo("migrate: interrupted; the report is partial and the next run resumes from it", err=True)
    raise typer.Exit(code)
