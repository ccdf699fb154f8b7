"""Compare what original and port left behind: bit for bit, NaN positions strict, guard bands and inputs intact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from migrate.verify.case import Case, Root
from migrate.verify.casefiles import Bytes, guard_ranges, root_view
from migrate.verify.dtypes import bits_dtype, is_float, numpy_dtype
from migrate.verify.verdict import Difference, Metrics

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Comparison:
    """``equal``: nothing differs. ``guards``: first damaged guard byte of case.bin, or None.

    ``inputs_changed``: read-only roots whose bytes the port changed. ``differing_roots``: names, in order.
    """

    equal: bool
    metrics: Metrics
    first: Difference | None = None
    guards: int | None = None
    inputs_changed: tuple[str, ...] = ()
    differing_roots: tuple[str, ...] = ()


def unequal_elements(left: Array, right: Array, dtype: str) -> npt.NDArray[np.bool_]:
    """Which elements differ in bits, except that any NaN equals any NaN of a float dtype."""
    bits = bits_dtype(dtype)
    different: npt.NDArray[np.bool_] = left.view(bits) != right.view(bits)
    if is_float(dtype) and different.any():
        with np.errstate(all="ignore"):
            different &= ~(np.isnan(left.astype(np.float64)) & np.isnan(right.astype(np.float64)))
    return different


def ordered_bits(values: Array, dtype: str) -> npt.NDArray[np.int64]:
    """Floats as integers that count representable values in order (-0 and +0 are neighbours)."""
    width = numpy_dtype(dtype).itemsize * 8
    raw = values.view(np.dtype(f"int{width}")).astype(np.int64)
    if width == 64:
        return np.where(raw < 0, np.int64(-(2**63)) - raw - 1, raw)
    return np.where(raw < 0, -(raw + (1 << (width - 1))) - 1, raw)


def measure(left: Array, right: Array, dtype: str) -> Metrics:
    """Size of the disagreement of two arrays; non-finite elements count as differing, not into the sizes."""
    different = unequal_elements(left, right, dtype)
    count = int(different.sum())
    if not count:
        return Metrics(0, left.size)
    a, b = left[different], right[different]
    if not is_float(dtype):
        apart = max(abs(int(x) - int(y)) for x, y in zip(a[:1000], b[:1000], strict=True))
        return Metrics(count, left.size, 0, float(apart))
    with np.errstate(all="ignore"):
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        finite = np.isfinite(wide_a) & np.isfinite(wide_b)
        gap = float(np.abs(wide_a - wide_b)[finite].max(initial=0.0))
    steps = [
        abs(int(x) - int(y))
        for x, y in zip(ordered_bits(a[finite], dtype)[:1000], ordered_bits(b[finite], dtype)[:1000], strict=True)
    ]
    return Metrics(count, left.size, max(steps, default=0), gap)


def merge_metrics(left: Metrics, right: Metrics) -> Metrics:
    """Sums counts, keeps the worst sizes."""
    return Metrics(
        left.differing + right.differing,
        left.compared + right.compared,
        max(left.max_ulp, right.max_ulp),
        max(left.max_abs, right.max_abs),
    )


def _spelled(value: Any, dtype: str) -> str:
    array = np.asarray(value, dtype=numpy_dtype(dtype)).reshape(1)
    text = repr(array[0].item()) if dtype != "bfloat16" else repr(float(array[0]))
    return f"{text} (0x{int(array.view(bits_dtype(dtype))[0]):0{array.itemsize * 2}x})"


def damaged_guard(case: Case, before: Bytes, after: Bytes) -> int | None:
    """Position in case.bin of the first guard byte that changed."""
    for low, high in guard_ranges(case):
        changed = np.flatnonzero(before[low:high] != after[low:high])
        if changed.size:
            return low + int(changed[0])
    return None


def _tail_differs(left: Bytes, right: Bytes, root: Root) -> bool:
    """Bytes after the last whole element (a root of odd size under a wide dtype)."""
    whole = root.bytes // numpy_dtype(root.dtype).itemsize * numpy_dtype(root.dtype).itemsize
    low, high = root.start + whole, root.start + root.bytes
    return bool((left[low:high] != right[low:high]).any())


def compare_outputs(case: Case, before: Bytes, original: Bytes, port: Bytes) -> Comparison:
    """``before`` is case.bin, ``original`` and ``port`` are the files after each run, all of ``case.total_bytes``.

    Raises ValueError if a file has another length.
    """
    for name, data in (("case", before), ("original", original), ("port", port)):
        if data.size != case.total_bytes:
            raise ValueError(f"{name}: {data.size} bytes, {case.total_bytes} wanted")
    metrics = Metrics()
    first: Difference | None = None
    differing: list[str] = []
    changed_inputs: list[str] = []
    for root in case.roots:
        left, right = root_view(case, original, root), root_view(case, port, root)
        found = measure(left, right, root.dtype)
        metrics = merge_metrics(metrics, found)
        if found.differing or _tail_differs(original, port, root):
            differing.append(root.name)
            if first is None and found.differing:
                index = int(np.flatnonzero(unequal_elements(left, right, root.dtype))[0])
                first = Difference(
                    case.label,
                    root.name,
                    root.dtype,
                    index,
                    _spelled(left[index], root.dtype),
                    _spelled(right[index], root.dtype),
                )
        span = slice(root.start, root.start + root.bytes)
        if root.role == "in" and not np.array_equal(before[span], port[span]):
            changed_inputs.append(root.name)
    guards = damaged_guard(case, before, port)
    equal = not differing and guards is None and not changed_inputs
    return Comparison(equal, metrics, first, guards, tuple(changed_inputs), tuple(differing))


def undefined_bytes(case: Case, left: Bytes, right: Bytes) -> npt.NDArray[np.bool_] | None:
    """Which bytes belong to elements that two builds of the original leave different; None if there are none."""
    mask = np.zeros(case.total_bytes, dtype=np.bool_)
    for root in case.roots:
        unequal = unequal_elements(root_view(case, left, root), root_view(case, right, root), root.dtype)
        width = numpy_dtype(root.dtype).itemsize
        mask[root.start : root.start + unequal.size * width] = np.repeat(unequal, width)
        if _tail_differs(left, right, root):
            mask[root.start + unequal.size * width : root.start + root.bytes] = True
    return mask if mask.any() else None


def same_results(case: Case, left: Bytes, right: Bytes, names: Sequence[str] | None = None) -> bool:
    """Whether two result files agree in every root (or in ``names``) under the rules of `compare_outputs`."""
    for root in case.roots:
        if names is not None and root.name not in names:
            continue
        if unequal_elements(root_view(case, left, root), root_view(case, right, root), root.dtype).any():
            return False
        if _tail_differs(left, right, root):
            return False
    return True


def same_multisets(case: Case, left: Bytes, right: Bytes) -> bool:
    """Whether every integer root holds the same values in some order, and every float root is equal.

    The key is the element value: right for compaction and ticket kernels whose slots depend on order.
    """
    for root in case.roots:
        a, b = root_view(case, left, root), root_view(case, right, root)
        if is_float(root.dtype):
            if unequal_elements(a, b, root.dtype).any():
                return False
        elif not np.array_equal(np.sort(a), np.sort(b)):
            return False
    return True
