"""Objects of automatic storage: which local variables and arrays hold a C object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from migrate.ir.kernel import Buffer, Declare, DeclareArray, DType, Expr, LocalVar, Scope, Stmt
from migrate.parse.build import pointers
from migrate.parse.build.bits import read_cells
from migrate.parse.build.markers import Mark
from migrate.parse.build.scalars import constant
from migrate.parse.build.types import (
    SIZES,
    ArrayType,
    CType,
    PointerType,
    RecordType,
    ScalarType,
    leaf_dtypes,
    storage_dtype,
)
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    ChoicePointer,
    NullPointer,
    PointerValue,
    PointerVariable,
    RegisterObject,
    RegisterPointer,
    ScalarValue,
    Slot,
    Value,
)

if TYPE_CHECKING:
    from migrate.parse.build.builder import Builder

_POINTERS = (PointerValue, RegisterPointer, ChoicePointer, NullPointer)


def make_object(
    builder: Builder,
    name: str,
    ctype: CType,
    key: str,
    value: Value | None = None,
    *,
    mutable: bool = True,
    zero: bool = False,
    temporary: bool = True,
) -> RegisterObject:
    """Declares an object with an initial value (None: undefined, or zero). Refuses types without extent (TLM106)."""
    target = RegisterObject(name, ctype, key)
    maker = _Slots(builder, target, mutable, temporary)
    if isinstance(ctype, ScalarType):
        initial = builder.scalar(value, ctype.dtype) if value is not None else None
        if zero and initial is None:
            initial = constant(ctype.dtype, 0)
        variable = maker.variable(name, ctype.dtype, initial is None)
        target.slots.append(Slot(0, ctype.size, variable))
        builder.emit(Declare(variable, initial, builder.span))
        return target
    if value is None and not zero and isinstance(ctype, RecordType):
        _put_off(builder, target, maker)
        return target
    if value is not None and not isinstance(value, (AggregateValue, *_POINTERS)):
        raise builder.refuse("TLM101", f"an initial value of another kind for {ctype.spelling}")
    cells: Sequence[Cell] = ()
    if isinstance(value, AggregateValue):
        cells = value.cells
    elif value is not None and isinstance(value, _POINTERS):
        cells = (Cell(0, value),)
    maker.declare(ctype, 0, name, cells, zero=zero or isinstance(value, AggregateValue))
    return target


def _put_off(builder: Builder, target: RegisterObject, maker: _Slots) -> None:
    mark = Mark()
    block = builder.block
    block.append(cast("Stmt", mark))

    def settle(value: AggregateValue | None) -> bool:
        position = next(index for index, statement in enumerate(block) if cast("object", statement) is mark)
        if value is not None and builder.block is block and not _has_arrays(target.ctype):
            del block[position]  # the first store, in the same list: it becomes the declaration
            maker.mutable = True
            maker.declare(target.ctype, 0, target.name, value.cells, zero=True)
            return True
        with builder.nested() as statements:
            maker.mutable = True
            maker.layout = tuple((c.offset, c.value.dtype) for c in value.cells if not isinstance(c.value, _POINTERS)) \
                if value is not None else ()  # fmt: skip
            maker.declare(target.ctype, 0, target.name, None, zero=False)
        block[position : position + 1] = statements
        for slot in target.slots:
            if isinstance(slot.holder, PointerVariable):
                slot.holder.block = block
        return False

    target.settle = settle


class _Slots:
    """Makes the slots of one object, in memory order."""

    def __init__(self, builder: Builder, target: RegisterObject, mutable: bool, temporary: bool) -> None:
        self.builder = builder
        self.target = target
        self.mutable = mutable
        self.temporary = temporary
        self.layout: Sequence[tuple[int, DType]] = ()

    def variable(self, name: str, dtype: DType, undefined: bool) -> LocalVar:
        """A scalar local of the object."""
        builder = self.builder
        if self.temporary:
            return builder.fresh(name, dtype, self.mutable or undefined)
        return LocalVar(builder.take_name(name), dtype, self.mutable or undefined, builder.span)

    def declare(self, ctype: CType, offset: int, name: str, cells: Sequence[Cell] | None, *, zero: bool) -> None:
        """Slots for ``ctype`` at ``offset``; ``cells`` None leaves them undefined."""
        whole = offset == 0 and self.target.key in self.builder.unit.plan.held_as_array
        if isinstance(ctype, ScalarType):
            self._scalar(ctype, offset, name, cells, zero)
        elif isinstance(ctype, PointerType):
            self._pointer(ctype, offset, name, cells)
        elif isinstance(ctype, ArrayType) and ctype.count is not None:
            if _holds_pointers(ctype):
                if ctype.count > 64:
                    raise self.builder.refuse("TLM115", f"{name}: an array of {ctype.count} pointers")
                for index in range(ctype.count):
                    self.declare(
                        ctype.element, offset + index * ctype.element.size, f"{name}_{index}", cells, zero=zero
                    )
            else:
                self._array(ctype, offset, name, cells, zero)
        elif isinstance(ctype, RecordType):
            if (ctype.union or whole) and not _holds_pointers(ctype) and ctype.fields:
                self._array(ctype, offset, name, cells, zero)
                return
            for field in ctype.fields:
                label = name if field.name.startswith("<") else f"{name}_{field.name}"
                self.declare(field.ctype, offset + field.offset, label, cells, zero=zero)
        else:
            raise self.builder.refuse("TLM106", f"an object of type {ctype.spelling} is not converted")

    def _scalar(self, ctype: ScalarType, offset: int, name: str, cells: Sequence[Cell] | None, zero: bool) -> None:
        builder = self.builder
        layout = self.layout
        if cells is not None:
            layout = tuple((cell.offset, cell.value.dtype) for cell in cells if not isinstance(cell.value, _POINTERS))
        pieces = [(at, kind) for at, kind in layout if offset <= at and at + SIZES[kind] <= offset + ctype.size]
        if not pieces or sum(SIZES[kind] for _, kind in pieces) != ctype.size:
            pieces = [(offset, ctype.dtype)]
        for number, (at, kind) in enumerate(pieces):
            label = name if len(pieces) == 1 else f"{name}_{number}"
            initial = self._initial(cells, at, kind, zero)
            variable = self.variable(label, kind, initial is None)
            self.target.slots.append(Slot(at, SIZES[kind], variable))
            builder.emit(Declare(variable, initial, builder.span))

    def _initial(self, cells: Sequence[Cell] | None, offset: int, dtype: DType, zero: bool) -> Expr | None:
        if cells is None or (not cells and not zero):
            return constant(dtype, 0) if zero else None
        scalars = [(c.offset, c.value) for c in cells if not isinstance(c.value, _POINTERS)]
        found = read_cells(scalars, offset, dtype)
        if found is None:
            raise self.builder.refuse("TLM102", f"{self.target.name} is initialised from parts that do not fit it")
        return found

    def _pointer(self, ctype: PointerType, offset: int, name: str, cells: Sequence[Cell] | None) -> None:
        initial: Value | None = None
        for cell in cells or ():
            if cell.offset == offset and isinstance(cell.value, _POINTERS):
                initial = cell.value
        key = f"{self.target.key}+{offset}"
        variable = pointers.declare_variable(self.builder, name, key, ctype, initial)
        self.target.slots.append(Slot(offset, 8, variable))

    def _array(
        self, ctype: ArrayType | RecordType, offset: int, name: str, cells: Sequence[Cell] | None, zero: bool
    ) -> None:
        builder = self.builder
        unit = builder.unit
        key = f"{self.target.key}+{offset}"
        dtype = unit.dtype_of(key, storage_dtype(ctype))
        shape = array_shape(ctype, dtype, flat=key in unit.plan.flat)
        buffer = Buffer(unit.buffer_name(name), dtype, Scope.LOCAL, shape, c_type=ctype.spelling, span=builder.span)
        unit.keys[buffer.name] = key
        unit.identities[key] = buffer
        size = -(-ctype.size // SIZES[dtype]) * SIZES[dtype]
        self.target.slots.append(Slot(offset, size, buffer))
        initial: tuple[Expr, ...] | None = None
        if cells is not None and (cells or zero):
            last = max((cell.offset for cell in cells), default=-1)
            count = min(max(0, -(-(last + 1 - offset) // SIZES[dtype])), size // SIZES[dtype])
            values = [self._initial(cells, offset + index * SIZES[dtype], dtype, True) for index in range(count)]
            initial = tuple(value for value in values if value is not None)
        elif zero:
            initial = ()
        builder.emit(DeclareArray(buffer, initial, builder.span))


def array_shape(ctype: CType, dtype: DType, *, flat: bool) -> tuple[int, ...]:
    """Extents of a buffer that holds ``ctype``; one dimension unless it is an array (of arrays) of that very scalar."""
    extents: list[int] = []
    inner = ctype
    while isinstance(inner, ArrayType):
        extents.append(inner.count or 0)
        inner = inner.element
    if not flat and isinstance(inner, ScalarType) and SIZES[inner.dtype] == SIZES[dtype] and extents:
        return tuple(extents)
    return (-(-ctype.size // SIZES[dtype]),)


def _has_arrays(ctype: CType) -> bool:
    if isinstance(ctype, RecordType):
        return ctype.union or any(_has_arrays(field.ctype) for field in ctype.fields)
    return not isinstance(ctype, ScalarType | PointerType)


def _holds_pointers(ctype: CType) -> bool:
    if isinstance(ctype, PointerType):
        return True
    if isinstance(ctype, ArrayType):
        return _holds_pointers(ctype.element)
    if isinstance(ctype, RecordType):
        return any(_holds_pointers(field.ctype) for field in ctype.fields)
    return False


def zero_value(builder: Builder, ctype: CType) -> Value:
    """``T()``: zero in every leaf. Refuses types that have no leaves (TLM106)."""
    if isinstance(ctype, ScalarType):
        return ScalarValue(constant(ctype.dtype, 0))
    if isinstance(ctype, PointerType):
        return NullPointer(ctype.pointee)
    if isinstance(ctype, RecordType | ArrayType) and (leaf_dtypes(ctype) or isinstance(ctype, RecordType)):
        return AggregateValue(ctype, ())
    raise builder.refuse("TLM106", f"a value of type {ctype.spelling} is not converted")
