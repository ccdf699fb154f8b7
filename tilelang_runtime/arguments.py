"""Call arguments: arrays and scalars checked against a program's parameters, dynamic sizes solved."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Program, Var


@dataclass(frozen=True)
class Scalar:
    """A scalar argument in its parameter's dtype."""

    scalar: Any
    dtype: np.dtype


@dataclass(frozen=True)
class BoundArguments:
    """Arrays (views of the caller's memory) and scalars in parameter order, and the values of the dynamic sizes."""

    values: tuple[np.ndarray | Scalar, ...]
    symbols: tuple[int, ...]


def as_array(value: Any, name: str) -> np.ndarray:
    """A numpy view of an array-like that shares its memory. Raises TypeError."""
    if isinstance(value, np.ndarray):
        return value
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.device.type != "cpu":
            raise TypeError(f"argument `{name}`: the bundled runtime runs on the CPU, the tensor is on {value.device}")
        if value.dtype == torch.bfloat16:
            return np.asarray(value.detach().view(torch.int16)).view(types.numpy_dtype("bfloat16"))
        return np.asarray(value.detach())
    if hasattr(value, "__array_interface__"):
        return np.asarray(value)
    if hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    raise TypeError(f"argument `{name}`: an array is needed, not {type(value).__name__}")


def bind(program: Program, arguments: tuple[Any, ...]) -> BoundArguments:
    """Checks dtypes, ranks, extents and strides as upstream's host code does. Raises TypeError or ValueError."""
    if len(arguments) != len(program.params):
        names = ", ".join(parameter.name for parameter in program.params)
        raise TypeError(f"{program.name} takes {len(program.params)} arguments ({names}), not {len(arguments)}")
    values: list[np.ndarray | Scalar] = []
    scalars: dict[Var, Any] = {}
    for parameter, argument in zip(program.params, arguments, strict=True):
        if isinstance(parameter, Buffer):
            array = as_array(argument, parameter.name)
            wanted = types.numpy_dtype(parameter.dtype)
            if array.dtype != wanted:
                raise TypeError(f"argument `{parameter.name}` must be {parameter.dtype}, not {array.dtype}")
            if array.ndim != len(parameter.shape):
                raise ValueError(
                    f"argument `{parameter.name}` must have {len(parameter.shape)} dimensions, not {array.ndim}"
                )
            values.append(array)
        else:
            number = argument.item() if hasattr(argument, "item") else argument
            if not isinstance(number, (bool, int, float)):
                raise TypeError(f"argument `{parameter.name}` must be a number, not {type(argument).__name__}")
            scalar = _scalar(number, parameter)
            scalars[parameter] = scalar.scalar
            values.append(scalar)
    known = _solve(program, values)
    _check_extents(program, values, {**known, **scalars})
    missing = [symbol.name for symbol in program.symbols if symbol not in known]
    if missing:
        raise ValueError(f"the size `{missing[0]}` cannot be told from the arguments' shapes")
    return BoundArguments(tuple(values), tuple(known[symbol] for symbol in program.symbols))


def _scalar(number: bool | int | float, parameter: Var) -> Scalar:
    dtype = types.numpy_dtype(parameter.dtype)
    if types.is_int(parameter.dtype):
        if isinstance(number, float):
            raise TypeError(f"argument `{parameter.name}` must be an integer")
        width = types.bits(parameter.dtype)
        low, high = (
            (-(1 << (width - 1)), (1 << (width - 1)) - 1) if types.is_signed(parameter.dtype) else (0, (1 << width) - 1)
        )
        if not low <= int(number) <= high:
            raise ValueError(f"argument `{parameter.name}`: {number} does not fit {parameter.dtype}")
    return Scalar(types.convert(number, parameter.dtype), dtype)


def _solve(program: Program, values: list[Any]) -> dict[Var, int]:
    known: dict[Var, int] = {}
    for parameter, array in zip(program.params, values, strict=True):
        if not isinstance(parameter, Buffer):
            continue
        pairs = list(zip(parameter.shape, array.shape, strict=True))
        if parameter.strides is not None:
            pairs += zip(parameter.strides, _element_strides(array, parameter.name), strict=True)
        for part, size in pairs:
            if isinstance(part, Var) and part not in known:
                if part.dtype == "int32" and size >= 2**31:
                    raise ValueError(f"argument `{parameter.name}`: the extent {size} does not fit int32")
                known[part] = int(size)
    return known


def _element_strides(array: np.ndarray, name: str) -> tuple[int, ...]:
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError(f"argument `{name}`: strides are not multiples of the element size")
    return tuple(stride // array.itemsize for stride in array.strides)


def _check_extents(program: Program, values: list[Any], known: dict[Var, Any]) -> None:
    for parameter, array in zip(program.params, values, strict=True):
        if not isinstance(parameter, Buffer):
            continue
        for axis, (part, size) in enumerate(zip(parameter.shape, array.shape, strict=True)):
            wanted = evaluate_size(part, known)
            if wanted != size:
                raise ValueError(f"argument `{parameter.name}`: extent {axis} must be {wanted}, not {size}")
        if parameter.strides is None:
            if array.size and not array.flags.c_contiguous:
                raise ValueError(f"argument `{parameter.name}` must be contiguous (T.StridedTensor takes strides)")
            continue
        strides = _element_strides(array, parameter.name)
        for part, stride, size in zip(parameter.strides, strides, array.shape, strict=True):
            wanted = evaluate_size(part, known)
            if wanted != stride and size > 1:
                raise ValueError(f"argument `{parameter.name}`: stride must be {wanted}, not {stride}")


def evaluate_size(part: Expr | int, known: dict[Var, Any]) -> int:
    """A shape expression over known sizes. Raises ValueError for anything else."""
    if isinstance(part, int):
        return part
    if isinstance(part, Const):
        return int(part.value)
    if isinstance(part, Var) and part in known:
        return int(known[part])
    if isinstance(part, nodes.Cast):
        return evaluate_size(part.operand, known)
    if isinstance(part, nodes.Binary):
        left, right = evaluate_size(part.left, known), evaluate_size(part.right, known)
        if part.op in ("floordiv", "floormod", "truncdiv", "truncmod"):
            if right == 0:
                raise ValueError("a shape divides by zero")
            if part.op.startswith("trunc") and (left < 0) != (right < 0):
                raise ValueError("a negative shape")
            return left // right if part.op.endswith("div") else left % right
        operations = {
            "add": left + right,
            "sub": left - right,
            "mul": left * right,
            "min": min(left, right),
            "max": max(left, right),
        }
        if part.op in operations:
            return operations[part.op]
    raise ValueError("a shape expression that cannot be evaluated")
