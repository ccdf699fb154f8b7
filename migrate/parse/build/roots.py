"""Variables of static storage: shared, constant and device memory, constant tables, builtin variables."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, StorageClass

from migrate.ir.kernel import Axis, Buffer, Builtin, Const, DType, Scope
from migrate.parse.build.builder import Builder
from migrate.parse.build.clang_types import qualified_name
from migrate.parse.build.hidden import initializer
from migrate.parse.build.objects import array_shape
from migrate.parse.build.scalars import constant
from migrate.parse.build.types import ArrayType, CType, PointerType, RecordType, ScalarType, leaf_dtypes, storage_dtype
from migrate.parse.build.unit import declaration_key, has_attribute
from migrate.parse.build.values import AggregateValue, Cell, MemoryPlace, Operand, ScalarValue, ValuePlace
from migrate.parse.clang_extra import evaluate

_BUILTINS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_AXES: tuple[Axis, ...] = ("x", "y", "z")
_DYNAMIC_KEY = "dynamic shared memory"


def global_variable(builder: Builder, declaration: Cursor) -> Operand:
    """What a variable of static storage means in a kernel.

    Refuses (TLM213) host variables and static locals that change, (TLM106) types that no buffer holds.
    """
    builtin = _builtin(builder, declaration)
    if builtin is not None:
        return builtin
    ctype = builder.unit.types.read(declaration.type, builder.span)
    if has_attribute(declaration, CursorKind.CUDASHARED_ATTR):
        return _shared(builder, declaration, ctype)
    constant_memory = has_attribute(declaration, CursorKind.CUDACONSTANT_ATTR)
    fixed = declaration.type.is_const_qualified() or _element_const(declaration)
    if isinstance(ctype, ScalarType) and fixed and not constant_memory:
        value = evaluate(declaration)
        if value is not None:
            return ValuePlace(ScalarValue(constant(ctype.dtype, value, builder.span)), ctype)
    if constant_memory:
        return _memory(builder, declaration, ctype, Scope.CONSTANT, _values(builder, declaration, ctype))
    if has_attribute(declaration, CursorKind.CUDADEVICE_ATTR) and not fixed:
        return _memory(builder, declaration, ctype, Scope.DEVICE, _values(builder, declaration, ctype))
    if fixed:
        values = _values(builder, declaration, ctype)
        if values is not None:
            return _memory(builder, declaration, ctype, Scope.CONSTANT, values)
        raise builder.refuse("TLM109", f"the initial value of {declaration.spelling} could not be found")
    raise builder.refuse(
        "TLM213", f"{declaration.spelling} is a variable of static storage that device code cannot use"
    )


def _element_const(declaration: Cursor) -> bool:
    ctype = declaration.type
    while ctype.get_array_element_type().spelling:  # a canonical array type has lost the qualifier of its element
        ctype = ctype.get_array_element_type()
    return bool(ctype.is_const_qualified())


def _builtin(builder: Builder, declaration: Cursor) -> Operand | None:
    name = declaration.spelling
    if not builder.unit.context.in_shim(declaration):
        return None
    if name == "warpSize":
        return ScalarValue(Const("int32", 32, builder.span))
    if name in _BUILTINS:
        ctype = builder.unit.types.read(declaration.type, builder.span)
        cells = tuple(Cell(4 * index, Builtin(name, axis, builder.span)) for index, axis in enumerate(_AXES))
        return ValuePlace(AggregateValue(ctype, cells), ctype)
    return None


def _shared(builder: Builder, declaration: Cursor, ctype: CType) -> Operand:
    dynamic = declaration.storage_class == StorageClass.EXTERN
    if not dynamic:
        return _memory(builder, declaration, ctype, Scope.SHARED, None)
    span = builder.unit.context.span(declaration)

    def make(name: str, dtype: DType) -> Buffer:
        return Buffer(name, dtype, Scope.DYNAMIC_SHARED, None, c_type=declaration.type.spelling, span=span)

    # An array of pointers is only a way to write "bytes aligned to eight": its uses tell the element.
    declared = "uint8" if isinstance(ctype, ArrayType) and isinstance(ctype.element, PointerType) else None
    buffer = builder.unit.root(_DYNAMIC_KEY, make, declaration.spelling, declared or storage_dtype(ctype))
    return MemoryPlace(buffer, Const("int32", 0), ctype)


def _check_type(builder: Builder, declaration: Cursor, ctype: CType) -> None:
    inner = ctype
    while isinstance(inner, ArrayType):
        inner = inner.element
    if isinstance(inner, PointerType) or not (isinstance(inner, ScalarType) or leaf_dtypes(inner)):
        raise builder.refuse("TLM106", f"{declaration.spelling} of type {declaration.type.spelling} is not converted")


def _memory(
    builder: Builder, declaration: Cursor, ctype: CType, scope: Scope, values: tuple[int | float | bool, ...] | None
) -> Operand:
    _check_type(builder, declaration, ctype)
    key = declaration_key(declaration)
    span = builder.unit.context.span(declaration)
    flat = scope != Scope.SHARED or key in builder.unit.plan.flat  # what the launcher passes is flat

    def make(name: str, dtype: DType) -> Buffer:
        return Buffer(
            name,
            dtype,
            scope,
            array_shape(ctype, dtype, flat=flat),
            const=scope == Scope.CONSTANT,
            volatile=declaration.type.is_volatile_qualified(),
            c_type=declaration.type.spelling,
            initial=values,
            span=span,
        )

    buffer = builder.unit.root(key, make, declaration.spelling, storage_dtype(ctype))
    if values is not None and buffer.dtype != storage_dtype(ctype):
        raise builder.refuse("TLM102", f"{declaration.spelling} has an initial value and is read in another type")
    several = buffer.shape is not None and len(buffer.shape) > 1
    return MemoryPlace(buffer, Const("int32", 0), ctype, () if several else None)


def _values(builder: Builder, declaration: Cursor, ctype: CType) -> tuple[int | float | bool, ...] | None:
    """Constant initial values in memory order, padded with zeros; None if there are none or they are not constant."""
    definition = declaration.get_definition() or declaration
    start = initializer(definition)
    if start is None:
        return None
    if isinstance(ctype, ScalarType):
        value = evaluate(definition)
        return None if value is None else (value,)
    if len(leaf_dtypes(ctype)) != 1:
        return None
    from migrate.parse.build.initializers import place_items

    items = place_items(builder, start, ctype)
    if items is None:
        return None
    step = max(_leaf_size(ctype), 1)
    values: list[int | float | bool] = [0] * (ctype.size // step)
    for offset, leaf, cursor in items:
        value = evaluate(cursor)
        if value is None or not isinstance(leaf, ScalarType):
            return None
        values[offset // step] = constant(leaf.dtype, value).value
    return tuple(values)


def _leaf_size(ctype: CType) -> int:
    if isinstance(ctype, ArrayType):
        return _leaf_size(ctype.element)
    if isinstance(ctype, RecordType):
        return _leaf_size(ctype.fields[0].ctype) if ctype.fields else 1
    return ctype.size


def full_name(declaration: Cursor) -> str:
    """Qualified name of a declaration."""
    return qualified_name(declaration)
