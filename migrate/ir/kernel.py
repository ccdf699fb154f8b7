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
from enum import Enum
from typing import Literal, TypeAlias

from migrate.diagnostics import Diagnostic
from migrate.ir.span import Span
from migrate.ir.texture import Texture

DType: TypeAlias = str


class Scope(str, Enum):
    """Where a buffer lives."""

    GLOBAL = "global"  # pointer parameter of the kernel
    SHARED = "shared"  # static __shared__
    DYNAMIC_SHARED = "dynamic_shared"  # extern __shared__
    LOCAL = "local"  # per-thread array
    CONSTANT = "constant"  # __constant__ array or scalar; also a static const table
    DEVICE = "device"  # __device__ global


@dataclass(frozen=True)
class Buffer:
    """A root that accesses index. Identity is ``name`` (unique in a kernel and its functions).

    ``shape`` is None when the extent is not known from the source (pointer parameters, dynamic shared memory); such
    buffers take one flat element index. Multi-dimensional arrays keep their shape only if every access is a full
    subscript; otherwise the builder flattens them to one dimension (row-major).
    ``offset_bytes``: for DYNAMIC_SHARED roots carved from one extern array, where this root starts (None: at 0).
    ``initial``: constant initialiser, row-major leaves, or None.
    """

    name: str
    dtype: DType
    scope: Scope
    shape: tuple[int, ...] | None = None
    const: bool = False
    restrict: bool = False
    volatile: bool = False
    c_type: str = ""
    offset_bytes: Expr | None = None
    initial: tuple[int | float | bool, ...] | None = None
    span: Span | None = None


@dataclass(frozen=True)
class LocalVar:
    """A per-thread scalar. Identity is ``name`` (unique in its function; the source name where it is free).

    ``mutable`` is False iff it is assigned exactly once, by its `Declare`.
    """

    name: str
    dtype: DType
    mutable: bool = True
    span: Span | None = None


# --- expressions (pure) ---------------------------------------------------------------------------------------------

UnaryOp = Literal["neg", "bitnot", "not"]
BinaryOp = Literal[
    "add",
    "sub",
    "mul",
    "truncdiv",
    "truncmod",
    "div",  # truncdiv/truncmod on integers, div on floats
    "shl",
    "shr",
    "bitand",
    "bitor",
    "bitxor",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",  # operands of one dtype, result bool
    "and",
    "or",  # bool operands, short-circuit
]
Axis = Literal["x", "y", "z"]


@dataclass(frozen=True)
class Const:
    """A literal. For float dtypes ``value`` is the exactly representable Python float (inf and nan allowed)."""

    dtype: DType
    value: int | float | bool
    span: Span | None = None


@dataclass(frozen=True)
class LocalRef:
    """Read of a local scalar."""

    var: LocalVar
    span: Span | None = None

    @property
    def dtype(self) -> DType:
        """The variable's dtype."""
        return self.var.dtype


@dataclass(frozen=True)
class ParamRef:
    """Read of a scalar kernel parameter (never written: the builder copies a written parameter to a `LocalVar`)."""

    name: str
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class Builtin:
    """threadIdx, blockIdx, blockDim, gridDim (uint32, as in CUDA); ``laneid`` and ``warpid`` with axis x."""

    kind: Literal["threadIdx", "blockIdx", "blockDim", "gridDim", "laneid", "warpid"]
    axis: Axis
    span: Span | None = None
    dtype: DType = "uint32"


@dataclass(frozen=True)
class Load:
    """Element of a buffer. ``indices`` are integer expressions of any integer dtype, one a dimension."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    span: Span | None = None

    @property
    def dtype(self) -> DType:
        """The buffer's element dtype."""
        return self.buffer.dtype


@dataclass(frozen=True)
class Unary:
    """``dtype`` is the result's; the operand has the same (bool for ``not``)."""

    op: UnaryOp
    operand: Expr
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class Binary:
    """Both operands have one dtype (shifts: the right one may differ). ``dtype`` is the result's."""

    op: BinaryOp
    left: Expr
    right: Expr
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class Cast:
    """Value conversion, C's rules. ``rounding``: None (C default) or rn, rz, ru, rd (``__float2int_rd`` family).

    With ``rounding`` a float → integer conversion saturates (docs/semantics.md "Conversions by rounding mode").
    """

    operand: Expr
    dtype: DType
    rounding: Literal["rn", "rz", "ru", "rd"] | None = None
    implicit: bool = True
    span: Span | None = None


@dataclass(frozen=True)
class Bitcast:
    """Same bits, other dtype of the same width (``__float_as_int``, punned loads)."""

    operand: Expr
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class Select:
    """``cond ? a : b``; only the taken side is evaluated."""

    cond: Expr
    then: Expr
    otherwise: Expr
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class MathCall:
    """A pure math function by canonical name: the C spelling of its float32/float64 form or the CUDA intrinsic.

    Examples: expf exp sqrtf rsqrtf fmaf fmaxf fmax max_int32 min_uint64 abs_int32 fabsf __expf __fdividef __popc __clz
    __ffs __brev __mulhi __umulhi __float2half_rn is a `Cast`; half arithmetic is plain `Binary` on float16/bfloat16
    (one rounding an operation); fused half forms are ``hfma`` with the dtype telling which.
    """

    name: str
    args: tuple[Expr, ...]
    dtype: DType
    span: Span | None = None


Expr: TypeAlias = "Const | LocalRef | ParamRef | Builtin | Load | Unary | Binary | Cast | Bitcast | Select | MathCall"


# --- statements -----------------------------------------------------------------------------------------------------


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


# --- definitions ----------------------------------------------------------------------------------------------------


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
