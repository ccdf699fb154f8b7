"""``migrate check``: for pre-commit and CI, by hashes alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("check")(check)


def check(
    files: Annotated[list[Path], typer.Argument(help="Ported files or output folders.", metavar="FILE...")],
) -> None:
    """Check that ported files still belong to their originals and are as generated or verified since."""
    from migrate.pipeline.again import check_files
    from migrate.pipeline.options import UsageError

    try:
        found = check_files(tuple(files))
    except UsageError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    for diagnostic in found.diagnostics:
        typer.echo(str(diagnostic))
    typer.echo(f"{found.files} ports checked, {len(found.diagnostics)} findings", err=True)
    raise typer.Exit(1 if found.diagnostics else 0)
