"""Structural identity of PortModule expressions, snapshots seen through.

Upstream inlines snapshots (``x = A[i]``) and then folds expressions that look equal, so equality must be judged on
what a name stands for, not on the name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

    def same(self, left: p.PortExpr, right: p.PortExpr) -> bool:
        """Whether two parts of one expression certainly have one value.

        A load and the snapshot of an earlier one need not: a store may lie between them.
        """
        left, right = self._settled(left), self._settled(right)
        if isinstance(left, p.Name) and isinstance(right, p.Name):
            return left.name == right.name
        if isinstance(left, p.Element) and isinstance(right, p.Element):
            return left.buffer == right.buffer and self._all_same(left.indices, right.indices)
        if isinstance(left, p.Prefix) and isinstance(right, p.Prefix):
            return left.op == right.op and self.same(left.operand, right.operand)
        if isinstance(left, p.Operation) and isinstance(right, p.Operation):
            alike = (left.op, left.dtype) == (right.op, right.dtype)
            return alike and self._all_same((left.left, left.right), (right.left, right.right))
        if isinstance(left, p.Call) and isinstance(right, p.Call):
            alike = left.function == right.function and not left.keywords and not right.keywords
            return alike and self._all_same(left.args, right.args)
        return isinstance(left, (p.Lit, p.Text)) and type(left) is type(right) and self._key(left) == self._key(right)

    def _all_same(self, left: Sequence[p.PortExpr], right: Sequence[p.PortExpr]) -> bool:
        return len(left) == len(right) and all(map(self.same, left, right))

    def _settled(self, expr: p.PortExpr) -> p.PortExpr:
        """What a snapshot stands for, unless that is read from memory or computed by a call."""
        found = self.resolve(expr)
        return found if _is_fixed(found) else expr

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


def _is_fixed(expr: p.PortExpr) -> bool:
    """No load and no call in it: the expression means the same wherever its names do."""
    if isinstance(expr, p.Name):
        return expr.kind != "var"
    if isinstance(expr, p.Prefix):
        return _is_fixed(expr.operand)
    if isinstance(expr, p.Operation):
        return _is_fixed(expr.left) and _is_fixed(expr.right)
    return isinstance(expr, (p.Lit, p.Text))
