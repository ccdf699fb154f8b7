"""Structural checks of a KernelModule kernel; run on every kernel that the builder makes."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.ir.dump import expression as text
from migrate.ir.kernel import (
    Assign,
    Atomic,
    Barrier,
    Binary,
    Bitcast,
    Break,
    Buffer,
    BufferArg,
    Builtin,
    CallFunction,
    Cast,
    Comment,
    Const,
    Continue,
    Declare,
    DeclareArray,
    Expr,
    Fence,
    Function,
    If,
    Kernel,
    Load,
    LocalRef,
    LocalVar,
    Loop,
    MathCall,
    ParamRef,
    PointerParam,
    RefArg,
    Return,
    Select,
    Shuffle,
    Stmt,
    Store,
    SyncReduce,
    Unary,
    Vote,
)

_INTEGERS = frozenset({"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"})
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
_SIZES = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2} | {
    "int32": 4,
    "uint32": 4,
    "float32": 4,
    "int64": 8,
    "uint64": 8,
    "float64": 8,
}
_COMPARE = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


def verify_kernel(kernel: Kernel) -> list[str]:
    """Faults as sentences; empty for a well-formed kernel."""
    faults: list[str] = []
    buffers = {buffer.name: buffer for buffer in kernel.buffers}
    if len(buffers) != len(kernel.buffers):
        faults.append("two buffers share a name")
    params = {param.name: param.dtype for param in kernel.params if not isinstance(param, PointerParam)}
    for name in params:
        if name in buffers:
            faults.append(f"{name} names a parameter and a buffer")
    functions = {function.name: function for function in kernel.functions}
    done: set[str] = set()
    for function in kernel.functions:
        formals = {param.buffer.name: param.buffer for param in function.params if param.buffer is not None}
        scope = {param.var.name: param.var for param in function.params}
        checker = _Checker({**buffers, **formals}, {}, functions, done, faults, function)
        checker.block(function.body, scope, set(), loops=0)
        if function.result is not None and not _returns(function.body):
            faults.append(f"function {function.name} may end without a value")
        done.add(function.name)
    _Checker(buffers, params, functions, done, faults, None).block(kernel.body, {}, set(), loops=0)
    return faults


def _returns(block: Sequence[Stmt]) -> bool:
    if not block:
        return False
    last = block[-1]
    if isinstance(last, If):
        return _returns(last.then) and _returns(last.otherwise)
    return isinstance(last, Return)


class _Checker:
    def __init__(
        self,
        buffers: dict[str, Buffer],
        params: dict[str, str],
        functions: dict[str, Function],
        callable_: set[str],
        faults: list[str],
        function: Function | None,
    ) -> None:
        self.buffers = buffers
        self.params = params
        self.functions = functions
        self.callable = callable_
        self.faults = faults
        self.function = function

    def fault(self, message: str) -> None:
        where = f" in {self.function.name}" if self.function is not None else ""
        self.faults.append(message + where)

    # --- statements

    def block(self, block: Sequence[Stmt], scope: dict[str, LocalVar], arrays: set[str], *, loops: int) -> None:
        """Checks a list; ``scope`` and ``arrays`` (names declared before) are extended by its declarations."""
        for statement in block:
            self.statement(statement, scope, arrays, loops)

    def statement(self, statement: Stmt, scope: dict[str, LocalVar], arrays: set[str], loops: int) -> None:
        if isinstance(statement, Declare):
            if statement.init is not None:
                self.typed(statement.init, statement.var.dtype, scope, arrays, statement.var.name)
            elif not statement.var.mutable:
                self.fault(f"immutable {statement.var.name} has no value")
            if statement.var.name in self.buffers or statement.var.name in self.params:
                self.fault(f"local {statement.var.name} hides a buffer or parameter")
            scope[statement.var.name] = statement.var
        elif isinstance(statement, DeclareArray):
            for item in statement.init or ():
                self.typed(item, statement.buffer.dtype, scope, arrays, statement.buffer.name)
            if statement.buffer.shape is None:
                self.fault(f"local array {statement.buffer.name} has no extent")
            arrays.add(statement.buffer.name)
        elif isinstance(statement, Assign):
            self.written(statement.var, scope)
            self.typed(statement.value, statement.var.dtype, scope, arrays, statement.var.name)
        elif isinstance(statement, Store):
            self.access(statement.buffer, statement.indices, scope, arrays)
            self.typed(statement.value, statement.buffer.dtype, scope, arrays, statement.buffer.name)
        elif isinstance(statement, If):
            self.typed(statement.cond, "bool", scope, arrays, "if")
            self.block(statement.then, dict(scope), set(arrays), loops=loops)
            self.block(statement.otherwise, dict(scope), set(arrays), loops=loops)
        elif isinstance(statement, Loop):
            self.loop(statement, dict(scope), set(arrays), loops)
        elif isinstance(statement, Break | Continue):
            if loops == 0:
                self.fault("break or continue outside of a loop")
        elif isinstance(statement, Return):
            self.leave(statement, scope, arrays)
        else:
            self.collective(statement, scope, arrays)

    def loop(self, loop: Loop, scope: dict[str, LocalVar], arrays: set[str], loops: int) -> None:
        if loop.kind != "for" and (loop.init or loop.step):
            self.fault(f"{loop.kind} loop with init or step")
        self.block(loop.init, scope, arrays, loops=0)
        parts = (loop.body, loop.cond_pre) if loop.kind == "do" else (loop.cond_pre, loop.body)
        inner, inner_arrays = dict(scope), set(arrays)
        if loop.kind == "do":
            self.block(parts[0], dict(inner), set(inner_arrays), loops=loops + 1)
            self.block(parts[1], inner, inner_arrays, loops=0)
        else:
            self.block(parts[0], inner, inner_arrays, loops=0)
            self.block(parts[1], dict(inner), set(inner_arrays), loops=loops + 1)
        if loop.cond is not None:
            self.typed(loop.cond, "bool", inner, inner_arrays, "loop condition")
        self.block(loop.step, dict(scope), set(arrays), loops=0)

    def leave(self, statement: Return, scope: dict[str, LocalVar], arrays: set[str]) -> None:
        wanted = None if self.function is None else self.function.result
        if statement.value is None:
            if wanted is not None:
                self.fault("return without a value")
        elif wanted is None:
            self.fault("return with a value")
        else:
            self.typed(statement.value, wanted, scope, arrays, "return")

    def collective(self, statement: Stmt, scope: dict[str, LocalVar], arrays: set[str]) -> None:
        if isinstance(statement, Barrier):
            if statement.mask is not None:
                self.integer(statement.mask, scope, arrays)
        elif isinstance(statement, SyncReduce):
            self.written(statement.result, scope)
            self.expression(statement.predicate, scope, arrays)
        elif isinstance(statement, Shuffle):
            self.written(statement.result, scope)
            self.typed(statement.value, statement.result.dtype, scope, arrays, "shuffle")
            for part in (statement.operand, statement.width, statement.mask):
                self.integer(part, scope, arrays)
        elif isinstance(statement, Vote):
            self.written(statement.result, scope)
            for item in (statement.value, statement.mask):
                if item is not None:
                    self.expression(item, scope, arrays)
        elif isinstance(statement, Atomic):
            self.access(statement.buffer, statement.indices, scope, arrays)
            if statement.result is not None:
                self.written(statement.result, scope)
                if statement.result.dtype != statement.operands[0].dtype:
                    self.fault(f"atomic result {statement.result.name} has another dtype than its operands")
            if _SIZES[statement.operands[0].dtype] != _SIZES[statement.buffer.dtype]:
                self.fault(f"atomic on {statement.buffer.name} of another size")
            for operand in statement.operands:
                self.typed(operand, statement.operands[0].dtype, scope, arrays, "atomic operand")
        elif isinstance(statement, CallFunction):
            self.call(statement, scope, arrays)
        elif not isinstance(statement, Fence | Comment):
            self.fault(f"{type(statement).__name__} is no statement")

    def call(self, statement: CallFunction, scope: dict[str, LocalVar], arrays: set[str]) -> None:
        function = self.functions.get(statement.function)
        if function is None or statement.function not in self.callable:
            self.fault(f"call of {statement.function}, which is not defined before")
            return
        if len(function.params) != len(statement.args):
            self.fault(f"call of {statement.function} with {len(statement.args)} arguments")
            return
        for argument, param in zip(statement.args, function.params, strict=True):
            if isinstance(argument, RefArg):
                self.written(argument.var, scope)
                if not param.ref or argument.var.dtype != param.var.dtype:
                    self.fault(f"reference argument {argument.var.name} of {statement.function}")
            elif isinstance(argument, BufferArg):
                self.known_buffer(argument.buffer, arrays)
                self.typed(argument.offset, "int64", scope, arrays, "buffer offset")
                if param.buffer is None or param.buffer.dtype != argument.buffer.dtype:
                    self.fault(f"buffer argument {argument.buffer.name} of {statement.function}")
                elif param.buffer.scope != argument.buffer.scope:
                    self.fault(f"buffer argument {argument.buffer.name} of {statement.function}: another scope")
            else:
                if param.ref or param.buffer is not None:
                    self.fault(f"value argument for a reference of {statement.function}")
                self.typed(argument, param.var.dtype, scope, arrays, f"argument of {statement.function}")
        if statement.result is not None:
            self.written(statement.result, scope)
            if statement.result.dtype != function.result:
                self.fault(f"result of {statement.function}")

    # --- names

    def written(self, var: LocalVar, scope: dict[str, LocalVar]) -> None:
        known = scope.get(var.name)
        if known is None:
            self.fault(f"{var.name} is written before it is declared")
        elif not known.mutable or not var.mutable:
            self.fault(f"immutable {var.name} is written")
        elif known.dtype != var.dtype:
            self.fault(f"{var.name} has two dtypes")

    def known_buffer(self, buffer: Buffer, arrays: set[str]) -> None:
        known = self.buffers.get(buffer.name)
        if known is None and buffer.name not in arrays:
            self.fault(f"buffer {buffer.name} is not declared")
        elif known is not None and (known.dtype != buffer.dtype or known.shape != buffer.shape):
            self.fault(f"buffer {buffer.name} differs from its declaration")

    def access(self, buffer: Buffer, indices: Sequence[Expr], scope: dict[str, LocalVar], arrays: set[str]) -> None:
        self.known_buffer(buffer, arrays)
        wanted = 1 if buffer.shape is None else len(buffer.shape)
        if len(indices) != wanted:
            self.fault(f"{buffer.name} has {wanted} dimensions and {len(indices)} indices")
        for index in indices:
            self.integer(index, scope, arrays)

    # --- expressions

    def typed(self, expr: Expr, dtype: str, scope: dict[str, LocalVar], arrays: set[str], what: str) -> None:
        self.expression(expr, scope, arrays)
        if expr.dtype != dtype:
            self.fault(f"{what} is {dtype}, its value is {expr.dtype}: {text(expr)[:80]}")

    def integer(self, expr: Expr, scope: dict[str, LocalVar], arrays: set[str]) -> None:
        self.expression(expr, scope, arrays)
        if expr.dtype not in _INTEGERS:
            self.fault(f"an integer is needed, not {expr.dtype}: {text(expr)[:80]}")

    def expression(self, expr: Expr, scope: dict[str, LocalVar], arrays: set[str]) -> None:
        if isinstance(expr, Const):
            self.constant(expr)
        elif isinstance(expr, LocalRef):
            known = scope.get(expr.var.name)
            if known is None:
                self.fault(f"{expr.var.name} is read before it is declared")
            elif known != expr.var and (known.dtype, known.mutable) != (expr.var.dtype, expr.var.mutable):
                self.fault(f"{expr.var.name} differs from its declaration")
        elif isinstance(expr, ParamRef):
            if self.params.get(expr.name) != expr.dtype:
                self.fault(f"parameter {expr.name} is not known as {expr.dtype}")
        elif isinstance(expr, Load):
            self.access(expr.buffer, expr.indices, scope, arrays)
        elif isinstance(expr, Unary):
            self.typed(expr.operand, expr.dtype, scope, arrays, expr.op)
            if (expr.op == "not") != (expr.dtype == "bool") or (expr.op == "bitnot" and expr.dtype not in _INTEGERS):
                self.fault(f"{expr.op} of {expr.dtype}")
        elif isinstance(expr, Binary):
            self.binary(expr, scope, arrays)
        elif isinstance(expr, Cast):
            self.expression(expr.operand, scope, arrays)
        elif isinstance(expr, Bitcast):
            self.expression(expr.operand, scope, arrays)
            if _SIZES[expr.operand.dtype] != _SIZES[expr.dtype]:
                self.fault(f"bit cast from {expr.operand.dtype} to {expr.dtype}")
        elif isinstance(expr, Select):
            self.typed(expr.cond, "bool", scope, arrays, "condition")
            self.typed(expr.then, expr.dtype, scope, arrays, "select")
            self.typed(expr.otherwise, expr.dtype, scope, arrays, "select")
        elif isinstance(expr, MathCall):
            for arg in expr.args:
                self.expression(arg, scope, arrays)
        elif not isinstance(expr, Builtin):
            self.fault(f"{type(expr).__name__} is no expression")

    def constant(self, expr: Const) -> None:
        if expr.dtype in _INTEGERS:
            bits = 8 * _SIZES[expr.dtype]
            low, high = (0, 1 << bits) if expr.dtype.startswith("u") else (-(1 << (bits - 1)), 1 << (bits - 1))
            if isinstance(expr.value, float) or not low <= expr.value < high:
                self.fault(f"literal {expr.value!r} is no {expr.dtype}")

    def binary(self, expr: Binary, scope: dict[str, LocalVar], arrays: set[str]) -> None:
        self.expression(expr.left, scope, arrays)
        self.expression(expr.right, scope, arrays)
        left, right = expr.left.dtype, expr.right.dtype
        result = "bool" if expr.op in _COMPARE or expr.op in ("and", "or") else left
        if expr.op in ("shl", "shr"):
            if left not in _INTEGERS or right not in _INTEGERS:
                self.fault(f"{expr.op} of {left} and {right}")
        elif left != right:
            self.fault(f"{expr.op} of {left} and {right}: {text(expr)[:80]}")
        if expr.op in ("and", "or") and left != "bool":
            self.fault(f"{expr.op} of {left}")
        if expr.op == "div" and left not in _FLOATS:
            self.fault(f"div of {left}")
        if expr.op in ("truncdiv", "truncmod", "bitand", "bitor", "bitxor") and left not in _INTEGERS:
            self.fault(f"{expr.op} of {left}")
        if expr.op in ("add", "sub", "mul") and left == "bool":
            self.fault(f"{expr.op} of bool")
        if expr.dtype != result:
            self.fault(f"{expr.op} of {left} has dtype {expr.dtype}")
