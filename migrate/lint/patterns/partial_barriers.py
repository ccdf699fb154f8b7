"""T.sync_threads under a condition on the thread: a barrier of part of the block, or an error, or a hang."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM929"
_BARRIERS = ("T.sync_threads", "T.syncthreads_and", "T.syncthreads_or", "T.syncthreads_count")


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Barriers that only some threads of a block reach, as far as the text shows."""
    for call in traced.calls(*_BARRIERS):
        if call.args and traced.module.function_of(call) == "T.sync_threads":
            continue  # a named barrier with its own number of threads
        for outer in traced.module.enclosing(call):
            if outer is traced.function:
                break
            if isinstance(outer, (ast.If, ast.While)) and traced.uses_thread(outer.test):
                test = traced.module.source(outer.test, 60)
                yield (
                    CODE,
                    LintFinding(
                        call, f"this barrier stands under `{test}`, so only some threads of the block reach it"
                    ),
                )
                break
