"""Parameters of inlined bodies and local variables: how a name is bound to its first value."""

from __future__ import annotations

from typing import cast

from clang.cindex import Cursor

from migrate.ir.kernel import Declare, Expr, LocalRef, LocalVar
from migrate.parse.build import places, pointers
from migrate.parse.build.builder import PLACES, POINTERS, Builder
from migrate.parse.build.casts import convert_operand
from migrate.parse.build.frame import Frame
from migrate.parse.build.objects import make_object
from migrate.parse.build.scalars import is_trivial
from migrate.parse.build.types import ArrayType, CType, PointerType, RecordType, ReferenceType, ScalarType
from migrate.parse.build.unit import declaration_key
from migrate.parse.build.values import (
    ChoicePointer,
    ClosureValue,
    Operand,
    Place,
    Pointer,
    PointerValue,
    RegisterPlace,
    ScalarValue,
    StringValue,
    TextureValue,
    Value,
    ValuePlace,
)


def bind_parameter(builder: Builder, frame: Frame, parameter: Cursor, operand: Operand) -> None:
    """Binds a parameter in ``frame`` (the callee's) while statements still go to the caller's list."""
    ctype = builder.unit.types.read(parameter.type, builder.span)
    mutated = parameter.hash in frame.mutated
    frame.bindings[parameter.hash] = bound_operand(
        builder, parameter.spelling or "argument", declaration_key(parameter), ctype, operand, mutated, temporary=True
    )


def bound_operand(
    builder: Builder, name: str, key: str, ctype: CType, operand: Operand, mutated: bool, *, temporary: bool
) -> Operand:
    """What a variable of ``ctype`` initialised with ``operand`` is bound to; emits its declaration if it needs one."""
    mutated = mutated or key in builder.unit.plan.written
    if isinstance(operand, ClosureValue | StringValue | TextureValue):
        return operand
    if isinstance(ctype, ReferenceType):
        return _reference(builder, name, key, ctype, operand)
    if isinstance(operand, RegisterPlace) and operand.target.transient and isinstance(ctype, RecordType):
        operand.target.transient = False
        return operand
    value = builder.value(operand)
    if isinstance(value, ClosureValue | StringValue | TextureValue):
        return value
    if isinstance(ctype, ScalarType):
        expr = builder.scalar(value, ctype.dtype)
        if temporary and not mutated and is_trivial(expr):
            return ValuePlace(ScalarValue(expr), ctype)
        target = make_object(builder, name, ctype, key, ScalarValue(expr), mutable=mutated, temporary=temporary)
        return RegisterPlace(target, 0, ctype)
    if isinstance(ctype, PointerType):
        pointer = convert_operand(builder, value, ctype, implied=True)
        return bind_pointer(builder, name, key, ctype, cast("Pointer", builder.value(pointer)), mutated, temporary)
    if isinstance(ctype, ArrayType) and ctype.count is None:
        return value
    target = make_object(builder, name, ctype, key, value, mutable=mutated, temporary=temporary)
    return RegisterPlace(target, 0, ctype)


def _reference(builder: Builder, name: str, key: str, ctype: ReferenceType, operand: Operand) -> Operand:
    if isinstance(operand, PLACES):
        if isinstance(operand, ValuePlace):
            return _held(builder, name, key, ctype, operand.value)
        kinds = (ctype.target, operand.ctype)
        if len({kind.dtype for kind in kinds if isinstance(kind, ScalarType)}) > 1:
            return _held(builder, name, key, ctype, builder.value(operand))
        return builder.steady(operand)
    return _held(builder, name, key, ctype, operand)


def _held(builder: Builder, name: str, key: str, ctype: ReferenceType, value: Value) -> Operand:
    """A reference to a temporary."""
    if isinstance(value, ClosureValue | StringValue | TextureValue):
        return value
    kind = ctype.target
    if isinstance(kind, ScalarType):
        expr = builder.scalar(value, kind.dtype)
        if ctype.const and is_trivial(expr):
            return ValuePlace(ScalarValue(expr), kind)
    if isinstance(kind, PointerType) and isinstance(value, POINTERS):
        return ValuePlace(cast("Value", builder.freeze(value)), kind)
    target = make_object(builder, name, kind, key, value, mutable=not ctype.const)
    return RegisterPlace(target, 0, kind)


def bind_pointer(
    builder: Builder, name: str, key: str, ctype: PointerType, value: Pointer, mutated: bool, temporary: bool
) -> Operand:
    """A pointer variable: fixed ones keep their offset in a local, moving ones become an object."""
    if mutated:
        target = make_object(builder, name, ctype, key, value, temporary=temporary)
        return RegisterPlace(target, 0, ctype)
    return ValuePlace(_fixed(builder, name, value, temporary), ctype)


def _fixed(builder: Builder, name: str, value: Pointer, temporary: bool) -> Pointer:
    if isinstance(value, PointerValue):
        offset = _fixed_offset(builder, name, value.offset, temporary)
        return PointerValue(value.buffer, offset, value.pointee)
    if isinstance(value, ChoicePointer):
        cond = builder.bind("choice", value.cond)
        then = _fixed(builder, name, value.then, temporary)
        return ChoicePointer(cond, then, _fixed(builder, name, value.otherwise, temporary), value.pointee)
    return value


def _fixed_offset(builder: Builder, name: str, offset: Expr, temporary: bool) -> Expr:
    if is_trivial(offset) or (isinstance(offset, LocalRef) and not offset.var.mutable):
        return offset
    hint = f"{name}_offset"
    if temporary:
        variable = builder.fresh(hint, offset.dtype)
    else:
        variable = LocalVar(builder.take_name(hint), offset.dtype, False, builder.span)
    builder.emit(Declare(variable, offset, builder.span))
    return LocalRef(variable, builder.span)


def place_or_spill(builder: Builder, operand: Operand) -> Place:
    """A place for ``this``: temporaries get an object."""
    if isinstance(operand, PLACES) and not isinstance(operand, ValuePlace):
        return builder.steady(operand)
    if isinstance(operand, ValuePlace):
        return operand
    return places.spill(builder, operand)


def pointee_place(builder: Builder, pointer: Pointer) -> Place:
    """Where a pointer points."""
    return places.dereference(builder, pointers.retarget(pointer, pointer.pointee))
