"""The verifier finds what is malformed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrate.ir.kernel import (
    Assign,
    Binary,
    Break,
    Buffer,
    Cast,
    Const,
    Declare,
    If,
    Kernel,
    Load,
    LocalRef,
    LocalVar,
    Loop,
    PointerParam,
    Return,
    Scope,
    Stmt,
    Store,
)
from migrate.ir.span import Span
from migrate.ir.verify_kernel import verify_kernel

X = Buffer("x", "float32", Scope.GLOBAL)
I = LocalVar("i", "int32", mutable=True)  # noqa: E741
FIXED = LocalVar("c", "int32", mutable=False)
ONE = Const("int32", 1)
ZERO = Const("float32", 0.0)


def kernel(*body: Stmt) -> Kernel:
    span = Span("k.cu", 1)
    return Kernel(
        "k.cu:1:k", "k", "k", "k", (), (PointerParam(X, "float*", 0),), (("float *", 8),), (X,), (), body, span
    )


def test_a_good_kernel_has_no_faults() -> None:
    step = Assign(I, Binary("add", LocalRef(I), ONE, "int32"))
    cond = Binary("lt", LocalRef(I), Const("int32", 4), "bool")
    body = (Store(X, (LocalRef(I),), Cast(LocalRef(I), "float32")), If(cond, (Break(),)))
    loop = Loop("for", (Declare(I, Const("int32", 0)),), (), cond, (step,), body)
    assert verify_kernel(kernel(loop, Return())) == []


@pytest.mark.parametrize(
    ("fault", "body"),
    [
        ("written before", (Assign(I, ONE),)),
        ("read before", (Declare(I, LocalRef(LocalVar("j", "int32"))),)),
        ("is int32, its value is float32", (Declare(I, ZERO),)),
        ("immutable c is written", (Declare(FIXED, ONE), Assign(FIXED, ONE))),
        ("has no value", (Declare(FIXED, None),)),
        ("outside of a loop", (Break(),)),
        ("2 indices", (Store(X, (ONE, ONE), ZERO),)),
        ("an integer is needed", (Store(X, (ZERO,), ZERO),)),
        ("if is bool", (If(ONE, ()),)),
        ("add of int32 and float32", (Declare(I, Binary("add", ONE, ZERO, "int32")),)),
        ("not declared", (Store(X, (ONE,), Load(Buffer("y", "float32", Scope.SHARED, (4,)), (ONE,))),)),
        ("return with a value", (Return(ONE),)),
        ("is no int32", (Declare(I, Const("int32", 1 << 40)),)),
        ("hides", (Declare(LocalVar("x", "int32"), ONE),)),
        ("read before", (If(Const("bool", True), (Declare(I, ONE),)), Store(X, (LocalRef(I),), ZERO))),
    ],
)
def test_finds(fault: str, body: tuple[Stmt, ...]) -> None:
    faults = verify_kernel(kernel(*body))
    assert any(fault in found for found in faults), faults


def test_finds_buffers_of_one_name() -> None:
    assert verify_kernel(replace(kernel(), buffers=(X, X))) == ["two buffers share a name"]
