"""Evaluation and JSON form of host expressions.

C semantics: arithmetic happens in the operation's dtype, unsigned integers wrap, integer division truncates, casts
convert as C does. What C leaves undefined (signed overflow, division by zero, a float that does not fit) raises
`HostEvalError` instead of giving a number.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot

Number: TypeAlias = "int | float"
JsonExpr: TypeAlias = "int | float | str | list[Any]"

INTEGER_BITS: Mapping[str, tuple[int, bool]] = {
    "bool": (1, False),
    "int8": (8, True),
    "uint8": (8, False),
    "int16": (16, True),
    "uint16": (16, False),
    "int32": (32, True),
    "uint32": (32, False),
    "int64": (64, True),
    "uint64": (64, False),
}
FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


class HostEvalError(ValueError):
    """The expression has no defined value: unknown root, division by zero, signed overflow, a bad operator."""


def is_float(dtype: str) -> bool:
    """Whether ``dtype`` is a floating type."""
    return dtype in FLOATS


def _fit(value: int, dtype: str) -> int:
    """``value`` reduced to an integer dtype; signed overflow raises."""
    bits, signed = INTEGER_BITS[dtype]
    if dtype == "bool":
        return int(value != 0)
    if not signed:
        return value & ((1 << bits) - 1)
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise HostEvalError(f"signed overflow: {value} does not fit {dtype}")
    return value


def _to_float(value: Number, dtype: str) -> float:
    """``value`` in a floating dtype; float32 rounds once, narrower types through float32."""
    result = float(value)
    if dtype != "float64" and math.isfinite(result):
        try:
            result = float(struct.unpack("<f", struct.pack("<f", result))[0])
        except OverflowError:
            result = math.copysign(math.inf, result)
    return result


def convert(value: Number, dtype: str) -> Number:
    """C's conversion of ``value`` to ``dtype``; integers wrap, floats truncate; HostEvalError where C has no value."""
    if dtype in FLOATS:
        return _to_float(value, dtype)
    if dtype not in INTEGER_BITS:
        raise HostEvalError(f"unknown dtype {dtype}")
    bits, signed = INTEGER_BITS[dtype]
    if dtype == "bool":
        return int(value != 0)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise HostEvalError(f"{value} has no integer value")
        return _fit(int(value), dtype) if signed else _require_range(int(value), bits)
    wrapped = value & ((1 << bits) - 1)
    return wrapped - (1 << bits) if signed and wrapped >> (bits - 1) else wrapped


def _require_range(value: int, bits: int) -> int:
    if not 0 <= value < 1 << bits:
        raise HostEvalError(f"float value {value} does not fit an unsigned type of {bits} bits")
    return value


def truncated_division(left: int, right: int) -> int:
    """C's integer division; HostEvalError on zero."""
    if right == 0:
        raise HostEvalError("division by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _integer_operation(op: str, values: Sequence[int], dtype: str) -> int:
    left = values[0]
    right = values[1] if len(values) > 1 else 0
    if op == "add":
        return left + right
    if op == "sub":
        return left - right
    if op == "mul":
        return left * right
    if op in ("truncdiv", "div"):
        return truncated_division(left, right)
    if op == "truncmod":
        return left - truncated_division(left, right) * right
    if op == "neg":
        return -left
    if op == "bitnot":
        return ~left
    if op == "bitand":
        return left & right
    if op == "bitor":
        return left | right
    if op == "bitxor":
        return left ^ right
    if op in ("shl", "shr"):
        if not 0 <= right < INTEGER_BITS[dtype][0]:
            raise HostEvalError(f"shift by {right}")
        return left << right if op == "shl" else left >> right
    raise HostEvalError(f"operator {op} on {dtype}")


def _float_operation(op: str, values: Sequence[float]) -> float:
    left = values[0]
    right = values[1] if len(values) > 1 else 0.0
    try:
        if op == "add":
            return left + right
        if op == "sub":
            return left - right
        if op == "mul":
            return left * right
        if op == "div":
            return left / right
        if op == "neg":
            return -left
        if op == "ceil":
            return float(math.ceil(left))
        if op == "floor":
            return float(math.floor(left))
        if op == "sqrt":
            return math.sqrt(left)
        if op == "log2":
            return math.log2(left)
        if op == "pow":
            return math.pow(left, right)
    except (ZeroDivisionError, OverflowError, ValueError) as error:
        raise HostEvalError(f"{op}: {error}") from error
    raise HostEvalError(f"operator {op} on floats")


def _compare(op: str, left: Number, right: Number) -> int:
    if op == "lt":
        return int(left < right)
    if op == "le":
        return int(left <= right)
    if op == "gt":
        return int(left > right)
    if op == "ge":
        return int(left >= right)
    if op == "eq":
        return int(left == right)
    return int(left != right)


def evaluate(expr: HostExpr, roots: Mapping[str, Number]) -> Number:
    """The value of ``expr`` with ``roots`` by name.

    Integers come back as int, floats as float. Raises `HostEvalError` for an unknown root or an undefined result.
    """
    if isinstance(expr, HostConst):
        return expr.value
    if isinstance(expr, HostRoot):
        if expr.name not in roots:
            raise HostEvalError(f"no value for root {expr.name!r}")
        return roots[expr.name]
    op, args = expr.op, expr.args
    if op == "select":
        return evaluate(args[1] if evaluate(args[0], roots) else args[2], roots)
    if op == "and":
        return int(bool(evaluate(args[0], roots)) and bool(evaluate(args[1], roots)))
    if op == "or":
        return int(bool(evaluate(args[0], roots)) or bool(evaluate(args[1], roots)))
    values = [evaluate(arg, roots) for arg in args]
    if op.startswith("cast:"):
        return convert(values[0], op[len("cast:") :])
    if op == "not":
        return int(not values[0])
    if op in COMPARISONS:
        return _compare(op, values[0], values[1])
    if op in ("min", "max"):
        chosen = min(values) if op == "min" else max(values)
        return convert(chosen, expr.dtype)
    if is_float(expr.dtype):
        floats = [_to_float(value, expr.dtype) for value in values]
        return _to_float(_float_operation(op, floats), expr.dtype)
    if expr.dtype not in INTEGER_BITS:
        raise HostEvalError(f"unknown dtype {expr.dtype}")
    if op in ("shl", "shr"):
        integers = [int(convert(values[0], expr.dtype)), int(values[1])]
    else:
        integers = [int(convert(value, expr.dtype)) for value in values]
    return _fit(_integer_operation(op, integers, expr.dtype), expr.dtype)


def roots_of(expr: HostExpr) -> frozenset[str]:
    """Names of the roots that ``expr`` reads."""
    return frozenset(_walk_roots(expr))


def _walk_roots(expr: HostExpr) -> Iterator[str]:
    if isinstance(expr, HostRoot):
        yield expr.name
    elif isinstance(expr, HostOp):
        for arg in expr.args:
            yield from _walk_roots(arg)


def fold(expr: HostExpr) -> HostExpr:
    """``expr`` with constant subtrees evaluated; subtrees without a defined value stay as they are."""
    if not isinstance(expr, HostOp):
        return expr
    args = tuple(fold(arg) for arg in expr.args)
    if expr.op == "select" and isinstance(args[0], HostConst):
        return args[1] if args[0].value else args[2]
    folded = HostOp(expr.op, args, expr.dtype)
    if all(isinstance(arg, HostConst) for arg in args):
        try:
            return HostConst(evaluate(folded, {}))
        except HostEvalError:
            return folded
    return _simplified(folded)


def _simplified(expr: HostOp) -> HostExpr:
    """Integer identities: times 0, times 1, plus 0."""
    if expr.dtype not in INTEGER_BITS or len(expr.args) != 2:
        return expr
    left, right = expr.args
    for constant, other in ((left, right), (right, left)):
        if not isinstance(constant, HostConst) or isinstance(constant.value, float):
            continue
        if expr.op == "mul" and constant.value == 0:
            return HostConst(0)
        if (expr.op == "mul" and constant.value == 1) or (expr.op == "add" and constant.value == 0):
            return HostOp(f"cast:{expr.dtype}", (other,), expr.dtype)
    return expr


def to_json(expr: HostExpr) -> JsonExpr:
    """JSON form: a number, a root's name, or ``[op, dtype, arg...]``; inf is ``["const", "float64", "inf"]``."""
    if isinstance(expr, HostConst):
        if isinstance(expr.value, float) and not math.isfinite(expr.value):
            return ["const", "float64", str(expr.value)]
        return expr.value
    if isinstance(expr, HostRoot):
        return expr.name
    return [expr.op, expr.dtype, *(to_json(arg) for arg in expr.args)]


def from_json(raw: JsonExpr) -> HostExpr:
    """Inverse of `to_json`; ValueError on a malformed value."""
    if isinstance(raw, bool) or raw is None:
        raise ValueError(f"not a host expression: {raw!r}")
    if isinstance(raw, str):
        return HostRoot(raw)
    if isinstance(raw, int | float):
        return HostConst(raw)
    if len(raw) < 3 or not isinstance(raw[0], str) or not isinstance(raw[1], str):
        raise ValueError(f"not a host expression: {raw!r}")
    if raw[0] == "const":
        return HostConst(float(raw[2]))
    return HostOp(raw[0], tuple(from_json(arg) for arg in raw[2:]), raw[1])


_INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truncdiv": "/",
    "div": "/",
    "truncmod": "%",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "and": "&&",
    "or": "||",
    "shl": "<<",
    "shr": ">>",
    "bitand": "&",
    "bitor": "|",
    "bitxor": "^",
}


def text(expr: HostExpr) -> str:
    """``expr`` as a person reads it; casts to 64-bit integers and back are left out."""
    if isinstance(expr, HostConst):
        return str(expr.value)
    if isinstance(expr, HostRoot):
        return expr.name
    if expr.op.startswith("cast:"):
        inner = text(expr.args[0])
        return inner if expr.op[5:] in INTEGER_BITS else f"{expr.op[5:]}({inner})"
    if expr.op in _INFIX:
        return f"({text(expr.args[0])} {_INFIX[expr.op]} {text(expr.args[1])})"
    if expr.op == "select":
        return f"({text(expr.args[0])} ? {text(expr.args[1])} : {text(expr.args[2])})"
    prefix = {"neg": "-", "not": "!", "bitnot": "~"}.get(expr.op)
    if prefix:
        return f"{prefix}{text(expr.args[0])}"
    return f"{expr.op}({', '.join(text(arg) for arg in expr.args)})"
