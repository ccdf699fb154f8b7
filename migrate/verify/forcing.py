"""Forced arcs: branch outcomes that no input takes, covered by negating their condition in original and port alike.

Defensive code (``total == 0.0f ? 0.0f : 1.0f / total``) has outcomes that valid data never reach. Its translation can
be checked all the same: the same condition is negated in the source, the whole chain runs again, and if the new port
differs from the port in that condition only, then what it says about the outcome's code holds for the port too.
Retries of compare-and-swap loops are reached the same way, by a read that is out of date (see `stale_reads`). A second
variant branches on a hash of the condition's operands, so that both sides are seen to compare the same values.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from migrate.analysis.cas_reads import CheckedRead
from migrate.diagnostics import Refusal
from migrate.ir.kernel import Binary, Const, Expr
from migrate.oracle import api as oracle
from migrate.verify.compare import compare_outputs
from migrate.verify.inputs import KernelInputs
from migrate.verify.intervals import leaf_conditions
from migrate.verify.judge import HARMLESS_EVENT
from migrate.verify.observe import union_arcs
from migrate.verify.operands import differs_by_hashed_condition, hashed, operand_texts
from migrate.verify.parameters import parameters_of
from migrate.verify.port_process import PortCase, PortJob, run_port
from migrate.verify.request import VerifyRequest
from migrate.verify.stale_reads import differs_by_one_more, out_of_date
from migrate.verify.trial import CHECKED_READ, Accepted, OracleSession, read_bytes
from migrate.verify.variants import COMPARISONS, Variant, copy_sources, make_variant

FORCED_VARIANTS = 6
# A loop whose condition is turned round may never end; the accepted cases themselves are small.
VARIANT_TIMEOUT_S = 4.0
_SIMPLE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)\w+)?|-?[\d.]+(?:[eE]-?\d+)?[uUlLfF]*")


@dataclass
class ForcedArcs:
    """``covered``: position of an arc → cases on which original and port agreed with its condition negated.

    ``reasons``: why a variant proved nothing, by the place of its condition.
    """

    covered: dict[int, int] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)


def force_arcs(
    request: VerifyRequest,
    inputs: KernelInputs,
    session: OracleSession,
    accepted: Sequence[Accepted],
    missing: Sequence[int],
    deadline: float,
) -> ForcedArcs:
    """Tries to cover the arcs at the positions ``missing``; at most `FORCED_VARIANTS` variants, until ``deadline``.

    All or nothing a variant: every accepted case must run cleanly and agree bit for bit.
    """
    found = ForcedArcs()
    arcs = session.run_build.arcs
    own_file = request.record.file
    lines = [arcs[position].line for position in missing if arcs[position].file in ("", own_file)]
    conditions = [
        (condition, span)
        for condition in leaf_conditions(inputs.kernel, accepted[0].recipe.setting)
        if (span := condition.span) is not None and span.file == own_file and span.line in lines
    ]
    root = session.scratch / "variant"
    reads = [read for read in session.checked_reads if read.file == own_file]
    if not (conditions or reads) or not copy_sources(request.root, request.record.unit or own_file, root):
        return found
    original = (root / own_file).read_bytes()
    for number, read in enumerate(reads[:FORCED_VARIANTS]):
        (root / own_file).write_bytes(original)
        taken = _stale_arcs(request, inputs, session, accepted, read, root, number)
        if isinstance(taken, str):
            found.reasons.append(f"line {read.line}: {taken}")
            continue
        found.covered |= {position: len(accepted) for position in missing if taken[position]}
    for number, (condition, span) in enumerate(conditions[:FORCED_VARIANTS]):
        if time.monotonic() > deadline:
            found.reasons.append("no time was left for more conditions")
            break
        if not any(arcs[position].line == span.line for position in missing if position not in found.covered):
            continue
        (root / own_file).write_bytes(original)
        out = session.scratch / f"variant{number}"
        made = make_variant(request, condition, root, out)
        taken = made if isinstance(made, str) else _agreeing_arcs(request, inputs, session, accepted, made, f"{number}")
        if not isinstance(taken, str):
            (root / own_file).write_bytes(original)
            apart = _operands_apart(request, inputs, session, accepted, condition, root, number)
            taken = apart or taken
        if isinstance(taken, str):
            found.reasons.append(f"line {span.line}, column {span.column}: {taken}")
            continue
        for position in missing:
            if taken[position]:
                found.covered.setdefault(position, len(accepted))
    return found


def _stale_arcs(
    request: VerifyRequest,
    inputs: KernelInputs,
    session: OracleSession,
    accepted: Sequence[Accepted],
    read: CheckedRead,
    root: Path,
    number: int,
) -> list[bool] | str:
    """Arcs taken where the exchange that checks ``read`` fails at first, if original and port agree; else a reason."""
    out, edit = session.scratch / f"stale{number}", partial(out_of_date, read=read)
    made = make_variant(request, Const("int32", 1), root, out, edit, differs_by_one_more)
    return made if isinstance(made, str) else _agreeing_arcs(request, inputs, session, accepted, made, f"stale{number}")


def _operands_apart(
    request: VerifyRequest,
    inputs: KernelInputs,
    session: OracleSession,
    accepted: Sequence[Accepted],
    condition: Expr,
    root: Path,
    number: int,
) -> str:
    """Why it is not shown that original and port compare the same values; empty if it is.

    Plain names and literals need no showing: their values are those of all other cases.
    """
    if not isinstance(condition, Binary) or condition.op not in COMPARISONS:
        return ""
    operands = operand_texts((root / request.record.file).read_bytes(), condition)
    if operands is None:
        return "the operands of the condition are not plain text"
    simple = all(_SIMPLE.fullmatch(one) for one in operands)
    out = session.scratch / f"operands{number}"
    made = make_variant(
        request, condition, root, out, hashed, partial(differs_by_hashed_condition, condition=condition)
    )
    if isinstance(made, str):
        return "" if simple else f"operands of the condition: {made}"
    agreed = _agreeing_arcs(request, inputs, session, accepted, made, f"{number}_operands", same_branches=False)
    if isinstance(agreed, str) and not (simple and "run" in agreed):
        return f"operands of the condition: {agreed}"
    return ""


def _agreeing_arcs(
    request: VerifyRequest,
    inputs: KernelInputs,
    session: OracleSession,
    accepted: Sequence[Accepted],
    variant: Variant,
    number: str,
    same_branches: bool = True,
) -> list[bool] | str:
    """Arcs that the variant's original takes, if its port agrees on every case; else what is wrong."""
    options = request.options
    changed = replace(
        inputs.oracle_request,
        root=variant.root,
        file=variant.root / request.record.file,
        include_dirs=tuple(variant.root / item for item in request.record.include_dirs),
        unit=variant.root / request.record.unit if request.record.unit else None,
    )
    try:
        run_build, check_build = oracle.build(changed, "run"), oracle.build(changed, "check")
    except oracle.OracleError as error:
        return f"the variant does not compile: {error.message}"
    known = session.run_build.arcs
    if same_branches and [(arc.line, arc.function) for arc in run_build.arcs] != [
        (arc.line, arc.function) for arc in known
    ]:
        return "the variant has other branches"
    taken: list[bytes] = []
    cases: list[PortCase] = []
    limit_s = min(VARIANT_TIMEOUT_S, session.timeout_s)
    for item in accepted:
        check = session.run(check_build, item.folder, f"variant{number}_check.bin", timeout_s=limit_s)
        if (
            check.status != "ok"
            or check.events
            or any(one.kind not in ("benign_race", CHECKED_READ) for one in check.findings)
        ):
            return f"the variant does not run cleanly on “{item.case.label}”"
        run = session.run(run_build, item.folder, f"variant{number}_original.bin", timeout_s=limit_s)
        if run.status != "ok":
            return f"the variant does not run on “{item.case.label}”: {run.message}"
        taken.append(run.arcs_taken)
        cases.append(PortCase(item.case, item.folder, item.folder / f"variant{number}_port.bin"))
    try:
        job = PortJob(variant.out, variant.module, variant.entry.launcher, parameters_of(variant.entry), options.engine)
        done = run_port(
            job,
            cases,
            session.scratch / f"variant{number}_run",
            timeout_s=options.case_timeout_s,
            memory_bytes=options.memory_bytes,
        )
    except (ValueError, Refusal) as error:
        return str(error)
    session.cpu_s += done.cpu_s
    for item, case, outcome in zip(accepted, cases, done.outcomes, strict=True):
        if outcome.status != "ok" or any(not event.startswith(HARMLESS_EVENT) for event in outcome.events):
            return f"the variant's port ends as {outcome.status} on “{item.case.label}” {outcome.message}".strip()
        result = item.folder / f"variant{number}_original.bin"
        compared = compare_outputs(
            item.case, item.before, item.settled(read_bytes(result)), item.settled(read_bytes(case.output))
        )
        if not compared.equal or compared.guards is not None or compared.inputs_changed:
            return f"original and port of the variant differ on “{item.case.label}”"
    return union_arcs(len(known), taken)
