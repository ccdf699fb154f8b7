"""The reversed schedule: blocks, warps and lanes in mirrored order, and what it shows that contract order hides."""

from __future__ import annotations

import numpy as np
import pytest
from runtime_helpers import REFERENCE, T, compile_native, run_with

from tilelang_runtime.kernel import Configuration, configure

ORDERED = Configuration("native", "ordered", 1)
REVERSED = Configuration("native", "reversed", 1)


def ran(choice: Configuration, prim_func, *arguments) -> list[np.ndarray]:
    copies = [item.copy() if isinstance(item, np.ndarray) else item for item in arguments]
    run_with(choice, compile_native(prim_func), *copies)
    return [item for item in copies if isinstance(item, np.ndarray)]


@pytest.mark.parametrize("waits", [False, True])
def test_tickets_are_drawn_backwards(waits):
    @T.prim_func
    def tickets(count: T.Tensor((1,), "int32"), slots: T.Tensor((96,), "int32")):
        with T.Kernel(2, threads=48) as bx:
            tx = T.get_thread_binding(0)
            if waits:
                T.sync_threads()
            place = T.atomic_add(count[0], 1, return_prev=True)
            slots[place] = bx * 48 + tx

    for choice, expected in ((ORDERED, np.arange(96)), (REVERSED, np.arange(96)[::-1])):
        count, slots = ran(choice, tickets, np.zeros(1, "i4"), np.zeros(96, "i4"))
        if choice is ORDERED or not waits:
            assert slots.tolist() == expected.tolist() and count[0] == 96
        else:
            # After a barrier the highest thread goes on, then the rest of its warp, then the warp below.
            assert slots.tolist() == expected.tolist()


def test_collectives_give_the_same_in_both_orders():
    @T.prim_func
    def sums(x: T.Tensor((80,), "float32"), out: T.Tensor((80,), "float32"), votes: T.Tensor((80,), "uint64")):
        with T.Kernel(1, threads=80):
            tx = T.get_thread_binding(0)
            v = T.alloc_var("float32", init=x[tx])
            for offset in (16, 8, 4, 2, 1):
                v = v + T.shfl_xor(v, offset)
            votes[tx] = T.ballot_sync(T.cast(x[tx] > T.float32(0.0), "int32"))
            out[tx] = v

    x = np.random.default_rng(3).standard_normal(80).astype("f4")
    arguments = (x, np.zeros(80, "f4"), np.zeros(80, "u8"))
    for left, right in zip(ran(ORDERED, sums, *arguments), ran(REVERSED, sums, *arguments), strict=True):
        assert left.tobytes() == right.tobytes()


def test_a_missing_barrier_that_only_one_order_shows():
    @T.prim_func
    def shifted(x: T.Tensor((64,), "int32"), out: T.Tensor((64,), "int32")):
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((64,), "int32", scope="shared")
            s[tx] = x[tx]
            out[tx] = T.if_then_else(tx > 0, s[tx - 1], 0)

    x = np.arange(64, dtype="i4") + 5
    right = np.concatenate([[0], x[:-1]])
    assert np.array_equal(ran(ORDERED, shifted, x, np.zeros(64, "i4"))[1], right)
    assert not np.array_equal(ran(REVERSED, shifted, x, np.zeros(64, "i4"))[1], right)


def test_the_reference_engine_has_no_reversed_mode():
    with pytest.raises(ValueError, match="no reversed mode"):
        configure(engine=REFERENCE.engine, mode="reversed")
