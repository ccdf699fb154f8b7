"""The ``migrate`` program: commands are small modules that import what is heavy only when they run."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from migrate.cli import check, convert, doctor, explain, guide, later, mutate, report, rules, run_program, verify

EXIT_CLEAN, EXIT_FINDINGS, EXIT_ERROR = 0, 1, 2

app = typer.Typer(
    name="migrate",
    help="Convert CUDA C++ kernels to TileLang and prove each port against its original on this machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: rich's Markdown parser alone doubles the time of --help
    context_settings={"help_option_names": ["-h", "--help"]},
)
convert.register(app)
verify.register(app)
mutate.register(app)
check.register(app)
report.register(app)
run_program.register(app)
explain.register(app)
rules.register(app)
doctor.register(app)
guide.register(app)
later.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from migrate import __version__

        typer.echo(f"migrate {__version__}")
        raise typer.Exit(EXIT_CLEAN)


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Convert CUDA C++ kernels to TileLang and prove each port against its original on this machine.

    Exit codes: 0 clean, 1 findings (something refused, failed, or would change), 2 usage or internal error.
    """


def run() -> None:
    """Entry point: configuration first, then the command; internal errors end with exit code 2 and one line."""
    import signal

    from migrate.config import ConfigError, load_defaults

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt  # a polite kill ends a run as Ctrl-C does: partial report, resumable

    signal.signal(signal.SIGTERM, stop)
    try:
        defaults = load_defaults()
        command = typer.main.get_command(app)
        command.main(prog_name="migrate", default_map=defaults)
    except ConfigError as error:
        print(f"migrate: {error}", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except KeyboardInterrupt:
        print("migrate: interrupted; what was finished is kept and the next run resumes from it", file=sys.stderr)
        sys.exit(EXIT_ERROR)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_ERROR)
    except Exception as error:
        import os

        if os.environ.get("TILELANG_MIGRATE_DEBUG"):
            raise
        # A full disk or a folder that cannot be written is nobody's programming error.
        outside = isinstance(error, OSError) and error.filename is not None
        what = "" if outside else f"internal error: {type(error).__name__}: "
        print(
            f"migrate: {what}{error} (set TILELANG_MIGRATE_DEBUG=1 for the trace)",
            file=sys.stderr,
        )
        sys.exit(EXIT_ERROR)
