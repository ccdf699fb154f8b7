"""Where volatile writes to shared memory may be given warp barriers."""

from __future__ import annotations

import pytest
from handmade_kernels import binary, builtin, const, kernel, scalar

from migrate.analysis.warp_steps import check_warp_steps
from migrate.diagnostics import Refusal
from migrate.ir import kernel as k

S = k.Buffer("s", "int32", k.Scope.SHARED, (256,))
TID = builtin("threadIdx")
WRITE = k.Store(S, (TID,), const(1), volatile=True)
N = k.ParamRef("n", "int32")


def check(*body: k.Stmt) -> list[str]:
    return [warning.code for warning in check_warp_steps(kernel((scalar("n", 0),), body, (S,)))]


def comparison(op: str, left: k.Expr, right: k.Expr) -> k.Expr:
    return binary(op, left, right, "bool")


@pytest.mark.parametrize(
    "cond",
    [
        comparison("lt", TID, const(32)),
        comparison("ge", TID, const(64)),
        comparison("le", TID, const(31)),
        comparison("gt", TID, const(127)),
        comparison("eq", binary("truncdiv", TID, const(32)), const(0)),
        comparison("eq", binary("shr", TID, const(5)), N),
        comparison("lt", N, const(7)),
        comparison("and", comparison("lt", TID, const(32)), comparison("gt", N, const(0))),
        k.Unary("not", comparison("lt", TID, const(96)), "bool"),
    ],
)
def test_conditions_that_are_the_same_in_a_warp(cond: k.Expr) -> None:
    assert check(k.If(cond, (WRITE,))) == ["TLM243"]
    assert check(k.If(cond, (), (WRITE,))) == ["TLM243"]


@pytest.mark.parametrize(
    "cond",
    [
        comparison("lt", TID, const(16)),
        comparison("le", TID, const(32)),
        comparison("gt", TID, const(64)),
        comparison("lt", TID, N),
        comparison("eq", binary("truncdiv", TID, const(16)), const(0)),
        comparison("eq", binary("shr", TID, const(4)), const(0)),
        comparison("lt", builtin("threadIdx", "y"), const(32)),
        comparison("and", comparison("lt", TID, const(32)), comparison("eq", TID, const(0))),
    ],
)
def test_conditions_that_part_a_warp(cond: k.Expr) -> None:
    with pytest.raises(Refusal) as refusal:
        check(k.If(cond, (WRITE,)))
    assert refusal.value.diagnostic.code == "TLM250"


def test_blocks_of_two_dimensions_have_other_warps() -> None:
    y = k.LocalVar("y", "int32", False)
    with pytest.raises(Refusal):
        check(k.Declare(y, builtin("threadIdx", "y")), k.If(comparison("lt", TID, const(32)), (WRITE,)))


def test_the_index_is_followed_through_locals_and_lanes_that_leave_do_not_count() -> None:
    t = k.LocalVar("t", "int32", False)
    body = (
        k.Declare(t, TID),
        k.If(comparison("ge", k.LocalRef(t), N), (k.Return(),)),
        k.If(comparison("lt", k.LocalRef(t), const(32)), (WRITE,)),
    )
    assert check(*body) == ["TLM243"]


def test_rounds_must_be_the_same() -> None:
    i = k.LocalVar("i", "int32")
    step = k.Assign(i, binary("add", k.LocalRef(i), const(1)))

    def loop(limit: k.Expr, *body: k.Stmt) -> k.Loop:
        cond = comparison("lt", k.LocalRef(i), limit)
        return k.Loop("for", (k.Declare(i, const(0)),), (), cond, (step,), (*body, WRITE))

    assert check(loop(N)) == ["TLM243"]
    for bad in (loop(TID), loop(N, k.If(comparison("eq", TID, const(3)), (k.Continue(),)))):
        with pytest.raises(Refusal):
            check(bad)


def test_a_function_is_seen_from_its_calls() -> None:
    t = k.LocalVar("t", "int32", False)
    tail = k.Function(
        "tail", "tail", (k.FunctionParam(t),), None, (k.If(comparison("lt", k.LocalRef(t), const(32)), (WRITE,)),)
    )

    def call(argument: k.Expr, *guard: k.Expr) -> list[str]:
        statement: k.Stmt = k.CallFunction(None, "tail", (argument,))
        for cond in guard:
            statement = k.If(cond, (statement,))
        made = kernel((scalar("n", 0),), (statement,), (S,))
        return [w.code for w in check_warp_steps(k.Kernel(**{**made.__dict__, "functions": (tail,)}))]

    assert call(TID) == ["TLM243"]
    with pytest.raises(Refusal):
        call(binary("add", TID, const(1)))
    with pytest.raises(Refusal):
        call(TID, comparison("eq", TID, const(0)))


def test_lanes_that_leave_a_function_go_on_behind_it() -> None:
    early = k.If(comparison("eq", TID, const(0)), (k.Return(),))
    tail = k.Function("tail", "tail", (), None, (early, WRITE))
    made = kernel((scalar("n", 0),), (k.CallFunction(None, "tail", ()),), (S,))
    with pytest.raises(Refusal):
        check_warp_steps(k.Kernel(**{**made.__dict__, "functions": (tail,)}))


def test_plain_writes_need_nothing() -> None:
    assert check(k.If(comparison("eq", TID, const(0)), (k.Store(S, (TID,), const(1)),))) == []
