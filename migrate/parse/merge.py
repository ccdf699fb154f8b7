"""One list of kernels out of the results of many translation units."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from migrate.diagnostics import Diagnostic, make
from migrate.ir.kernel import Kernel
from migrate.ir.span import Span
from migrate.parse.results import FileResult, KernelRecord, Seen


def merge_results(results: Iterable[FileResult]) -> list[KernelRecord]:
    """One record per (file, line, name) over the repository, sorted.

    The best versions count (used instantiations before defaults before broken ones before text only); their
    instantiations are united, so a header's kernel comes once with all uses. An instantiation that was built in one
    translation unit is not refused because another could not; one that means different things in two is refused
    (TLM028).
    """
    versions: dict[str, list[KernelRecord]] = defaultdict(list)
    for result in results:
        for record in result.kernels:
            versions[record.id].append(record)
    merged = [_merge(found) for found in versions.values()]
    return _distinct_symbols(sorted(merged, key=lambda record: (record.file, record.line, record.name)))


def _distinct_symbols(records: list[KernelRecord]) -> list[KernelRecord]:
    """Overloads and namesakes of one file (other namespace or class) get their own symbols: ``scale``, ``scale_2``."""
    taken: dict[str, set[str]] = defaultdict(set)
    given = {(record.file, kernel.symbol) for record in records for kernel in record.instantiations}
    renamed: list[KernelRecord] = []
    for record in records:
        kernels: list[Kernel] = []
        for kernel in record.instantiations:
            symbol, number = kernel.symbol, 1
            while symbol in taken[record.file] or (number > 1 and (record.file, symbol) in given):
                number += 1
                symbol = f"{kernel.symbol}_{number}"
            taken[record.file].add(symbol)
            kernels.append(kernel if symbol == kernel.symbol else replace(kernel, symbol=symbol))
        renamed.append(replace(record, instantiations=tuple(kernels)))
    return renamed


def _merge(versions: list[KernelRecord]) -> KernelRecord:
    best_seen = max(record.seen for record in versions)
    # The kernel's own file first, then by name: the result must not depend on which worker was faster.
    best = sorted((v for v in versions if v.seen is best_seen), key=lambda v: (v.unit != v.file, v.unit))
    if best_seen <= Seen.BROKEN:
        return best[0]
    built: dict[str, tuple[Kernel, str]] = {}
    refused: dict[str, Diagnostic] = {}
    for record in best:
        for kernel in record.instantiations:
            if kernel.cpp_name not in built:
                built[kernel.cpp_name] = (kernel, record.unit)
            elif not same_meaning(built[kernel.cpp_name][0], kernel):
                message = f"{kernel.cpp_name} differs between {built[kernel.cpp_name][1]} and {record.unit}"
                refused[kernel.cpp_name] = make("TLM028", message, Span(record.file, record.line), severity="error")
        for name, problem in zip(record.refused_names, record.refusals, strict=True):
            refused.setdefault(name, problem)
    for name, problem in list(refused.items()):
        if name in built and problem.code != "TLM028":
            del refused[name]
    kept = [kernel for name, (kernel, _) in sorted(built.items()) if name not in refused]
    return replace(
        best[0],
        instantiations=tuple(kept),
        refusals=tuple(problem for _, problem in sorted(refused.items())),
        refused_names=tuple(name for name, _ in sorted(refused.items())),
    )


def same_meaning(left: Any, right: Any) -> bool:
    """Equality of two trees without spans, comments and documentation."""
    if left == right:
        return True
    if type(left) is not type(right):
        return False
    if is_dataclass(left) and not isinstance(left, type):
        return all(
            same_meaning(getattr(left, item.name), getattr(right, item.name))
            for item in fields(left)
            if item.name not in ("span", "comments", "doc")
        )
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same_meaning, left, right))
    if isinstance(left, float) and math.isnan(left):
        return math.isnan(right)
    return bool(left == right)
