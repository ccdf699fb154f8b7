"""Mistakes about whether and when: barriers, guards, comparisons, statements, warp exchanges."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from migrate.mutate.view import BuilderView, Mutation, called, is_barrier

_FLIPPED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
_SHUFFLES = {"shfl_down": "shfl_up", "shfl_up": "shfl_down", "shfl_xor": "shfl_down", "shfl_sync": "shfl_down"}
_MASKED = frozenset({*_SHUFFLES, "ballot_sync", "any_sync", "all_sync", "match_any_sync", "match_all_sync"})
_NO_COMPUTATION = frozenset({"annotate_restrict_buffers", "thread_return"})
_HALF_MASK = "0x0000FFFF"


def dropped_barrier(view: BuilderView) -> Iterator[Mutation]:
    """A barrier left out."""
    for block in view.blocks():
        for statement in block:
            if is_barrier(statement):
                yield view.mutation("dropped_barrier", statement, "pass", "barrier left out")


def moved_barrier(view: BuilderView) -> Iterator[Mutation]:
    """A barrier one statement too early or too late."""
    for block in view.blocks():
        for place, statement in enumerate(block):
            if not is_barrier(statement):
                continue
            for other, note in ((place - 1, "one statement earlier"), (place + 1, "one statement later")):
                if 0 <= other < len(block) and not is_barrier(block[other]):
                    yield _exchanged(view, "moved_barrier", block[min(place, other)], block[max(place, other)], note)


def stale_value(view: BuilderView) -> Iterator[Mutation]:
    """Two neighbouring assignments exchanged where the second reads what the first writes."""
    for block in view.blocks():
        for first, second in pairwise(block):
            target = _assigned(first)
            if target not in view.variables or not isinstance(second, (ast.Assign, ast.Expr)):
                continue
            declares = "alloc_var" in (called(getattr(first, "value", None)), called(second.value))
            if _reads(second, target) and not declares:
                yield _exchanged(view, "stale_value", first, second, f"`{target}` is read before it is updated")


def lost_tail(view: BuilderView) -> Iterator[Mutation]:
    """A guard that is gone: always open, or no early return."""
    for node in view.body():
        if isinstance(node, ast.If) and not node.orelse:
            leaves = all(_leaves(item) for item in node.body)
            text = "False" if leaves else "True"
            yield view.mutation("lost_tail", node.test, text, "no early return" if leaves else "guard always open")
        elif isinstance(node, ast.BoolOp):
            for position, part in enumerate(node.values):
                rest = [view.source(item) for place, item in enumerate(node.values) if place != position]
                word = " and " if isinstance(node.op, ast.And) else " or "
                note = f"without `{view.source(part)}`"
                yield view.mutation("lost_tail", node, f"({word.join(rest)})", note)
        elif called(node) == "if_then_else" and isinstance(node, ast.Call):
            yield view.mutation("lost_tail", node, f"({view.source(node.args[1])})", "selection always first")


def comparison(view: BuilderView) -> Iterator[Mutation]:
    """``<`` for ``<=``, ``==`` for ``!=`` and the like."""
    for node in view.body():
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
            sign = _FLIPPED[type(node.ops[0])]
            left, right = view.source(node.left), view.source(node.comparators[0])
            yield view.mutation("comparison", node, f"{left} {sign} {right}", f"compares by {sign}")


def dropped_statement(view: BuilderView) -> Iterator[Mutation]:
    """An assignment to memory or a variable, an atomic, or a call left out."""
    for block in view.blocks():
        for statement in block:
            if isinstance(statement, ast.Assign):
                target = statement.targets[0]
                stores = isinstance(target, ast.Subscript)
                updates = isinstance(target, ast.Name) and target.id in view.variables
                if (stores or updates) and called(statement.value) != "alloc_var":
                    yield view.mutation("dropped_statement", statement, "pass", "statement left out")
            elif isinstance(statement, ast.Expr) and not is_barrier(statement):
                call = statement.value
                if isinstance(call, ast.Call) and called(call) not in _NO_COMPUTATION:
                    yield view.mutation("dropped_statement", statement, "pass", "statement left out")


def shuffle(view: BuilderView) -> Iterator[Mutation]:
    """A warp exchange in the wrong direction, or with the wrong lane or distance."""
    for node in view.body():
        name = called(node)
        if name not in _SHUFFLES or not isinstance(node, ast.Call):
            continue
        assert isinstance(node.func, ast.Attribute)
        other = _SHUFFLES[name]
        yield view.mutation("shuffle", node.func, f"T.{other}", f"{other} for {name}")
        text = f"({view.source(node.args[1])}) + 1"
        yield view.mutation("shuffle", node.args[1], text, "lane or distance one larger")


def lost_mask(view: BuilderView) -> Iterator[Mutation]:
    """A mask of a warp collective dropped, or only half of the lanes named."""
    for node in view.body():
        name = called(node)
        if name not in _MASKED or not isinstance(node, ast.Call):
            continue
        given = next((keyword for keyword in node.keywords if keyword.arg == "mask"), None)
        if given is not None:
            yield view.mutation("lost_mask", given.value, "0xFFFFFFFF", "all lanes for a mask")
            yield view.mutation("lost_mask", given.value, _HALF_MASK, "half of the lanes for a mask")
        else:
            text = f"{view.source(node)[:-1]}, mask={_HALF_MASK})"
            yield view.mutation("lost_mask", node, text, "half of the lanes for all")


def _exchanged(view: BuilderView, operator: str, first: ast.stmt, second: ast.stmt, note: str) -> Mutation:
    splices = (view.replace(first, view.source(second)), view.replace(second, view.source(first)))
    return Mutation(operator, first.lineno, first.col_offset, note, splices)


def _assigned(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _reads(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load) for part in ast.walk(node)
    )


def _leaves(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Break, ast.Continue)) or (
        isinstance(statement, ast.Expr) and called(statement.value) == "thread_return"
    )
