"""Each forbidden pattern is found where it stands and not in what the rules write instead."""

from __future__ import annotations

import pytest
from rules.zoo import ZOO

from migrate.diagnostics import load_page
from migrate.emit.forbidden import PATTERNS, findings
from migrate.ir import port as p
from migrate.rules.lower.lower_kernel import lower_kernel

X = p.Element("x", (p.Name("i", "int32", "bind"),), "float32")
Y = p.Element("y", (p.Name("i", "int32", "bind"),), "float32")
U = p.Name("u", "uint32", "var")
FLAG = p.Name("flag", "bool", "var")


def lit(value: float, dtype: str = "float32") -> p.Lit:
    return p.Lit(value, dtype, True)


def op(symbol: str, left: p.PortExpr, right: p.PortExpr, dtype: str | None = None) -> p.Operation:
    return p.Operation(symbol, left, right, dtype or left.dtype)


def put(value: p.PortExpr) -> tuple[p.PortStmt, ...]:
    return (p.SetElement("y", (p.Name("i", "int32", "bind"),), value),)


LESS = op("<", X, Y, "bool")
ONE = p.SetElement("y", (p.Lit(0, "int32"),), lit(1.0))
BAD: dict[str, list[tuple[p.PortStmt, ...]]] = {
    "TLM900": [put(op("-", X, X)), (p.Bind("t", X), *put(op("-", p.Name("t", "float32", "bind"), X)))],
    "TLM901": [
        put(op("-", op("+", X, Y), Y)),
        (p.Bind("t", op("+", X, Y)), *put(op("-", p.Name("t", "float32", "bind"), X))),
    ],
    "TLM902": [
        put(op("*", X, lit(0.0))),
        put(op("/", lit(0.0), X)),
        put(op("+", X, lit(0.0))),
        put(op("-", X, lit(-0.0))),
    ],
    "TLM903": [put(op("*", lit(0.1), lit(0.1))), put(p.Call("T.cast", (lit(0.1), p.Text("float64")), "float64"))],
    "TLM904": [(p.PortIf(op("==", X, X, "bool"), (ONE,)),), (p.PortIf(op("!=", X, X, "bool"), (ONE,)),)],
    "TLM905": [
        (p.PortIf(p.Prefix("not", LESS, "bool"), (ONE,)),),
        (p.PortIf(LESS, (), (ONE,)),),
        (p.PortIf(p.Prefix("not", op("and", FLAG, LESS, "bool"), "bool"), (ONE,)),),
    ],
    "TLM906": [
        (p.PortIf(op("or", LESS, op(">", X, Y, "bool"), "bool"), (ONE,)),),
        (p.PortIf(LESS, (ONE,), (p.PortIf(op(">=", X, Y, "bool"), (ONE,)),)),),
    ],
    "TLM907": [(p.Bind("v", p.Lit(0, "int32")), p.SetVar("v", p.Lit(1, "int32")))],
    "TLM908": [put(p.Prefix("-", U, "uint32")), put(p.Lit(-1, "uint32", True))],
    "TLM909": [put(op("-", p.Call("T.cast", (p.Name("tx", "int32", "thread"), p.Text("uint32")), "uint32"), U))],
    "TLM910": [put(op("/", p.Name("i", "int32", "bind"), p.Lit(2, "int32")))],
    "TLM911": [(p.PortWhile(p.Lit(True, "bool"), (p.Jump("break"),)),)],
    "TLM912": [(p.AllocShared("a", (4,), "float32", "shared.dyn"), p.AllocShared("b", (4,), "float32", "shared.dyn"))],
}
GOOD: list[tuple[p.PortStmt, ...]] = [
    put(p.Call("T.ieee_sub", (X, X), "float32")),
    put(op("-", X, Y)),
    put(op("*", X, lit(2.0))),
    put(op("+", X, lit(-0.0))),
    (p.PortIf(p.Prefix("not", FLAG, "bool"), (ONE,)),),
    (p.PortIf(LESS, (ONE,), (ONE,)),),
    (p.PortIf(op("and", LESS, op("<", Y, lit(3.0), "bool"), "bool"), (ONE,)),),
    put(op("-", lit(0, "uint32"), U)),
]


def _kernel(body: tuple[p.PortStmt, ...]) -> p.PortKernel:
    return p.PortKernel("id", "k", "_k", (), ("block",), ("grid_x",), (), ("bx",), (), (), body, ())


def test_every_pattern_has_examples_and_a_page() -> None:
    assert set(BAD) == set(PATTERNS)
    for code in PATTERNS:
        assert load_page(code)["severity"] == "error"


@pytest.mark.parametrize(("code", "body"), [(code, body) for code, bodies in BAD.items() for body in bodies])
def test_pattern_is_found(code: str, body: tuple[p.PortStmt, ...]) -> None:
    assert code in {found for found, _ in findings(_kernel(body))}


@pytest.mark.parametrize("body", GOOD)
def test_what_is_emitted_instead_is_clean(body: tuple[p.PortStmt, ...]) -> None:
    assert list(findings(_kernel(body))) == []


@pytest.mark.parametrize("name", sorted(ZOO))
def test_rules_never_write_a_forbidden_pattern(name: str) -> None:
    assert list(findings(lower_kernel(ZOO[name]).kernel)) == []
