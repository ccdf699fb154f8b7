"""Literals: the value of a C constant as TileLang spells it, and folding of operations on two constants."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

from migrate.analysis.ranges import is_float, type_range
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering

_FLOATS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32, "float64": np.float64}


def literal(value: float | bool, dtype: str) -> p.Lit:
    """A literal node of ``dtype``; int32 needs no constructor."""
    if dtype == "bool":
        return p.Lit(bool(value), dtype, explicit=False)
    if is_float(dtype):
        return p.Lit(float(value), dtype, explicit=True)
    return p.Lit(int(value), dtype, explicit=dtype != "int32")


def convert(value: float | bool, dtype: str) -> p.Lit | None:
    """The literal that C's conversion of ``value`` to ``dtype`` gives; None where C leaves it open."""
    if dtype == "bool":
        return literal(value != 0, dtype)
    if is_float(dtype):
        with np.errstate(all="ignore"):
            return literal(float(_FLOATS[dtype](value)), dtype)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    low, high = type_range(dtype)
    whole = int(value)
    if isinstance(value, float) and not low <= whole <= high:
        return None
    return literal((whole - low) % (high - low + 1) + low, dtype)


def fold(op: str, left: float | bool, right: float | bool, dtype: str) -> p.Lit | None:
    """``left op right`` computed in ``dtype`` with one rounding (upstream would fold in double); None if undefined."""
    if is_float(dtype):
        with np.errstate(all="ignore"):
            a, b = np.float64(left), np.float64(right)
            if dtype == "float64":
                result = {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}.get(op)
            else:  # exact through double: 53 >= 2 * 24 + 2 bits
                result = {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}.get(op)
            return None if result is None else literal(float(_FLOATS[dtype](result)), dtype)
    a, b = int(left), int(right)
    if op in ("truncdiv", "truncmod"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return convert(quotient if op == "truncdiv" else a - quotient * b, dtype)
    if op in ("shl", "shr"):
        if not 0 <= b < type_range(dtype)[1].bit_length() + 1:
            return None
        return convert(a << b if op == "shl" else a >> b, dtype)
    results = {"add": a + b, "sub": a - b, "mul": a * b, "bitand": a & b, "bitor": a | b, "bitxor": a ^ b}
    return convert(results[op], dtype) if op in results else None


@rule("literals", "number literals", "0.5f, 7u, INFINITY", 'T.float32(0.5), T.uint32(7), T.infinity("float32")')
def lower_constant(node: k.Const, lowering: Lowering) -> p.PortExpr:
    """A constant becomes a literal of its carrier's dtype; an operator beside it may drop the constructor."""
    return literal(node.value, lowering.ranges.carrier(node))
