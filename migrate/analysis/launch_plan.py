"""Launch plans: one a kernel instantiation, from its launch sites or, without any, from the kernel itself."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from migrate.analysis.access import AccessSummary, access_summary
from migrate.analysis.plan_model import (
    VECTOR_REASON,
    ConcreteLaunch,
    ConcretePointer,
    EmptyLaunch,
    InvalidLaunch,
    LaunchPlan,
    PlannedPointer,
    PlannedRoot,
    PlannedScalar,
    PlannedSite,
    RootKind,
    RootVariant,
    Source,
)
from migrate.analysis.repair import settle
from migrate.analysis.roles import GuessTable, role_of
from migrate.analysis.rows import spread_rows
from migrate.analysis.synthesis import GRID_GUESS, guess_block, guess_grid
from migrate.analysis.tied import tied
from migrate.analysis.variants import checked_divisibility, divisibility, parts
from migrate.analysis.vectors import vector_widths
from migrate.ir import kernel as k
from migrate.ir.host_eval import fold, roots_of
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot, LaunchSite, PointerFact, RootInfo, TextureFact
from migrate.ir.texture import EXTENTS

SITE_LIMIT = 6  # more ways to launch one instantiation add time, not evidence
LARGEST_TILE = 256  # elements of one axis; a first guess of whole larger tiles would make every run slow
_FLOATS = ("float", "bfloat")


class Record(Protocol):
    """What is needed of `migrate.parse.results.KernelRecord`."""

    @property
    def id(self) -> str:
        """``file:line:name``."""
        ...

    @property
    def instantiations(self) -> tuple[k.Kernel, ...]:
        """Built instantiations."""
        ...


def plan_kernels(records: Iterable[Record], launches: Iterable[LaunchSite]) -> list[LaunchPlan]:
    """One plan for each instantiation of each record, in their order; equal launches of several files count once."""
    by_kernel: dict[str, list[LaunchSite]] = defaultdict(list)
    for launch in dict.fromkeys(launches):
        by_kernel[launch.kernel_id].append(launch)
    return [
        plan_kernel(kernel, by_kernel.get(record.id, ()), record.id)
        for record in records
        for kernel in record.instantiations
    ]


def plan_kernel(kernel: k.Kernel, launches: Sequence[LaunchSite], kernel_id: str | None = None) -> LaunchPlan:
    """The plan of one instantiation; ``launches`` may hold sites of other instantiations of the same kernel."""
    summary, widths = access_summary(kernel), vector_widths(kernel)
    own = [site for site in launches if site.cpp_name == kernel.cpp_name]
    notes: list[str] = []
    if not own and launches:
        own = [site for site in launches if len(site.args) == len(kernel.c_params)][:1]
        if own:
            notes.append(f"launch borrowed from {own[0].cpp_name}")
    sites = [_planned(kernel, summary, widths, site) for site in own]
    distinct = list({_fingerprint(site): site for site in sites}.values())
    if len(distinct) > SITE_LIMIT:
        notes.append(f"{len(distinct) - SITE_LIMIT} more launches are not listed")
        distinct = distinct[:SITE_LIMIT]
    if not distinct:
        distinct = [_synthetic(kernel, summary, widths)]
        notes.append("no launch found: geometry is synthetic")
    settled = sorted((spread_rows(settle(site), summary) for site in distinct), key=_badness)
    return LaunchPlan(kernel_id or kernel.id, kernel.symbol, kernel.cpp_name, tuple(settled), tuple(notes))


def _fingerprint(site: PlannedSite) -> object:
    return replace(site, place="", host_function="", provenance=())


def _badness(site: PlannedSite) -> tuple[bool, int]:
    """Valid launches first, then those with the fewest unresolved values."""
    from migrate.analysis.plan_model import concrete_launch

    try:
        concrete_launch(site, {})
    except InvalidLaunch:
        return True, 0
    return False, sum(scalar.source == "named root" for scalar in site.scalars)


# --- arguments ------------------------------------------------------------------------------------------------------


class _Arguments:
    """Scalars and pointers of a site; parameters that the host does not determine become roots of their own."""

    def __init__(self, kernel: k.Kernel, infos: Iterable[RootInfo]):
        self.kernel = kernel
        self.roots: dict[str, RootInfo] = {info.name: info for info in infos}
        self.scalars: list[PlannedScalar] = []
        self.pointers: list[PlannedPointer] = []
        self.conditions: list[HostExpr] = []  # that textures add
        self._guesses = GuessTable()
        for info in self.roots.values():
            self._guesses.keep(info.name, info.guess)

    def own_root(self, param: k.ScalarParam) -> HostExpr:
        """A root named after the parameter."""
        name = param.name
        while name in self.roots and self.roots[name].origin != "synthetic":
            name += "'"
        guess = self._guesses.guess(name, param.dtype)
        self.roots.setdefault(name, RootInfo(name, param.dtype, guess, "synthetic", param.span))
        return HostRoot(name)

    def add(self, site: LaunchSite | None) -> None:
        """Every parameter of the kernel, from ``site`` where it says something."""
        members = {} if site is None else {(one[0], one[1]): one[2] for one in site.struct_args}
        for param in self.kernel.params:
            given: HostExpr | PointerFact | None = None
            own = site.args[param.position] if site is not None and param.position < len(site.args) else None
            if isinstance(own, TextureFact):
                given = own.extents[EXTENTS.index(param.path[0])] if param.path else None
            elif param.path:
                given = members.get((param.position, param.path))
            else:
                given = own
            if isinstance(param, k.ScalarParam):
                self._scalar(param, None if isinstance(given, PointerFact) else given)
            else:
                self._pointer(param, given)
        self._size_textures()

    def _size_textures(self) -> None:
        """A texture's buffer holds exactly its texels; an extent below one is no launch."""
        for param in self.kernel.params:
            if not isinstance(param, k.PointerParam) or param.texture is None:
                continue
            extents = [scalar.value for scalar in self.scalars if scalar.position == param.position and scalar.path]
            size: HostExpr = HostConst(param.element_bytes)
            for extent in extents:
                size = fold(HostOp("mul", (size, HostOp("cast:int64", (extent,), "int64")), "int64"))
                if roots_of(extent):
                    self.conditions.append(HostOp("gt", (extent, HostConst(0)), "bool"))
            self.pointers = [
                replace(one, bytes=size, offset_bytes=None, source="allocation")
                if one.name == param.buffer.name
                else one
                for one in self.pointers
            ]

    def _scalar(self, param: k.ScalarParam, given: HostExpr | None) -> None:
        source: Source = "named root"
        if given is None:
            value = self.own_root(param)
        else:
            value = given
            used = roots_of(value)
            constant = any(self.roots[name].origin == "constant" for name in used if name in self.roots)
            if not used or constant or not isinstance(value, HostRoot):
                source = "host slicing"
        self.scalars.append(
            PlannedScalar(param.name, param.dtype, param.position, param.path, param.byte_offset, value, source)
        )

    def _pointer(self, param: k.PointerParam, given: HostExpr | PointerFact | None) -> None:
        allocation: str | None = param.buffer.name
        fact = given if isinstance(given, PointerFact) else PointerFact(param.buffer.name)
        source: Source = "synthesis"
        if isinstance(given, PointerFact):
            allocation = given.allocation
            source = "allocation" if given.bytes is not None else "host slicing"
        elif given == HostConst(0):
            allocation, source = None, "host slicing"
        self.pointers.append(
            PlannedPointer(
                param.buffer.name,
                param.buffer.dtype,
                param.position,
                param.path,
                param.byte_offset,
                allocation,
                fact.bytes,
                fact.offset_bytes,
                fact.contents,
                source,
            )
        )


# --- sites ----------------------------------------------------------------------------------------------------------


def _planned(kernel: k.Kernel, summary: AccessSummary, widths: Mapping[str, int], site: LaunchSite) -> PlannedSite:
    arguments = _Arguments(kernel, site.roots)
    arguments.add(site)
    draft = PlannedSite(
        place=f"{site.span.file}:{site.span.line}",
        host_function=site.host_function,
        grid=site.grid,
        block=site.block,
        shared_bytes=site.shared_bytes,
        scalars=tuple(arguments.scalars),
        pointers=tuple(arguments.pointers),
        roots=(),
        conditions=(*site.conditions, *dict.fromkeys(arguments.conditions)),
        geometry_source="host slicing",
    )
    return _with_roots(tied(draft, arguments.roots), widths, summary, arguments.roots)


def synthetic_plan(kernel: k.Kernel, block: tuple[int, int, int]) -> LaunchPlan:
    """A plan for a kernel that nothing launches, under this block."""
    site = settle(_synthetic(kernel, access_summary(kernel), vector_widths(kernel), block))
    return LaunchPlan(kernel.id, kernel.symbol, kernel.cpp_name, (site,))


def _synthetic(
    kernel: k.Kernel,
    summary: AccessSummary,
    widths: Mapping[str, int],
    wanted: tuple[int, int, int] | None = None,
) -> PlannedSite:
    arguments = _Arguments(kernel, ())
    arguments.add(None)
    block, why = (wanted, "chosen by verification") if wanted else guess_block(kernel, summary)
    values = {scalar.name: scalar.value for scalar in arguments.scalars if not scalar.path}
    grid, added, reasons = guess_grid(kernel, summary, block, values)
    for name in added:
        arguments.roots[name] = RootInfo(name, "int32", GRID_GUESS, "synthetic")
    shared: HostExpr = HostConst(0)
    dynamic = [buffer for buffer in kernel.buffers if buffer.scope == k.Scope.DYNAMIC_SHARED]
    if dynamic:
        guess = max(1024, math.prod(block) * 8 * len(dynamic))
        arguments.roots["shared_bytes"] = RootInfo("shared_bytes", "int32", guess, "synthetic")
        shared = HostRoot("shared_bytes")
    draft = PlannedSite(
        place="synthetic",
        host_function="",
        grid=(grid[0], grid[1], grid[2]),
        block=(HostConst(block[0]), HostConst(block[1]), HostConst(block[2])),
        shared_bytes=shared,
        scalars=tuple(arguments.scalars),
        pointers=tuple(arguments.pointers),
        roots=(),
        conditions=tuple(dict.fromkeys(arguments.conditions)),
        geometry_source="synthesis",
        provenance=(f"block {block}: {why}", *reasons),
    )
    return _with_roots(draft, widths, summary, arguments.roots)


def _expressions(site: PlannedSite) -> list[HostExpr]:
    found: list[HostExpr] = [*site.grid, *site.block, site.shared_bytes, *site.conditions]
    found += [scalar.value for scalar in site.scalars]
    for pointer in site.pointers:
        found += [one for one in (pointer.bytes, pointer.offset_bytes) if one is not None]
    return found


def _divided(expressions: Iterable[HostExpr]) -> list[HostExpr]:
    """What is divided in ``expressions``: the number of elements in ``(n + 255) / 256``."""
    return [
        part.args[0]
        for expression in expressions
        for part in parts(expression)
        if isinstance(part, HostOp) and part.op in ("truncdiv", "div")
    ]


def _names(expressions: Iterable[HostExpr]) -> set[str]:
    return {name for expression in expressions for name in roots_of(expression)}


def _with_roots(
    site: PlannedSite, widths: Mapping[str, int], summary: AccessSummary, infos: Mapping[str, RootInfo]
) -> PlannedSite:
    """``site`` with its roots classified; roots that nothing reads any more are left out."""
    expressions = _expressions(site)
    used = _names(expressions)
    guesses = {name: info.guess for name, info in infos.items()}
    needed = divisibility(expressions, guesses)
    for name, found in checked_divisibility(site.conditions).items():
        needed[name] = (math.lcm(needed.get(name, (1, ""))[0], found[0]), found[1])
    for name, found in _vector_needs(site, widths, summary).items():
        if name not in needed:
            needed[name] = found
    for name, found in _unguarded_needs(site, summary, guesses).items():
        if name not in needed:
            needed[name] = found
    tiles = _tile_sizes(site, guesses)
    roots: list[PlannedRoot] = []
    for name in sorted(used):
        info = infos[name]
        kind, reason = _root_kind(site, summary, info)
        multiple, why = needed.get(name, (1, ""))
        if kind not in ("size", "count", "block", "small", "grid"):
            multiple, why = 1, ""
        guess = info.guess
        if kind == "size" and name in tiles:
            guess = -(-int(guess) // tiles[name]) * tiles[name]
        roots.append(PlannedRoot(name, info.dtype, guess, info.origin, kind, multiple, info.value, why or reason))
    return replace(site, roots=tuple(roots))


def _tile_sizes(site: PlannedSite, guesses: Mapping[str, int | float]) -> dict[str, int]:
    """Root → elements that one block covers, where those are more than its threads: such kernels work on whole tiles.

    Guards of tiled kernels often ask about a tile's first row only, so that a part of a tile is no size they were
    written for. It is the first guess alone that becomes whole tiles; other sizes are still tried.
    """
    from migrate.analysis.variants import rounded_up

    found: dict[str, int] = {}
    for blocks, threads in zip(site.grid, site.block, strict=True):
        for name, (covered, _) in rounded_up([blocks], guesses).items():
            extent = threads.value if isinstance(threads, HostConst) else None
            if extent is not None and extent < covered <= LARGEST_TILE:
                found[name] = math.lcm(found.get(name, 1), covered)
    return {name: size for name, size in found.items() if size <= LARGEST_TILE}


def _root_kind(site: PlannedSite, summary: AccessSummary, info: RootInfo) -> tuple[RootKind, str]:
    """What a root is, and how that is known."""
    if info.dtype.startswith(_FLOATS):
        return "value", "a floating value"
    if info.dtype == "bool":
        return "flag", "a boolean"
    if info.name == "shared_bytes":
        return "fixed", "dynamic shared memory that the kernel was given"
    role, _ = role_of(info.name)
    if role == "device":
        return "fixed", "a property of the device"
    if info.name in _names(site.block):
        return "block", "it decides the block size"
    scalars = [scalar for scalar in site.scalars if info.name in roots_of(scalar.value)]
    uses = [summary.scalar_roles[scalar.name] for scalar in scalars if scalar.name in summary.scalar_roles]
    if role == "count":
        return "count", "a batch or head count by its name"
    if role == "small":
        return "small", "a radius, stride or padding by its name"
    if any(use.size_like for use in uses):
        return "size", "the kernel bounds or scales indices with it"
    sized = {name for pointer in site.pointers if pointer.bytes is not None for name in roots_of(pointer.bytes)}
    if info.name in sized:
        return "size", "an allocation has this size"
    if not scalars and info.name in _names(site.grid):
        return "grid", "only the grid depends on it"
    if role == "size":
        return "size", "a size by its name"
    if info.name in _names(part for part in _divided(site.grid)):
        return "size", "the grid covers it"
    if any(use.selects for use in uses):
        return "flag", "the kernel branches on it"
    return "value", "an integer that no index depends on"


def _vector_needs(site: PlannedSite, widths: Mapping[str, int], summary: AccessSummary) -> dict[str, tuple[int, str]]:
    """Scalars next to accesses of several elements at once (``widths``): rows must start aligned."""
    found: dict[str, tuple[int, str]] = {}
    for scalar in site.scalars:
        role = summary.scalar_roles.get(scalar.name)
        if role is None or not isinstance(_uncast(scalar.value), HostRoot):
            continue
        touched = set(role.guards) | set(role.scales_index)
        width = max((widths.get(name, 1) for name in touched), default=1)
        if width > 1:
            name = next(iter(roots_of(scalar.value)))
            found[name] = (width, f"{VECTOR_REASON} {width} elements at a time")
    return found


def _uncast(expr: HostExpr) -> HostExpr:
    while isinstance(expr, HostOp) and expr.op.startswith("cast:"):
        expr = expr.args[0]
    return expr


def _unguarded_needs(
    site: PlannedSite, summary: AccessSummary, guesses: Mapping[str, int | float]
) -> dict[str, tuple[int, str]]:
    """Without any bound in the kernel, what the grid rounds up must come out even."""
    from migrate.analysis.variants import rounded_up

    if summary.bounds:
        return {}
    return rounded_up(site.grid, guesses)


__all__ = [
    "ConcreteLaunch",
    "ConcretePointer",
    "EmptyLaunch",
    "InvalidLaunch",
    "LaunchPlan",
    "PlannedPointer",
    "PlannedRoot",
    "PlannedScalar",
    "PlannedSite",
    "RootVariant",
    "plan_kernel",
    "plan_kernels",
    "synthetic_plan",
]
