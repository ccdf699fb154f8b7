"""The one place in which two port texts differ."""

from __future__ import annotations

import ast


def one_difference(plain: ast.AST, varied: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """The children in which two nodes differ; None where the nodes differ in kind, in a value, or in several children.

    Equal nodes have no difference either: None.
    """
    if type(plain) is not type(varied):
        return None
    differing: list[tuple[ast.AST, ast.AST]] = []
    for name in plain._fields:
        one, other = getattr(plain, name, None), getattr(varied, name, None)
        pairs = [(one, other)]
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return None
            pairs = list(zip(one, other, strict=True))
        for before, after in pairs:
            if isinstance(before, ast.AST) and isinstance(after, ast.AST):
                if ast.dump(before) != ast.dump(after):
                    differing.append((before, after))
            elif before != after:
                return None
    return differing[0] if len(differing) == 1 else None
