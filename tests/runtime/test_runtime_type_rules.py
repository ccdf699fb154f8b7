"""The type rules against the real tilelang: every operator on every pair of dtypes."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from tilelang_runtime import TileLangError
from tilelang_runtime.ir import operators, types
from tilelang_runtime.ir.nodes import Var

OPERATORS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "floormod": operator.mod,
    "shl": operator.lshift,
    "shr": operator.rshift,
    "bitand": operator.and_,
    "lt": operator.lt,
}
LITERALS = [2, 0.5]


def ours(op: str, left: Any, right: Any) -> str:
    try:
        built = operators.build(op, left, right)
    except TileLangError:
        return "error"
    return built.left.dtype if op == "lt" else built.dtype


@pytest.mark.upstream
def test_operators_give_upstreams_dtypes():
    tvm = pytest.importorskip("tilelang").tvm
    wrong = []
    for op, function in OPERATORS.items():
        for left in types.SCALARS:
            for right in [*types.SCALARS, *LITERALS]:
                a, b = tvm.tirx.Var("a", left), tvm.tirx.Var("b", right) if isinstance(right, str) else right
                try:
                    built = function(a, b)
                    wanted = str(built.a.dtype if op == "lt" else built.dtype)
                except Exception:
                    wanted = "error"
                got = ours(op, Var("a", left), Var("b", right) if isinstance(right, str) else right)
                if got != wanted:
                    wrong.append((op, left, right, wanted, got))
    assert not wrong, wrong


def test_rules_that_differ_from_c():
    def pair(left, right):
        return types.match(left, right)

    assert pair("int8", "uint8") == "uint8" and pair("uint8", "uint8") == "uint8"
    assert pair("int64", "uint32") == "int64" and pair("int32", "uint32") == "uint32"
    assert pair("float16", "int64") == "float16" and pair("bfloat16", "float16") == "float16"
    assert operators.build("mul", Var("a", "int64"), 0.5).dtype == "float32"
    assert operators.build("shl", Var("a", "uint8"), 2).dtype == "uint8"
    assert operators.build("add", Var("a", "uint8"), 2).dtype == "int32"
