"""Structural identity of PortModule expressions, snapshots seen through.

Upstream inlines snapshots (``x = A[i]``) and then folds expressions that look equal, so equality must be judged on
what a name stands for, not on the name.
"""

from __future__ import annotations

from collections.abc import Mapping

from migrate.ir import port as p


class Identities:
    """Gives equal expressions equal numbers. ``definitions``: what each snapshot name stands for."""

    def __init__(self, definitions: Mapping[str, p.PortExpr]):
        self._definitions = definitions
        self._names: dict[str, int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}

    def number(self, expr: p.PortExpr) -> int:
        """The identity of ``expr`` (loads of one element are equal whatever was stored between them)."""
        if isinstance(expr, p.Name) and expr.name in self._names:
            return self._names[expr.name]
        key = self._key(expr)
        found = self._numbers.setdefault(key, len(self._numbers))
        if isinstance(expr, p.Name) and expr.kind == "bind" and expr.name in self._definitions:
            self._names[expr.name] = found
        return found

    def resolve(self, expr: p.PortExpr) -> p.PortExpr:
        """What a snapshot stands for; other expressions unchanged."""
        while isinstance(expr, p.Name) and expr.kind == "bind" and expr.name in self._definitions:
            expr = self._definitions[expr.name]
        return expr

    def literal(self, expr: p.PortExpr) -> int | float | bool | None:
        """The number that ``expr`` certainly is, or None."""
        found = self.resolve(expr)
        return found.value if isinstance(found, p.Lit) else None

    def _key(self, expr: p.PortExpr) -> tuple[object, ...]:
        expr = self.resolve(expr)
        if isinstance(expr, p.Lit):
            return ("lit", expr.dtype, repr(expr.value))
        if isinstance(expr, p.Text):
            return ("text", expr.value)
        if isinstance(expr, p.Name):
            return ("name", expr.name)
        if isinstance(expr, p.Element):
            return ("element", expr.buffer, *(self.number(index) for index in expr.indices))
        if isinstance(expr, p.Prefix):
            return ("prefix", expr.op, self.number(expr.operand))
        if isinstance(expr, p.Operation):
            sides = [self.number(expr.left), self.number(expr.right)]
            op = expr.op
            if op in (">", ">="):
                op, sides = {">": "<", ">=": "<="}[op], sides[::-1]
            if op in ("+", "*", "==", "!="):
                sides.sort()
            return ("operation", op, expr.dtype, *sides)
        keywords = tuple((name, self.number(value)) for name, value in expr.keywords)
        return ("call", expr.function, *(self.number(argument) for argument in expr.args), keywords)
