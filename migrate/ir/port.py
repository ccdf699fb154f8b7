"""PortModule: what the TileLang says.

A small typed tree that rules produce and `migrate.emit` prints. It holds only what the printed Python can say: every
expression knows the dtype that TileLang infers for it (never C's), every name is a valid Python identifier, and lists
of statements stand where Python has a suite. `migrate.ir.verify_port` checks the structure, `migrate.emit.forbidden`
the patterns that upstream would silently change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from migrate.ir.span import Span
from migrate.ir.texture import Texture

DType: TypeAlias = str
PYTHON = "python"
"""The dtype of trace-time Python integers (the block size): they take the dtype of what they meet."""

# --- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lit:
    """A number. ``explicit`` prints the constructor (``T.float32(0.1)``), else the bare Python literal."""

    value: int | float | bool
    dtype: DType
    explicit: bool = False


@dataclass(frozen=True)
class Name:
    """A name in scope.

    ``kind``: var (`T.alloc_var`, mutable), bind (a snapshot), param (kernel or macro parameter), thread, block,
    loop (loop variable), python (trace-time int, dtype `PYTHON`), buffer (a tensor or array as a macro argument).
    """

    name: str
    dtype: DType
    kind: Literal["var", "bind", "param", "thread", "block", "loop", "python", "buffer"]


@dataclass(frozen=True)
class Element:
    """``buffer[indices]``."""

    buffer: str
    indices: tuple[PortExpr, ...]
    dtype: DType


@dataclass(frozen=True)
class Operation:
    """A Python operator: + - * / // % << >> & | ^ < <= > >= == != and or."""

    op: str
    left: PortExpr
    right: PortExpr
    dtype: DType


@dataclass(frozen=True)
class Prefix:
    """A Python prefix operator: - ~ not."""

    op: Literal["-", "~", "not"]
    operand: PortExpr
    dtype: DType


@dataclass(frozen=True)
class Call:
    """``function(args, keyword=value)``; ``function`` is spelled as printed (``T.exp``, ``T.cast``).

    Text arguments are `Text` (dtype names, extern names).
    """

    function: str
    args: tuple[PortExpr, ...]
    dtype: DType
    keywords: tuple[tuple[str, PortExpr], ...] = ()


@dataclass(frozen=True)
class Text:
    """A string literal argument."""

    value: str
    dtype: DType = "text"


PortExpr: TypeAlias = "Lit | Name | Element | Operation | Prefix | Call | Text"


# --- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bind:
    """``name = value``: a snapshot, never assigned again."""

    name: str
    value: PortExpr
    span: Span | None = None


@dataclass(frozen=True)
class AllocVar:
    """``name = T.alloc_var(dtype, init=…)``."""

    name: str
    dtype: DType
    init: PortExpr | None = None
    span: Span | None = None


@dataclass(frozen=True)
class AllocLocal:
    """``name = T.alloc_local(shape, dtype)``."""

    name: str
    shape: tuple[int, ...]
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class AllocShared:
    """``name = T.alloc_shared(shape, dtype, scope=…)``; ``shape`` holds ints or the text of a Python expression."""

    name: str
    shape: tuple[int | str, ...]
    dtype: DType
    scope: Literal["shared", "shared.dyn"] = "shared"
    span: Span | None = None


@dataclass(frozen=True)
class View:
    """``name = T.view(of, shape, dtype)``: the same bytes under another dtype."""

    name: str
    of: str
    shape: tuple[int | str, ...]
    dtype: DType
    span: Span | None = None


@dataclass(frozen=True)
class SetVar:
    """``name = value`` where ``name`` is an `AllocVar` or a `T.Ref` parameter."""

    name: str
    value: PortExpr
    span: Span | None = None


@dataclass(frozen=True)
class SetElement:
    """``buffer[indices] = value``."""

    buffer: str
    indices: tuple[PortExpr, ...]
    value: PortExpr
    span: Span | None = None


@dataclass(frozen=True)
class PortIf:
    """``if``/``else``; an else of exactly one `PortIf` prints as ``elif``."""

    cond: PortExpr
    then: tuple[PortStmt, ...]
    otherwise: tuple[PortStmt, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class PortFor:
    """``for var in T.serial(start, stop, step)`` (or ``T.unroll``)."""

    var: str
    dtype: DType
    start: PortExpr
    stop: PortExpr
    step: PortExpr
    body: tuple[PortStmt, ...]
    kind: Literal["serial", "unroll"] = "serial"
    span: Span | None = None


@dataclass(frozen=True)
class PortWhile:
    """``while cond``."""

    cond: PortExpr
    body: tuple[PortStmt, ...]
    span: Span | None = None


@dataclass(frozen=True)
class Jump:
    """``break`` or ``continue``."""

    kind: Literal["break", "continue"]
    span: Span | None = None


@dataclass(frozen=True)
class Do:
    """An expression statement: ``T.sync_threads()``, an atomic whose old value is dropped, a macro call."""

    call: Call
    span: Span | None = None


@dataclass(frozen=True)
class MacroReturn:
    """``return value``, only as the last statement of a macro."""

    value: PortExpr
    span: Span | None = None


@dataclass(frozen=True)
class Remark:
    """A comment line."""

    text: str
    span: Span | None = None


PortStmt: TypeAlias = (
    "Bind | AllocVar | AllocLocal | AllocShared | View | SetVar | SetElement | PortIf | PortFor | PortWhile | Jump | Do"
    " | MacroReturn | Remark"
)


# --- definitions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MacroParam:
    """``name`` (by value, or a buffer) or ``name: T.Ref``."""

    name: str
    dtype: DType
    kind: Literal["value", "ref", "buffer"] = "value"


@dataclass(frozen=True)
class Macro:
    """A device function: ``@T.macro def name(params)``."""

    name: str
    params: tuple[MacroParam, ...]
    result: DType | None
    body: tuple[PortStmt, ...]
    doc: str = ""
    span: Span | None = None


@dataclass(frozen=True)
class TensorParam:
    """``name: T.Tensor((length,), dtype)``; ``length`` is a 64-bit symbol of the builder."""

    name: str
    dtype: DType
    length: str


@dataclass(frozen=True)
class ValueParam:
    """``name: T.dtype``."""

    name: str
    dtype: DType


@dataclass(frozen=True)
class LauncherParam:
    """One parameter of the launcher: an original C parameter, or a keyword tensor for a constant or device global.

    ``position``: index of the C parameter, None for a global. ``leaves``: for each leaf of a struct passed by value
    (byte offset, dtype, kernel parameter); a plain scalar or pointer has one leaf at offset 0. ``default``: the
    literal table of a global whose initial value is known. ``symbol``: a global's name in the source. ``variable``: it
    keeps what kernels of the file store in it from launch to launch (``__device__``, not ``__constant__``).
    ``texture``: of kind texture; its leaves are the array and then its extents.
    """

    name: str
    kind: Literal["scalar", "pointer", "struct", "global", "texture"]
    leaves: tuple[tuple[int, DType, str], ...]
    position: int | None = None
    c_type: str = ""
    size: int = 0
    written: bool = True
    default: tuple[int | float | bool, ...] | None = None
    symbol: str = ""
    variable: bool = False
    texture: Texture | None = None


@dataclass(frozen=True)
class GridRule:
    """Launch precondition: ``grid[axis] * factor (* block[axis] if per_block) < 2**31 - 65536``."""

    axis: int
    factor: int = 1
    per_block: bool = True


@dataclass(frozen=True)
class PortKernel:
    """One kernel instantiation: a builder, its prim_func and its launcher.

    ``block_names``: the builder's Python ints, one an axis in use; ``grid_names``: the run-time grid parameters.
    ``dynamic_shared``: whether the builder takes ``shared``, the size in bytes of dynamic shared memory.
    """

    kernel_id: str
    symbol: str
    builder: str
    params: tuple[TensorParam | ValueParam, ...]
    block_names: tuple[str, ...]
    grid_names: tuple[str, ...]
    thread_bindings: tuple[tuple[str, int], ...]
    block_bindings: tuple[str, ...]
    aliased: tuple[str, ...]
    macros: tuple[Macro, ...]
    body: tuple[PortStmt, ...]
    launcher: tuple[LauncherParam, ...]
    grid_rules: tuple[GridRule, ...] = ()
    dynamic_shared: bool = False
    doc: str = ""
    cpp_name: str = ""
    span: Span | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class PortModule:
    """One port file: header facts and its kernels."""

    source_path: str
    source_sha256: str
    level: Literal["tile", "simt"]
    path: str
    kernels: tuple[PortKernel, ...]
    licence: str = ""
    comments: tuple[str, ...] = field(default=())
