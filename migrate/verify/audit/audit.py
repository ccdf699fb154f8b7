"""Audit one kernel: accept cases of the second generator, run the port on them, and say whether it agrees."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from migrate.analysis.cas_reads import checked_reads
from migrate.diagnostics import Refusal, make
from migrate.oracle import api as oracle
from migrate.verify.audit.data import AuditRecipe, draw_audit, leaves_buffers
from migrate.verify.audit.launches import audit_settings
from migrate.verify.evidence import ComparedCase, Evidence
from migrate.verify.inputs import KernelInputs
from migrate.verify.judge import judge
from migrate.verify.races import has_race
from migrate.verify.request import VerifyRequest
from migrate.verify.scalars import pointer_in_struct
from migrate.verify.schedules import OrderReport, order_report
from migrate.verify.search import unless_race_decides
from migrate.verify.sides import has_atomics, run_port_side
from migrate.verify.signature import signature_mismatch
from migrate.verify.thresholds import find_thresholds
from migrate.verify.trial import Accepted, Dropped, OracleSession, try_recipe
from migrate.verify.verdict import Audit, Verdict
from tilelang_runtime.support.cache import key_of, read_entry, write_entry

KIND = "audit"
# Recipes tried for each case that is wanted.
TRIES = 4
SEARCH_SHARE = 0.7
# Launches that did not end before the kernel is taken to be endless under these sizes.
ENDLESS_TRIES = 2


def audit_recipes(inputs: KernelInputs, symbols: list[tuple[str, int]], seed: int) -> Iterator[AuditRecipe]:
    """Cases to try, without end for most plans. Seed and number decide everything about one."""
    generator = np.random.default_rng([seed, 2024])
    settings = audit_settings(inputs.plan, inputs.kernel, symbols, generator)
    for number, setting in enumerate(settings, 1):
        yield AuditRecipe(setting, "ordinary", seed * 100_003 + number, number % 2, number)


def audited(
    request: VerifyRequest, inputs: KernelInputs, build: oracle.OracleBuild, verdict: Verdict, key: str
) -> Verdict:
    """``verdict`` with the audit's answer; a kernel that passed and differs under audit has failed.

    ``key`` names what the verdict rests on: the answer is kept under it.
    """
    if verdict.status == "not_run" or verdict.oracle is None:
        return verdict
    name = key_of(key, KIND)
    known = read_entry(KIND, name) if request.options.use_cache else None
    audit = Audit(**json.loads(known)) if known is not None else None
    if audit is None:
        audit = audit_kernel(request, inputs, build)
        if not audit.transient:
            write_entry(KIND, name, json.dumps(asdict(audit)).encode())
    return with_audit(verdict, audit, request)


def with_audit(verdict: Verdict, audit: Audit, request: VerifyRequest) -> Verdict:
    """The verdict after the audit. Where two oracles dispute what is right, differing from one says nothing."""
    disputed = any(item.code == "TLM755" for item in verdict.diagnostics) and audit.detail.startswith("TLM721")
    if audit.outcome != "differs" or verdict.status == "failed" or disputed:
        return replace(verdict, audit=audit)
    again = f"`migrate verify --audit --seed {audit.seed}` draws the case again"
    found = make("TLM767", f"{audit.detail}; {again}", request.kernel.span)
    return replace(verdict, status="failed", exact=False, audit=audit, diagnostics=(*verdict.diagnostics, found))


def audit_kernel(request: VerifyRequest, inputs: KernelInputs, run_build: oracle.OracleBuild) -> Audit:
    """Runs the audit; never raises for what original or port do."""
    started = time.monotonic()
    options, kernel = request.options, request.kernel
    seed = options.seed
    if signature_mismatch(kernel, run_build.signature) or pointer_in_struct(kernel) is not None:
        return Audit("no case", seed, 0, "the original cannot be launched with generated arguments")
    try:
        check_build = oracle.build(inputs.oracle_request, "check", run_build.engine)
        with tempfile.TemporaryDirectory(prefix="audit-") as folder:
            session = OracleSession(
                run_build,
                check_build,
                Path(folder),
                hints=inputs.hints,
                checked_reads=checked_reads(kernel),
                thresholds=find_thresholds(kernel).data,
                timeout_s=options.case_timeout_s,
                memory_bytes=options.memory_bytes,
                draw=draw_audit,
                leaves_buffers=leaves_buffers,
            )
            recipes = audit_recipes(inputs, list(run_build.symbols), seed)
            deadline = started + SEARCH_SHARE * options.time_limit_s
            accepted, dropped, late = _accept(session, recipes, options.cases, deadline)
            if not accepted:
                return Audit("no case", seed, 0, _reasons(dropped), transient=late)
            order = order_report(session, accepted, atomics=has_atomics(kernel))
            compared, _ = run_port_side(request, inputs, accepted, order, Path(folder), options.engine)
            evidence = _evidence(request, compared[: len(accepted)], compared[len(accepted) :], dropped, order)
            return _answer(judge(evidence), seed, accepted)
    except oracle.OracleError as error:
        return Audit("no case", seed, 0, f"{error.message} [{error.code}]")
    except Refusal as error:
        return Audit("no case", seed, 0, error.diagnostic.message)


def _accept(
    session: OracleSession, recipes: Iterator[AuditRecipe], wanted: int, deadline: float
) -> tuple[list[Accepted], list[tuple[str, Dropped]], bool]:
    accepted: list[Accepted] = []
    dropped: list[tuple[str, Dropped]] = []
    endless = 0
    for recipe in recipes:
        late = time.monotonic() > deadline
        tried = len(accepted) + len(dropped)
        if late or len(accepted) >= wanted or tried >= TRIES * wanted or endless >= ENDLESS_TRIES:
            return accepted, dropped, late
        found = try_recipe(session, recipe)
        if isinstance(found, Accepted) and has_race(found):
            found = unless_race_decides(session, found)
        if isinstance(found, Accepted):
            accepted.append(found)
        else:
            dropped.append((recipe.label, found))
            endless += found.reason == "timed_out"
    return accepted, dropped, False


def _reasons(dropped: list[tuple[str, Dropped]]) -> str:
    counts = Counter(item.reason for _, item in dropped)
    return ", ".join(f"{count} × {reason}" for reason, count in counts.most_common()) or "the plan has no launch"


def _evidence(
    request: VerifyRequest,
    cases: list[ComparedCase],
    mirrored: list[ComparedCase],
    dropped: list[tuple[str, Dropped]],
    order: OrderReport,
) -> Evidence:
    """What the judge needs to compare; branches are the default generator's business."""
    kernel = request.kernel
    return Evidence(
        kernel_id=kernel.id,
        symbol=kernel.symbol,
        span=kernel.span,
        cases=cases,
        mirrored=mirrored,
        dropped=dropped,
        arcs=(),
        arcs_taken=(),
        excused=(),
        order=order,
        engine=request.options.engine,
    )


# What keeps a comparison from saying anything, as against too few cases, which an audit may well have.
_SILENT = frozenset({"TLM727", "TLM728", "TLM736", "TLM737", "TLM745"})
_TRANSIENT = frozenset({"TLM723", "TLM736"})


def _answer(verdict: Verdict, seed: int, accepted: list[Accepted]) -> Audit:
    last = verdict.diagnostics[-1] if verdict.diagnostics else None
    code = last.code if last is not None and last.severity != "note" else ""
    text = f"{last.code}: {last.message}" if last is not None else ""
    transient = code in _TRANSIENT
    if verdict.status == "failed":
        return Audit("differs", seed, verdict.cases, text, transient=transient)
    if verdict.status == "inconclusive" and code in _SILENT:
        return Audit("no case", seed, 0, text, transient=transient)
    telling = sum(item.effective for item in accepted)
    return Audit("agrees", seed, verdict.cases, f"{telling} of {verdict.cases} cases change something")
