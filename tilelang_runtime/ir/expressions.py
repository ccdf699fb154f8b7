"""Expressions of the program IR and the buffers that they read.

dtypes are plain strings: bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64;
``handle`` for a statement-like call. Building nodes directly applies no type rules and no trap checks: those are in
`tilelang_runtime.ir.operators`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tilelang_runtime.ir.span import NO_SPAN, Span

Scope = Literal["global", "shared", "local", "var", "fragment"]
"""global: an argument or workspace; shared: one a block; local: an array a thread; var: a scalar a thread (no
indices); fragment: one a block, distributed by upstream over its threads."""


@dataclass(eq=False)
class Buffer:
    """A memory root. ``shape`` and ``strides`` (elements; None: row-major) may hold expressions for global buffers."""

    name: str
    dtype: str
    scope: Scope
    shape: tuple[Expr | int, ...]
    strides: tuple[Expr | int, ...] | None = None
    dynamic: bool = False  # shared memory requested at launch (scope="shared.dyn")
    span: Span = NO_SPAN
    alias: Buffer | None = None  # the buffer whose bytes this one shows with another shape or dtype (T.view)


class Expr:
    """Base of all expressions; Python operators build nodes with upstream's type rules (ir/operators.py)."""

    dtype: str
    span: Span

    def _build(self, op: str, *operands: Any) -> Any:
        from tilelang_runtime.ir import operators

        return operators.build(op, *operands)

    def __add__(self, other: Any) -> Any:
        return self._build("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._build("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self._build("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._build("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return self._build("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._build("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._build("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._build("div", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._build("floordiv", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._build("floordiv", other, self)

    def __mod__(self, other: Any) -> Any:
        return self._build("floormod", self, other)

    def __rmod__(self, other: Any) -> Any:
        return self._build("floormod", other, self)

    def __lshift__(self, other: Any) -> Any:
        return self._build("shl", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return self._build("shl", other, self)

    def __rshift__(self, other: Any) -> Any:
        return self._build("shr", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return self._build("shr", other, self)

    def __and__(self, other: Any) -> Any:
        return self._build("bitand", self, other)

    def __rand__(self, other: Any) -> Any:
        return self._build("bitand", other, self)

    def __or__(self, other: Any) -> Any:
        return self._build("bitor", self, other)

    def __ror__(self, other: Any) -> Any:
        return self._build("bitor", other, self)

    def __xor__(self, other: Any) -> Any:
        return self._build("bitxor", self, other)

    def __rxor__(self, other: Any) -> Any:
        return self._build("bitxor", other, self)

    def __lt__(self, other: Any) -> Any:
        return self._build("lt", self, other)

    def __le__(self, other: Any) -> Any:
        return self._build("le", self, other)

    def __gt__(self, other: Any) -> Any:
        return self._build("gt", self, other)

    def __ge__(self, other: Any) -> Any:
        return self._build("ge", self, other)

    def __eq__(self, other: object) -> Any:
        return self._build("eq", self, other)

    def __ne__(self, other: object) -> Any:
        return self._build("ne", self, other)

    def __hash__(self) -> int:
        return id(self)

    def __neg__(self) -> Any:
        return self._build("neg", self)

    def __pos__(self) -> Any:
        return self

    def __invert__(self) -> Any:
        return self._build("bitnot", self)

    def __bool__(self) -> bool:
        from tilelang_runtime.ir import operators

        return operators.truth(self)

    def __index__(self) -> int:
        from tilelang_runtime.ir import operators

        return operators.as_python_int(self)

    def astype(self, dtype: str) -> Any:
        """Value conversion to ``dtype`` (T.cast)."""
        return self._build("cast", self, dtype)


@dataclass(eq=False)
class Const(Expr):
    """A literal; ``value`` already lies in the dtype (floats: exactly representable, inf and nan allowed).

    ``exact``: the Python float that a float32 literal was written as. Upstream keeps it: beside a float64 operand the
    literal 0.1 is the double 0.1.
    """

    dtype: str
    value: int | float | bool
    span: Span = NO_SPAN
    exact: float | None = None
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Var(Expr):
    """An immutable scalar: argument, dynamic size, loop variable, block or thread index, or a `Bind`.

    ``definition`` is the bound expression of a `Bind` (used by the trap checks only).
    """

    name: str
    dtype: str
    span: Span = NO_SPAN
    definition: Expr | None = None
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Load(Expr):
    """An element of a buffer (no indices for scope ``var``)."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__

    @property
    def dtype(self) -> str:  # type: ignore[override]
        """The buffer's element dtype."""
        return self.buffer.dtype


@dataclass(eq=False)
class Unary(Expr):
    """neg, bitnot (operand of the same dtype), not (bool)."""

    op: str
    operand: Expr
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Binary(Expr):
    """Operands of one dtype.

    Arithmetic: add sub mul div (floats) truncdiv truncmod floordiv floormod (integers) min max shl shr bitand bitor
    bitxor. Comparisons (result bool): lt le gt ge eq ne. Logic (bool, short-circuit): and or.
    min and max of floats: -0 < +0, a NaN operand is dropped.
    """

    op: str
    left: Expr
    right: Expr
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Cast(Expr):
    """Value conversion. Float to integer: toward zero (or ``rounding``), saturating, NaN to 0, as CUDA does."""

    operand: Expr
    dtype: str
    rounding: str = ""
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Reinterpret(Expr):
    """Same bits, other dtype of the same width."""

    operand: Expr
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Select(Expr):
    """``cond ? then : otherwise``; only the taken side is evaluated."""

    cond: Expr
    then: Expr
    otherwise: Expr
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Call(Expr):
    """A pure function by canonical name (ir/functions.py lists names, operand dtypes and meaning)."""

    name: str
    args: tuple[Expr, ...]
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Shuffle(Expr):
    """Warp exchange: mode idx, up, down, xor. ``lane`` is the source lane or the delta (int32)."""

    mode: str
    value: Expr
    lane: Expr
    width: Expr
    mask: Expr
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Vote(Expr):
    """Warp vote: ballot any all activemask match_any match_all; or reduce_{sum,max,min,bitand,bitor} as a butterfly.

    lanes_{add,min,max,bitand,bitor,bitxor}: over the lanes of the mask, lowest first (``__reduce_add_sync`` …).

    ``value`` is None for activemask. Block votes: block_count block_and block_or (a block barrier).
    """

    mode: str
    value: Expr | None
    mask: Expr | None
    dtype: str
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class Atomic(Expr):
    """Read-modify-write; the value is the old content.

    op: add sub min max and or xor exch cas (operands compare, value) inc dec load store. ``returns`` tells whether the
    program uses the old value (upstream's ``return_prev``). ``dtype`` may differ from the buffer's through a pointer
    cast:
    same size, the operation works on the bits read as ``dtype``.
    """

    op: str
    buffer: Buffer
    indices: tuple[Expr, ...]
    operands: tuple[Expr, ...]
    dtype: str
    returns: bool = True
    span: Span = NO_SPAN
    __hash__ = Expr.__hash__


@dataclass(eq=False)
class AddressOf(Expr):
    """Address of a buffer element; only an operand of an external call.

    ``view``: the dtype that a pointer cast reads the element as (same size), or empty.
    """

    buffer: Buffer
    indices: tuple[Expr, ...]
    span: Span = NO_SPAN
    dtype: str = "handle"
    view: str = ""
    __hash__ = Expr.__hash__


def children(node: Expr) -> Sequence[Expr]:
    """Direct operands, in evaluation order."""
    if isinstance(node, (Unary, Cast, Reinterpret)):
        return (node.operand,)
    if isinstance(node, Binary):
        return (node.left, node.right)
    if isinstance(node, Select):
        return (node.cond, node.then, node.otherwise)
    if isinstance(node, (Load, AddressOf)):
        return node.indices
    if isinstance(node, Call):
        return node.args
    if isinstance(node, Shuffle):
        return (node.value, node.lane, node.width, node.mask)
    if isinstance(node, Vote):
        return tuple(part for part in (node.value, node.mask) if part is not None)
    if isinstance(node, Atomic):
        return (*node.indices, *node.operands)
    return ()
