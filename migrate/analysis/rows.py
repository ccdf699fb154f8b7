"""Guessed distances between rows are kept at least as long as a row, else rows overlap and threads race.

Host code often passes a pitch that comes from an allocator or a library and that nothing here determines. Such a root
is replaced everywhere by ``max(pitch, length of a row)``, so that every choice of sizes gives rows of their own.
"""

from __future__ import annotations

import re
from dataclasses import replace

from migrate.analysis.access import AccessSummary
from migrate.analysis.plan_model import PlannedSite
from migrate.analysis.roles import is_pitch
from migrate.analysis.tied import rewritten
from migrate.ir.host_eval import evaluate
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot

# A pitch over bytes may be that of elements of up to 16 bytes (float4).
_BYTES = frozenset({"int8", "uint8"})
_WIDEST_ELEMENT = 16
_PLANE = re.compile(r"(?i)slice|plane|frame|image")  # a distance between planes: rows and columns go into one


def spread_rows(site: PlannedSite, summary: AccessSummary) -> PlannedSite:
    """``site`` with every pitch that host code does not determine as long as the longest side of its buffers."""
    changed: dict[str, HostExpr] = {}
    known = {root.name: root for root in site.roots}
    dtypes = {pointer.name: pointer.dtype for pointer in site.pointers}
    for scalar in site.scalars:
        root = _plain(scalar.value)
        role = summary.scalar_roles.get(scalar.name)
        if not isinstance(root, HostRoot) or role is None or not is_pitch(scalar.name) or root.name in changed:
            continue
        if known[root.name].value is not None or known[root.name].kind != "size":
            continue
        sides = _sides(site, summary, set(role.scales_index))
        if not sides:
            continue
        factor = _WIDEST_ELEMENT if any(dtypes.get(name) in _BYTES for name in role.scales_index) else 1
        changed[root.name] = _at_least(root, [_product(sides[:2])] if _PLANE.search(scalar.name) else sides, factor)
    if not changed:
        return site
    guesses = {root.name: root.guess for root in site.roots}
    # The guess itself is long enough as well: host code that is run with it must come to the same launch.
    long_enough = {name: int(evaluate(value, guesses)) for name, value in changed.items()}
    roots = tuple(replace(root, guess=long_enough.get(root.name, root.guess)) for root in site.roots)
    reasons = (f"{name}: at least a row" for name in changed)
    return replace(rewritten(site, changed), roots=roots, provenance=(*site.provenance, *reasons))


def _sides(site: PlannedSite, summary: AccessSummary, buffers: set[str]) -> list[HostExpr]:
    """Parameters that bound indices of ``buffers`` and are no pitch themselves."""
    found: list[HostExpr] = []
    for scalar in site.scalars:
        role = summary.scalar_roles.get(scalar.name)
        if role is not None and buffers & set(role.guards) and not is_pitch(scalar.name):
            found.append(HostOp("cast:int64", (scalar.value,), "int64"))
    return found


def _product(sides: list[HostExpr]) -> HostExpr:
    return sides[0] if len(sides) == 1 else HostOp("mul", tuple(sides), "int64")


def _at_least(root: HostRoot, sides: list[HostExpr], factor: int) -> HostExpr:
    longest: HostExpr = root
    for side in sides:
        row = side if factor == 1 else HostOp("mul", (side, HostConst(factor)), "int64")
        longest = HostOp("max", (longest, row), "int64")
    if factor == 1:
        return longest
    units = HostOp("truncdiv", (HostOp("add", (longest, HostConst(factor - 1)), "int64"), HostConst(factor)), "int64")
    return HostOp("mul", (units, HostConst(factor)), "int64")


def _plain(expr: HostExpr) -> HostExpr:
    while isinstance(expr, HostOp) and expr.op.startswith("cast:") and "float" not in expr.op:
        expr = expr.args[0]
    return expr
