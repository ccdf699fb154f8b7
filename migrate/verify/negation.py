"""Whether two port texts differ in nothing but one condition, which one of them negates."""

from __future__ import annotations

import ast

_OPPOSITES = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt}


def differs_by_one_negation(left: str, right: str) -> bool:
    """True if the syntax trees of two Python texts are equal but for one negated condition.

    Also true where the negation was absorbed by swapping the two outcomes of a condition. Comments and layout do not
    count. SyntaxError when a text is no Python.
    """
    return _one_negation(ast.parse(left), ast.parse(right))


def functions_of(text: str) -> dict[str, str]:
    """Top-level functions of a Python text: name → its syntax tree as text."""
    return {node.name: ast.dump(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def _same(left: ast.AST, right: ast.AST) -> bool:
    return ast.dump(left) == ast.dump(right)


def _one_negation(left: ast.AST, right: ast.AST) -> bool:
    if _negates(left, right) or _negates(right, left) or _swapped(left, right):
        return True
    if type(left) is not type(right):
        return False
    differing: list[tuple[ast.AST, ast.AST]] = []
    for name in left._fields:
        one, other = getattr(left, name, None), getattr(right, name, None)
        if isinstance(one, ast.AST) and isinstance(other, ast.AST):
            pairs = [(one, other)]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pairs = list(zip(one, other, strict=True))
        elif one != other:
            return False
        else:
            continue
        for before, after in pairs:
            if not isinstance(before, ast.AST) or not isinstance(after, ast.AST):
                if before != after:
                    return False
            elif not _same(before, after):
                differing.append((before, after))
    return len(differing) == 1 and _one_negation(*differing[0])


def _negates(plain: ast.AST, negated: ast.AST) -> bool:
    """Whether ``negated`` is ``not plain`` or the opposite comparison."""
    if isinstance(negated, ast.UnaryOp) and isinstance(negated.op, ast.Not):
        return _same(negated.operand, plain)
    if isinstance(plain, ast.Compare) and isinstance(negated, ast.Compare):
        if len(plain.ops) != 1 or len(negated.ops) != 1:
            return False
        opposite = _OPPOSITES.get(type(plain.ops[0]))
        return (
            opposite is type(negated.ops[0])
            and _same(plain.left, negated.left)
            and _same(plain.comparators[0], negated.comparators[0])
        )
    return False


def _swapped(left: ast.AST, right: ast.AST) -> bool:
    """The same condition with its two outcomes swapped: ``if_then_else(c, a, b)``, or an if with an else."""
    if isinstance(left, ast.Call) and isinstance(right, ast.Call) and len(left.args) == len(right.args) == 3:
        selects = isinstance(left.func, ast.Attribute) and left.func.attr == "if_then_else"
        (c, a, b), (d, e, f) = left.args, right.args
        return selects and _same(left.func, right.func) and _same(c, d) and _same(a, f) and _same(b, e)
    if isinstance(left, ast.If) and isinstance(right, ast.If) and left.orelse and right.orelse:
        body = [ast.dump(item) for item in left.body], [ast.dump(item) for item in right.body]
        other = [ast.dump(item) for item in left.orelse], [ast.dump(item) for item in right.orelse]
        return _same(left.test, right.test) and body[0] == other[1] and body[1] == other[0]
    return False
