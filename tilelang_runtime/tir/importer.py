"""A real ``tvm.tirx.PrimFunc`` → `Program`: so that what upstream makes of a port is run, not what we believe of it."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import nodes
from tilelang_runtime.tir.expressions import Scopes, UnsupportedTir, dtype_of, import_expression
from tilelang_runtime.tir.statements import THREAD_BINDING, import_block, import_body

AXES = {"blockIdx.x": 0, "blockIdx.y": 1, "blockIdx.z": 2}


def simplify(prim_func: Any) -> Any:
    """``prim_func`` after upstream's own Simplify pass. Needs the real tilelang."""
    import tilelang
    from tilelang import tvm

    module = tvm.IRModule({"main": prim_func})
    return tilelang.transform.Simplify()(module)["main"]


def import_prim_func(prim_func: Any) -> nodes.Program:
    """The program of a prim_func as the tracer of 0.1.15 builds it. Raises UnsupportedTir for what is not known."""
    scopes = Scopes()
    symbols: list[nodes.Var] = []
    params = tuple(_parameter(param, prim_func, scopes, symbols) for param in prim_func.params)
    name = str(prim_func.attrs["global_symbol"]) if prim_func.attrs else "kernel"
    launches: list[nodes.Launch] = []
    setup_only = _launches(prim_func.body, scopes, launches)
    if setup_only or not launches:
        raise UnsupportedTir("a function body without a kernel launch")
    return nodes.Program(name, params, tuple(symbols), launches)


def _parameter(param: Any, prim_func: Any, scopes: Scopes, symbols: list[nodes.Var]) -> nodes.Buffer | nodes.Var:
    if param not in prim_func.buffer_map:
        variable = nodes.Var(str(param.name), dtype_of(param))
        scopes.variables[param] = variable
        return variable
    tir_buffer = prim_func.buffer_map[param]
    shape = tuple(_size(extent, scopes, symbols) for extent in tir_buffer.shape)
    strides = tuple(_size(stride, scopes, symbols) for stride in tir_buffer.strides) or None
    buffer = nodes.Buffer(str(tir_buffer.name), str(tir_buffer.dtype), "global", shape, strides)
    scopes.buffers[tir_buffer.data] = buffer
    return buffer


def _size(node: Any, scopes: Scopes, symbols: list[nodes.Var]) -> nodes.Expr | int:
    kind = type(node).__name__
    if kind == "IntImm":
        return int(node.value)
    if kind in ("Var", "SizeVar") and node not in scopes.variables:
        variable = nodes.Var(str(node.name), dtype_of(node))
        scopes.variables[node] = variable
        symbols.append(variable)
    return import_expression(node, scopes)


def _launches(node: Any, scopes: Scopes, launches: list[nodes.Launch]) -> bool:
    """Collects launches below ``node``; True if something else than launches was found."""
    kind = type(node).__name__
    if kind in ("SBlockRealize", "BlockRealize"):
        return _launches(node.block.body, scopes, launches)
    if kind == "AttrStmt":
        return _launches(node.body, scopes, launches)
    if kind == "SeqStmt":
        return any([_launches(part, scopes, launches) for part in node.seq])
    if kind == "For" and int(node.kind) == THREAD_BINDING:
        launches.append(_launch(node, scopes))
        return False
    return True


def _launch(node: Any, scopes: Scopes) -> nodes.Launch:
    grid: list[nodes.Expr] = [nodes.Const("int32", 1)] * 3
    blocks = [nodes.Var(f"block_{axis}", "int32") for axis in "xyz"]
    rank = 0
    while type(node).__name__ == "For" and int(node.kind) == THREAD_BINDING:
        axis = AXES.get(str(node.thread_binding.thread_tag))
        if axis is None:
            raise UnsupportedTir(f"thread binding {node.thread_binding.thread_tag}")
        grid[axis] = import_expression(node.extent, scopes)
        blocks[axis] = nodes.Var(str(node.loop_var.name), dtype_of(node.loop_var))
        scopes.variables[node.loop_var] = blocks[axis]
        rank = max(rank, axis + 1)
        node = node.body
    statements = list(node.seq) if type(node).__name__ == "SeqStmt" else [node]
    threads_vars = [nodes.Var(f"thread_{axis}", "int32") for axis in "xyz"]
    while type(statements[0]).__name__ == "Bind" and _is_thread_index(statements[0].value):
        bind = statements.pop(0)
        index = int(bind.value.args[0].value)
        threads_vars[index] = nodes.Var(str(bind.var.name), dtype_of(bind.var))
        scopes.variables[bind.var] = threads_vars[index]
    block = next((s.block for s in statements if type(s).__name__ == "SBlockRealize"), None)
    if block is None or "tl.launch_threads" not in block.annotations:
        raise UnsupportedTir("a launch without tl.launch_threads")
    sizes = [int(size) for size in block.annotations["tl.launch_threads"]]
    threads = (sizes[0], sizes[1] if len(sizes) > 1 else 1, sizes[2] if len(sizes) > 2 else 1)
    body: list[nodes.Stmt] = []
    for statement in statements:
        if type(statement).__name__ == "SBlockRealize":
            body += import_block(statement.block, scopes)
        else:
            body += import_body(statement, scopes)
    return nodes.Launch(
        tuple(grid[:rank]),
        threads,
        (blocks[0], blocks[1], blocks[2]),
        (threads_vars[0], threads_vars[1], threads_vars[2]),
        body,
        uses_threads=_reads_any(body, threads_vars),
    )


def _is_thread_index(value: Any) -> bool:
    return type(value).__name__ == "Call" and str(value.op.name) == "tl.launch_thread_idx"


def _reads_any(statements: list[nodes.Stmt], variables: list[nodes.Var]) -> bool:
    """Whether some statement reads one of the variables (walks dataclass fields, so new nodes are covered)."""
    wanted = {id(variable) for variable in variables}
    stack: list[object] = list(statements)
    while stack:
        item = stack.pop()
        if isinstance(item, nodes.Var):
            if id(item) in wanted:
                return True
        elif isinstance(item, (list, tuple)):
            stack.extend(item)
        elif hasattr(item, "__dataclass_fields__") and not isinstance(item, nodes.Buffer):
            stack.extend(getattr(item, field) for field in item.__dataclass_fields__)
    return False
