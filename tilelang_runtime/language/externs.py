"""T.call_extern: CUDA device functions by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tilelang_runtime.ir import nodes, operators, types
from tilelang_runtime.ir.functions import ATOMIC_EXTERNS, EXTERNS, FENCES, LANE_REDUCTIONS
from tilelang_runtime.ir.nodes import AddressOf, Atomic, Call, Cast, Expr, Vote
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail
from tilelang_runtime.tracer.builder import require_builder

POINTER_CASTS = {
    "(unsigned long long*)": "uint64",
    "(unsigned long long int*)": "uint64",
    "(unsigned int*)": "uint32",
    "(int*)": "int32",
    "(long long*)": "int64",
    "(float*)": "float32",
    "(double*)": "float64",
}
VALUE_CASTS = {
    "(unsigned long long)": "uint64",
    "(unsigned int)": "uint32",
    "(int)": "int32",
    "(long long)": "int64",
    "(float)": "float32",
    "(double)": "float64",
    "(unsigned)": "uint32",
}


def call_extern(dtype: Any, name: str, *args: Any, **_options: Any) -> Expr | None:
    """A CUDA device function by name. Raises TileLangError naming a function this runtime does not know."""
    for argument in args:
        if isinstance(argument, str):
            raise fail(f"T.call_extern({name!r}): the raw argument {argument!r} is not available in this runtime")
    if name in FENCES:
        require_builder(name).emit(nodes.Fence(LOCATION.span))
        return None
    if name in LANE_REDUCTIONS:
        require_builder(name).require_kernel(name).uses_threads = True
    return extern_call(str(dtype), name, [as_expr(argument) for argument in args])


def extern_call(dtype: str, name: str, operands: Sequence[Expr]) -> Expr:
    """The expression that a call of the device function ``name`` means; ``dtype`` is what the program declares.

    Raises TileLangError for an unknown function, wrong operands, or a result that is not the declared one.
    """
    if name in POINTER_CASTS:
        if len(operands) != 1 or not isinstance(operands[0], AddressOf):
            raise fail(f"{name} needs an address")
        view, element = POINTER_CASTS[name], operands[0].buffer.dtype
        if types.bits(view) != types.bits(element):
            raise fail(f"{name} of an element of {element}: the sizes differ")
        return replace(operands[0], view=view)
    if name in VALUE_CASTS and len(operands) == 1:
        return cast(operands[0], VALUE_CASTS[name])
    base = name.removesuffix("_block").removesuffix("_system") if name.startswith("atomic") else name
    if base in ATOMIC_EXTERNS:
        return _atomic_extern(dtype, name, ATOMIC_EXTERNS[base], operands)
    if name in LANE_REDUCTIONS:
        return _lane_reduction(dtype, name, operands)
    if name in ("__syncthreads", "__syncwarp"):
        raise fail(f"{name} through T.call_extern: use T.sync_threads or T.sync_warp")
    overload = f"{name}(unsigned)" if operands and operands[0].dtype == "uint32" else name
    signature = EXTERNS.get(overload) or EXTERNS.get(name)
    if signature is None:
        raise fail(f"T.call_extern: the device function {name!r} is not known to this runtime")
    if len(operands) != len(signature.operands):
        raise fail(f"{name} takes {len(signature.operands)} arguments, not {len(operands)}")
    result = types.normalise(dtype)
    arguments = tuple(cast(operand, wanted) for operand, wanted in zip(operands, signature.operands, strict=True))
    if signature.name == "reinterpret":
        value: Expr = operators.reinterpret(arguments[0], signature.result)
    elif signature.name.startswith("cast_"):
        value = Cast(arguments[0], signature.result, signature.name.removeprefix("cast_"), LOCATION.span)
    elif signature.name in ("min", "max"):
        value = operators.binary(signature.name, *arguments)
    else:
        value = Call(signature.name, arguments, signature.result, LOCATION.span)
    return cast(value, result)


def _atomic_extern(dtype: str, name: str, op: str, operands: Sequence[Expr]) -> Expr:
    expected = 3 if op == "cas" else 2
    if len(operands) != expected or not isinstance(operands[0], AddressOf):
        raise fail(f"{name} takes an address and {expected - 1} value(s)")
    target = operands[0]
    element = target.view or target.buffer.dtype
    floats = {"add": ("float32", "float64", "float16", "bfloat16"), "exch": ("float32",)}.get(op, ())
    wide = types.is_int(element) and types.bits(element) >= 32
    if not wide and element not in floats and not (op == "cas" and element == "uint16"):
        raise fail(f"{name} does not exist for {element}")
    statement = dtype in ("handle", "void")
    values = tuple(cast(operand, element) for operand in operands[1:])
    atomic = Atomic(op, target.buffer, target.indices, values, element, not statement, LOCATION.span)
    if statement:
        return atomic
    result = types.normalise(dtype)
    if result == element:
        return atomic
    if types.is_int(result) and types.is_int(element) and types.bits(result) == types.bits(element):
        return cast(atomic, result)
    raise fail(f"{name} on {element} gives {element}, not {result}")


def _lane_reduction(dtype: str, name: str, operands: Sequence[Expr]) -> Expr:
    mode = LANE_REDUCTIONS[name]
    dtypes = ("uint32",) if mode.startswith("lanes_bit") else ("int32", "uint32")
    if len(operands) != 2 or operands[0].dtype != "uint32" or operands[1].dtype not in dtypes:
        raise fail(f"{name} takes a uint32 mask and a value of {' or '.join(dtypes)}")
    if types.normalise(dtype) != operands[1].dtype:
        raise fail(f"{name} of {operands[1].dtype} gives {operands[1].dtype}, not {dtype}")
    return Vote(mode, operands[1], operands[0], operands[1].dtype, LOCATION.span)


FUNCTIONS: dict[str, Any] = {"call_extern": call_extern}
