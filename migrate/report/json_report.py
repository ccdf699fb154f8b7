"""report.json: the model as it is, keys in a fixed order, one trailing newline."""

from __future__ import annotations

import json

from migrate.report.model import Report


def render_json(report: Report) -> str:
    """Stable JSON text of the report (schema: docs/report.schema.json)."""
    return json.dumps(report.to_dict(), indent=1, ensure_ascii=False) + "\n"
