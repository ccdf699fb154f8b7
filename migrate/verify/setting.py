"""Setting: one launch with every argument known, before its data is drawn.

The launch plan's expressions are evaluated elsewhere (`settings_from_plan`); from here on only numbers count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from migrate.verify.case import TextureArgument

Contents = Literal["unknown", "zero", "copied"]


@dataclass(frozen=True)
class PointerSetting:
    """A pointer argument. ``root``: identity of the allocation (equal: one buffer); ``bytes``: None if unknown.

    ``element_bytes``: what one access of the original may span (float4*: 16); 0: an element of ``dtype``. ``padding``:
    (offset, size) of the bytes of one element that belong to no member. ``texture``: set for texture and surface
    objects.
    """

    position: int
    root: str
    dtype: str
    offset_bytes: int = 0
    bytes: int | None = None
    contents: Contents = "unknown"
    element_bytes: int = 0
    padding: tuple[tuple[int, int], ...] = ()
    texture: TextureArgument | None = None


@dataclass(frozen=True)
class ScalarSetting:
    """A C parameter by value, as little-endian bytes."""

    position: int
    raw: bytes


@dataclass(frozen=True)
class SymbolSetting:
    """A ``__constant__`` or ``__device__`` variable that the kernel can reach; ``written``: by host code or kernel.

    ``size`` in bytes. ``initial``: bytes of its initialiser where the source has one.
    """

    name: str
    cpp_name: str
    dtype: str
    size: int
    initial: bytes | None = None


ArgumentSetting: TypeAlias = "PointerSetting | ScalarSetting"


@dataclass(frozen=True)
class Setting:
    """A launch: geometry, arguments in C order, symbols. ``label`` says how it differs from the plan's guess.

    ``base``: whether it is the plan's own guess; ``guessed``: whether its sizes are guesses that no host code states;
    ``stated``: whether host code makes this very launch (every size in it is host code's, none a guess).
    ``planned``: whether host code might make it; ``costly``: so many threads that a long run is not waited for.
    ``scalars``: plain scalar parameters by name, for the report and for value ranges.
    """

    label: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[ArgumentSetting, ...]
    symbols: tuple[SymbolSetting, ...] = ()
    scalars: Mapping[str, int | float] = field(default_factory=dict)
    base: bool = False
    provenance: tuple[str, ...] = ()
    guessed: bool = False
    stated: bool = False
    planned: bool = True
    costly: bool = False

    @property
    def threads(self) -> int:
        """Threads of the whole grid."""
        total = 1
        for axis in (*self.grid, *self.block):
            total *= axis
        return total

    def key(self) -> tuple[object, ...]:
        """What decides extents apart from the data: geometry and scalar arguments."""
        scalars = tuple(item.raw for item in self.arguments if isinstance(item, ScalarSetting))
        textures = tuple(item.texture for item in self.arguments if isinstance(item, PointerSetting) and item.texture)
        return (self.grid, self.block, self.shared_bytes, scalars, textures)
