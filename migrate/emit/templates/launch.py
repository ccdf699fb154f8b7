"""What the launchers of these ports share: turning arguments into flat tensors and scalars, compiling, launching.

Arrays may be numpy arrays, torch tensors, anything with DLPack, or ``(array, offset)`` with an offset in elements, as
a C pointer into the middle of an allocation. They are used in place, never copied. Works under the real tilelang
(torch tensors on the device) and under the bundled runtime (numpy arrays).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

Grid: TypeAlias = "int | tuple[int, ...]"
"""A CUDA dim3: an int or up to three ints."""

PASS_CONFIGS = {
    # The original's barriers are kept where they stand; upstream must not add, move or merge any.
    "tl.disable_thread_storage_sync": True,
    "tl.disable_shared_memory_reuse": True,
    "tl.disable_loop_unswitching": True,
    "tl.disable_warp_specialized": True,
    "tl.disable_tma_lower": True,
}
# How `fields` reads a leaf: as the number that the kernel takes for it, see `value`.
_FORMATS = {"bool": "B", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
            "int64": "q", "uint64": "q", "float16": "H", "bfloat16": "H", "float32": "f", "float64": "d"}  # fmt: skip
_BITS = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "int8": 8, "int16": 16, "int32": 32, "int64": 64}


def launch(
    builder: Callable[..., Any],
    geometry: tuple[Grid, Grid, int],
    arguments: Sequence[Any],
    *,
    ranks: tuple[int, int],
    dynamic_shared: bool = False,
    limits: Iterable[tuple[int, int, bool]] = (),
) -> None:
    """Runs the kernel that ``builder`` makes for this block size on ``arguments``; an empty grid does nothing.

    ``ranks``: how many axes of grid and block the kernel uses. ``limits``: (axis, factor, times block size) such that
    grid[axis] * factor stays below 2**31 - 65536, because the port computes those indices in 32 bits.
    Raises ValueError for a launch that CUDA would reject or that the port is not made for, TypeError for arguments.
    """
    grid, block = three(geometry[0], "grid"), three(geometry[1], "block")
    if 0 in grid:
        return
    if 0 in block or block[0] * block[1] * block[2] > 1024 or block[2] > 64:
        raise ValueError(f"block {block}: CUDA allows 1 to 1024 threads, at most 64 of them along z")
    if grid[0] >= 2**31 or grid[1] > 65535 or grid[2] > 65535:
        raise ValueError(f"grid {grid}: CUDA allows 2**31 - 1, 65535 and 65535 blocks")
    for used, given, what in ((ranks[0], grid, "grid"), (ranks[1], block, "block")):
        if any(size != 1 for size in given[used:]):
            raise ValueError(f"{what} {given}: this kernel only looks at {used} axes, the others must be 1")
    for axis, factor, per_block in limits:
        if grid[axis] * factor * (block[axis] if per_block else 1) >= 2**31 - 65536:
            raise ValueError(f"grid {grid}: the original's 32-bit index along axis {axis} would overflow")
    sizes: tuple[int, ...] = block[: ranks[1]]
    if dynamic_shared:
        sizes = (*sizes, geometry[2])
    compiled(builder, sizes)(*arguments, *grid[: ranks[0]])


@cache
def compiled(builder: Callable[..., Any], sizes: tuple[int, ...]) -> Callable[..., Any]:
    """The kernel of ``builder`` for these block sizes (and bytes of dynamic shared memory), compiled once."""
    import tilelang

    kernel: Callable[..., Any] = tilelang.compile(builder(*sizes), pass_configs=dict(PASS_CONFIGS))
    return kernel


def three(sizes: Grid, what: str) -> tuple[int, int, int]:
    """A dim3 with ones for the axes left out."""
    given = (sizes,) if isinstance(sizes, int) else tuple(int(size) for size in sizes)
    if not 1 <= len(given) <= 3 or any(size < 0 for size in given):
        raise ValueError(f"{what} must be one to three sizes, not {sizes!r}")
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


def value(given: Any, dtype: str) -> Any:
    """A scalar argument as the number that the kernel takes for it (integers wrap as in C).

    Types that upstream cannot pass go as the signed integer with the same bits: uint64 as int64, bool, float16,
    bfloat16 and integers below 32 bits as int32.
    """
    if getattr(given, "dtype", None) is not None and str(given.dtype) == dtype and hasattr(given, "tobytes"):
        given = given.tobytes()  # keeps the bits of a NaN
    if isinstance(given, (bytes, bytearray)):
        return fields(given, [(0, dtype)])[0]
    if dtype == "bool":
        return int(bool(given))
    if dtype == "float16":
        return struct.unpack("<H", struct.pack("<e", float(given)))[0]
    if dtype == "bfloat16":
        return _bfloat16_bits(float(given))
    if dtype not in _BITS:
        return float(given)
    bits = _BITS[dtype]
    number = int(given) & ((1 << bits) - 1)
    signed = dtype in ("int8", "int16", "int32", "int64", "uint64")
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def _bfloat16_bits(number: float) -> int:
    """The bits of the nearest bfloat16, ties to even, rounded once."""
    single = struct.unpack("<f", struct.pack("<f", number))[0]
    bits: int = struct.unpack("<I", struct.pack("<f", number))[0]
    if math.isnan(number):
        return bits >> 16 | 64
    if bits & 0xFFFF == 0x8000 and single != number:  # the tie is only an artefact of the first rounding
        return (bits >> 16) + int(abs(number) > abs(single))
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def fields(given: Any, leaves: Sequence[tuple[int, str]]) -> list[Any]:
    """The leaves of a struct passed by value, as `value` gives them: from its bytes or from one item a leaf."""
    if isinstance(given, (bytes, bytearray, memoryview)):
        return [struct.unpack_from("<" + _FORMATS[dtype], given, offset)[0] for offset, dtype in leaves]
    items = list(given)
    if len(items) != len(leaves):
        raise TypeError(f"expected the struct's bytes or {len(leaves)} values, got {len(items)}")
    return [tensor(item, dtype[1:]) if dtype.startswith("*") else value(item, dtype)
            for item, (_, dtype) in zip(items, leaves, strict=True)]  # fmt: skip


def texels(given: Any, rank: int, channels: int, dtype: str) -> list[Any]:
    """A texture or surface as its flat texels, width, height and depth, as far as it has them (``rank``).

    ``given``: an array of shape (depth, height, width), the last ``rank`` of them, and the channels where there are
    several. Its shape is the texture's, so it is not a view of something larger.
    """
    shape = tuple(int(size) for size in given.shape)
    if len(shape) != rank + (channels > 1) or (channels > 1 and shape[-1] != channels):
        raise ValueError(f"a texture of {rank} dimensions and {channels} channels cannot have the shape {shape}")
    extents = shape[:rank][::-1]
    if 0 in extents or any(size >= 2**31 for size in extents):
        raise ValueError(f"CUDA has no texture of the size {extents}")
    return [tensor(given, dtype), *extents]


def table(given: Any, default: tuple[Any, ...], dtype: str) -> Any:
    """A constant table: the caller's array, or the values that the source gives it."""
    if given is not None:
        return tensor(given, dtype)
    return tensor(_constant(default, dtype), dtype)


def variable(given: Any, default: tuple[Any, ...], dtype: str, name: str) -> Any:
    """A ``__device__`` variable: the caller's array, or one that keeps its values from launch to launch."""
    if given is not None:
        return tensor(given, dtype)
    return tensor(_variable(name, default, dtype), dtype)


@cache
def _variable(name: str, values: tuple[Any, ...], dtype: str) -> Any:
    return _array(values, dtype)


@cache
def _constant(values: tuple[Any, ...], dtype: str) -> Any:
    return _array(values, dtype)


def _array(values: tuple[Any, ...], dtype: str) -> Any:
    import tilelang

    if getattr(tilelang, "is_bundled_runtime", False):
        import numpy

        return numpy.array(values, dtype=_numpy_dtype(dtype))
    import torch

    return torch.tensor(values, dtype=getattr(torch, dtype), device="cuda")


def tensor(given: Any, dtype: str) -> Any:
    """A pointer argument as a flat tensor of ``dtype`` that starts at the element pointed to."""
    array, offset = given if isinstance(given, tuple) else (given, 0)
    if array is None:
        raise ValueError("a null pointer was passed where the kernel takes an array")
    if type(array).__module__.split(".")[0] == "numpy" or hasattr(array, "__array_interface__"):
        return _flat_numpy(array, int(offset), dtype)
    return _flat_torch(array, int(offset), dtype)


def _numpy_dtype(dtype: str) -> Any:
    import numpy

    if dtype == "bfloat16":
        import ml_dtypes

        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(dtype)


def _flat_numpy(array: Any, offset: int, dtype: str) -> Any:
    import numpy

    array = numpy.asarray(array)
    if not array.flags.c_contiguous:
        raise ValueError("arrays must be contiguous")
    flat, wanted = array.reshape(-1), _numpy_dtype(dtype)
    if flat.dtype != wanted:
        flat = flat.view(wanted)
    if not 0 <= offset <= flat.size:
        raise ValueError(f"offset {offset} lies outside an array of {flat.size} elements")
    return flat[offset:]


def _flat_torch(array: Any, offset: int, dtype: str) -> Any:
    import torch

    found = array if isinstance(array, torch.Tensor) else torch.from_dlpack(array)
    if not found.is_contiguous():
        raise ValueError("tensors must be contiguous")
    flat, wanted = found.view(-1), getattr(torch, dtype)
    if flat.dtype != wanted:
        flat = flat.view(wanted)
    if not 0 <= offset <= flat.numel():
        raise ValueError(f"offset {offset} lies outside a tensor of {flat.numel()} elements")
    if offset == 0 and flat.storage_offset() == 0:
        return flat
    return _from_address(flat[offset:])


def _from_address(part: Any) -> Any:
    """A tensor of its own for memory inside another, because upstream rejects views that start at an offset."""
    import torch

    if not part.is_cuda or part.numel() == 0:
        return part.clone() if part.numel() == 0 else part

    class Memory:
        """The CUDA array interface of the bytes."""

        def __init__(self) -> None:
            self.owner = part
            self.__cuda_array_interface__ = {
                "shape": (part.numel() * part.element_size(),),
                "typestr": "|u1",
                "data": (part.data_ptr(), False),
                "version": 3,
            }

    return torch.as_tensor(Memory(), device=part.device).view(part.dtype)
