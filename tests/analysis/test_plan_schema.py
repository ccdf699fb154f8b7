"""Plans against the published schema, and the notes they give."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from migrate.analysis.launch_plan import plan_kernel
from migrate.analysis.plan_notes import plan_diagnostics
from migrate.ir import kernel as k
from migrate.ir.launch import HostConst, HostRoot

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "launch-plan.schema.json").read_text())


def test_plans_follow_the_schema(saxpy: k.Kernel, spmv: k.Kernel, tree: k.Kernel) -> None:
    for kernel in (saxpy, spmv, tree):
        jsonschema.validate(json.loads(plan_kernel(kernel, []).to_json()), SCHEMA)


def test_the_schema_rejects_other_things(saxpy: k.Kernel) -> None:
    raw = json.loads(plan_kernel(saxpy, []).to_json())
    raw["sites"][0]["roots"][0]["kind"] = "whatever"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(raw, SCHEMA)


def test_notes_name_what_was_guessed(saxpy: k.Kernel) -> None:
    plan = plan_kernel(saxpy, [])
    (note,) = plan_diagnostics(plan)
    assert (note.code, note.severity, note.file, note.line) == ("TLM600", "note", "unit.cu", 1)
    broken = replace(plan.sites[0], block=(HostConst(0), HostConst(1), HostConst(1)), place="a.cu:3")
    assert [one.code for one in plan_diagnostics(replace(plan, sites=(broken,)))] == ["TLM603"]
    wild = replace(plan.sites[0], conditions=(HostRoot("absent"),), place="a.cu:3")
    assert [one.code for one in plan_diagnostics(replace(plan, sites=(wild,)))] == ["TLM603"]
