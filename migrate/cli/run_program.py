"""``migrate run FILE.py``: a TileLang program on the bundled runtime."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tilelang_runtime.report import Event


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("run", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(run)


def run(
    context: typer.Context,
    program: Annotated[Path, typer.Argument(help="A Python file that imports tilelang.")],
    device: Annotated[str, typer.Option(help="Device profile.")] = "cuda",
    engine: Annotated[str, typer.Option(help="native or reference.")] = "native",
    checked: Annotated[
        bool, typer.Option("--checked", help="Check bounds, races, barriers and undefined reads (slow).")
    ] = False,
) -> None:
    """Run a TileLang program on the bundled runtime, without GPU and without the real tilelang."""
    import runpy
    import sys
    import traceback

    if device != "cuda":
        typer.echo(f"migrate: device profile '{device}' is not built yet in this version", err=True)
        raise typer.Exit(2)
    if not program.is_file():
        typer.echo(f"migrate: {program}: no such file", err=True)
        raise typer.Exit(2)
    import tilelang_runtime

    tilelang_runtime.activate()
    tilelang_runtime.configure(engine="checked" if checked else engine)
    found: dict[str, int] = {}
    if checked:
        tilelang_runtime.listen(lambda program, events: _note(found, program.name, events))
    sys.argv = [str(program), *context.args]
    sys.path.insert(0, str(program.resolve().parent))
    failed = False
    try:
        runpy.run_path(str(program), run_name="__main__")
    except SystemExit as end:
        if not found:
            raise
        failed = end.code not in (None, 0)
    except Exception:
        traceback.print_exc()
        failed = True
    for line, count in found.items():
        typer.echo(f"{line} ({count} times)", err=True)
    if checked and not found and not failed:
        typer.echo("checked: no findings", err=True)
    if failed or found:
        raise typer.Exit(1)


def _note(found: dict[str, int], name: str, events: list[Event]) -> None:
    """Adds the findings of one run, one line a place."""
    for event in events:
        line = f"{event.span}: {event.kind.replace('_', ' ')}: {event.what} [{name}]"
        found[line] = found.get(line, 0) + event.count
