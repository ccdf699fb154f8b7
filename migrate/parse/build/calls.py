"""Calls: intrinsics of our headers, the program's own functions, methods, operators and lambdas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from clang.cindex import Cursor, CursorKind

from migrate.parse.build.builder import Builder, Handler
from migrate.parse.build.builtins import compiler_builtin
from migrate.parse.build.casts import convert_operand
from migrate.parse.build.clang_types import qualified_name, template_arguments
from migrate.parse.build.closures import call_closure, make_closure
from migrate.parse.build.construct import construct
from migrate.parse.build.copies import COPIES
from migrate.parse.build.dropped import ASSERTION, PRINTS, drop_assertion, drop_output, drop_trap
from migrate.parse.build.families import unknown_function
from migrate.parse.build.functions import call_function
from migrate.parse.build.hidden import body_of, expression_children, is_written, parameters_of
from migrate.parse.build.inline import call_inline
from migrate.parse.build.intrinsics import lookup
from migrate.parse.build.literals import try_constant
from migrate.parse.build.references import object_place
from migrate.parse.build.scalars import constant
from migrate.parse.build.types import CType, ReferenceType, ScalarType
from migrate.parse.build.values import ClosureValue, IntrinsicCall, Operand, ScalarValue

_NOTHING = ScalarValue(constant("int32", 0))
_FUNCTION_KINDS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)
_TRAPS = frozenset({"__trap", "abort", "std::abort"})
_STOPS = frozenset({"__brkpt", "exit", "__assert_fail", "std::exit"})
_ALLOCATIONS = frozenset({"malloc", "free", "calloc", "realloc", "operator new", "operator delete"})


def call(builder: Builder, cursor: Cursor) -> Operand:
    """Any call expression."""
    referenced = cursor.referenced
    if any(child.spelling == "cudaConfigureCall" for child in cursor.get_children()):
        raise builder.refuse("TLM210", "a kernel launched from a kernel")
    if referenced is not None and referenced.kind == CursorKind.CONSTRUCTOR:
        return construct(builder, cursor, referenced)
    if referenced is None or referenced.kind not in _FUNCTION_KINDS:
        return _call_value(builder, cursor)
    if isinstance(builder.ctype(cursor), ScalarType) and not builder.unit.context.in_shim(referenced):
        found = try_constant(builder, cursor)
        if found is not None:
            return ScalarValue(found)
    is_method = referenced.kind != CursorKind.FUNCTION_DECL and not referenced.is_static_method()
    arguments = argument_cursors(builder, cursor, referenced)
    if is_method:
        return _method(builder, cursor, referenced, arguments)
    return _function(builder, cursor, referenced, arguments)


def argument_cursors(builder: Builder, cursor: Cursor, function: Cursor) -> list[Cursor]:
    """Argument expressions; for a default argument the expression of the declaration."""
    arguments = list(cursor.get_arguments())
    parameters = parameters_of(function)
    skip = len(arguments) - len(parameters) if function.kind != CursorKind.FUNCTION_DECL else 0
    for index, argument in enumerate(arguments):
        position = index - max(skip, 0)
        if argument is not None and (expression_children(argument) or argument.kind != CursorKind.UNEXPOSED_EXPR):
            continue
        if 0 <= position < len(parameters):
            default = expression_children(parameters[position])
            if default:
                arguments[index] = default[-1]
    return arguments


def _call_value(builder: Builder, cursor: Cursor) -> Operand:
    """A call through a variable: a lambda, or a function whose name was passed along."""
    children = expression_children(cursor)
    if not children:
        raise builder.refuse("TLM110", f"the function that {cursor.spelling or 'an expression'} calls is not known")
    try:
        callee = builder.value(builder.evaluate(children[0]))
    except KeyError:
        callee = None
    if isinstance(callee, ClosureValue):
        if callee.cursor.kind in _FUNCTION_KINDS:
            return _function(builder, cursor, callee.cursor, list(cursor.get_arguments()))
        return call_closure(builder, callee, None, list(cursor.get_arguments()))
    raise builder.refuse("TLM110", f"the function that {cursor.spelling or 'an expression'} calls is not known")


def _method(builder: Builder, cursor: Cursor, method: Cursor, arguments: list[Cursor]) -> Operand:
    children = expression_children(cursor)
    first = children[0] if children else None
    if first is not None and first.kind == CursorKind.MEMBER_REF_EXPR and first.spelling == method.spelling:
        target: Callable[[], Operand] = lambda: object_place(builder, first)  # noqa: E731
    elif arguments:
        receiver = arguments.pop(0)
        target = lambda: builder.evaluate(receiver)  # noqa: E731
    else:
        raise builder.refuse("TLM110", f"method {method.spelling} without an object")
    name = qualified_name(method)
    definition = _definition(method)
    if method.spelling == "operator=" and len(arguments) == 1 and not is_written(definition) and lookup(name) is None:
        operands = _operands(builder, method, arguments, target)
        builder.write(operands[0], operands[1])
        return operands[0]
    if builder.unit.context.in_shim(method):
        operands = _operands(builder, method, arguments, target)
        found = _intrinsic(builder, cursor, method, name, operands, [None, *arguments])
        if found is not None:
            return found
        if body_of(definition) is not None:
            return call_inline(builder, definition, operands[1:], operands[0])
        raise unknown_function(builder, name)
    operands = _operands(builder, method, arguments, target)
    receiver_value = operands[0]
    if isinstance(receiver_value, ClosureValue):
        return call_closure(builder, receiver_value, method, operands[1:])
    if method.is_virtual_method():
        raise builder.refuse("TLM110", f"{name} is virtual")
    if body_of(definition) is None:
        raise builder.refuse("TLM112", f"the body of {name} is not visible")
    return call_inline(builder, definition, operands[1:], receiver_value)


def _definition(function: Cursor) -> Cursor:
    if body_of(function) is not None:
        return function
    return function.get_definition() or function


def _operands(
    builder: Builder, function: Cursor, arguments: Sequence[Cursor], target: Callable[[], Operand] | None
) -> list[Operand]:
    """Evaluated arguments; those of by-value parameters as values, those of reference parameters as places."""
    types = [builder.unit.types.read(kind, builder.span) for kind in function.type.argument_types()]
    actions: list[Callable[[], Operand]] = [] if target is None else [target]
    for index, argument in enumerate(arguments):
        by_reference = index >= len(types) or isinstance(types[index], ReferenceType)
        actions.append(_argument(builder, argument, by_reference))
    if len(arguments) > 1 and sum(_has_effect(argument) for argument in arguments) > 1:
        builder.note("TLM113")
    return builder.in_order(actions, places=True)


def _argument(builder: Builder, argument: Cursor, by_reference: bool) -> Callable[[], Operand]:
    def action() -> Operand:
        operand = builder.evaluate(argument)
        return operand if by_reference else builder.value(operand)

    return action


def _has_effect(cursor: Cursor) -> bool:
    if cursor.kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
        return True
    from migrate.parse.clang_extra import binary_operator, unary_operator

    if cursor.kind == CursorKind.UNARY_OPERATOR and unary_operator(cursor) in ("x++", "x--", "++x", "--x"):
        return True
    if cursor.kind == CursorKind.BINARY_OPERATOR and binary_operator(cursor) == "=":
        return True
    return any(_has_effect(child) for child in cursor.get_children())


def _function(builder: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor]) -> Operand:
    name = qualified_name(function)
    definition = _definition(function)
    if name.startswith("__builtin_"):
        found = compiler_builtin(builder, cursor, name, arguments)
        if found is not None:
            return found
    if builder.unit.context.in_shim(function) or name.startswith("__builtin_"):
        if name in PRINTS:
            return drop_output(builder, name, arguments)
        if name == ASSERTION:
            return drop_assertion(builder, arguments)
        if name in _TRAPS:
            return drop_trap(builder)
        if name in _STOPS:
            raise builder.refuse("TLM203", f"{name} in a kernel")
        if name in _ALLOCATIONS:
            raise builder.refuse("TLM118", f"{name} in a kernel")
        operands = _operands(builder, function, arguments, None)
        copy = COPIES.get(name.removeprefix("std::"))
        if copy is not None:
            return copy(builder, operands)
        found = _intrinsic(builder, cursor, function, name, operands, arguments)
        if found is not None:
            return found
        if body_of(definition) is not None:
            return call_inline(builder, definition, operands, None)
        raise unknown_function(builder, name)
    if body_of(definition) is None:
        if name in PRINTS:
            return drop_output(builder, name, arguments)
        raise builder.refuse("TLM112", f"the body of {name} is not visible")
    operands = _operands(builder, function, arguments, None)
    return call_function(builder, definition, operands)


def _intrinsic(
    builder: Builder,
    cursor: Cursor,
    function: Cursor,
    name: str,
    operands: list[Operand],
    arguments: Sequence[Cursor | None],
) -> Operand | None:
    """The result of an intrinsic, `_NOTHING` if it is void; None if none is known."""
    handler = lookup(name)
    if handler is None:
        return None
    types: list[CType] = []
    for operand, argument in zip(operands, arguments, strict=False):
        if argument is not None:
            types.append(builder.ctype(argument))
        else:
            types.append(cast("CType", getattr(operand, "ctype", ScalarType("int32"))))
    result_type = builder.ctype(cursor)
    request = IntrinsicCall(
        name,
        tuple(operands),
        tuple(types),
        result_type,
        cursor.type.get_canonical().spelling,
        builder,
        builder.span,
        template_arguments(function),
    )
    found = handler(request)
    if found is None:
        return _NOTHING
    if isinstance(result_type, ScalarType) and isinstance(found, ScalarValue):
        return convert_operand(builder, found, result_type, implied=True)
    return found


def lambda_expression(builder: Builder, cursor: Cursor) -> Operand:
    """A lambda."""
    return make_closure(builder, cursor)


def refuse_allocation(builder: Builder, _cursor: Cursor) -> Operand:
    """``new`` and ``delete``."""
    raise builder.refuse("TLM118", "memory is allocated or freed in a kernel")


HANDLERS: dict[CursorKind, Handler] = {
    CursorKind.CALL_EXPR: call,
    CursorKind.LAMBDA_EXPR: lambda_expression,
    CursorKind.CXX_NEW_EXPR: refuse_allocation,
    CursorKind.CXX_DELETE_EXPR: refuse_allocation,
}
