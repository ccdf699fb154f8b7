"""PTX as data: what the parser makes of the text and the translation reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Register:
    """``%r1``, or a name that a scope of inline assembly declares. ``component``: of ``%tid.x``."""

    name: str
    component: str = ""
    negated: bool = False


@dataclass(frozen=True)
class Immediate:
    """A literal as the bits of its type: ``width`` 32 or 64 for floats, 0 for an integer of any width."""

    value: int
    width: int = 0


@dataclass(frozen=True)
class Symbol:
    """A variable or function by name, with an offset in bytes."""

    name: str
    offset: int = 0


@dataclass(frozen=True)
class Address:
    """``[base + offset]``; a base of None is an absolute address."""

    base: Register | Symbol | None
    offset: int = 0


@dataclass(frozen=True)
class Vector:
    """``{a, b}``; None stands for ``_`` (not wanted)."""

    items: tuple[Operand | None, ...]


@dataclass(frozen=True)
class Both:
    """``p|q``: two destinations."""

    first: Operand | None
    second: Operand | None


@dataclass(frozen=True)
class Arguments:
    """``(a, b)`` of a call."""

    items: tuple[Operand, ...]


Operand = Register | Immediate | Symbol | Address | Vector | Both | Arguments


@dataclass(frozen=True)
class Place:
    """Where a ``.loc`` points: (file number, line, column)."""

    file: int
    line: int
    column: int


@dataclass(frozen=True)
class Instruction:
    """``opcode`` without modifiers; ``modifiers`` in order, without dots. ``line``: in the PTX text."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand | None, ...]
    line: int
    guard: Register | None = None

    def spelled(self) -> str:
        """Opcode and modifiers as written."""
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True)
class Label:
    """A jump target."""

    name: str


@dataclass(frozen=True)
class Location:
    """``.loc``; ``inlined_at``: the call that this code was inlined for."""

    place: Place
    inlined_at: Place | None = None


@dataclass(frozen=True)
class Scope:
    """``{`` (opens) or ``}``."""

    opens: bool


@dataclass(frozen=True)
class Registers:
    """``.reg .f32 %f<3>, x``: names spelled out. ``type`` without dot."""

    type: str
    names: tuple[str, ...]


Space = Literal["global", "const", "shared", "local", "param"]


@dataclass(frozen=True)
class Variable:
    """A variable in memory. ``count``: elements, 1 for a scalar, 0 for an unsized array (dynamic shared memory).

    ``values``: initial elements; Symbol for addresses. ``external``: declared ``.extern``.
    """

    space: Space
    type: str
    name: str
    count: int
    alignment: int
    values: tuple[int | Symbol, ...] = ()
    external: bool = False
    line: int = 0

    @property
    def bytes(self) -> int:
        """Size of the whole variable."""
        return self.count * type_bytes(self.type)


@dataclass(frozen=True)
class Table:
    """``name: .branchtargets a, b;`` of a computed branch."""

    name: str
    labels: tuple[str, ...]


Statement = Instruction | Label | Location | Scope | Registers | Variable | Table


@dataclass(frozen=True)
class Function:
    """An entry or a device function. ``body`` is None for a declaration."""

    name: str
    entry: bool
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    body: tuple[Statement, ...] | None
    line: int


@dataclass
class Module:
    """One PTX text. ``files``: number → path of ``.file``."""

    target: str = ""
    files: dict[int, str] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


class PtxError(Exception):
    """The text cannot be read or translated: a sentence and the line of the PTX."""

    def __init__(self, message: str, line: int = 0):
        super().__init__(f"{message} (PTX line {line})" if line else message)
        self.message = message
        self.line = line


def type_bytes(name: str) -> int:
    """Bytes of a fundamental type; PtxError for others."""
    if name in ("f16x2", "bf16x2", "tf32"):
        return 4
    if name == "bf16":
        return 2
    digits = name.lstrip("usbf")
    if not digits.isdigit() or int(digits) % 8:
        raise PtxError(f"unknown type .{name}")
    return int(digits) // 8
