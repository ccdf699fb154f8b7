"""Launches for an audit, drawn at random from the plan: no list of favourite sizes, every root moves at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from migrate.analysis.launch_plan import ConcreteLaunch, InvalidLaunch, LaunchPlan, PlannedRoot, PlannedSite
from migrate.ir.host_eval import Number
from migrate.ir.kernel import Kernel, ScalarParam
from migrate.verify.dtypes import is_float
from migrate.verify.launch_setting import setting_of_launch, symbol_settings
from migrate.verify.scalars import rounded
from migrate.verify.setting import Setting

# Threads and bytes in all that a drawn launch may reach.
AUDIT_THREADS = 1 << 16
AUDIT_BYTES = 2 << 20
# Draws in a row without a valid launch, after which a plan is given up.
PATIENCE = 60
_LONGEST = {"size": 3000.0, "count": 12.0, "small": 9.0, "grid": 12.0}


def audit_settings(
    plan: LaunchPlan, kernel: Kernel, symbols: Sequence[tuple[str, int]], generator: np.random.Generator
) -> Iterator[Setting]:
    """Launches without end (the first keeps the plan's guesses), until `PATIENCE` draws in a row are invalid."""
    globals_ = symbol_settings(kernel, symbols)
    idle = number = 0
    while idle < PATIENCE:
        site = int(generator.integers(0, len(plan.sites))) if number else 0
        # Kernels made for one size are launched with it; the smaller the reach, the more launches are valid.
        reach = float(generator.choice([1.0, 1.0, 0.2]))
        overrides = _draw_roots(plan.sites[site], kernel, generator, reach) if number else {}
        number += 1
        try:
            launch = plan.instantiate(overrides, site)
        except InvalidLaunch:
            idle += 1
            continue
        if number > 1 and (launch.threads > AUDIT_THREADS or _bytes_of(launch) > AUDIT_BYTES):
            idle += 1
            continue
        idle = 0
        tuned = _draw_values(kernel, launch, generator) if number > 1 else {}
        setting = setting_of_launch(kernel, launch, globals_, overrides, site, tuned, base=False)
        yield setting


def _bytes_of(launch: ConcreteLaunch) -> int:
    sizes = {pointer.allocation: pointer.bytes or 0 for pointer in launch.pointers}
    return sum(sizes.values())


def _draw_roots(site: PlannedSite, kernel: Kernel, generator: np.random.Generator, reach: float) -> dict[str, Number]:
    """New values for most of the roots; now and then all sizes are one."""
    drawn: dict[str, Number] = {}
    square = generator.random() < 0.2
    common = _length(generator, _LONGEST["size"] * reach)
    coupled = {int(text) for text in kernel.template_args if text.isdigit()}
    for root in site.roots:
        if root.kind == "fixed" or generator.random() < 0.2:
            continue
        if root.kind == "size":
            length = common if square else _length(generator, _LONGEST["size"] * reach)
            drawn[root.name] = _multiple(length, root.multiple_of)
        elif root.kind in _LONGEST:
            drawn[root.name] = root.multiple_of * _length(generator, max(2.0, _LONGEST[root.kind] * reach))
        elif root.kind == "block":
            # A template argument that says the block size holds for every launch of this instantiation.
            if int(root.guess) not in coupled:
                drawn[root.name] = _multiple(int(generator.integers(1, 17)) * 32, root.multiple_of)
        elif root.kind == "flag":
            drawn[root.name] = int(generator.integers(0, 2))
        else:
            drawn[root.name] = _value(root, generator)
    return drawn


def _length(generator: np.random.Generator, longest: float) -> int:
    """Log-uniform, or next to a power of two."""
    drawn = int(np.exp(generator.uniform(0.0, np.log(max(longest, 2.0)))))
    if generator.random() < 0.4:
        drawn = (1 << int(generator.integers(0, max(1, drawn.bit_length() + 1)))) + int(generator.integers(-1, 2))
    return max(1, drawn)


def _multiple(length: int, of: int) -> int:
    return max(of, length // of * of)


def _value(root: PlannedRoot, generator: np.random.Generator) -> Number:
    if root.dtype.startswith(("float", "bfloat")):
        return float(generator.standard_normal() * 2.0 ** generator.integers(-4, 4))
    if root.dtype == "bool":
        return int(generator.integers(0, 2))
    low = 0 if root.dtype.startswith("uint") else -3
    return int(generator.integers(low, 2 ** int(generator.integers(2, 9))))


def _draw_values(kernel: Kernel, launch: ConcreteLaunch, generator: np.random.Generator) -> dict[str, float]:
    """Other values for float and bool parameters, whether or not the launch names a host value for them."""
    tuned: dict[str, float] = {}
    for parameter in kernel.params:
        if not isinstance(parameter, ScalarParam) or parameter.name not in launch.scalars:
            continue
        if is_float(parameter.dtype) and generator.random() < 0.5:
            factor = float(generator.uniform(0.25, 2.0))
            tuned[parameter.name] = rounded(float(launch.scalars[parameter.name]) * factor, parameter.dtype)
        elif parameter.dtype == "bool" and generator.random() < 0.5:
            tuned[parameter.name] = int(generator.integers(0, 2))
    return tuned
