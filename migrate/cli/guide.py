"""``migrate guide``: the operator guide (not built yet in this version)."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("guide")(guide)


def guide(query: Annotated[str, typer.Argument(help="A CUDA, ATen, cuBLAS, CUB or TileLang spelling.")] = "") -> None:
    """Look an operator up in the guide. Not built yet: says so and exits 2."""
    typer.echo(f"migrate: the operator guide is not built yet in this version (asked for '{query}')", err=True)
    raise typer.Exit(2)
