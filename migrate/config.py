"""Configuration: ``migrate.toml`` or ``[tool.migrate]`` of pyproject.toml, found upwards from the working directory.

Keys are option names of the command line (dashes or underscores). A key at the top level holds for every command that
has the option; a table named like a command holds for that command alone. The command line wins.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

COMMANDS: dict[str, frozenset[str]] = {
    "convert": frozenset(
        {"output", "target", "level", "verify", "lower", "jobs", "define", "include", "compile_commands", "report"}
        | {"only", "baseline", "cases", "seed", "timeout", "arch", "root"}
    ),
    "verify": frozenset(
        {"engine", "oracle", "device", "cases", "seed", "generator", "jobs", "timeout", "lower", "check_original"}
        | {"report", "report_to", "baseline"}
    ),
    "check": frozenset({"format", "lint"}),
    "report": frozenset({"format", "baseline", "root"}),
    "run": frozenset({"device", "checked"}),
}


class ConfigError(Exception):
    """The configuration cannot be used; the message names the file and the key."""


def load_defaults(start: Path | None = None) -> dict[str, Any]:
    """Defaults by command for the command line. Raises ConfigError naming file and key."""
    found = find_config(start or Path.cwd())
    if found is None:
        return {}
    path, table = found
    defaults: dict[str, dict[str, Any]] = {name: {} for name in COMMANDS}
    known = frozenset().union(*COMMANDS.values())
    for key, value in table.items():
        name = key.replace("-", "_")
        if isinstance(value, dict) and key in COMMANDS:
            for inner, setting in value.items():
                if inner.replace("-", "_") not in COMMANDS[key]:
                    raise ConfigError(f"{path}: [{key}] has no option '{inner}'")
                defaults[key][inner.replace("-", "_")] = setting
        elif name in known:
            for command, options in COMMANDS.items():
                if name in options:
                    defaults[command].setdefault(name, value)
        elif name == "case":
            raise ConfigError(f"{path}: [[case]] is not supported yet")
        else:
            raise ConfigError(f"{path}: unknown key '{key}'")
    return defaults


def find_config(start: Path) -> tuple[Path, dict[str, Any]] | None:
    """The nearest file that configures us, with its table; None if there is none."""
    for folder in (start, *start.parents):
        own = folder / "migrate.toml"
        if own.is_file():
            return own, _read(own)
        project = folder / "pyproject.toml"
        if project.is_file():
            tool = _read(project).get("tool", {})
            if "migrate" in tool:
                return project, tool["migrate"]
            return None
    return None


def _read(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib as toml
    else:
        import tomli as toml
    try:
        parsed: dict[str, Any] = toml.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, toml.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    return parsed
