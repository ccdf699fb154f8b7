"""The checked engine: findings with their line, and silence on programs that are right."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from runtime_helpers import T, run_with

from tilelang_runtime import kernel as kernel_module
from tilelang_runtime.kernel import Configuration

CHECKED = Configuration("checked", "ordered", 1)
N = 64


def checked(prim_func, *arguments):
    kernel = kernel_module.compile(prim_func)
    run_with(CHECKED, kernel, *arguments)
    return kernel.report()


def line_of(marker: str) -> int:
    text = Path(inspect.getsourcefile(line_of) or "").read_text()
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# " + marker)]
    assert len(lines) == 1
    return lines[0]


def one(events, kind: str, marker: str):
    """The only finding, which must be of this kind and on the marked line."""
    assert [event.kind for event in events] == [kind], events
    assert events[0].span.line == line_of(marker) and events[0].count > 0
    return events[0]


@pytest.mark.parametrize("barrier", [True, False])
def test_a_missing_barrier(barrier):
    @T.prim_func
    def reverse(x: T.Tensor((N,), "int32"), y: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=N):
            t = T.get_thread_binding(0)
            s = T.alloc_shared((N,), "int32")
            s[t] = x[t]  # reversed write
            if barrier:
                T.sync_threads()
            y[t] = s[N - 1 - t]  # reversed read

    x, y = np.arange(N, dtype="i4"), np.zeros(N, "i4")
    events = checked(reverse, x, y)
    if barrier:
        assert events == [] and y.tolist() == x[::-1].tolist()
        return
    # In the order of the schedule the upper half reads what is there, the lower half what is not there yet.
    assert {event.kind for event in events} == {"race", "uninitialised_read"}
    lines = {event.span.line for event in events if event.kind == "race"}
    assert lines <= {line_of("reversed write"), line_of("reversed read")}
    assert all("two threads of a block" in event.what for event in events if event.kind == "race")


def test_a_warp_operation_orders_its_warp_alone():
    @T.prim_func
    def exchange(y: T.Tensor((N,), "int32"), apart: T.int32):
        with T.Kernel(1, threads=N):
            t = T.get_thread_binding(0)
            s = T.alloc_shared((N,), "int32")
            s[t] = t
            T.sync_warp()
            y[t] = s[t ^ apart]  # other warp

    y = np.zeros(N, "i4")
    assert checked(exchange, y, 1) == []
    events = checked(exchange, y, 32)
    assert {event.kind for event in events} == {"race", "uninitialised_read"}


def test_memory_that_nothing_wrote():
    @T.prim_func
    def halo(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=N):
            t = T.get_thread_binding(0)
            s = T.alloc_shared((N + 2,), "float32")
            s[t + 1] = x[t]
            T.sync_threads()
            y[t] = s[t] + s[t + 2]  # halo read

    assert one(checked(halo, np.ones(N, "f4"), np.zeros(N, "f4")), "uninitialised_read", "halo read").count == 2


def test_locals_that_nothing_wrote():
    @T.prim_func
    def sums(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=N):
            t = T.get_thread_binding(0)
            part = T.alloc_local((2,), "float32")
            part[0] = x[t]
            y[t] = part[0] + part[1]  # local read

    assert one(checked(sums, np.ones(N, "f4"), np.zeros(N, "f4")), "uninitialised_read", "local read").count == N


def test_accesses_outside_go_on_and_are_counted():
    @T.prim_func
    def outside(x: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=N):
            t = T.get_thread_binding(0)
            s = T.alloc_shared((N,), "int32")
            s[t + 1] = t  # one too far
            x[t] = t

    x = np.zeros(N, "i4")
    assert one(checked(outside, x), "out_of_range", "one too far").count == 1
    assert x.tolist() == list(range(N))


def test_blocks_that_write_the_same_element():
    @T.prim_func
    def last(y: T.Tensor((1,), "int32"), same: T.int32):
        with T.Kernel(4, threads=1) as b:
            y[0] = T.Select(same == 1, 7, b)  # shared slot

    assert "blocks" in one(checked(last, np.zeros(1, "i4"), 0), "race", "shared slot").what
    assert checked(last, np.full(1, 7, "i4"), 1) == [], "the same value twice is no race"


def test_atomics_do_not_race_with_each_other():
    @T.prim_func
    def count(y: T.Tensor((1,), "int32"), plain: T.int32):
        with T.Kernel(2, threads=32) as b:
            T.atomic_add(y[0], 1)
            if plain == 1:
                y[0] = b + 100  # beside atomics

    assert checked(count, np.zeros(1, "i4"), 0) == []
    assert {event.kind for event in checked(count, np.zeros(1, "i4"), 1)} == {"race"}


def test_barriers_that_do_not_match():
    @T.prim_func
    def split(y: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=N):
            t = T.get_thread_binding(0)
            if t < 32:
                T.sync_threads()
            else:
                T.sync_threads()  # second barrier
            y[t] = 1

    one(checked(split, np.zeros(N, "i4")), "barrier_divergence", "second barrier")


def test_iterations_of_parallel_loops_are_threads():
    @T.prim_func
    def shift(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32"), wrong: T.int32):
        with T.Kernel(1, threads=32):
            s = T.alloc_shared((N,), "float32")
            T.copy(x, s)
            if wrong == 1:
                for i in T.Parallel(N - 1):
                    s[i] = s[i + 1] + 1.0  # neighbour
            else:
                for i in T.Parallel(N):
                    s[i] = s[i] + 1.0
            T.copy(s, y)

    x, y = np.arange(N, dtype="f4"), np.zeros(N, "f4")
    assert checked(shift, x, y, 0) == []
    one(checked(shift, x, y, 1), "race", "neighbour")


def test_tile_programs_that_are_right_have_no_findings():
    @T.prim_func
    def product(a: T.Tensor((32, 32), "float16"), b: T.Tensor((32, 32), "float16"), c: T.Tensor((32, 32), "float32")):
        with T.Kernel(1, threads=32):
            left, right = T.alloc_shared((32, 16), "float16"), T.alloc_shared((16, 32), "float16")
            sums = T.alloc_fragment((32, 32), "float32")
            T.clear(sums)
            for k in T.serial(2):
                T.copy(a[0, k * 16], left)
                T.copy(b[k * 16, 0], right)
                T.gemm(left, right, sums)
            T.copy(sums, c)

    a, b, c = np.eye(32, dtype="f2"), np.ones((32, 32), "f2"), np.zeros((32, 32), "f4")
    assert checked(product, a, b, c) == []
    assert (c == 1).all()
