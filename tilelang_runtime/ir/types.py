"""dtypes and the type rules of TileLang's expressions (TVM's, not C's).

The rules were read off tilelang 0.1.15 by building every pair of dtypes (tests/runtime/test_type_rules.py repeats that
where the real package is installed).
"""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
SCALARS = ("bool", *INTEGERS, *FLOATS)

ALIASES = {
    "int": "int32",
    "uint": "uint32",
    "long": "int64",
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "half_t": "float16",
    "bfloat16_t": "bfloat16",
    "bool_": "bool",
    "boolean": "bool",
}

_NUMPY: dict[str, np.dtype] = {name: np.dtype(name) for name in SCALARS if name != "bfloat16"}
_NUMPY["bfloat16"] = np.dtype(ml_dtypes.bfloat16)


def is_int(dtype: str) -> bool:
    """Signed or unsigned integer (not bool)."""
    return dtype in INTEGERS


def is_signed(dtype: str) -> bool:
    """Signed integer."""
    return dtype.startswith("int")


def is_unsigned(dtype: str) -> bool:
    """Unsigned integer (not bool)."""
    return dtype.startswith("uint")


def is_float(dtype: str) -> bool:
    """float16, bfloat16, float32 or float64."""
    return dtype in FLOATS


def bits(dtype: str) -> int:
    """Storage width; bool counts 8."""
    return 8 if dtype == "bool" else 16 if dtype == "bfloat16" else int("".join(c for c in dtype if c.isdigit()))


def numpy_dtype(dtype: str) -> np.dtype:
    """The numpy dtype (ml_dtypes for bfloat16). Raises KeyError for a dtype this runtime does not have."""
    return _NUMPY[dtype]


def normalise(dtype: object) -> str:
    """The canonical spelling of a dtype given as a string, T.float32, a Python type or a numpy dtype.

    Raises ValueError for anything this runtime does not have (vector, float8 and sub-byte dtypes).
    """
    if isinstance(dtype, str):
        name = str(dtype)
    elif dtype is float:
        name = "float32"
    elif dtype is int:
        name = "int32"
    elif dtype is bool:
        name = "bool"
    else:
        try:
            name = np.dtype(dtype).name  # type: ignore[call-overload]
        except TypeError:
            name = str(dtype).removeprefix("torch.")
    name = ALIASES.get(name, name)
    if name not in SCALARS:
        raise ValueError(f"dtype {name!r} is not available in this runtime")
    return name


def match(left: str, right: str) -> str:
    """The dtype that both operands of an arithmetic or comparison operator are cast to."""
    if left == right:
        return left
    if left == "bool" or right == "bool":
        return right if left == "bool" else left
    left_float, right_float = is_float(left), is_float(right)
    if left_float and right_float:
        if bits(left) == bits(right):
            return "float16"  # float16 with bfloat16
        return left if bits(left) > bits(right) else right
    if left_float or right_float:
        return left if left_float else right
    if bits(left) != bits(right):
        return left if bits(left) > bits(right) else right
    return left if is_unsigned(left) else right


def literal_dtype(value: int | float | bool) -> str:
    """The dtype of a Python number used as an operand."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return "int32"
        return "int64" if -(2**63) <= value < 2**63 else "uint64"
    return "float32" if abs(value) <= 3.40282347e38 else "float64"


def wrap_int(value: int, dtype: str) -> int:
    """``value`` modulo 2^bits, in the range of the integer dtype."""
    width = bits(dtype)
    value &= (1 << width) - 1
    if is_signed(dtype) and value >> (width - 1):
        value -= 1 << width
    return value


def convert(value: int | float | bool, dtype: str) -> int | float | bool:
    """A Python number converted as `Cast` does: one rounding to floats; saturating truncation from float to integer."""
    if dtype == "bool":
        return bool(value)
    if is_float(dtype):
        if dtype == "float64":
            return float(value)
        with np.errstate(all="ignore"):
            if isinstance(value, int) and dtype == "float32":  # one rounding, not two
                return float(np.float32(np.uint64(value) if value >= 2**63 else np.int64(value)))
            return float(numpy_dtype(dtype).type(value))
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        width = bits(dtype)
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed(dtype) else (0, (1 << width) - 1)
        if math.isinf(value):
            return low if value < 0 else high
        return min(max(math.trunc(value), low), high)
    return wrap_int(int(value), dtype)
