"""Guesses that do not make a launch valid are changed, one root at a time, until they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from migrate.analysis.plan_model import EmptyLaunch, InvalidLaunch, PlannedRoot, PlannedSite, concrete_launch
from migrate.ir.host_eval import Number
from migrate.ir.launch import HostConst, HostExpr, HostOp

ATTEMPTS = 400
_COMPARED_LIMIT = 6
_SIZES = (32, 64, 128, 256, 512, 1024, 16, 8, 4, 2, 1)


def _round_up(root: PlannedRoot) -> PlannedRoot:
    """The guess as a multiple of what the root must be a multiple of."""
    if root.multiple_of <= 1 or not isinstance(root.guess, int) or root.guess % root.multiple_of == 0:
        return root
    return replace(root, guess=-(-root.guess // root.multiple_of) * root.multiple_of)


def _compared_constants(conditions: Sequence[HostExpr]) -> list[int]:
    """Integers that host code compares something with before it launches, in order."""
    found: list[int] = []
    stack = list(conditions)[::-1]
    while stack:
        expr = stack.pop()
        if isinstance(expr, HostConst) and isinstance(expr.value, int) and not isinstance(expr.value, bool):
            found.append(expr.value)
        elif isinstance(expr, HostOp):
            stack += expr.args[::-1]
    return list(dict.fromkeys(found))


def _candidates(root: PlannedRoot, compared: Sequence[int]) -> list[Number]:
    found: list[Number] = [root.guess]
    if root.value is not None:
        found.append(root.value)
    if root.kind == "flag":
        found += [0, 1]
    elif root.dtype.startswith(("float", "bfloat")):
        found += [1.0, 64.0, 1024.0, 65536.0]
    else:
        found += [value for value in compared[:_COMPARED_LIMIT] if value % root.multiple_of == 0]
        found += [size for size in _SIZES if size % root.multiple_of == 0]
        found += [root.multiple_of * times for times in (4, 3, 2, 1)]
        found.append(0)
    return list(dict.fromkeys(found))


def _combinations(site: PlannedSite) -> Iterator[dict[str, Number]]:
    """Single changes first, then pairs, then all host values."""
    roots = site.roots
    compared = _compared_constants(site.conditions)
    names = [root.name for root in roots]
    options = [_candidates(root, compared) for root in roots]
    yield {root.name: root.value for root in roots if root.value is not None}
    for name, values in zip(names, options, strict=True):
        for value in values:
            yield {name: value}
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            for left, right in product(options[first], options[second]):
                yield {names[first]: left, names[second]: right}


def settle(site: PlannedSite) -> PlannedSite:
    """``site`` with guesses that `concrete_launch` accepts.

    Conditions that no attempt satisfies are dropped, with a note in the provenance; bad geometry stays as it is (the
    plan's user sees the `InvalidLaunch`).
    """
    site = replace(site, roots=tuple(_round_up(root) for root in site.roots))
    if _valid(site, {}):
        return site
    for change in islice(_combinations(site), ATTEMPTS):
        if _valid(site, change):
            return _with(site, change)
    if site.conditions:
        bare = settle(replace(site, conditions=()))
        note = "conditions of host code could not be met together and were dropped"
        return replace(bare, provenance=(*bare.provenance, note))
    return site


def _with(site: PlannedSite, change: dict[str, Number]) -> PlannedSite:
    roots = tuple(replace(root, guess=change.get(root.name, root.guess)) for root in site.roots)
    notes = tuple(f"{name} = {value}: the first guess gave no valid launch" for name, value in sorted(change.items()))
    return replace(site, roots=roots, provenance=site.provenance + notes)


def _valid(site: PlannedSite, change: dict[str, Number]) -> bool:
    try:
        concrete_launch(site, change)
    except (InvalidLaunch, EmptyLaunch):
        return False
    return True
