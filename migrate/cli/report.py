"""``migrate report OUT``: print the report of an earlier run in another form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from migrate.report.model import Report


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("report")(report)


def report(
    source: Annotated[
        Path, typer.Argument(help="The folder that convert wrote, or a report.json.", metavar="OUT|REPORT.json")
    ],
    format: Annotated[str, typer.Option(help="text, json, sarif, csv or html.")] = "text",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default: stdout.")] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Earlier report.json (or its folder): exit 1 only for what is worse than there.")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(help="Folder of the originals, where the lock beside the report does not say.")
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show passed kernels and notes.")] = False,
) -> None:
    """Print the report of an earlier run; exit code 1 if it has findings."""
    from migrate.pipeline.options import UsageError
    from migrate.pipeline.reports import compared, exit_code, read_baseline, surroundings
    from migrate.pipeline.stored import StoredReportError, load_report, load_report_file
    from migrate.report.formats import FILES, render

    try:
        if format not in ("text", *FILES):
            raise UsageError(f"there is no report format {format}; choose of text, {', '.join(FILES)}")
        if root is not None and not root.is_dir():
            raise UsageError(f"--root {root}: no such folder")
        model = load_report_file(source) if source.is_file() else load_report(source)
        comparison = compared(read_baseline(baseline), model)
    except (StoredReportError, UsageError) as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    code = exit_code(model.clean(), comparison)
    folder = source.parent if source.is_file() else source
    if format == "text":
        text = _as_text(model, verbose=verbose, to_file=output is not None)
        if comparison is not None:
            from migrate.report.text_report import print_comparison

            lines: list[str] = []
            print_comparison(comparison, lines.append, quiet=False)
            text += "\n".join(lines) + "\n"
    else:
        text = render(format, model, surroundings(model, folder, code, root=root, comparison=comparison))
    if output is None:
        # bytes, because CSV has its own line ends
        typer.echo(text.encode("utf-8", errors="replace"), nl=False)
    else:
        output.write_bytes(text.encode("utf-8", errors="replace"))
    raise typer.Exit(code)


def _as_text(model: Report, *, verbose: bool, to_file: bool) -> str:
    import io

    from rich.console import Console

    from migrate.report.text_report import print_report

    terminal = Console()
    plain = to_file or not terminal.is_terminal
    stream = io.StringIO()
    console = Console(
        file=stream, width=terminal.width, force_terminal=not plain, color_system=None if plain else "standard"
    )
    print_report(model, console, verbose=verbose)
    return stream.getvalue()
