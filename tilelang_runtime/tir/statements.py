"""Statements of the real TIR → the runtime's IR."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import nodes
from tilelang_runtime.tir.expressions import (
    FULL_MASK,
    Scopes,
    UnsupportedTir,
    dtype_of,
    import_expression,
    import_indices,
)

LOOP_KINDS: dict[int, nodes.LoopKind] = {0: "serial", 2: "vectorized", 3: "unroll"}
PARALLEL, THREAD_BINDING = 1, 4
SCOPES: dict[str, nodes.Scope] = {
    "shared": "shared",
    "shared.dyn": "shared",
    "local": "local",
    "local.var": "var",
    "local.fragment": "fragment",
}


def import_body(node: Any, scopes: Scopes) -> list[nodes.Stmt]:
    """A statement as a list of statements. Raises UnsupportedTir naming what is not known."""
    kind = type(node).__name__
    if kind == "SeqStmt":
        return [statement for part in node.seq for statement in import_body(part, scopes)]
    if kind in ("SBlockRealize", "BlockRealize"):
        return import_block(node.block, scopes)
    if kind in ("SBlock", "Block"):
        return import_block(node, scopes)
    if kind == "Bind":
        value = import_expression(node.value, scopes)
        variable = nodes.Var(str(node.var.name), dtype_of(node.var))
        scopes.variables[node.var] = variable
        return [nodes.Bind(variable, value)]
    if kind == "BufferStore":
        buffer = scopes.buffer(node.buffer.data)
        indices = import_indices(node.indices, buffer, scopes)
        return [nodes.Store(buffer, indices, import_expression(node.value, scopes))]
    if kind == "IfThenElse":
        then = import_body(node.then_case, scopes)
        otherwise = import_body(node.else_case, scopes) if node.else_case is not None else []
        return [nodes.If(import_expression(node.condition, scopes), then, otherwise)]
    if kind == "For":
        return [_loop(node, scopes)]
    if kind == "While":
        return [nodes.While(import_expression(node.condition, scopes), import_body(node.body, scopes))]
    if kind == "AttrStmt":
        return import_body(node.body, scopes)
    if kind == "Evaluate":
        return _evaluate(node.value, scopes)
    raise UnsupportedTir(f"statement {kind}")


def import_block(block: Any, scopes: Scopes) -> list[nodes.Stmt]:
    """A block: its allocations, then its body."""
    found: list[nodes.Stmt] = []
    for tir_buffer in block.alloc_buffers:
        name = str(tir_buffer.scope())
        if name not in SCOPES:
            raise UnsupportedTir(f"memory scope {name}")
        scope = SCOPES[name]
        shape = () if scope == "var" else tuple(_extent(extent, scopes) for extent in tir_buffer.shape)
        buffer = nodes.Buffer(str(tir_buffer.name), str(tir_buffer.dtype), scope, shape, dynamic=name.endswith(".dyn"))
        scopes.buffers[tir_buffer.data] = buffer
        found.append(nodes.Allocate(buffer))
    return found + import_body(block.body, scopes)


def _extent(extent: Any, scopes: Scopes) -> nodes.Expr | int:
    return int(extent.value) if type(extent).__name__ == "IntImm" else import_expression(extent, scopes)


def _loop(node: Any, scopes: Scopes) -> nodes.Stmt:
    variable = nodes.Var(str(node.loop_var.name), dtype_of(node.loop_var))
    start, extent = import_expression(node.min, scopes), import_expression(node.extent, scopes)
    scopes.variables[node.loop_var] = variable
    kind = int(node.kind)
    if kind == PARALLEL:
        return _parallel(node, variable, start, extent, scopes)
    if kind not in LOOP_KINDS:
        raise UnsupportedTir(f"loop kind {kind}")
    stop = extent if _is_zero(start) else nodes.Binary("add", start, extent, variable.dtype)
    step = nodes.Const(variable.dtype, 1)
    pipelined = "num_stages" in {str(key) for key in node.annotations}
    body = import_body(node.body, scopes)
    return nodes.For(variable, start, stop, step, "pipelined" if pipelined else LOOP_KINDS[kind], body)


def _is_zero(value: nodes.Expr) -> bool:
    return isinstance(value, nodes.Const) and value.value == 0


def _parallel(
    node: Any, variable: nodes.Var, start: nodes.Expr, extent: nodes.Expr, scopes: Scopes
) -> nodes.ParallelFor:
    if not _is_zero(start):
        raise UnsupportedTir("a parallel loop that does not start at 0")
    variables, extents = [variable], [extent]
    inner = node.body
    while type(inner).__name__ == "For" and int(inner.kind) == PARALLEL:
        variables.append(nodes.Var(str(inner.loop_var.name), dtype_of(inner.loop_var)))
        extents.append(import_expression(inner.extent, scopes))
        scopes.variables[inner.loop_var] = variables[-1]
        inner = inner.body
    return nodes.ParallelFor(tuple(variables), tuple(extents), import_body(inner, scopes))


def _evaluate(call: Any, scopes: Scopes) -> list[nodes.Stmt]:
    if type(call).__name__ != "Call":
        return []  # a bare constant that simplification left behind
    name = call.op.name.split(".", 1)[-1]
    if name == "break_loop":
        return [nodes.Break()]
    if name == "continue_loop":
        return [nodes.Continue()]
    if name == "thread_return":
        return [nodes.ThreadReturn()]
    if name == "tvm_storage_sync":
        scope = str(call.args[0].value)
        if scope in ("shared", "shared.dyn"):
            return [nodes.Barrier("block")]
        raise UnsupportedTir(f"sync of scope {scope}")
    if name == "sync_warp":
        mask = import_expression(call.args[0], scopes) if call.args else FULL_MASK
        return [nodes.Barrier("warp", mask)]
    if name == "call_extern" and str(call.args[0].value).startswith("__threadfence"):
        return [nodes.Fence()]
    from tilelang_runtime.tir.tiles import TILE_CALLS

    if name in TILE_CALLS:
        return [TILE_CALLS[name](call, scopes)]
    return [nodes.Evaluate(import_expression(call, scopes))]
