"""T.float32 and friends: strings that are also constructors."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import operators, types
from tilelang_runtime.ir.nodes import Expr


class dtype(str):
    """A dtype object: equal to its spelling; called with a value it makes a constant or a cast."""

    def __call__(self, value: Any = 0) -> Expr:
        """``T.float32(x)``: Python numbers become constants of this dtype, expressions are cast."""
        if isinstance(value, (bool, int, float)):
            if types.is_int(self) and isinstance(value, float):
                value = int(value)
            return operators.constant(str(self), value)
        return operators.cast(value, str(self))

    @property
    def bits(self) -> int:
        """Width in bits."""
        return types.bits(self)

    def is_float(self) -> bool:
        """Whether values are floating point."""
        return types.is_float(self)


ALL = {name: dtype(name) for name in types.SCALARS}
ALL |= {alias: dtype(name) for alias, name in (("half", "float16"), ("float", "float32"), ("double", "float64"))}
ALL |= {"int": dtype("int32"), "uint": dtype("uint32"), "long": dtype("int64")}
