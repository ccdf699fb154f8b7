"""Cached verdicts: any input changes the key; transient outcomes and broken entries are not used."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrate.diagnostics import make
from migrate.verify import cache
from migrate.verify.request import VerifyOptions
from migrate.verify.verdict import CaseResult, Difference, Metrics, Verdict


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TILELANG_MIGRATE_CACHE", str(tmp_path))


def key(**changes) -> str:
    parts = {
        "original": "o",
        "port": "p",
        "launcher": "l",
        "plan": "{}",
        "symbol": "s",
        "options": VerifyOptions(),
        **changes,
    }
    return cache.verdict_key(**parts)


def full_verdict() -> Verdict:
    return Verdict(
        "k.cu:1:k",
        "k",
        "failed",
        oracle="shim",
        engines=("native",),
        cases=6,
        dropped={"crashed": 2},
        arcs_taken=3,
        arcs_total=4,
        arcs_excused=("line 3",),
        exact=False,
        worst=Metrics(1, 2, 3, 4.0),
        first_difference=Difference("case", "y", "float32", 3, "1.0", "2.0"),
        notes=("note",),
        diagnostics=(make("TLM721", "differs"),),
        provenance=("n is a guess",),
        results=(CaseResult("case", "different", (1, 1, 1), (32, 1, 1)),),
        cpu_s=1.5,
    )


def test_round_trip_marks_the_verdict_as_cached():
    cache.store_verdict(key(), full_verdict())
    found = cache.load_verdict(key())
    assert found == replace(full_verdict(), cached=True)


@pytest.mark.parametrize(
    "change",
    [
        {"original": "o2"},
        {"port": "p2"},
        {"launcher": "l2"},
        {"plan": "[]"},
        {"symbol": "s2"},
        {"options": VerifyOptions(seed=2)},
        {"options": VerifyOptions(cases=9)},
        {"options": VerifyOptions(engine="reference")},
    ],
)
def test_every_input_is_part_of_the_key(change):
    assert key(**change) != key()
    assert key() == key()


def test_texts_cannot_slip_from_one_part_into_the_next():
    assert key(original="ab", port="c") != key(original="a", port="bc")


@pytest.mark.parametrize("code", ["TLM723", "TLM736", "TLM740"])
def test_outcomes_that_may_be_the_machines_fault_are_not_kept(code):
    cache.store_verdict(key(), replace(full_verdict(), diagnostics=(make(code, "slow"),)))
    assert cache.load_verdict(key()) is None


def test_a_broken_entry_is_ignored():
    cache.write_entry(cache.KIND, key(), b"{ not json")
    assert cache.load_verdict(key()) is None
    cache.write_entry(cache.KIND, key(), b"{}")
    assert cache.load_verdict(key()) is None
