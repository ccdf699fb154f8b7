"""cond ? a : b."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering


@rule("selects", "cond ? a : b", "i < n ? x[i] : 0.f", "T.if_then_else(i < n, x[i], T.float32(0.0))")
def lower_select(node: k.Select, lowering: Lowering) -> p.PortExpr:
    """`T.if_then_else` evaluates only the side taken; sides that need statements become an ``if`` on a variable."""
    dtype = lowering.ranges.carrier(node)
    with lowering.condition_scope():
        cond = lowering.lower(node.cond)
        known = lowering.identities.literal(cond)
        if known is not None:
            return lowering.lower_as(node.then if known else node.otherwise, dtype)
        with lowering.suite() as before_then:
            then = _typed(lowering.lower_as(node.then, dtype))
        with lowering.suite() as before_else:
            otherwise = _typed(lowering.lower_as(node.otherwise, dtype))
    same = lowering.identities.same(then, otherwise)
    if not before_then and not before_else and same:
        return then
    if not before_then and not before_else:
        return p.Call("T.if_then_else", (cond, then, otherwise), dtype)
    name = lowering.names.claim("chosen")
    lowering.emit(p.AllocVar(name, dtype))
    then_suite, else_suite = (*before_then, p.SetVar(name, then)), (*before_else, p.SetVar(name, otherwise))
    lowering.emit(p.PortIf(cond, then_suite, else_suite))
    return p.Name(name, dtype, "var")


def _typed(expr: p.PortExpr) -> p.PortExpr:
    if isinstance(expr, p.Lit):
        return p.Lit(expr.value, expr.dtype, explicit=True)
    return p.Call("T.int32", (expr,), "int32") if expr.dtype == p.PYTHON else expr
