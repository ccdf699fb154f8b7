"""``migrate mutate``: how many mistakes in ports would verification find?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("mutate")(mutate)


def mutate(
    paths: Annotated[list[Path], typer.Argument(help="An output folder, or ports in it.", metavar="OUT|FILE...")],
    per_operator: Annotated[int, typer.Option(min=0, help="Mistakes of each kind; 0: all there are.")] = 10,
    operators: Annotated[str, typer.Option(help="Kinds, comma separated (default: all).")] = "",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the sample.")] = 0,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=0, help="Worker processes; 0: one a core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print all mutants as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress, no diffs.")] = False,
) -> None:
    """Make mistakes in copies of the ports in OUT, run each as verification would, and list those not found.

    Nothing in OUT is changed. Exit codes: 0 all found, 1 some not found, 2 usage or internal error.
    """
    import json

    from migrate.mutate.model import text_lines
    from migrate.pipeline.again import mutate_again
    from migrate.pipeline.options import UsageError

    try:
        report = mutate_again(
            tuple(paths),
            operators=tuple(name for name in operators.split(",") if name),
            per_operator=per_operator,
            seed=seed,
            jobs=jobs,
            quiet=quiet,
        )
    except UsageError as error:
        typer.echo(f"migrate: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=1))
    else:
        for line in text_lines(report, diffs=not quiet):
            typer.echo(line)
    missed = [item for item in report.results if item.outcome in ("survived", "undecided")]
    raise typer.Exit(1 if missed else 0)
