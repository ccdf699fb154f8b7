"""Atomics."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering
from migrate.rules.lower.locals import write
from migrate.rules.lower.memory_access import element

_TILELANG = {
    "add": ("T.atomic_add", ("int32", "uint32", "int64", "float16", "bfloat16", "float32", "float64")),
    "min": ("T.atomic_min", ("int32", "uint32")),
    "max": ("T.atomic_max", ("int32", "uint32")),
}
_CUDA = {
    "add": ("atomicAdd", ("uint64",)),
    "sub": ("atomicSub", ("int32", "uint32")),
    "min": ("atomicMin", ("int64", "uint64")),
    "max": ("atomicMax", ("int64", "uint64")),
    "and": ("atomicAnd", ("int32", "uint32", "uint64")),
    "or": ("atomicOr", ("int32", "uint32", "uint64")),
    "xor": ("atomicXor", ("int32", "uint32", "uint64")),
    "exch": ("atomicExch", ("int32", "uint32", "uint64", "float32")),
    "cas": ("atomicCAS", ("int32", "uint32", "uint64", "uint16")),
    "inc": ("atomicInc", ("uint32",)),
    "dec": ("atomicDec", ("uint32",)),
}
# uint64_t is unsigned long on Linux, but CUDA's overloads take unsigned long long.
_WIDE = {"uint64": "unsigned long long", "int64": "long long"}
_C_NAMES = {**_WIDE, "uint32": "unsigned int", "int32": "int", "float32": "float", "float64": "double"}
_SIGN_MATTERS = ("min", "max", "inc", "dec")


@rule("atomics", "atomicAdd(&x[i], v), atomicCAS, …", "atomicAdd(&x[i], v);", "T.atomic_add(x[i], v)", ("TLM353",))
def lower_atomic(node: k.Atomic, lowering: Lowering) -> None:
    """`T.atomic_add/min/max` for the dtypes that nvcc accepts, else the CUDA function by name on `T.access_ptr`."""
    target = element(node.buffer, node.indices, lowering)
    if _is_punned(node, target.dtype):
        _lower_punned(node, target, lowering)
        return
    dtype = target.dtype
    operands = tuple(_typed(lowering.coerce(lowering.lower(operand), dtype)) for operand in node.operands)
    name, dtypes = _TILELANG.get(node.op, ("", ()))
    if dtype in dtypes:
        keywords = (("return_prev", p.Lit(True, "bool")),) if node.result is not None else ()
        _finish(node, p.Call(name, (target, *operands), dtype, keywords), lowering)
        return
    name, dtypes = _CUDA[node.op]
    if dtype not in dtypes:
        raise refuse("TLM353", f"atomic {node.op} on {dtype} has no CUDA function", node.span)
    address: p.PortExpr = _address(target)
    if dtype in _WIDE:
        wide = _WIDE[dtype]
        address = p.Call("T.call_extern", (p.Text("handle"), p.Text(f"({wide}*)"), address), "handle")
        operands = tuple(p.Call("T.call_extern", (p.Text(dtype), p.Text(f"({wide})"), o), dtype) for o in operands)
    _finish(node, p.Call("T.call_extern", (p.Text(dtype), p.Text(name), address, *operands), dtype), lowering)


def _is_punned(node: k.Atomic, element_dtype: str) -> bool:
    """The operation reads the element as another type, and that changes what it does."""
    dtype = node.operands[0].dtype
    if dtype == element_dtype:
        return False
    return "float" in element_dtype or "float" in dtype or node.op in _SIGN_MATTERS


def _lower_punned(node: k.Atomic, target: p.PortExpr, lowering: Lowering) -> None:
    """``atomicMax((int*)&x[i], v)`` on floats: the CUDA function by name on a cast address."""
    dtype = node.operands[0].dtype
    name, dtypes = _CUDA.get(node.op, ("", ()))
    if node.op in ("add", "min", "max") and dtype in ("int32", "uint32", "int64", "uint64"):
        name, dtypes = f"atomic{node.op.capitalize()}", (dtype,)
    if dtype not in dtypes or dtype not in _C_NAMES or (node.op == "add" and dtype == "int64"):
        raise refuse("TLM353", f"atomic {node.op} on {dtype} has no CUDA function", node.span)
    pointer = p.Text(f"({_C_NAMES[dtype]}*)")
    address = p.Call("T.call_extern", (p.Text("handle"), pointer, _address(target)), "handle")
    operands = tuple(_typed(lowering.coerce(lowering.lower(operand), dtype)) for operand in node.operands)
    if dtype in _WIDE:
        wide = p.Text(f"({_WIDE[dtype]})")
        operands = tuple(p.Call("T.call_extern", (p.Text(dtype), wide, o), dtype) for o in operands)
    _finish(node, p.Call("T.call_extern", (p.Text(dtype), p.Text(name), address, *operands), dtype), lowering)


def _address(target: p.PortExpr) -> p.PortExpr:
    """Not `T.address_of`: upstream guards its element like a load and then finds no element to take the address of."""
    return p.Call("T.access_ptr", (target, p.Text("rw"), p.Lit(1, p.PYTHON)), "handle")


def _typed(expr: p.PortExpr) -> p.PortExpr:
    if isinstance(expr, p.Lit):
        return p.Lit(expr.value, expr.dtype, explicit=True)
    return p.Call("T.int32", (expr,), "int32") if expr.dtype == p.PYTHON else expr


def _finish(node: k.Atomic, call: p.Call, lowering: Lowering) -> None:
    if node.result is None:
        lowering.emit(p.Do(call, node.span))
    else:
        write(node.result, call, lowering)
