"""Texts that differ by one negated condition, and those that differ by more."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.ir.kernel import Binary, Const, ParamRef
from migrate.ir.span import Span
from migrate.verify.negation import differs_by_one_negation
from migrate.verify.operands import differs_by_hashed_condition, hashed, operand_texts
from migrate.verify.variants import copy_sources, negate, opposite

PLAIN = "def f(a, b, n):\n    if a == 0:\n        b = T.if_then_else(a < n, 1, 2)\n    return b\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a == 0", "a != 0"),
        ("a == 0", "not a == 0"),
        ("a == 0", "not (a == 0)"),
        ("a < n", "a >= n"),
        ("a < n, 1, 2", "a < n, 2, 1"),
        ("a < n, 1, 2", "not (a < n), 1, 2"),
    ],
)
def test_one_negation_either_way_round(old, new):
    assert differs_by_one_negation(PLAIN, PLAIN.replace(old, new))
    assert differs_by_one_negation(PLAIN.replace(old, new), PLAIN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a == 0", "a == 0"),
        ("a == 0", "a != 1"),
        ("a == 0", "a > 0"),
        ("a < n", "a > n"),
        ("a < n", "n >= a"),
        ("1, 2", "2, 1, 3"),
        ("a < n, 1, 2", "a >= n, 1, 3"),
        ("return b", "return not b\n    return b"),
        ("if a == 0", "b = 1\n    if a != 0"),
    ],
)
def test_anything_else_is_no_single_negation(old, new):
    assert not differs_by_one_negation(PLAIN, PLAIN.replace(old, new))


def test_two_negations_are_one_too_many():
    assert not differs_by_one_negation(PLAIN, PLAIN.replace("a == 0", "a != 0").replace("a < n", "a >= n"))


def test_the_expression_is_negated_where_it_stands():
    text = "int f() {\n  return é, x == 0 && y ? 1 : 2;\n}\n".encode()
    column = text.split(b"\n")[1].index(b"x") + 1
    made = negate(text, Span("k.cu", 2, column, 2, column + 6))
    assert made == "int f() {\n  return é, (!(x == 0)) && y ? 1 : 2;\n}\n".encode()


@pytest.mark.parametrize(
    "span",
    [
        Span("k.cu", 2, 3, 3, 4),  # more than a line
        Span("k.cu", 2, 3, 2, 3),  # empty: a macro's expansion
        Span("k.cu", 2, 3, 2, 6),  # odd brackets
        Span("k.cu", 1, 13, 1, 18),  # inside a macro
        Span("k.cu", 9, 1, 9, 3),
    ],
)
def test_what_is_no_plain_text_is_left_alone(span):
    assert negate(b"#define A(x) x == 0\n  f(x) == A(0);\n", span) is None


@pytest.mark.parametrize(
    ("source", "turned"),
    [
        ("x < 1.0f", "x >= 1.0f"),
        ("x->n == (y << 2)", "x->n != (y << 2)"),
        ("f(x, y < 2) > 3", "f(x, y < 2) <= 3"),
        ("(x <= 2)", "(!((x <= 2)))"),
        ("static_cast<int>(x) < 3", "(!(static_cast<int>(x) < 3))"),
    ],
)
def test_a_comparison_gets_the_opposite_operator(source, turned):
    span = Span("k.cu", 2, 5, 2, 5 + len(source))
    condition = Binary("lt", ParamRef("x", "float32"), ParamRef("y", "float32"), "bool", span)
    text = f"\nif ({source}) return;\n"
    assert opposite(text.encode(), condition) == text.replace(source, turned).encode()


def test_sources_are_copied_without_dangling_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "k.cu").write_text("__global__ void k() {}\n")
    (root / "gone.cuh").symlink_to(tmp_path / "nowhere.cuh")
    assert copy_sources(root, "k.cu", tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["k.cu"]


def comparison(text: str, op: str, dtype: str, right: object) -> tuple[bytes, Binary]:
    source = f"  if ({text}) return;\n".encode()
    span = Span("k.cu", 1, 7, 1, 7 + len(text))
    operand = right if isinstance(right, Const) else ParamRef("b", dtype)
    return source, Binary(op, ParamRef("a", dtype), operand, "bool", span)


@pytest.mark.parametrize(
    ("text", "dtype", "parts"),
    [
        ("a + 1 < b", "float32", ("__float_as_int((float)(a + 1))", "__float_as_int((float)(b))", "2654435761u")),
        ("a[i] == b", "float64", ("__double_as_longlong((double)(a[i]))", "0x9E3779B97F4A7C15ull")),
        ("a >= f(b, 1)", "int64", ("(unsigned long long)(a)", "(unsigned long long)(f(b, 1))")),
    ],
)
def test_a_condition_becomes_a_hash_of_its_operands(text, dtype, parts):
    source, condition = comparison(text, "lt", dtype, None)
    made = hashed(source, condition)
    assert made is not None and all(part.encode() in made for part in parts), made
    assert made.startswith(b"  if ((((((") and made.endswith(b") return;\n")


def test_a_truth_value_is_compared_with_zero():
    source, condition = comparison("a & 4", "ne", "int32", Const("int32", 0))
    assert operand_texts(source, condition) == ("a & 4", "0")
    assert hashed(*comparison("a", "lt", "bool", None)) is None


@pytest.mark.parametrize(
    ("plain", "varied", "right", "same"),
    [
        ("g(a) < b[0]", "h(g(a), b[0]) != 0", None, True),
        ("g(a) < b[0]", "h(g(a), b[1]) != 0", None, False),
        ("g(a) < b[0]", "h(a, b[0]) != 0", None, False),
        ("g(a) < T.float32(2.5)", "h(g(a)) != 0", Const("float32", 2.5), True),
        ("g(a) < T.float32(2.5)", "h(g(a)) != 0", Const("float32", 2.25), False),
        ("g(a) < T.float32(2.5)", "h(g(a)) != 0", None, False),
    ],
)
def test_operands_must_stand_in_the_hash_as_in_the_port(plain, varied, right, same):
    condition = comparison("x < y", "lt", "float32", right)[1]
    left, changed = (PLAIN.replace("a == 0", text) for text in (plain, varied))
    assert differs_by_hashed_condition(left, changed, condition) is same
    assert not differs_by_hashed_condition(left, changed.replace("return b", "return a"), condition)
