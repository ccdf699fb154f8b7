"""Conversions with a rounding mode in their name, ``__float2int_rd`` to ``__ull2double_ru``.

A `Cast` with ``rounding`` from a float to an integer saturates, and gives 0 for NaN (the smallest integer, or 2**63,
where a double or a 64-bit integer takes part): docs/semantics.md "Conversions by rounding mode".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from migrate.ir.kernel import Cast, DType
from migrate.parse.build.intrinsics.arguments import scalar, value
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

Rounding = Literal["rn", "rz", "ru", "rd"]
MODES: tuple[Rounding, ...] = ("rn", "rz", "ru", "rd")
_INTEGERS: dict[str, DType] = {
    "int": "int32",
    "uint": "uint32",
    "ll": "int64",
    "ull": "uint64",
    "short": "int16",
    "ushort": "uint16",
    "char": "int8",
    "uchar": "uint8",
}
_FLOATS: dict[str, DType] = {"float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16"}


def rounded(source: DType, target: DType, mode: Rounding) -> Intrinsic:
    """Handler of one conversion."""

    def handler(call: IntrinsicCall) -> Operand:
        return value(Cast(scalar(call, 0, source), target, mode, implicit=False))

    return handler


def _pairs() -> Iterator[tuple[str, Intrinsic]]:
    for (name, float_type), (word, integer), mode in product(_FLOATS.items(), _INTEGERS.items(), MODES):
        yield f"__{name}2{word}_{mode}", rounded(float_type, integer, mode)
        yield f"__{word}2{name}_{mode}", rounded(integer, float_type, mode)
    for mode in MODES:
        yield f"__double2float_{mode}", rounded("float64", "float32", mode)
        for name in ("half", "bfloat16"):
            yield f"__float2{name}_{mode}", rounded("float32", _FLOATS[name], mode)


TABLE: dict[str, Intrinsic] = dict(_pairs())
