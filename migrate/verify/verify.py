"""Verify one kernel: original and port side by side on generated cases, then the judgement."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from migrate.diagnostics import Diagnostic, Refusal, make
from migrate.ir.kernel import Atomic, Kernel, MathCall
from migrate.oracle import api as oracle
from migrate.verify.cache import load_verdict, store_verdict, verdict_key
from migrate.verify.compare import compare_outputs, same_multisets
from migrate.verify.dtypes import is_float
from migrate.verify.evidence import ComparedCase, Evidence
from migrate.verify.forcing import force_arcs
from migrate.verify.generator import recipes
from migrate.verify.inputs import KernelInputs, inputs_from_request
from migrate.verify.judge import judge, lacks_only_arcs
from migrate.verify.observe import union_arcs
from migrate.verify.port_process import PortCase, PortJob, PortOutcome, run_port
from migrate.verify.request import VerifyRequest
from migrate.verify.schedules import order_report
from migrate.verify.search import SearchResult, search_cases
from migrate.verify.second import ask_ptx, with_second_opinion
from migrate.verify.signature import signature_mismatch
from migrate.verify.thresholds import find_thresholds, walk
from migrate.verify.trial import Accepted, Dropped, OracleSession, read_bytes
from migrate.verify.unreachable import Excuser
from migrate.verify.user_cases import try_user_case
from migrate.verify.verdict import Status, Verdict
from migrate.verify.witness import ask_host

# Share of the time limit that may go into the search for cases; the rest belongs to schedules and the port.
SEARCH_SHARE = 0.6
FORCING_SHARE = 0.9
# Launches of the plan that are held against what host code does when it runs: a third of a second each.
HOST_SITES = 1


def verify_kernel(request: VerifyRequest) -> Verdict:
    """The verdict on one instantiation and its port; from the cache where nothing changed.

    Never raises for what the original or the port does; OSError when the scratch folder cannot be written.
    """
    started = time.monotonic()
    cpu_before = _own_cpu()
    try:
        inputs = inputs_from_request(request)
        run_build, told = original_build(inputs.oracle_request, request.options.oracle)
    except oracle.OracleError as error:
        place = replace(request.kernel.span, line=error.line) if error.line else request.kernel.span
        detail = make("TLM720", f"{error.message} [{error.code}]", place)
        return _early(request, "not_run", detail)
    except Refusal as error:
        return _early(request, "inconclusive", error.diagnostic)
    key = verdict_key(
        run_build.text,
        inputs.port_text,
        inputs.launcher_text,
        inputs.plan_text,
        request.kernel.symbol,
        request.options,
    )
    if request.options.use_cache and request.options.bundle is None and (known := load_verdict(key)) is not None:
        return known
    try:
        verdict = _verify(request, inputs, run_build, started)
    except oracle.OracleError as error:  # a case that does not fit the compiled kernel
        return _early(request, "inconclusive", make("TLM733", f"{error.message} [{error.code}]", request.kernel.span))
    if told:
        alone = make("TLM757", told, request.kernel.span)
        verdict = replace(verdict, diagnostics=(*verdict.diagnostics, alone))
    verdict = replace(verdict, cpu_s=round(verdict.cpu_s + _own_cpu() - cpu_before + run_build.cpu_s, 3))
    store_verdict(key, verdict)
    return verdict


def original_build(request: oracle.OracleRequest, wanted: str) -> tuple[oracle.OracleBuild, str]:
    """The build that judges, and a sentence where PTX serves alone because the shim engine cannot build the original.

    ``wanted``: see `VerifyOptions.oracle`. Raises OracleError: the shim's where both engines fail.
    """
    if wanted == "ptx":
        return oracle.build(request, "run", "ptx"), ""
    try:
        return oracle.build(request, "run"), ""
    except oracle.OracleError as error:
        if wanted == "shim":
            raise
        try:
            return oracle.build(request, "run", "ptx"), f"{error.message} [{error.code}]"
        except oracle.OracleError as other:
            message = f"{error.message}; as PTX: {other.message} [{other.code}]"
            raise oracle.OracleError(error.code, message, error.line, error.detail) from other


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _early(request: VerifyRequest, status: Status, diagnostic: Diagnostic) -> Verdict:
    oracle_name = None if status == "not_run" else "shim"
    return Verdict(request.kernel.id, request.kernel.symbol, status, oracle=oracle_name, diagnostics=(diagnostic,))


def _verify(request: VerifyRequest, inputs: KernelInputs, run_build: oracle.OracleBuild, started: float) -> Verdict:
    kernel, options = request.kernel, request.options
    mismatch = signature_mismatch(kernel, run_build.signature)
    if mismatch:
        return _early(request, "inconclusive", make("TLM733", mismatch, kernel.span))
    try:
        check_build = oracle.build(inputs.oracle_request, "check", run_build.engine)
        witness = ask_host(kernel, inputs.plan, inputs.oracle_request, HOST_SITES if options.record_host else 0)
        settings = inputs.settings(run_build.symbols, witness.differing)
    except oracle.OracleError as error:
        return _early(request, "not_run", make("TLM720", f"{error.message} [{error.code}]", kernel.span))
    except Refusal as error:
        return _early(request, "inconclusive", error.diagnostic)
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        session = OracleSession(
            run_build,
            check_build,
            Path(folder),
            hints=inputs.hints,
            thresholds=find_thresholds(kernel).data,
            timeout_s=options.case_timeout_s,
            memory_bytes=options.memory_bytes,
        )
        excuser = Excuser.for_kernel(kernel, settings)
        found = search_cases(
            session,
            recipes(settings, options.seed),
            options.cases,
            excuser,
            started + SEARCH_SHARE * options.time_limit_s,
        )
        add_user_cases(session, found, options.extra_cases)
        order = order_report(session, found.accepted, atomics=_has_atomics(kernel))
        cases, port_cpu = _run_port(request, inputs, found, Path(folder), options.engine)
        if options.bundle is not None and found.accepted:
            _bundle(request, inputs, session, found)
        evidence = Evidence(
            kernel_id=kernel.id,
            symbol=kernel.symbol,
            span=kernel.span,
            cases=cases,
            dropped=found.dropped,
            arcs=run_build.arcs,
            arcs_taken=found.arcs_taken,
            excused=excuser.excused(run_build.arcs, found.arcs_taken),
            order=order,
            engine=options.engine,
            fast_math=_fast_math(kernel),
            enlarged=session.enlarged,
            provenance=[
                *(note for item in found.accepted for note in item.case.provenance),
                *(f"host code, when run, launches as planned ({inputs.plan.sites[n].place})" for n in witness.agreeing),
            ],
            out_of_time=found.out_of_time,
            cpu_s=session.cpu_s + port_cpu + check_build.cpu_s,
            oracle=run_build.engine,
        )
        verdict = judge(evidence)
        if options.force_arcs and run_build.engine == "shim" and lacks_only_arcs(verdict):
            # In time for a variant to be built and run before this kernel's limit.
            deadline = started + FORCING_SHARE * options.time_limit_s
            forced = force_arcs(request, inputs, session, found.accepted, evidence.missing_arcs(), deadline)
            cpu_s = session.cpu_s + port_cpu + check_build.cpu_s
            evidence = replace(evidence, forced=forced.covered, not_forced=forced.reasons, cpu_s=cpu_s)
            verdict = judge(evidence)
        for engine in options.further_engines if found.accepted else ():
            again, more_cpu = _run_port(request, inputs, found, Path(folder), engine)
            evidence = replace(evidence, cases=again, engine=engine, cpu_s=evidence.cpu_s + more_cpu)
            verdict = both(verdict, judge(evidence))
        if options.oracle == "both" and run_build.engine == "shim" and found.accepted:
            opinion = ask_ptx(
                inputs.oracle_request,
                found.accepted,
                timeout_s=options.case_timeout_s,
                memory_bytes=options.memory_bytes,
            )
            verdict = with_second_opinion(verdict, opinion, kernel.span)
        told = [make("TLM747", complaint, kernel.span) for complaint in witness.complaints]
        if run_build.engine == "shim":  # PTX has the compiler's accesses and arithmetic, not the source's
            told += session.faults.diagnostics(kernel.span, verdict.diagnostics)
        return replace(verdict, diagnostics=(*verdict.diagnostics, *told))


_WORST_FIRST: tuple[Status, ...] = ("failed", "inconclusive", "not_run", "passed")


def both(first: Verdict, second: Verdict) -> Verdict:
    """One verdict on the same cases under two engines: the worse one, with the names of both."""
    worse = second if _WORST_FIRST.index(second.status) < _WORST_FIRST.index(first.status) else first
    notes = worse.notes if worse is first else (*worse.notes, f"{', '.join(first.engines)}: {first.status}")
    return replace(worse, engines=(*first.engines, *second.engines), notes=notes, cpu_s=second.cpu_s)


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


def _bundle(request: VerifyRequest, inputs: KernelInputs, session: OracleSession, found: SearchResult) -> None:
    from migrate.verify.bundle import BundleOptions, save_kernel
    from migrate.verify.envelope import Envelope, find_envelope

    assert request.options.bundle is not None
    job = PortJob(request.port_dir, request.port_module, inputs.launcher, inputs.parameters)

    def envelope_of(item: Accepted) -> Envelope | None:
        return find_envelope(session, oracle.build(inputs.oracle_request, "moved"), item)

    options = BundleOptions(request.options.bundle)
    save_kernel(options, request.kernel, session.run_build, found.accepted, job, envelope_of)


def _run_port(
    request: VerifyRequest, inputs: KernelInputs, found: SearchResult, scratch: Path, engine: str
) -> tuple[list[ComparedCase], float]:
    if not found.accepted:
        return [], 0.0
    options = request.options
    job = PortJob(request.port_dir, request.port_module, inputs.launcher, inputs.parameters, engine)
    try:
        port_cases = [PortCase(item.case, item.folder, item.folder / "port.bin") for item in found.accepted]
        done = run_port(
            job, port_cases, scratch / "port", timeout_s=options.case_timeout_s, memory_bytes=options.memory_bytes
        )
    except ValueError as error:
        outcome = PortOutcome("raised", str(error))
        return [ComparedCase(item, outcome) for item in found.accepted], 0.0
    compared: list[ComparedCase] = []
    for item, outcome in zip(found.accepted, done.outcomes, strict=True):
        if outcome.status != "ok":
            compared.append(ComparedCase(item, outcome))
            continue
        port = item.settled(read_bytes(item.folder / "port.bin"))
        comparison = compare_outputs(item.case, item.before, item.original, port)
        multisets = not comparison.equal and same_multisets(item.case, item.original, port)
        compared.append(ComparedCase(item, outcome, comparison, multisets))
    return compared, done.cpu_s


def _has_atomics(kernel: Kernel) -> bool:
    bodies = (kernel.body, *(function.body for function in kernel.functions))
    return any(isinstance(node, Atomic) for node in walk(bodies))


_APPROXIMATE = frozenset({"rsqrtf", "rsqrt"})


def _fast_math(kernel: Kernel) -> tuple[str, ...]:
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
