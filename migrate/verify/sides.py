"""The two sides of a verification: what the original does on generated cases, and what a port does on the same cases.

The original's side is gathered once; any number of ports (another engine, a variant, a mutant) can then be held
against it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from migrate.analysis.cas_reads import checked_reads
from migrate.diagnostics import Refusal, make
from migrate.ir.kernel import Atomic, Kernel, MathCall
from migrate.oracle import api as oracle
from migrate.verify.casefiles import Bytes
from migrate.verify.compare import compare_outputs, same_multisets
from migrate.verify.dtypes import is_float
from migrate.verify.evidence import ComparedCase, Evidence
from migrate.verify.float_words import keeps_floats_as_words, with_same_nans
from migrate.verify.generator import Recipe, recipes
from migrate.verify.geometries import other_geometries
from migrate.verify.inputs import KernelInputs
from migrate.verify.judge import HARMLESS_EVENT
from migrate.verify.observe import union_arcs
from migrate.verify.port_process import PortCase, PortJob, PortOutcome, run_port
from migrate.verify.request import VerifyRequest
from migrate.verify.schedules import OrderReport, order_report
from migrate.verify.search import SearchResult, discard, search_cases
from migrate.verify.setting import Setting
from migrate.verify.signature import signature_mismatch
from migrate.verify.thresholds import find_thresholds, walk
from migrate.verify.trial import Accepted, Dropped, OracleSession, read_bytes, try_recipe
from migrate.verify.unreachable import Excuser
from migrate.verify.user_cases import try_user_case
from migrate.verify.verdict import Status, Verdict
from migrate.verify.witness import Witness, ask_host

# Share of the time limit that may go into the search for cases; the rest belongs to schedules and the port.
SEARCH_SHARE = 0.6
# Launches of the plan that are held against what host code does when it runs: a third of a second each.
HOST_SITES = 1
# Engines that can run a port in mirrored order.
MIRRORING_ENGINES = frozenset({"native", "tir"})


@dataclass
class OriginalSide:
    """Everything about the original: builds, settings, accepted cases with results, and its dependence on order.

    ``geometry``: why the cases are launches under other blocks than the plan's (see `geometries`); mostly empty.
    ``reads_past``: folder of a case -> whether the original as written reads past a buffer in it (None: unknown).
    """

    run_build: oracle.OracleBuild
    check_build: oracle.OracleBuild
    session: OracleSession
    settings: list[Setting]
    excuser: Excuser
    found: SearchResult
    order: OrderReport
    witness: Witness
    geometry: str = ""
    reads_past: dict[Path, bool | None] = field(default_factory=dict)


def early_verdict(request: VerifyRequest, status: Status, code: str, message: str) -> Verdict:
    """A verdict without any case."""
    oracle_name = None if status == "not_run" else "shim"
    diagnostic = make(code, message, request.kernel.span)
    return Verdict(request.kernel.id, request.kernel.symbol, status, oracle=oracle_name, diagnostics=(diagnostic,))


def gather_original(
    request: VerifyRequest, inputs: KernelInputs, run_build: oracle.OracleBuild, scratch: Path, started: float
) -> OriginalSide | Verdict:
    """Builds, searches cases and tries other schedules; a `Verdict` when that is not possible.

    ``started`` (on `time.monotonic`): when the kernel's time limit began. Raises OracleError TLM707 for a case that
    does not fit the compiled kernel.
    """
    kernel, options = request.kernel, request.options
    mismatch = signature_mismatch(kernel, run_build.signature)
    if mismatch:
        return early_verdict(request, "inconclusive", "TLM733", mismatch)
    try:
        check_build = oracle.build(inputs.oracle_request, "check", run_build.engine)
        witness = ask_host(kernel, inputs.plan, inputs.oracle_request, HOST_SITES if options.record_host else 0)
        settings = inputs.settings(run_build.symbols, witness.differing)
    except oracle.OracleError as error:
        return early_verdict(request, "not_run", "TLM720", f"{error.message} [{error.code}]")
    except Refusal as error:
        verdict = early_verdict(request, "inconclusive", error.diagnostic.code, "")
        return replace(verdict, diagnostics=(error.diagnostic,))
    session = OracleSession(
        run_build,
        check_build,
        scratch,
        hints=inputs.hints,
        checked_reads=checked_reads(kernel),
        thresholds=find_thresholds(kernel).data,
        timeout_s=options.case_timeout_s,
        memory_bytes=options.memory_bytes,
    )
    excuser = Excuser.for_kernel(kernel, [setting for setting in settings if setting.planned])
    deadline = started + SEARCH_SHARE * options.time_limit_s
    found = search_cases(session, recipes(settings, options.seed), options.cases, excuser, deadline)
    geometry = ""
    if not found.accepted and not found.out_of_time:
        dropped = [item.reason for _, item in found.dropped]
        for other in other_geometries(kernel, inputs.plan, run_build.symbols, settings, dropped):
            if not _runs_cleanly(session, next(recipes(other.settings, options.seed)), deadline):
                continue
            settings, geometry = other.settings, other.reason
            excuser = Excuser.for_kernel(kernel, [setting for setting in settings if setting.planned])
            again = search_cases(session, recipes(settings, options.seed), options.cases, excuser, deadline)
            found = replace(again, dropped=[*found.dropped, *again.dropped])
            break
    add_user_cases(session, found, options.extra_cases)
    order = order_report(session, found.accepted, atomics=has_atomics(kernel))
    return OriginalSide(run_build, check_build, session, settings, excuser, found, order, witness, geometry)


def _runs_cleanly(session: OracleSession, recipe: Recipe, deadline: float) -> bool:
    """Whether one case is accepted, and time is left for more."""
    item = try_recipe(session, recipe)
    if isinstance(item, Dropped):
        return False
    discard(item)
    return time.monotonic() < deadline


def add_user_cases(session: OracleSession, found: SearchResult, folders: Sequence[Path]) -> None:
    """Runs the user's cases and adds them to ``found``; they are never left out for the sake of time."""
    for folder in folders:
        try:
            item = try_user_case(session, folder)
        except oracle.OracleError as error:
            item = Dropped("does not fit the kernel", f"{folder}: {error.message}")
        if isinstance(item, Dropped):
            found.dropped.append((str(folder), item))
        else:
            found.accepted.append(item)
            united = union_arcs(len(found.arcs_taken), [item.arcs_taken])
            found.arcs_taken = [new or old for new, old in zip(united, found.arcs_taken, strict=True)]


@dataclass(frozen=True)
class PlannedRun:
    """One run that a port owes: a case, and the case again in mirrored order with what the original left then."""

    expected: Accepted
    port: PortCase


def planned_runs(accepted: Sequence[Accepted], order: OrderReport, engine: str, tag: str = "port") -> list[PlannedRun]:
    """Every accepted case in contract order, then those mirrored of which the original's result is known.

    A barrier that the port lacks may show in one order only. ``tag``: part of the names of result files.
    """
    runs = [PlannedRun(item, PortCase(item.case, item.folder, item.folder / f"{tag}.bin")) for item in accepted]
    if engine not in MIRRORING_ENGINES:
        return runs
    for position, result in sorted(order.mirrored.items()):
        runs.append(_mirrored(accepted[position], result, tag))
    return runs


def _mirrored(item: Accepted, result: Bytes, tag: str) -> PlannedRun:
    case = replace(item.case, label=f"{item.case.label}, reversed order")
    expected = replace(item, case=case, original=result)
    return PlannedRun(expected, PortCase(case, item.folder, item.folder / f"{tag}_reversed.bin", "reversed"))


def compare_run(expected: Accepted, outcome: PortOutcome, result: Path, *, float_words: bool = False) -> ComparedCase:
    """``outcome`` and the bytes in ``result`` held against the original's. ``float_words``: see that module."""
    if outcome.status != "ok":
        return ComparedCase(expected, outcome)
    port = expected.settled(read_bytes(result))
    if float_words:
        port = with_same_nans(expected.case, expected.original, port)
    comparison = compare_outputs(expected.case, expected.before, expected.original, port)
    multisets = not comparison.equal and same_multisets(expected.case, expected.original, port)
    return ComparedCase(expected, outcome, comparison, multisets)


def run_port_side(
    request: VerifyRequest,
    inputs: KernelInputs,
    accepted: Sequence[Accepted],
    order: OrderReport,
    scratch: Path,
    engine: str,
) -> tuple[list[ComparedCase], float]:
    """The port on all accepted cases, and CPU seconds. Those in mirrored order stand behind the others."""
    if not accepted:
        return [], 0.0
    options = request.options
    job = PortJob(request.port_dir, request.port_module, inputs.launcher, inputs.parameters, engine)
    runs = planned_runs(accepted, order, engine)
    try:
        done = run_port(
            job,
            [run.port for run in runs],
            scratch / "port",
            timeout_s=options.case_timeout_s,
            memory_bytes=options.memory_bytes,
        )
    except ValueError as error:
        outcome = PortOutcome("raised", str(error))
        return [ComparedCase(run.expected, outcome) for run in runs], 0.0
    words = keeps_floats_as_words(request.kernel)
    return [
        compare_run(run.expected, outcome, run.port.output, float_words=words)
        for run, outcome in zip(runs, done.outcomes, strict=True)
    ], done.cpu_s


def evidence_of(
    kernel: Kernel,
    inputs: KernelInputs,
    side: OriginalSide,
    compared: Sequence[ComparedCase],
    engine: str,
    port_cpu_s: float = 0.0,
) -> Evidence:
    """Both sides put together for the judge. ``compared``: as `run_port_side` gives it."""
    found, session, plan = side.found, side.session, inputs.plan
    count = len(found.accepted)
    compared = [_with_reads(side, item) for item in compared]
    return Evidence(
        kernel_id=kernel.id,
        symbol=kernel.symbol,
        span=kernel.span,
        cases=compared[:count],
        mirrored=compared[count:],
        dropped=found.dropped,
        arcs=side.run_build.arcs,
        arcs_taken=found.arcs_taken,
        excused=side.excuser.excused(side.run_build.arcs, found.arcs_taken),
        order=side.order,
        engine=engine,
        fast_math=fast_math(kernel),
        enlarged=session.enlarged,
        provenance=[
            *(note for item in found.accepted for note in item.case.provenance),
            *(f"host code, when run, launches as planned ({plan.sites[n].place})" for n in side.witness.agreeing),
        ],
        out_of_time=found.out_of_time,
        cpu_s=session.cpu_s + port_cpu_s + side.check_build.cpu_s,
        oracle=side.run_build.engine,
        geometry=side.geometry,
    )


def _with_reads(side: OriginalSide, item: ComparedCase) -> ComparedCase:
    """``item`` with the original's own reads past buffers, where the port makes some."""
    if not any(event.startswith(HARMLESS_EVENT) for event in item.outcome.events):
        return item
    folder = item.accepted.folder
    if folder not in side.reads_past:
        side.reads_past[folder] = _reads_past(side, item.accepted)
    return replace(item, original_reads_past=side.reads_past[folder])


def _reads_past(side: OriginalSide, item: Accepted) -> bool | None:
    """Runs the original without its compiler's optimisations, which leave out loads that nothing uses."""
    if side.run_build.engine != "shim":
        return None
    try:
        literal = oracle.build(side.run_build.request, "literal")
        run = side.session.run(literal, item.folder, "literal.bin")
    except oracle.OracleError:
        return None
    run.output.unlink(missing_ok=True)
    if run.status not in ("ok", "out_of_bounds") or not run.root_extents:
        return None
    sizes = {root.name: root.bytes for root in item.case.roots}
    reached = {name: extent.read_hi for name, extent in run.root_extents.items()}
    return any(reach is not None and reach > sizes[name] for name, reach in reached.items())


def has_atomics(kernel: Kernel) -> bool:
    """Whether the kernel or a device function of it changes memory atomically."""
    bodies = (kernel.body, *(function.body for function in kernel.functions))
    return any(isinstance(node, Atomic) for node in walk(bodies))


_APPROXIMATE = frozenset({"rsqrtf", "rsqrt"})


def fast_math(kernel: Kernel) -> tuple[str, ...]:
    """Names of calls that a device computes by its own approximation."""
    bodies = (kernel.body, *(function.body for function in kernel.functions))
    names = {
        node.name
        for node in walk(bodies)
        if isinstance(node, MathCall)
        and is_float(node.dtype)
        and (node.name in _APPROXIMATE or (node.name.startswith("__") and not node.name.endswith(("_rn", "_rz"))))
    }
    return tuple(sorted(names))
