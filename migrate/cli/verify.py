"""``migrate verify``: run ports against their originals again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ENGINES = ("native", "reference", "tir")


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("verify")(verify)


def verify(
    paths: Annotated[list[Path], typer.Argument(help="An output folder, or ports in it.", metavar="OUT|FILE...")],
    engine: Annotated[
        str, typer.Option(help="native, reference, tir (the real tilelang); or several: native,tir.")
    ] = "native",
    oracle: Annotated[str, typer.Option(help="auto or shim.")] = "auto",
    device: Annotated[str, typer.Option(help="Device profile (only cuda in this version).")] = "cuda",
    cases: Annotated[int, typer.Option(min=5, max=1000, help="Cases a kernel.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the case generator.")] = 0,
    generator: Annotated[str, typer.Option(help="default (audit is not built yet).")] = "default",
    bundle: Annotated[
        Path | None, typer.Option(help="Also write a self-contained runner for a GPU machine to this folder.")
    ] = None,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="Worker processes; 0: one a core.")] = 0,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds a kernel may take.")] = 120.0,
    lower: Annotated[bool, typer.Option("--lower/--no-lower", help="Also lower with the real tilelang.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json's form on stdout.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show passed kernels and notes.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, totals only.")] = False,
) -> None:
    """Run the ports in OUT against their originals again and print the report. Nothing in OUT is changed."""
    from migrate.pipeline.again import verify_again
    from migrate.pipeline.options import UsageError
    from migrate.pipeline.proving import VerifySettings

    try:
        engines = tuple(dict.fromkeys(engine.split(",")))
        for given, built, name in (
            *((one, ENGINES, "--engine") for one in engines),
            (oracle, ("auto", "shim"), "--oracle"),
            (device, ("cuda",), "--device"),
            (generator, ("default",), "--generator"),
        ):
            if given not in built:
                raise UsageError(f"{name} {given}: not built yet in this version; built: {', '.join(built)}")
        settings = VerifySettings(
            cases=cases,
            seed=seed,
            engine=engines[0],
            further_engines=engines[1:],
            time_limit_s=timeout,
            bundle=bundle,
        )
        report = verify_again(tuple(paths), settings, lower=lower, jobs=jobs, quiet=quiet)
    except UsageError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    from rich.console import Console

    from migrate.report.json_report import render_json
    from migrate.report.text_report import print_report, totals

    if as_json:
        typer.echo(render_json(report), nl=False)
    elif quiet:
        for line in totals(report):
            typer.echo(line)
    else:
        print_report(report, Console(), verbose=verbose)
    bad = [kernel for kernel in report.kernels if kernel.verdict in ("failed", "inconclusive")]
    raise typer.Exit(1 if bad else 0)
