"""T.Kernel's threads: must be Python ints, and a block has at most 1024, which upstream does not check."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM924"
LIMIT = 1024


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Run-time block sizes, and constant ones beyond the limit."""
    for call in traced.calls("T.Kernel"):
        for keyword in call.keywords:
            if keyword.arg != "threads":
                continue
            value = keyword.value
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
            if any(traced.is_run_time(part) for part in parts):
                yield (
                    CODE,
                    LintFinding(value, f"threads={traced.module.source(value)}: the block size must be a Python int"),
                )
            sizes = [traced.constant(part) for part in parts]
            known = [size for size in sizes if size is not None]
            if len(known) == len(sizes) and prod(known) > LIMIT:
                yield (
                    CODE,
                    LintFinding(
                        value,
                        f"threads={traced.module.source(value)}: {prod(known)} threads; a block has at most {LIMIT}",
                    ),
                )
