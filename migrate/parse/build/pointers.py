"""Pointer arithmetic, comparisons and local pointer variables: a root known while building plus a moving offset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from migrate.ir.kernel import (
    Assign,
    Binary,
    BinaryOp,
    Buffer,
    Const,
    Declare,
    DType,
    Expr,
    LocalRef,
    Select,
)
from migrate.parse.build.scalars import add, binary, constant, convert, divide_exactly, is_constant, scale
from migrate.parse.build.types import SIZES, CType, PointerType
from migrate.parse.build.unit import is_wide
from migrate.parse.build.values import (
    ChoicePointer,
    NullPointer,
    Operand,
    Pointer,
    PointerValue,
    PointerVariable,
    RegisterPlace,
    RegisterPointer,
    Value,
)

if TYPE_CHECKING:
    from migrate.parse.build.builder import Builder

_POINTERS = (PointerValue, RegisterPointer, ChoicePointer, NullPointer)


def retarget(pointer: Pointer, pointee: CType) -> Pointer:
    """The same address as a pointer to another type."""
    if isinstance(pointer, PointerValue):
        return PointerValue(pointer.buffer, pointer.offset, pointee)
    if isinstance(pointer, RegisterPointer):
        return RegisterPointer(pointer.place, pointee)
    if isinstance(pointer, ChoicePointer):
        then, otherwise = retarget(pointer.then, pointee), retarget(pointer.otherwise, pointee)
        return ChoicePointer(pointer.cond, then, otherwise, pointee)
    return NullPointer(pointee)


def advance(builder: Builder, pointer: Operand, index: Expr, *, negative: bool = False) -> Pointer:
    """``pointer + index`` (``-`` if ``negative``) in C's steps of the pointee.

    Refuses (TLM115) computed steps over separate variables and arithmetic on null.
    """
    if isinstance(pointer, PointerValue):
        return _advance_buffer(builder, pointer, index, negative)
    if isinstance(pointer, ChoicePointer):
        index = builder.bind("step", index)
        then = advance(builder, pointer.then, index, negative=negative)
        otherwise = advance(builder, pointer.otherwise, index, negative=negative)
        return ChoicePointer(pointer.cond, then, otherwise, pointer.pointee)
    if isinstance(pointer, RegisterPointer):
        if isinstance(index, Const):
            step = int(index.value) * pointer.pointee.size * (-1 if negative else 1)
            place = pointer.place
            return RegisterPointer(RegisterPlace(place.target, place.offset + step, place.ctype), pointer.pointee)
        builder.unit.plan.add_to(builder.unit.plan.held_as_array, pointer.place.target.key)
        if pointer.place.target.key in builder.unit.plan.held_as_array and not builder.unit.plan.changed:
            raise builder.refuse("TLM115", f"a computed step through the members of {pointer.place.target.name}")
        return pointer
    if isinstance(pointer, NullPointer):  # a step from null is never used: reading through it is refused
        return pointer
    raise builder.refuse("TLM115", "arithmetic on something that is no pointer into an array")


def _advance_buffer(builder: Builder, pointer: PointerValue, index: Expr, negative: bool) -> Pointer:
    buffer, stride = pointer.buffer, pointer.pointee.size
    step = SIZES[buffer.dtype]
    if is_constant(index, 0):
        return pointer
    if stride % step == 0:
        if stride == step and not negative and is_constant(pointer.offset, 0):
            return PointerValue(buffer, index, pointer.pointee)
        moved: Expr | None = scale(wide(buffer, index), stride // step)
    else:
        # Divided before it is narrowed: the remainder shows only in the index as it was computed.
        own = index if SIZES[index.dtype] == 8 else wide(buffer, index)
        quotient = divide_exactly(scale(own, stride), step)
        moved = None if quotient is None else wide(buffer, quotient)
    if moved is None:
        builder.unit.limit(buffer, max(step // 2, 1))
        return pointer
    base = wide(buffer, pointer.offset)
    if negative:
        folded = constant(moved.dtype, -int(moved.value)) if isinstance(moved, Const) else None
        return PointerValue(buffer, add(base, folded) if folded else binary("sub", base, moved), pointer.pointee)
    return PointerValue(buffer, add(base, moved), pointer.pointee)


def wide(buffer: Buffer, index: Expr) -> Expr:
    """An index in the dtype that addresses of the buffer are computed in."""
    return convert(index, "int64" if is_wide(buffer) else "int32")


# --- variables ------------------------------------------------------------------------------------------------------


def root_name(builder: Builder, pointer: Pointer) -> str:
    """The plan's name of what a simple pointer points into."""
    if isinstance(pointer, PointerValue):
        return builder.unit.identity_of(pointer.buffer)
    if isinstance(pointer, NullPointer):
        return "null"
    raise builder.refuse("TLM115", "a pointer variable that moves and may point to local variables or two buffers")


def declare_variable(
    builder: Builder, name: str, key: str, ctype: PointerType, initial: Value | None
) -> PointerVariable:
    """A local pointer that is assigned later on; emits the declaration of its offset."""
    key = f"{key}|{builder.frame.specialisation}"
    pointer = PointerVariable(name, ctype.pointee, key, block=builder.block)
    is_global = (
        initial is None
        or isinstance(initial, ChoicePointer | NullPointer)
        or (isinstance(initial, PointerValue) and is_wide(initial.buffer))
    )
    targets = builder.unit.plan.pointer_targets.get(key, [])
    dtype: DType = "int64" if is_global or len(targets) > 1 else "int32"
    if isinstance(initial, RegisterPointer):
        pointer.current = initial
        return pointer
    pointer.offset = builder.fresh(f"{name}_offset", dtype, mutable=True)
    several = len(targets) > 1 and key in builder.unit.plan.changing_roots
    known = isinstance(initial, PointerValue)
    start = convert(initial.offset, dtype) if isinstance(initial, PointerValue) else constant(dtype, 0)
    index = _remember(builder, pointer, initial) if isinstance(initial, PointerValue) else 0
    builder.emit(Declare(pointer.offset, start, builder.span))
    if several:
        pointer.selector = builder.fresh(f"{name}_root", "int32", mutable=True)
        builder.emit(Declare(pointer.selector, constant("int32", index), builder.span))
    if known:
        return pointer
    if initial is not None and isinstance(initial, _POINTERS):
        write_variable(builder, pointer, initial)
    return pointer


def _remember(builder: Builder, variable: PointerVariable, value: Pointer) -> int:
    """Index of the value's root among those of the variable."""
    name = root_name(builder, value)
    index = builder.unit.plan.add_target(variable.key, name)
    if name != variable.root and builder.block is not variable.block:
        builder.unit.plan.add_to(builder.unit.plan.changing_roots, variable.key)
    variable.root = name
    if isinstance(value, PointerValue):
        variable.targets[name] = PointerValue(value.buffer, Const("int32", 0), variable.pointee)
    else:
        variable.targets[name] = NullPointer(variable.pointee)
    return index


def write_variable(builder: Builder, variable: PointerVariable, value: Pointer) -> None:
    """Re-seats a local pointer."""
    from migrate.ir.kernel import If

    if variable.offset is None:
        if isinstance(value, RegisterPointer) and value == variable.current:
            return
        raise builder.refuse("TLM115", f"{variable.name} points to local variables and is changed")
    if isinstance(value, RegisterPointer) and _is_first(builder, variable):
        variable.current, variable.offset = value, None
        return
    if isinstance(value, ChoicePointer):
        with builder.nested() as then:
            write_variable(builder, variable, value.then)
        with builder.nested() as otherwise:
            write_variable(builder, variable, value.otherwise)
        builder.emit(If(value.cond, tuple(then), tuple(otherwise), builder.span))
        return
    index = _remember(builder, variable, value)
    if isinstance(value, PointerValue):
        builder.emit(Assign(variable.offset, convert(value.offset, variable.offset.dtype), builder.span))
    if variable.selector is not None:
        builder.emit(Assign(variable.selector, constant("int32", index), builder.span))


def _is_first(builder: Builder, variable: PointerVariable) -> bool:
    """True if nothing was assigned yet and the write stands beside the declaration, whose offset then goes."""
    if variable.targets or variable.block is not builder.block:
        return False
    for index, statement in enumerate(builder.block):
        if isinstance(statement, Declare) and statement.var == variable.offset:
            del builder.block[index]
            return True
    return False


def read_variable(builder: Builder, variable: PointerVariable) -> Pointer:
    """The pointer that a local pointer variable holds now."""
    if variable.offset is None:
        if variable.current is None:
            raise builder.refuse("TLM115", f"{variable.name} is used before it points to anything")
        return variable.current
    names = builder.unit.plan.pointer_targets.get(variable.key, [])
    if variable.key not in builder.unit.plan.changing_roots and variable.root is not None:
        return _target(builder, variable, variable.root, LocalRef(variable.offset, builder.span))
    if not names or (len(names) > 1 and variable.selector is None):
        if builder.unit.plan.changed:  # this pass is not kept
            return NullPointer(variable.pointee)
        raise builder.refuse("TLM115", f"{variable.name} is used before it points to anything")
    offset = LocalRef(variable.offset, builder.span)
    choices = [_target(builder, variable, name, offset) for name in names]
    result: Pointer = choices[-1]
    for index in range(len(choices) - 2, -1, -1):
        assert variable.selector is not None
        cond = Binary("eq", LocalRef(variable.selector), constant("int32", index), "bool", builder.span)
        result = ChoicePointer(cond, choices[index], result, variable.pointee)
    return result


def _target(builder: Builder, variable: PointerVariable, name: str, offset: Expr) -> Pointer:
    """The variable's pointer into one of its roots, whether or not this pass has come to that assignment yet."""
    if name == "null":
        return NullPointer(variable.pointee)
    seen = variable.targets.get(name)
    buffer = seen.buffer if isinstance(seen, PointerValue) else builder.unit.identities.get(name)
    if buffer is None:
        raise builder.refuse("TLM115", f"{variable.name} may point to a buffer that is declared later")
    return PointerValue(buffer, offset, variable.pointee)


# --- comparison and difference --------------------------------------------------------------------------------------


def compare(builder: Builder, op: BinaryOp, left: Value, right: Value) -> Expr:
    """Comparison of two pointers. Refuses (TLM104) pointers into different buffers."""
    from migrate.parse.build.places import is_not_null

    if isinstance(left, NullPointer) or isinstance(right, NullPointer):
        other = right if isinstance(left, NullPointer) else left
        present = is_not_null(builder, other)
        if op in ("eq", "ne"):
            if op == "ne":
                return present
            if isinstance(present, Const):
                return Const("bool", not present.value)
            from migrate.ir.kernel import Unary

            return Unary("not", present, "bool", builder.span)
    if isinstance(left, ChoicePointer):
        then = compare(builder, op, left.then, right)
        return Select(left.cond, then, compare(builder, op, left.otherwise, right), "bool", builder.span)
    if isinstance(right, ChoicePointer):
        then = compare(builder, op, left, right.then)
        return Select(right.cond, then, compare(builder, op, left, right.otherwise), "bool", builder.span)
    if isinstance(left, PointerValue) and isinstance(right, PointerValue) and left.buffer.name == right.buffer.name:
        buffer = left.buffer
        return binary(op, wide(buffer, left.offset), wide(buffer, right.offset), builder.span)
    raise builder.refuse("TLM104", "pointers into different buffers are compared")


def difference(builder: Builder, left: Value, right: Value) -> Expr:
    """``left - right`` in elements (int64). Refuses (TLM104) pointers into different buffers."""
    if isinstance(left, PointerValue) and isinstance(right, PointerValue) and left.buffer.name == right.buffer.name:
        buffer = left.buffer
        elements = binary("sub", convert(left.offset, "int64"), convert(right.offset, "int64"), builder.span)
        step, stride = SIZES[buffer.dtype], left.pointee.size
        if stride == step:
            return elements
        if stride % step == 0:
            return binary("truncdiv", elements, constant("int64", stride // step), builder.span)
        return scale(elements, step // stride)
    raise builder.refuse("TLM104", "the difference of pointers into different buffers")
