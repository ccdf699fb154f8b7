"""What a texture or surface parameter is: the shape of its texels and the sampling state that host code gave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AddressMode = Literal["wrap", "clamp", "mirror", "border"]
EXTENTS = ("width", "height", "depth")


@dataclass(frozen=True)
class Sampling:
    """Sampling state, with the meaning that docs/semantics.md, "Textures", gives it.

    ``address``: one mode an axis, x first, as they take effect (wrap and mirror only with ``normalized`` coordinates).
    """

    linear: bool
    normalized: bool
    address: tuple[AddressMode, ...]


@dataclass(frozen=True)
class Texture:
    """How the elements of a buffer are a texture or surface: row-major, x fastest, ``channels`` elements a texel.

    ``scaled``: integer texels are read as floats in [0, 1] or [-1, 1] (cudaReadModeNormalizedFloat). ``sampling`` is
    None for surfaces and for textures that `tex1Dfetch` reads (``linear_memory``).
    """

    kind: Literal["texture", "surface"]
    rank: int
    channels: int
    sampling: Sampling | None = None
    scaled: bool = False
    linear_memory: bool = False
