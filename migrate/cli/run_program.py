"""``migrate run FILE.py``: a TileLang program on the bundled runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("run", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(run)


def run(
    context: typer.Context,
    program: Annotated[Path, typer.Argument(help="A Python file that imports tilelang.")],
    device: Annotated[str, typer.Option(help="Device profile.")] = "cuda",
    engine: Annotated[str, typer.Option(help="native or reference.")] = "native",
    checked: Annotated[bool, typer.Option("--checked", help="Check bounds, races and uninitialised reads.")] = False,
) -> None:
    """Run a TileLang program on the bundled runtime, without GPU and without the real tilelang."""
    import runpy
    import sys
    import traceback

    if checked or device != "cuda":
        what = "--checked" if checked else f"device profile '{device}'"
        typer.echo(f"migrate: {what} is not built yet in this version", err=True)
        raise typer.Exit(2)
    if not program.is_file():
        typer.echo(f"migrate: {program}: no such file", err=True)
        raise typer.Exit(2)
    import tilelang_runtime

    tilelang_runtime.activate()
    tilelang_runtime.configure(engine=engine)
    sys.argv = [str(program), *context.args]
    sys.path.insert(0, str(program.resolve().parent))
    try:
        runpy.run_path(str(program), run_name="__main__")
    except SystemExit:
        raise
    except Exception:
        traceback.print_exc()
        raise typer.Exit(1) from None
