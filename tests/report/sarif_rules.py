"""What SARIF 2.1.0 demands of the parts that we write (sections of the standard in brackets)."""

from __future__ import annotations

import re
from typing import Any

# RFC 3986: characters of a relative or absolute reference, percent-encoding complete.
URI = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*\Z")
TOP = {"$schema", "version", "runs"}
RUN = {"tool", "columnKind", "originalUriBaseIds", "invocations", "results"}
RULE = {"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"}
RESULT = {"ruleId", "ruleIndex", "level", "message", "partialFingerprints", "locations", "suppressions"}


def check_sarif(log: dict[str, Any]) -> None:
    """Raises AssertionError where the log breaks a rule."""
    assert set(log) == TOP and log["version"] == "2.1.0"  # [3.13]
    (run,) = log["runs"]
    assert set(run) == RUN
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # [3.14.17]
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    assert driver["name"] and len({rule["id"] for rule in rules}) == len(rules)  # [3.19.23] unique
    for rule in rules:
        assert set(rule) <= RULE and isinstance(rule["id"], str)
        if "help" in rule:
            assert rule["shortDescription"]["text"] and rule["help"]["text"] and rule["help"]["markdown"]
            assert re.fullmatch(r"[A-Za-z0-9]+", rule["name"])
            assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")  # [3.50.3]
    (invocation,) = run["invocations"]
    assert isinstance(invocation["executionSuccessful"], bool) and isinstance(invocation["exitCode"], int)  # [3.20]
    for base in run["originalUriBaseIds"].values():
        assert "uri" not in base or base["uri"].endswith("/")  # [3.14.14]
    for result in run["results"]:
        _check_result(result, rules, run["originalUriBaseIds"])
    prints = [tuple(sorted(result["partialFingerprints"].items())) for result in run["results"]]
    assert len(set(prints)) == len(prints)


def _check_result(result: dict[str, Any], rules: list[dict[str, Any]], bases: dict[str, Any]) -> None:
    assert set(result) <= RESULT
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]  # [3.27.6]
    assert result["level"] in ("error", "warning", "note") and result["message"]["text"]  # [3.27.10, 3.11.8]
    for value in result["partialFingerprints"].values():
        assert re.fullmatch(r"[0-9a-f]{64}", value)
    for location in result.get("locations", []):
        physical = location["physicalLocation"]
        artifact = physical["artifactLocation"]
        assert URI.match(artifact["uri"]), artifact["uri"]
        absolute = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", artifact["uri"]) is not None
        assert absolute != ("uriBaseId" in artifact)  # [3.4.4] a base belongs to a relative reference
        assert artifact.get("uriBaseId", "SRCROOT") in bases
        region = physical.get("region")
        if region is not None:
            _check_region(region)
        for logical in location.get("logicalLocations", []):
            assert isinstance(logical["name"], str)


def _check_region(region: dict[str, int]) -> None:
    assert all(value >= 1 for value in region.values())  # [3.30.5–3.30.8]
    assert "startLine" in region
    if "endLine" in region:
        assert region["endLine"] >= region["startLine"]
    if "endColumn" in region and region.get("endLine", region["startLine"]) == region["startLine"]:
        assert region["endColumn"] >= region.get("startColumn", 1)
