"""Verify one kernel: original and port side by side on generated cases, then the judgement."""

from __future__ import annotations

import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from migrate.diagnostics import Refusal, make
from migrate.oracle import api as oracle
from migrate.verify.audit.audit import audited
from migrate.verify.cache import load_verdict, store_verdict, verdict_key
from migrate.verify.forcing import force_arcs
from migrate.verify.inputs import KernelInputs, inputs_from_request
from migrate.verify.judge import judge, lacks_only_arcs
from migrate.verify.port_process import PortJob
from migrate.verify.request import VerifyRequest
from migrate.verify.scalars import texture_positions
from migrate.verify.search import SearchResult
from migrate.verify.second import ask_ptx, with_second_opinion
from migrate.verify.sides import early_verdict, evidence_of, gather_original, run_port_side
from migrate.verify.trial import Accepted, OracleSession
from migrate.verify.verdict import Status, Verdict

FORCING_SHARE = 0.9


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
        verdict = early_verdict(request, "not_run", "TLM720", "")
        return replace(verdict, diagnostics=(make("TLM720", f"{error.message} [{error.code}]", place),))
    except Refusal as error:
        verdict = early_verdict(request, "inconclusive", error.diagnostic.code, "")
        return replace(verdict, diagnostics=(error.diagnostic,))
    key = verdict_key(
        run_build.text,
        inputs.port_text,
        inputs.launcher_text,
        inputs.plan_text,
        request.kernel.symbol,
        request.options,
    )
    known = load_verdict(key) if request.options.use_cache and request.options.bundle is None else None
    if known is not None:
        verdict = known
    else:
        try:
            verdict = _verify(request, inputs, run_build, started)
        except oracle.OracleError as error:  # a case that does not fit the compiled kernel
            return early_verdict(request, "inconclusive", "TLM733", f"{error.message} [{error.code}]")
        if told:
            alone = make("TLM757", told, request.kernel.span)
            verdict = replace(verdict, diagnostics=(*verdict.diagnostics, alone))
        verdict = replace(verdict, cpu_s=round(verdict.cpu_s + _own_cpu() - cpu_before + run_build.cpu_s, 3))
        store_verdict(key, verdict)
    return audited(request, inputs, run_build, verdict, key) if request.options.audit else verdict


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


def _verify(request: VerifyRequest, inputs: KernelInputs, run_build: oracle.OracleBuild, started: float) -> Verdict:
    kernel, options = request.kernel, request.options
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        side = gather_original(request, inputs, run_build, Path(folder), started)
        if isinstance(side, Verdict):
            return side
        found = side.found
        compared, port_cpu = run_port_side(request, inputs, found.accepted, side.order, Path(folder), options.engine)
        if options.bundle is not None and found.accepted:
            _bundle(request, inputs, side.session, found)
        evidence = evidence_of(kernel, inputs, side, compared, options.engine, port_cpu)
        verdict = judge(evidence)
        if options.force_arcs and run_build.engine == "shim" and lacks_only_arcs(verdict):
            # In time for a variant to be built and run before this kernel's limit.
            deadline = started + FORCING_SHARE * options.time_limit_s
            forced = force_arcs(request, inputs, side.session, found.accepted, evidence.missing_arcs(), deadline)
            cpu_s = side.session.cpu_s + port_cpu + side.check_build.cpu_s
            evidence = replace(evidence, forced=forced.covered, not_forced=forced.reasons, cpu_s=cpu_s)
            verdict = judge(evidence)
        for engine in options.further_engines if found.accepted else ():
            again, more_cpu = run_port_side(request, inputs, found.accepted, side.order, Path(folder), engine)
            other = evidence_of(kernel, inputs, side, again, engine)
            evidence = replace(
                evidence, cases=other.cases, mirrored=other.mirrored, engine=engine, cpu_s=evidence.cpu_s + more_cpu
            )
            verdict = both(verdict, judge(evidence))
        if options.oracle == "both" and run_build.engine == "shim" and found.accepted:
            opinion = ask_ptx(
                inputs.oracle_request,
                found.accepted,
                timeout_s=options.case_timeout_s,
                memory_bytes=options.memory_bytes,
            )
            verdict = with_second_opinion(verdict, opinion, kernel.span)
        told = [make("TLM747", complaint, kernel.span) for complaint in side.witness.complaints]
        if run_build.engine == "shim":  # PTX has the compiler's accesses and arithmetic, not the source's
            told += side.session.faults.diagnostics(kernel.span, verdict.diagnostics)
        return replace(verdict, diagnostics=(*verdict.diagnostics, *told))


_WORST_FIRST: tuple[Status, ...] = ("failed", "inconclusive", "not_run", "passed")


def both(first: Verdict, second: Verdict) -> Verdict:
    """One verdict on the same cases under two engines: the worse one, with the names of both."""
    worse = second if _WORST_FIRST.index(second.status) < _WORST_FIRST.index(first.status) else first
    notes = worse.notes if worse is first else (*worse.notes, f"{', '.join(first.engines)}: {first.status}")
    return replace(worse, engines=(*first.engines, *second.engines), notes=notes, cpu_s=second.cpu_s)


def _bundle(request: VerifyRequest, inputs: KernelInputs, session: OracleSession, found: SearchResult) -> None:
    from migrate.verify.bundle import BundleOptions, save_kernel
    from migrate.verify.envelope import Envelope, find_envelope

    assert request.options.bundle is not None
    if texture_positions(request.kernel):
        return  # the bundle's runner makes no objects, and devices filter by a formula of their own
    job = PortJob(request.port_dir, request.port_module, inputs.launcher, inputs.parameters)

    def envelope_of(item: Accepted) -> Envelope | None:
        return find_envelope(session, oracle.build(inputs.oracle_request, "moved"), item)

    options = BundleOptions(request.options.bundle)
    save_kernel(options, request.kernel, session.run_build, found.accepted, job, envelope_of)
