"""A second opinion on the original: the same accepted cases under the other oracle engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from migrate.diagnostics import make
from migrate.ir.span import Span
from migrate.oracle import api as oracle
from migrate.verify.case import Case
from migrate.verify.casefiles import Bytes, root_view
from migrate.verify.compare import compare_outputs, same_results, unequal_elements
from migrate.verify.dtypes import is_float, numpy_dtype
from migrate.verify.trial import Accepted, read_bytes
from migrate.verify.verdict import Verdict

# Where device functions are not those of libm, engines may differ by this share of a buffer's largest value, in units
# of its type's precision: three times what __expf of a large argument may be off (docs/verification.md).
BOUND_ULP = 512
# What the engine for PTX marks such kernels with, see `migrate.oracle.ptx.building`.
INEXACT = "inexact"


@dataclass(frozen=True)
class SecondOpinion:
    """``disagreement``: a sentence about the first case on which the engines differ, or empty.

    ``missing``: why there is no second opinion, or empty. ``bounded``: cases that agree within `BOUND_ULP` only.
    """

    cases: int = 0
    disagreement: str = ""
    missing: str = ""
    bounded: int = 0
    cpu_s: float = 0.0


def ask_ptx(
    request: oracle.OracleRequest, accepted: Sequence[Accepted], *, timeout_s: float, memory_bytes: int
) -> SecondOpinion:
    """Runs the cases through PTX as the CUDA compiler optimises it and compares with what engine S found."""
    try:
        built = oracle.build(request, "check", "ptx")
    except oracle.OracleError as error:
        return SecondOpinion(missing=f"{error.message} [{error.code}]")
    cpu_s, bounded = built.cpu_s, 0
    for number, item in enumerate(accepted):
        try:
            run = oracle.run(
                built, item.folder, item.folder / "ptx.bin", timeout_s=timeout_s, memory_bytes=memory_bytes
            )
        except oracle.OracleError as error:
            return SecondOpinion(number, missing=f"{error.message} [{error.code}]", cpu_s=cpu_s)
        cpu_s += run.cpu_s
        where = item.case.label
        if run.status == "timed_out":
            return SecondOpinion(number, missing=f"{where}: {run.message}", bounded=bounded, cpu_s=cpu_s)
        if run.status != "ok":
            return SecondOpinion(number, f"{where}: as PTX the original ends otherwise: {run.message or run.status}",
                                 bounded=bounded, cpu_s=cpu_s)  # fmt: skip
        other = item.settled(read_bytes(run.output))
        run.output.unlink(missing_ok=True)
        if same_results(item.case, item.original, other):
            continue
        if INEXACT in built.uses and within_bound(item.case, item.original, other):
            bounded += 1
            continue
        return SecondOpinion(number, f"{where}: {_difference(item, other)}", bounded=bounded, cpu_s=cpu_s)
    return SecondOpinion(len(accepted), bounded=bounded, cpu_s=cpu_s)


def _difference(item: Accepted, other: Bytes) -> str:
    first = compare_outputs(item.case, item.before, item.original, other).first
    if first is None:
        return "the results differ"
    return f"{first.root}, element {first.index}: {first.original} by the text, {first.port} by its PTX"


def within_bound(case: Case, left: Bytes, right: Bytes) -> bool:
    """Whether float roots agree within `BOUND_ULP` of their largest finite value, and all else exactly."""
    for root in case.roots:
        a, b = root_view(case, left, root), root_view(case, right, root)
        different = unequal_elements(a, b, root.dtype)
        if not different.any():
            continue
        if not is_float(root.dtype) or not _close(a, b, different, root.dtype):
            return False
    return True


def _close(a: npt.NDArray[Any], b: npt.NDArray[Any], different: npt.NDArray[np.bool_], dtype: str) -> bool:
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(wide_a) & np.isfinite(wide_b)
    if (different & ~finite).any():
        return False
    digits = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}.get(numpy_dtype(dtype).name, 24)
    largest = float(np.abs(wide_a[finite]).max(initial=0.0))
    # A 16-bit result is off by a few of its own units only.
    units = BOUND_ULP if digits >= 24 else 4
    return bool((np.abs(wide_a - wide_b)[different] <= units * 2.0**-digits * largest).all())


def with_second_opinion(verdict: Verdict, opinion: SecondOpinion, span: Span | None) -> Verdict:
    """The verdict in the light of the other engine: what rests on a result that the two dispute is inconclusive."""
    verdict = replace(verdict, cpu_s=round(verdict.cpu_s + opinion.cpu_s, 3))
    if opinion.disagreement:
        told = make("TLM755", opinion.disagreement, span)
        disputed = verdict.status == "passed" or (verdict.status == "failed" and _by_comparison(verdict))
        status = "inconclusive" if disputed else verdict.status
        return replace(verdict, status=status, oracle="shim,ptx", diagnostics=(*verdict.diagnostics, told))
    if opinion.missing:
        return replace(verdict, diagnostics=(*verdict.diagnostics, make("TLM756", opinion.missing, span)))
    notes = verdict.notes
    if opinion.bounded:
        notes = (*notes, f"shim and ptx agree within a bound, not bit for bit, on {opinion.bounded} cases")
    return replace(verdict, oracle="shim,ptx", notes=notes)


def _by_comparison(verdict: Verdict) -> bool:
    return any(item.code == "TLM721" for item in verdict.diagnostics)
