"""One file a pattern. Each has CODE and ``find(traced)``; those of expressions come from `migrate.emit.forbidden`."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.ir.span import Span
from migrate.lint.module import Module
from migrate.lint.patterns import (
    block_atomics,
    conditions,
    fragment_elements,
    gemm_shapes,
    import_sources,
    lazy_containers,
    loop_trips,
    narrow_arithmetic,
    parallel_races,
    partial_barriers,
    python_builtins,
    ragged_copies,
    rebound_values,
    rejected_syntax,
    removed_api,
    shared_expressions,
    spin_loops,
    thread_counts,
    unsupported_dtypes,
)
from migrate.lint.symbols import Traced

_PATTERNS = (
    loop_trips,
    fragment_elements,
    parallel_races,
    block_atomics,
    ragged_copies,
    lazy_containers,
    rebound_values,
    conditions,
    rejected_syntax,
    python_builtins,
    thread_counts,
    unsupported_dtypes,
    narrow_arithmetic,
    partial_barriers,
    spin_loops,
    gemm_shapes,
    import_sources,
)


def findings(module: Module) -> Iterator[tuple[str, Span, str]]:
    """(code, place, message) of everything found in a file."""
    for finding in removed_api.find(module):
        yield removed_api.CODE, module.span(finding.node), finding.message
    for function in module.functions():
        traced = Traced(module, function)
        yield from shared_expressions.find(traced)
        for pattern in _PATTERNS:
            for code, finding in pattern.find(traced):
                yield code, module.span(finding.node), finding.message
