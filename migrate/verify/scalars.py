"""Scalar parameters as the bytes that C passes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from migrate.ir.kernel import Kernel, PointerParam, ScalarParam
from migrate.verify.dtypes import is_float, numpy_dtype


def scalar_bytes(value: int | float, dtype: str) -> bytes:
    """``value`` as one little-endian element of ``dtype``; integers wrap as a C conversion does."""
    kind = numpy_dtype(dtype)
    if is_float(dtype):
        with np.errstate(over="ignore"):
            return np.asarray(float(value)).astype(kind).tobytes()
    if dtype == "bool":
        return bytes([int(bool(value))])
    return (int(value) & ((1 << (8 * kind.itemsize)) - 1)).to_bytes(kind.itemsize, "little")


def rounded(value: int | float, dtype: str) -> int | float:
    """The value that the kernel will see."""
    element = np.frombuffer(scalar_bytes(value, dtype), dtype=numpy_dtype(dtype))[0]
    return float(element) if is_float(dtype) else int(element)


def pack_scalars(kernel: Kernel, values: Mapping[str, int | float]) -> dict[int, bytes]:
    """Bytes of every C parameter that is passed by value, by position.

    ``values``: by parameter name (struct leaves have names of their own). Leaves that nobody names are zero; so is
    padding. Raises KeyError for a plain scalar without a value.
    """
    packed: dict[int, bytearray] = {}
    objects = texture_positions(kernel)
    for parameter in kernel.params:
        if not isinstance(parameter, ScalarParam) or parameter.position in objects:
            continue
        size = kernel.c_params[parameter.position][1]
        whole = packed.setdefault(parameter.position, bytearray(size))
        value = values[parameter.name] if not parameter.path else values.get(parameter.name, 0)
        raw = scalar_bytes(value, parameter.dtype)
        whole[parameter.byte_offset : parameter.byte_offset + len(raw)] = raw
    return {position: bytes(whole) for position, whole in packed.items()}


def texture_positions(kernel: Kernel) -> frozenset[int]:
    """Positions of texture and surface objects; their extents are no bytes of the C parameter."""
    return frozenset(item.position for item in kernel.params if isinstance(item, PointerParam) and item.texture)


def pointer_in_struct(kernel: Kernel) -> PointerParam | None:
    """The first pointer that is a member of a struct parameter; case files cannot express those."""
    for parameter in kernel.params:
        if isinstance(parameter, PointerParam) and parameter.path:
            return parameter
    return None
