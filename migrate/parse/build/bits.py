"""Scalars out of parts of other sizes: cells of an aggregate, elements of a buffer of another dtype."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrate.ir.kernel import Const, DType, Expr
from migrate.parse.build.scalars import binary, bitcast, bits_dtype, constant, convert
from migrate.parse.build.types import SIZES


def assemble(parts: Sequence[Expr], dtype: DType) -> Expr:
    """A scalar from equal parts, lowest address first (little endian)."""
    size = SIZES[dtype]
    bits = bits_dtype(size)
    part_size = size // len(parts)
    total: Expr | None = None
    for index, part in enumerate(parts):
        word = convert(bitcast(part, bits_dtype(part_size)), bits)
        if index:
            word = binary("shl", word, constant("int32", 8 * part_size * index))
        total = word if total is None else binary("bitor", total, word)
    assert total is not None
    return bitcast(total, dtype)


def extract(value: Expr, offset: int, dtype: DType) -> Expr:
    """``dtype`` from the bytes of ``value`` that start at ``offset``."""
    bits: Expr = bitcast(value, bits_dtype(SIZES[value.dtype]))
    if offset:
        bits = binary("shr", bits, constant("int32", 8 * offset))
    return bitcast(convert(bits, bits_dtype(SIZES[dtype])), dtype)


def insert(old: Expr, offset: int, value: Expr) -> Expr:
    """``old`` with the bytes from ``offset`` on replaced by those of the smaller ``value``."""
    bits = bits_dtype(SIZES[old.dtype])
    width = 8 * SIZES[value.dtype]
    mask = ((1 << width) - 1) << (8 * offset)
    kept = binary("bitand", bitcast(old, bits), constant(bits, ~mask))
    word = convert(bitcast(value, bits_dtype(SIZES[value.dtype])), bits)
    if offset:
        word = binary("shl", word, constant("int32", 8 * offset))
    return bitcast(binary("bitor", kept, word), old.dtype)


def split(value: Expr, dtype: DType, keep: Callable[[Expr], Expr]) -> list[Expr]:
    """The bytes of ``value`` as scalars of the smaller ``dtype``; ``keep`` binds the value, which is read often."""
    held = keep(value)
    step = SIZES[dtype]
    return [extract(held, offset, dtype) for offset in range(0, SIZES[value.dtype], step)]


def read_cells(cells: Sequence[tuple[int, Expr]], offset: int, dtype: DType) -> Expr | None:
    """A scalar at a byte offset of scalar cells (offset, value); None if the cells do not tile it."""
    size = SIZES[dtype]
    inside: list[Expr] = []
    covered = offset
    for start, value in cells:
        width = SIZES[value.dtype]
        if start == offset and width == size:
            return bitcast(value, dtype)
        if start <= offset and offset + size <= start + width:
            return extract(value, offset - start, dtype)
        if offset <= start < offset + size:
            if start != covered or start + width > offset + size:
                return None
            inside.append(value)
            covered = start + width
    if not inside:
        return Const(dtype, False if dtype == "bool" else 0)
    if covered != offset + size:
        return None
    smallest = min(SIZES[value.dtype] for value in inside)
    pieces: list[Expr] = []
    for value in inside:
        width = SIZES[value.dtype]
        pieces += (
            [extract(value, shift, bits_dtype(smallest)) for shift in range(0, width, smallest)]
            if (width != smallest)
            else [value]
        )
    return assemble(pieces, dtype)
