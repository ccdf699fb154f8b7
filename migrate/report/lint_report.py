"""``migrate check --format json``: findings as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from migrate.diagnostics import Diagnostic


def render_lint_json(diagnostics: Iterable[Diagnostic], suppressed: Iterable[Diagnostic], version: str) -> str:
    """Stable JSON text (ASCII): findings and what a comment silenced, each as in report.json."""
    raw = {
        "schema_version": 1,
        "tool": {"name": "migrate", "version": version},
        "diagnostics": [asdict(item) for item in diagnostics],
        "suppressed": [asdict(item) for item in suppressed],
    }
    return json.dumps(raw, indent=1) + "\n"
