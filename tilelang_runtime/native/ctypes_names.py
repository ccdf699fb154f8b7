"""C++ spellings of dtypes and constants."""

from __future__ import annotations

import math

from tilelang_runtime.ir import types
from tilelang_runtime.ir.nodes import Const

VALUE = {
    "bool": "bool",
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float16": "f32",
    "bfloat16": "f32",
    "float32": "f32",
    "float64": "f64",
}
"""The type of a value in an expression: 16-bit floats are floats that are representable."""

MEMORY = {**VALUE, "bool": "b8", "float16": "f16", "bfloat16": "bf16"}
"""The type of an element in memory."""

SIZE = {dtype: types.bits(dtype) // 8 for dtype in types.SCALARS}


def literal(constant: Const) -> str:
    """The C++ text of a constant, exact."""
    dtype, value = constant.dtype, constant.value
    if dtype == "bool":
        return "true" if value else "false"
    if types.is_float(dtype):
        single = dtype != "float64"
        number = float(value)
        if math.isnan(number):
            return '__builtin_nanf("")' if single else '__builtin_nan("")'
        if math.isinf(number):
            text = "__builtin_inff()" if single else "__builtin_inf()"
            return f"(-{text})" if number < 0 else text
        text = number.hex() + ("f" if single else "")
        return f"({text})"
    number = int(value)
    if dtype == "int64":
        return f"(-{-number - 1}ll - 1)" if number < 0 else f"{number}ll"
    if dtype == "int32":
        return f"(-{-number - 1} - 1)" if number < 0 else str(number)
    if dtype == "uint32":
        return f"{number}u"
    if dtype == "uint64":
        return f"{number}ull"
    return f"(({VALUE[dtype]}){number})"
