"""Statements of a KernelModule. See `migrate.ir.kernel`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from migrate.ir.kernel_expressions import Buffer, Expr, LocalVar
from migrate.ir.span import Span


@dataclass(frozen=True)
class Declare:
    """A local scalar comes into scope; ``init`` None leaves it undefined."""

    var: LocalVar
    init: Expr | None
    span: Span | None = None


@dataclass(frozen=True)
class DeclareArray:
    """A per-thread array comes into scope, undefined unless ``init`` lists row-major leaves (shorter: rest zero)."""

    buffer: Buffer
    init: tuple[Expr, ...] | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Assign:
    """Write of a mutable local."""

    var: LocalVar
    value: Expr
    span: Span | None = None


@dataclass(frozen=True)
class Store:
    """Write of a buffer element; ``value`` has the buffer's dtype.

    ``volatile``: through a volatile lvalue into shared memory (warp-synchronous code).
    """

    buffer: Buffer
    indices: tuple[Expr, ...]
    value: Expr
    span: Span | None = None
    volatile: bool = False


@dataclass(frozen=True)
class If:
    """``cond`` is bool."""

    cond: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class Loop:
    """for, while, do-while. Order of a for: init; { cond_pre; if !cond break; body; continue-target: step }.

    ``cond_pre`` holds statements that the condition needs (linearised side effects); usually empty.
    ``cond`` None means true. A ``do`` runs body first, then ``cond_pre`` and ``cond`` (continue goes there).
    ``unroll``: None, or the pragma's factor (0: full).
    """

    kind: Literal["for", "while", "do"]
    init: tuple[Stmt, ...]
    cond_pre: tuple[Stmt, ...]
    cond: Expr | None
    step: tuple[Stmt, ...]
    body: tuple[Stmt, ...]
    unroll: int | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Break:
    """Leaves the innermost `Loop`."""

    span: Span | None = None


@dataclass(frozen=True)
class Continue:
    """Next round of the innermost `Loop`."""

    span: Span | None = None


@dataclass(frozen=True)
class Return:
    """In a kernel: this thread is done. In a `Function`: leaves it with ``value``."""

    value: Expr | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Barrier:
    """``block`` is __syncthreads, ``warp`` is __syncwarp(mask)."""

    kind: Literal["block", "warp"]
    mask: Expr | None = None
    span: Span | None = None


@dataclass(frozen=True)
class SyncReduce:
    """__syncthreads_count / _and / _or; result int32."""

    result: LocalVar
    op: Literal["count", "and", "or"]
    predicate: Expr
    span: Span | None = None


@dataclass(frozen=True)
class Shuffle:
    """__shfl*_sync. ``operand`` is the source lane (idx) or the delta; ``result`` is declared before."""

    result: LocalVar
    mode: Literal["idx", "up", "down", "xor"]
    value: Expr
    operand: Expr
    width: Expr
    mask: Expr
    span: Span | None = None


@dataclass(frozen=True)
class Vote:
    """ballot (uint32), any, all (int32), activemask, match_any, match_all (uint32), reduce_* ( __reduce_add_sync ...).

    ``value`` is bool for ballot, any and all; an integer of 32 or 64 bits for match_* (floats are bit-cast before);
    int32 or uint32 like the result for reduce_*.
    """

    result: LocalVar
    mode: Literal[
        "ballot",
        "any",
        "all",
        "activemask",
        "match_any",
        "match_all",
        "reduce_add",
        "reduce_min",
        "reduce_max",
        "reduce_and",
        "reduce_or",
        "reduce_xor",
    ]
    value: Expr | None
    mask: Expr | None
    span: Span | None = None


@dataclass(frozen=True)
class Atomic:
    """Read-modify-write; ``result`` (the old value) None when the source drops it. cas: operands (compare, value).

    Operands and result have one dtype, the type of the operation. It is the buffer's, except where the source punned
    the pointer (``atomicCAS((unsigned*)&x, ...)`` on floats): then it has the same size and works on the bits.
    """

    result: LocalVar | None
    op: Literal["add", "sub", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"]
    buffer: Buffer
    indices: tuple[Expr, ...]
    operands: tuple[Expr, ...]
    span: Span | None = None


@dataclass(frozen=True)
class Fence:
    """__threadfence*, memory order only."""

    kind: Literal["block", "device", "system"]
    span: Span | None = None


@dataclass(frozen=True)
class RefArg:
    """A local scalar passed by reference."""

    var: LocalVar


@dataclass(frozen=True)
class BufferArg:
    """A buffer passed by pointer, with the int64 element offset that the callee's accesses start from."""

    buffer: Buffer
    offset: Expr


@dataclass(frozen=True)
class CallFunction:
    """Call of a device `Function` that is kept as a function (everything else the builder inlines)."""

    result: LocalVar | None
    function: str
    args: tuple[Expr | RefArg | BufferArg, ...]
    span: Span | None = None


@dataclass(frozen=True)
class Comment:
    """A source comment on a line of its own, kept for the port."""

    text: str
    span: Span | None = None


Stmt: TypeAlias = (
    "Declare | DeclareArray | Assign | Store | If | Loop | Break | Continue | Return | Barrier | SyncReduce | Shuffle"
    " | Vote | Atomic | Fence | CallFunction | Comment"
)
