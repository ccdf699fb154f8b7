"""Kernel parameters: scalars, pointers, and structs passed by value, one leaf a parameter."""

from __future__ import annotations

from typing import Any

from clang.cindex import Cursor

from migrate.ir.kernel import Buffer, Const, DType, Expr, ParamRef, PointerParam, ScalarParam, Scope
from migrate.ir.span import Span
from migrate.parse.build.bindings import bind_pointer
from migrate.parse.build.builder import Builder
from migrate.parse.build.objects import make_object
from migrate.parse.build.textures import TextureParameter
from migrate.parse.build.types import (
    ArrayType,
    CType,
    OpaqueType,
    PointerType,
    RecordType,
    ReferenceType,
    ScalarType,
    VoidType,
    leaf_dtypes,
    leaves,
    storage_dtype,
)
from migrate.parse.build.unit import declaration_key
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    PointerValue,
    RegisterPlace,
    ScalarValue,
    TextureValue,
    ValuePlace,
)

OBJECTS = {"cudaTextureObject_t": "texture", "cudaSurfaceObject_t": "surface"}
Params = tuple["ScalarParam | PointerParam", ...]


def bind_kernel_parameters(builder: Builder, cursor: Cursor) -> tuple[Params, tuple[tuple[str, int], ...]]:
    """Binds every parameter; returns the IR parameters and (C type, size) of each C parameter.

    Refuses (TLM106) references, textures and other types that have no scalar or pointer leaves.
    """
    params: list[ScalarParam | PointerParam] = []
    sizes: list[tuple[str, int]] = []
    for position, parameter in enumerate(cursor.get_arguments()):
        span = builder.unit.context.span(parameter)
        ctype = builder.unit.types.read(parameter.type, span)
        sizes.append((parameter.type.spelling, ctype.size))
        builder._spans.append(span)
        kind = OBJECTS.get(ctype.name) if isinstance(ctype, RecordType) else None
        if kind is not None:
            _bind_texture(builder, parameter, ctype, position, kind)
        else:
            params += _bind(builder, parameter, ctype, position, span)
        builder._spans.pop()
    return tuple(params), tuple(sizes)


def _bind_texture(builder: Builder, parameter: Cursor, ctype: CType, position: int, kind: str) -> None:
    """An object becomes IR parameters when the kernel uses it (see `textures.texture_params`)."""
    name = parameter.spelling or f"unused_{position}"
    if parameter.hash in builder.frame.mutated:
        raise builder.refuse("TLM340", f"{kind} parameter {name} is assigned to")
    launched = builder.unit.launched.get(position, ())
    found = TextureParameter(
        name, kind, position, parameter.type.spelling, builder.unit.context.span(parameter), launched
    )
    builder.unit.textures.append(found)
    builder.frame.bindings[parameter.hash] = ValuePlace(TextureValue(found), ctype)


def _bind(
    builder: Builder, parameter: Cursor, ctype: CType, position: int, span: Span
) -> list[ScalarParam | PointerParam]:
    name = parameter.spelling or f"unused_{position}"
    mutated = parameter.hash in builder.frame.mutated
    key = declaration_key(parameter)
    bindings = builder.frame.bindings
    if isinstance(ctype, ReferenceType | OpaqueType | VoidType | ArrayType):
        raise builder.refuse("TLM106", f"parameter {name} of type {parameter.type.spelling} is not converted")
    if isinstance(ctype, ScalarType):
        taken = builder.unit.buffer_name(name)
        value: Expr = ParamRef(taken, ctype.dtype, span)
        if mutated:
            target = make_object(builder, name, ctype, key, ScalarValue(value), temporary=False)
            bindings[parameter.hash] = RegisterPlace(target, 0, ctype)
        else:
            bindings[parameter.hash] = ValuePlace(ScalarValue(value), ctype)
        return [ScalarParam(taken, ctype.dtype, parameter.type.spelling, position, span=span)]
    if isinstance(ctype, PointerType):
        pointer = _buffer(builder, name, ctype, key, span)
        bindings[parameter.hash] = bind_pointer(builder, name, key, ctype, pointer, mutated, False)
        size, holes = _element_bytes(ctype), _padding(ctype)
        return [
            PointerParam(
                pointer.buffer, parameter.type.spelling, position, span=span, element_bytes=size, padding=holes
            )
        ]
    found, aggregate = _record(builder, name, ctype, position, key, span)
    place: Any = ValuePlace(aggregate, ctype)
    if mutated or _has_array(ctype):
        target = make_object(builder, name, ctype, key, aggregate, temporary=False)
        place = RegisterPlace(target, 0, ctype)
    bindings[parameter.hash] = place
    return found


def _buffer(builder: Builder, name: str, ctype: PointerType, key: str, span: Span) -> PointerValue:
    pointee = ctype.pointee
    declared = storage_dtype(pointee)

    def make(taken: str, dtype: DType) -> Buffer:
        return Buffer(
            taken,
            dtype,
            Scope.GLOBAL,
            None,
            const=ctype.const,
            restrict=ctype.restrict,
            volatile=ctype.volatile,
            c_type=ctype.spelling,
            span=span,
        )

    buffer = builder.unit.root(f"parameter:{key}", make, name, declared)
    return PointerValue(buffer, Const("int32", 0), pointee)


def _record(
    builder: Builder, name: str, ctype: RecordType, position: int, key: str, span: Span
) -> tuple[list[ScalarParam | PointerParam], AggregateValue]:
    """A struct passed by value: one parameter a leaf."""
    try:
        found = leaves(ctype, limit=256)
    except ValueError as error:
        raise builder.refuse("TLM106", f"parameter {name}: {error}") from None
    if ctype.union:
        raise builder.refuse("TLM106", f"parameter {name} is a union")
    if not found and leaf_dtypes(ctype):
        raise builder.refuse("TLM106", f"parameter {name} of type {ctype.spelling} is not converted")
    params: list[ScalarParam | PointerParam] = []
    cells: list[Cell] = []
    for leaf in found:
        label = "_".join([name, *(part for part in leaf.path if not part.startswith("<"))])
        if isinstance(leaf.ctype, ScalarType):
            taken = builder.unit.buffer_name(label)
            params.append(
                ScalarParam(taken, leaf.ctype.dtype, leaf.ctype.spelling, position, leaf.path, leaf.offset, span)
            )
            cells.append(Cell(leaf.offset, ParamRef(taken, leaf.ctype.dtype, span)))
        else:
            pointer = _buffer(builder, label, leaf.ctype, f"{key}+{leaf.offset}", span)
            size, holes = _element_bytes(leaf.ctype), _padding(leaf.ctype)
            params.append(
                PointerParam(pointer.buffer, leaf.ctype.spelling, position, leaf.path, leaf.offset, span, size, holes)
            )
            cells.append(Cell(leaf.offset, pointer))
    return params, AggregateValue(ctype, tuple(cells))


def _element_bytes(ctype: CType) -> int:
    """Size of what a pointer points to; 0 if that is incomplete."""
    pointee = ctype.pointee if isinstance(ctype, PointerType) else None
    return 0 if pointee is None or isinstance(pointee, VoidType | OpaqueType) else pointee.size


def _padding(ctype: CType) -> tuple[tuple[int, int], ...]:
    """(offset, size) of the holes in what a pointer points to; empty where that is no plain struct."""
    pointee = ctype.pointee if isinstance(ctype, PointerType) else None
    if not isinstance(pointee, RecordType) or _has_union(pointee):
        return ()
    try:
        found = leaves(pointee)
    except ValueError:
        return ()
    holes: list[tuple[int, int]] = []
    end = 0
    for leaf in found:
        if leaf.offset > end:
            holes.append((end, leaf.offset - end))
        end = max(end, leaf.offset + leaf.ctype.size)
    if pointee.size > end:
        holes.append((end, pointee.size - end))
    return tuple(holes)


def _has_union(ctype: CType) -> bool:
    if isinstance(ctype, ArrayType):
        return _has_union(ctype.element)
    return isinstance(ctype, RecordType) and (ctype.union or any(_has_union(field.ctype) for field in ctype.fields))


def _has_array(ctype: CType) -> bool:
    if isinstance(ctype, RecordType):
        return any(isinstance(field.ctype, ArrayType) or _has_array(field.ctype) for field in ctype.fields)
    return False
