"""Math functions of constants: said as the number that they give.

Upstream folds these calls when it builds them, and then folds float operations with the result (x * trunc(0.1) becomes
0, also where x is infinite): whoever lowers the operation must know that an operand is a constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from migrate.ir import port as p
from migrate.rules.lower.literals import convert

Number = float | int | bool


def _keeping_sign(function: Callable[[float], float]) -> Callable[[float], float]:
    """``function`` on floats as C has it: infinities and NaN stay, and a zero keeps the operand's sign."""
    return lambda x: math.copysign(function(x), x) if math.isfinite(x) else x


def _larger(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return (a if math.copysign(1, b) < 0 else b) if a == b else max(a, b)


def _leading_zeros(bits: int) -> Callable[[int], int]:
    return lambda x: bits - (x % (1 << bits)).bit_length()


_EXACT: Final[Mapping[str, Callable[..., Number]]] = {
    "floor": _keeping_sign(math.floor),
    "ceil": _keeping_sign(math.ceil),
    "trunc": _keeping_sign(math.trunc),
    "rint": _keeping_sign(round),
    "fabs": abs,
    "fmax": _larger,
    "fmin": lambda a, b: -_larger(-a, -b),
}
_BY_NAME: Final[Mapping[str, Callable[..., Number]]] = {
    **{name + suffix: function for name, function in _EXACT.items() for suffix in ("", "f")},
    **{f"isnan{suffix}": math.isnan for suffix in ("", "f")},
    **{f"isinf{suffix}": math.isinf for suffix in ("", "f")},
    **{f"isfinite{suffix}": math.isfinite for suffix in ("", "f")},
    "min": min,
    "max": max,
    "abs_int32": abs,
    "abs_int64": abs,
    "__popc": lambda x: (x % (1 << 32)).bit_count(),
    "__popcll": lambda x: (x % (1 << 64)).bit_count(),
    "__clz": _leading_zeros(32),
    "__clzll": _leading_zeros(64),
    "__ffs": lambda x: (x & -x).bit_length(),
}


def fold_call(name: str, operands: Sequence[Number | None], dtype: str) -> p.Lit | None:
    """``name`` of these constants as a literal of ``dtype``; None where one is unknown or it stays a call.

    ``name``: canonical, or ``min`` and ``max`` of integers. All functions here are exact in every float type, so that
    double precision serves for each.
    """
    function = _BY_NAME.get(name)
    if function is None or any(value is None for value in operands):
        return None
    return convert(function(*operands), dtype)
