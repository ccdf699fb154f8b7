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
# of 2^-24 (64-bit: 2^-53). Kernels that compile only as a whole file run the device's own functions, of which __exp10f
# is the least exact in relation to its result: 2 + floor(2.97 * 38.53) = 116 ulp where the result is largest
# (docs/semantics.md), and an ulp is at most two units. A quotient or product of two such values is off by 464 units:
# 512 is the next power of two. It is no bound for all kernels: one that joins more such values, or that cancels them,
# may exceed it and then counts as disagreement; what it lets through is only ever a second opinion, and noted as such.
BOUND_ULP = 512
# For 16-bit floats: two values, each of which is off by one ulp of the type, so by two units.
BOUND_ULP_16 = 4
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
    """Whether float roots agree within the bound for their width, and all else exactly.

    The bound: `BOUND_ULP` (16-bit floats: `BOUND_ULP_16`) units of the root's largest finite value.
    """
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
    units = BOUND_ULP if digits >= 24 else BOUND_ULP_16
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
