"""Function bodies placed at their call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import LocalVar
from migrate.parse.build.bindings import bind_parameter, place_or_spill
from migrate.parse.build.builder import PLACES, Builder
from migrate.parse.build.clang_types import qualified_name
from migrate.parse.build.frame import Frame
from migrate.parse.build.hidden import body_of, count_returns, maybe_mutated, parameters_of
from migrate.parse.build.leaving import structure
from migrate.parse.build.markers import Leave
from migrate.parse.build.objects import make_object
from migrate.parse.build.places import address_of, dereference
from migrate.parse.build.scalars import constant
from migrate.parse.build.types import CType, PointerType, ReferenceType, VoidType
from migrate.parse.build.values import Operand, RegisterPlace, ScalarValue

_DEEPEST = 48


def call_inline(
    builder: Builder,
    function: Cursor,
    arguments: Sequence[Operand],
    receiver: Operand | None,
    *,
    outer: Frame | None = None,
    captured: dict[int, Any] | None = None,
) -> Operand:
    """Result of a call whose body is built in place. Refuses recursion (TLM111)."""
    body = body_of(function)
    if body is None:
        raise builder.refuse("TLM112", f"the body of {qualified_name(function)} is not visible")
    frame = enter(builder, function, body, outer)
    frame.bindings.update(captured or {})
    if receiver is not None:
        frame.this = place_or_spill(builder, receiver)
    for parameter, operand in zip(parameters_of(function), arguments, strict=False):
        bind_parameter(builder, frame, parameter, operand)
    return run_body(builder, frame, body)


def enter(builder: Builder, function: Cursor, body: Cursor, outer: Frame | None) -> Frame:
    """A frame for a body that is placed inline."""
    if builder.frame.is_active(function):
        raise builder.refuse("TLM111", f"{qualified_name(function)} calls itself")
    depth, frame = 0, builder.frame
    while frame.caller is not None:
        depth, frame = depth + 1, frame.caller
    if depth > _DEEPEST:
        raise builder.refuse("TLM117", "calls are nested too deeply")
    result = builder.unit.types.read(function.result_type, builder.span)
    return Frame(
        function,
        "inline",
        builder.frame.names,
        result,
        mutated_in(builder, function, body),
        outer=outer,
        caller=builder.frame,
        specialisation=builder.frame.specialisation,
    )


def mutated_in(builder: Builder, function: Cursor, body: Cursor) -> frozenset[int]:
    """Variables that a body may change; found once a function."""
    known = builder.unit.mutated.get(function.hash)
    if known is None:
        known = maybe_mutated(body)
        builder.unit.mutated[function.hash] = known
    return known


def run_body(builder: Builder, frame: Frame, body: Cursor) -> Operand:
    """Builds a body with ``frame`` current; its result is an operand of the caller."""
    caller, builder.frame = builder.frame, frame
    try:
        returns = count_returns(body)
        frame.single_return = returns == 0 or (returns == 1 and _ends_in_return(body))
        if frame.single_return:
            builder.execute(body)
            return frame.returned if frame.returned is not None else ScalarValue(constant("int32", 0))
        with builder.nested() as statements:
            result = declare_result(builder, frame)
            builder.execute(body)
        flag_names = frame.names

        def flag() -> LocalVar:
            return builder.fresh("returned", "bool", mutable=True)

        del flag_names
        for statement in structure(statements, frame, flag):
            builder.block.append(statement)
        if result is None:
            return ScalarValue(constant("int32", 0))
        place: Operand = RegisterPlace(result.target, 0, result.ctype)
        if isinstance(frame.result_type, ReferenceType):
            return dereference(builder, builder.value(place))
        result.target.transient = True
        return place
    finally:
        builder.frame = caller


def _ends_in_return(body: Cursor) -> bool:
    children = list(body.get_children())
    return bool(children) and children[-1].kind == CursorKind.RETURN_STMT


def declare_result(builder: Builder, frame: Frame) -> RegisterPlace | None:
    """The variable that several returns write; None for void. References are returned as pointers."""
    ctype: CType = frame.result_type
    if isinstance(ctype, VoidType):
        return None
    if isinstance(ctype, ReferenceType):
        ctype = PointerType(ctype.target)
    key = f"result:{frame.cursor.hash}:{builder.span}"
    frame.result = make_object(builder, builder.name_for(f"{frame.cursor.spelling}_result"), ctype, key)
    return RegisterPlace(frame.result, 0, ctype)


def give_back(builder: Builder, operand: Operand | None) -> None:
    """A return statement in an inlined body."""
    frame = builder.frame
    if frame.single_return:
        if operand is not None and not isinstance(frame.result_type, VoidType):
            frame.returned = operand
        return
    if operand is not None and frame.result is not None:
        value = operand
        if isinstance(frame.result_type, ReferenceType) and isinstance(operand, PLACES):
            value = address_of(builder, builder.steady(operand))
        builder.write(RegisterPlace(frame.result, 0, frame.result.ctype), value)
    builder.block.append(cast("Any", Leave(frame)))
