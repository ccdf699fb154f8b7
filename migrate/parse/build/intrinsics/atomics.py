"""Atomics of every scope (``atomicAdd``, ``_block``, ``_system``): the scope orders, it changes no value here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from migrate.diagnostics import refuse
from migrate.ir.kernel import Atomic, Binary, Buffer, DType, Expr, LocalRef
from migrate.parse.build.intrinsics.arguments import (
    HALVES,
    aggregate,
    argument_dtype,
    const,
    declare_result,
    freeze,
    plain,
    pointee_type,
    scalar,
    unknown,
    value,
)
from migrate.parse.build.types import SIZES, CType, RecordType, ScalarType, leaves
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand, PointerValue

Op = Literal["add", "sub", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"]
_INTEGERS = ("int32", "uint32", "int64", "uint64")
_KINDS: dict[Op, tuple[DType, ...]] = {
    "add": (*_INTEGERS, "float32", "float64", *HALVES),
    "sub": ("int32", "uint32"),
    "min": _INTEGERS,
    "max": _INTEGERS,
    "and": _INTEGERS,
    "or": _INTEGERS,
    "xor": _INTEGERS,
    "exch": (*_INTEGERS, "float32"),
    "cas": (*_INTEGERS, "uint16"),
    "inc": ("uint32",),
    "dec": ("uint32",),
}
_NAMES: dict[str, Op] = {
    "Add": "add",
    "Sub": "sub",
    "Min": "min",
    "Max": "max",
    "And": "and",
    "Or": "or",
    "Xor": "xor",
    "Exch": "exch",
    "CAS": "cas",
    "Inc": "inc",
    "Dec": "dec",
}


def _emit(call: IntrinsicCall, op: Op, place: tuple[Buffer, tuple[Expr, ...]], operands: Sequence[Expr]) -> Expr:
    buffer, indices = place
    dtype = operands[0].dtype
    if SIZES[buffer.dtype] != SIZES[dtype]:
        message = f"{call.name} on {dtype} in an array of {buffer.dtype}: the word spans several elements"
        raise refuse("TLM310", message, call.span)
    if call.discarded:
        call.sink.emit(Atomic(None, op, buffer, indices, tuple(operands), call.span))
        return const(dtype, 0)  # never read: the source drops the old value
    result = declare_result(call, "old", dtype)
    call.sink.emit(Atomic(result, op, buffer, indices, tuple(operands), call.span))
    return LocalRef(result)


def _parts(call: IntrinsicCall, op: Op, pointee: CType) -> Operand:
    """half2, float2, float4: each element is an atomic of its own, as in CUDA."""
    pointer = call.sink.value(call.args[0])
    found = leaves(pointee)
    kinds = {leaf.ctype.dtype for leaf in found if isinstance(leaf.ctype, ScalarType)}
    dtype = next(iter(kinds))
    if op != "add" or len(kinds) != 1 or dtype not in ("float32", *HALVES):
        raise unknown(call)
    if not isinstance(pointer, PointerValue) or pointer.buffer.dtype != dtype:
        raise refuse("TLM310", f"{call.name} on {dtype} pairs in an array of another type", call.span)
    operand = call.sink.value(call.args[1])
    parts = [freeze(call, "part", call.sink.leaf(operand, index)) for index in range(len(found))]
    start = freeze(call, "start", pointer.offset)
    old: list[Expr] = []
    for index, part in enumerate(parts):
        offset = start if index == 0 else Binary("add", start, const(start.dtype, index), start.dtype)
        place = call.sink.element(PointerValue(pointer.buffer, offset, ScalarType(dtype)))
        old.append(_emit(call, op, place, [part]))
    return aggregate(call, *old)


def _atomic(op: Op) -> Intrinsic:
    """``atomicAdd(pointer, value)`` → Atomic on the buffer element; the old value is the result."""

    def handler(call: IntrinsicCall) -> Operand:
        pointee = plain(pointee_type(call, 0))
        if isinstance(pointee, RecordType):
            return _parts(call, op, pointee)
        dtype = pointee.dtype if isinstance(pointee, ScalarType) else argument_dtype(call, 1)
        if dtype is None or dtype not in _KINDS[op]:
            raise refuse("TLM310", f"{call.name} does not exist for {dtype or 'this type'}", call.span)
        operands = [scalar(call, index, dtype) for index in range(1, len(call.args))]
        if len(operands) != (2 if op == "cas" else 1):
            raise unknown(call)
        return value(_emit(call, op, call.sink.element(call.args[0]), operands))

    return handler


TABLE: dict[str, Intrinsic] = {
    f"atomic{name}{scope}": _atomic(op) for name, op in _NAMES.items() for scope in ("", "_block", "_system")
}
