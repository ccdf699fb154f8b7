"""From what each stage found to the one report model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

import migrate
from migrate.analysis.plan_notes import plan_diagnostics
from migrate.diagnostics import Diagnostic, load_page, make
from migrate.ir.span import Span
from migrate.parse.results import KernelRecord, Seen
from migrate.pipeline.emitting import Emitted, EmittedKernel
from migrate.pipeline.options import Options
from migrate.pipeline.proving import Lowered
from migrate.pipeline.reading import Reading, SourceRead
from migrate.report.model import (
    LEVELS,
    VERDICTS,
    Evidence,
    FileReport,
    FileStatus,
    InstantiationReport,
    KernelReport,
    Level,
    Report,
)
from migrate.verify.faults import once_a_line
from migrate.verify.verdict import Verdict

Key = tuple[str, str]
Effort = Literal["none", "low", "medium", "high"]


@dataclass(frozen=True)
class Converted:
    """Everything the stages of one run found. ``checks``: findings about originals, where they alone were run."""

    options: Options
    reading: Reading
    emitted: Emitted
    kept: tuple[str, ...] = ()
    verdicts: Mapping[Key, Verdict] = field(default_factory=dict)
    lowered: Mapping[Key, Lowered] = field(default_factory=dict)
    checks: Mapping[Key, tuple[Diagnostic, ...]] = field(default_factory=dict)


def assemble(converted: Converted) -> Report:
    """The report; every kernel that the lexer found is in it."""
    by_id: dict[str, list[EmittedKernel]] = {}
    for item in converted.emitted.kernels:
        by_id.setdefault(item.kernel.id, []).append(item)
    kernels = tuple(_kernel(record, by_id.get(record.id, []), converted) for record in converted.reading.records)
    ports = {item.record.file: item.port_path for item in converted.emitted.kernels}
    files = tuple(_file(source, kernels, ports, converted) for source in converted.reading.sources)
    root = converted.options.root.name or "."
    return Report(migrate.__version__, converted.options.target, root, files, kernels)


def _kernel(record: KernelRecord, emitted: list[EmittedKernel], converted: Converted) -> KernelReport:
    built = {item.kernel.cpp_name: item for item in emitted}
    reports = [_instantiation(item, converted) for item in emitted]
    for kernel in record.instantiations:
        if kernel.cpp_name not in built:
            refusal = converted.emitted.refusals[(kernel.id, kernel.cpp_name)]
            reports.append(_refused(kernel.cpp_name, kernel.symbol, refusal))
    reports += [
        _refused(name, "", refusal) for name, refusal in zip(record.refused_names, record.refusals, strict=True)
    ]
    checked = (d for k in record.instantiations for d in converted.checks.get((k.id, k.cpp_name), ()))
    diagnostics = once_a_line((*(d for report in reports for d in report.diagnostics), *checked))
    level: Level = min((report.level for report in reports), key=LEVELS.index, default="refused")
    worst = min(reports, key=lambda report: VERDICTS.index(report.verdict), default=None)
    lowered = [report.lowered for report in reports if report.level != "refused"]
    return KernelReport(
        id=record.id,
        file=record.file,
        line=record.line,
        end_line=record.end_line,
        name=record.name,
        parsed=record.seen >= Seen.DEFAULTED,
        level=level,
        port=emitted[0].port_path if emitted else "",
        symbol=emitted[0].kernel.symbol if emitted else "",
        lowered=None if not lowered or None in lowered else all(lowered),
        verdict=worst.verdict if worst else "not_run",
        evidence=worst.evidence if worst else Evidence(),
        effort=_effort(level, diagnostics),
        instantiations=tuple(reports),
        rules=tuple(sorted({rule for report in reports for rule in report.rules})),
        diagnostics=diagnostics,
    )


def _instantiation(item: EmittedKernel, converted: Converted) -> InstantiationReport:
    verdict = converted.verdicts.get(item.key)
    lowered = converted.lowered.get(item.key)
    diagnostics = [*item.entry.diagnostics, *plan_diagnostics(item.plan)]
    if verdict is not None:
        diagnostics += verdict.diagnostics
    if lowered is not None and lowered.ok is False:
        diagnostics.append(
            make("TLM741", f"the real tilelang does not accept the port: {lowered.message}", item.kernel.span)
        )
    return InstantiationReport(
        cpp_name=item.kernel.cpp_name,
        symbol=item.kernel.symbol,
        level="simt",
        verdict=verdict.status if verdict else "not_run",
        lowered=lowered.ok if lowered else None,
        evidence=_evidence(verdict) if verdict else Evidence(),
        rules=tuple(sorted(item.entry.rules)),
        diagnostics=_unique(diagnostics),
    )


def _refused(name: str, symbol: str, diagnostic: Diagnostic) -> InstantiationReport:
    return InstantiationReport(name, symbol, "refused", "not_run", None, Evidence(), (), (diagnostic,))


def _evidence(verdict: Verdict) -> Evidence:
    worst = asdict(verdict.worst)
    if verdict.first_difference is not None:
        worst["first_difference"] = asdict(verdict.first_difference)
    return Evidence(
        oracle=verdict.oracle or "",
        engines=tuple(verdict.engines),
        device="cpu",
        cases=verdict.cases,
        arcs=round(verdict.arcs_share or 0.0, 4),
        exact=bool(verdict.exact),
        worst=worst,
        provenance=tuple(verdict.provenance),
        audit=_audit(verdict),
    )


def _audit(verdict: Verdict) -> dict[str, str | int]:
    if verdict.audit is None:
        return {}
    found = verdict.audit
    return {"outcome": found.outcome, "seed": found.seed, "cases": found.cases, "detail": found.detail}


def _effort(level: Level, diagnostics: Sequence[Diagnostic]) -> Effort:
    """How much work is left for a person: pages of refusal codes say it (key ``effort``), else medium."""
    if level != "refused":
        return "low" if any(d.severity != "note" for d in diagnostics) else "none"
    efforts: list[Effort] = ["low", "medium", "high"]
    found = [load_page(d.code).get("effort", "medium") for d in diagnostics if d.severity == "error"]
    return max((e for e in found if e in efforts), key=efforts.index, default="medium")


def _file(
    source: SourceRead, kernels: Sequence[KernelReport], ports: Mapping[str, str], converted: Converted
) -> FileReport:
    own = [kernel for kernel in kernels if kernel.file == source.path]
    diagnostics = [d for d in source.diagnostics]
    port = ports.get(source.path, "")
    if port in converted.kept:
        message = f"{port} was edited by hand since it was generated and is kept"
        diagnostics.append(make("TLM640", message, Span(source.path, 0)))
    status: FileStatus
    if source.status == "unreadable" or (source.status == "failed" and not own):
        status = "unreadable"
    elif not own:
        status = "no_kernels"
    elif all(kernel.level == "refused" for kernel in own):
        status = "refused"
    elif any(kernel.level == "refused" for kernel in own):
        status = "partial"
    else:
        status = "converted"
    return FileReport(source.path, source.sha256, status, port, _unique(diagnostics))


def _unique(diagnostics: object) -> tuple[Diagnostic, ...]:
    return tuple(dict.fromkeys(diagnostics))  # type: ignore[call-overload]
