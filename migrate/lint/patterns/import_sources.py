"""CUDA text handed to T.import_source or T.Kernel(prelude=…) that does not end with a newline.

Upstream writes it before its own ``#if`` line, which then becomes part of the last line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM930"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """String literals only: what a name holds may have been built anyhow."""
    for call in traced.calls("T.import_source", "T.Kernel"):
        values = [keyword.value for keyword in call.keywords if keyword.arg in ("prelude", "source")]
        if traced.module.function_of(call) == "T.import_source":
            values += call.args[:1]
        for value in values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and not value.value.endswith("\n"):
                yield CODE, LintFinding(value, "this source does not end with a newline, which swallows the next line")
