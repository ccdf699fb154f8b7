"""Check originals alone: every launch of the plan under the check build, no port, no verdict on one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from migrate.analysis.cas_reads import checked_reads
from migrate.diagnostics import Diagnostic, Refusal, make
from migrate.ir.kernel import Kernel
from migrate.oracle import api as oracle
from migrate.verify.generator import Recipe
from migrate.verify.inputs import oracle_request, root_hints
from migrate.verify.plan_settings import settings_from_plan
from migrate.verify.setting import Setting
from migrate.verify.signature import signature_mismatch
from migrate.verify.thresholds import find_thresholds
from migrate.verify.trial import CHECKED, OracleSession, try_recipe
from migrate.verify.values import Flavour
from migrate.verify.verdict import Verdict

# Data under which each launch that host code makes is checked: what does not depend on data shows in all of them.
BASE_FLAVOURS: tuple[Flavour, ...] = ("ordinary", "unit", "zeros", "thresholds")
# Launches at other sizes than the plan's own, each with one kind of data.
OTHER_LAUNCHES = 8
# Launches in a row that may give no clean or telling run before the kernel is given up.
ENDLESS_RUNS = 3


@dataclass(frozen=True)
class CheckOptions:
    """``time_limit_s``: wall seconds a kernel; ``run_timeout_s``, ``memory_bytes``: for one run of the original."""

    seed: int = 0
    time_limit_s: float = 120.0
    run_timeout_s: float = 10.0
    memory_bytes: int = 8 << 30


@dataclass(frozen=True)
class CheckRequest:
    """One instantiation. ``record``: the parse's `KernelRecord`; ``plan``: the `LaunchPlan`."""

    root: Path
    record: Any
    kernel: Kernel
    plan: Any
    options: CheckOptions = CheckOptions()


def check_original(request: CheckRequest) -> Verdict:
    """Findings about one original, as the diagnostics of a verdict ``not_run``.

    Never raises for what the original does; OSError when the scratch folder cannot be written.
    """
    kernel = request.kernel
    started = time.monotonic()
    try:
        built = oracle.build(oracle_request(request.root, request.record, kernel), "check")
        mismatch = signature_mismatch(kernel, built.signature)
        if mismatch:
            return _without(request, make("TLM733", mismatch, kernel.span))
        thresholds = find_thresholds(kernel)
        settings = settings_from_plan(request.plan, kernel, built.symbols, thresholds.scalars, every_stated=True)
    except oracle.OracleError as error:
        place = replace(kernel.span, line=error.line) if error.line else kernel.span
        return _without(request, make("TLM720", f"{error.message} [{error.code}]", place))
    except Refusal as error:
        return _without(request, error.diagnostic)
    with tempfile.TemporaryDirectory(prefix="check-") as folder:
        session = OracleSession(
            built,
            built,
            Path(folder),
            hints=root_hints(kernel),
            checked_reads=checked_reads(kernel),
            thresholds=thresholds.data,
            timeout_s=request.options.run_timeout_s,
            memory_bytes=request.options.memory_bytes,
            check_only=True,
        )
        runs, reasons = _run_all(session, settings, request.options, started)
    found = list(session.faults.diagnostics(kernel.span))
    if not runs and not found:
        reason = "; ".join(dict.fromkeys(reasons)) or "nothing to try"
        found.append(
            make("TLM726", f"the original did not run to its end under the check build: {reason}", kernel.span)
        )
    return Verdict(
        kernel.id, kernel.symbol, "not_run", "shim", cases=runs, diagnostics=tuple(found), cpu_s=session.cpu_s
    )


def _without(request: CheckRequest, diagnostic: Diagnostic) -> Verdict:
    return Verdict(request.kernel.id, request.kernel.symbol, "not_run", diagnostics=(diagnostic,))


def _run_all(
    session: OracleSession, settings: Sequence[Setting], options: CheckOptions, started: float
) -> tuple[int, list[str]]:
    """How many recipes ran to their end, and why others did not."""
    runs = endless = 0
    reasons: list[str] = []
    for recipe in _recipes(settings, options.seed):
        if time.monotonic() - started > options.time_limit_s or endless >= ENDLESS_RUNS:
            break
        found = try_recipe(session, recipe)
        reason = getattr(found, "reason", CHECKED)
        if reason == CHECKED:
            runs += 1
        else:
            reasons.append(reason)
            endless += reason == "timed_out"
    return runs, reasons


def _recipes(settings: Sequence[Setting], seed: int) -> Iterator[Recipe]:
    """The plan's own launches with several kinds of data, then some others."""
    own = [setting for setting in settings if setting.base or setting.stated]
    for number, flavour in enumerate(BASE_FLAVOURS):
        for setting in own:
            yield Recipe(setting, flavour, seed * 1000 + number, 0)
    others = [setting for setting in settings if setting not in own]
    for setting in others[:OTHER_LAUNCHES]:
        yield Recipe(setting, "ordinary", seed * 1000, 0)
