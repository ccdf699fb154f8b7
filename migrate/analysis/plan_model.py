"""LaunchPlan: how a kernel instantiation is launched, and where each fact came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from migrate.ir.host_eval import HostEvalError, Number, convert, evaluate, text
from migrate.ir.launch import HostExpr

SCHEMA_VERSION = 1
Source = Literal["host slicing", "allocation", "access analysis", "named root", "synthesis"]
RootKind = Literal["size", "count", "block", "grid", "small", "flag", "value", "fixed"]
Contents = Literal["unknown", "zero", "copied"]

# How the reason of a divisibility begins that was guessed from accesses of several elements, not read in host code.
VECTOR_REASON = "the kernel reads"

# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (7.5 to 9.0).
MAX_BLOCK_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED_BYTES = 227 * 1024


class InvalidLaunch(ValueError):
    """These root values give no launch that the original's host code would make and CUDA would accept."""


class EmptyLaunch(InvalidLaunch):
    """A grid or block extent is zero: nothing runs. CUDA reports an invalid configuration, a port does nothing."""


@dataclass(frozen=True)
class PlannedRoot:
    """A named host value. ``value`` is what host code gives it, if that is known; ``guess`` makes the launch run.

    ``kind`` and ``multiple_of`` say how it may be varied, ``reason`` why.
    """

    name: str
    dtype: str
    guess: Number
    origin: str
    kind: RootKind
    multiple_of: int = 1
    value: Number | None = None
    reason: str = ""


@dataclass(frozen=True)
class PlannedScalar:
    """A scalar leaf of a parameter: ``name`` is the kernel's, ``position`` and ``path`` those of the C parameter."""

    name: str
    dtype: str
    position: int
    path: tuple[str, ...]
    byte_offset: int
    value: HostExpr
    source: Source


@dataclass(frozen=True)
class PlannedPointer:
    """A pointer parameter. Equal ``allocation`` means one buffer; ``bytes`` None: to be found by probing."""

    name: str
    dtype: str
    position: int
    path: tuple[str, ...]
    byte_offset: int
    allocation: str | None
    bytes: HostExpr | None
    offset_bytes: HostExpr | None
    contents: Contents
    source: Source


@dataclass(frozen=True)
class PlannedSite:
    """One way to launch. ``place`` is ``file:line`` of the launch or "synthetic"; ``conditions`` hold there."""

    place: str
    host_function: str
    grid: tuple[HostExpr, HostExpr, HostExpr]
    block: tuple[HostExpr, HostExpr, HostExpr]
    shared_bytes: HostExpr
    scalars: tuple[PlannedScalar, ...]
    pointers: tuple[PlannedPointer, ...]
    roots: tuple[PlannedRoot, ...]
    conditions: tuple[HostExpr, ...] = ()
    geometry_source: Source = "host slicing"
    provenance: tuple[str, ...] = ()


@dataclass(frozen=True)
class ConcretePointer:
    """A pointer argument with numbers. ``allocation`` None: a null pointer."""

    name: str
    dtype: str
    position: int
    path: tuple[str, ...]
    byte_offset: int
    allocation: str | None
    bytes: int | None
    offset_bytes: int
    contents: Contents


@dataclass(frozen=True)
class ConcreteLaunch:
    """A launch with every host value known. ``scalars``: leaf name → value, already in the leaf's dtype."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    scalars: Mapping[str, Number]
    pointers: tuple[ConcretePointer, ...]
    roots: Mapping[str, Number]
    place: str
    provenance: tuple[str, ...] = ()

    @property
    def threads(self) -> int:
        """Threads of the whole grid."""
        total = 1
        for extent in (*self.grid, *self.block):
            total *= extent
        return total


@dataclass(frozen=True)
class RootVariant:
    """Values worth trying for one root, others at their guess. ``constrained``: only multiples or a fixed list work."""

    root: str
    kind: RootKind
    values: tuple[Number, ...]
    constrained: bool
    reason: str


@dataclass(frozen=True)
class LaunchPlan:
    """All known launches of one kernel instantiation; the first site is the one to prefer."""

    kernel_id: str
    symbol: str
    cpp_name: str
    sites: tuple[PlannedSite, ...]
    notes: tuple[str, ...] = field(default=())

    def instantiate(self, roots: Mapping[str, Number] | None = None, site: int = 0) -> ConcreteLaunch:
        """The launch of ``site`` with ``roots`` in place of guesses.

        Raises `EmptyLaunch` for a zero extent, `InvalidLaunch` for other bad geometry, a broken host condition, an
        expression without value, or an unknown root name.
        """
        return concrete_launch(self.sites[site], roots or {})

    def variants(self, site: int = 0) -> tuple[RootVariant, ...]:
        """Which roots of ``site`` may be varied and to what; see `RootVariant`."""
        from migrate.analysis.variants import variants_of

        return variants_of(self.sites[site])

    def host_values(self, site: int = 0) -> dict[str, Number]:
        """What host code itself gives its sizes, by root; empty if it gives none. For kernels made for one size."""
        return {root.name: root.value for root in self.sites[site].roots if root.value is not None}

    def to_json(self) -> str:
        """Stable JSON text (docs/launch-plan.schema.json)."""
        from migrate.analysis.plan_json import plan_to_json

        return plan_to_json(self)

    @staticmethod
    def from_json(text: str) -> LaunchPlan:
        """Inverse of `to_json`; ValueError if the text is no launch plan of this schema version."""
        from migrate.analysis.plan_json import plan_from_json

        return plan_from_json(text)


def _integer(expr: HostExpr, roots: Mapping[str, Number], what: str) -> int:
    try:
        value = evaluate(expr, roots)
    except HostEvalError as error:
        raise InvalidLaunch(f"{what} = {text(expr)}: {error}") from error
    return int(value)


def _geometry(
    triple: tuple[HostExpr, HostExpr, HostExpr], limits: tuple[int, int, int], roots: Mapping[str, Number], what: str
) -> tuple[int, int, int]:
    x, y, z = (_integer(expr, roots, f"{what}.{axis}") for expr, axis in zip(triple, "xyz", strict=True))
    for extent, limit, axis in zip((x, y, z), limits, "xyz", strict=True):
        if extent == 0:
            raise EmptyLaunch(f"{what}.{axis} is 0")
        if not 0 < extent <= limit:
            raise InvalidLaunch(f"{what}.{axis} is {extent}, outside 1 to {limit}")
    return x, y, z


def concrete_launch(site: PlannedSite, overrides: Mapping[str, Number]) -> ConcreteLaunch:
    """See `LaunchPlan.instantiate`."""
    roots: dict[str, Number] = {root.name: root.guess for root in site.roots}
    unknown = sorted(set(overrides) - set(roots))
    if unknown:
        raise InvalidLaunch(f"no such root: {', '.join(unknown)}")
    for root in site.roots:
        if root.name in overrides:
            roots[root.name] = convert(overrides[root.name], root.dtype)
    for condition in site.conditions:
        try:
            holds = bool(evaluate(condition, roots))
        except HostEvalError as error:
            raise InvalidLaunch(f"{text(condition)}: {error}") from error
        if not holds:
            raise InvalidLaunch(f"host code launches only if {text(condition)}")
    block = _geometry(site.block, MAX_BLOCK, roots, "block")
    grid = _geometry(site.grid, MAX_GRID, roots, "grid")
    if block[0] * block[1] * block[2] > MAX_BLOCK_THREADS:
        raise InvalidLaunch(f"{block[0] * block[1] * block[2]} threads a block, more than {MAX_BLOCK_THREADS}")
    shared = _integer(site.shared_bytes, roots, "shared bytes")
    if not 0 <= shared <= MAX_SHARED_BYTES:
        raise InvalidLaunch(f"{shared} bytes of dynamic shared memory, outside 0 to {MAX_SHARED_BYTES}")
    scalars: dict[str, Number] = {}
    for scalar in site.scalars:
        try:
            scalars[scalar.name] = convert(evaluate(scalar.value, roots), scalar.dtype)
        except HostEvalError as error:
            raise InvalidLaunch(f"{scalar.name} = {text(scalar.value)}: {error}") from error
    pointers = tuple(_concrete_pointer(pointer, roots) for pointer in site.pointers)
    changed = tuple(f"{name} = {roots[name]}" for name in sorted(overrides))
    return ConcreteLaunch(grid, block, shared, scalars, pointers, roots, site.place, site.provenance + changed)


def _concrete_pointer(pointer: PlannedPointer, roots: Mapping[str, Number]) -> ConcretePointer:
    size = None if pointer.bytes is None else _integer(pointer.bytes, roots, f"bytes of {pointer.name}")
    offset = 0 if pointer.offset_bytes is None else _integer(pointer.offset_bytes, roots, f"offset of {pointer.name}")
    if size is not None and size < 0:
        raise InvalidLaunch(f"allocation of {pointer.name} is {size} bytes")
    if offset < 0:
        raise InvalidLaunch(f"{pointer.name} starts {-offset} bytes before its allocation")
    return ConcretePointer(
        pointer.name,
        pointer.dtype,
        pointer.position,
        pointer.path,
        pointer.byte_offset,
        pointer.allocation,
        size,
        offset,
        pointer.contents,
    )
