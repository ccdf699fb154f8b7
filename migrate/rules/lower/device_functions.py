"""Device functions: macros and their calls."""

from __future__ import annotations

from migrate.analysis.ranges import Ranges, writes
from migrate.analysis.walk import own_expressions, sub_statements, walk_expressions
from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, Names, Place, Root
from migrate.rules.lower.locals import write

GRID_CAPTURE = "gridDim."


@rule(
    "device_functions",
    "__device__ functions and their calls",
    "__device__ void warp_max(float& v) …",
    "@T.macro\ndef warp_max(v: T.Ref): …",
    ("TLM255",),
)
def lower_call(node: k.CallFunction, lowering: Lowering) -> None:
    """A call of a macro: references by `T.Ref`, buffers with an element offset, scalars by value."""
    function = lowering.functions[node.function]
    args: list[p.PortExpr] = []
    for argument, param in zip(node.args, function.params, strict=True):
        if isinstance(argument, k.RefArg):
            place = lowering.places.get(argument.var.name)
            if place is None or place.name.dtype != param.var.dtype or place.name.kind != "var":
                raise refuse("TLM255", f"{argument.var.name} cannot be passed by reference", node.span)
            args.append(place.name)
        elif isinstance(argument, k.BufferArg):
            root = lowering.roots[argument.buffer.name]
            if root.offset is not None or root.rank != 1:
                raise refuse("TLM255", f"{root.name} cannot be passed as a flat buffer", node.span)
            args.append(p.Name(root.name, argument.buffer.dtype, "buffer"))
            args.append(_typed(lowering.lower_as(argument.offset, param.var.dtype)))
        else:
            value = _typed(lowering.lower_as(argument, param.var.dtype))
            if isinstance(value, p.Lit) and value.value == 0 and _scales(function, param.var):
                name = lowering.names.claim(param.var.name)
                lowering.emit(p.AllocVar(name, value.dtype, value, node.span))
                value = p.Name(name, value.dtype, "var")
            args.append(value)
    for captured in lowering.captures[node.function]:
        if captured.startswith(GRID_CAPTURE):
            args.append(lowering.threads["gridDim", captured[len(GRID_CAPTURE) :]])
        else:
            args.append(p.Name(lowering.roots[captured].name, "", "buffer"))
    call = p.Call(lowering.macro_names[node.function], tuple(args), function.result or "void")
    if function.result is None:
        lowering.emit(p.Do(call, node.span))
    elif node.result is None:
        lowering.bind("unused", call)
    else:
        place = lowering.places.get(node.result.name)
        write(node.result, lowering.bind(node.result.name, call) if place is not None else call, lowering)


def _scales(function: k.Function, var: k.LocalVar) -> bool:
    """Whether a float parameter is a factor or divisor there: upstream writes macros out and folds ``0.0 * x``."""
    if not var.dtype.startswith(("float", "bfloat")):
        return False
    return any(
        isinstance(side, k.LocalRef) and side.var == var
        for statement in sub_statements(function.body)
        for expr in own_expressions(statement)
        for part in walk_expressions(expr)
        if isinstance(part, k.Binary) and part.op in ("mul", "div")
        for side in (part.left, part.right)
    )


def _typed(expr: p.PortExpr) -> p.PortExpr:
    if isinstance(expr, p.Lit):
        return p.Lit(expr.value, expr.dtype, explicit=True)
    return p.Call("T.int32", (expr,), "int32") if expr.dtype == p.PYTHON else expr


def lower_function(function: k.Function, outer: Lowering, builder_names: Names) -> p.Macro:
    """The macro of a device function; parameters that it changes are copied to variables.

    Macros stand outside the prim_func, so what they use of it (shared arrays, constants, grid sizes) is passed in.
    """
    pinned = {argument.var.name for statement in sub_statements(function.body) for argument in ref_arguments(statement)}
    by_name = {param.var.name for param in function.params}
    inner = Lowering(Ranges(function.body, pinned | by_name), Names(builder_names), *outer.dispatchers)
    inner.used, inner.diagnostics = outer.used, outer.diagnostics
    inner.in_function, inner.flagged = True, outer.flagged
    inner.functions, inner.macro_names, inner.captures = outer.functions, outer.macro_names, outer.captures
    inner.writes = dict(writes(function.body))
    inner.pinned = frozenset(pinned)
    params: list[p.MacroParam] = []
    with inner.suite() as out:
        for param in function.params:
            _declare_parameter(param, params, inner)
        _declare_captures(function, params, inner, outer)
        returns = [s for s in sub_statements(function.body) if isinstance(s, k.Return)]
        last = function.body[-1] if function.body else None
        if function.result is not None and not (len(returns) == 1 and isinstance(last, k.Return)):
            name = inner.names.claim("result")
            inner.result = p.Name(name, function.result, "var")
            inner.emit(p.AllocVar(name, function.result))
        inner.run_all(function.body)
        if inner.result is not None:
            inner.emit(p.MacroReturn(inner.result))
    outer.ranges.grid_rules |= inner.ranges.grid_rules
    name = outer.macro_names[function.name]
    return p.Macro(name, tuple(params), function.result, tuple(out), function.doc, function.span)


def _declare_parameter(param: k.FunctionParam, params: list[p.MacroParam], inner: Lowering) -> None:
    var = param.var
    if param.buffer is not None:
        name = inner.names.claim(param.buffer.name)
        params.append(p.MacroParam(name, param.buffer.dtype, "buffer"))
        inner.roots[param.buffer.name] = Root(name, 1)
    name = inner.names.claim(var.name)
    if param.ref:
        params.append(p.MacroParam(name, var.dtype, "ref"))
        inner.places[var.name] = Place(p.Name(name, var.dtype, "var"))
        return
    if inner.writes.get(var.name, 0) == 0 and var.name not in inner.pinned:
        params.append(p.MacroParam(name, var.dtype))
        inner.places[var.name] = Place(p.Name(name, var.dtype, "param"))
        return
    given = inner.names.claim(f"{var.name}_in")
    params.append(p.MacroParam(given, var.dtype))
    inner.places[var.name] = Place(p.Name(name, var.dtype, "var"))
    inner.emit(p.AllocVar(name, var.dtype, p.Name(given, var.dtype, "param")))


def _declare_captures(function: k.Function, params: list[p.MacroParam], inner: Lowering, outer: Lowering) -> None:
    for captured in outer.captures[function.name]:
        if captured.startswith(GRID_CAPTURE):
            axis = captured[len(GRID_CAPTURE) :]
            name = inner.names.claim(f"grid_{axis}")
            params.append(p.MacroParam(name, "int32"))
            inner.threads["gridDim", axis] = p.Name(name, "int32", "param")
        else:
            root = outer.roots[captured]
            if root.offset is not None:
                raise refuse("TLM255", f"{captured} is used by a device function at an offset", function.span)
            name = inner.names.claim(root.name)
            params.append(p.MacroParam(name, "", "buffer"))
            inner.roots[captured] = Root(name, root.rank)
    used = builtins_of(function.body)
    for number, axis in enumerate("xyz"):
        if any((kind, axis) in used for kind in ("threadIdx",)) or (axis == "x" and used & _LANES):
            name = inner.names.claim(f"t{axis}")
            thread = p.Name(name, "int32", "thread")
            inner.emit(p.Bind(name, p.Call("T.get_thread_binding", (p.Lit(number, "int32"),), "int32")))
            inner.threads["threadIdx", axis] = thread
        if ("blockIdx", axis) in used:
            name = inner.names.claim(f"b{axis}")
            inner.emit(p.Bind(name, p.Call("T.get_block_binding", (p.Lit(number, "int32"),), "int32")))
            inner.threads["blockIdx", axis] = p.Name(name, "int32", "block")
        if ("blockDim", axis) in outer.threads:
            inner.threads["blockDim", axis] = outer.threads["blockDim", axis]
    if ("threadIdx", "x") in inner.threads:
        add_lane_names(inner, [axis for axis in "xyz" if ("blockDim", axis) in outer.threads])


_LANES = frozenset({("laneid", "x"), ("warpid", "x")})


def add_lane_names(lowering: Lowering, axes: list[str]) -> None:
    """laneid and warpid as expressions of the linear thread number (blocks of more than one axis need all of them)."""
    linear: p.PortExpr = lowering.threads["threadIdx", "x"]
    if len(axes) > 1 and all(("threadIdx", axis) in lowering.threads for axis in axes):
        size: p.PortExpr = lowering.threads["blockDim", "x"]
        for axis in axes[1:]:
            linear = p.Operation(
                "+", linear, p.Operation("*", size, lowering.threads["threadIdx", axis], "int32"), "int32"
            )
            size = p.Operation("*", size, lowering.threads["blockDim", axis], p.PYTHON)
    lowering.threads["laneid", "x"] = p.Operation("%", linear, p.Lit(32, "int32"), "int32")
    lowering.threads["warpid", "x"] = p.Operation("//", linear, p.Lit(32, "int32"), "int32")


def builtins_of(body: tuple[k.Stmt, ...]) -> set[tuple[str, str]]:
    """(kind, axis) of every launch index that a body reads."""
    return {
        (part.kind, part.axis)
        for statement in sub_statements(body)
        for expr in own_expressions(statement)
        for part in walk_expressions(expr)
        if isinstance(part, k.Builtin)
    }


def roots_of(body: tuple[k.Stmt, ...]) -> set[str]:
    """Names of the non-local buffers that a body touches directly."""
    found: set[str] = set()
    for statement in sub_statements(body):
        if isinstance(statement, (k.Store, k.Atomic)):
            found.add(statement.buffer.name)
        if isinstance(statement, k.CallFunction):
            found |= {argument.buffer.name for argument in statement.args if isinstance(argument, k.BufferArg)}
        for expr in own_expressions(statement):
            found |= {part.buffer.name for part in walk_expressions(expr) if isinstance(part, k.Load)}
    return found


def captures_of(kernel: k.Kernel) -> dict[str, tuple[str, ...]]:
    """For each function what it (or a function it calls) uses of the kernel's surroundings, in a stable order."""
    roots = {buffer.name for buffer in kernel.buffers}
    direct: dict[str, set[str]] = {}
    calls: dict[str, set[str]] = {}
    for function in kernel.functions:
        formal = {param.buffer.name for param in function.params if param.buffer is not None}
        grid = {GRID_CAPTURE + axis for kind, axis in builtins_of(function.body) if kind == "gridDim"}
        direct[function.name] = ((roots_of(function.body) - formal) & roots) | grid
        calls[function.name] = {s.function for s in sub_statements(function.body) if isinstance(s, k.CallFunction)}
    for _ in kernel.functions:
        for name, callees in calls.items():
            for callee in callees:
                direct[name] |= direct.get(callee, set())
    return {name: tuple(sorted(found)) for name, found in direct.items()}


def ref_arguments(statement: k.Stmt) -> list[k.RefArg]:
    """The by-reference arguments of a call statement."""
    if not isinstance(statement, k.CallFunction):
        return []
    return [argument for argument in statement.args if isinstance(argument, k.RefArg)]
