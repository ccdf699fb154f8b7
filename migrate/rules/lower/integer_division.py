"""Integer / and %: C truncates, Python and TileLang's // floor."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.arithmetic import fold_constants
from migrate.rules.lower.context import Lowering, operation
from migrate.rules.lower.literals import literal

_FLOOR = {"truncdiv": "//", "truncmod": "%"}
_TRUNCATING = {"truncdiv": "T.truncdiv", "truncmod": "T.truncmod"}


@rule("integer_division", "a / b, a % b on integers", "a / b", "T.truncdiv(a, b), or a // b where a ≥ 0 and b > 0")
def lower_integer_division(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """`T.truncdiv` and `T.truncmod`; ``//`` and ``%`` where both operands are proven non-negative and so agree."""
    dtype = lowering.ranges.carrier(node)
    left = lowering.coerce(lowering.protected(node.left), dtype)
    right = lowering.coerce(lowering.protected(node.right), dtype)
    folded = fold_constants(node.op, left, right, dtype, lowering)
    if folded is not None:
        return folded
    if lowering.identities.literal(left) == 0 or (
        node.op == "truncmod" and lowering.identities.literal(right) in (1, -1)
    ):
        return literal(0, dtype)  # upstream finds it too and would fold floats with the zero
    if lowering.identities.literal(right) == 0:
        right = lowering.hoist(right, "divisor")  # upstream stops at a constant zero, even where it is never reached
    floor_agrees = lowering.ranges.of(node.left)[0] >= 0 and lowering.ranges.of(node.right)[0] > 0
    if floor_agrees and dtype in ("int32", "int64"):
        trace_time = {left.dtype, right.dtype} == {p.PYTHON} or (
            p.PYTHON in (left.dtype, right.dtype) and (isinstance(left, p.Lit) or isinstance(right, p.Lit))
        )
        return operation(_FLOOR[node.op], left, right, p.PYTHON if trace_time else dtype)
    return p.Call(_TRUNCATING[node.op], (_typed(left), _typed(right)), dtype)


def _typed(expr: p.PortExpr) -> p.PortExpr:
    return p.Call("T.int32", (expr,), "int32") if expr.dtype == p.PYTHON else expr
