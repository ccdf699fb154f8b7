"""KernelModule: what the CUDA means.

Every implicit conversion is a `Cast`, integer division is ``truncdiv``, and **expressions have no side effects**: the
builder has already linearised assignments inside expressions, increments, calls, shuffles and atomics into statements
in C's order (side effects on the right of ``&&``, ``||`` or in a branch of ``?:`` become an `If`). So no later stage
re-derives C.

Pointers are gone: an access is (root buffer, indices). A local pointer variable is an int64 `LocalVar` holding
an element offset into a root. Structs and vector types are scalarised: one `LocalVar` (or one flat buffer) a leaf.

dtypes are TileLang/numpy spellings: bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32
float64.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from migrate.diagnostics import Diagnostic
from migrate.ir.kernel_expressions import (
    Axis,
    Binary,
    BinaryOp,
    Bitcast,
    Buffer,
    Builtin,
    Cast,
    Const,
    DType,
    Expr,
    Load,
    LocalRef,
    LocalVar,
    MathCall,
    ParamRef,
    Scope,
    Select,
    Unary,
    UnaryOp,
)
from migrate.ir.kernel_statements import (
    Assign,
    Atomic,
    Barrier,
    Break,
    BufferArg,
    CallFunction,
    Comment,
    Continue,
    Declare,
    DeclareArray,
    Fence,
    If,
    Loop,
    RefArg,
    Return,
    Shuffle,
    Stmt,
    Store,
    SyncReduce,
    Vote,
)
from migrate.ir.span import Span
from migrate.ir.texture import Texture

__all__ = [
    "Assign",
    "Atomic",
    "Axis",
    "Barrier",
    "Binary",
    "BinaryOp",
    "Bitcast",
    "Break",
    "Buffer",
    "BufferArg",
    "Builtin",
    "CallFunction",
    "Cast",
    "Comment",
    "Const",
    "Continue",
    "DType",
    "Declare",
    "DeclareArray",
    "Expr",
    "Fence",
    "Function",
    "FunctionParam",
    "If",
    "Kernel",
    "Load",
    "LocalRef",
    "LocalVar",
    "Loop",
    "MathCall",
    "ParamRef",
    "PointerParam",
    "RefArg",
    "Return",
    "ScalarParam",
    "Scope",
    "Select",
    "Shuffle",
    "Stmt",
    "Store",
    "SyncReduce",
    "Unary",
    "UnaryOp",
    "Vote",
]


@dataclass(frozen=True)
class ScalarParam:
    """A scalar parameter, or one leaf of a struct passed by value.

    ``position``: index of the original C parameter; ``path``: member path inside it (empty for a plain scalar);
    ``byte_offset``: of the leaf inside the C parameter (0 for a plain scalar).
    """

    name: str
    dtype: DType
    c_type: str
    position: int
    path: tuple[str, ...] = ()
    byte_offset: int = 0
    span: Span | None = None


@dataclass(frozen=True)
class PointerParam:
    """A pointer parameter; ``buffer`` has scope GLOBAL and the scalar leaf dtype (float4* is float32).

    ``element_bytes``: size of what the C pointer points to (float4*: 16); 0 where it is not known. ``padding``:
    (offset, size) of the bytes of one element that belong to no member. ``texture``: set where the C parameter is a
    texture or surface object; its extents are `ScalarParam`s of the same position with the paths ``width`` …
    """

    buffer: Buffer
    c_type: str
    position: int
    path: tuple[str, ...] = ()
    byte_offset: int = 0
    span: Span | None = None
    element_bytes: int = 0
    padding: tuple[tuple[int, int], ...] = ()
    texture: Texture | None = None


@dataclass(frozen=True)
class FunctionParam:
    """Parameter of a device function: by value, by reference (``ref``), or a buffer with offset.

    For a buffer parameter ``var`` is the int64 offset variable and ``buffer`` the formal root that the body indexes
    as ``offset + i``.
    """

    var: LocalVar
    ref: bool = False
    buffer: Buffer | None = None


@dataclass(frozen=True)
class Function:
    """A device function kept as such. Its body ends in at most one `Return` per path; no recursion."""

    name: str
    source_name: str
    params: tuple[FunctionParam, ...]
    result: DType | None
    body: tuple[Stmt, ...]
    span: Span | None = None
    doc: str = ""


@dataclass(frozen=True)
class Kernel:
    """One used instantiation of a ``__global__`` function.

    ``id``: ``file:line:name``; ``symbol``: Python identifier of this instantiation (``saxpy``, ``reduce_float_256``);
    ``cpp_name``: what C++ calls it, template arguments included (``ns::reduce<float, 256>``).
    ``buffers``: every non-local root in order (parameters, shared, constant, device globals).
    ``c_params``: (C type spelling, size in bytes) per original parameter, for the check against the oracle's signature.
    """

    id: str
    name: str
    symbol: str
    cpp_name: str
    template_args: tuple[str, ...]
    params: tuple[ScalarParam | PointerParam, ...]
    c_params: tuple[tuple[str, int], ...]
    buffers: tuple[Buffer, ...]
    functions: tuple[Function, ...]
    body: tuple[Stmt, ...]
    span: Span
    launch_bounds: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())  # codes of notes raised while building
    warnings: tuple[Diagnostic, ...] = ()  # what the person should know about this conversion, for the report
    left_out: tuple[Span, ...] = ()  # branches that a constant condition never enters, and tests of pointers for null
