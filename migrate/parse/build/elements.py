"""Element offsets, index tuples and the scalar parts of aggregate values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from migrate.ir.kernel import Buffer, Const, DType, Expr
from migrate.parse.build.bits import read_cells
from migrate.parse.build.scalars import add, constant, convert
from migrate.parse.build.types import ScalarType, leaves
from migrate.parse.build.unit import is_wide
from migrate.parse.build.values import (
    AggregateValue,
    ChoicePointer,
    NullPointer,
    PointerValue,
    RegisterPointer,
)

if TYPE_CHECKING:
    from migrate.parse.build.builder import Builder

_POINTERS = (PointerValue, RegisterPointer, ChoicePointer, NullPointer)


def address_dtype(buffer: Buffer) -> DType:
    """int64 for buffers in global memory, int32 for small ones."""
    return "int64" if is_wide(buffer) else "int32"


def shifted(buffer: Buffer, offset: Expr, elements: int) -> Expr:
    """``offset + elements`` in the address dtype."""
    if elements == 0:
        return offset
    dtype = address_dtype(buffer)
    if isinstance(offset, Const):
        return constant(dtype if is_wide(buffer) else offset.dtype, int(offset.value) + elements)
    return add(convert(offset, dtype), constant(dtype, elements))


def indices_of_run(buffer: Buffer, first: Expr, number: int) -> tuple[Expr, ...]:
    """Indices of the element that is ``number`` after the one at ``first`` in a flat buffer."""
    index = shifted(buffer, first, number)
    if isinstance(index, Const) and abs(int(index.value)) < 1 << 31:
        index = Const("int32", int(index.value), index.span)
    return (index,)


def whole_index(buffer: Buffer, element: int) -> tuple[Expr, ...]:
    """Indices of the row-major ``element`` of a buffer."""
    shape = buffer.shape or (0,)
    result: list[Expr] = []
    for extent in reversed(shape[1:]):
        result.append(Const("int32", element % extent))
        element //= extent
    result.append(Const("int32", element))
    return tuple(reversed(result))


def indices(builder: Builder, buffer: Buffer, offset: Expr, subscripts: tuple[Expr, ...] | None) -> tuple[Expr, ...]:
    """Index tuple of an access; an array of arrays that is not fully subscripted is noted for flattening."""
    if buffer.shape is not None and len(buffer.shape) > 1:
        if subscripts is not None and len(subscripts) == len(buffer.shape):
            return subscripts
        builder.unit.flatten(buffer)
        return tuple(Const("int32", 0) for _ in buffer.shape)
    if isinstance(offset, Const) and abs(int(offset.value)) < 1 << 31:
        return (Const("int32", int(offset.value), offset.span),)
    return (offset,)


def aggregate_leaf(builder: Builder, value: AggregateValue, index: int) -> Expr:
    """Leaf ``index`` of an aggregate value in its own dtype."""
    leaf = leaves(value.ctype)[index]
    if not isinstance(leaf.ctype, ScalarType):
        raise builder.refuse("TLM101", "a scalar member is needed here")
    return cell_scalar(builder, value, leaf.offset, leaf.ctype.dtype)


def cell_scalar(builder: Builder, value: AggregateValue, offset: int, dtype: DType) -> Expr:
    """A scalar at a byte offset of an aggregate value."""
    cells = [(cell.offset, cell.value) for cell in value.cells if not isinstance(cell.value, _POINTERS)]
    found = read_cells(cells, offset, dtype)
    if found is None:
        raise builder.refuse("TLM102", f"part of a {value.ctype.spelling} is read in a type that does not fit it")
    return found
