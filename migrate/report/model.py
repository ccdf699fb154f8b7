"""The one report model every format prints (docs/interfaces.md: report.json, schema_version 1)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from migrate.diagnostics import Diagnostic, Severity

SCHEMA_VERSION = 1

Level: TypeAlias = Literal["tile", "simt", "wrapped", "refused"]
VerdictName: TypeAlias = Literal["passed", "failed", "inconclusive", "not_run"]
FileStatus: TypeAlias = Literal["converted", "partial", "refused", "no_kernels", "unreadable"]

# Worst first, so that a kernel shows the lowest level and the worst verdict of its instantiations.
LEVELS: tuple[Level, ...] = ("refused", "wrapped", "simt", "tile")
VERDICTS: tuple[VerdictName, ...] = ("failed", "inconclusive", "not_run", "passed")


@dataclass(frozen=True)
class Evidence:
    """What the verdict rests on. ``arcs``: share of the original's branch arcs taken, 0 to 1.

    ``audit``: outcome (agrees, differs, no case), seed, cases and detail of the second generator; empty if not asked.
    """

    oracle: str = ""
    engines: tuple[str, ...] = ()
    device: str = ""
    cases: int = 0
    arcs: float = 0.0
    exact: bool = False
    worst: dict[str, Any] = field(default_factory=dict)
    provenance: tuple[str, ...] = ()
    audit: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class InstantiationReport:
    """One used instantiation: its port symbol, level and verdict."""

    cpp_name: str
    symbol: str
    level: Level
    verdict: VerdictName
    lowered: bool | None
    evidence: Evidence
    rules: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class KernelReport:
    """One ``__global__`` body; counts once with the lowest level and the worst verdict of its instantiations."""

    id: str
    file: str
    line: int
    end_line: int
    name: str
    parsed: bool
    level: Level
    port: str
    symbol: str
    lowered: bool | None
    verdict: VerdictName
    evidence: Evidence
    effort: Literal["none", "low", "medium", "high"]
    instantiations: tuple[InstantiationReport, ...] = ()
    rules: tuple[str, ...] = ()
    certificate: tuple[str, ...] = ()
    portable_to: tuple[dict[str, str], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class FileReport:
    """One source file."""

    path: str
    sha256: str
    status: FileStatus
    port: str
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Report:
    """Everything one run found. Times are not here (timings.json), so that the report is byte-stable."""

    version: str
    target: str
    root: str
    files: tuple[FileReport, ...]
    kernels: tuple[KernelReport, ...]
    calls: tuple[dict[str, Any], ...] = ()

    def summary(self) -> dict[str, int]:
        """The counts of docs/interfaces.md; every kernel that the lexer found is in ``kernels``."""
        counts = {"files": len(self.files), "kernels": len(self.kernels)}
        counts["parsed"] = sum(kernel.parsed for kernel in self.kernels)
        for level in ("tile", "simt", "wrapped", "refused"):
            counts[level] = sum(kernel.level == level for kernel in self.kernels)
        counts["lowered"] = sum(kernel.lowered is True for kernel in self.kernels)
        for verdict in ("passed", "failed", "inconclusive", "not_run"):
            counts[verdict] = sum(kernel.verdict == verdict for kernel in self.kernels)
        return counts

    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics of files and kernels, in order of file, line and code, without repeats."""
        found = {d for file in self.files for d in file.diagnostics} | {d for k in self.kernels for d in k.diagnostics}
        return sorted(found, key=lambda d: (d.file, d.line, d.column, d.code, d.message))

    def clean(self) -> bool:
        """True when nothing was refused, failed or left undecided."""
        counts = self.summary()
        bad = counts["refused"] + counts["wrapped"] + counts["failed"] + counts["inconclusive"]
        return bad == 0 and not any(d.severity == "error" for d in self.diagnostics())

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of docs/interfaces.md."""
        return {
            "schema_version": SCHEMA_VERSION,
            "tool": {"name": "migrate", "version": self.version},
            "target": self.target,
            "root": self.root,
            "summary": self.summary(),
            "files": [asdict(item) for item in self.files],
            "kernels": [_kernel_dict(item) for item in self.kernels],
            "calls": list(self.calls),
        }


def _kernel_dict(kernel: KernelReport) -> dict[str, Any]:
    raw = asdict(kernel)
    del raw["parsed"]
    raw["parsed"] = kernel.parsed
    return raw


def report_from_dict(raw: dict[str, Any]) -> Report:
    """Inverse of `Report.to_dict`. Raises ValueError (other schema version), KeyError or TypeError (broken file)."""
    if raw.get("schema_version") != SCHEMA_VERSION:
        raise ValueError(f"report has schema_version {raw.get('schema_version')}, this tool reads {SCHEMA_VERSION}")
    files = tuple(FileReport(**{**item, "diagnostics": _diagnostics(item)}) for item in raw["files"])
    kernels = tuple(_kernel_from(item) for item in raw["kernels"])
    for file in files:
        _known("status", file.status, get_args(FileStatus))
    for kernel in kernels:
        for level in (kernel.level, *(one.level for one in kernel.instantiations)):
            _known("level", level, LEVELS)
        for verdict in (kernel.verdict, *(one.verdict for one in kernel.instantiations)):
            _known("verdict", verdict, VERDICTS)
    return Report(raw["tool"]["version"], raw["target"], raw["root"], files, kernels, tuple(raw.get("calls", ())))


def _diagnostics(item: dict[str, Any]) -> tuple[Diagnostic, ...]:
    found = tuple(Diagnostic(**d) for d in item.get("diagnostics", ()))
    for diagnostic in found:
        _known("severity", diagnostic.severity, get_args(Severity))
        if not all(isinstance(text, str) for text in (diagnostic.code, diagnostic.message, diagnostic.file)):
            raise TypeError("a diagnostic's code, message and file are text")
    return found


def _known(what: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{what} is {value!r}, not one of {', '.join(choices)}")


def _evidence(raw: dict[str, Any]) -> Evidence:
    return Evidence(**{**raw, "engines": tuple(raw["engines"]), "provenance": tuple(raw["provenance"])})


def _kernel_from(raw: dict[str, Any]) -> KernelReport:
    instantiations = tuple(
        InstantiationReport(
            **{
                **item,
                "evidence": _evidence(item["evidence"]),
                "rules": tuple(item["rules"]),
                "diagnostics": _diagnostics(item),
            }
        )
        for item in raw["instantiations"]
    )
    plain = {
        **raw,
        "evidence": _evidence(raw["evidence"]),
        "instantiations": instantiations,
        "rules": tuple(raw["rules"]),
        "certificate": tuple(raw["certificate"]),
        "portable_to": tuple(raw["portable_to"]),
        "diagnostics": _diagnostics(raw),
    }
    return KernelReport(**plain)
