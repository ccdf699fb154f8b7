"""Each code is found where it stands and not in what its page says to write instead."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lint.programs import BAD, GOOD, program
from migrate.diagnostics import load_page
from migrate.lint.run import lint_text

ROOT = Path(__file__).parents[2]


def found(text: str) -> list[tuple[str, int]]:
    return [(d.code, d.line) for d in lint_text("k.py", text)[0]]


@pytest.mark.parametrize(("code", "body"), [(code, body) for code, bodies in BAD.items() for body in bodies])
def test_a_pattern_is_found_on_its_line(code: str, body: str) -> None:
    text = program(body)
    ast.parse(text)
    (line,) = [number for number, row in enumerate(text.splitlines(), 1) if row.endswith("# <-")]
    assert found(text) == [(code, line)]


@pytest.mark.parametrize("body", GOOD)
def test_what_is_written_instead_is_clean(body: str) -> None:
    ast.parse(program(body))
    assert found(program(body)) == []


@pytest.mark.parametrize("code", sorted(BAD))
def test_every_code_has_a_page_with_both_forms(code: str) -> None:
    page = load_page(code)
    assert page["before"] and page["after"]
    assert "TileLang" in page["why"] or "tilelang" in page["why"] or "H200" in page["why"] or "nvcc" in page["why"]


def test_places_are_lines_and_characters() -> None:
    text = program("é = 1; y[i] = x[i] - x[i]")
    (diagnostic,) = lint_text("k.py", text)[0]
    row = text.splitlines()[diagnostic.line - 1]
    assert row[diagnostic.column - 1 : diagnostic.end_column - 1] == "x[i] - x[i]"


def test_other_spellings_of_the_imports_are_understood() -> None:
    body = "y[i] = x[i] - x[i]"
    plain = program(body)
    for line, prefix in (
        ("from tilelang import language as T", "T."),
        ("import tilelang.language as L", "L."),
        ("import tilelang as tl", "tl.language."),
        ("import tilelang", "tilelang.language."),
    ):
        text = plain.replace("import tilelang\nimport tilelang.language as T", line).replace("T.", prefix)
        assert [code for code, _ in found(text)] == ["TLM900"], line


def test_builders_dtypes_are_looked_up_and_parameters_are_not_guessed() -> None:
    text = program("y[i] = x[i] - x[i]")
    constant = text.replace('(n,), "float32"', "(n,), dtype")
    assert found("dtype = 'float32'\n" + constant)
    assert found(constant) == []
    assert found(constant.replace("block: int", 'block: int, dtype="float32"')) == []


def test_ports_of_this_tool_are_clean() -> None:
    ports = sorted(ROOT.glob("tests/emit/golden/*.py.txt"))
    assert len(ports) > 10
    for port in ports:
        assert lint_text(port.name, port.read_text()) == ([], [])
