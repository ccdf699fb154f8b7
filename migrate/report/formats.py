"""Which report formats there are and what each needs; the renderers are imported when one is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from migrate.report.baseline import Comparison
from migrate.report.model import Report
from migrate.report.sources import Sources

FILES = {"json": "report.json", "sarif": "report.sarif", "csv": "report.csv", "html": "report.html"}


class UnknownFormat(ValueError):
    """A format that does not exist; the message names those that do."""


@dataclass(frozen=True)
class Surroundings:
    """What a report may need beside itself: texts, the run's settings, a comparison, and its exit code."""

    exit_code: int
    sources: Sources = field(default_factory=Sources)
    settings: dict[str, Any] = field(default_factory=dict)
    comparison: Comparison | None = None


def parse_formats(text: str) -> tuple[str, ...]:
    """``html,csv`` as names, each once. Raises UnknownFormat."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    unknown = [name for name in names if name not in FILES]
    if unknown:
        raise UnknownFormat(f"there is no report format {', '.join(unknown)}; choose of {', '.join(FILES)}")
    return names


def render(name: str, report: Report, around: Surroundings) -> str:
    """The report in format ``name`` (a key of FILES)."""
    if name == "json":
        from migrate.report.json_report import render_json

        return render_json(report, around.comparison)
    if name == "csv":
        from migrate.report.csv_report import render_csv

        return render_csv(report)
    if name == "sarif":
        from migrate.report.sarif_report import render_sarif

        return render_sarif(report, around.sources, exit_code=around.exit_code)
    from migrate.report.html_report import render_html

    return render_html(report, around.sources, comparison=around.comparison, settings=around.settings)
