"""Where results may lie on a device whose math functions are as far off as CUDA's documentation allows.

The oracle computes ``expf`` by libm, a device by its own approximation. So the original also runs with every such
result moved up, down, and by random parts of the documented error; the smallest and the largest value of each element
over these runs and the plain one are its envelope.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from migrate.oracle import api as oracle
from migrate.verify.case import Root
from migrate.verify.casefiles import Bytes, root_view
from migrate.verify.compare import unequal_elements
from migrate.verify.dtypes import is_float
from migrate.verify.trial import Accepted, OracleSession, read_bytes

RANDOM_RUNS = 30
MOVEMENTS: tuple[oracle.Moved, ...] = ("up", "down", *range(1, RANDOM_RUNS + 1))

_BOTH_WIDTHS = (
    "exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan sincos asin acos atan sinh cosh tanh asinh acosh atanh cbrt "
    "erf erfc lgamma tgamma j0 j1 y0 y1 jn yn pow atan2 hypot rsqrt rcbrt sinpi cospi sincospi normcdf erfcx rhypot "
    "norm3d rnorm3d norm4d rnorm4d"
)
_FAST = "exp exp10 log log2 log10 sin cos tan sincos tanh pow"
_SIXTEEN_BITS = "exp exp2 exp10 log log2 log10 sin cos rsqrt rcp tanh tanh_approx"
INEXACT = frozenset(
    (
        *_BOTH_WIDTHS.split(),
        *(name + "f" for name in _BOTH_WIDTHS.split()),
        *(f"__{name}f" for name in _FAST.split()),
        *(f"h{name}" for name in _SIXTEEN_BITS.split()),
        *(f"h2{name}" for name in _SIXTEEN_BITS.split()),
        "__fdividef",
        "__frsqrt_rn",
    )
)


@dataclass(frozen=True)
class Envelope:
    """Two result files in the layout of case.bin, and what a reader must know, a sentence each.

    An element of a float root is inside if it lies in [low, high]. Both NaN: it must be NaN; one of them NaN: only some
    runs gave NaN, and nothing can be said. Everything else (integers, guard bands) is the plain run's in both.
    """

    low: Bytes
    high: Bytes
    notes: tuple[str, ...] = ()


def inexact_names(text: str) -> list[str]:
    """Identifiers of ``text`` that are math functions whose error on a device is only bounded, sorted."""
    return sorted(INEXACT.intersection(re.findall(r"[A-Za-z_]\w*", text)))


def find_envelope(session: OracleSession, build: oracle.OracleBuild, item: Accepted) -> Envelope | None:
    """The envelope of an accepted case; ``build``: the same original, of kind ``moved``.

    None if the kernel has no function that could differ: none is named, and moving them changes nothing.
    """
    first, trouble = _moved_run(session, build, item, MOVEMENTS[0])
    if not inexact_names(build.text) and not trouble and np.array_equal(first, item.original):
        return None
    results, notes = [item.original], []
    for movement in MOVEMENTS:
        if movement != MOVEMENTS[0]:
            first, trouble = _moved_run(session, build, item, movement)
        if trouble:
            notes.append(trouble)
        else:
            results.append(first)
    low, high = item.original.copy(), item.original.copy()
    for root in item.case.roots:
        notes += _widen(item, root, results, low, high)
    return Envelope(low, high, tuple(notes))


def _moved_run(
    session: OracleSession, build: oracle.OracleBuild, item: Accepted, movement: oracle.Moved
) -> tuple[Bytes, str]:
    """Results of one run, settled like those of the port; or a sentence that says why there are none."""
    name = "moved.bin"
    done = session.run(build, item.folder, name, moved=movement)
    if done.status != "ok":
        return item.original, f"with math functions moved ({movement}) the original does not end: {done.message}"
    return item.settled(read_bytes(item.folder / name)), ""


def _widen(item: Accepted, root: Root, results: list[Bytes], low: Bytes, high: Bytes) -> Iterator[str]:
    """Sets the elements of one root in ``low`` and ``high``; yields notes."""
    plain = root_view(item.case, item.original, root)
    others = [root_view(item.case, result, root) for result in results[1:]]
    changed = [unequal_elements(plain, other, root.dtype) for other in others]
    if not any(mask.any() for mask in changed):
        return
    if not is_float(root.dtype):
        count = int(np.logical_or.reduce(changed).sum())
        yield f"{root.name}: {count} integers depend on the last bits of math functions"
        return
    below, above = _wide(plain), _wide(plain)
    ever, always = np.isnan(below), np.isnan(below)
    for other in others:
        values = _wide(other)
        below, above = np.fmin(below, values), np.fmax(above, values)
        ever, always = ever | np.isnan(values), always & np.isnan(values)
    undecided = ever & ~always
    if undecided.any():
        yield f"{root.name}: {int(undecided.sum())} elements are NaN in some runs only"
        below[undecided] = np.nan
    root_view(item.case, low, root)[...] = below.astype(plain.dtype)
    root_view(item.case, high, root)[...] = above.astype(plain.dtype)


def _wide(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """As float64, which holds every value of the narrower types."""
    with np.errstate(all="ignore"):
        return values.astype(np.float64)
