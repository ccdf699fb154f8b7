"""How a launcher's parameters come from the original's C parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from migrate.verify.dtypes import numpy_dtype


@dataclass(frozen=True)
class PortParameter:
    """One keyword of a launcher.

    kind: ``array`` (a pointer), ``scalar`` (a leaf of the C parameter at ``position``, at ``byte_offset`` in it),
    ``bytes`` (a struct whole), ``symbol`` (a ``__constant__`` or ``__device__`` variable called ``symbol``).
    """

    keyword: str
    kind: Literal["array", "scalar", "bytes", "symbol"]
    dtype: str
    position: int = -1
    byte_offset: int = 0
    symbol: str = ""

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return numpy_dtype(self.dtype).itemsize
