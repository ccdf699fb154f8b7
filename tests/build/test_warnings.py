"""Warnings of the builder: output and assertions that are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.diagnostics import Refusal
from tests.build.building import build

TEXT = (Path(__file__).parent / "cuda" / "output_and_assertions.cu").read_text()


def test_output_and_assertions_are_reported_where_they_stand() -> None:
    (kernel,) = build(TEXT)
    found = [(warning.code, warning.line, warning.severity) for warning in kernel.warnings]
    assert found == [
        ("TLM241", 11, "warning"), ("TLM242", 12, "warning"), ("TLM242", 5, "warning"), ("TLM241", 15, "warning"),
    ]  # fmt: skip


def test_the_result_of_printf_has_no_value() -> None:
    with pytest.raises(Refusal) as refused:
        build('#include <cstdio>\n__global__ void k(int* a) { a[0] = printf("%d", 1); }')
    assert refused.value.diagnostic.code == "TLM101"


def test_output_in_a_callee_does_not_count_as_an_effect() -> None:
    text = '#include <cstdio>\n__device__ void say(int v) { printf("%d", v); }\n__global__ void k(int v) {\n say(v);\n}'
    with pytest.raises(Refusal) as refused:
        build(text)
    assert (refused.value.diagnostic.code, refused.value.diagnostic.line) == ("TLM202", 2)
