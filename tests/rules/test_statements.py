"""Statements: loops, barriers, volatile memory, uniformity."""

from __future__ import annotations

import pytest

from migrate.analysis.ranges import Ranges
from migrate.diagnostics import Refusal
from migrate.emit.kernels import builder_lines
from migrate.ir import kernel as k
from migrate.rules.lower.lower_kernel import lower_kernel
from rules.kernels import builtin, cast, f32, i32, kernel, op, pointer, ref
from rules.zoo import ZOO

N = k.ParamRef("n", "int32")
OUT = pointer("out", "int32")
TID = cast(builtin("threadIdx"), "int32")
J, S = k.LocalVar("j", "int32"), k.LocalVar("s", "int32")
ADD = k.Assign(S, op("add", ref(S), ref(J)))


def lines(*body: k.Stmt, buffers: tuple[k.Buffer, ...] = ()) -> list[str]:
    """The stripped lines of the builder of a kernel with ``body``."""
    built = lower_kernel(kernel(list(body), [("n", "int32"), OUT], buffers)).kernel
    return [line.strip() for line in builder_lines(built)]


def loop(cond: k.Expr, step: k.Expr, *body: k.Stmt, start: k.Expr | None = None, unroll: int | None = None) -> k.Loop:
    init = (k.Declare(J, start if start is not None else i32(0)),)
    return k.Loop("for", init, (), cond, (k.Assign(J, step),), body, unroll)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (loop(op("lt", ref(J), N), op("add", ref(J), i32(1)), ADD), "for j in T.serial(n):"),
        (loop(op("lt", ref(J), N), op("add", ref(J), i32(4)), ADD, start=TID), "for j in T.serial(tx, n, 4):"),
        (loop(op("le", ref(J), N), op("add", ref(J), i32(1)), ADD), "for j in T.serial(n + 1):"),
        (loop(op("gt", ref(J), i32(0)), op("sub", ref(J), i32(2)), ADD, start=N), "for j in T.serial(n, 0, -2):"),
        (loop(op("lt", ref(J), i32(8)), op("add", ref(J), i32(1)), ADD, unroll=0), "for j in T.unroll(8):"),
        (loop(op("lt", ref(J), N), op("add", ref(J), i32(1)), ADD, unroll=4), "for j in T.serial(n):"),
        (loop(op("lt", ref(J), N), op("mul", ref(J), i32(2)), ADD), "while j < n:"),
        (loop(op("lt", ref(J), N), op("add", ref(J), N), ADD), "while j < n:"),
        (loop(op("lt", ref(J), ref(S)), op("add", ref(J), i32(1)), ADD), "while j < s:"),
        (loop(op("lt", ref(J), N), op("add", ref(J), i32(1)), k.Assign(J, i32(3))), "while j < n:"),
        (loop(op("lt", ref(J), k.Load(OUT, (i32(0),))), op("add", ref(J), i32(1)),
              k.Store(OUT, (i32(0),), i32(2))), "while j < out[0]:"),
    ],
)  # fmt: skip
def test_loop_form(found: k.Loop, wanted: str) -> None:
    text = lines(k.Declare(S, i32(0)), found, k.Store(OUT, (i32(1),), ref(S)))
    assert wanted in text


def test_continue_runs_the_step_of_a_while() -> None:
    leave = k.If(op("eq", ref(J), i32(3)), (k.Continue(),))
    text = lines(
        k.Declare(S, i32(0)), loop(op("lt", ref(J), N), op("add", op("mul", ref(J), i32(2)), i32(1)), leave, ADD)
    )
    at = text.index("continue")
    assert text[at - 1] == "j = j * 2 + 1"


def test_last_return_disappears_and_early_ones_stay() -> None:
    text = lines(k.If(op("lt", N, i32(0)), (k.Return(),)), k.Store(OUT, (i32(0),), i32(1)), k.Return())
    assert text.count("T.thread_return()") == 1


SHARED = k.Buffer("s", "float32", k.Scope.SHARED, (64,))
BARRIER = k.Barrier("block")


@pytest.mark.parametrize(
    "body",
    [
        (k.If(op("lt", TID, i32(8)), (BARRIER,)),),
        (k.Loop("while", (), (), op("lt", TID, i32(9)), (), (BARRIER,)),),
        (k.Declare(S, TID), k.If(op("gt", ref(S), i32(1)), (k.If(op("gt", N, i32(0)), (BARRIER,)),))),
        (k.Loop("while", (), (), op("lt", i32(0), N), (), (k.If(op("eq", TID, i32(1)), (k.Break(),)), BARRIER)),),
    ],
)
def test_divergent_barrier_is_refused(body: tuple[k.Stmt, ...]) -> None:
    with pytest.raises(Refusal) as caught:
        lines(*body, k.Store(OUT, (TID,), i32(1)))
    assert caught.value.diagnostic.code == "TLM252"


def test_a_barrier_in_rounds_that_sizes_decide_stays_with_a_warning() -> None:
    rounds = loop(op("lt", ref(J), N), op("add", ref(J), i32(4)), k.Store(OUT, (TID,), ref(J)), BARRIER, start=TID)
    lowered = lower_kernel(kernel([rounds], [("n", "int32"), OUT]))
    assert [found.code for found in lowered.diagnostics] == ["TLM240"]
    text = [line.strip() for line in builder_lines(lowered.kernel)]
    assert text[text.index("out[tx] = j") + 1] == "T.sync_threads()"
    again = k.LocalVar("again", "int32")
    head = (k.Declare(again, i32(0)),)
    inner = k.Loop(
        "for", head, (), op("lt", ref(again), i32(2)), (k.Assign(again, op("add", ref(again), i32(1))),), (BARRIER,)
    )
    nested = loop(op("lt", ref(J), N), op("add", ref(J), i32(4)), inner, start=TID)
    assert [found.code for found in lower_kernel(kernel([nested], [("n", "int32"), OUT])).diagnostics] == ["TLM240"]
    uniform = loop(op("lt", ref(J), N), op("add", ref(J), i32(4)), BARRIER)
    assert lower_kernel(kernel([uniform], [("n", "int32"), OUT])).diagnostics == ()


@pytest.mark.parametrize(
    "body",
    [
        (k.If(op("lt", N, i32(8)), (BARRIER,)),),
        (k.If(op("lt", TID, N), (k.Return(),)), BARRIER),
        (k.Declare(S, i32(4)), k.Loop("while", (), (), op("gt", ref(S), i32(0)), (),
                                      (BARRIER, k.Assign(S, op("sub", ref(S), i32(1)))))),
        (k.If(op("lt", cast(builtin("blockIdx"), "int32"), N), (BARRIER,)),),
    ],
)  # fmt: skip
def test_uniform_barrier_stays(body: tuple[k.Stmt, ...]) -> None:
    assert "T.sync_threads()" in lines(*body)


def test_volatile_is_refused() -> None:
    buffer = k.Buffer("v", "float32", k.Scope.GLOBAL, volatile=True)
    with pytest.raises(Refusal) as caught:
        lines(k.Store(buffer, (TID,), f32(1.0)), buffers=(buffer,))
    assert caught.value.diagnostic.code == "TLM250"


def test_unsigned_variable_that_fits_becomes_int32() -> None:
    assert 'half = T.alloc_var("int32", init=block // 2)' in [
        line.strip() for line in builder_lines(lower_kernel(ZOO["block_sum"]).kernel)
    ]


def test_unsigned_variable_that_may_grow_stays_unsigned() -> None:
    u = k.LocalVar("u", "uint32")
    body = (k.Declare(u, k.Const("uint32", 1)), k.Assign(u, op("mul", ref(u), k.Const("uint32", 3))))
    assert Ranges(body).carrier(ref(u)) == "uint32"
    assert 'u = T.alloc_var("uint32", init=T.uint32(1))' in lines(*body)


def test_grid_limit_is_recorded() -> None:
    built = lower_kernel(ZOO["saxpy"]).kernel
    assert [(rule.axis, rule.factor, rule.per_block) for rule in built.grid_rules] == [(0, 1, True)]
    wide = lower_kernel(ZOO["wide_indices"]).kernel
    assert [(rule.axis, rule.factor, rule.per_block) for rule in wide.grid_rules] == [(0, 16, False)]


def test_warp_reductions_keep_their_mask() -> None:
    result = k.LocalVar("total", "uint32")
    reduce = k.Vote(result, "reduce_add", k.Const("uint32", 3), k.Const("uint32", 0xFF))
    text = 'T.call_extern("uint32", "__reduce_add_sync", T.uint32(255), T.uint32(3))'
    assert any(text in line for line in lines(k.Declare(result, None), reduce))


def test_a_loop_that_upstream_would_run_exactly_once_becomes_a_while() -> None:
    """T.serial(tx, 64, 128) loses its guard in 0.1.15's lowering (seen as an illegal access on hardware)."""
    text = lines(loop(op("lt", ref(J), i32(64)), op("add", ref(J), i32(128)), start=TID))
    assert not any("T.serial" in line for line in text)
    assert "while j < 64:" in text
    text = lines(loop(op("lt", ref(J), N), op("add", ref(J), i32(128)), start=TID))
    assert any("T.serial" in line for line in text)
