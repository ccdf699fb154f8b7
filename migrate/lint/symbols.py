"""What each name of a traced function stands for, as far as the text alone tells."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from migrate.lint.module import Function, Module, own_nodes

Kind: TypeAlias = Literal[
    "global", "shared", "fragment", "local", "var", "param", "thread", "block", "loop", "bind", "symbol"
]
BUFFERS = frozenset({"global", "shared", "fragment", "local"})
RUN_TIME = frozenset({"var", "param", "thread", "block", "loop", "symbol"})
_ALLOCATIONS: dict[str, Kind] = {
    "T.alloc_shared": "shared",
    "T.alloc_fragment": "fragment",
    "T.alloc_local": "local",
    "T.alloc_global": "global",
    "T.empty": "global",
    "T.make_tensor": "global",
}
_TENSORS = frozenset({"T.Tensor", "T.Buffer", "T.StridedTensor"})
LOOPS = {
    "T.serial": "serial",
    "T.Serial": "serial",
    "range": "serial",
    "T.unroll": "unroll",
    "T.Unroll": "unroll",
    "T.vectorized": "vectorized",
    "T.Vectorized": "vectorized",
    "T.Parallel": "parallel",
    "T.Pipelined": "pipelined",
    "T.Persistent": "persistent",
    "T.grid": "serial",
}
_DTYPE = frozenset(
    [f"{sign}int{bits}" for sign in ("", "u") for bits in (1, 4, 8, 16, 32, 64)]
    + ["bool", "float16", "bfloat16", "float32", "float64"]
    + ["float8_e4m3", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"]
)
_ALIASES = {"float": "float32", "int": "int32", "half": "float16", "double": "float64"}


@dataclass(frozen=True)
class Symbol:
    """``dtype``: '' where the text does not say. ``loop``: how a loop variable runs. ``value``: what it is bound to."""

    kind: Kind
    dtype: str = ""
    shape: tuple[ast.expr, ...] | None = None
    loop: str = ""
    value: ast.expr | None = None
    scope: str = ""


class Traced:
    """One traced function with its symbols."""

    def __init__(self, module: Module, function: Function):
        self.module = module
        self.function = function
        self.nodes = list(own_nodes(function))

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """By name; names that the text assigns in several ways are left out, so that nothing is guessed."""
        found: dict[str, Symbol] = {}
        assigned = self.assignments
        for outer in self._outer_symbols():
            found.update(outer)
        for argument in (*self.function.args.args, *self.function.args.kwonlyargs):
            found.pop(argument.arg, None)
            symbol = self._parameter(argument.annotation)
            if symbol is not None:
                found[argument.arg] = symbol
        for node in self.nodes:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                symbol = self._parameter(node.annotation)
                if symbol is not None and symbol.kind == "global":
                    found[node.target.id] = symbol
        for name, symbol in self._own():
            if assigned[name] == 1 or (symbol.kind in ("var", "loop") and name not in found):
                found[name] = symbol
            elif assigned[name] > 1 and symbol.kind == "bind" and name in found and found[name].kind != "var":
                del found[name]
        return found

    @cached_property
    def assignments(self) -> Counter[str]:
        """How often each name is stored to."""
        stores = (n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        return Counter(stores)

    @cached_property
    def written_buffers(self) -> frozenset[str]:
        """Buffers that some subscript store, tile operation or call may change."""
        names: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                names |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.Call):
                names |= {
                    n.id
                    for a in (*node.args, *(k.value for k in node.keywords))
                    for n in ast.walk(a)
                    if isinstance(n, ast.Name)
                }
        return frozenset(names)

    def calls(self, *functions: str) -> Iterator[ast.Call]:
        """Calls of tilelang's ``functions``."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and self.module.function_of(node) in functions:
                yield node

    def symbol(self, node: ast.AST | None) -> Symbol | None:
        """The symbol that a name, or the buffer of an element or region, stands for."""
        while isinstance(node, ast.Subscript):
            node = node.value
        return self.symbols.get(node.id) if isinstance(node, ast.Name) else None

    def is_run_time(self, node: ast.AST, depth: int = 6) -> bool:
        """Whether the value is certainly known only when the kernel runs (a load, an index, a variable in it)."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                symbol = self.symbols.get(part.id)
                if symbol is None or self._inside_shape(part, node):
                    continue
                if symbol.kind in RUN_TIME and symbol.loop != "unroll":
                    return True
                bound = symbol.value if symbol.kind == "bind" and depth else None
                if bound is not None and self.is_run_time(bound, depth - 1):
                    return True
            if isinstance(part, ast.Subscript):
                symbol = self.symbol(part)
                if symbol and symbol.kind in BUFFERS:
                    return True
        return False

    def uses_thread(self, node: ast.AST, depth: int = 4) -> bool:
        """Whether the value depends on the thread's index, through names bound once."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                symbol = self.symbols.get(part.id)
                if symbol is None:
                    continue
                if symbol.kind == "thread":
                    return True
                if (
                    symbol.kind == "bind"
                    and symbol.value is not None
                    and depth
                    and self.uses_thread(symbol.value, depth - 1)
                ):
                    return True
            elif self.module.function_of(part) in ("T.get_thread_binding", "T.get_lane_idx", "T.get_warp_idx"):
                return True
        return False

    def constant(self, node: ast.AST | None, depth: int = 8) -> int | float | None:
        """The number that an expression certainly is: literals, arithmetic on them, names bound to such once."""
        if depth == 0:
            return None  # a name may be bound to itself: a parameter assigned again
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.constant(node.operand, depth - 1)
            return None if value is None else -value
        if isinstance(node, ast.BinOp):
            return _folded(node.op, self.constant(node.left, depth - 1), self.constant(node.right, depth - 1))
        if isinstance(node, ast.Name) and node.id not in self.symbols:
            bound = self._python_values.get(node.id)
            return self.constant(bound, depth - 1) if bound is not None else None
        return None

    def dtype_of(self, node: ast.AST | None) -> str:
        """A dtype argument (``"float32"``, ``T.float32``, a name bound once to one); '' if the text does not say."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return _known_dtype(node.value)
        if isinstance(node, ast.Attribute):
            name = self.module.canonical(node)
            return _known_dtype(name[2:]) if name.startswith("T.") else ""
        if isinstance(node, ast.Name):
            bound = self._python_values.get(node.id)
            return self.dtype_of(bound) if bound is not None and not isinstance(bound, ast.Name) else ""
        return ""

    def loop_kind(self, loop: ast.For) -> str:
        """serial, parallel, …; '' for a loop that Python runs while tracing."""
        if not isinstance(loop.iter, ast.Call):
            return ""
        name = self.module.function_of(loop.iter)
        if not name and isinstance(loop.iter.func, ast.Name):
            name = loop.iter.func.id
        return LOOPS.get(name, "")

    def loops_around(self, node: ast.AST) -> Iterator[ast.For]:
        """``for`` statements of this function around ``node``, innermost first."""
        for outer in self.module.enclosing(node):
            if outer is self.function:
                return
            if isinstance(outer, ast.For):
                yield outer

    @cached_property
    def _python_values(self) -> dict[str, ast.expr]:
        """Names that this function, one around it, or the module binds exactly once, with what they are bound to."""
        found: dict[str, ast.expr] = {}
        scopes = [
            self.module.tree,
            *reversed([f for f in self.module.enclosing(self.function) if isinstance(f, ast.FunctionDef)]),
        ]
        for scope in (*scopes, self.function):
            nodes = list(own_nodes(scope)) if isinstance(scope, ast.FunctionDef) else _top_level(scope)
            counts = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            if isinstance(scope, ast.FunctionDef):
                arguments = scope.args
                for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                    found.pop(argument.arg, None)
            for name in counts:
                found.pop(name, None)
            for node in nodes:
                if isinstance(node, ast.Assign) and len(node.targets) == 1:
                    target = node.targets[0]
                    if isinstance(target, ast.Name) and counts[target.id] == 1:
                        found[target.id] = node.value
                    elif (
                        isinstance(target, ast.Tuple)
                        and isinstance(node.value, ast.Tuple)
                        and len(target.elts) == len(node.value.elts)
                    ):
                        for one, value in zip(target.elts, node.value.elts, strict=True):
                            if isinstance(one, ast.Name) and counts[one.id] == 1:
                                found[one.id] = value
        return found

    def _outer_symbols(self) -> Iterator[dict[str, Symbol]]:
        """T.dynamic sizes of the functions around this one."""
        outer = [f for f in self.module.enclosing(self.function) if isinstance(f, ast.FunctionDef)]
        for function in reversed(outer):
            found: dict[str, Symbol] = {}
            for node in own_nodes(function):
                if isinstance(node, ast.Assign) and self.module.function_of(node.value) in ("T.dynamic", "T.symbolic"):
                    for target in node.targets:
                        for name in ast.walk(target):
                            if isinstance(name, ast.Name):
                                found[name.id] = Symbol("symbol", "int32")
            yield found

    def _parameter(self, annotation: ast.expr | None) -> Symbol | None:
        if isinstance(annotation, ast.Subscript) and self.module.canonical(annotation.value) in _TENSORS:
            items = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            shape = items[0]
            dims = tuple(shape.elts) if isinstance(shape, (ast.Tuple, ast.List)) else (shape,)
            return Symbol("global", self.dtype_of(items[1]) if len(items) > 1 else "", dims)
        if isinstance(annotation, ast.Call) and self.module.function_of(annotation) in _TENSORS:
            return self._allocation(
                "global", annotation, 1 if "Strided" not in self.module.function_of(annotation) else 2
            )
        if isinstance(annotation, ast.Attribute):
            dtype = self.dtype_of(annotation)
            return Symbol("param", dtype) if dtype else None
        return None

    def _own(self) -> Iterator[tuple[str, Symbol]]:
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                yield from self._assigned(node.targets[0], node.value)
            elif isinstance(node, ast.With):
                for item in node.items:
                    if item.optional_vars is not None and self.module.function_of(item.context_expr) == "T.Kernel":
                        for name in ast.walk(item.optional_vars):
                            if isinstance(name, ast.Name):
                                yield name.id, Symbol("block", "int32")
            elif isinstance(node, ast.For):
                kind = self.loop_kind(node)
                for name in ast.walk(node.target) if kind else ():
                    if isinstance(name, ast.Name):
                        yield name.id, Symbol("loop", "int32", loop=kind, value=node.iter)

    def _assigned(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, Symbol]]:
        function = self.module.function_of(value)
        if isinstance(target, ast.Tuple):
            if function in ("T.get_thread_bindings", "T.get_block_bindings", "T.dynamic", "T.const"):
                kind: Kind = {"T.get_thread_bindings": "thread", "T.get_block_bindings": "block"}.get(
                    function, "symbol"
                )  # type: ignore[assignment]
                for item in target.elts:
                    if isinstance(item, ast.Name) and function != "T.const":
                        yield item.id, Symbol(kind, "int32")
            return
        if not isinstance(target, ast.Name):
            return
        if isinstance(value, ast.Call) and function in _ALLOCATIONS:
            yield target.id, self._allocation(_ALLOCATIONS[function], value, 2 if function == "T.make_tensor" else 1)
        elif isinstance(value, ast.Call) and function == "T.alloc_var":
            yield target.id, Symbol("var", self.dtype_of(argument_of(value, 0, "dtype")))
        elif function == "T.get_thread_binding":
            yield target.id, Symbol("thread", "int32")
        elif function == "T.get_block_binding":
            yield target.id, Symbol("block", "int32")
        elif function == "T.dynamic":
            yield target.id, Symbol("symbol", "int32")
        else:
            yield target.id, Symbol("bind", value=value)

    def _allocation(self, kind: Kind, call: ast.Call, dtype_at: int) -> Symbol:
        shape = argument_of(call, dtype_at - 1 if kind == "global" and dtype_at == 2 else 0, "shape")
        dims = tuple(shape.elts) if isinstance(shape, (ast.Tuple, ast.List)) else None
        if dims is None and shape is not None:
            dims = (shape,)  # a name may hold a tuple: then nothing is known of this one extent
        scope = argument_of(call, 2, "scope")
        text = scope.value if isinstance(scope, ast.Constant) and isinstance(scope.value, str) else ""
        return Symbol(kind, self.dtype_of(argument_of(call, dtype_at, "dtype")), dims, scope=text)

    def _inside_shape(self, part: ast.AST, top: ast.AST) -> bool:
        """Whether ``part`` stands in ``x.shape`` or the like, which Python knows while tracing."""
        for outer in self.module.enclosing(part):
            if isinstance(outer, ast.Attribute) and outer.attr in ("shape", "dtype", "ndim", "strides"):
                return True
            if outer is top:
                return False
        return False


def argument_of(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    """A call's argument by position or keyword; None if it is not there or behind a starred one."""
    for item in call.keywords:
        if item.arg == keyword:
            return item.value
    plain = call.args
    return plain[position] if position < len(plain) and not isinstance(plain[position], ast.Starred) else None


def _known_dtype(name: str) -> str:
    name = _ALIASES.get(name, name)
    return name if name in _DTYPE else ""


def _top_level(tree: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    stack = list(ast.iter_child_nodes(tree))
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))
    return found


def _folded(op: ast.operator, left: int | float | None, right: int | float | None) -> int | float | None:
    if left is None or right is None:
        return None
    if isinstance(op, ast.Add):
        return left + right
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right
    if isinstance(op, ast.FloorDiv) and right:
        return left // right
    return None
