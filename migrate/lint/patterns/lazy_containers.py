"""A variable kept in a Python list or tuple and changed before it is read there: the load is kept, not the value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

CODE = "TLM919"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Containers of T.alloc_var names, with a store to one of them between container and use."""
    for node in traced.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, (ast.List, ast.Tuple, ast.Dict)):
            continue
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        values = node.value.values if isinstance(node.value, ast.Dict) else node.value.elts
        held = {n.id: n for n in values if isinstance(n, ast.Name) and _is_variable(n, traced)}
        for name, place in held.items():
            changed = [s for s in _stores(name, traced) if s > node.lineno]
            used = [
                n.lineno
                for n in traced.nodes
                if isinstance(n, ast.Name) and n.id == node.targets[0].id and isinstance(n.ctx, ast.Load)
            ]
            if any(store < use for store in changed for use in used):
                yield (
                    CODE,
                    LintFinding(
                        place, f"`{name}` is changed before the container is read, which then gives the new value"
                    ),
                )


def _is_variable(node: ast.Name, traced: Traced) -> bool:
    symbol = traced.symbols.get(node.id)
    return symbol is not None and symbol.kind == "var"


def _stores(name: str, traced: Traced) -> list[int]:
    stores = [n for n in traced.nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    return [n.lineno for n in stores[1:]]
