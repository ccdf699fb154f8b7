"""Value conversions."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, is_float, is_integer, operation
from migrate.rules.lower.literals import convert, literal

_LETTERS = {"float32": "float", "float64": "double", "int32": "int", "uint32": "uint", "int64": "ll", "uint64": "ull"}


@rule("casts", "(int)x, (float)i, implicit conversions", "(float)i", 'T.cast(i, "float32")', ("TLM350",))
def lower_cast(node: k.Cast, lowering: Lowering) -> p.PortExpr:
    """`T.cast`, dropped where the value is already carried in the wanted dtype; constants are converted here."""
    if is_integer(node.dtype) and (is_integer(node.operand.dtype) or node.operand.dtype == "bool"):
        return _between_integers(node, lowering)
    operand = lowering.lower(node.operand)
    value = lowering.identities.literal(operand)
    if value is not None and (node.rounding is None or node.rounding == "rn"):
        converted = convert(value, node.dtype)
        if converted is not None and not (node.rounding == "rn" and is_integer(node.dtype)):
            return converted
    if node.dtype == "bool":
        if operand.dtype == "bool":
            return operand
        zero = literal(0, operand.dtype if operand.dtype != p.PYTHON else "int32")
        return operation("!=", _typed(operand), zero, "bool")
    if is_float(node.operand.dtype) and is_integer(node.dtype):
        return _float_to_integer(node, operand, lowering)
    if node.rounding not in (None, "rn"):
        raise refuse("TLM350", f"conversion to {node.dtype} rounding {node.rounding} has no TileLang form", node.span)
    if node.operand.dtype == "float64" and node.dtype in ("float16", "bfloat16"):
        raise refuse("TLM351", f"upstream rounds float64 to {node.dtype} twice", node.span)
    return lowering.coerce(operand, node.dtype)


def _between_integers(node: k.Cast, lowering: Lowering) -> p.PortExpr:
    dtype = lowering.ranges.carrier(node)
    if node.dtype == "int32" and node.operand.dtype == "uint32" and lowering.ranges.ring_int32(node.operand):
        return _in_int32(node.operand, lowering)
    narrowing_matters = node.dtype not in ("int32", "uint32", "int64", "uint64") or _bits(node.dtype) > _bits(
        node.operand.dtype
    )
    operand = lowering.protected(node.operand) if narrowing_matters else lowering.lower(node.operand)
    value = lowering.identities.literal(operand)
    if value is not None:
        converted = convert(value, node.dtype)
        if converted is not None:
            return lowering.coerce(converted, dtype)
    return lowering.coerce(operand, dtype)


def _in_int32(node: k.Expr, lowering: Lowering) -> p.PortExpr:
    """A uint32 sum or product of which C only keeps the int32 value."""
    if lowering.ranges.carrier(node) == "int32":
        return lowering.lower_as(node, "int32")
    if isinstance(node, k.Cast):
        return lowering.lower_as(node.operand, "int32")
    assert isinstance(node, k.Binary)
    left, right = _in_int32(node.left, lowering), _in_int32(node.right, lowering)
    trace_time = left.dtype == p.PYTHON and right.dtype == p.PYTHON
    symbol = {"add": "+", "sub": "-", "mul": "*"}[node.op]
    return operation(symbol, left, right, p.PYTHON if trace_time else "int32")


def _float_to_integer(node: k.Cast, operand: p.PortExpr, lowering: Lowering) -> p.PortExpr:
    """C truncates; the forms with a rounding mode saturate, so they are CUDA's own functions by name."""
    if node.rounding is not None:
        if operand.dtype not in ("float32", "float64"):
            operand = lowering.coerce(operand, "float32")
        if node.dtype not in _LETTERS:
            raise refuse(
                "TLM350", f"conversion to {node.dtype} rounding {node.rounding} has no CUDA function", node.span
            )
        name = f"__{_LETTERS[operand.dtype]}2{_LETTERS[node.dtype]}_{node.rounding}"
        return p.Call("T.call_extern", (p.Text(node.dtype), p.Text(name), operand), node.dtype)
    return p.Call("T.cast", (operand, p.Text(node.dtype)), node.dtype)


def _typed(expr: p.PortExpr) -> p.PortExpr:
    return p.Call("T.int32", (expr,), "int32") if expr.dtype == p.PYTHON else expr


def _bits(dtype: str) -> int:
    return 8 if dtype == "bool" else int(dtype.lstrip("uint"))


@rule("bit_casts", "__float_as_int(x), punned loads", "__float_as_int(x)", 'T.reinterpret(x, "int32")')
def lower_bitcast(node: k.Bitcast, lowering: Lowering) -> p.PortExpr:
    """`T.reinterpret`: same bits, other dtype."""
    operand = lowering.exact(node.operand)
    if operand.dtype == node.dtype:
        return operand
    if isinstance(operand, (p.Operation, p.Lit)):
        operand = lowering.hoist(operand, "bits")
    return p.Call("T.reinterpret", (operand, p.Text(node.dtype)), node.dtype)
