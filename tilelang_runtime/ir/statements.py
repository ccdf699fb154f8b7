"""Statements of the program IR."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tilelang_runtime.ir.expressions import Buffer, Expr, Var
from tilelang_runtime.ir.span import NO_SPAN, Span
from tilelang_runtime.ir.tile_operations import TileOp


@dataclass(eq=False)
class Allocate:
    """A buffer comes into scope. ``init`` (scope var only) is evaluated here; without it the content is undefined
    (the engines fill it with 0xFF bytes)."""

    buffer: Buffer
    init: Expr | None = None
    span: Span = NO_SPAN


@dataclass(eq=False)
class Bind:
    """Evaluates ``value`` once, here."""

    var: Var
    value: Expr
    span: Span = NO_SPAN


@dataclass(eq=False)
class Store:
    """Write of an element; ``value`` has the buffer's dtype."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    value: Expr
    span: Span = NO_SPAN


@dataclass(eq=False)
class Evaluate:
    """An expression for its effect."""

    value: Expr
    span: Span = NO_SPAN


@dataclass(eq=False)
class If:
    """``cond`` is bool."""

    cond: Expr
    then: list[Stmt]
    otherwise: list[Stmt] = field(default_factory=list)
    span: Span = NO_SPAN


LoopKind = Literal["serial", "unroll", "vectorized", "pipelined"]


@dataclass(eq=False)
class For:
    """``var`` takes start, start + step, ... before ``stop`` (after it for a negative step); bounds evaluated once.

    ``step`` has the variable's dtype; zero is an error at run time.
    """

    var: Var
    start: Expr
    stop: Expr
    step: Expr
    kind: LoopKind
    body: list[Stmt]
    span: Span = NO_SPAN


@dataclass(eq=False)
class ParallelFor:
    """T.Parallel: independent iterations over a box from 0, spread over the block's threads."""

    variables: tuple[Var, ...]
    extents: tuple[Expr, ...]
    body: list[Stmt]
    span: Span = NO_SPAN


@dataclass(eq=False)
class While:
    """``cond`` is evaluated before every round. ``cond_pre`` runs before each evaluation (usually empty)."""

    cond: Expr
    body: list[Stmt]
    cond_pre: list[Stmt] = field(default_factory=list)
    span: Span = NO_SPAN


@dataclass(eq=False)
class Break:
    """Leaves the innermost For or While."""

    span: Span = NO_SPAN


@dataclass(eq=False)
class Continue:
    """Next round of the innermost For or While."""

    span: Span = NO_SPAN


@dataclass(eq=False)
class ThreadReturn:
    """This thread is done with the kernel; it no longer counts at barriers."""

    span: Span = NO_SPAN


@dataclass(eq=False)
class Barrier:
    """``block``: T.sync_threads; ``warp``: T.sync_warp(mask)."""

    kind: Literal["block", "warp"]
    mask: Expr | None = None
    span: Span = NO_SPAN


@dataclass(eq=False)
class Fence:
    """A memory fence: order only, nothing to do in the ordered schedule."""

    span: Span = NO_SPAN


@dataclass(eq=False)
class Assert:
    """T.device_assert: an error of the run when ``cond`` is false."""

    cond: Expr
    message: str
    span: Span = NO_SPAN


@dataclass(eq=False)
class Print:
    """T.print of scalars (kept; printed by the reference engine, dropped by native)."""

    values: tuple[Expr, ...]
    message: str
    span: Span = NO_SPAN


Stmt: TypeAlias = (
    "Allocate | Bind | Store | Evaluate | If | For | ParallelFor | While | Break | Continue | ThreadReturn | Barrier"
    " | Fence | Assert | Print | TileOp"
)
