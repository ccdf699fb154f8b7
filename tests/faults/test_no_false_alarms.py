"""The corpus is right, except where its manifest says otherwise: the check of originals must be silent on it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checked_originals import findings, requests_for

from migrate.verify.faults import CHECK_CODES

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

CORPUS = Path(__file__).parents[2] / "corpus"
MANIFEST = toml.loads((CORPUS / "manifest.toml").read_text(encoding="utf-8"))
# Kernels that must be refused are there for their constructs, not for being right.
REFUSED = {(entry["file"], entry["kernel"]) for entry in MANIFEST["refuse"]}
FAULTS = {(entry["file"], entry["kernel"]): set(entry["codes"]) for entry in MANIFEST.get("fault", [])}


@pytest.mark.sweep
def test_the_corpus_has_no_faults_but_those_its_manifest_names() -> None:
    requests = requests_for(CORPUS, sorted(CORPUS.rglob("*.cu")))
    assert len(requests) > 60
    unexpected: list[str] = []
    seen: dict[tuple[str, str], set[str]] = {}
    for key, request in requests.items():
        if key in REFUSED:
            continue
        for item in findings(request):
            if item.code in CHECK_CODES:
                seen.setdefault(key, set()).add(item.code)
            if item.code not in FAULTS.get(key, set()):
                unexpected.append(f"{key[1]}: {item}")
    assert unexpected == []
    assert {key: codes for key, codes in FAULTS.items() if codes - seen.get(key, set())} == {}
