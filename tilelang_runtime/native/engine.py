"""Runs programs as compiled code: in the order of the schedule contract, or several blocks at a time."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from tilelang_runtime.arguments import BoundArguments
from tilelang_runtime.ir import nodes
from tilelang_runtime.ir.nodes import Span
from tilelang_runtime.native.build import build_program, scheduler
from tilelang_runtime.native.expressions import Site
from tilelang_runtime.native.generate import generate
from tilelang_runtime.report import Event, RunError

FAIL_INDEX, FAIL_DIVISION, FAIL_STEP, FAIL_DEADLOCK, FAIL_ASSERT, FAIL_MASK, FAIL_STACK = range(1, 8)


class _Wait(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("site", "kind", "count", "thread")]


class _Launch(ctypes.Structure):  # mirrors struct Launch of cpp/scheduler.cpp
    _fields_ = [
        ("grid", ctypes.c_void_p),
        ("block", ctypes.c_void_p),
        ("thread", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("indices", ctypes.c_void_p),
        ("shared_bytes", ctypes.c_int64),
        ("stack_bytes", ctypes.c_int64),
        ("threads", ctypes.c_int32 * 3),
        ("unguarded", ctypes.c_int32),
        ("workers", ctypes.c_int32),
        ("reversed", ctypes.c_int32),
        ("failed", ctypes.c_int32),
        ("fail_kind", ctypes.c_int32),
        ("fail_site", ctypes.c_int32),
        ("fail_thread", ctypes.c_int32),
        ("fail_detail", ctypes.c_int64),
        ("fail_index", ctypes.c_int64 * 4),
        ("fail_block", ctypes.c_int32 * 3),
        ("wait_count", ctypes.c_int32),
        ("waits", _Wait * 8),
    ]


class NativeProgram:
    """A compiled program. ``run`` may be called many times."""

    def __init__(self, program: nodes.Program, *, unguarded: bool):
        self.program = program
        self.unguarded = unguarded
        self.code = generate(program)
        optimise = any(launch.shape.has_tiles for launch in self.code.launches)
        self.library = build_program(self.code.text, optimise=optimise)
        run = scheduler().tilelang_run
        run.argtypes = [ctypes.c_void_p]
        run.restype = ctypes.c_int32
        self.entry = run

    def run(self, bound: BoundArguments, *, workers: int, reversed_order: bool = False) -> list[Event]:
        """Runs every launch in order. Raises RunError; otherwise returns what happened on the way.

        ``reversed_order``: blocks, warps and lanes in mirrored order (one worker).
        """
        pointers, keep = _argument_table(bound)
        sites = self.code.sites
        counts = np.zeros((max(1, len(sites)), 2), np.int64)
        indices = np.zeros((max(1, len(sites)), 4), np.int64)
        for launch in self.code.launches:
            state = _Launch()
            state.grid = self._address(f"{launch.symbol}_grid")
            threaded = launch.shape.synchronises
            state.block = None if threaded else self._address(f"{launch.symbol}_block")
            state.thread = self._address(f"{launch.symbol}_thread") if threaded else None
            state.arguments = ctypes.addressof(pointers)
            state.counts, state.indices = counts.ctypes.data, indices.ctypes.data
            state.shared_bytes, state.stack_bytes = launch.shared_bytes, launch.stack_bytes
            state.threads[:] = launch.threads
            state.unguarded, state.workers = int(self.unguarded), workers
            state.reversed = int(reversed_order)
            if self.entry(ctypes.addressof(state)):
                raise _error(self.program, launch.threads, state, sites)
        del keep
        return _events(sites, counts, indices)

    def _address(self, symbol: str) -> int:
        return ctypes.cast(getattr(self.library, symbol), ctypes.c_void_p).value or 0


def _argument_table(bound: BoundArguments) -> tuple[Any, list[Any]]:
    keep: list[Any] = []
    addresses: list[int] = []
    for value in bound.values:
        if isinstance(value, np.ndarray):
            addresses.append(value.ctypes.data)
        else:
            cell = np.array([value.scalar], value.dtype)
            keep.append(cell)
            addresses.append(cell.ctypes.data)
    for symbol in bound.symbols:
        cell = np.array([symbol], np.int64)
        keep.append(cell)
        addresses.append(cell.ctypes.data)
    table = (ctypes.c_void_p * max(1, len(addresses)))(*addresses)
    return table, keep


def _position(threads: Sequence[int], linear: int) -> str:
    if linear < 0:
        return "on the host"
    x, y = threads[0], threads[1]
    return f"thread ({linear % x}, {linear // x % y}, {linear // (x * y)})"


def _error(program: nodes.Program, threads: Sequence[int], state: Any, sites: Sequence[Site]) -> RunError:
    kind, detail = state.fail_kind, state.fail_detail
    site = sites[state.fail_site] if sites else Site(program.span, "")
    block = f"block ({state.fail_block[0]}, {state.fail_block[1]}, {state.fail_block[2]})"
    where = f"kernel {program.name}, {block}, {_position(threads, state.fail_thread)}"
    if kind == FAIL_INDEX:
        indices = ", ".join(str(index) for index in state.fail_index[: site.rank])
        message = f"{site.what} out of range: index ({indices})"
    elif kind == FAIL_DIVISION:
        message = "integer division by zero"
    elif kind == FAIL_STEP:
        message = "the step of a loop is zero"
    elif kind == FAIL_DEADLOCK:
        message = f"deadlock: {detail} live threads; " + "; ".join(_waits(threads, state, sites))
    elif kind == FAIL_ASSERT:
        message = f"assertion failed: {site.what}"
    elif kind == FAIL_MASK:
        message = f"{site.what}: the lane is not in its own mask {detail & 0xFFFFFFFF:#010x}"
    else:
        message = "no memory for the threads' stacks"
    return RunError(f"{site.span}: {message} ({where})", site.span, kind)


def _waits(threads: Sequence[int], state: Any, sites: Sequence[Site]) -> list[str]:
    result = []
    for wait in state.waits[: state.wait_count]:
        site = sites[wait.site]
        result.append(f"{wait.count} wait at {site.what} of {site.span} (first: {_position(threads, wait.thread)})")
    return result


def _events(sites: Sequence[Site], counts: Any, indices: Any) -> list[Event]:
    found: dict[tuple[str, Span, str], Event] = {}
    for position, site in enumerate(sites):
        for column in range(2):
            count = int(counts[position, column])
            if not count:
                continue
            kind = "out_of_range"
            if site.what.startswith(("shuffle", "reduce_", "lanes_")):
                kind = "inactive_lane"
            elif column == 1 and site.what.startswith(("T.sync", "block_", "tile", "T.Parallel")):
                kind = "barrier_divergence"
            key = (kind, site.span, site.what)
            first = tuple(int(index) for index in indices[position][: site.rank])
            before = found.get(key)
            if before is not None:  # one source line may give several sites
                count, first = count + before.count, before.first
            found[key] = Event(kind, site.span, site.what, count, first)
    return list(found.values())
