"""One kernel instantiation to its simt PortKernel."""

from __future__ import annotations

from dataclasses import dataclass, replace

from migrate.analysis.ranges import Ranges, writes
from migrate.analysis.uniformity import check_barriers
from migrate.analysis.walk import sub_statements
from migrate.analysis.warp_steps import check_warp_steps
from migrate.diagnostics import Diagnostic, refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.ir.port_walk import own_expressions, statements, walk
from migrate.rules.lower.context import Lowering, Names, Relower, Root
from migrate.rules.lower.device_functions import (
    add_lane_names,
    builtins_of,
    captures_of,
    lower_function,
    ref_arguments,
    roots_of,
)
from migrate.rules.lower.registry import lower_expression, lower_statement
from migrate.rules.lower.scalar_parameters import lower_scalar_parameter
from migrate.rules.lower.shared_memory import lower_dynamic_shared, lower_static_shared
from migrate.rules.lower.tail_guards import leave_at_tail_guards

_TENSOR_SCOPES = (k.Scope.GLOBAL, k.Scope.CONSTANT, k.Scope.DEVICE)
_AXES = "xyz"


@dataclass(frozen=True)
class LoweredKernel:
    """A PortKernel with the notes raised on the way."""

    kernel: p.PortKernel
    diagnostics: tuple[Diagnostic, ...]


def lower_kernel(
    kernel: k.Kernel, *, distinct_pointers: bool = False, ranks: tuple[int, int] = (1, 1)
) -> LoweredKernel:
    """The simt form of ``kernel``.

    ``distinct_pointers``: every launch is known to pass distinct allocations, so upstream's ``__restrict__`` is right.
    ``ranks``: axes that launches use along grid and block, even where the kernel never looks at them.
    Raises Refusal with the code and line of what has no TileLang form.
    """
    used: set[str] = set()
    kernel = leave_at_tail_guards.apply(kernel, used)
    warnings = (*check_barriers(kernel), *check_warp_steps(kernel))
    flagged: set[int] = set()
    while True:
        try:
            lowered = _lower(kernel, distinct_pointers, ranks, flagged, used)
            return replace(lowered, diagnostics=(*kernel.warnings, *warnings, *lowered.diagnostics))
        except Relower:
            continue  # `flagged` has grown, so this ends


def _lower(
    kernel: k.Kernel, distinct_pointers: bool, ranks: tuple[int, int], flagged: set[int], used: set[str]
) -> LoweredKernel:
    pinned = {argument.var.name for statement in sub_statements(kernel.body) for argument in ref_arguments(statement)}
    names = Names()
    lowering = Lowering(Ranges(kernel.body, pinned), names, lower_expression, lower_statement)
    lowering.flagged = flagged
    lowering.writes, lowering.pinned = dict(writes(kernel.body)), frozenset(pinned)
    lowering.functions = {function.name: function for function in kernel.functions}
    lowering.captures = captures_of(kernel)
    builder_names = Names()
    assembly = _Assembly(kernel, lowering, builder_names)
    with lowering.suite() as prologue:
        params = assembly.parameters()
    for function in kernel.functions:
        lowering.macro_names[function.name] = builder_names.claim(names.claim(function.source_name or function.name))
    thread_bindings, block_bindings, block_names, grid_names = assembly.launch_names(ranks)
    with lowering.suite() as out:
        shared = assembly.shared_memory()
        macros = tuple(lower_function(function, lowering, builder_names) for function in kernel.functions)
        lowering.run_all(_without_last_return(kernel.body))
    restrict = distinct_pointers or all(b.restrict for b in kernel.buffers if b.scope is k.Scope.GLOBAL)
    tensors = [param for param in params if isinstance(param, p.TensorParam)]
    aliased = () if restrict or len(tensors) < 2 else tuple(t.name for t in tensors if t.name in assembly.pointer_names)
    port = p.PortKernel(
        kernel_id=kernel.id,
        symbol=kernel.symbol,
        builder=f"_{kernel.symbol}",
        params=tuple(params),
        block_names=block_names,
        grid_names=grid_names,
        thread_bindings=thread_bindings,
        block_bindings=block_bindings,
        aliased=aliased if len(aliased) > 1 else (),
        macros=macros,
        body=(*_used(prologue, out), *out),
        launcher=assembly.launcher(),
        grid_rules=tuple(sorted(lowering.ranges.grid_rules, key=lambda r: (r.axis, r.factor, r.per_block))),
        dynamic_shared=shared,
        doc=f"{kernel.name} at thread level ({kernel.span.file}:{kernel.span.line}, `{kernel.cpp_name}`).",
        cpp_name=kernel.cpp_name,
        span=kernel.span,
        rules=tuple(sorted(used | lowering.used)),
    )
    return LoweredKernel(port, tuple(lowering.diagnostics))


def _without_last_return(body: tuple[k.Stmt, ...]) -> tuple[k.Stmt, ...]:
    while body and isinstance(body[-1], k.Return):
        body = body[:-1]
    return body


def _used(prologue: list[p.PortStmt], body: list[p.PortStmt]) -> list[p.PortStmt]:
    """Of the snapshots of parameters, those that the body reads."""
    read = {
        part.name
        for statement in statements(tuple(body))
        for expr in own_expressions(statement)
        for part in walk(expr)
        if isinstance(part, p.Name)
    }
    return [statement for statement in prologue if not isinstance(statement, p.Bind) or statement.name in read]


class _Assembly:
    """Parameters, launcher and launch names of one kernel."""

    def __init__(self, kernel: k.Kernel, lowering: Lowering, builder_names: Names):
        self._kernel, self._lowering, self._builder_names = kernel, lowering, builder_names
        self.pointer_names: set[str] = set()
        self._launcher: dict[int, list[tuple[k.ScalarParam | k.PointerParam, str]]] = {}
        self._globals: list[tuple[k.Buffer, str]] = []

    def parameters(self) -> list[p.TensorParam | p.ValueParam]:
        """Kernel parameters in C order, then one tensor a constant or device global."""
        found: list[p.TensorParam | p.ValueParam] = []
        for param in self._kernel.params:
            if isinstance(param, k.ScalarParam):
                found.append(lower_scalar_parameter(param, self._lowering))
                name = self._lowering.params[param.name].name
            else:
                name = self._tensor(param.buffer, found)
                self.pointer_names.add(name)
            self._launcher.setdefault(param.position, []).append((param, name))
        pointers = {param.buffer.name for param in self._kernel.params if isinstance(param, k.PointerParam)}
        for buffer in self._kernel.buffers:
            if buffer.scope in _TENSOR_SCOPES and buffer.name not in pointers:
                self._globals.append((buffer, self._tensor(buffer, found)))
        return found

    def _tensor(self, buffer: k.Buffer, found: list[p.TensorParam | p.ValueParam]) -> str:
        name = self._lowering.names.claim(buffer.name)
        length = self._builder_names.claim(self._lowering.names.claim(f"{name}_len"))
        self._lowering.roots[buffer.name] = Root(name, 1)
        if buffer.shape is not None and len(buffer.shape) > 1:
            raise refuse("TLM254", f"{buffer.name} is not flat", buffer.span or self._kernel.span)
        found.append(p.TensorParam(name, buffer.dtype, length))
        return name

    def launch_names(
        self, ranks: tuple[int, int]
    ) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Thread bindings, block bindings, builder ints and grid parameters for the axes in use."""
        used = builtins_of(self._kernel.body)
        for function in self._kernel.functions:
            used |= builtins_of(function.body)
        block_rank = max([ranks[1], *(_AXES.index(a) + 1 for kind, a in used if kind in ("threadIdx", "blockDim"))])
        grid_rank = max([ranks[0], *(_AXES.index(a) + 1 for kind, a in used if kind in ("blockIdx", "gridDim"))])
        lanes = any(kind in ("laneid", "warpid") for kind, _ in used)
        names, threads = self._lowering.names, self._lowering.threads
        block_names = ["block"] if block_rank == 1 else [names.claim(f"block_{a}") for a in _AXES[:block_rank]]
        for axis, name in zip(_AXES, block_names, strict=False):
            self._builder_names.claim(name) if name != "block" else None
            threads["blockDim", axis] = p.Name(name, p.PYTHON, "python")
        grid_names = [names.claim(f"grid_{a}") for a in _AXES[:grid_rank]]
        for axis, name in zip(_AXES, grid_names, strict=False):
            threads["gridDim", axis] = p.Name(name, "int32", "param")
        blocks = [names.claim(f"b{a}") for a in _AXES[:grid_rank]]
        for axis, name in zip(_AXES, blocks, strict=False):
            threads["blockIdx", axis] = p.Name(name, "int32", "block")
        bindings: list[tuple[str, int]] = []
        in_body = builtins_of(self._kernel.body)
        for number, axis in enumerate(_AXES[:block_rank]):
            if ("threadIdx", axis) in in_body or lanes:
                name = names.claim(f"t{axis}")
                threads["threadIdx", axis] = p.Name(name, "int32", "thread")
                bindings.append((name, number))
        if ("threadIdx", "x") in threads:
            add_lane_names(self._lowering, list(_AXES[:block_rank]))
        return tuple(bindings), tuple(blocks), tuple(block_names), tuple(grid_names)

    def shared_memory(self) -> bool:
        """Declares shared arrays; True if the kernel uses dynamic shared memory."""
        dynamic: list[k.Buffer] = []
        for buffer in self._kernel.buffers:
            if buffer.scope is k.Scope.SHARED:
                lower_static_shared(buffer, self._lowering)
            elif buffer.scope is k.Scope.DYNAMIC_SHARED:
                dynamic.append(buffer)
        if dynamic:
            lower_dynamic_shared(tuple(dynamic), self._lowering)
        return bool(dynamic)

    def launcher(self) -> tuple[p.LauncherParam, ...]:
        """The launcher's parameters: one a C parameter, then the globals."""
        written = self._written()
        found: list[p.LauncherParam] = []
        for position, (c_type, size) in enumerate(self._kernel.c_params):
            leaves = self._launcher.get(position, [])
            found.append(_launcher_parameter(position, c_type, size, leaves, written))
        for buffer, name in self._globals:
            found.append(
                p.LauncherParam(
                    name,
                    "global",
                    ((0, buffer.dtype, name),),
                    None,
                    buffer.c_type,
                    0,
                    buffer.name in written,
                    buffer.initial,
                    buffer.name,
                    buffer.scope is k.Scope.DEVICE,
                )
            )
        return tuple(found)

    def _written(self) -> set[str]:
        bodies = [self._kernel.body, *(function.body for function in self._kernel.functions)]
        found: set[str] = set()
        for body in bodies:
            for statement in sub_statements(body):
                if isinstance(statement, (k.Store, k.Atomic)):
                    found.add(statement.buffer.name)
                if isinstance(statement, k.CallFunction):
                    found |= {
                        a.buffer.name for a in statement.args if isinstance(a, k.BufferArg) and not a.buffer.const
                    }
        return found


def _launcher_parameter(
    position: int,
    c_type: str,
    size: int,
    leaves: list[tuple[k.ScalarParam | k.PointerParam, str]],
    written: set[str],
) -> p.LauncherParam:
    described = tuple(
        (leaf.byte_offset, leaf.dtype if isinstance(leaf, k.ScalarParam) else f"*{leaf.buffer.dtype}", name)
        for leaf, name in leaves
    )
    first = leaves[0][0] if leaves else None
    if isinstance(first, k.PointerParam) and first.texture is not None:
        name, changed = leaves[0][1], first.buffer.name in written
        return p.LauncherParam(name, "texture", described, position, c_type, size, changed, texture=first.texture)
    if len(leaves) == 1 and not leaves[0][0].path:
        leaf, name = leaves[0]
        if isinstance(leaf, k.PointerParam):
            return p.LauncherParam(name, "pointer", described, position, c_type, size, leaf.buffer.name in written)
        return p.LauncherParam(name, "scalar", described, position, c_type, size, False)
    stem = f"argument_{position}"
    if leaves:
        leaf, name = leaves[0]
        stem = name.removesuffix("_" + "_".join(leaf.path)) or stem
    return p.LauncherParam(stem, "struct", described, position, c_type, size, False)


__all__ = ["LoweredKernel", "lower_kernel", "roots_of"]
