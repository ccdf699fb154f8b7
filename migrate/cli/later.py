"""Commands of the published interface that are not built yet: they say so and exit 2."""

from __future__ import annotations

from collections.abc import Callable

import typer

NOT_BUILT = {
    "tune": "search for faster tile shapes",
    "profile": "emulated time by unit",
    "memcheck": "memory checks of the original",
    "precision": "precision verdicts by chip",
    "advise": "advice ordered by gain",
    "model": "whole models",
}


def register(app: typer.Typer) -> None:
    """Adds one hidden command a name; each ends with exit code 2."""
    for name, purpose in NOT_BUILT.items():
        app.command(name, hidden=True, help=f"Not built yet: {purpose}.", context_settings=_ANYTHING)(_refusing(name))


_ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


def _refusing(name: str) -> Callable[[], None]:
    def command() -> None:
        typer.echo(f"migrate: '{name}' is not built yet in this version", err=True)
        raise typer.Exit(2)

    return command
