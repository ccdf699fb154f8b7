"""``migrate report OUT``: print the report of an earlier run in another form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("report")(report)


def report(
    output: Annotated[Path, typer.Argument(help="The folder that convert wrote.", metavar="OUT")],
    format: Annotated[str, typer.Option(help="text or json (html, sarif and csv are not built yet).")] = "text",
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show passed kernels and notes.")] = False,
) -> None:
    """Print the report of an earlier run; exit code 1 if it has findings."""
    from migrate.pipeline.stored import StoredReportError, load_report
    from migrate.report.json_report import render_json

    if format not in ("text", "json"):
        typer.echo(f"migrate: --format {format}: not built yet in this version; built: text, json", err=True)
        raise typer.Exit(2)
    try:
        model = load_report(output)
    except StoredReportError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    if format == "json":
        typer.echo(render_json(model), nl=False)
    else:
        from rich.console import Console

        from migrate.report.text_report import print_report

        print_report(model, Console(), verbose=verbose)
    raise typer.Exit(0 if model.clean() else 1)
