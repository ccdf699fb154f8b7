"""Expressions of the real TIR → the runtime's IR. Operators are met by class name, calls by operator name."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import nodes
from tilelang_runtime.language.externs import extern_call
from tilelang_runtime.tir.calls import EXACT_RESULTS, PURE_CALLS

BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Mod": "truncmod",
    "FloorDiv": "floordiv",
    "FloorMod": "floormod",
    "Min": "min",
    "Max": "max",
    "LT": "lt",
    "LE": "le",
    "GT": "gt",
    "GE": "ge",
    "EQ": "eq",
    "NE": "ne",
    "And": "and",
    "Or": "or",
}
BIT_CALLS = {
    "shift_left": "shl",
    "shift_right": "shr",
    "bitwise_and": "bitand",
    "bitwise_or": "bitor",
    "bitwise_xor": "bitxor",
}
SHUFFLES = {"shfl_sync": "idx", "shfl_up_sync": "up", "shfl_down_sync": "down", "shfl_xor_sync": "xor"}
VOTES = {
    "ballot_sync": "ballot",
    "any_sync": "any",
    "all_sync": "all",
    "match_any_sync": "match_any",
    "match_all_sync": "match_all",
}
BLOCK_VOTES = {"syncthreads_count": "block_count", "syncthreads_and": "block_and", "syncthreads_or": "block_or"}
WARP_REDUCTIONS = {f"warp_reduce_{op}": f"reduce_{op}" for op in ("sum", "max", "min", "bitand", "bitor")}
FULL_MASK = nodes.Const("uint32", 0xFFFFFFFF)


class UnsupportedTir(Exception):
    """The real IR holds a node that the importer does not know; the message names it."""


class Scopes:
    """What names mean while importing: TIR variables and buffers, by identity of the TIR object."""

    def __init__(self) -> None:
        self.variables: dict[Any, nodes.Expr] = {}
        self.buffers: dict[Any, nodes.Buffer] = {}

    def buffer(self, data: Any) -> nodes.Buffer:
        """The buffer behind a TIR buffer's data variable. Raises UnsupportedTir for one never declared."""
        try:
            return self.buffers[data]
        except KeyError:
            raise UnsupportedTir(f"buffer {data} is used but never declared") from None


def dtype_of(node: Any) -> str:
    """The dtype string of a TIR node; ``void`` becomes ``handle``. Raises UnsupportedTir for vectors."""
    name = str(node.dtype)
    if "x" in name.removeprefix("x"):
        raise UnsupportedTir(f"vector dtype {name}")
    return "handle" if name in ("void", "") else name


def import_expression(node: Any, scopes: Scopes) -> nodes.Expr:
    """One TIR expression. Raises UnsupportedTir naming what is not known."""
    kind = type(node).__name__
    if kind in ("Var", "SizeVar"):
        try:
            return scopes.variables[node]
        except KeyError:
            raise UnsupportedTir(f"variable {node} is used but never bound") from None
    if kind == "IntImm":
        dtype = dtype_of(node)
        return nodes.Const(dtype, bool(node.value) if dtype == "bool" else _unsigned(int(node.value), dtype))
    if kind == "FloatImm":
        return nodes.Const(dtype_of(node), float(node.value))
    if kind in BINARY or kind == "Div":
        return _binary(kind, node, scopes)
    if kind == "Not":
        return nodes.Unary("not", import_expression(node.a, scopes), "bool")
    if kind == "Cast":
        return nodes.Cast(import_expression(node.value, scopes), dtype_of(node))
    if kind == "BufferLoad":
        return _load(node, scopes)
    if kind == "Select":
        parts = [import_expression(part, scopes) for part in (node.condition, node.true_value, node.false_value)]
        return nodes.Select(parts[0], parts[1], parts[2], dtype_of(node))
    if kind == "Call":
        return import_call(node, scopes)
    raise UnsupportedTir(f"expression {kind}")


def _unsigned(value: int, dtype: str) -> int:
    # TVM keeps 64-bit immediates signed; large uint64 constants arrive negative
    return value + 2**64 if dtype == "uint64" and value < 0 else value


def _binary(kind: str, node: Any, scopes: Scopes) -> nodes.Expr:
    left, right = import_expression(node.a, scopes), import_expression(node.b, scopes)
    if kind == "Div":
        op = "div" if "float" in left.dtype else "truncdiv"
    else:
        op = BINARY[kind]
    return nodes.Binary(op, left, right, dtype_of(node))


def _load(node: Any, scopes: Scopes) -> nodes.Load:
    buffer = scopes.buffer(node.buffer.data)
    return nodes.Load(buffer, import_indices(node.indices, buffer, scopes))


def import_indices(indices: Any, buffer: nodes.Buffer, scopes: Scopes) -> tuple[nodes.Expr, ...]:
    """Indices of a load or store; scalar variables (TIR shape (1,)) have none in the runtime's IR."""
    return () if buffer.scope == "var" else tuple(import_expression(index, scopes) for index in indices)


def import_call(node: Any, scopes: Scopes) -> nodes.Expr:
    """A TIR call: control intrinsics are statements and not handled here."""
    name = node.op.name.split(".", 1)[-1] if hasattr(node.op, "name") else str(node.op)
    args = list(node.args)
    if name == "if_then_else":
        cond, then, otherwise = (import_expression(arg, scopes) for arg in args)
        return nodes.Select(cond, then, otherwise, dtype_of(node))
    if name == "reinterpret":
        return nodes.Reinterpret(import_expression(args[-1], scopes), dtype_of(node))
    if name == "bitwise_not":
        return nodes.Unary("bitnot", import_expression(args[0], scopes), dtype_of(node))
    if name in BIT_CALLS:
        left, right = (import_expression(arg, scopes) for arg in args)
        return nodes.Binary(BIT_CALLS[name], left, right, dtype_of(node))
    if name in SHUFFLES:
        mask, value, lane, width = (import_expression(arg, scopes) for arg in args)
        return nodes.Shuffle(SHUFFLES[name], value, lane, width, mask, dtype_of(node))
    if name in VOTES:
        mask, value = (import_expression(arg, scopes) for arg in args)
        return nodes.Vote(VOTES[name], value, mask, dtype_of(node))
    if name == "activemask":
        return nodes.Vote("activemask", None, None, dtype_of(node))
    if name in BLOCK_VOTES:
        return nodes.Vote(BLOCK_VOTES[name], import_expression(args[0], scopes), None, dtype_of(node))
    if name in WARP_REDUCTIONS:
        return nodes.Vote(WARP_REDUCTIONS[name], import_expression(args[0], scopes), FULL_MASK, dtype_of(node))
    if name.startswith("atomic_"):
        return _atomic(name, node, scopes)
    if name == "call_extern":
        return _extern(node, scopes)
    if name == "infinity":
        return nodes.Const(dtype_of(node), float("inf"))
    if name == "large_uint_imm":  # a uint64 that does not fit int64: low and high word
        return nodes.Const(dtype_of(node), int(args[0].value) | int(args[1].value) << 32)
    if name == "likely":
        return import_expression(args[0], scopes)
    if name == "__ldg":
        return import_expression(args[0], scopes)
    return _pure(name, args, node, scopes)


def _pure(name: str, args: list[Any], node: Any, scopes: Scopes) -> nodes.Expr:
    canonical = PURE_CALLS.get(name)
    if canonical is None:
        raise UnsupportedTir(f"call of {node.op.name}")
    operands = tuple(import_expression(arg, scopes) for arg in args if type(arg).__name__ != "StringImm")
    wanted = dtype_of(node)
    result = EXACT_RESULTS.get(canonical, wanted)
    call = nodes.Call(canonical, operands, result)
    return call if result == wanted else nodes.Cast(call, wanted)


def pointer_target(node: Any, scopes: Scopes) -> tuple[nodes.Buffer, tuple[nodes.Expr, ...]]:
    """The element that an address_of or access_ptr argument points to."""
    name = node.op.name.split(".", 1)[-1] if type(node).__name__ == "Call" else type(node).__name__
    if name not in ("access_ptr", "address_of") or type(node.args[0]).__name__ != "BufferLoad":
        raise UnsupportedTir(f"pointer argument {name}")
    load = node.args[0]
    buffer = scopes.buffer(load.buffer.data)
    return buffer, import_indices(load.indices, buffer, scopes)


def _atomic(name: str, node: Any, scopes: Scopes) -> nodes.Expr:
    words = name.split("_")  # atomic_add_ret_elem_op, atomic_max_elem_op, atomic_load_elem_op
    if words[-2:] != ["elem", "op"]:
        raise UnsupportedTir(f"call of {node.op.name}")
    buffer, indices = pointer_target(node.args[0], scopes)
    op = words[1]
    if op == "load":
        return nodes.Atomic("load", buffer, indices, (), buffer.dtype, True)
    value = import_expression(node.args[1], scopes)
    if value.dtype != buffer.dtype:
        value = nodes.Cast(value, buffer.dtype)
    if op not in ("add", "max", "min", "or", "and", "xor", "store"):
        raise UnsupportedTir(f"call of {node.op.name}")
    return nodes.Atomic(op, buffer, indices, (value,), buffer.dtype, "ret" in words)


def _without_pointer_cast(node: Any) -> tuple[Any, str]:
    """The pointer inside ``(int*)(pointer)`` and the dtype it is read as; the node itself and "" without a cast."""
    from tilelang_runtime.language.externs import POINTER_CASTS

    if type(node).__name__ == "Call" and node.op.name.endswith("call_extern"):
        view = POINTER_CASTS.get(str(node.args[0].value))
        if view is not None:
            return node.args[1], view
    return node, ""


def _extern(node: Any, scopes: Scopes) -> nodes.Expr:
    """External calls mean what the language's own table says; pointer casts and addresses are operands of them."""
    operands = [_operand(arg, scopes) for arg in node.args[1:]]
    dtype = str(node.dtype)
    try:
        return extern_call("handle" if dtype == "void" else dtype, str(node.args[0].value), operands)
    except nodes.TileLangError as error:
        raise UnsupportedTir(str(error)) from error


def _operand(node: Any, scopes: Scopes) -> nodes.Expr:
    if type(node).__name__ == "Call" and node.op.name.split(".", 1)[-1] in ("access_ptr", "address_of"):
        buffer, indices = pointer_target(node, scopes)
        return nodes.AddressOf(buffer, indices)
    return import_expression(node, scopes)
