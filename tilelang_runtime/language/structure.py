"""Launches, indices, memory, loops, barriers."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from tilelang_runtime.ir import nodes, operators, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Var
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail
from tilelang_runtime.tracer.builder import Builder, require_builder
from tilelang_runtime.tracer.regions import Frame
from tilelang_runtime.tracer.values import LoopSpec, ceildiv


class Kernel:
    """``with T.Kernel(*grid, threads=...) as (bx, by)``: one launch. Threads are Python ints (default 128)."""

    def __init__(self, *grid: Any, threads: Any = None, prelude: Any = None, **options: Any):
        if prelude is not None:
            raise fail("T.Kernel(prelude=...) is raw CUDA: it cannot run here")
        unknown = set(options) - {"cluster_dims"}
        if unknown:
            raise fail(f"T.Kernel has no option {sorted(unknown)[0]!r} in this runtime")
        if not 1 <= len(grid) <= 3:
            raise fail("T.Kernel takes one to three grid extents")
        extents = (threads,) if not isinstance(threads, (tuple, list)) else tuple(threads)
        if threads is None:
            extents = (128,)
        for extent in extents:
            if isinstance(extent, bool) or not isinstance(extent, int) or extent < 1:
                raise fail("threads must be positive Python ints")
        padded = (*extents, 1, 1)[:3]
        if padded[0] * padded[1] * padded[2] > 1024:
            raise fail(f"{padded[0] * padded[1] * padded[2]} threads a block: the limit is 1024")
        self.threads = (padded[0], padded[1], padded[2])
        self.grid = tuple(as_expr(extent) for extent in grid)
        for part in self.grid:
            if not types.is_int(part.dtype):
                raise fail(f"a grid extent must be an integer, not {part.dtype}")
        self.manager: Any = None

    def __enter__(self) -> Any:
        builder = require_builder("T.Kernel")
        if builder.launch is not None:
            raise fail("T.Kernel inside T.Kernel")
        span = LOCATION.span
        blocks = (Var("bx", "int32", span), Var("by", "int32", span), Var("bz", "int32", span))
        threads = (Var("tx", "int32", span), Var("ty", "int32", span), Var("tz", "int32", span))
        launch = nodes.Launch(self.grid, self.threads, blocks, threads, [], False, span)
        builder.launches.append(launch)
        builder.launch = launch
        self.manager = builder.open(Frame("kernel", launch.body))
        self.manager.__enter__()
        return blocks[0] if len(self.grid) == 1 else blocks[: len(self.grid)]

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.manager.__exit__(kind, value, trace)
        require_builder("T.Kernel").launch = None


def _launch(what: str) -> nodes.Launch:
    return require_builder(what).require_kernel(what)


def _dimension(dim: Any) -> int:
    number = int(dim)
    if not 0 <= number <= 2:
        raise fail(f"dimension {number} of a thread or block index")
    return number


def get_thread_binding(dim: int = 0) -> Var:
    """threadIdx, dimension 0 to 2 (int32)."""
    launch = _launch("T.get_thread_binding")
    launch.uses_threads = True
    return launch.thread_vars[_dimension(dim)]


def get_thread_bindings() -> tuple[Var, Var, Var]:
    """threadIdx x, y, z (int32)."""
    launch = _launch("T.get_thread_bindings")
    launch.uses_threads = True
    return launch.thread_vars


def get_block_binding(dim: int = 0) -> Var:
    """blockIdx, dimension 0 to 2 (int32)."""
    return _launch("T.get_block_binding").blocks[_dimension(dim)]


def get_block_bindings() -> tuple[Var, ...]:
    """blockIdx, as many as the grid has dimensions (int32)."""
    launch = _launch("T.get_block_bindings")
    return launch.blocks[: len(launch.grid)]


def get_thread_extent(dim: int = 0) -> int:
    """blockDim, dimension 0 to 2."""
    return _launch("T.get_thread_extent").threads[_dimension(dim)]


def get_thread_extents() -> tuple[int, int, int]:
    """blockDim x, y, z."""
    return _launch("T.get_thread_extents").threads


def get_block_extent(dim: int = 0) -> Expr | int:
    """gridDim, dimension 0 to 2 (1 beyond the grid's rank)."""
    grid = _launch("T.get_block_extent").grid
    number = _dimension(dim)
    return grid[number] if number < len(grid) else 1


def linear_thread() -> Expr:
    """The thread's number in its block: x fastest."""
    launch = _launch("a thread index")
    launch.uses_threads = True
    x, y, z = launch.thread_vars
    extent = launch.threads
    if extent[1] == 1 and extent[2] == 1:
        return x
    row = operators.build("add", y, operators.build("mul", z, extent[1]))
    return operators.build("add", x, operators.build("mul", row, extent[0]))


def get_lane_idx(warp_size: int | None = None) -> Expr:
    """The thread's lane in its warp."""
    return operators.build("floormod", linear_thread(), warp_size or 32)


def get_warp_idx(warp_size: int | None = None) -> Expr:
    """The thread's warp in its block."""
    return operators.build("floordiv", linear_thread(), warp_size or 32)


get_warp_idx_sync = get_warp_idx


# --- memory ---------------------------------------------------------------------------------------------------------


def _static_shape(shape: Any, what: str) -> tuple[int, ...]:
    parts = shape if isinstance(shape, (tuple, list)) else (shape,)
    result = []
    for part in parts:
        if isinstance(part, Const):
            part = int(part.value)  # noqa: PLW2901
        if isinstance(part, bool) or not isinstance(part, int) or part < 1:
            raise fail(f"{what}: extents must be positive Python ints in this runtime, not {part!r}")
        result.append(part)
    return tuple(result)


def _allocate(shape: Any, dtype: Any, scope: nodes.Scope, what: str, *, dynamic: bool = False) -> Buffer:
    builder = require_builder(what)
    builder.require_kernel(what)
    buffer = Buffer("?", types.normalise(dtype), scope, _static_shape(shape, what), None, dynamic, LOCATION.span)
    builder.emit(nodes.Allocate(buffer, None, LOCATION.span))
    return buffer


def alloc_shared(shape: Any, dtype: Any, scope: str = "shared.dyn") -> Buffer:
    """Shared memory of the block, undefined at first."""
    if scope not in ("shared", "shared.dyn"):
        raise fail(f"T.alloc_shared has no scope {scope!r}")
    return _allocate(shape, dtype, "shared", "T.alloc_shared", dynamic=scope == "shared.dyn")


def alloc_local(shape: Any, dtype: Any, scope: str = "local") -> Buffer:
    """An array of each thread, undefined at first."""
    return _allocate(shape, dtype, "local", "T.alloc_local")


def alloc_fragment(shape: Any, dtype: Any, scope: str = "local.fragment") -> Buffer:
    """An array of the block, distributed over its threads; only tile operations and T.Parallel may touch it."""
    return _allocate(shape, dtype, "fragment", "T.alloc_fragment")


def alloc_var(dtype: Any, *args: Any, scope: str = "local.var", init: Any = None) -> Buffer:
    """A mutable scalar of each thread: T.alloc_var(dtype, init=value)."""
    builder = require_builder("T.alloc_var")
    builder.require_kernel("T.alloc_var")
    if args:
        if len(args) == 1 and init is None and not isinstance(args[0], str):
            init = args[0]
        elif not (len(args) == 1 and isinstance(args[0], str)):
            raise fail("T.alloc_var(dtype, init)")
    name = types.normalise(dtype)
    buffer = Buffer("?", name, "var", (), None, False, LOCATION.span)
    value = None if init is None else cast(init, name)
    builder.emit(nodes.Allocate(buffer, value, LOCATION.span))
    return buffer


# --- loops ----------------------------------------------------------------------------------------------------------


def serial(start: Any, stop: Any = None, step: Any = None, *, annotations: Any = None) -> LoopSpec:
    """A run-time loop; the bounds are those of range()."""
    return LoopSpec.one("serial", start, stop, step)


def unroll(
    start: Any,
    stop: Any = None,
    step: Any = None,
    *,
    explicit: bool = False,
    unroll_factor: Any = None,
    annotations: Any = None,
) -> LoopSpec:
    """A loop whose body the compiler repeats; a run-time loop while tracing."""
    return LoopSpec.one("unroll", start, stop, step)


def vectorized(start: Any, stop: Any = None, *, annotations: Any = None) -> LoopSpec:
    """A loop over the elements of a wide access."""
    return LoopSpec.one("vectorized", start, stop, None)


def Pipelined(start: Any, stop: Any = None, num_stages: int = 0, **_schedule: Any) -> LoopSpec:
    """A serial loop whose copies upstream overlaps with its computation."""
    return LoopSpec.one("pipelined", start, stop, None)


def Parallel(*extents: Any, **_layout: Any) -> LoopSpec:
    """Independent iterations over a box."""
    if not extents:
        raise fail("T.Parallel needs extents")
    return LoopSpec("parallel", tuple((0, extent, 1) for extent in extents))


def grid(*extents: Any) -> LoopSpec:
    """Nested serial loops."""
    return LoopSpec("grid", tuple((0, extent, 1) for extent in extents))


__all_loops__ = (serial, unroll, vectorized, Pipelined, Parallel, grid, ceildiv)


# --- control --------------------------------------------------------------------------------------------------------


def _emit(statement: nodes.Stmt, what: str) -> Builder:
    builder = require_builder(what)
    builder.require_kernel(what)
    if builder.boolean_depth:
        raise fail(f"{what} inside and, or, or a conditional expression")
    builder.emit(statement)
    return builder


def thread_return() -> None:
    """Ends this thread; it no longer takes part in barriers."""
    _emit(nodes.ThreadReturn(LOCATION.span), "T.thread_return")


def loop_break() -> None:
    """``break``."""
    require_builder("T.loop_break").leave_loop()


def sync_threads(barrier_id: Any = None, arrive_count: Any = None) -> None:
    """__syncthreads."""
    if barrier_id is not None or arrive_count is not None:
        raise fail("T.sync_threads with a barrier id is not available in this runtime")
    _emit(nodes.Barrier("block", None, LOCATION.span), "T.sync_threads")


def sync_warp(mask: Any = None) -> None:
    """__syncwarp(mask)."""
    launch = _launch("T.sync_warp")
    launch.uses_threads = True
    value = None if mask is None else cast(mask, "uint32")
    _emit(nodes.Barrier("warp", value, LOCATION.span), "T.sync_warp")


def device_assert(condition: Any, msg: str = "", no_stack_info: bool = False) -> None:
    """Ends the run with an error when ``condition`` is false."""
    test = operators.require_bool(as_expr(condition))
    _emit(nodes.Assert(test, msg or "device assertion failed", LOCATION.span), "T.device_assert")


def print_(obj: Any, msg: str = "", warp_group_id: int = 0, warp_id: int = 0) -> None:
    """T.print of a scalar: kept in the program, printed by the reference engine only."""
    if isinstance(obj, Expr):
        _emit(nodes.Print((obj,), msg, LOCATION.span), "T.print")
