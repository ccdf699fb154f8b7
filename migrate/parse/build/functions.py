"""Device functions that stay functions; everything else is placed inline.

A function is kept if its parameters are scalars, references or pointers to scalar locals, or pointers into buffers, and
its result is a scalar or nothing. There is one `Function` for each callee and each kind of buffers that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from clang.cindex import Cursor, CursorKind

from migrate.diagnostics import Refusal
from migrate.ir.kernel import (
    Assign,
    Buffer,
    BufferArg,
    CallFunction,
    Const,
    Declare,
    Expr,
    Function,
    FunctionParam,
    LocalRef,
    LocalVar,
    RefArg,
    Return,
    Stmt,
)
from migrate.parse.build.builder import POINTERS, Builder
from migrate.parse.build.clang_types import qualified_name
from migrate.parse.build.frame import Frame
from migrate.parse.build.freezing import written_names
from migrate.parse.build.hidden import body_of, count_returns, expression_children, parameters_of, size_of_tree
from migrate.parse.build.inline import call_inline, mutated_in
from migrate.parse.build.leaving import structure
from migrate.parse.build.names import Names, safe_name
from migrate.parse.build.objects import make_object
from migrate.parse.build.places import resolve, slot_at
from migrate.parse.build.pointers import retarget
from migrate.parse.build.scalars import constant, convert
from migrate.parse.build.types import CType, PointerType, ReferenceType, ScalarType, VoidType
from migrate.parse.build.unit import declaration_key
from migrate.parse.build.values import (
    ClosureValue,
    Operand,
    PointerValue,
    RegisterObject,
    RegisterPlace,
    RegisterPointer,
    ScalarValue,
    Slot,
    ValuePlace,
)

_SMALL = 40


@dataclass(frozen=True)
class _Actual:
    """How one argument is passed: by value, by reference to a local, or as a buffer with an offset."""

    ctype: CType
    value: Expr | None = None
    local: LocalVar | None = None
    pointer: PointerValue | None = None

    def kind(self, builder: Builder) -> tuple[object, ...]:
        """What the function is specialised on."""
        if self.pointer is not None:
            buffer = self.pointer.buffer
            return ("buffer", buffer.scope, buffer.dtype, buffer.volatile)
        if self.local is not None:
            return ("local", self.local.dtype)
        del builder
        return ("value",)


def call_function(builder: Builder, function: Cursor, operands: list[Operand]) -> Operand:
    """A call of one of the program's own functions, kept or placed inline."""
    operands = _with_defaults(builder, function, operands)
    body = body_of(function)
    if body is None:
        raise builder.refuse("TLM112", f"the body of {qualified_name(function)} is not visible")
    actuals = None if _prefers_inline(function, body) else _actuals(builder, function, operands)
    if actuals is None:
        return call_inline(builder, function, operands, None)
    if builder.frame.is_active(function):
        raise builder.refuse("TLM111", f"{qualified_name(function)} calls itself")
    key = (function.hash, tuple(actual.kind(builder) for actual in actuals))
    if key in builder.unit.inline_only:
        return call_inline(builder, function, operands, None)
    known = builder.unit.functions.get(key)
    if known is None:
        try:
            known = _build(builder, function, body, actuals)
        except Refusal:
            builder.unit.inline_only.add(key)
            return call_inline(builder, function, operands, None)
        builder.unit.functions[key] = known
    return _call(builder, known, actuals)


def _with_defaults(builder: Builder, function: Cursor, operands: list[Operand]) -> list[Operand]:
    result = list(operands)
    for parameter in parameters_of(function)[len(result) :]:
        default = expression_children(parameter)
        if not default:
            break
        result.append(builder.evaluate(default[-1]))
    return result


def _prefers_inline(function: Cursor, body: Cursor) -> bool:
    """Small functions of one return, and what is no free function."""
    if function.kind != CursorKind.FUNCTION_DECL:
        return True
    statements = list(body.get_children())
    return len(statements) == 1 and statements[0].kind == CursorKind.RETURN_STMT and size_of_tree(body, _SMALL) < _SMALL


def _actuals(builder: Builder, function: Cursor, operands: Sequence[Operand]) -> list[_Actual] | None:
    """How each argument would be passed; None if one cannot be."""
    result_type = builder.unit.types.read(function.result_type, builder.span)
    if not isinstance(result_type, ScalarType | VoidType):
        return None
    parameters = parameters_of(function)
    if len(parameters) != len(operands):
        return None
    found: list[_Actual] = []
    for parameter, operand in zip(parameters, operands, strict=True):
        ctype = builder.unit.types.read(parameter.type, builder.span)
        actual = _actual(builder, ctype, operand)
        if actual is None:
            return None
        found.append(actual)
    locals_ = [actual.local.name for actual in found if actual.local is not None]
    return found if len(locals_) == len(set(locals_)) else None


def _actual(builder: Builder, ctype: CType, operand: Operand) -> _Actual | None:
    if isinstance(operand, ClosureValue):
        return None
    if isinstance(ctype, ScalarType):
        return _Actual(ctype, value=builder.scalar(operand, ctype.dtype))
    if isinstance(ctype, ReferenceType) and isinstance(ctype.target, ScalarType):
        if ctype.const:
            return _Actual(ctype.target, value=builder.scalar(operand, ctype.target.dtype))
        local = _local_of(builder, operand, ctype.target)
        return None if local is None else _Actual(ctype, local=local)
    if isinstance(ctype, PointerType):
        value = builder.value(operand)
        if isinstance(value, PointerValue):
            pointee = value.pointee if isinstance(ctype.pointee, VoidType) else ctype.pointee
            return _Actual(ctype, pointer=cast("PointerValue", retarget(value, pointee)))
        if isinstance(value, RegisterPointer) and isinstance(ctype.pointee, ScalarType):
            local = _local_of(builder, value.place, ctype.pointee)
            return None if local is None else _Actual(ctype, local=local)
    return None


def _local_of(builder: Builder, operand: Operand, ctype: ScalarType) -> LocalVar | None:
    """The scalar local that a place is, if it is exactly one."""
    if not isinstance(operand, RegisterPlace):
        return None
    place = resolve(builder, operand)
    if not isinstance(place, RegisterPlace) or place.target.settle is not None:
        return None
    slot = slot_at(place.target, place.offset)
    if slot is None or not isinstance(slot.holder, LocalVar):
        return None
    exact = slot.offset == place.offset and slot.holder.dtype == ctype.dtype
    return slot.holder if exact else None


def _build(builder: Builder, function: Cursor, body: Cursor, actuals: Sequence[_Actual]) -> Function:
    """The `Function`, built in a frame and name scope of its own."""
    unit = builder.unit
    names = Names(unit.shared_names)
    result_type = unit.types.read(function.result_type, builder.span)
    frame = Frame(function, "function", names, result_type, mutated_in(builder, function, body), caller=builder.frame)
    kinds = [actual.kind(builder) for actual in actuals]
    frame.specialisation = f"{builder.unit.context.span(function)}{kinds}"
    caller, builder.frame = builder.frame, frame
    blocks, builder.blocks = builder.blocks, [[]]
    temporaries = set(unit.temporaries)
    before = set(unit.buffers)
    try:
        params = tuple(
            _parameter(builder, frame, parameter, actual)
            for parameter, actual in zip(parameters_of(function), actuals, strict=True)
        )
        statements = _body(builder, frame, body)
    except Refusal:
        for key in set(unit.buffers) - before:
            del unit.buffers[key]
        unit.temporaries.intersection_update(temporaries)
        raise
    finally:
        builder.frame = caller
        builder.blocks = blocks
    return Function(
        unit.buffer_name(function.spelling),
        qualified_name(function),
        params,
        result_type.dtype if isinstance(result_type, ScalarType) else None,
        tuple(statements),
        unit.context.span(function),
        function.raw_comment or "",
    )


def _parameter(builder: Builder, frame: Frame, parameter: Cursor, actual: _Actual) -> FunctionParam:
    name = parameter.spelling or "argument"
    mutated = parameter.hash in frame.mutated
    span = builder.unit.context.span(parameter)
    if actual.pointer is not None:
        return _buffer_parameter(builder, frame, parameter, actual.pointer, mutated)
    if actual.local is not None:
        variable = LocalVar(builder.take_name(name), actual.local.dtype, True, span)
        scalar = ScalarType(variable.dtype)
        target = RegisterObject(name, scalar, declaration_key(parameter), [Slot(0, scalar.size, variable)])
        place = RegisterPlace(target, 0, scalar)
        by_pointer = isinstance(actual.ctype, PointerType)
        frame.bindings[parameter.hash] = RegisterPointer(place, scalar) if by_pointer else place
        return FunctionParam(variable, ref=True)
    ctype = cast("ScalarType", actual.ctype)
    variable = LocalVar(builder.take_name(name), ctype.dtype, False, span)
    if mutated:
        target = make_object(
            builder, name, ctype, declaration_key(parameter), ScalarValue(LocalRef(variable)), temporary=False
        )
        frame.bindings[parameter.hash] = RegisterPlace(target, 0, ctype)
    else:
        frame.bindings[parameter.hash] = ValuePlace(ScalarValue(LocalRef(variable)), ctype)
    return FunctionParam(variable)


def _buffer_parameter(
    builder: Builder, frame: Frame, parameter: Cursor, pointer: PointerValue, mutated: bool
) -> FunctionParam:
    unit = builder.unit
    span = unit.context.span(parameter)
    actual = pointer.buffer
    unit.flatten(actual)
    name = parameter.spelling or "argument"
    formal = Buffer(
        unit.buffer_name(safe_name(name)),
        actual.dtype,
        actual.scope,
        None,
        const=actual.const,
        volatile=actual.volatile,
        c_type=parameter.type.spelling,
        span=span,
    )
    unit.keys[formal.name] = unit.key_of(actual)
    identity = f"{declaration_key(parameter)}|{frame.specialisation}"
    unit.identity_names[formal.name] = identity
    unit.identities[identity] = formal
    variable = LocalVar(builder.take_name(f"{name}_offset"), "int64", False, span)
    value = PointerValue(formal, LocalRef(variable), pointer.pointee)
    ctype = builder.unit.types.read(parameter.type, span)
    from migrate.parse.build.bindings import bind_pointer

    assert isinstance(ctype, PointerType)
    key = declaration_key(parameter)
    frame.bindings[parameter.hash] = bind_pointer(builder, name, key, ctype, value, mutated, False)
    return FunctionParam(variable, buffer=formal)


def _body(builder: Builder, frame: Frame, body: Cursor) -> list[Stmt]:
    returns = count_returns(body)
    children = list(body.get_children())
    last = bool(children) and children[-1].kind == CursorKind.RETURN_STMT
    frame.single_return = returns == 0 or (returns == 1 and last)
    if frame.single_return:
        builder.execute(body)
        statements = builder.block
        if isinstance(frame.result_type, ScalarType):
            if frame.returned is None:
                raise builder.refuse("TLM101", f"{frame.cursor.spelling} ends without a value")
            statements.append(Return(builder.scalar(frame.returned, frame.result_type.dtype), builder.span))
        return statements
    result: RegisterPlace | None = None
    if isinstance(frame.result_type, ScalarType):
        frame.result = make_object(
            builder, "result", frame.result_type, "result", ScalarValue(constant(frame.result_type.dtype, 0))
        )
        result = RegisterPlace(frame.result, 0, frame.result_type)
    with builder.nested() as inner:
        builder.execute(body)
    statements = builder.block
    statements += structure(inner, frame, lambda: builder.fresh("returned", "bool", mutable=True))
    if result is not None:
        only = _only_result(statements, builder.scalar(result))
        if only is not None:
            return only
        statements.append(Return(builder.scalar(result), builder.span))
    return statements


def _only_result(statements: list[Stmt], result: Expr) -> list[Stmt] | None:
    """The body with a direct return where the result is written once, by the last statement; else None."""
    if not statements or not isinstance(result, LocalRef):
        return None
    last, name = statements[-1], result.var.name
    if not isinstance(last, Assign) or last.var.name != name or name in written_names(statements[:-1]):
        return None
    kept = [item for item in statements[:-1] if not (isinstance(item, Declare) and item.var.name == name)]
    return [*kept, Return(last.value, last.span)]


def _call(builder: Builder, function: Function, actuals: Sequence[_Actual]) -> Operand:
    arguments: list[Expr | RefArg | BufferArg] = []
    for actual, param in zip(actuals, function.params, strict=True):
        if actual.pointer is not None:
            builder.unit.flatten(actual.pointer.buffer)
            arguments.append(BufferArg(actual.pointer.buffer, convert(actual.pointer.offset, "int64")))
        elif actual.local is not None:
            arguments.append(RefArg(actual.local))
        else:
            arguments.append(convert(cast("Expr", actual.value), param.var.dtype))
    if function.result is None:
        builder.emit(CallFunction(None, function.name, tuple(arguments), builder.span))
        return ScalarValue(Const("int32", 0))
    variable = builder.fresh(function.source_name.rpartition("::")[2], function.result, mutable=True)
    builder.emit(Declare(variable, None, builder.span))
    builder.emit(CallFunction(variable, function.name, tuple(arguments), builder.span))
    return ScalarValue(LocalRef(variable, builder.span))


def is_pointer(operand: Operand) -> bool:
    """True for pointer values."""
    return isinstance(operand, POINTERS)
