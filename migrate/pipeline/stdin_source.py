"""``-`` as a source: stdin becomes a file in a scratch folder for the time of the run."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from migrate.pipeline.options import UsageError


@contextmanager
def source_from_stdin(sources: Sequence[str], filename: str) -> Iterator[list[Path]]:
    """The sources as paths; ``-`` is replaced with a file named ``filename``. Raises UsageError for a bad name."""
    if "-" not in sources:
        yield [Path(name) for name in sources]
        return
    if len(sources) > 1:
        raise UsageError("'-' cannot be mixed with other sources")
    name = PurePosixPath(filename)
    if name.is_absolute() or ".." in name.parts or not name.name:
        raise UsageError(f"--stdin-filename {filename}: must be a relative path without '..'")
    with tempfile.TemporaryDirectory(prefix="migrate-stdin-") as folder:
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sys.stdin.buffer.read())
        yield [path]
