"""Other launches for originals that no launch of the plan lets run cleanly.

Four kinds only. A kernel that never ends may be one for rows longer than a block, because it counts down from their
end in unsigned numbers. A block that is no whole number of warps leaves shuffles lanes that no thread runs: what they
give is undefined, whole warps are not. A block that was guessed, because nothing launches the kernel, may be one that
it was not written for. And where thread numbers alone make arithmetic undefined (``1 << threadIdx.x``), the first
threads are still defined.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from migrate.analysis.launch_plan import InvalidLaunch, LaunchPlan, synthetic_plan
from migrate.analysis.synthesis import static_extents, template_sizes
from migrate.diagnostics import Refusal
from migrate.ir.host_eval import Number, roots_of
from migrate.ir.kernel import Kernel
from migrate.verify.launch_setting import setting_of_launch, symbol_settings
from migrate.verify.plan_settings import SITE_LIMIT, VARIANT_THREADS, settings_from_plan, shorter_bounds
from migrate.verify.setting import Setting
from migrate.verify.thresholds import find_thresholds, walk

WARP = 32
LARGEST_BLOCK = 1024
INACTIVE_LANE = "inactive_lane"
TIMED_OUT = "timed_out"
# Elements of a long row: eight or more for every thread of the largest block, and numbers that vectors do not divide.
LONG_ROWS = (1 << 13, 1 << 14, (1 << 14) + 11, (1 << 13) + 8, 12_345)
EVENT = "event "
# A signed shift by 31 is defined as well, but 1 << 31 is no int.
FEW_THREADS = 31
Block = tuple[int, int, int]
_FLAT: tuple[int, ...] = (128, 256, 64, 32, 512, 1024)
_SQUARES: tuple[Block, ...] = ((16, 16, 1), (32, 32, 1), (8, 8, 1), (32, 8, 1), (32, 4, 1), (4, 4, 1))


@dataclass(frozen=True)
class Geometry:
    """Launches unlike the plan's. ``reason``: a sentence for the verdict, empty where only sizes differ."""

    settings: list[Setting]
    reason: str = ""


def other_geometries(
    kernel: Kernel,
    plan: LaunchPlan,
    symbols: Sequence[tuple[str, int]],
    settings: Sequence[Setting],
    dropped: Sequence[str],
) -> Iterator[Geometry]:
    """Geometries worth a try after no launch was accepted. ``settings``: those tried; ``dropped``: why, one each."""
    if TIMED_OUT in dropped:
        if long := _long_rows(kernel, plan, symbols):
            yield Geometry(long)
        return
    synthetic = bool(plan.sites) and all(site.place == "synthetic" for site in plan.sites)
    if not synthetic:
        if INACTIVE_LANE in dropped and (whole := _whole_warps(settings)):
            yield Geometry(whole, "shuffles of the original read lanes that no thread of the host's block runs")
        yield from _first_threads(settings, dropped)
        return
    tried = {setting.block for setting in settings}
    for block in _blocks(kernel):
        if block in tried or math.prod(block) > (kernel.launch_bounds[0] if kernel.launch_bounds else LARGEST_BLOCK):
            continue
        other = synthetic_plan(kernel, block)
        try:
            found = settings_from_plan(other, kernel, symbols, find_thresholds(kernel).scalars)
        except Refusal:
            continue
        yield Geometry(
            found, f"nothing launches the kernel, and no case was clean under the block first guessed {_shape(tried)}"
        )
    yield from _first_threads(settings, dropped)


def _first_threads(settings: Sequence[Setting], dropped: Sequence[str]) -> Iterator[Geometry]:
    """One block of a warp, where every launch was dropped for arithmetic that C++ leaves undefined."""
    if not dropped or any(not reason.startswith(EVENT) for reason in dropped):
        return
    found: dict[tuple[object, ...], Setting] = {}
    for setting in settings:
        label = f"{setting.label}, one block of {FEW_THREADS}"
        made = replace(setting, grid=(1, 1, 1), block=(FEW_THREADS, 1, 1), label=label, stated=False)
        found.setdefault(made.key(), made)
    yield Geometry(list(found.values()), f"with more threads every launch has {', '.join(sorted(set(dropped)))}")


def _long_rows(kernel: Kernel, plan: LaunchPlan, symbols: Sequence[tuple[str, int]]) -> list[Setting]:
    """Launches with few blocks and long rows: every size that the grid does not depend on is large."""
    globals_ = symbol_settings(kernel, symbols)
    found: dict[tuple[object, ...], Setting] = {}
    for length in LONG_ROWS:
        for site, planned in enumerate(plan.sites[:SITE_LIMIT]):
            counted = {name for extent in planned.grid for name in roots_of(extent)}
            overrides: dict[str, Number] = {}
            for root in planned.roots:
                if root.kind == "size" and root.name not in counted:
                    overrides[root.name] = -(-length // root.multiple_of) * root.multiple_of
                elif root.kind in ("size", "count", "grid"):
                    overrides[root.name] = 3 * root.multiple_of
            try:
                launch = plan.instantiate(overrides, site)
            except InvalidLaunch:
                continue
            if launch.threads > VARIANT_THREADS or max(overrides.values(), default=0) < LONG_ROWS[0]:
                continue
            # Bounds a little smaller come early: vectors do not divide them, while rows still start aligned.
            for tuned in ({}, *shorter_bounds(kernel, launch)) if not found else ({},):
                setting = setting_of_launch(kernel, launch, globals_, overrides, site, tuned, base=not found)
                found.setdefault(setting.key(), setting)
    return list(found.values())


def _shape(blocks: set[Block]) -> str:
    return ", ".join("×".join(map(str, block)) for block in sorted(blocks))


def _whole_warps(settings: Sequence[Setting]) -> list[Setting]:
    """``settings`` with blocks rounded up to whole warps along x, those that change nothing left out."""
    found: dict[tuple[object, ...], Setting] = {}
    for setting in settings:
        x, y, z = setting.block
        step = WARP // math.gcd(WARP, y * z)
        wide = (-(-x // step) * step, y, z)
        if wide == setting.block or math.prod(wide) > LARGEST_BLOCK:
            continue
        label = f"{setting.label}, block {'×'.join(map(str, wide))}"
        made = replace(setting, block=wide, label=label, stated=False)
        found.setdefault(made.key(), made)
    return list(found.values())


def _blocks(kernel: Kernel) -> list[Block]:
    """Blocks that the kernel's text suggests, then usual ones."""
    axes = {node.axis for node in walk((kernel.body, kernel.functions)) if getattr(node, "kind", "") == "threadIdx"}
    arrays = [extents[0] for extents in static_extents(kernel) if len(extents) == 1]
    sizes = template_sizes(kernel)
    if axes & {"y", "z"}:
        squares = [(size, size, 1) for size in sizes if 4 <= size <= WARP]
        return list(dict.fromkeys([*squares, *_SQUARES]))
    # One element a warp is as usual a shared array as one element a thread.
    named = [*sizes, *(size * WARP for size in arrays), *arrays]
    flat = [size for size in named if WARP <= size <= LARGEST_BLOCK and size % WARP == 0]
    return list(dict.fromkeys((size, 1, 1) for size in (*flat, *_FLAT)))
