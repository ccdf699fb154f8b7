"""__shared__ arrays, static and dynamic."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, Root, operation

_BYTES = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4,
          "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8}  # fmt: skip


def size_of(dtype: str) -> int:
    """Bytes of one element."""
    return _BYTES[dtype]


@rule(
    "shared_arrays",
    "__shared__ T s[N][M];",
    "__shared__ float tile[32][33];",
    'tile = T.alloc_shared((32, 33), "float32", scope="shared")',
)
def lower_static_shared(buffer: k.Buffer, lowering: Lowering) -> None:
    """Static shared memory, one array each: upstream never overlaps arrays of scope ``shared``."""
    shape = buffer.shape or (1,)
    name = lowering.names.claim(buffer.name)
    lowering.roots[buffer.name] = Root(name, len(shape))
    lowering.emit(p.AllocShared(name, shape, buffer.dtype, "shared", buffer.span))


@rule(
    "dynamic_shared",
    "extern __shared__ T s[];",
    "extern __shared__ float s[];",
    's = T.alloc_shared((shared // 4,), "float32", scope="shared.dyn")',
    ("TLM251",),
)
def lower_dynamic_shared(buffers: tuple[k.Buffer, ...], lowering: Lowering) -> None:
    """One arena of ``shared`` bytes (a Python int of the builder); parts carved from it are element offsets into it.

    Several dynamic arrays would be overlapped by upstream when their lifetimes seem disjoint, so there is only one;
    parts of another dtype are views of it.
    """
    first = buffers[0]
    arena = lowering.names.claim(first.name)
    length = _length(first.dtype)
    lowering.emit(p.AllocShared(arena, (length,), first.dtype, "shared.dyn", first.span))
    views = {first.dtype: arena}
    for buffer in buffers:
        if buffer.dtype not in views:
            name = lowering.names.claim(f"{arena}_{buffer.dtype}")
            lowering.emit(p.View(name, arena, (_length(buffer.dtype),), buffer.dtype, buffer.span))
            views[buffer.dtype] = name
        lowering.roots[buffer.name] = Root(views[buffer.dtype], 1, _start(buffer, lowering))


def _length(dtype: str) -> str:
    size = size_of(dtype)
    return "max(shared, 16)" if size == 1 else f"max(shared, 16) // {size}"


def _start(buffer: k.Buffer, lowering: Lowering) -> p.PortExpr | None:
    """Where a carved part starts, in elements of its own dtype."""
    if buffer.offset_bytes is None:
        return None
    size = size_of(buffer.dtype)
    offset = buffer.offset_bytes
    while isinstance(offset, k.Cast) and offset.dtype in ("int64", "uint64"):
        offset = offset.operand
    if isinstance(offset, k.Const):
        if int(offset.value) % size:
            raise refuse(
                "TLM251", f"{buffer.name} starts at a byte that is no multiple of its element size", buffer.span
            )
        return None if offset.value == 0 else p.Lit(int(offset.value) // size, "int32")
    if isinstance(offset, k.Binary) and offset.op == "mul":
        for factor, count in ((offset.left, offset.right), (offset.right, offset.left)):
            if isinstance(factor, k.Const) and int(factor.value) % size == 0:
                elements = lowering.index(count)
                scale = int(factor.value) // size
                return elements if scale == 1 else operation("*", elements, p.Lit(scale, "int32"), elements.dtype)
    start = lowering.index(buffer.offset_bytes)
    return operation("//", start, p.Lit(size, "int32"), start.dtype)
