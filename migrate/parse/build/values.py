"""What an evaluated C expression is, and what code that makes IR may do (the interface of the intrinsics).

An operand is a value or a place. A value is a scalar expression, a pointer or an aggregate; every one of them is pure:
side effects were emitted to the `Sink` before the operand came to be. Places (lvalues) are turned into values with
`Sink.value`, and written with `Sink.store`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from migrate.ir.kernel import Buffer, Const, DType, Expr, LocalVar, Stmt
from migrate.ir.span import Span
from migrate.parse.build.types import CType, RecordType, ScalarType, leaves

ZERO = Const("int32", 0)


@dataclass(frozen=True)
class ScalarValue:
    """An arithmetic value; its dtype is the expression's."""

    expr: Expr

    @property
    def dtype(self) -> DType:
        """dtype of the expression."""
        return self.expr.dtype


@dataclass(frozen=True)
class Cell:
    """Part of an aggregate value: ``value`` starts at ``offset`` bytes; pointers take 8 bytes."""

    offset: int
    value: Expr | Pointer


@dataclass(frozen=True)
class AggregateValue:
    """A record or array by value. Cells are in memory order, but need not be the type's own leaves.

    An int4 read from a bfloat16 buffer keeps eight bfloat16 cells; `Sink.leaf` reads a leaf in the type wanted.
    """

    ctype: CType
    cells: tuple[Cell, ...] = ()

    @staticmethod
    def of(ctype: CType, values: Sequence[Expr]) -> AggregateValue:
        """An aggregate from its leaves in memory order. ValueError when their number is wrong."""
        found = leaves(ctype)
        if len(found) != len(values):
            raise ValueError(f"{ctype.spelling} has {len(found)} leaves, not {len(values)}")
        return AggregateValue(ctype, tuple(Cell(leaf.offset, value) for leaf, value in zip(found, values, strict=True)))


@dataclass(frozen=True)
class PointerValue:
    """A pointer into a buffer. ``offset`` counts elements of ``buffer.dtype`` (int64, or int32 where that is enough).

    ``pointee`` may differ from the buffer's element (float4 over float32: then the pointer steps by four elements).
    """

    buffer: Buffer
    offset: Expr
    pointee: CType


@dataclass(frozen=True)
class RegisterPointer:
    """A pointer to (a part of) an object that lives in local variables; resolved while building."""

    place: RegisterPlace
    pointee: CType


@dataclass(frozen=True)
class ChoicePointer:
    """``cond ? then : otherwise`` of two pointers into different buffers; ``cond`` is a stable bool expression."""

    cond: Expr
    then: Pointer
    otherwise: Pointer
    pointee: CType


@dataclass(frozen=True)
class NullPointer:
    """The null pointer constant."""

    pointee: CType


@dataclass(frozen=True, eq=False)
class ClosureValue:
    """A lambda: its cursor and the frame that it was made in (opaque to intrinsics)."""

    cursor: Any
    frame: Any
    captured: Mapping[int, Any]


@dataclass(frozen=True)
class StringValue:
    """A string literal (only ever an argument of something that is refused or dropped)."""

    text: str


@dataclass(frozen=True, eq=False)
class TextureValue:
    """A texture or surface object: the kernel parameter that it is (a `TextureParameter`; opaque here)."""

    parameter: Any


Pointer: TypeAlias = "PointerValue | RegisterPointer | ChoicePointer | NullPointer"


# --- objects in registers, places -----------------------------------------------------------------------------------


@dataclass(eq=False)
class PointerVariable:
    """A local pointer. ``targets`` are the roots it was seen to point into; ``offset`` the variable that moves.

    ``root`` is the one it points into at this point of the source, known while every change of root stands in
    ``block``, the statement list of the declaration. Otherwise ``selector`` tells which one it is.
    """

    name: str
    pointee: CType
    key: str
    offset: LocalVar | None = None
    selector: LocalVar | None = None
    current: Pointer | None = None
    targets: dict[str, Pointer] = field(default_factory=dict)
    root: str | None = None
    block: object = None


@dataclass(eq=False)
class Slot:
    """A part of a register object: a scalar variable, a local array, or a pointer, at a byte offset."""

    offset: int
    size: int
    holder: LocalVar | Buffer | PointerVariable


@dataclass(eq=False)
class RegisterObject:
    """A C object held in local variables. ``settle`` is set while its slots are not chosen yet (first use decides).

    ``transient``: a temporary that nothing refers to, so that a variable initialised with it may become it.
    """

    name: str
    ctype: CType
    key: str
    slots: list[Slot] = field(default_factory=list)
    settle: Callable[[AggregateValue | None], bool] | None = None
    transient: bool = False


@dataclass(frozen=True)
class RegisterPlace:
    """``ctype`` at a byte offset of a register object."""

    target: RegisterObject
    offset: int
    ctype: CType


@dataclass(frozen=True)
class MemoryPlace:
    """``ctype`` in a buffer from element ``offset`` on; ``subscripts`` while an array of arrays is subscripted."""

    buffer: Buffer
    offset: Expr
    ctype: CType
    subscripts: tuple[Expr, ...] | None = None


@dataclass(frozen=True)
class ChoicePlace:
    """One of two places, by a stable bool expression."""

    cond: Expr
    then: Place
    otherwise: Place
    ctype: CType


@dataclass(frozen=True)
class ValuePlace:
    """A temporary: an aggregate or scalar value that has a type but no storage."""

    value: Value
    ctype: CType


Value: TypeAlias = (
    "ScalarValue | AggregateValue | PointerValue | RegisterPointer | ChoicePointer | NullPointer | ClosureValue"
    " | StringValue | TextureValue"
)
Place: TypeAlias = "RegisterPlace | MemoryPlace | ChoicePlace | ValuePlace"
Operand: TypeAlias = "Value | Place"


class Sink(Protocol):
    """Where statements go, and the few operations on operands that intrinsics need."""

    @property
    def span(self) -> Span | None:
        """Where the call stands in the source."""

    def fresh(self, hint: str, dtype: DType, mutable: bool = False) -> LocalVar:
        """A new local, not yet declared: emit its `Declare` (with ``init`` None before a shuffle writes it)."""

    def emit(self, statement: Stmt) -> None:
        """Appends a statement."""

    def value(self, operand: Operand) -> Value:
        """Reads a place (lvalue to rvalue); values pass through."""

    def scalar(self, operand: Operand, dtype: DType | None = None) -> Expr:
        """Value as a scalar expression, converted by C's rules to ``dtype`` if given; refuses what is not a scalar."""

    def leaf(self, operand: Operand, index: int) -> Expr:
        """Leaf ``index`` (in memory order, in its own dtype) of an aggregate operand."""

    def load(self, pointer: Operand) -> Value:
        """Reads what a pointer operand points to."""

    def store(self, pointer: Operand, value: Operand) -> None:
        """Writes through a pointer operand (or to a place), converting scalars by C's rules."""

    def element(self, pointer: Operand) -> tuple[Buffer, tuple[Expr, ...]]:
        """Buffer and indices that a pointer to a scalar means (for `Atomic`); refuses pointers to local variables."""

    def apply(self, function: ClosureValue, arguments: Sequence[Operand]) -> Operand:
        """The result of a lambda or function that was passed as an argument; refuses what it cannot call."""

    def note(self, code: str) -> None:
        """Records a note for the kernel (``Kernel.notes``)."""


@dataclass(frozen=True)
class IntrinsicCall:
    """A call of a function that our headers declare.

    ``name`` is qualified without template arguments (``__expf``, ``std::max``, ``cooperative_groups::reduce``,
    ``__half::operator float``, ``__half::__half``, ``operator+``). For methods and member operators ``args[0]`` is the
    object. ``arg_types`` are the C types of the arguments (after the implicit conversions that the AST shows),
    ``result_type`` is the type of the call expression, ``result_spelling`` its canonical spelling. ``discarded``: the
    source drops the result (an expression statement), so that an atomic need not keep the old value.
    """

    name: str
    args: tuple[Operand, ...]
    arg_types: tuple[CType, ...]
    result_type: CType
    result_spelling: str
    sink: Sink
    span: Span | None = None
    template_args: tuple[str, ...] = ()
    discarded: bool = False


Intrinsic: TypeAlias = Callable[[IntrinsicCall], "Operand | None"]


def is_record(ctype: CType, name: str) -> bool:
    """True for the record type called ``name`` (qualified, without template arguments)."""
    return isinstance(ctype, RecordType) and ctype.name == name


def scalar_dtype(ctype: CType) -> DType | None:
    """dtype of a scalar type, None for others."""
    return ctype.dtype if isinstance(ctype, ScalarType) else None
