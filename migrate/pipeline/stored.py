"""Reading what an earlier run left in OUT."""

from __future__ import annotations

import json
from pathlib import Path

from migrate.report.model import Report, report_from_dict


class StoredReportError(Exception):
    """OUT has no usable report; the message says why."""


def load_report(output: Path) -> Report:
    """The report in OUT. Raises StoredReportError."""
    return load_report_file(output / "report.json")


def load_report_file(path: Path) -> Report:
    """The report in a file. Raises StoredReportError."""
    try:
        return report_from_dict(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise StoredReportError(f"{path}: {error.strerror or error}; run `migrate convert` first") from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoredReportError(f"{path}: not a report of this tool ({error})") from error
