"""Launches for kernels without a launch site: geometry from index bounds, shared arrays and launch bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from migrate.analysis.access import AccessSummary, IndexBound
from migrate.analysis.walk import sub_statements
from migrate.ir import kernel as k
from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot

DEFAULT_BLOCK = 256
FLAT_BLOCK = (16, 16)
GRID_GUESS = 4
_HOST_OPERATIONS = frozenset({"add", "sub", "mul", "truncdiv", "truncmod", "div", "neg", "shl", "shr"})


def immutable_values(body: Iterable[k.Stmt]) -> dict[str, k.Expr]:
    """Initialisers of locals that are assigned once."""
    return {
        statement.var.name: statement.init
        for statement in sub_statements(body)
        if isinstance(statement, k.Declare) and statement.init is not None and not statement.var.mutable
    }


def host_form(expr: k.Expr, locals_: Mapping[str, k.Expr], roots: Mapping[str, HostExpr]) -> HostExpr | None:
    """A kernel expression over scalar parameters as a host expression; None if it reads anything else."""
    if isinstance(expr, k.Const):
        return HostConst(int(expr.value) if isinstance(expr.value, bool) else expr.value)
    if isinstance(expr, k.ParamRef):
        return roots.get(expr.name)
    if isinstance(expr, k.LocalRef) and expr.var.name in locals_:
        return host_form(locals_[expr.var.name], locals_, roots)
    if isinstance(expr, k.Cast) and expr.rounding is None:
        inner = host_form(expr.operand, locals_, roots)
        return None if inner is None else fold(HostOp(f"cast:{expr.dtype}", (inner,), expr.dtype))
    if isinstance(expr, k.Unary) and expr.op == "neg":
        inner = host_form(expr.operand, locals_, roots)
        return None if inner is None else HostOp("neg", (inner,), expr.dtype)
    if isinstance(expr, k.Binary) and expr.op in _HOST_OPERATIONS:
        left, right = host_form(expr.left, locals_, roots), host_form(expr.right, locals_, roots)
        return None if left is None or right is None else fold(HostOp(expr.op, (left, right), expr.dtype))
    return None


def static_extents(kernel: k.Kernel) -> list[tuple[int, ...]]:
    """Shapes of the shared arrays whose size the text states."""
    return [buffer.shape for buffer in kernel.buffers if buffer.scope == k.Scope.SHARED and buffer.shape]


def template_sizes(kernel: k.Kernel) -> list[int]:
    """Template arguments that are integers."""
    return [int(arg) for arg in kernel.template_args if arg.lstrip("-").isdigit()]


def guess_block(kernel: k.Kernel, summary: AccessSummary) -> tuple[tuple[int, int, int], str]:
    """A block size, and why."""
    limit = kernel.launch_bounds[0] if kernel.launch_bounds else 1024
    flat = [extent[0] for extent in static_extents(kernel) if len(extent) == 1]
    sizes = template_sizes(kernel)
    if "threadIdx.z" in summary.axes:
        return (8, 8, 4), "threadIdx.z is used"
    if "threadIdx.y" in summary.axes:
        for shape in static_extents(kernel):
            if len(shape) == 2 and shape[0] <= 32 and shape[0] * shape[0] <= limit:
                return (shape[0], shape[0], 1), f"a shared tile of {shape[0]} rows"
        for size in sizes:
            if 4 <= size <= 32 and size * size <= limit:
                return (size, size, 1), f"template argument {size}"
        if limit < FLAT_BLOCK[0] * FLAT_BLOCK[1]:
            return (32, max(1, limit // 32), 1), f"launch bounds {limit}"
        return (*FLAT_BLOCK, 1), "threadIdx.y is used"
    if kernel.launch_bounds:
        return (min(limit, 1024), 1, 1), f"launch bounds {limit}"
    # An element or two more than threads: the neighbours' values.
    near = [*flat, *(size - more for more in (1, 2) for size in flat)]
    usable = [size for size in near if 32 <= size <= 1024 and size % 32 == 0]
    both = [size for size in usable if size in sizes]
    if both:
        return (both[0], 1, 1), f"template argument and shared extent {both[0]}"
    if usable:
        return (usable[0], 1, 1), f"a shared array of {usable[0]} elements"
    for least in (64, 32):
        for size in sizes:
            if least <= size <= 1024 and size % 32 == 0:
                return (size, 1, 1), f"template argument {size}"
    return (DEFAULT_BLOCK, 1, 1), "default"


def _axis_bound(bounds: Iterable[IndexBound], axis: str) -> list[IndexBound]:
    mine = [
        bound
        for bound in bounds
        if f"blockIdx.{axis}" in bound.axes and all(one.endswith(f".{axis}") for one in bound.axes)
    ]
    mixed = [bound for bound in bounds if f"blockIdx.{axis}" in bound.axes and bound not in mine]
    return sorted(mine, key=lambda bound: bound.loop) + sorted(mixed, key=lambda bound: bound.loop)


def guess_grid(
    kernel: k.Kernel, summary: AccessSummary, block: tuple[int, int, int], roots: Mapping[str, HostExpr]
) -> tuple[list[HostExpr], list[str], list[str]]:
    """Grid extents, names of grid roots to add (``grid.x``), and reasons."""
    locals_ = immutable_values(kernel.body)
    grid: list[HostExpr] = []
    added: list[str] = []
    reasons: list[str] = []
    for position, axis in enumerate("xyz"):
        if f"blockIdx.{axis}" not in summary.axes:
            grid.append(HostConst(1))
            continue
        chosen: HostExpr | None = None
        for bound in _axis_bound(summary.bounds, axis):
            limit = host_form(bound.limit, locals_, roots)
            if limit is None or isinstance(limit, HostConst):
                continue
            threads = block[position] if any(one.startswith("threadIdx") for one in bound.axes) else 1
            wide = fold(HostOp("cast:int64", (limit,), "int64"))
            rounded = HostOp("add", (wide, HostConst(threads - 1)), "int64") if threads > 1 else wide
            chosen = HostOp("truncdiv", (rounded, HostConst(threads)), "int64") if threads > 1 else wide
            chosen = HostOp("max", (chosen, HostConst(0)), "int64")
            reasons.append(f"grid.{axis} covers what the kernel compares its index with")
            break
        if chosen is None:
            name = f"grid.{axis}"
            added.append(name)
            chosen = HostRoot(name)
            reasons.append(f"grid.{axis} is a guess: no bound on blockIdx.{axis}")
        grid.append(chosen)
    return grid, added, reasons
