"""&&, || and !."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, operation

_SYMBOLS = {"and": "and", "or": "or"}


@rule("logic", "a && b, a || b", "i < n && x[i] > 0", "i < n and x[i] > 0")
def lower_logic(node: k.Binary, lowering: Lowering) -> p.PortExpr:
    """``and`` and ``or`` short-circuit as in C; a right side that needs statements goes into an ``if``."""
    left = lowering.lower(node.left)
    with lowering.suite() as prelude:
        right = lowering.lower(node.right)
    known = lowering.identities.literal(left)
    if known is not None:
        taken = bool(known) == (node.op == "and")
        for statement in prelude if taken else ():
            lowering.emit(statement)
        return right if taken else left
    if not prelude:
        value = lowering.identities.literal(right)
        if value is not None and bool(value) == (node.op == "and"):
            return left
        return operation(_SYMBOLS[node.op], left, right, "bool")
    flag = lowering.hoist(left, "both" if node.op == "and" else "either")
    cond: p.PortExpr = flag if node.op == "and" else p.Prefix("not", flag, "bool")
    lowering.emit(p.PortIf(cond, (*prelude, p.SetVar(flag.name, right))))
    return flag


@rule("logical_not", "!a", "!done", "not done")
def lower_not(node: k.Unary, lowering: Lowering) -> p.PortExpr:
    """``not``; equality turns round, ordered float comparisons inside go through flags."""
    operand = node.operand
    if isinstance(operand, k.Unary) and operand.op == "not":
        return lowering.lower(operand.operand)
    if isinstance(operand, k.Binary) and operand.op in ("eq", "ne"):
        turned = k.Binary("ne" if operand.op == "eq" else "eq", operand.left, operand.right, "bool", operand.span)
        return lowering.lower(turned)
    with lowering.negation():
        value = lowering.lower(operand)
    known = lowering.identities.literal(value)
    return p.Lit(not known, "bool") if known is not None else p.Prefix("not", value, "bool")
