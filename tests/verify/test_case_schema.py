"""Case files are what docs/case.schema.json says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from migrate.verify.case import Argument, Case, Symbol
from migrate.verify.casefiles import RootSpec, place

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "case.schema.json").read_text())


def example() -> Case:
    roots, total = place([RootSpec("x", "float32", 40, "in"), RootSpec("symbol c", "bfloat16", 0)])
    arguments = (Argument(root="x", offset=8), Argument(raw="05000000"))
    symbols = (Symbol("ns::c", "symbol c"),)
    return Case("k<float>", 1, "plan", (2, 1, 1), (32, 1, 1), 0, arguments, roots, symbols, total, ("n is a guess",))


def test_written_cases_are_valid_and_come_back():
    text = example().to_json()
    jsonschema.validate(json.loads(text), SCHEMA)
    assert Case.from_json(text) == example()


@pytest.mark.parametrize(
    "broken",
    [
        replace(example(), grid=(1, 1)),
        replace(example(), arguments=(Argument(),)),
        replace(example(), arguments=(Argument(root="x", raw="00"),)),
        replace(example(), arguments=(Argument(raw="0"),)),
        replace(example(), roots=(replace(example().roots[0], dtype="float8"),)),
        replace(example(), roots=(replace(example().roots[0], start=100),)),
    ],
)
def test_the_schema_rejects_what_nobody_could_run(broken):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(broken.to_json()), SCHEMA)
