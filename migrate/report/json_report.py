"""report.json: the model as it is, keys in a fixed order, one trailing newline."""

from __future__ import annotations

import json

from migrate.report.baseline import Comparison
from migrate.report.model import Report


def render_json(report: Report, comparison: Comparison | None = None) -> str:
    """Stable JSON text of the report (schema: docs/report.schema.json), with ``comparison`` where there is one."""
    raw = report.to_dict()
    if comparison is not None:
        raw["comparison"] = comparison.to_dict()
    text = json.dumps(raw, indent=1, ensure_ascii=False) + "\n"
    # File names that are no UTF-8 come as lone surrogates, which no encoding can write: JSON has escapes for them.
    if text.isascii():
        return text
    return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)
