"""& | ^ << >>."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.arithmetic import fold_constants
from migrate.rules.lower.context import Lowering, is_unsigned, operation

_SYMBOLS = {"bitand": "&", "bitor": "|", "bitxor": "^", "shl": "<<", "shr": ">>"}


@rule("bit_operations", "a & b, a | b, a ^ b, a << n, a >> n", "h ^ (h >> 16)", "h ^ (h >> T.uint32(16))")
def lower_bit_operation(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """The same operator; the shift distance takes the left operand's dtype, as TileLang wants one dtype."""
    if node.dtype == "bool":
        return _on_flags(node, lowering)
    dtype = lowering.ranges.carrier(node)
    left = lowering.protected(node.left) if node.op == "shr" else lowering.lower(node.left)
    left, right = lowering.coerce(left, dtype), lowering.coerce(lowering.lower(node.right), dtype)
    folded = fold_constants(node.op, left, right, dtype, lowering)
    if folded is not None:
        return folded
    trace_time = left.dtype == p.PYTHON and (right.dtype == p.PYTHON or isinstance(right, p.Lit))
    if node.op == "shr" and is_unsigned(dtype) and isinstance(left, p.Operation):
        left = lowering.hoist(left, "bits")
    return operation(_SYMBOLS[node.op], left, right, p.PYTHON if trace_time else dtype)


def _on_flags(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    left, right = (p.Call("T.cast", (lowering.lower(n), p.Text("int32")), "int32") for n in (node.left, node.right))
    bits = operation(_SYMBOLS[node.op], left, right, "int32")
    return operation("!=", bits, p.Lit(0, "int32"), "bool")
