"""``migrate rules list|show``: the conversion rules."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the sub-commands to ``app``."""
    group = typer.Typer(help="List and show conversion rules.", no_args_is_help=True)
    group.command("list")(list_rules)
    group.command("show")(show)
    group.command("test", hidden=True)(test)
    app.add_typer(group, name="rules")


def list_rules() -> None:
    """One line a rule: name and what it converts."""
    from migrate.rules.registry import all_rules

    for rule in all_rules():
        typer.echo(f"{rule.name:<28} {rule.summary}")


def show(name: Annotated[str, typer.Argument(help="A rule's name as `migrate rules list` prints it.")]) -> None:
    """A rule's page: what it converts, before and after, what it refuses."""
    from migrate.rules.registry import all_rules

    for rule in all_rules():
        if rule.name == name:
            typer.echo(f"# {rule.name}\n\n{rule.doc}")
            return
    typer.echo(f"migrate: there is no rule '{name}'; `migrate rules list` shows all", err=True)
    raise typer.Exit(2)


def test() -> None:
    """Test rules of one's own (not built yet)."""
    typer.echo("migrate: 'rules test' is not built yet in this version", err=True)
    raise typer.Exit(2)
