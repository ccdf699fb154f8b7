"""``migrate doctor``: what this machine has and what each part enables."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("doctor")(doctor)


def doctor() -> None:
    """Print what is installed here and what each part enables; exit code 1 if originals cannot be run."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from migrate.pipeline.machine import inspect_machine

    parts = inspect_machine()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("part", "here", "enables"):
        table.add_column(heading, overflow="fold")
    for part in parts:
        table.add_row(
            Text(part.name), Text(part.found or "absent", style="green" if part.found else "yellow"), part.enables
        )
    Console().print(table)
    missing = [part.name for part in parts if part.needed and not part.found]
    for name in missing:
        typer.echo(f"migrate: {name} is needed and absent", err=True)
    raise typer.Exit(1 if missing else 0)
