"""report.html: one file without scripts or external resources; templates/ says how it looks, this what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.diagnostics import Diagnostic, load_page
from migrate.report.baseline import HEADINGS, Comparison
from migrate.report.clean import clean_text
from migrate.report.html_listing import Listing, listing
from migrate.report.model import InstantiationReport, KernelReport, Report
from migrate.report.sources import Sources
from migrate.report.text_report import main_code

TEMPLATES = Path(__file__).parent / "templates"
# Bytes of all listings in one page, so that some hundred kernels stay under 3 MB.
LISTING_BUDGET = 1_900_000
LINE_LIMITS = (400, 200, 120, 80, 50, 30, 15, 0)
MAX_INSTANTIATIONS = 4


@dataclass(frozen=True)
class KernelView:
    """One kernel as the template shows it."""

    anchor: str
    kernel: KernelReport
    code: str
    original: Listing
    ports: tuple[tuple[InstantiationReport | None, Listing], ...]
    left_out: int


def render_html(
    report: Report,
    sources: Sources | None = None,
    *,
    comparison: Comparison | None = None,
    settings: dict[str, Any] | None = None,
) -> str:
    """The page. ``settings``: what the run was asked for (cases, seed, architecture), shown beside the totals."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # every value goes through here before it is escaped: no control character reaches the page
        finalize=lambda value: clean_text(value) if type(value) is str else value,
    )
    views = [_view(number, kernel, sources or Sources()) for number, kernel in enumerate(report.kernels)]
    limit = _line_limit(views)
    environment.globals.update(
        percent=percent,
        words=lambda name: name.replace("_", " "),
    )
    page = environment.get_template("report.html.j2").render(
        report=report,
        counts=report.summary(),
        funnel=_funnel(report),
        views=views,
        files=_files(report),
        codes=_codes(report),
        comparison=comparison,
        headings=HEADINGS,
        settings=settings or {},
        anchors={view.kernel.id: view.anchor for view in views},
        line_limit=limit,
    )
    return page if page.endswith("\n") else page + "\n"


def percent(part: int, whole: int) -> str:
    """A share in words; rounded down, so that 100 % means all."""
    return f"{part * 100 // whole} %" if whole else "none"


def _funnel(report: Report) -> list[tuple[str, int, str]]:
    """(stage, kernels, what it means); each is a share of all kernels, never of the stage before."""
    counts = report.summary()
    converted = counts["tile"] + counts["simt"]
    exact = sum(k.verdict == "passed" and k.evidence.exact for k in report.kernels)
    known = sum(k.lowered is not None for k in report.kernels)
    return [
        ("parsed", counts["parsed"], "read without errors"),
        ("converted", converted, f"{counts['tile']} as tiles, {counts['simt']} statement for statement"),
        ("lowered", counts["lowered"], f"accepted by the real tilelang; asked for {known}"),
        ("passed", counts["passed"], f"ran beside the original with equal results; {exact} of them bit for bit"),
    ]


def _files(report: Report) -> list[dict[str, Any]]:
    """One row a file with kernels or findings: counts of its kernels, deciding codes."""
    by_file: dict[str, list[KernelReport]] = {}
    for kernel in report.kernels:
        by_file.setdefault(kernel.file, []).append(kernel)
    rows = []
    known = {file.path: file for file in report.files}
    for path in sorted({*known, *by_file}):
        kernels, file = by_file.get(path, []), known.get(path)
        codes = Counter(main_code(k) for k in kernels if k.verdict != "passed")
        codes.pop("", None)
        rows.append(
            {
                "path": path,
                "status": file.status if file else "",
                "kernels": len(kernels),
                "converted": sum(k.level in ("tile", "simt") for k in kernels),
                "passed": sum(k.verdict == "passed" for k in kernels),
                "codes": sorted(codes.items()),
                "diagnostics": file.diagnostics if file else (),
                "first": kernels[0].id if kernels else "",
            }
        )
    return rows


def _codes(report: Report) -> list[dict[str, Any]]:
    """One row a code: kernels that it decided, all its findings, and its page."""
    decided = Counter(main_code(k) for k in report.kernels if k.verdict != "passed")
    found = Counter(d.code for d in report.diagnostics())
    worst: dict[str, str] = {}
    for d in report.diagnostics():
        order = ("error", "warning", "note")
        worst[d.code] = min(worst.get(d.code, "note"), d.severity, key=order.index)
    rows = []
    for code in sorted(found, key=lambda c: (-decided[c], -found[c], c)):
        try:
            page = load_page(code)
        except KeyError:
            page = {"title": "not a code of this version", "what": "", "why": "", "action": ""}
        kernels = [k.id for k in report.kernels if k.verdict != "passed" and main_code(k) == code]
        rows.append({"code": code, "severity": worst[code], "decided": kernels, "found": found[code], "page": page})
    return rows


def _view(number: int, kernel: KernelReport, sources: Sources) -> KernelView:
    symbols: dict[str, InstantiationReport | None] = {}
    for instantiation in kernel.instantiations:
        if instantiation.symbol and instantiation.level != "refused":
            symbols.setdefault(instantiation.symbol, instantiation)
    if not symbols and kernel.port and kernel.symbol and kernel.level != "refused":
        symbols[kernel.symbol] = None
    anchor = f"k{number}"
    original = sources.original(kernel.file, kernel.line, kernel.end_line)
    return KernelView(
        anchor,
        kernel,
        main_code(kernel),
        listing(original, "cuda", marks=_marks(kernel), anchor=anchor),
        tuple(
            (instantiation, listing(sources.port(kernel.port, symbol), "python"))
            for symbol, instantiation in list(symbols.items())[:MAX_INSTANTIATIONS]
        ),
        max(len(symbols) - MAX_INSTANTIATIONS, 0),
    )


def _line_limit(views: Sequence[KernelView]) -> int:
    """The most lines a listing may have so that all of them together keep to the budget."""
    for limit in LINE_LIMITS:
        size = sum(item.size(limit) for view in views for item in (view.original, *(port for _, port in view.ports)))
        if size <= LISTING_BUDGET:
            return limit
    return 0


def _marks(kernel: KernelReport) -> dict[int, str]:
    """Worst severity by line of the original."""
    order = ("error", "warning", "note")
    found: dict[int, str] = {}
    for d in kernel.diagnostics:
        if _belongs(d, kernel):
            found[d.line] = min(found.get(d.line, "note"), d.severity, key=order.index)
    return found


def _belongs(diagnostic: Diagnostic, kernel: KernelReport) -> bool:
    return diagnostic.file == kernel.file and kernel.line <= diagnostic.line <= max(kernel.end_line, kernel.line)
