"""Thread-level programs: every result against numpy, and the engines against each other."""

from __future__ import annotations

import numpy as np
import pytest
from runtime_helpers import T, run

from tilelang_runtime import RunError, TileLangError

rng = np.random.default_rng(5)


def floats(*shape):
    return rng.standard_normal(shape).astype("f4")


def test_saxpy_with_tail():
    x_len, y_len = T.dynamic("x_len, y_len", "int64")

    @T.prim_func
    def saxpy(n: T.int32, a: T.float32, x: T.Tensor((x_len,), "float32"), y: T.Tensor((y_len,), "float32"), g: T.int32):
        with T.Kernel(g, threads=64) as bx:
            i = bx * 64 + T.get_thread_binding(0)
            if i < n:
                y[i] = a * x[i] + y[i]

    x, y = floats(130), floats(130)
    expected = np.float32(1.5) * x + y
    expected[129] = y[129]
    kernel = run(saxpy, 129, 1.5, x, y, 3, parallel=True)
    assert np.array_equal(y, expected) and kernel.report() == []
    before = y.copy()
    run(saxpy, 129, 1.5, x, y, 0)
    assert np.array_equal(y, before), "a grid of zero blocks does nothing"


def test_out_of_range_is_guarded_and_reported():
    n = T.dynamic("n", "int64")

    @T.prim_func
    def shift(x: T.Tensor((n,), "int32"), y: T.Tensor((n,), "int32")):
        with T.Kernel(1, threads=32):
            i = T.get_thread_binding(0)
            y[i + 4] = x[i - 4] + 100

    x, y = np.arange(32, dtype="i4"), np.zeros(32, "i4")
    kernel = run(shift, x, y)
    assert y[4:8].tolist() == [100] * 4 and y[8:].tolist() == list(range(100, 124))
    events = {event.what: event for event in kernel.report()}
    assert events["read of x"].count == 4 and events["read of x"].first == (-4,)
    assert events["write of y"].count == 4 and events["write of y"].span.line > 0


def test_out_of_range_without_guards_is_an_error():
    n = T.dynamic("n", "int64")

    @T.prim_func
    def over(x: T.Tensor((n,), "int32")):
        with T.Kernel(2, threads=32) as bx:
            x[bx * 32 + T.get_thread_binding(0)] = 1

    with pytest.raises(RunError, match=r"write of x out of range: index \(40\).*block \(1, 0, 0\), thread \(8, 0, 0\)"):
        run(over, np.zeros(40, "i4"), pass_configs={"tl.disable_safe_memory_legalize": True})


def test_shared_memory_out_of_range_is_an_error():
    @T.prim_func
    def over(x: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            s = T.alloc_shared((4, 2), "int32")
            s[x[i], 1] = i

    with pytest.raises(RunError, match=r"write of s out of range: index \(4, 1\)"):
        run(over, np.arange(8, dtype="i4"))


def test_tree_reduction_with_while_and_unrolled_list():
    n = T.dynamic("n")

    @T.prim_func
    def tree(
        x: T.Tensor((n,), "float32"),
        out: T.Tensor((T.ceildiv(n, 64),), "float32"),
        two: T.Tensor((T.ceildiv(n, 64),), "float32"),
    ):
        with T.Kernel(T.ceildiv(n, 64), threads=64) as bx:
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((64,), "float32", scope="shared")
            g = bx * 64 + tx
            s[tx] = T.if_then_else(g < n, x[g], T.float32(0))
            T.sync_threads()
            stride = T.alloc_var("int32", init=32)
            while stride > 0:
                if tx < stride:
                    s[tx] = s[tx] + s[tx + stride]
                T.sync_threads()
                stride = stride >> 1
            if tx == 0:
                out[bx] = s[0]
            T.sync_threads()
            s[tx] = T.if_then_else(g < n, x[g], T.float32(0))
            T.sync_threads()
            for step in [32, 16, 8, 4, 2, 1]:
                if tx < step:
                    s[tx] += s[tx + step]
                T.sync_threads()
            if tx == 0:
                two[bx] = s[0]

    x = floats(1000)
    out, two = np.zeros(16, "f4"), np.zeros(16, "f4")
    assert run(tree, x, out, two, parallel=True).report() == []
    assert np.allclose(out, np.pad(x, (0, 24)).reshape(16, 64).sum(1), atol=1e-4) and np.array_equal(out, two)


def test_warp_sum_by_macro_and_atomics():
    n = T.dynamic("n")

    @T.macro
    def warp_sum(v: T.Ref):
        for offset in (16, 8, 4, 2, 1):
            v = v + T.shfl_xor(v, offset)

    @T.prim_func
    def total(x: T.Tensor((n,), "int32"), out: T.Tensor((1,), "int32")):
        with T.Kernel(T.ceildiv(n, 128), threads=128) as bx:
            tx = T.get_thread_binding(0)
            parts = T.alloc_shared((4,), "int32")
            v = T.alloc_var("int32", init=0)
            if bx * 128 + tx < n:
                v = x[bx * 128 + tx]
            warp_sum(v)
            if tx % 32 == 0:
                parts[tx // 32] = v
            T.sync_threads()
            if tx < 4:
                T.atomic_add(out[0], parts[tx])

    x = rng.integers(-99, 99, 1000).astype("i4")
    out = np.zeros(1, "i4")
    run(total, x, out, parallel=True)
    assert out[0] == x.sum()


@pytest.mark.parametrize("width", [32, 16, 8, 2])
def test_shuffle_modes_and_widths(width):
    @T.prim_func
    def shuffles(x: T.Tensor((32,), "int32"), out: T.Tensor((4, 32), "int32"), lane: T.int32):
        with T.Kernel(1, threads=32):
            tx = T.get_thread_binding(0)
            v = x[tx]
            out[0, tx] = T.shfl_sync(v, lane, width)
            out[1, tx] = T.shfl_up(v, 3, width)
            out[2, tx] = T.shfl_down(v, 3, width)
            out[3, tx] = T.shfl_xor(v, 1, width)

    x = (np.arange(32, dtype="i4") + 1) * 10
    for lane in (0, 1, 5, 31):
        out = np.zeros((4, 32), "i4")
        run(shuffles, x, out, lane)
        t = np.arange(32)
        first = t // width * width
        assert np.array_equal(out[0], x[first + lane % width])
        assert np.array_equal(out[1], np.where(t - 3 >= first, x[t - 3], x))
        assert np.array_equal(out[2], np.where(t + 3 < first + width, x[np.minimum(t + 3, 31)], x))
        assert np.array_equal(out[3], x[t ^ 1])


def test_shuffle_within_masks_and_from_an_inactive_lane():
    @T.prim_func
    def halves(x: T.Tensor((32,), "float32"), out: T.Tensor((32,), "float32"), stray: T.int32):
        with T.Kernel(1, threads=32):
            tx = T.get_thread_binding(0)
            if tx < 16:
                out[tx] = T.shfl_down(x[tx], 8, 16, mask=0xFFFF)
            else:
                out[tx] = T.shfl_sync(x[tx], stray, 32, mask=0xFFFF0000)

    x, out = floats(32), np.zeros(32, "f4")
    assert run(halves, x, out, 20).report() == []
    assert np.array_equal(out[:8], x[8:16]) and np.all(out[16:] == x[20])
    events = run(halves, x, out, 3).report()
    assert [(event.kind, event.count) for event in events] == [("inactive_lane", 16)]


def test_votes_and_block_votes():
    @T.prim_func
    def votes(x: T.Tensor((64,), "int32"), out: T.Tensor((8, 64), "int64")):
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding(0)
            p = x[tx] > 5
            out[0, tx] = T.cast(T.ballot_sync(p), "int64")
            out[1, tx] = T.cast(T.any_sync(p), "int64")
            out[2, tx] = T.cast(T.all_sync(p), "int64")
            out[3, tx] = T.cast(T.match_any_sync(x[tx]), "int64")
            out[4, tx] = T.cast(T.syncthreads_count(p), "int64")
            out[5, tx] = T.cast(T.syncthreads_and(p), "int64")
            out[6, tx] = T.cast(T.syncthreads_or(p), "int64")
            out[7, tx] = T.cast(T.warp_reduce_max(x[tx]), "int64")

    x = rng.integers(0, 8, 64).astype("i4")
    x[32:] = np.maximum(x[32:], 6)
    out = np.zeros((8, 64), "i8")
    run(votes, x, out)
    for warp in (0, 32):
        part, got = x[warp : warp + 32], out[:, warp : warp + 32]
        assert np.all(got[0] == sum(1 << lane for lane in range(32) if part[lane] > 5))
        assert np.all(got[1] == int((part > 5).any())) and np.all(got[2] == int((part > 5).all()))
        assert got[3].tolist() == [sum(1 << k for k in range(32) if part[k] == value) for value in part]
        assert np.all(got[7] == part.max())
    assert np.all(out[4] == (x > 5).sum()) and np.all(out[5] == int((x > 5).all())) and np.all(out[6] == 1)


def test_reductions_over_the_lanes_of_a_mask():
    low, high = 0x00F0F00F, 0xFFFFFFFF ^ 0x00F0F00F

    @T.prim_func
    def reductions(x: T.Tensor((40,), "int32"), out: T.Tensor((6, 40), "int64")):
        with T.Kernel(1, threads=40):
            tx = T.get_thread_binding(0)
            mask = T.alloc_var("uint32", init=T.uint32(high))
            if (T.uint32(low) >> T.cast(tx & 31, "uint32")) & T.uint32(1) != T.uint32(0):
                mask = T.uint32(low)
            bits = T.cast(x[tx], "uint32")
            out[0, tx] = T.cast(T.call_extern("int32", "__reduce_add_sync", mask, x[tx]), "int64")
            out[1, tx] = T.cast(T.call_extern("int32", "__reduce_min_sync", mask, x[tx]), "int64")
            out[2, tx] = T.cast(T.call_extern("uint32", "__reduce_max_sync", mask, bits), "int64")
            out[3, tx] = T.cast(T.call_extern("uint32", "__reduce_and_sync", mask, bits), "int64")
            out[4, tx] = T.cast(T.call_extern("uint32", "__reduce_or_sync", mask, bits), "int64")
            out[5, tx] = T.cast(T.call_extern("uint32", "__reduce_xor_sync", mask, bits), "int64")

    x = rng.integers(-1000, 1000, 40).astype("i4")
    out = np.zeros((6, 40), "i8")
    assert run(reductions, x, out).report() == []
    for lane in range(40):
        warp = range(lane // 32 * 32, min(lane // 32 * 32 + 32, 40))
        mine = low if low >> (lane & 31) & 1 else high
        part = np.array([x[k] for k in warp if mine >> (k & 31) & 1])
        bits = part.view("u4")
        expected = [part.sum(), part.min(), bits.max()]
        expected += [operation.reduce(bits) for operation in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
        assert out[:, lane].tolist() == [int(value) for value in expected], lane


@pytest.mark.parametrize(
    ("result", "name", "mask", "operand"),
    [
        ("int32", "__reduce_and_sync", "uint32", "int32"),
        ("int32", "__reduce_add_sync", "int32", "int32"),
        ("uint32", "__reduce_add_sync", "uint32", "int32"),
        ("float32", "__reduce_add_sync", "uint32", "float32"),
    ],
)
def test_warp_reductions_take_a_mask_and_the_dtypes_of_cuda(result, name, mask, operand):
    with pytest.raises(TileLangError, match=name):

        @T.prim_func
        def wrong(x: T.Tensor((32,), "int32")):
            with T.Kernel(1, threads=32):
                tx = T.get_thread_binding(0)
                x[tx] = T.cast(T.call_extern(result, name, T.cast(tx, mask), T.cast(x[tx], operand)), "int32")


def test_a_vote_just_before_the_end_counts_lanes_that_end_meanwhile():
    @T.prim_func
    def last_vote(x: T.Tensor((64,), "int32"), out: T.Tensor((64,), "int32")):
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding(0)
            every = T.all_sync(T.cast(x[tx] > 0, "int32"))
            out[tx] = every

    x, out = np.ones(64, "i4"), np.full(64, 7, "i4")
    x[40] = 0
    run(last_vote, x, out)
    assert out.tolist() == [1] * 32 + [0] * 32


def test_a_literal_that_is_not_a_number_is_no_interval():
    @T.prim_func
    def largest(x: T.Tensor((32,), "float32")):
        with T.Kernel(1, threads=32):
            tx = T.get_thread_binding(0)
            y = T.max(x[tx], T.float32(float("nan")))
            x[tx] = y + T.min(y, T.float32(float("inf")))

    x = floats(32)
    expected = x + x
    run(largest, x)
    assert np.array_equal(x, expected)


def test_a_value_may_be_compared_with_what_it_was_before():
    @T.prim_func
    def settle(x: T.Tensor((32,), "float32"), rounds: T.Tensor((32,), "int32")):
        with T.Kernel(1, threads=32):
            tx = T.get_thread_binding(0)
            value = T.alloc_var("float32", init=x[tx])
            count = T.alloc_var("int32", init=0)
            while count < 40:
                before = value
                value = value * 0.5 + 1.0
                if value == before:
                    break
                if value - before > 0.0:
                    x[tx] = x[tx] + 1.0
                count = count + 1
            rounds[tx] = count

    x, rounds = np.full(32, 2, "f4"), np.zeros(32, "i4")
    x[1] = 0
    run(settle, x, rounds)
    value, count, grown = np.float32(0), 0, 0
    while count < 40:
        before, value = value, value * np.float32(0.5) + np.float32(1)
        if value == before:
            break
        grown, count = grown + 1, count + 1
    assert rounds.tolist() == [0, count] + [0] * 30 and x[1] == grown and x[0] == 2


def test_tickets_follow_the_schedule():
    """Blocks ascending; warp by warp between barriers; lanes ascending."""

    @T.prim_func
    def tickets(counter: T.Tensor((1,), "int32"), before: T.Tensor((128,), "int32"), after: T.Tensor((128,), "int32")):
        with T.Kernel(2, threads=64) as bx:
            tx = T.get_thread_binding(0)
            before[bx * 64 + tx] = T.atomic_add(counter[0], 1, return_prev=True)
            T.sync_threads()
            after[bx * 64 + tx] = T.atomic_add(counter[0], 1, return_prev=True)

    counter, before, after = np.zeros(1, "i4"), np.zeros(128, "i4"), np.zeros(128, "i4")
    run(tickets, counter, before, after)
    assert before.tolist() == [*range(64), *range(128, 192)]
    assert after.tolist() == [*range(64, 128), *range(192, 256)]


def test_early_return_before_a_barrier_in_a_uniform_loop():
    n = T.dynamic("n")

    @T.prim_func
    def scan(x: T.Tensor((n,), "int32"), y: T.Tensor((n,), "int32"), limit: T.int32):
        with T.Kernel(T.ceildiv(n, 32), threads=32) as bx:
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((32,), "int32")
            if tx >= limit:
                T.thread_return()
            s[tx] = x[bx * 32 + tx]
            T.sync_threads()
            d = T.alloc_var("int32", init=1)
            t = T.alloc_var("int32", init=0)
            while d < 32:
                t = 0
                if tx >= d:
                    t = s[tx - d]
                T.sync_threads()
                s[tx] = s[tx] + t
                T.sync_threads()
                d = d << 1
            y[bx * 32 + tx] = s[tx]

    x = rng.integers(0, 9, 96).astype("i4")
    for limit in (32, 20, 1):
        y = np.zeros(96, "i4")
        run(scan, x, y, limit, parallel=True)
        expected = np.cumsum(x.reshape(3, 32), axis=1)
        expected[:, limit:] = 0
        assert np.array_equal(y.reshape(3, 32), expected)


def test_deadlock_names_the_places():
    @T.prim_func
    def stuck(x: T.Tensor((64,), "int32")):
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding(0)
            if tx < 40:
                x[tx] = T.shfl_sync(x[tx], 0)
            else:
                T.sync_threads()

    with pytest.raises(RunError, match=r"deadlock: 32 live threads.*T\.sync_threads of .*test_runtime_threads\.py:\d+"):
        run(stuck, np.zeros(64, "i4"))


def test_division_by_zero_is_an_error():
    @T.prim_func
    def divide(x: T.Tensor((4,), "int32"), y: T.Tensor((4,), "int32")):
        with T.Kernel(1, threads=4):
            i = T.get_thread_binding(0)
            y[i] = T.truncdiv(100, x[i])

    y = np.zeros(4, "i4")
    run(divide, np.array([1, -7, 3, 200], "i4"), y)
    assert y.tolist() == [100, -14, 33, 0]
    with pytest.raises(RunError, match="division by zero"):
        run(divide, np.array([1, 0, 3, 200], "i4"), y)


def test_loops_break_continue_and_steps():
    @T.prim_func
    def loops(out: T.Tensor((6,), "int32"), n: T.int32, step: T.int32):
        with T.Kernel(1, threads=1):
            for k in range(6):
                out[k] = 0
            for i in T.serial(n):
                if i % 3 == 0:
                    continue
                if i == 11:
                    break
                out[0] = out[0] + i
            for i in T.serial(2, n, 5):
                out[1] += i
            for i in T.serial(n, 0, -3):
                out[2] += i
            for i in range(0, n, step):
                out[3] += i
            i = T.alloc_var("int32", init=0)
            while True and i < n:
                i += 1
                if i == 4:
                    continue
                if i > 9:
                    break
                out[4] += i
            for i_, j in T.grid(3, 4):
                out[5] += i_ * j

    out = np.zeros(6, "i4")
    run(loops, out, 20, 7)
    assert out.tolist() == [
        sum(i for i in range(11) if i % 3),
        sum(range(2, 20, 5)),
        sum(range(20, 0, -3)),
        sum(range(0, 20, 7)),
        sum(i for i in range(1, 10) if i != 4),
        sum(i * j for i in range(3) for j in range(4)),
    ]


def test_snapshots_swaps_and_references():
    @T.macro
    def bump(cell: T.Ref, by):
        cell = cell + by

    @T.macro
    def clamp_twice(v, low, high):
        r = T.alloc_var("int32")
        r = v
        if v < low:
            r = low
        if v > high:
            r = high
        return r, r + 1

    @T.prim_func
    def values(out: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=1):
            a = T.alloc_var("int32", init=1)
            b = T.alloc_var("int32", init=2)
            t = a
            a = 10
            out[0] = t
            a, b = b, a
            out[1] = a
            out[2] = b
            local = T.alloc_local((2,), "int32")
            local[0] = 5
            local[1] = 6
            bump(local[1], a)
            bump(out[3], 7)
            bump(b, 1)
            out[4] = local[1]
            low, high = clamp_twice(b, 0, 9)
            out[5] = low
            out[6] = high
            out[7] = 3 if b > 100 else (4 if a == 2 and b == 11 else 5)

    out = np.zeros(8, "i4")
    run(values, out)
    assert out.tolist() == [1, 2, 10, 7, 8, 9, 10, 4]


def test_atomics_and_external_calls():
    @T.prim_func
    def work(
        x: T.Tensor((8,), "int32"),
        f: T.Tensor((2,), "float32"),
        u: T.Tensor((4,), "uint32"),
        old: T.Tensor((8,), "int32"),
    ):
        with T.Kernel(1, threads=1):
            old[0] = T.atomic_max(x[0], 9, return_prev=True)
            old[1] = T.atomic_min(x[1], -9, return_prev=True)
            T.atomic_or(x[2], 6)
            old[3] = T.call_extern("int32", "atomicCAS", T.address_of(x[3]), 3, 33)
            old[4] = T.call_extern("int32", "atomicExch", T.address_of(x[4]), 44)
            old[5] = T.call_extern("int32", "atomicSub", T.address_of(x[5]), 2)
            T.call_extern("handle", "atomicXor", T.address_of(x[6]), 5)
            T.atomic_add(f[0], 0.5)
            f[1] = T.call_extern("float32", "erfcf", f[0]) + T.call_extern("float32", "__fdividef", 1.0, f[0])
            u[0] = T.call_extern("uint32", "__brev", T.uint32(1))
            u[1] = T.call_extern("uint32", "__umulhi", T.uint32(0xFFFFFFFF), T.uint32(0xFFFFFFFF))
            u[2] = T.call_extern("uint32", "__byte_perm", T.uint32(0x33221100), T.uint32(0x77665544), T.uint32(0x7531))
            u[3] = T.call_extern("uint32", "atomicInc", T.address_of(u[3]), T.uint32(4)) + T.uint32(10)
            T.call_extern("handle", "__threadfence")

    x, f = np.arange(8, dtype="i4"), np.array([1, 0], "f4")
    u, old = np.array([0, 0, 0, 4], "u4"), np.zeros(8, "i4")
    run(work, x, f, u, old)
    assert x.tolist() == [9, -9, 6, 33, 44, 3, 3, 7] and old[:6].tolist() == [0, 1, 0, 3, 4, 5]
    assert f[0] == 1.5 and abs(f[1] - 0.70056152) < 1e-6
    assert u.tolist() == [0x80000000, 0xFFFFFFFE, 0x77553311, 14]


def test_unknown_names_are_named():
    with pytest.raises(AttributeError, match=r"tilelang\.language\.tma_copy"):
        T.tma_copy
    with pytest.raises(TileLangError, match="'my_function' is not known"):

        @T.prim_func
        def calls(x: T.Tensor((1,), "float32")):
            with T.Kernel(1, threads=1):
                x[0] = T.call_extern("float32", "my_function", x[0])


def test_arguments_are_checked():
    n = T.dynamic("n")

    @T.prim_func
    def copy(x: T.Tensor((n, 4), "float32"), y: T.Tensor((n, 4), "float32"), k: T.int32):
        with T.Kernel(n, threads=4) as bx:
            y[bx, T.get_thread_binding(0)] = x[bx, T.get_thread_binding(0)]

    x = floats(3, 4)
    with pytest.raises(TypeError, match="`x` must be float32"):
        run(copy, x.astype("f8"), x.copy(), 1)
    with pytest.raises(ValueError, match="`y`: extent 0 must be 3"):
        run(copy, x, floats(2, 4), 1)
    with pytest.raises(ValueError, match="contiguous"):
        run(copy, floats(4, 3).T, floats(3, 4), 1)
    with pytest.raises(TypeError, match="3 arguments"):
        run(copy, x, x)
    with pytest.raises(ValueError, match="does not fit int32"):
        run(copy, x, x.copy(), 2**31)


def test_strided_tensors():
    n, m, s0, s1 = T.dynamic("n, m, s0, s1")

    @T.prim_func
    def gather(x: T.StridedTensor((n, m), (s0, s1), "float32"), y: T.Tensor((n, m), "float32")):
        with T.Kernel(n, threads=32) as bx:
            for j in T.serial(T.get_thread_binding(0), m, 32):
                y[bx, j] = x[bx, j]

    x, y = floats(50, 20), np.zeros((20, 50), "f4")
    run(gather, x.T, y)
    assert np.array_equal(y, x.T)


def test_bool_memory():
    @T.prim_func
    def flags(x: T.Tensor((8,), "bool"), on: T.bool, out: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((8,), "bool")
            undefined = T.alloc_shared((8,), "bool")
            s[tx] = x[tx] and on
            T.sync_threads()
            x[tx] = not s[7 - tx]
            out[tx] = T.if_then_else(s[tx], 1, 2) + T.cast(undefined[tx], "int32") * 10

    for on in (True, False):
        x, out = np.array([1, 0, 0, 1, 1, 1, 0, 0], "?"), np.zeros(8, "i4")
        expected = x & on
        run(flags, x, on, out)
        assert np.array_equal(x, ~expected[::-1]) and np.array_equal(out, np.where(expected, 11, 12))


def test_views_share_bytes():
    @T.prim_func
    def views(x: T.Tensor((8,), "float32"), bits: T.Tensor((8,), "int32"), halves: T.Tensor((4,), "uint16")):
        with T.Kernel(1, threads=8):
            tx = T.get_thread_binding(0)
            s = T.alloc_shared((8,), "float32", scope="shared.dyn")
            words = T.view(s, (2, 4), "int32")
            local = T.alloc_local((2,), "float32")
            parts = T.view(local, (4,), "uint16")
            s[tx] = x[tx]
            T.sync_threads()
            bits[tx] = words[tx // 4, tx % 4] + 1
            local[0] = x[0]
            local[1] = x[1]
            if tx < 4:
                halves[tx] = parts[tx]

    x, bits, halves = floats(8), np.zeros(8, "i4"), np.zeros(4, "u2")
    run(views, x, bits, halves)
    assert np.array_equal(bits, x.view("i4") + 1) and np.array_equal(halves, x[:2].view("u2"))
    with pytest.raises(TileLangError, match="must keep its size of 32 bytes"):

        @T.prim_func
        def wrong(x: T.Tensor((8,), "float32")):
            with T.Kernel(1, threads=8):
                s = T.alloc_shared((8,), "float32")
                T.view(s, (8,), "float64")


def test_several_kernels_and_three_dimensions():
    @T.prim_func
    def two(x: T.Tensor((2, 3, 4), "int32"), y: T.Tensor((24,), "int32")):
        with T.Kernel(2, 3, 1, threads=(2, 2, 1)) as (bx, by, bz):
            tx, ty, tz = T.get_thread_bindings()
            x[bx, by, ty * 2 + tx] = bx * 100 + by * 10 + ty * 2 + tx + bz + tz
        with T.Kernel(1, threads=24):
            i = T.get_thread_binding(0)
            y[i] = x[i // 12, (i // 4) % 3, i % 4]

    x, y = np.zeros((2, 3, 4), "i4"), np.zeros(24, "i4")
    run(two, x, y, parallel=True)
    assert y.tolist() == [a * 100 + b * 10 + c for a in range(2) for b in range(3) for c in range(4)]
