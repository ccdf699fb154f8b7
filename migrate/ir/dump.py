"""Readable text of a KernelModule kernel, stable between runs; for golden tests and for looking."""

from __future__ import annotations

from collections.abc import Sequence

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

_SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truncdiv": "/t",
    "truncmod": "%t",
    "div": "/",
    "shl": "<<",
    "shr": ">>",
    "bitand": "&",
    "bitor": "|",
    "bitxor": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "and": "&&",
    "or": "||",
    "neg": "-",
    "bitnot": "~",
    "not": "!",
}
_SHORT = {
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "bool": "bool",
}


def expression(expr: Expr) -> str:
    """One expression. Constants other than int32, float32 and bool carry their dtype."""
    if isinstance(expr, Const):
        if expr.dtype in ("int32", "bool"):
            return str(expr.value)
        text = repr(float(expr.value)) if expr.dtype.startswith(("float", "bfloat")) else str(expr.value)
        return f"{text}:{_SHORT[expr.dtype]}"
    if isinstance(expr, LocalRef):
        return expr.var.name
    if isinstance(expr, ParamRef):
        return expr.name
    if isinstance(expr, Builtin):
        return f"{expr.kind}.{expr.axis}"
    if isinstance(expr, Load):
        return f"{expr.buffer.name}[{', '.join(expression(index) for index in expr.indices)}]"
    if isinstance(expr, Unary):
        return f"({_SYMBOLS[expr.op]}{expression(expr.operand)})"
    if isinstance(expr, Binary):
        return f"({expression(expr.left)} {_SYMBOLS[expr.op]} {expression(expr.right)})"
    if isinstance(expr, Cast):
        rounding = f".{expr.rounding}" if expr.rounding else ""
        return f"{_SHORT[expr.dtype]}{rounding}({expression(expr.operand)})"
    if isinstance(expr, Bitcast):
        return f"bits:{_SHORT[expr.dtype]}({expression(expr.operand)})"
    if isinstance(expr, Select):
        return f"({expression(expr.cond)} ? {expression(expr.then)} : {expression(expr.otherwise)})"
    if isinstance(expr, MathCall):
        return f"{expr.name}({', '.join(expression(arg) for arg in expr.args)})"
    raise TypeError(f"not an expression: {expr!r}")


def _indices(indices: Sequence[Expr]) -> str:
    return ", ".join(expression(index) for index in indices)


def _optional(expr: Expr | None) -> str:
    return "" if expr is None else expression(expr)


def statements(block: Sequence[Stmt], depth: int = 0) -> list[str]:
    """Lines of a statement list."""
    lines: list[str] = []
    for statement in block:
        lines += _statement(statement, depth)
    return lines


def _statement(statement: Stmt, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(statement, If):
        lines = [f"{pad}if {expression(statement.cond)}:", *statements(statement.then, depth + 1)]
        if statement.otherwise:
            lines += [f"{pad}else:", *statements(statement.otherwise, depth + 1)]
        return lines
    if isinstance(statement, Loop):
        unroll = "" if statement.unroll is None else f" unroll={statement.unroll}"
        lines = [f"{pad}{statement.kind} {_optional(statement.cond) or 'True'}{unroll}:"]
        for label, part in (
            ("init", statement.init),
            ("cond", statement.cond_pre),
            ("body", statement.body),
            ("step", statement.step),
        ):
            if part:
                lines += [f"{pad} .{label}", *statements(part, depth + 1)]
        return lines
    return [pad + _line(statement)]


def _line(statement: Stmt) -> str:
    if isinstance(statement, Declare):
        word = "var" if statement.var.mutable else "let"
        init = "" if statement.init is None else f" = {expression(statement.init)}"
        return f"{word} {statement.var.name}: {_SHORT[statement.var.dtype]}{init}"
    if isinstance(statement, DeclareArray):
        init = "" if statement.init is None else f" = {{{_indices(statement.init)}}}"
        return f"array {_buffer(statement.buffer)}{init}"
    if isinstance(statement, Assign):
        return f"{statement.var.name} = {expression(statement.value)}"
    if isinstance(statement, Store):
        mark = "volatile " if statement.volatile else ""
        return f"{mark}{statement.buffer.name}[{_indices(statement.indices)}] = {expression(statement.value)}"
    if isinstance(statement, Break):
        return "break"
    if isinstance(statement, Continue):
        return "continue"
    if isinstance(statement, Return):
        return f"return {_optional(statement.value)}".rstrip()
    if isinstance(statement, Barrier):
        return f"barrier {statement.kind} {_optional(statement.mask)}".rstrip()
    if isinstance(statement, SyncReduce):
        return f"{statement.result.name} = sync_{statement.op}({expression(statement.predicate)})"
    if isinstance(statement, Shuffle):
        parts = (statement.value, statement.operand, statement.width, statement.mask)
        return f"{statement.result.name} = shfl_{statement.mode}({_indices(parts)})"
    if isinstance(statement, Vote):
        voted = tuple(part for part in (statement.value, statement.mask) if part is not None)
        return f"{statement.result.name} = vote_{statement.mode}({_indices(voted)})"
    if isinstance(statement, Atomic):
        result = "" if statement.result is None else f"{statement.result.name} = "
        where = f"{statement.buffer.name}[{_indices(statement.indices)}]"
        return f"{result}atomic_{statement.op} {where}, {_indices(statement.operands)}"
    if isinstance(statement, Fence):
        return f"fence {statement.kind}"
    if isinstance(statement, CallFunction):
        result = "" if statement.result is None else f"{statement.result.name} = "
        return f"{result}{statement.function}({', '.join(_argument(item) for item in statement.args)})"
    if isinstance(statement, Comment):
        return f"# {statement.text}"
    raise TypeError(f"not a statement: {statement!r}")


def _argument(argument: Expr | RefArg | BufferArg) -> str:
    if isinstance(argument, RefArg):
        return f"&{argument.var.name}"
    if isinstance(argument, BufferArg):
        return f"{argument.buffer.name}@{expression(argument.offset)}"
    return expression(argument)


def _buffer(buffer: Buffer) -> str:
    shape = "?" if buffer.shape is None else ", ".join(map(str, buffer.shape))
    flags = "".join(f" {flag}" for flag in ("const", "restrict", "volatile") if getattr(buffer, flag))
    offset = "" if buffer.offset_bytes is None else f" at {expression(buffer.offset_bytes)}"
    initial = "" if buffer.initial is None else f" = {{{', '.join(map(str, buffer.initial[:16]))}}}"
    return f"{buffer.name}: {_SHORT[buffer.dtype]}[{shape}] {buffer.scope.value}{flags}{offset}{initial}"


def _function(function: Function) -> list[str]:
    params = []
    for param in function.params:
        if param.buffer is not None:
            params.append(f"{param.buffer.name}@{param.var.name}: {_SHORT[param.buffer.dtype]}[]")
        else:
            params.append(f"{'&' if param.ref else ''}{param.var.name}: {_SHORT[param.var.dtype]}")
    result = f" -> {_SHORT[function.result]}" if function.result else ""
    return [f"function {function.name}({', '.join(params)}){result}:", *statements(function.body, 1)]


def dump(kernel: Kernel) -> str:
    """The whole kernel: signature, buffers, functions, body."""
    params = []
    for param in kernel.params:
        if isinstance(param, PointerParam):
            params.append(f"{param.buffer.name}: {_SHORT[param.buffer.dtype]}*")
        else:
            params.append(f"{param.name}: {_SHORT[param.dtype]}")
    lines = [f"kernel {kernel.cpp_name} ({', '.join(params)})"]
    lines += [f"  {_buffer(buffer)}" for buffer in kernel.buffers]
    if kernel.launch_bounds:
        lines.append(f"  launch_bounds {', '.join(map(str, kernel.launch_bounds))}")
    if kernel.notes:
        lines.append(f"  notes {', '.join(kernel.notes)}")
    for function in kernel.functions:
        lines += _function(function)
    lines += ["body:", *statements(kernel.body, 1)]
    return "\n".join(lines) + "\n"
