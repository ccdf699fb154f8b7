"""report.csv: one row a kernel (RFC 4180), safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from migrate.report.clean import clean_text
from migrate.report.model import KernelReport, Report
from migrate.report.text_report import main_code

COLUMNS = (
    "id", "file", "line", "end_line", "name", "instantiations", "parsed", "level", "lowered", "verdict", "effort",
    "main_code", "codes", "cases", "arcs", "exact", "oracle", "engines", "differing", "compared", "max_ulp", "max_abs",
    "port", "symbol", "rules", "message",
)  # fmt: skip

# What spreadsheet programs take for the start of a formula, the wide forms included (they are folded on import).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def render_csv(report: Report) -> str:
    """CSV text with a header row and CRLF line ends."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for kernel in report.kernels:
        writer.writerow([cell(value) for value in _row(kernel)])
    return stream.getvalue()


def cell(value: object) -> str:
    """One cell: numbers and booleans as JSON writes them, text with a quote before what would run as a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    text = clean_text(str(value), multiline=False)
    return f"'{text}" if text.lstrip(" \u00a0\u3000").startswith(_FORMULA) else text


def _row(kernel: KernelReport) -> tuple[object, ...]:
    evidence, worst = kernel.evidence, kernel.evidence.worst
    decided = main_code(kernel)
    message = next((d.message for d in kernel.diagnostics if d.code == decided), "")
    return (
        kernel.id, kernel.file, kernel.line, kernel.end_line, kernel.name, len(kernel.instantiations), kernel.parsed,
        kernel.level, kernel.lowered, kernel.verdict, kernel.effort, decided,
        " ".join(sorted({d.code for d in kernel.diagnostics})), evidence.cases, evidence.arcs, evidence.exact,
        evidence.oracle, " ".join(evidence.engines), worst.get("differing"), worst.get("compared"),
        worst.get("max_ulp"), worst.get("max_abs"), kernel.port, kernel.symbol, " ".join(kernel.rules), message,
    )  # fmt: skip
