from __future__ import annotations

import pytest

from migrate.parse.lexer import lex
from migrate.parse.uses import prepared_text, use_statement


@pytest.mark.parametrize(
    ("declaration", "statement"),
    [
        (
            "__global__ void ns::k<float, 8>(float *, int)",
            " static void (*tlm_use_0)(float *, int) = &ns::k<float, 8>;",
        ),
        (
            "void host<std::pair<int, float>>(float *)",
            " static void (*tlm_use_0)(float *) = &host<std::pair<int, float>>;",
        ),
        ("int Foo<float>::bar(int)", " static auto tlm_use_0 = &Foo<float>::bar;"),
        ("void deduced(float *)", " static void (*tlm_use_0)(float *) = &deduced;"),
        ("__global__ void __launch_bounds__(32) ::a::b<(3 > 2)>(int *)", None),
        ("not a function", None),
    ],
)
def test_use_of_an_explicit_instantiation(declaration: str, statement: str | None) -> None:
    made = use_statement(declaration, 0)
    assert made == statement or (statement is None and made is not None and "&::a::b<(3 > 2)>" in made)


def test_lines_keep_their_numbers() -> None:
    text = "template void f<int>(int *);\n__global__ void k() {\n  __shared__ alignas(16) float s[4];\n}\n"
    prepared = prepared_text(text, lex(text, "a.cu"), ["k<3>"])
    assert prepared is not None
    lines = prepared.split("\n")
    assert lines[0].startswith("template void f<int>(int *); static void (*tlm_use_0)(int *)")
    assert lines[2] == "  __shared__ __align__(16) float s[4];"
    assert "static auto tlm_use_1 = &k<3>;" in lines


def test_text_without_need_stays() -> None:
    text = "__global__ void k() {}\n"
    assert prepared_text(text, lex(text, "a.cu")) is None
