"""Host facts about launches: grid, block, shared bytes and arguments as expressions over named roots.

A *root* is a host value that slicing could not reduce further (argv, file input, a function parameter without a
known caller). All launch expressions of a repository share roots by name within one host function, so that one guess
gives consistent sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from migrate.ir.span import Span


@dataclass(frozen=True)
class HostConst:
    """A literal."""

    value: int | float


@dataclass(frozen=True)
class HostRoot:
    """A named unknown; its `RootInfo` is in the launch site's ``roots``."""

    name: str


@dataclass(frozen=True)
class HostOp:
    """C operators and a few functions over host values.

    op: add sub mul truncdiv truncmod div neg lt le gt ge eq ne and or not select min max shl shr bitand bitor bitxor
    bitnot ceil floor sqrt log2 pow, or ``cast:<dtype>``.
    """

    op: str
    args: tuple[HostExpr, ...]
    dtype: str = "int64"


HostExpr: TypeAlias = "HostConst | HostRoot | HostOp"


@dataclass(frozen=True)
class RootInfo:
    """A root: its dtype, the guess that makes the launch run, and where the name came from.

    ``value``: what host code itself gives a ``constant`` root (a size that may be varied freely); None if unknown.
    """

    name: str
    dtype: str
    guess: int | float
    origin: Literal["parameter", "argv", "unresolved", "synthetic", "constant"]
    span: Span | None = None
    value: int | float | None = None


@dataclass(frozen=True)
class PointerFact:
    """What host code says of a pointer argument.

    ``allocation``: identity of the host variable (equal identities are one buffer); ``bytes``: its size, None if
    unknown; ``offset_bytes``: added at the launch; ``contents``: what is known of the data before the launch.
    """

    allocation: str
    bytes: HostExpr | None = None
    offset_bytes: HostExpr | None = None
    contents: Literal["unknown", "zero", "copied"] = "unknown"


@dataclass(frozen=True)
class HostParameter:
    """A parameter of a host function with external linkage; ``signature``: the function's type, canonical."""

    function: str
    signature: str
    position: int


@dataclass(frozen=True)
class TextureFact:
    """What host code says of a texture or surface argument.

    ``allocation``: identity of the array or memory behind it, "" if that is not known; ``resource``: array, linear,
    pitch2D, mipmap or "". ``texel``: (dtype, channels) of its channel format. ``extents``: width, height, depth where
    host code states them. ``filter``, ``address``, ``normalized``, ``read``: values of the fields of
    `cudaTextureDesc`, None where host code does not show them; ``missing`` says why, as part of a sentence.
    ``awaits``: the object is a parameter of a function that only other files call.
    """

    allocation: str = ""
    resource: str = ""
    texel: tuple[str, int] | None = None
    extents: tuple[HostExpr | None, HostExpr | None, HostExpr | None] = (None, None, None)
    filter: int | None = None
    address: tuple[int | None, int | None, int | None] = (None, None, None)
    normalized: int | None = None
    read: int | None = None
    missing: str = ""
    border: bool = False
    awaits: HostParameter | None = None


@dataclass(frozen=True)
class LaunchSite:
    """One ``<<<>>>`` (or cudaLaunchKernel) with its slice. ``args``: one a C parameter; None when nothing is known.

    ``conditions``: what host code checked on the way to the launch (enclosing ifs, asserts); each is true there.
    ``struct_args``: (position, member path, value) for members of structs passed by value.
    """

    kernel_id: str
    cpp_name: str
    host_function: str
    grid: tuple[HostExpr, HostExpr, HostExpr]
    block: tuple[HostExpr, HostExpr, HostExpr]
    shared_bytes: HostExpr
    args: tuple[HostExpr | PointerFact | TextureFact | None, ...]
    roots: tuple[RootInfo, ...]
    span: Span
    conditions: tuple[HostExpr, ...] = ()
    struct_args: tuple[tuple[int, tuple[str, ...], HostExpr | PointerFact], ...] = ()
