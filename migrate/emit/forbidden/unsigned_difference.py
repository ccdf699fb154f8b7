"""A difference of unsigned expressions whose range upstream knows: its simplifier crashes or takes it for exact."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.expressions import text
from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p

CODE = "TLM909"


def find(body: Body) -> Iterator[Finding]:
    """Unsigned differences of anything but variables, parameters, elements and literals."""
    for expr, span in body.expressions():
        if not isinstance(expr, p.Operation) or expr.op != "-" or not expr.dtype.startswith("uint"):
            continue
        if not (_opaque(expr.left) and _opaque(expr.right)):
            yield Finding(text(expr), span)


def _opaque(expr: p.PortExpr) -> bool:
    if isinstance(expr, p.Name):
        return expr.kind in ("var", "param")
    return isinstance(expr, (p.Element, p.Lit))
