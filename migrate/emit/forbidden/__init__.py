"""Patterns that are never emitted because upstream 0.1.15 changes their meaning: one file a pattern.

Each file's docstring says what upstream does; tests/emit/test_upstream_folds.py asks the real package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from migrate.diagnostics import refuse
from migrate.emit.forbidden import (
    cancelled_term,
    combined_comparisons,
    endless_condition,
    folded_constants,
    negated_comparison,
    overlapping_shared,
    rebound_python_value,
    self_comparison,
    self_difference,
    slash_on_integers,
    unsigned_difference,
    unsigned_negation,
    zero_operand,
)
from migrate.emit.forbidden.facts import Body, Finding, bodies_of
from migrate.ir import port as p

PATTERNS: dict[str, Callable[[Body], Iterator[Finding]]] = {
    module.CODE: module.find
    for module in (
        self_difference,
        cancelled_term,
        zero_operand,
        folded_constants,
        self_comparison,
        negated_comparison,
        combined_comparisons,
        rebound_python_value,
        unsigned_negation,
        unsigned_difference,
        slash_on_integers,
        endless_condition,
        overlapping_shared,
    )
}


def findings(kernel: p.PortKernel) -> Iterator[tuple[str, Finding]]:
    """(code, finding) for every forbidden pattern in ``kernel``."""
    for body in bodies_of(kernel):
        for code, find in PATTERNS.items():
            for finding in find(body):
                yield code, finding


def check_forbidden(kernel: p.PortKernel) -> None:
    """Raises the Refusal of the first forbidden pattern: better no port than one that upstream changes."""
    for code, finding in findings(kernel):
        raise refuse(code, f"upstream would change `{finding.text}`", finding.span or kernel.span)
