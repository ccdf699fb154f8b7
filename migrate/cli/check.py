"""``migrate check``: for pre-commit and CI. Ports by hashes, TileLang files by their text; nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from migrate.diagnostics import Diagnostic

FORMATS = ("text", "json", "sarif")


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("check")(check)


def check(
    files: Annotated[
        list[Path], typer.Argument(help="TileLang files, ported files, or folders with either.", metavar="PATH...")
    ],
    format: Annotated[str, typer.Option(help="text, json or sarif.")] = "text",
    lint: Annotated[bool, typer.Option("--lint/--no-lint", help="Look for patterns that TileLang gets wrong.")] = True,
) -> None:
    """Check that ports belong to their originals, and TileLang files for patterns that upstream gets wrong.

    Ports: as generated or verified since. Any Python file that uses tilelang: the 9xx codes (`migrate explain 913`).
    Exit codes: 0 clean or notes only, 1 findings, 2 a path that does not exist.
    """
    from migrate.lint.run import Linted, lint_paths
    from migrate.pipeline.options import UsageError
    from migrate.pipeline.ported import check_files

    try:
        if format not in FORMATS:
            raise UsageError(f"there is no format {format}; choose of {', '.join(FORMATS)}")
        found = check_files(tuple(files))
    except UsageError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    linted = lint_paths(files) if lint else Linted()
    diagnostics = [*found.diagnostics, *linted.diagnostics]
    code = 1 if any(d.severity != "note" for d in diagnostics) else 0
    _print(format, diagnostics, linted.suppressed, code)
    parts = [f"{found.files} ports checked"] if found.files else []
    parts += [f"{linted.files} TileLang files read"] if lint else []
    parts += [f"{len(diagnostics)} findings"]
    parts += [f"{len(linted.suppressed)} suppressed"] if linted.suppressed else []
    typer.echo(", ".join(parts), err=True)
    raise typer.Exit(code)


def _print(format: str, diagnostics: list[Diagnostic], suppressed: tuple[Diagnostic, ...], code: int) -> None:
    if format == "text":
        from migrate.report.clean import clean_text

        for diagnostic in diagnostics:
            typer.echo(clean_text(str(diagnostic), multiline=False))
        return
    from migrate import __version__

    if format == "json":
        from migrate.report.lint_report import render_lint_json

        typer.echo(render_lint_json(diagnostics, suppressed, __version__), nl=False)
        return
    from migrate.report.sarif_report import sarif_log
    from migrate.report.sources import LooseLines

    text = sarif_log(
        diagnostics, __version__, LooseLines(), exit_code=code, suppressed=suppressed, columns_in_bytes=False
    )
    typer.echo(text.encode("utf-8", errors="replace"), nl=False)
