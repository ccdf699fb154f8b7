"""The terminal report: a table a file, findings by code, and the totals over all kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from migrate.report.clean import clean_text
from migrate.report.model import KernelReport, Report

if TYPE_CHECKING:
    from rich.console import Console

    from migrate.report.baseline import Comparison

VERDICT_STYLE = {"passed": "green", "failed": "bold red", "inconclusive": "yellow", "not_run": "dim"}
LEVEL_STYLE = {"tile": "green", "simt": "cyan", "wrapped": "yellow", "refused": "red"}


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Prints the report. Kernels without findings are folded into the totals unless ``verbose`` or there are few."""
    from rich.table import Table
    from rich.text import Text

    shown = [k for k in report.kernels if verbose or len(report.kernels) <= 40 or k.verdict != "passed"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("kernel", "where", "level", "verdict", "evidence", "codes"):
        table.add_column(heading, overflow="fold")
    for kernel in shown:
        table.add_row(
            Text(clean_text(kernel.name)),
            Text(clean_text(f"{kernel.file}:{kernel.line}")),
            Text(kernel.level, style=LEVEL_STYLE[kernel.level]),
            Text(kernel.verdict, style=VERDICT_STYLE[kernel.verdict]),
            Text(evidence_text(kernel)),
            Text(" ".join(sorted({d.code for d in kernel.diagnostics}))),
        )
    if shown:
        console.print(table)
    findings = [d for d in report.diagnostics() if d.severity != "note" or verbose]
    if findings:
        console.print()
        for diagnostic in findings:
            console.print(Text(clean_text(str(diagnostic))), soft_wrap=True)
    console.print()
    for line in totals(report):
        console.print(Text(line), soft_wrap=True)


def print_comparison(comparison: Comparison, say: Callable[[str], None], *, quiet: bool) -> None:
    """One line a change, regressions first (``quiet``: only those), then the counts."""
    from migrate.report.baseline import HEADINGS

    for change in comparison.regressions() if quiet else comparison.changes:
        where = f"{change.file}:{change.line}" if change.line else change.file
        step = " → ".join(part for part in (change.before, change.after) if part)
        say(clean_text(f"{HEADINGS[change.kind]}: {' '.join(p for p in (change.name, where) if p)}: {step}"))
    counts = comparison.counts()
    parts = [f"{counts[kind]} {heading}" for kind, heading in HEADINGS.items() if counts[kind]]
    say("against the baseline: " + ", ".join([*parts, f"{comparison.unchanged} unchanged"]))


def evidence_text(kernel: KernelReport) -> str:
    """One cell: cases, arcs and how results agree."""
    evidence = kernel.evidence
    if not evidence.cases:
        return ""
    agreement = "bit-exact" if evidence.exact else "within bound" if kernel.verdict == "passed" else ""
    parts = [f"{evidence.cases} cases", f"{evidence.arcs:.0%} arcs", agreement, "lowered" if kernel.lowered else ""]
    if evidence.audit:
        parts.append(f"audit {evidence.audit['outcome']}")
    return ", ".join(part for part in parts if part)


def totals(report: Report) -> list[str]:
    """The closing lines: every kernel stays in the denominator, refused ones by code."""
    counts = report.summary()
    total = counts["kernels"]
    lines = [
        f"{counts['files']} files, {total} kernels: {counts['parsed']} parsed, "
        f"{counts['tile'] + counts['simt']} converted ({counts['tile']} tile, {counts['simt']} simt), "
        f"{counts['wrapped']} wrapped, {counts['refused']} refused; {counts['lowered']} lowered",
        f"verdicts: {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['inconclusive']} inconclusive, {counts['not_run']} not run"
        + (f"  ({counts['passed'] / total:.0%} of all kernels passed)" if total else ""),
    ]
    reasons = Counter(main_code(kernel) for kernel in report.kernels if kernel.verdict != "passed")
    reasons.pop("", None)
    if reasons:
        lines.append("not passed, by code: " + ", ".join(f"{code} {n}" for code, n in reasons.most_common()))
        lines.append(f"`migrate explain {reasons.most_common(1)[0][0]}` says what a code means and what to do")
    return lines


def main_code(kernel: KernelReport) -> str:
    """The code that decided the kernel: its first error, else its first warning, verification's before others."""
    errors = [diagnostic.code for diagnostic in kernel.diagnostics if diagnostic.severity == "error"]
    warnings = [diagnostic.code for diagnostic in kernel.diagnostics if diagnostic.severity == "warning"]
    judged = [code for code in warnings if code.startswith("TLM7")]
    return next(iter((*errors, *judged, *warnings)), "")
