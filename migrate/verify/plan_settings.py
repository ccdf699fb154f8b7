"""Launches worth trying, from a launch plan: its own guesses first, then other sizes, flags and values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from migrate.analysis.launch_plan import ConcreteLaunch, InvalidLaunch, LaunchPlan, PlannedSite, RootVariant
from migrate.analysis.plan_model import VECTOR_REASON
from migrate.diagnostics import refuse
from migrate.ir.host_eval import Number, roots_of
from migrate.ir.kernel import Kernel, ScalarParam
from migrate.ir.launch import HostExpr, HostOp, HostRoot
from migrate.verify.dtypes import is_float
from migrate.verify.launch_setting import setting_of_launch, symbol_settings
from migrate.verify.scalars import pointer_in_struct, rounded
from migrate.verify.setting import Setting, SymbolSetting
from migrate.verify.thresholds import bounding_parameters, bounding_products

SITE_LIMIT = 3
SETTING_LIMIT = 32
MIXED_SIZES = 8
# Threads and bytes in all that a variant may reach; the plan's own guesses may be larger.
VARIANT_THREADS = 1 << 17
VARIANT_BYTES = 4 << 20
# The host's own sizes may be this much larger: they are what the kernel was written for.
HOST_SIZES_FACTOR = 8
WHOLE_BLOCKS_FACTOR = 4
WHOLE_TILES = (128, 64)
SHORTEST_BOUND = 8
LARGE_ELEMENTS = 66_001
LARGE_SIDES = (263, 257)
BOUND_LIMIT = 3
_SIZES = frozenset({"size", "count", "grid", "small", "block"})


def settings_from_plan(
    plan: LaunchPlan,
    kernel: Kernel,
    symbols: Sequence[tuple[str, int]],
    thresholds: Mapping[str, tuple[float, ...]],
    recorded: Mapping[int, ConcreteLaunch] | None = None,
    *,
    every_stated: bool = False,
) -> list[Setting]:
    """Settings in the order they should be tried.

    ``recorded``: launches of sites as host code made them when it ran, where they differ from the plan's own.
    ``every_stated``: a launch that host code makes is kept also where it differs in the sizes of buffers only.
    ``symbols``: (name, bytes) of the device variables of the compiled original. ``thresholds``: constants that scalar
    parameters are compared with. Raises Refusal TLM766 (pointer inside a struct) and TLM742 (no valid launch).
    """
    member = pointer_in_struct(kernel)
    if member is not None:
        raise refuse(
            "TLM766", f"`{'.'.join(member.path)}` is a pointer inside a parameter passed by value", kernel.span
        )
    globals_ = symbol_settings(kernel, symbols)
    found: list[Setting] = []
    seen: set[tuple[object, ...]] = set()
    complaint = ""
    coupled = [_coupled_block(plan, site, kernel) for site in range(min(len(plan.sites), SITE_LIMIT))]
    wide = [_whole_blocks(plan, site, blocks) for site, blocks in enumerate(coupled)]
    streams = [list(_override_stream(plan, site, thresholds, wide[site])) for site in range(len(wide))]
    held_back: list[Setting] = []  # of the plan's own launches with one argument changed: one after every other turn
    for turn in range(max((len(stream) for stream in streams), default=0)):
        for site, stream in enumerate(streams):
            if turn >= len(stream) or len(found) >= SETTING_LIMIT:
                continue
            overrides = {**stream[turn], **coupled[site]}
            try:
                launch = plan.instantiate(overrides, site)
            except InvalidLaunch as error:
                complaint = complaint or str(error)
                continue
            if turn == 0 and recorded and site in recorded and recorded[site].threads <= VARIANT_THREADS:
                launch = recorded[site]
            larger = HOST_SIZES_FACTOR if stream[turn] == _host_sizes(plan, site) else 1
            rows = bool(wide[site]) and stream[turn] in (wide[site], _doubled(plan, site, wide[site]))
            larger = WHOLE_BLOCKS_FACTOR if rows else larger
            limits = VARIANT_THREADS * larger, VARIANT_BYTES * larger
            if turn and (launch.threads > limits[0] or _stated_bytes(launch) > limits[1]):
                continue
            tuned = _other_floats(kernel, launch) if turn % 2 else {}
            setting = setting_of_launch(kernel, launch, globals_, overrides, site, tuned, base=turn == 0)
            setting = replace(
                setting,
                guessed=_guessed_sizes(plan.sites[site]),
                stated=not tuned and not _borrowed(plan) and _stated_launch(plan.sites[site], overrides),
                costly=turn > 0 and (rows or stream[turn] == _past_sixteen_bits(plan.sites[site])),
            )
            if turn == 0:
                held_back += _beside(kernel, launch, globals_, site)
            for item in (setting, *(held_back[:1] if turn else ())):
                key = (*item.key(), every_stated and item.stated)
                if key not in seen:
                    seen.add(key)
                    found.append(item)
            held_back = held_back[1:] if turn else held_back
    found += [item for item in held_back if (*item.key(), every_stated and item.stated) not in seen]
    if not found:
        raise refuse("TLM742", f"no launch of the plan is valid: {complaint or 'it has none'}", kernel.span)
    return found


def _beside(kernel: Kernel, launch: ConcreteLaunch, symbols: Sequence[SymbolSetting], site: int) -> list[Setting]:
    """The plan's own launch with one argument changed: a bound a little smaller, a bool the other way round."""
    globals_ = tuple(symbols)
    made = [
        setting_of_launch(kernel, launch, globals_, {}, site, tuned, base=False)
        for tuned in shorter_bounds(kernel, launch)
    ]
    # What no known launch does decides no branch coverage (see `Excuser`), but a port must do it as well.
    turned = [
        replace(setting_of_launch(kernel, launch, globals_, {}, site, tuned, base=False), planned=False)
        for tuned in _other_truths(kernel, launch)
    ]
    return made[:1] + turned + made[1:]


def _guessed_sizes(site: PlannedSite) -> bool:
    return any(root.value is None and root.kind in ("size", "count") for root in site.roots)


def _borrowed(plan: LaunchPlan) -> bool:
    """Whether the launches of the plan are another kernel's."""
    return any(note.startswith("launch borrowed") for note in plan.notes)


def _stated_launch(site: PlannedSite, overrides: Mapping[str, Number]) -> bool:
    """Whether host code makes the launch with these root values: each size is known and is the one taken."""
    if site.place == "synthetic" or any("were dropped" in note for note in site.provenance):
        return False
    return all(
        root.value is not None and overrides.get(root.name, root.guess) == root.value
        for root in site.roots
        if root.kind in _SIZES
    )


def _coupled_block(plan: LaunchPlan, site: int, kernel: Kernel) -> dict[str, Number]:
    """Root values that keep the block at as many threads as a template argument says; empty if there are none.

    Host code picks the instantiation by the block size (``case 256: kernel<256>``), and such kernels size their shared
    arrays by the argument; any other block would be a launch that never happens.
    """
    wanted = {int(argument) for argument in kernel.template_args if argument.isdigit() and 32 <= int(argument) <= 1024}
    planned = plan.sites[site]
    blocks = [root for root in planned.roots if root.kind == "block"]
    candidates: list[dict[str, Number]] = [{}]
    candidates += [{root.name: size * times} for root in blocks for size in sorted(wanted) for times in (1, 2, 4, 8)]
    for overrides in candidates if wanted else []:
        try:
            launch = plan.instantiate(overrides, site)
        except InvalidLaunch:
            continue
        if math.prod(launch.block) in wanted:
            return overrides or {root.name: root.guess for root in blocks}
    return {}


def _stated_bytes(launch: ConcreteLaunch) -> int:
    """Bytes of all allocations whose size the host side states."""
    sizes = {pointer.allocation: pointer.bytes for pointer in launch.pointers if pointer.bytes is not None}
    return sum(size for size in sizes.values() if size is not None)


def _override_stream(
    plan: LaunchPlan, site: int, thresholds: Mapping[str, tuple[float, ...]], wide: Mapping[str, Number]
) -> Iterator[dict[str, Number]]:
    """Root values to try: none, mixed sizes interleaved with single flags and values, then every single variant."""
    yield {}
    variants = plan.variants(site)
    sizes = [item for item in variants if item.kind in _SIZES and item.kind != "block"]
    blocks = [item for item in variants if item.kind == "block"]
    others = [item for item in variants if item.kind not in _SIZES]
    singles = _single_values(others, _threshold_values(plan.sites[site], thresholds))
    large = _several_blocks(plan, site)
    if large:
        yield large
    past = _past_sixteen_bits(plan.sites[site])
    if past:
        yield past
    smallest = {item.root: min((value for value in item.values if value > 0), default=None) for item in sizes}
    if sizes:
        # Everything small at once: the last block and the last warp of the grid are then partly idle.
        yield {root: value for root, value in smallest.items() if value is not None}
    for first in (4, 36):
        # Kernels that read four elements at a time assert or assume as much without the host saying so.
        yield _multiples_of_four(sizes, first)
    whole = [item for item in sizes if item.kind == "size"]
    for tile in WHOLE_TILES:
        # Kernels without guards are written for whole tiles; other sizes make blocks store over each other.
        yield {item.root: tile * (1 + place % 2) for place, item in enumerate(whole)}
    if wide:
        yield dict(wide)
        yield _doubled(plan, site, wide)
    yield from _uneven(plan.sites[site])
    host = _host_sizes(plan, site)
    if host:
        yield host
    if len(large) > 1:
        yield from ({root: value} for root, value in large.items())
    for turn in range(MIXED_SIZES):
        if sizes:
            # Different roots move through their values at different speeds, so shapes are not square.
            yield {item.root: item.values[(turn + 2 * place) % len(item.values)] for place, item in enumerate(sizes)}
        yield from _take(singles, 1)
    yield from singles
    for item in (*blocks, *sizes):
        for value in item.values:
            yield {item.root: value}


def _whole_blocks(plan: LaunchPlan, site: int, coupled: Mapping[str, Number]) -> dict[str, Number]:
    """Rows as long as a block has threads, where those are more than any other variant's whole tile; counts are one.

    Where each block stores a row without asking where it ends, shorter rows make blocks store over each other.
    """
    try:
        block = plan.instantiate(coupled, site).block
    except InvalidLaunch:
        return {}
    threads = block[0] if math.prod(block) == block[0] else 0
    roots = [root for root in plan.sites[site].roots if root.name not in coupled]
    if threads <= WHOLE_TILES[0] or not any(root.kind == "size" for root in roots):
        return {}
    chosen: dict[str, Number] = {root.name: threads for root in roots if root.kind == "size"}
    return {**chosen, **{root.name: root.multiple_of for root in roots if root.kind == "count"}}


def _doubled(plan: LaunchPlan, site: int, chosen: Mapping[str, Number]) -> dict[str, Number]:
    """``chosen`` with twice the sizes: a loop over pieces of a row then has a second round."""
    kinds = {root.name: root.kind for root in plan.sites[site].roots}
    return {name: value * (2 if kinds[name] == "size" else 1) for name, value in chosen.items()}


def _several_blocks(plan: LaunchPlan, site: int) -> dict[str, Number]:
    """Sizes well past one block, each different: a port that forgets the block index must not look right."""
    planned = plan.sites[site]
    try:
        launch = plan.instantiate({}, site)
    except InvalidLaunch:
        return {}
    sizes = [root for root in planned.roots if root.kind == "size"]
    # One dimension gets several whole blocks and a rest; with more dimensions their product must stay small.
    reach = math.prod(launch.block) * 3 + 1 if len(sizes) == 1 else max(*launch.block, 32) * 2 + 1
    chosen: dict[str, Number] = {}
    for place, root in enumerate(sizes):
        wanted = reach + 2 * place
        chosen[root.name] = -(-wanted // root.multiple_of) * root.multiple_of
    larger = {name: value for name, value in chosen.items() if value > guess_of(planned, name)}
    if not larger and math.prod(launch.grid) == 1:
        # A block covers more elements than it has threads, and the guess is one such tile.
        counted = {name for extent in planned.grid for name in roots_of(extent)}
        return {root.name: 2 * root.guess for root in sizes if root.name in counted}
    return larger


def _past_sixteen_bits(site: PlannedSite) -> dict[str, Number]:
    """One or two sizes whose elements number more than 2**16: indices and counts need all their bits."""
    sizes = [root for root in site.roots if root.kind == "size"]
    if not 1 <= len(sizes) <= 2:
        return {}
    wanted = (LARGE_ELEMENTS,) if len(sizes) == 1 else LARGE_SIDES
    return {
        root.name: -(-length // root.multiple_of) * root.multiple_of for root, length in zip(sizes, wanted, strict=True)
    }


def _multiples_of_four(sizes: Sequence[RootVariant], first: int) -> dict[str, Number]:
    """Every unconstrained size a different multiple of four, counts at their smallest."""
    chosen: dict[str, Number] = {}
    for item in sizes:
        if item.kind == "size" and not item.constrained:
            chosen[item.root] = first + 8 * len(chosen)
        elif item.kind == "count":
            chosen[item.root] = min(value for value in item.values if value > 0)
    return chosen


def _host_sizes(plan: LaunchPlan, site: int) -> dict[str, Number]:
    """The sizes that host code itself uses, where they are not the plan's guess: some kernels are made for one size."""
    known = {root.name: root.guess for root in plan.sites[site].roots}
    host = plan.host_values(site)
    return host if any(known[name] != value for name, value in host.items()) else {}


def _uneven(site: PlannedSite) -> Iterator[dict[str, Number]]:
    """Sizes that vector accesses do not divide: kernels with a scalar rest take its branches only then.

    Where a kernel has no such rest the oracle drops the launch, for reaching outside or for a misaligned access.
    """
    held = [root for root in site.roots if root.multiple_of > 1 and root.reason.startswith(VECTOR_REASON)]
    if held:
        yield {root.name: root.guess + 1 for root in held}
        yield {root.name: root.guess - 1 for root in held}


def guess_of(site: PlannedSite, name: str) -> Number:
    """The plan's guess for a root."""
    return next(root.guess for root in site.roots if root.name == name)


def _take(items: Iterator[dict[str, Number]], count: int) -> Iterator[dict[str, Number]]:
    for _ in range(count):
        item = next(items, None)
        if item is None:
            return
        yield item


def _single_values(
    variants: Sequence[RootVariant], extra: Mapping[str, Sequence[float]]
) -> Iterator[dict[str, Number]]:
    """One root at a time: values near what the kernel compares with first, then the plan's."""
    for root, values in extra.items():
        for value in values:
            yield {root: value}
    longest = max((len(item.values) for item in variants), default=0)
    for turn in range(longest):
        for item in variants:
            if turn < len(item.values):
                yield {item.root: item.values[turn]}


def _plain_root(expr: HostExpr) -> str | None:
    while isinstance(expr, HostOp) and expr.op.startswith("cast:"):
        expr = expr.args[0]
    return expr.name if isinstance(expr, HostRoot) else None


def _threshold_values(site: PlannedSite, thresholds: Mapping[str, tuple[float, ...]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for scalar in site.scalars:
        root = _plain_root(scalar.value)
        if root is None:
            continue
        for value in thresholds.get(scalar.name, ()):
            for near in (value, value + 1, value - 1):
                number = near if scalar.dtype.startswith(("float", "bfloat")) else int(near)
                found.setdefault(root, []).append(number)
    return found


def shorter_bounds(kernel: Kernel, launch: ConcreteLaunch) -> list[dict[str, float]]:
    """Bounds a little below the launch's, under the same geometry and buffers.

    Host code often has whole blocks only, so that a kernel's own guards never close; a smaller bound is valid wherever
    the larger one is, and shows whether the port has the guard.
    """
    bounds = [
        (name, int(launch.scalars[name]))
        for name in bounding_parameters(kernel)
        if name in launch.scalars and launch.scalars[name] > SHORTEST_BOUND
    ]
    made: list[dict[str, float]] = []
    for less in (1, 3):
        made += [{name: value - less} for name, value in bounds[:BOUND_LIMIT]]
        made += _smaller_products(kernel, launch, less)
    return made


def _smaller_products(kernel: Kernel, launch: ConcreteLaunch, less: int) -> list[dict[str, float]]:
    """Factors whose product is the launch's less a little: one takes all, so that it need not divide by the others."""
    made: list[dict[str, float]] = []
    for names in bounding_products(kernel)[:BOUND_LIMIT]:
        if all(name in launch.scalars for name in names):
            total = math.prod(int(launch.scalars[name]) for name in names)
            if SHORTEST_BOUND < total < 1 << 31:
                made.append({**dict.fromkeys(names, 1), names[-1]: total - less})
    return made


def _other_truths(kernel: Kernel, launch: ConcreteLaunch) -> list[dict[str, float]]:
    """Each bool parameter turned round: launches often pass a literal, and a port may have swapped the outcomes."""
    return [
        {parameter.name: int(not launch.scalars[parameter.name])}
        for parameter in kernel.params
        if isinstance(parameter, ScalarParam) and parameter.dtype == "bool" and parameter.name in launch.scalars
    ]


def _other_floats(kernel: Kernel, launch: ConcreteLaunch) -> dict[str, float]:
    """Float parameters near the launch's, with every bit of the mantissa in use.

    Host code likes 1, 2 and 0.5, with which a fused or a reordered product rounds like the original's.
    """
    return {
        parameter.name: rounded(float(launch.scalars[parameter.name]) * 1.3791357 + 0.0871537, parameter.dtype)
        for parameter in kernel.params
        if isinstance(parameter, ScalarParam) and is_float(parameter.dtype) and parameter.name in launch.scalars
    }
