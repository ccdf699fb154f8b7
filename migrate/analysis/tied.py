"""Roots that host code requires to be equal become one, so that every choice of sizes satisfies it.

``if (a.cols != b.rows) exit(1);`` before a launch would otherwise make all launches invalid that vary one of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from migrate.analysis.plan_model import PlannedSite
from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot, RootInfo


def tied(site: PlannedSite, infos: Mapping[str, RootInfo]) -> PlannedSite:
    """``site`` with one root for each group that its conditions make equal; those conditions are gone."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while name in leader:
            name = leader[name]
        return name

    for first, second in _equalities(site.conditions):
        kept, dropped = find(first), find(second)
        if kept == dropped or infos[kept].dtype != infos[dropped].dtype:
            continue
        if infos[kept].value is None and infos[dropped].value is not None:
            kept, dropped = dropped, kept
        leader[dropped] = kept
    if not leader:
        return site
    names = {name: find(name) for name in leader}
    renamed = rewritten(site, {name: HostRoot(kept) for name, kept in names.items()})
    return replace(
        renamed,
        conditions=tuple(one for one in map(fold, renamed.conditions) if not _holds(one)),
        provenance=(*site.provenance, *(f"{name} is {kept}: host code requires it" for name, kept in names.items())),
    )


def rewritten(site: PlannedSite, values: Mapping[str, HostExpr]) -> PlannedSite:
    """``site`` with expressions in place of roots, everywhere."""

    def new(expr: HostExpr) -> HostExpr:
        return _substituted(expr, values)

    grid, block = ([new(one) for one in triple] for triple in (site.grid, site.block))
    return replace(
        site,
        grid=(grid[0], grid[1], grid[2]),
        block=(block[0], block[1], block[2]),
        shared_bytes=new(site.shared_bytes),
        scalars=tuple(replace(one, value=new(one.value)) for one in site.scalars),
        pointers=tuple(
            replace(
                one,
                bytes=None if one.bytes is None else new(one.bytes),
                offset_bytes=None if one.offset_bytes is None else new(one.offset_bytes),
            )
            for one in site.pointers
        ),
        conditions=tuple(new(one) for one in site.conditions),
    )


def _plain(expr: HostExpr) -> HostExpr:
    while isinstance(expr, HostOp) and expr.op.startswith("cast:") and "float" not in expr.op:
        expr = expr.args[0]
    return expr


def _equalities(conditions: Iterable[HostExpr]) -> Iterator[tuple[str, str]]:
    for condition in conditions:
        yield from _required(condition, True)


def _required(condition: HostExpr, wanted: bool) -> Iterator[tuple[str, str]]:
    """Pairs of roots that are equal wherever ``condition`` is ``wanted``."""
    condition = _plain(condition)
    if not isinstance(condition, HostOp):
        return
    if condition.op == "not":
        yield from _required(condition.args[0], not wanted)
    elif condition.op == ("and" if wanted else "or"):
        for part in condition.args:
            yield from _required(part, wanted)
    elif condition.op == ("eq" if wanted else "ne"):
        left, right = (_plain(part) for part in condition.args)
        if isinstance(left, HostRoot) and isinstance(right, HostRoot) and left != right:
            yield left.name, right.name


def _substituted(expr: HostExpr, values: Mapping[str, HostExpr]) -> HostExpr:
    if isinstance(expr, HostRoot):
        return values.get(expr.name, expr)
    if isinstance(expr, HostOp):
        return HostOp(expr.op, tuple(_substituted(part, values) for part in expr.args), expr.dtype)
    return expr


def _holds(condition: HostExpr) -> bool:
    """Whether the condition says no more than that a value equals itself."""
    if condition == HostConst(1):
        return True
    for op, wanted in (("eq", True), ("ne", False)):
        inner = condition
        turned = True
        while isinstance(inner, HostOp) and inner.op == "not":
            inner, turned = inner.args[0], not turned
        if isinstance(inner, HostOp) and inner.op == op and turned == wanted and inner.args[0] == inner.args[1]:
            return True
    return False
