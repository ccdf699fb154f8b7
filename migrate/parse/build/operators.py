"""Unary and binary operators, assignments, increments, the conditional operator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from clang.cindex import Cursor, CursorKind

from migrate.ir.kernel import (
    Assign,
    Binary,
    BinaryOp,
    Const,
    Declare,
    DType,
    Expr,
    If,
    LocalRef,
    Select,
    Stmt,
    Unary,
)
from migrate.parse.build import places, pointers
from migrate.parse.build.builder import PLACES, POINTERS, Builder, Handler
from migrate.parse.build.casts import convert_operand
from migrate.parse.build.effects import effects_of, operand_reads
from migrate.parse.build.hidden import expression_children, peel
from migrate.parse.build.literals import try_constant
from migrate.parse.build.objects import make_object
from migrate.parse.build.scalars import COMPARISONS, binary, common_dtype, constant, convert, promote, to_bool
from migrate.parse.build.types import FLOATS, INTEGERS, PointerType, ScalarType, VoidType
from migrate.parse.build.values import (
    ChoicePlace,
    ChoicePointer,
    ClosureValue,
    Operand,
    Place,
    RegisterPlace,
    ScalarValue,
    Value,
    ValuePlace,
)
from migrate.parse.clang_extra import binary_operator, unary_operator

_ARITHMETIC: dict[str, BinaryOp] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "<<": "shl",
    ">>": "shr",
    "&": "bitand",
    "|": "bitor",
    "^": "bitxor",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
}


def operation(symbol: str, dtype: DType) -> BinaryOp:
    """The IR's operator for a C operator on operands of ``dtype``."""
    if symbol == "/":
        return "div" if dtype in FLOATS else "truncdiv"
    if symbol == "%":
        return "truncmod"
    return _ARITHMETIC[symbol]


def apply(builder: Builder, symbol: str, left: Expr, right: Expr, result: DType | None = None) -> Expr:
    """A C arithmetic or comparison operator with the usual conversions; ``result`` as the AST has it, if known."""
    if symbol in ("<<", ">>"):
        left = convert(left, result or promote(left.dtype), builder.span)
        if right.dtype == "bool":
            right = convert(right, "int32")
        return binary(operation(symbol, left.dtype), left, right, builder.span)
    kind = common_dtype(left.dtype, right.dtype)
    op = operation(symbol, kind)
    if op not in COMPARISONS and result is not None and result != "bool":
        kind = result
    if left.dtype == right.dtype == "bool" and op in ("eq", "ne"):
        kind = "bool"
    return binary(op, convert(left, kind, builder.span), convert(right, kind, builder.span), builder.span)


# --- binary ---------------------------------------------------------------------------------------------------------


def binary_expression(builder: Builder, cursor: Cursor) -> Operand:
    """Any binary operator but compound assignments."""
    symbol = binary_operator(cursor)
    left, right = expression_children(cursor)[:2]
    if symbol == ",":
        discard(builder, left)
        return builder.evaluate(right)
    if symbol == "=":
        return _assign(builder, left, right)
    ctype = builder.ctype(cursor)
    if isinstance(ctype, ScalarType) and ctype.dtype not in FLOATS:
        found = try_constant(builder, cursor)
        if found is not None:
            return ScalarValue(found)
    if symbol in ("&&", "||"):
        return ScalarValue(_short_circuit(builder, symbol, left, right))
    if symbol is None or symbol in (".*", "->*", "<=>"):
        raise builder.refuse("TLM101", f"operator {symbol} is not converted")
    one, other = builder.evaluate_all([left, right])
    if isinstance(one, POINTERS) or isinstance(other, POINTERS):
        return _pointer_operation(builder, symbol, one, other)
    result = ctype.dtype if isinstance(ctype, ScalarType) else None
    return ScalarValue(apply(builder, symbol, builder.scalar(one), builder.scalar(other), result))


def _pointer_operation(builder: Builder, symbol: str, left: Operand, right: Operand) -> Operand:
    if symbol in _ARITHMETIC and _ARITHMETIC[symbol] in COMPARISONS:
        one, other = _nullable(builder, left), _nullable(builder, right)
        return ScalarValue(pointers.compare(builder, _ARITHMETIC[symbol], one, other))
    if symbol == "-" and isinstance(left, POINTERS) and isinstance(right, POINTERS):
        return ScalarValue(pointers.difference(builder, left, right))
    if symbol == "+" and not isinstance(left, POINTERS):
        left, right = right, left
    if symbol not in ("+", "-"):
        raise builder.refuse("TLM105", f"operator {symbol} on a pointer")
    return pointers.advance(builder, left, builder.scalar(right), negative=symbol == "-")


def _nullable(builder: Builder, operand: Operand) -> Value:
    value = builder.value(operand)
    if isinstance(value, ScalarValue):
        return cast("Value", convert_operand(builder, value, PointerType(VoidType()), implied=True))
    return value


def _assign(builder: Builder, left: Cursor, right: Cursor) -> Operand:
    source, place = _right_then_left(builder, left, right)
    builder.write(place, source, volatile=left.type.is_volatile_qualified())
    return place


def _right_then_left(builder: Builder, left: Cursor, right: Cursor) -> tuple[Value, Operand]:
    """The value of the right side, taken before the effects of the left one (C++17), and the place on the left."""
    source = builder.value(builder.evaluate(right))
    mark = builder.mark()
    place = builder.evaluate(left)
    effects = effects_of(builder.since(mark))
    if effects and operand_reads(source, effects):
        source = builder.value(builder.at(mark, partial(builder.freeze, source)))
    builder.release(mark)
    return source, place


def _short_circuit(builder: Builder, symbol: str, left: Cursor, right: Cursor) -> Expr:
    first = to_bool(builder.scalar_of(left, "bool"))
    if isinstance(first, Const):
        decided = bool(first.value) == (symbol == "||")
        return first if decided else to_bool(builder.scalar_of(right, "bool"))
    with builder.nested() as statements:
        second = to_bool(builder.scalar_of(right, "bool"))
    if not statements:
        if isinstance(second, Const):
            decided = bool(second.value) == (symbol == "||")
            if not decided:
                return first
        return Binary("and" if symbol == "&&" else "or", first, second, "bool", builder.span)
    variable = builder.fresh("holds", "bool", mutable=True)
    builder.emit(Declare(variable, first, builder.span))
    then = (*statements, Assign(variable, second, builder.span))
    reference = LocalRef(variable, builder.span)
    cond: Expr = reference if symbol == "&&" else Unary("not", reference, "bool", builder.span)
    builder.emit(If(cond, then, (), builder.span))
    return reference


# --- compound assignment and increments -----------------------------------------------------------------------------


def compound(builder: Builder, cursor: Cursor) -> Operand:
    """``a op= b``: computed in C's common type, converted back."""
    symbol = (binary_operator(cursor) or "=")[:-1]
    left, right = expression_children(cursor)[:2]
    source, place = _right_then_left(builder, left, right)
    if isinstance(place, PLACES) and isinstance(place.ctype, PointerType):
        builder.write(
            place, pointers.advance(builder, builder.value(place), builder.scalar(source), negative=symbol == "-")
        )
        return place
    if not isinstance(place, PLACES) or not isinstance(place.ctype, ScalarType):
        raise builder.refuse("TLM101", "compound assignment to something that is no scalar")
    place = _once(builder, place)
    value = apply(builder, symbol, builder.scalar(place), builder.scalar(source))
    builder.write(place, ScalarValue(value), volatile=left.type.is_volatile_qualified())
    return place


def _once(builder: Builder, place: Place) -> Place:
    """A place whose choice is evaluated once."""
    return builder.steady(place) if isinstance(place, ChoicePlace) else place


def increment(builder: Builder, cursor: Cursor, symbol: str, *, used: bool) -> Operand:
    """``++`` and ``--`` before or after; the old value of a postfix form is taken only if it is used."""
    inner = expression_children(cursor)[0]
    place = builder.evaluate(inner)
    down = "--" in symbol
    old: Operand | None = None
    if used and symbol.startswith("x"):
        old = builder.freeze(place)
    if isinstance(place, PLACES) and isinstance(place.ctype, PointerType):
        builder.write(place, pointers.advance(builder, builder.value(place), constant("int32", 1), negative=down))
        return old if old is not None else place
    if not isinstance(place, PLACES) or not isinstance(place.ctype, ScalarType):
        raise builder.refuse("TLM101", "increment of something that is no scalar")
    place = _once(builder, place)
    current = builder.scalar(place)
    one = constant("int32" if current.dtype in INTEGERS else current.dtype, 1)
    after = ScalarValue(apply(builder, "-" if down else "+", current, one))
    builder.write(place, after, volatile=inner.type.is_volatile_qualified())
    return old if old is not None else place


def unary_expression(builder: Builder, cursor: Cursor) -> Operand:
    """Any unary operator."""
    symbol = unary_operator(cursor)
    if symbol in ("x++", "x--", "++x", "--x"):
        return increment(builder, cursor, symbol, used=True)
    inner = expression_children(cursor)[0]
    if symbol == "&":
        operand = builder.evaluate(inner)
        if isinstance(operand, ClosureValue):
            return operand
        return places.address_of(builder, operand)
    if symbol == "*":
        value = builder.value(builder.evaluate(inner))
        return value if isinstance(value, ClosureValue) else places.dereference(builder, value)
    if symbol == "!":
        return ScalarValue(negate(to_bool(builder.scalar_of(inner, "bool")), builder))
    if symbol not in ("+", "-", "~", "__extension__"):
        raise builder.refuse("TLM101", f"operator {symbol} is not converted")
    found = try_constant(builder, cursor) if symbol != "__extension__" else None
    if found is not None:
        return ScalarValue(found)
    expr = builder.scalar_of(inner)
    if symbol in ("+", "__extension__"):
        return ScalarValue(convert(expr, promote(expr.dtype)) if symbol == "+" else expr)
    expr = convert(expr, promote(expr.dtype), builder.span)
    return ScalarValue(Unary("neg" if symbol == "-" else "bitnot", expr, expr.dtype, builder.span))


def negate(expr: Expr, builder: Builder) -> Expr:
    """``!expr`` of a bool."""
    if isinstance(expr, Const):
        return Const("bool", not expr.value, expr.span)
    return Unary("not", expr, "bool", builder.span)


def discard(builder: Builder, cursor: Cursor) -> None:
    """An expression evaluated for its effects only."""
    inner = cursor
    while inner.kind in (CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR, CursorKind.CSTYLE_CAST_EXPR):
        children = expression_children(inner)
        if len(children) != 1:
            break
        inner = children[0]
    if inner.kind == CursorKind.BINARY_OPERATOR and binary_operator(inner) == ",":
        left, right = expression_children(inner)[:2]
        discard(builder, left)
        discard(builder, right)
        return
    symbol = unary_operator(inner) if inner.kind == CursorKind.UNARY_OPERATOR else None
    if symbol in ("x++", "x--", "++x", "--x"):
        increment(builder, inner, symbol, used=False)
        return
    builder.evaluate(inner if inner.kind in (CursorKind.CALL_EXPR, CursorKind.BINARY_OPERATOR) else cursor)


# --- conditional operator -------------------------------------------------------------------------------------------


def conditional(builder: Builder, cursor: Cursor) -> Operand:
    """``c ? a : b``; with effects in a branch it becomes an `If`."""
    test, left, right = expression_children(cursor)[:3]
    cond = to_bool(builder.scalar_of(test, "bool"))
    ctype = builder.ctype(cursor)
    if isinstance(cond, Const):
        return convert_operand(builder, builder.evaluate(left if cond.value else right), ctype, implied=True)
    # An implied conversion around a branch makes the whole a value; without one it is an object that may be written.
    is_object = all(peel(branch).kind != CursorKind.UNEXPOSED_EXPR for branch in (left, right))
    is_object = is_object or not isinstance(ctype, ScalarType)
    with builder.nested() as then:
        one = builder.evaluate(left)
        one = one if isinstance(one, PLACES) and is_object else _settled(builder, one, ctype)
    with builder.nested() as otherwise:
        other = builder.evaluate(right)
        other = other if isinstance(other, PLACES) and is_object else _settled(builder, other, ctype)
    if isinstance(ctype, VoidType):
        builder.emit(If(cond, tuple(then), tuple(otherwise), builder.span))
        return ScalarValue(constant("int32", 0))
    if not then and not otherwise:
        return _choose(builder, cond, one, other, ctype)
    return _branches(builder, cond, (then, one), (otherwise, other), ctype)


def _settled(builder: Builder, operand: Operand, ctype: object) -> Operand:
    if isinstance(ctype, ScalarType):
        return ScalarValue(builder.scalar(operand, ctype.dtype))
    return operand


def _choose(builder: Builder, cond: Expr, one: Operand, other: Operand, ctype: object) -> Operand:
    if isinstance(one, ScalarValue) and isinstance(other, ScalarValue):
        return ScalarValue(Select(cond, one.expr, other.expr, one.dtype, builder.span))
    if isinstance(ctype, ScalarType) and (isinstance(one, ValuePlace) or isinstance(other, ValuePlace)):
        one, other = _settled(builder, one, ctype), _settled(builder, other, ctype)
        return _choose(builder, cond, one, other, ctype)
    if isinstance(one, PLACES) and isinstance(other, PLACES) and not isinstance(ctype, PointerType):
        return ChoicePlace(builder.bind("choice", cond), one, other, one.ctype)
    first, second = builder.value(one), builder.value(other)
    if isinstance(ctype, PointerType):
        first = cast("Value", convert_operand(builder, first, ctype, implied=True))
        second = cast("Value", convert_operand(builder, second, ctype, implied=True))
    if isinstance(first, POINTERS) and isinstance(second, POINTERS):
        if first == second:
            return first
        return ChoicePointer(builder.bind("choice", cond), first, second, first.pointee)
    return _branches(builder, cond, ([], one), ([], other), ctype)


def _branches(
    builder: Builder,
    cond: Expr,
    then: tuple[Sequence[Stmt], Operand],
    otherwise: tuple[Sequence[Stmt], Operand],
    ctype: object,
) -> Operand:
    if isinstance(ctype, ScalarType):
        variable = builder.fresh("chosen", ctype.dtype, mutable=True)
        builder.emit(Declare(variable, None, builder.span))
        parts = [
            (*statements, Assign(variable, builder.scalar(operand, ctype.dtype), builder.span))
            for statements, operand in (then, otherwise)
        ]
        builder.emit(If(cond, parts[0], parts[1], builder.span))
        return ScalarValue(LocalRef(variable, builder.span))
    if isinstance(ctype, PointerType):
        raise builder.refuse("TLM115", "a pointer is chosen by a condition with side effects")
    target = make_object(builder, "chosen", ctype, f"chosen:{builder.span}")  # type: ignore[arg-type]
    place = RegisterPlace(target, 0, ctype)  # type: ignore[arg-type]
    blocks = []
    for statements, operand in (then, otherwise):
        with builder.nested() as block:
            block.extend(statements)
            builder.write(place, operand)
        blocks.append(tuple(block))
    builder.emit(If(cond, blocks[0], blocks[1], builder.span))
    return place


HANDLERS: dict[CursorKind, Handler] = {
    CursorKind.BINARY_OPERATOR: binary_expression,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: compound,
    CursorKind.UNARY_OPERATOR: unary_expression,
    CursorKind.CONDITIONAL_OPERATOR: conditional,
}
