"""``migrate convert``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FORMATS = ("json", "text")


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
    report: Annotated[str, typer.Option(help="Extra report files, comma separated: json.")] = "json",
    only: Annotated[str | None, typer.Option(help="Convert only kernels of this name.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print what would change in OUT; write nothing.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if something would change.")] = False,
    baseline: Annotated[Path | None, typer.Option(help="Report to compare with (not built yet).")] = None,
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
    from migrate.pipeline.stdin_source import source_from_stdin

    unknown = [name for name in report.split(",") if name and name not in FORMATS]
    try:
        if unknown:
            raise UsageError(
                f"--report {','.join(unknown)}: not built yet in this version; built: {', '.join(FORMATS)}"
            )
        if target != "cuda":
            raise UsageError(f"--target {target}: not built yet in this version; built: cuda")
        if level not in ("auto", "simt"):
            raise UsageError(f"--level {level}: choose auto or simt")
        try:
            arch_number(arch)
        except ValueError as error:
            raise UsageError(f"--arch {arch}: {error}") from None
        if baseline is not None:
            raise UsageError("--baseline is not built yet in this version")
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
    _show(outcome, diff=diff, check=check, verbose=verbose, quiet=quiet)


def _show(outcome: object, *, diff: bool, check: bool, verbose: bool, quiet: bool) -> None:
    from rich.console import Console

    from migrate.pipeline.convert import Outcome
    from migrate.report.text_report import print_report, totals

    assert isinstance(outcome, Outcome)
    if diff:
        for text in outcome.diffs():
            typer.echo(text, nl=False)
    if diff or check:
        for name in outcome.changed:
            typer.echo(f"would change: {name}", err=True)
        raise typer.Exit(1 if outcome.changed or not outcome.report.clean() else 0)
    if quiet:
        for line in totals(outcome.report):
            typer.echo(line)
    else:
        print_report(outcome.report, Console(), verbose=verbose)
    typer.echo(f"report: {outcome.output / 'report.json'}", err=True)
    if outcome.interrupted:
        typer.echo("migrate: interrupted; the report is partial and the next run resumes from it", err=True)
        raise typer.Exit(2)
    raise typer.Exit(0 if outcome.report.clean() else 1)
