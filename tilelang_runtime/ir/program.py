"""A whole program: launches of kernels and what its function takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tilelang_runtime.ir.expressions import Buffer, Expr, Var
from tilelang_runtime.ir.span import NO_SPAN, Span
from tilelang_runtime.ir.statements import Stmt


@dataclass(eq=False)
class Launch:
    """One kernel: block and thread indices are int32 `Var`s (x, y, z; unused ones present)."""

    grid: tuple[Expr, ...]  # one to three, any integer dtype; zero: nothing happens
    threads: tuple[int, int, int]
    blocks: tuple[Var, Var, Var]
    thread_vars: tuple[Var, Var, Var]
    body: list[Stmt]
    uses_threads: bool = False  # some thread index is read
    span: Span = NO_SPAN


@dataclass(eq=False)
class Program:
    """A prim_func. ``params`` in call order: global `Buffer`s and scalar `Var`s.

    ``symbols``: dynamic sizes and strides, solved from the arguments' shapes. ``setup`` runs once on the host before
    the launches (binds between kernels). ``attributes``: annotations (names of upstream attributes).
    """

    name: str
    params: tuple[Buffer | Var, ...]
    symbols: tuple[Var, ...]
    launches: list[Launch]
    attributes: dict[str, Any] = field(default_factory=dict)
    span: Span = NO_SPAN
