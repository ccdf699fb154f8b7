"""Constructor calls: copies, implicit constructors, and constructors with bodies run on a new object."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from migrate.parse.build import places
from migrate.parse.build.bindings import bind_parameter
from migrate.parse.build.builder import PLACES, Builder
from migrate.parse.build.clang_types import qualified_name, template_arguments
from migrate.parse.build.hidden import body_of, expression_children, is_written, parameters_of
from migrate.parse.build.inline import enter, run_body
from migrate.parse.build.objects import make_object, zero_value
from migrate.parse.build.places import member
from migrate.parse.build.types import CType, RecordType, ReferenceType, ScalarType, member_type
from migrate.parse.build.values import ClosureValue, IntrinsicCall, Operand, RegisterPlace, ScalarValue

_UNDEFINED = object()


def construct(builder: Builder, cursor: Cursor, constructor: Cursor) -> Operand:
    """The value that a constructor call makes."""
    ctype = builder.ctype(cursor)
    arguments = [
        argument for argument in cursor.get_arguments() if argument is not None and not argument.kind.is_invalid()
    ]
    if len(arguments) == 1 and _copies(builder, ctype, arguments[0]) and not _custom(builder, constructor):
        return unshared(builder, builder.evaluate(arguments[0]))
    if builder.unit.context.in_shim(constructor):
        found = _intrinsic(builder, cursor, constructor, arguments, ctype)
        if found is not None:
            return found
    definition = constructor if body_of(constructor) is not None else constructor.get_definition()
    if definition is None or not is_written(definition):
        if arguments:
            raise builder.refuse("TLM112", f"the body of constructor {qualified_name(constructor)} is not visible")
        return _implicit(builder, cursor, ctype)
    if not isinstance(ctype, RecordType):
        raise builder.refuse("TLM106", f"an object of type {ctype.spelling} is not converted")
    return _run(builder, definition, arguments, ctype)


def unshared(builder: Builder, operand: Operand) -> Operand:
    """A value that is a copy: a temporary object stays the object itself."""
    if isinstance(operand, RegisterPlace) and operand.target.transient and operand.offset == 0:
        return operand
    return builder.value(operand)


def _copies(builder: Builder, ctype: CType, argument: Cursor) -> bool:
    found = builder.ctype(argument)
    if isinstance(ctype, ScalarType):
        return isinstance(found, ScalarType) and found.dtype == ctype.dtype and "_" in found.spelling
    return isinstance(ctype, RecordType) and ctype.same_as(found)


def _custom(builder: Builder, constructor: Cursor) -> bool:
    """True for a copy constructor with a body of the program's own."""
    return not builder.unit.context.in_shim(constructor) and is_written(constructor)


def _implicit(builder: Builder, cursor: Cursor, ctype: CType) -> Operand:
    """A constructor without body: member initialisers run, everything else is zero (a value that is written out)."""
    if not isinstance(ctype, RecordType):
        return zero_value(builder, ctype)
    defaults = _defaults(builder, cursor)
    if not defaults:
        return zero_value(builder, ctype)
    target = make_object(builder, "made", ctype, f"made:{builder.span}", zero_value(builder, ctype))
    place = RegisterPlace(target, 0, ctype)
    _apply_defaults(builder, place, defaults, set())
    return place


def _defaults(builder: Builder, cursor: Cursor) -> list[tuple[Cursor, Cursor]]:
    """Fields with initialisers in the class."""
    del builder
    declaration = cursor.type.get_canonical().get_declaration()
    found: list[tuple[Cursor, Cursor]] = []
    for child in declaration.get_children():
        if child.kind == CursorKind.FIELD_DECL and not child.is_bitfield():
            values = expression_children(child)
            if values and _has_default(child):
                found.append((child, values[-1]))
    return found


def _has_default(field: Cursor) -> bool:
    from migrate.parse.clang_extra import pretty_print

    text = pretty_print(field)
    return "=" in text or "{" in text


def _apply_defaults(
    builder: Builder, place: RegisterPlace, defaults: list[tuple[Cursor, Cursor]], done: set[str]
) -> None:
    from migrate.parse.build.declarations import initial_value

    for field, expression in defaults:
        if field.spelling in done:
            continue
        ctype = builder.unit.types.read(field.type, builder.span)
        target = member(builder, place, field.get_field_offsetof() // 8, ctype)
        builder.write(target, initial_value(builder, expression, ctype))


def _run(builder: Builder, constructor: Cursor, arguments: list[Cursor], ctype: RecordType) -> Operand:
    """Member initialisers in order, then the body, on a new object."""
    operands = builder.evaluate_all(arguments, places=True)
    target = make_object(builder, builder.name_for(constructor.spelling), ctype, f"made:{constructor.hash}")
    place = RegisterPlace(target, 0, ctype)
    body = body_of(constructor)
    assert body is not None
    frame = enter(builder, constructor, body, None)
    frame.this = place
    parameters = parameters_of(constructor)
    for parameter, operand in zip(parameters, operands, strict=False):
        bind_parameter(builder, frame, parameter, operand)
    for parameter in parameters[len(operands) :]:
        default = expression_children(parameter)
        if default:
            bind_parameter(builder, frame, parameter, builder.evaluate(default[-1]))
    caller, builder.frame = builder.frame, frame
    try:
        done = _member_initialisers(builder, constructor, place)
        owner = constructor.semantic_parent
        defaults = [
            (child, expression_children(child)[-1])
            for child in owner.get_children()
            if child.kind == CursorKind.FIELD_DECL
            and child.spelling not in done
            and not child.is_bitfield()
            and expression_children(child)
            and _has_default(child)
        ]
        _apply_defaults(builder, place, defaults, done)
    finally:
        builder.frame = caller

    run_body(builder, frame, body)
    target.transient = True
    return place


def _member_initialisers(builder: Builder, constructor: Cursor, place: RegisterPlace) -> set[str]:
    """Runs the initialiser list; names of the members that it sets."""
    from migrate.parse.build.declarations import initial_value

    done: set[str] = set()
    children = list(constructor.get_children())
    for index, child in enumerate(children):
        follower = children[index + 1] if index + 1 < len(children) else None
        if child.kind == CursorKind.MEMBER_REF and child.referenced is not None:
            field = child.referenced
            done.add(field.spelling)
            if follower is None or not follower.kind.is_expression():
                continue
            ctype = builder.unit.types.read(field.type, builder.span)
            target = member(builder, place, field.get_field_offsetof() // 8, ctype)
            if isinstance(ctype, ReferenceType):
                held = member(builder, place, field.get_field_offsetof() // 8, member_type(ctype))
                builder.write(held, places.address_of(builder, builder.evaluate(follower)))
                continue
            value = initial_value(builder, follower, ctype)
            if not isinstance(value, ClosureValue):
                builder.write(target, value)
        elif child.kind == CursorKind.TYPE_REF and follower is not None and follower.kind == CursorKind.CALL_EXPR:
            base = builder.ctype(follower)
            if isinstance(base, RecordType) and base.fields and isinstance(place.ctype, RecordType):
                for field_ in place.ctype.fields:
                    if field_.name.startswith("<base") and field_.ctype == base:
                        builder.write(member(builder, place, field_.offset, base), builder.evaluate(follower))
    return done


def _intrinsic(
    builder: Builder, cursor: Cursor, constructor: Cursor, arguments: list[Cursor], ctype: CType
) -> Operand | None:
    from migrate.parse.build.intrinsics import lookup

    name = qualified_name(constructor)
    handler = lookup(name)
    if handler is None:
        return zero_value(builder, ctype) if isinstance(ctype, ScalarType) and not arguments else None
    operands = builder.evaluate_all(arguments)
    if not operands and isinstance(ctype, ScalarType):
        return ScalarValue(builder.scalar(zero_value(builder, ctype)))
    return handler(
        IntrinsicCall(
            name,
            tuple(operands),
            tuple(builder.ctype(argument) for argument in arguments),
            ctype,
            cursor.type.get_canonical().spelling,
            builder,
            builder.span,
            template_arguments(constructor),
        )
    )


def is_object(operand: Operand) -> bool:
    """True for places."""
    return isinstance(operand, PLACES)
