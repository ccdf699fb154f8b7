"""Expressions of a KernelModule, all pure, and the buffers and locals that they read. See `migrate.ir.kernel`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from migrate.ir.span import Span

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
