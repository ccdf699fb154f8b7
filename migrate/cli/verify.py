"""``migrate verify``: run ports against their originals again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from migrate.report.model import Report
    from migrate.verify.request import OracleChoice

ENGINES = ("native", "reference", "tir")
# What runs the original: one engine, or both on the same cases.
ORACLES = {"auto": "auto", "shim": "shim", "ptx": "ptx", "shim,ptx": "both", "ptx,shim": "both", "both": "both"}


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("verify")(verify)


def verify(
    paths: Annotated[list[Path], typer.Argument(help="An output folder, or ports in it.", metavar="OUT|FILE...")],
    engine: Annotated[
        str, typer.Option(help="native, reference, tir (the real tilelang); or several: native,tir.")
    ] = "native",
    oracle: Annotated[
        str,
        typer.Option(help="shim; ptx (needs nvcc); shim,ptx: both must agree; auto: shim, else ptx."),
    ] = "auto",
    device: Annotated[str, typer.Option(help="Device profile (only cuda in this version).")] = "cuda",
    cases: Annotated[int, typer.Option(min=5, max=1000, help="Cases a kernel.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the case generator.")] = 0,
    audit: Annotated[
        bool, typer.Option("--audit", help="Also run cases that a second, separately written generator makes.")
    ] = False,
    bundle: Annotated[
        Path | None, typer.Option(help="Also write a self-contained runner for a GPU machine to this folder.")
    ] = None,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="Worker processes; 0: one a core.")] = 0,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds a kernel may take.")] = 120.0,
    check_original: Annotated[
        bool,
        typer.Option("--check-original", help="Only look for faults in the originals (races, bounds …); run no port."),
    ] = False,
    lower: Annotated[bool, typer.Option("--lower/--no-lower", help="Also lower with the real tilelang.")] = False,
    report: Annotated[
        str, typer.Option("--report", help="Report files, comma separated: json, sarif, csv, html.")
    ] = "",
    report_to: Annotated[Path, typer.Option(help="Folder for --report.")] = Path("verify-report"),
    baseline: Annotated[
        Path | None, typer.Option(help="Earlier report.json (or its folder): exit 1 only for what is worse than there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json's form on stdout.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show passed kernels and notes.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, totals only.")] = False,
) -> None:
    """Run the ports in OUT against their originals again and print the report. Nothing in OUT is changed."""
    from migrate.pipeline.again import verify_again
    from migrate.pipeline.options import UsageError
    from migrate.pipeline.ported import output_of
    from migrate.pipeline.proving import VerifySettings
    from migrate.pipeline.reports import compared, exit_code, read_baseline, surroundings, wanted_formats, write_reports

    try:
        formats = wanted_formats(report)
        earlier = read_baseline(baseline)
        engines = tuple(dict.fromkeys(engine.split(",")))
        for given, built, name in (
            *((one, ENGINES, "--engine") for one in engines),
            (oracle, tuple(ORACLES), "--oracle"),
            (device, ("cuda",), "--device"),
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
            oracle=cast("OracleChoice", ORACLES[oracle]),
            audit=audit,
        )
        if check_original:
            found = _check(paths, seed, timeout, jobs, bundle, lower, quiet=quiet)
        else:
            found = verify_again(tuple(paths), settings, lower=lower, jobs=jobs, quiet=quiet)
    except UsageError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    from rich.console import Console

    from migrate.report.json_report import render_json
    from migrate.report.text_report import print_comparison, print_report, totals
    from migrate.verify.faults import CHECK_CODES

    comparison = compared(earlier, found)
    if check_original:
        bad = any(d.severity == "warning" and d.code in CHECK_CODES for d in found.diagnostics())
    else:
        bad = any(kernel.verdict in ("failed", "inconclusive") for kernel in found.kernels)
    code = exit_code(not bad, comparison)
    if formats:
        around = surroundings(found, output_of(paths[0]), code, comparison=comparison)
        around.settings.update(cases=cases, seed=seed)
        report_to.mkdir(parents=True, exist_ok=True)
        written = write_reports(report_to, formats, found, around)
        typer.echo(f"report: {', '.join(map(str, written))}", err=True)
    if as_json:
        typer.echo(render_json(found, comparison), nl=False)
        raise typer.Exit(code)
    if quiet:
        for line in totals(found):
            typer.echo(line)
    else:
        print_report(found, Console(), verbose=verbose)
    if comparison is not None:
        print_comparison(comparison, typer.echo, quiet=quiet)
    raise typer.Exit(code)


def _check(
    paths: list[Path], seed: int, timeout: float, jobs: int, bundle: Path | None, lower: bool, *, quiet: bool
) -> Report:
    """`--check-original`. Raises UsageError, also for options that ask for ports to be run."""
    from migrate.pipeline.checking import check_originals
    from migrate.pipeline.options import UsageError
    from migrate.verify.originals import CheckOptions

    if bundle is not None or lower:
        raise UsageError("--check-original runs no port: leave out --bundle and --lower")
    return check_originals(tuple(paths), CheckOptions(seed=seed, time_limit_s=timeout), jobs=jobs, quiet=quiet)
