"""Types of the fixtures in conftest.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from migrate.parse import FileResult

Repository = Callable[[dict[str, str | bytes]], Path]
Parse = Callable[..., dict[str, FileResult]]
