"""The public names of tilelang.language (tilelang 0.1.15, GPU dialect) that the bundled runtime has.

`names()` is what becomes the module ``tilelang.language``; every other name fails with a message that names it.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any


class Facade(ModuleType):
    """A module whose missing names fail with a message that names them."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{self.__name__}.{name} is not available in the bundled runtime")


@cache
def module() -> ModuleType:
    """The module ``tilelang.language`` of the bundled runtime, without installing it."""
    made = Facade("tilelang.language")
    for name, value in names().items():
        setattr(made, name, value)
    return made


def names() -> dict[str, Any]:
    """Every public name of the module."""
    from tilelang_runtime.ir.nodes import Buffer, Var
    from tilelang_runtime.language import dtypes, externs, mathematics, structure, tiles, warp
    from tilelang_runtime.tracer import functions
    from tilelang_runtime.tracer.values import Ref

    table: dict[str, Any] = {
        **dtypes.ALL,
        **mathematics.FUNCTIONS,
        **warp.FUNCTIONS,
        **externs.FUNCTIONS,
        **tiles.FUNCTIONS,
    }
    for name in [
        "Kernel",
        "get_thread_binding",
        "get_thread_bindings",
        "get_block_binding",
        "get_block_bindings",
        "get_thread_extent",
        "get_thread_extents",
        "get_block_extent",
        "get_lane_idx",
        "get_warp_idx",
        "get_warp_idx_sync",
        "alloc_shared",
        "alloc_local",
        "alloc_fragment",
        "alloc_var",
        "serial",
        "unroll",
        "vectorized",
        "Pipelined",
        "Parallel",
        "grid",
        "thread_return",
        "loop_break",
        "sync_threads",
        "sync_warp",
        "device_assert",
    ]:
        table[name] = getattr(structure, name)
    table["print"] = structure.print_
    table |= {
        "prim_func": functions.prim_func,
        "macro": functions.macro,
        "dynamic": functions.dynamic,
        "symbolic": functions.symbolic,
        "Tensor": functions.TensorFactory(),
        "Buffer": functions.TensorFactory(),
        "StridedTensor": functions.StridedTensorFactory(),
        "PrimFunc": functions.PrimFunc,
        "Ref": Ref,
        "Var": Var,
        "BufferType": Buffer,
    }
    return table
