"""Barriers that order nothing, because the indices of different threads never meet."""

from __future__ import annotations

import pytest

from migrate.mutate.equivalence import idle_barrier
from migrate.mutate.operators import mutations
from migrate.mutate.view import BuilderView

pytest.importorskip("z3")

PORT = """
def _k(block: int):
    x_len = T.dynamic("x_len", "int64")

    @T.macro
    def step(given, t):
        later = given[t + 16]
        T.sync_warp()
        given[t] = later

    @T.prim_func
    def k_kernel(x: T.Tensor((x_len,), "float32"), n: T.int32, grid_x: T.int32):
        with T.Kernel(grid_x, threads=block) as bx:
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((512,), "float32", scope="shared")
            T.sync_threads()
            {body}

    return k_kernel
"""
FIRST = PORT[: PORT.index("{body}")].count("\n")  # the line before it
STEP = "if tx < 32:\n    v = s[tx + {distance}]\n    T.{barrier}()\n    s[tx] = v"


def idle(body: str, operator: str = "dropped_barrier", note: str = "", blocks=((64, 1, 1),)) -> bool:
    text = PORT.replace("{body}", body.replace("\n", "\n            "))
    view = BuilderView(text, "_k")
    own = [item for item in mutations(view, (operator,)) if note in item.note and item.line > FIRST]
    found = max(own, key=lambda item: item.line)
    return idle_barrier(view, found, blocks, ("n",))


@pytest.mark.parametrize(("distance", "expected"), [(32, True), (31, False), (16, False), (64, True)])
def test_reads_above_and_writes_below(distance, expected):
    assert idle(STEP.format(distance=distance, barrier="sync_warp")) is expected
    assert idle(STEP.format(distance=distance, barrier="sync_threads")) is expected


def test_a_thread_may_meet_itself_only():
    assert idle("s[tx] = 1.0\nT.sync_threads()\nif tx == 0:\n    x[bx] = s[1]") is False
    assert idle("if tx == 0:\n    s[0] = 1.0\nT.sync_threads()\nif tx == 0:\n    x[bx] = s[0]") is True
    assert idle("if tx == 0:\n    s[0] = 1.0\nT.sync_threads()\nif tx == n:\n    x[bx] = s[0]") is False


def test_a_barrier_of_warps_does_not_end_what_one_of_blocks_orders():
    body = "s[tx] = 1.0\nT.sync_warp()\nn_2 = n\nT.sync_threads()\nx[tx] = s[63 - tx]"
    assert not idle(body)
    assert idle("s[tx] = 1.0\nT.sync_warp()\nx[tx] = s[tx]")
    # Another warp's elements are none that a barrier of warps orders.
    assert idle("s[tx] = 1.0\nT.sync_warp()\nx[tx] = s[(tx + 32) % 64]")
    assert not idle("s[tx] = 1.0\nT.sync_threads()\nx[tx] = s[(tx + 32) % 64]")


def test_every_block_size_counts():
    body = "s[tx] = 1.0\nT.sync_threads()\nx[tx] = s[tx + 64]"
    assert idle(body) and not idle(body, blocks=((64, 1, 1), (65, 1, 1))) and not idle(body, blocks=())
    # The second row of threads has the indices of the first.
    assert idle(body, blocks=((8, 1, 1),)) and not idle(
        "s[tx] = 1.0\nT.sync_threads()\nx[tx] = s[tx]", blocks=((8, 2, 1),)
    )


def test_moved_past_a_statement():
    body = "if tx < 32:\n    s[tx] = 1.0\nT.sync_threads()\nx[tx] = s[tx + 32]\nx[n] = s[5]"
    assert idle(body, "moved_barrier", "later")
    assert not idle(body.replace("tx + 32", "31 - tx"), "moved_barrier", "later")


def test_what_is_given_to_macros_or_depends_on_data_is_not_known():
    text = PORT.replace("{body}", "step(s, tx)")
    view = BuilderView(text, "_k")
    inside = [item for item in mutations(view, ("dropped_barrier", "moved_barrier")) if item.line <= FIRST - 8]
    assert len(inside) >= 3 and not any(idle_barrier(view, item, ((64, 1, 1),), ()) for item in inside)
    assert not idle('k = T.cast(x[tx], "int32")\ns[k] = 1.0\nT.sync_threads()\nx[tx] = s[tx]')
