"""How roots may be varied: what kind each is, what it must be a multiple of, and which values are worth trying."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from migrate.analysis.plan_model import PlannedSite, RootKind, RootVariant
from migrate.ir.host_eval import HostEvalError, Number, evaluate, roots_of
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot

EDGES: tuple[int, ...] = (0, 1, 31, 33)
PRIMES: tuple[int, ...] = (37, 101, 127, 257)
BLOCKS: tuple[int, ...] = (32, 64, 96, 128, 256, 512, 1024)
MULTIPLES: tuple[int, ...] = (1, 2, 3, 5)
COUNTS: tuple[int, ...] = (1, 2, 3, 5)
SMALLS: tuple[int, ...] = (1, 2, 3, 5)
LARGEST_HOST_VALUE = 1 << 14  # what the host itself uses is worth a try unless it makes a run slow
FLOATS: tuple[float, ...] = (0.0, -1.5, 2.0, 0.1)


def parts(expr: HostExpr) -> Iterable[HostExpr]:
    """``expr`` and everything below it."""
    yield expr
    if isinstance(expr, HostOp):
        for arg in expr.args:
            yield from parts(arg)


def _plain(expr: HostExpr) -> HostExpr:
    while isinstance(expr, HostOp) and expr.op.startswith("cast:"):
        expr = expr.args[0]
    return expr


def _factors(expr: HostExpr) -> list[HostExpr]:
    expr = _plain(expr)
    if isinstance(expr, HostOp) and expr.op == "mul":
        return [factor for arg in expr.args for factor in _factors(arg)]
    return [expr]


def divisibility(expressions: Iterable[HostExpr], guesses: Mapping[str, Number]) -> dict[str, tuple[int, str]]:
    """Roots that are divided without rounding up: name → (divisor at the guesses, why).

    ``n / 256`` asks for a multiple of 256, ``(n + 255) / 256`` for nothing.
    """
    found: dict[str, tuple[int, str]] = {}
    for expression in expressions:
        for part in parts(expression):
            if not isinstance(part, HostOp) or part.op != "truncdiv":
                continue
            try:
                divisor = int(evaluate(part.args[1], guesses))
            except HostEvalError:
                continue
            names = [one.name for one in _factors(part.args[0]) if isinstance(one, HostRoot)]
            known = 1
            for factor in _factors(part.args[0]):
                if isinstance(factor, HostConst):
                    known *= int(factor.value)
            if len(names) == 1 and divisor > 1 and not roots_of(part.args[1]) & set(names):
                needed = divisor // math.gcd(divisor, known)
                old = found.get(names[0], (1, ""))[0]
                found[names[0]] = (math.lcm(old, needed), f"host code divides it by {divisor}")
    return found


def checked_divisibility(conditions: Iterable[HostExpr]) -> dict[str, tuple[int, str]]:
    """Roots that host code requires to be multiples: ``n % 4 == 0`` (also negated, as in ``if (n % 4) return``)."""
    found: dict[str, tuple[int, str]] = {}
    for condition in conditions:
        for name, divisor in _required(_plain(condition), True):
            old = found.get(name, (1, ""))[0]
            found[name] = (math.lcm(old, divisor), f"host code checks that it is a multiple of {divisor}")
    return found


def _required(condition: HostExpr, wanted: bool) -> list[tuple[str, int]]:
    condition = _plain(condition)
    if isinstance(condition, HostOp):
        if condition.op == "not":
            return _required(condition.args[0], not wanted)
        if (condition.op == "and" and wanted) or (condition.op == "or" and not wanted):
            return [one for arg in condition.args for one in _required(arg, wanted)]
        zero = HostConst(0)
        if condition.op in ("eq", "ne") and (condition.op == "eq") == wanted and _plain(condition.args[1]) == zero:
            return _remainder(condition.args[0])
        if condition.op == "truncmod" and not wanted:
            return _remainder(condition)
    return []


def _remainder(expr: HostExpr) -> list[tuple[str, int]]:
    expr = _plain(expr)
    if not isinstance(expr, HostOp) or expr.op != "truncmod":
        return []
    root, divisor = _plain(expr.args[0]), _plain(expr.args[1])
    if isinstance(root, HostRoot) and isinstance(divisor, HostConst) and int(divisor.value) > 1:
        return [(root.name, int(divisor.value))]
    return []


def variants_of(site: PlannedSite) -> tuple[RootVariant, ...]:
    """Values to try for every root of ``site`` that may be varied."""
    guesses = {root.name: root.guess for root in site.roots}
    edges = _block_edges(site, guesses)
    found: list[RootVariant] = []
    for root in site.roots:
        values: tuple[Number, ...]
        constrained = root.multiple_of > 1
        if root.kind == "fixed":
            continue
        if root.kind == "size":
            values = tuple(root.multiple_of * times for times in (0, *MULTIPLES)) if constrained else edges
            if root.value is not None and root.value <= LARGEST_HOST_VALUE:
                values = (*values, root.value)
        else:
            values, constrained = _listed(root.kind, root.dtype, root.guess, root.multiple_of)
        kept = tuple(dict.fromkeys(value for value in values if value != root.guess))
        if kept:
            found.append(RootVariant(root.name, root.kind, kept, constrained, root.reason))
    return tuple(found)


def _listed(kind: RootKind, dtype: str, guess: Number, multiple: int) -> tuple[tuple[Number, ...], bool]:
    if kind == "block":
        usable = [size for size in BLOCKS if size % multiple == 0]
        return tuple(usable), True
    if kind == "flag":
        return (0, 1), True
    if kind == "value":
        if dtype.startswith(("float", "bfloat")):
            return FLOATS, False
        signed = () if dtype.startswith("uint") else (-1,)
        return (0, 1, int(guess) + 1, *signed), False
    chosen = COUNTS if kind in ("count", "grid") else SMALLS
    return tuple(multiple * one for one in chosen), True


def _block_edges(site: PlannedSite, guesses: Mapping[str, Number]) -> tuple[int, ...]:
    around: list[int] = []
    for expr in site.block[:2]:
        try:
            extent = int(evaluate(expr, guesses))
        except HostEvalError:
            continue
        if extent > 1:
            around += [extent - 1, extent, extent + 1]
    return tuple(dict.fromkeys([*EDGES, *around, *PRIMES]))


def rounded_up(expressions: Iterable[HostExpr], guesses: Mapping[str, Number]) -> dict[str, tuple[int, str]]:
    """Roots in divisions that round up, ``(n + 255) / 256``: name → (divisor, why). For kernels without bounds."""
    found: dict[str, tuple[int, str]] = {}
    for expression in expressions:
        for part in parts(expression):
            if not isinstance(part, HostOp) or part.op not in ("truncdiv", "div"):
                continue
            names = roots_of(part.args[0]) - roots_of(part.args[1])
            try:
                divisor = int(evaluate(part.args[1], guesses))
            except HostEvalError:
                continue
            if len(names) == 1 and divisor > 1:
                name = next(iter(names))
                old = found.get(name, (1, ""))[0]
                found[name] = (math.lcm(old, divisor), f"the kernel has no bound and the grid counts in {divisor}")
    return found
