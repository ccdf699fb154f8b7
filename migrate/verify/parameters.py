"""How a launcher's parameters come from the original's C parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from migrate.verify.dtypes import numpy_dtype


@dataclass(frozen=True)
class PortParameter:
    """One keyword of a launcher.

    kind: ``array`` (a pointer), ``scalar`` (a leaf of the C parameter at ``position``, at ``byte_offset`` in it),
    ``bytes`` (a struct whole), ``symbol`` (a ``__constant__`` or ``__device__`` variable called ``symbol``;
    ``optional``: the port knows its initial value), ``texture`` (the array of an object, with its shape).
    """

    keyword: str
    kind: Literal["array", "scalar", "bytes", "symbol", "texture"]
    dtype: str
    position: int = -1
    byte_offset: int = 0
    symbol: str = ""
    optional: bool = False

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return numpy_dtype(self.dtype).itemsize


def parameters_of(entry: Any) -> tuple[PortParameter, ...]:
    """The parameters of an emitter's `PortEntry`."""
    return tuple(
        PortParameter(
            item.keyword, item.kind, item.dtype, item.position, item.byte_offset, item.symbol, bool(item.optional)
        )
        for item in entry.parameters
    )
