"""What kind of program a launch is: once a block, once a thread, with or without synchronisation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilelang_runtime.ir import nodes
from tilelang_runtime.ir.nodes import Buffer, Expr, Stmt


@dataclass(frozen=True)
class Shape:
    """``per_block``: tile level, the body runs once a block. ``synchronises``: threads need stacks of their own."""

    per_block: bool
    synchronises: bool
    has_tiles: bool

    @staticmethod
    def independent(statement: nodes.ParallelFor) -> bool:
        """Whether no buffer is both written and read: then the rounds may be vectorised without a check."""
        written = {id(_root(b)) for b, write in accesses(statement.body) if write}
        read = {id(_root(b)) for b, write in accesses(statement.body) if not write}
        return not written & read


def _root(buffer: Buffer) -> Buffer:
    while buffer.alias is not None:
        buffer = buffer.alias
    return buffer


def statements(body: list[Stmt]) -> Iterator[Stmt]:
    """Every statement, nested ones included."""
    for statement in body:
        yield statement
        for attribute in ("body", "then", "otherwise", "cond_pre"):
            yield from statements(getattr(statement, attribute, []))


def expressions(statement: Stmt) -> Iterator[Expr]:
    """Every expression of one statement (nested statements excluded)."""
    roots: list[Expr | None] = []
    if isinstance(statement, (nodes.Bind, nodes.Evaluate)):
        roots = [statement.value]
    elif isinstance(statement, nodes.Store):
        roots = [*statement.indices, statement.value]
    elif isinstance(statement, nodes.Allocate):
        roots = [statement.init]
    elif isinstance(statement, (nodes.If, nodes.While, nodes.Assert)):
        roots = [statement.cond]
    elif isinstance(statement, nodes.For):
        roots = [statement.start, statement.stop, statement.step]
    elif isinstance(statement, nodes.ParallelFor):
        roots = list(statement.extents)
    elif isinstance(statement, nodes.Barrier):
        roots = [statement.mask]
    for root in roots:
        if root is not None:
            yield from _walk(root)


def _walk(value: Expr) -> Iterator[Expr]:
    yield value
    for child in nodes.children(value):
        yield from _walk(child)


def accesses(body: list[Stmt]) -> Iterator[tuple[Buffer, bool]]:
    """(buffer, written) of every element access."""
    for statement in statements(body):
        if isinstance(statement, nodes.Store):
            yield statement.buffer, True
        for value in expressions(statement):
            if isinstance(value, nodes.Load):
                yield value.buffer, False
            elif isinstance(value, nodes.Atomic):
                yield value.buffer, True
                yield value.buffer, False


def shows_order(body: list[Stmt]) -> bool:
    """Whether threads might see in which order they run: some shared or global memory is both written and read."""
    written: set[int] = set()
    read: set[int] = set()
    for buffer, write in accesses(body):
        if _root(buffer).scope in ("shared", "global"):
            (written if write else read).add(id(_root(buffer)))
    return bool(written & read)


def classify(launch: nodes.Launch) -> Shape:
    """Looks at the whole body once."""
    tiles = synchronises = threads = launch.uses_threads
    tiles = synchronises = False
    for statement in statements(launch.body):
        if isinstance(statement, (*nodes.TILE_OPS, nodes.ParallelFor)) or (
            isinstance(statement, nodes.Allocate) and statement.buffer.scope == "fragment"
        ):
            tiles = True
        elif isinstance(statement, nodes.Barrier):
            synchronises = True
            threads = threads or statement.kind == "warp"
        elif any(isinstance(value, (nodes.Shuffle, nodes.Vote)) for value in expressions(statement)):
            synchronises = threads = True
    per_block = tiles and not threads
    return Shape(per_block, (synchronises or tiles) and not per_block, tiles)
