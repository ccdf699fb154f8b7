"""report.sarif: SARIF 2.1.0, one run, one rule a diagnostic code."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Protocol
from urllib.parse import quote

from migrate.diagnostics import Diagnostic, load_page
from migrate.report.clean import clean_text
from migrate.report.model import Report
from migrate.report.sources import Sources

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "findingContext/v1"


class Lines(Protocol):
    """Gives lines of source by file and number."""

    def line(self, file: str, number: int) -> str | None:
        """The line without its newline; None where it cannot be read."""
        ...


def render_sarif(report: Report, sources: Sources | None = None, *, exit_code: int) -> str:
    """SARIF text of a conversion. ``sources`` makes fingerprints depend on the line's text, not on its number."""
    owner = {d: kernel.name for kernel in report.kernels for d in kernel.diagnostics}
    return sarif_log(report.diagnostics(), report.version, sources, exit_code=exit_code, kernels=owner)


def sarif_log(
    diagnostics: Iterable[Diagnostic],
    version: str,
    sources: Lines | None = None,
    *,
    exit_code: int,
    kernels: Mapping[Diagnostic, str] | None = None,
    suppressed: Iterable[Diagnostic] = (),
    columns_in_bytes: bool = True,
) -> str:
    """SARIF text of any findings. ``kernels``: the kernel that a finding belongs to; exit codes as the command line's.

    ``suppressed``: findings that a comment in the source silenced. ``columns_in_bytes``: as clang counts them.
    Paths stay relative to SRCROOT, which is described but has no address: logs are the same on every machine.
    """
    found = list(diagnostics)
    silenced = list(suppressed)
    codes = sorted({d.code for d in (*found, *silenced)})
    names = kernels or {}
    seen: Counter[str] = Counter()
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "migrate",
                "fullName": "tilelang-migrate",
                "semanticVersion": clean_text(version, multiline=False),
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the repository that was read."}}},
        "invocations": [
            {
                "executionSuccessful": exit_code in (0, 1),
                "exitCode": exit_code,
                "exitCodeDescription": {0: "clean", 1: "findings"}.get(exit_code, "usage or internal error"),
            }
        ],
        "results": [_result(d, codes, names.get(d, ""), sources, seen, columns_in_bytes) for d in found],
    }
    for d in silenced:
        result = _result(d, codes, names.get(d, ""), sources, seen, columns_in_bytes)
        run["results"].append({**result, "suppressions": [{"kind": "inSource"}]})
    log = {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    try:
        page = load_page(code)
    except KeyError:  # a report of another version may name codes that this one does not know
        return {"id": clean_text(code, multiline=False)}
    parts = [("What it means", page["what"]), ("Why", page["why"]), ("What to do", page["action"])]
    return {
        "id": code,
        "name": _pascal_case(page["title"]),
        "shortDescription": {"text": page["title"]},
        "fullDescription": {"text": page["what"].strip()},
        "help": {
            "text": "\n\n".join(f"{heading}: {text.strip()}" for heading, text in parts),
            "markdown": "\n\n".join(f"**{heading}.** {text.strip()}" for heading, text in parts),
        },
        "defaultConfiguration": {"level": page["severity"]},
    }


def _pascal_case(title: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))


def _result(
    diagnostic: Diagnostic,
    codes: list[str],
    kernel: str,
    sources: Lines | None,
    seen: Counter[str],
    columns_in_bytes: bool,
) -> dict[str, Any]:
    line = sources.line(diagnostic.file, diagnostic.line) if sources and diagnostic.file else None
    context = _context(diagnostic, kernel, line)
    occurrence = seen[context]
    seen[context] += 1
    digest = hashlib.sha256(f"{context}\0{occurrence}".encode(errors="backslashreplace")).hexdigest()
    result: dict[str, Any] = {
        "ruleId": clean_text(diagnostic.code, multiline=False),
        "ruleIndex": codes.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": clean_text(diagnostic.message) or "(no message)"},
        "partialFingerprints": {FINGERPRINT: digest},
    }
    if diagnostic.file:
        location: dict[str, Any] = {"physicalLocation": {"artifactLocation": artifact(diagnostic.file)}}
        region = _region(diagnostic, line if columns_in_bytes else None)
        if region:
            location["physicalLocation"]["region"] = region
        if kernel:
            location["logicalLocations"] = [{"name": clean_text(kernel, multiline=False), "kind": "function"}]
        result["locations"] = [location]
    return result


def artifact(path: str) -> dict[str, str]:
    """An artifactLocation: percent-encoded, relative to SRCROOT unless the path is absolute."""
    encoded = quote(path.encode("utf-8", errors="surrogateescape" if _escaped(path) else "replace"), safe="/~")
    if path.startswith("/"):
        return {"uri": f"file://{encoded}"}
    # "a:b/c" would read as a scheme; quote has already made it "a%3Ab/c".
    return {"uri": encoded, "uriBaseId": "SRCROOT"}


def _escaped(path: str) -> bool:
    """Whether all surrogates of ``path`` stand for bytes of a file name."""
    return all(0xDC80 <= ord(char) <= 0xDCFF for char in path if 0xD800 <= ord(char) <= 0xDFFF)


def _context(diagnostic: Diagnostic, kernel: str, line: str | None) -> str:
    """What stays the same when lines move: code, file, kernel, and the line's text (else the message's)."""
    text = " ".join(line.split()) if line is not None else re.sub(r"\d+", "#", diagnostic.message)
    return "\0".join((diagnostic.code, diagnostic.file, kernel, text))


def _region(diagnostic: Diagnostic, line: str | None) -> dict[str, int]:
    """Lines and columns from 1, the end column one past the last character, as diagnostics have it; {} if unknown."""
    if diagnostic.line < 1:
        return {}
    region = {"startLine": diagnostic.line}
    if diagnostic.column < 1:
        return region
    region["startColumn"] = code_point_column(line, diagnostic.column)
    ends = (diagnostic.end_line, diagnostic.end_column)
    if ends > (diagnostic.line, diagnostic.column):
        region["endLine"] = diagnostic.end_line
        if diagnostic.end_column >= 1:
            same = diagnostic.end_line == diagnostic.line
            region["endColumn"] = code_point_column(line if same else None, diagnostic.end_column)
    return region


def code_point_column(line: str | None, column: int) -> int:
    """A 1-based column in bytes as one in code points, where the line's text is known."""
    if line is None or line.isascii():
        return column
    return len(line.encode("utf-8", errors="replace")[: column - 1].decode("utf-8", errors="ignore")) + 1
