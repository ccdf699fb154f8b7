"""Guesses that do not make a launch valid are changed, one root at a time, until they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from migrate.analysis.plan_model import EmptyLaunch, InvalidLaunch, PlannedRoot, PlannedSite, concrete_launch
from migrate.ir.host_eval import Number, roots_of
from migrate.ir.launch import HostConst, HostExpr, HostOp

ATTEMPTS = 400
_COMPARED_LIMIT = 6
_SIZES = (32, 64, 128, 256, 512, 1024, 16, 8, 4, 2, 1, 2048, 4096, 16384, 65536)
# A launch of more threads or bytes than this is made smaller where its sizes allow it.
LIGHT_THREADS = 1 << 14
LIGHT_BYTES = 2 << 20
LEAST_SIZE = 16
SHRINKING_STEPS = 60


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


def _divisors(site: PlannedSite) -> dict[str, list[int]]:
    """Constants that host code divides each root by, in conditions and geometry (``switch (k / 16)``)."""
    found: dict[str, list[int]] = {}
    stack: list[HostExpr] = [*site.conditions, *site.grid, *site.block]
    while stack:
        expr = stack.pop()
        if not isinstance(expr, HostOp):
            continue
        stack += expr.args
        divisor = expr.args[1] if expr.op == "truncdiv" else None
        if isinstance(divisor, HostConst) and int(divisor.value) > 1:
            for name in sorted(roots_of(expr.args[0])):
                found.setdefault(name, []).append(int(divisor.value))
    return {name: sorted(set(values)) for name, values in found.items()}


def _candidates(root: PlannedRoot, compared: Sequence[int], divisors: Sequence[int]) -> list[Number]:
    found: list[Number] = [root.guess]
    if root.value is not None:
        found.append(root.value)
    if root.kind == "flag":
        found += [0, 1]
    elif root.dtype.startswith(("float", "bfloat")):
        found += [1.0, 64.0, 1024.0, 65536.0]
    else:
        some = compared[:_COMPARED_LIMIT]
        scaled = [value * divisor for divisor in divisors for value in some]
        found += [value for value in (*some, *scaled) if value % root.multiple_of == 0]
        found += [size for size in _SIZES if size % root.multiple_of == 0]
        found += [root.multiple_of * times for times in (4, 3, 2, 1)]
        found.append(0)
    return list(dict.fromkeys(found))


def _combinations(site: PlannedSite) -> Iterator[dict[str, Number]]:
    """Single changes first, then pairs, then all host values."""
    roots = site.roots
    compared = _compared_constants(site.conditions)
    names = [root.name for root in roots]
    divisors = _divisors(site)
    options = [_candidates(root, compared, divisors.get(root.name, ())) for root in roots]
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
        return lighter(site)
    heavy: dict[str, Number] | None = None
    for change in islice(_combinations(site), ATTEMPTS):
        if not _valid(site, change):
            continue
        if _weight(site, change) <= 1:
            return _with(site, change)
        heavy = heavy or change
    if heavy is not None:
        return lighter(_with(site, heavy))
    if site.conditions:
        bare = settle(replace(site, conditions=()))
        note = "conditions of host code could not be met together and were dropped"
        return replace(bare, provenance=(*bare.provenance, note))
    return site


def _weight(site: PlannedSite, change: dict[str, Number]) -> float:
    """How many times more threads or stated bytes a valid launch has than a quick run should."""
    launch = concrete_launch(site, change)
    sizes = {pointer.allocation: pointer.bytes or 0 for pointer in launch.pointers}
    return max(launch.threads / LIGHT_THREADS, sum(sizes.values()) / LIGHT_BYTES)


def lighter(site: PlannedSite) -> PlannedSite:
    """``site`` with its largest sizes halved until the first launch is quick, as far as it stays valid.

    Host code's own sizes are tried later (`LaunchPlan.host_values`), where they are not too large.
    """
    change: dict[str, Number] = {}
    weight = _weight(site, change)
    movable = {root.name: root for root in site.roots if root.kind in ("size", "grid", "count") and _whole(root)}
    current = {name: int(root.guess) for name, root in movable.items()}
    steps = 0
    while weight > 1 and steps < SHRINKING_STEPS:
        steps += 1
        for name in sorted(current, key=lambda one: -current[one]):
            step = movable[name].multiple_of
            half = -(-current[name] // (2 * step)) * step
            if half >= current[name] or half < LEAST_SIZE:
                continue
            trial = {**change, name: half}
            if _valid(site, trial) and (lower := _weight(site, trial)) < weight:
                current[name], change, weight = half, trial, lower
                break
        else:
            break
    return _with(site, change, "a smaller size runs sooner") if change else site


def _whole(root: PlannedRoot) -> bool:
    return not root.dtype.startswith(("float", "bfloat")) and root.dtype != "bool"


def _with(
    site: PlannedSite, change: dict[str, Number], why: str = "the first guess gave no valid launch"
) -> PlannedSite:
    roots = tuple(replace(root, guess=change.get(root.name, root.guess)) for root in site.roots)
    notes = tuple(f"{name} = {value}: {why}" for name, value in sorted(change.items()))
    return replace(site, roots=roots, provenance=site.provenance + notes)


def _valid(site: PlannedSite, change: dict[str, Number]) -> bool:
    try:
        concrete_launch(site, change)
    except (InvalidLaunch, EmptyLaunch):
        return False
    return True
