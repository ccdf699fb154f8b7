"""The builder's state machine: open statement lists, the current frame, and operations on operands (`Sink`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from clang.cindex import Cursor, CursorKind, TypeKind

from migrate.diagnostics import Refusal, make, refuse
from migrate.ir.kernel import Buffer, Declare, DType, Expr, LocalRef, LocalVar, Stmt
from migrate.ir.span import Span
from migrate.parse.build import elements, memory, places
from migrate.parse.build.effects import Effects, effects_of, operand_reads
from migrate.parse.build.frame import Frame
from migrate.parse.build.markers import Mark
from migrate.parse.build.scalars import constant, convert, is_stable
from migrate.parse.build.types import CType, ScalarType, VoidType
from migrate.parse.build.unit import Unit
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    ChoicePlace,
    ChoicePointer,
    ClosureValue,
    MemoryPlace,
    NullPointer,
    Operand,
    Place,
    Pointer,
    PointerValue,
    RegisterPlace,
    RegisterPointer,
    ScalarValue,
    StringValue,
    Value,
    ValuePlace,
)

Handler = Callable[["Builder", Cursor], Operand]
StatementHandler = Callable[["Builder", Cursor], None]
PLACES = (RegisterPlace, MemoryPlace, ChoicePlace, ValuePlace)
POINTERS = (PointerValue, RegisterPointer, ChoicePointer, NullPointer)


class Builder:
    """Evaluates cursors to operands and emits statements. Handlers by cursor kind are given, not known here."""

    def __init__(
        self,
        unit: Unit,
        frame: Frame,
        expressions: Mapping[CursorKind, Handler],
        statements: Mapping[CursorKind, StatementHandler],
    ) -> None:
        self.unit = unit
        self.frame = frame
        self._expressions = expressions
        self._statements = statements
        self.blocks: list[list[Stmt]] = [[]]
        self._spans: list[Span] = []
        self.wanted_name: str | None = None
        self.volatile_write = False

    # --- spans, types, refusals

    @property
    def span(self) -> Span | None:
        """Where the innermost cursor being built stands."""
        return self._spans[-1] if self._spans else None

    def ctype(self, cursor: Cursor) -> CType:
        """The builder's type of an expression or declaration."""
        return self.unit.types.read(cursor.type, self.span)

    def refuse(self, code: str, message: str) -> Refusal:
        """A refusal at the current position."""
        return refuse(code, message, self.span)

    def note(self, code: str) -> None:
        """See `Sink`."""
        self.unit.note(code)

    def warn(self, code: str, message: str) -> None:
        """Adds a warning at the current position to the kernel (``Kernel.warnings``), once."""
        self.unit.warn(make(code, message, self.span))

    def apply(self, function: ClosureValue, arguments: Sequence[Operand]) -> Operand:
        """See `Sink`."""
        from migrate.parse.build.closures import call_closure

        return call_closure(self, function, None, list(arguments))

    # --- statements

    @property
    def block(self) -> list[Stmt]:
        """The statement list that is open."""
        return self.blocks[-1]

    @contextmanager
    def nested(self) -> Iterator[list[Stmt]]:
        """Statements go to a new list inside the context."""
        block: list[Stmt] = []
        self.blocks.append(block)
        try:
            yield block
        finally:
            self.blocks.pop()

    def emit(self, statement: Stmt) -> None:
        """See `Sink`. Refuses bodies that have grown beyond any use (TLM117)."""
        if not self.unit.count_statement():
            raise self.refuse("TLM117", "the kernel grows too large when its calls are placed inline")
        self.block.append(statement)

    def mark(self) -> Mark:
        """Remembers the current position of the open list."""
        mark = Mark()
        self.block.append(cast("Any", mark))
        return mark

    def since(self, mark: Mark) -> list[Stmt]:
        """Statements emitted after ``mark``."""
        return self.block[self._index(mark) + 1 :]

    def _index(self, mark: Mark) -> int:
        block = self.block
        for index in range(len(block) - 1, -1, -1):
            if cast("Any", block[index]) is mark:
                return index
        raise AssertionError("a mark was lost")

    def release(self, mark: Mark) -> None:
        """Drops a mark."""
        del self.block[self._index(mark)]

    def at(self, mark: Mark, action: Callable[[], Operand]) -> Operand:
        """Runs ``action`` with its statements placed at ``mark``."""
        with self.nested() as statements:
            result = action()
        index = self._index(mark)
        self.block[index:index] = statements
        return result

    def execute(self, cursor: Cursor) -> None:
        """Builds one statement cursor (expressions count as statements)."""
        handler = self._statements.get(cursor.kind)
        self._spans.append(self.unit.context.span(cursor))
        try:
            if handler is not None:
                handler(self, cursor)
            elif cursor.kind in self._expressions or cursor.kind.is_expression():
                self.evaluate(cursor)
            else:
                raise self.refuse("TLM206", f"statement {cursor.kind.name.lower()} is not converted")
        finally:
            self._spans.pop()

    # --- expressions

    def evaluate(self, cursor: Cursor) -> Operand:
        """Value or place of an expression; its side effects are emitted."""
        handler = self._expressions.get(cursor.kind)
        self._spans.append(self.unit.context.span(cursor))
        try:
            if handler is None:
                raise self.refuse("TLM101", f"expression {cursor.kind.name.lower()} is not converted")
            return handler(self, cursor)
        finally:
            self._spans.pop()

    def scalar_of(self, cursor: Cursor, dtype: DType | None = None) -> Expr:
        """An expression cursor as a scalar, converted to ``dtype`` if given."""
        return self.scalar(self.evaluate(cursor), dtype)

    def evaluate_all(self, cursors: Sequence[Cursor], *, places: bool = False) -> list[Operand]:
        """Operands in source order; one that a later one's side effects would change is kept in a temporary.

        With ``places`` lvalues stay places, otherwise all become values.
        """
        return self.in_order([partial(self.evaluate, cursor) for cursor in cursors], places=places)

    def in_order(self, actions: Sequence[Callable[[], Operand]], *, places: bool = False) -> list[Operand]:
        """As `evaluate_all`, for any actions."""
        results: list[Operand] = []
        marks: list[Mark] = []
        for action in actions:
            before = self.mark()
            operand = action()
            effects = effects_of(self.since(before))
            self.release(before)
            if effects:
                self._take_values(results, marks, effects)
            results.append(operand if places else self.value(operand))
            marks.append(self.mark())
        for mark in marks:
            self.release(mark)
        return results

    def _take_values(self, results: list[Operand], marks: list[Mark], effects: Effects) -> None:
        for index, operand in enumerate(results):
            if isinstance(operand, PLACES) or not operand_reads(operand, effects):
                continue
            results[index] = self.at(marks[index], partial(self.freeze, operand))

    def name_for(self, fallback: str) -> str:
        """The name of the variable that is being initialised, once; else ``fallback``."""
        name, self.wanted_name = self.wanted_name, None
        return name or fallback

    # --- Sink: locals

    def fresh(self, hint: str, dtype: DType, mutable: bool = False) -> LocalVar:
        """See `Sink`."""
        name = self.take_name(hint)
        self.unit.temporaries.add(name)
        return LocalVar(name, dtype, mutable, self.span)

    def take_name(self, hint: str) -> str:
        """A free local name of the current function."""
        name = self.frame.names.take(hint)
        self.unit.every_name.add(name)
        return name

    def bind(self, hint: str, expr: Expr) -> Expr:
        """The expression's value as of now: itself if nothing can change it, else a new immutable local."""
        if is_stable(expr):
            return expr
        variable = self.fresh(hint, expr.dtype)
        self.emit(Declare(variable, expr, self.span))
        return LocalRef(variable, self.span)

    def freeze(self, operand: Operand) -> Operand:
        """A value that later effects cannot change."""
        value = self.value(operand)
        if isinstance(value, ScalarValue):
            return ScalarValue(self.bind("value", value.expr))
        if isinstance(value, AggregateValue):
            cells = [
                Cell(cell.offset, cast("Any", self.freeze(cell.value)))
                if isinstance(cell.value, POINTERS)
                else Cell(cell.offset, self.bind("part", cell.value))
                for cell in value.cells
            ]
            return AggregateValue(value.ctype, tuple(cells))
        if isinstance(value, PointerValue):
            return PointerValue(value.buffer, self.bind(f"{value.buffer.name}_offset", value.offset), value.pointee)
        if isinstance(value, ChoicePointer):
            then, otherwise = self.freeze(value.then), self.freeze(value.otherwise)
            cond = self.bind("choice", value.cond)
            return ChoicePointer(cond, cast("Pointer", then), cast("Pointer", otherwise), value.pointee)
        return value

    def steady(self, place: Place) -> Place:
        """The same place with its address taken now (for references and ``this``)."""
        if isinstance(place, MemoryPlace):
            subscripts = place.subscripts
            if subscripts is not None:
                subscripts = tuple(self.bind("index", index) for index in subscripts)
                return MemoryPlace(place.buffer, place.offset, place.ctype, subscripts)
            return MemoryPlace(place.buffer, self.bind("index", place.offset), place.ctype, None)
        if isinstance(place, ChoicePlace):
            cond = self.bind("choice", place.cond)
            return ChoicePlace(cond, self.steady(place.then), self.steady(place.otherwise), place.ctype)
        return place

    # --- Sink: operands

    def value(self, operand: Operand) -> Value:
        """See `Sink`."""
        if isinstance(operand, PLACES):
            return memory.load(self, operand)
        return operand

    def scalar(self, operand: Operand, dtype: DType | None = None) -> Expr:
        """See `Sink`. Refuses (TLM101) aggregates, and pointers used as numbers (TLM105)."""
        value = self.value(operand)
        if isinstance(value, ScalarValue):
            return value.expr if dtype is None else convert(value.expr, dtype, self.span)
        if isinstance(value, POINTERS):
            if dtype == "bool":
                return places.is_not_null(self, value)
            raise self.refuse("TLM105", "the address in a pointer is used as a number")
        if isinstance(value, StringValue) and dtype == "bool":
            return constant("bool", True)  # assert(x && "text")
        raise self.refuse("TLM101", "a scalar is needed here, but the expression is of class or function type")

    def leaf(self, operand: Operand, index: int) -> Expr:
        """See `Sink`."""
        value = self.value(operand)
        if not isinstance(value, AggregateValue):
            raise self.refuse("TLM101", "an aggregate is needed here")
        return elements.aggregate_leaf(self, value, index)

    def load(self, pointer: Operand) -> Value:
        """See `Sink`."""
        return self.value(places.dereference(self, self.value(pointer)))

    def store(self, pointer: Operand, value: Operand) -> None:
        """See `Sink`."""
        place = pointer if isinstance(pointer, PLACES) else places.dereference(self, self.value(pointer))
        memory.store(self, place, self.value(value))

    def element(self, pointer: Operand) -> tuple[Buffer, tuple[Expr, ...]]:
        """See `Sink`. Refuses (TLM208) targets that are no single buffer, and other element types (TLM102)."""
        place = pointer if isinstance(pointer, PLACES) else places.dereference(self, self.value(pointer))
        return places.element_of(self, place)

    def write(self, place: Operand, value: Operand, *, volatile: bool = False) -> None:
        """Assignment to a place; ``volatile``: through a volatile lvalue."""
        if not isinstance(place, PLACES):
            raise self.refuse("TLM101", "assignment to something that is not an object")
        value = self.value(value)
        outer, self.volatile_write = self.volatile_write, volatile
        try:
            memory.store(self, place, value)
        finally:
            self.volatile_write = outer


def is_void(ctype: CType) -> bool:
    """True for void."""
    return isinstance(ctype, VoidType)


def is_pointer_type(cursor: Cursor) -> bool:
    """True for an expression of pointer type."""
    return bool(cursor.type.get_canonical().kind == TypeKind.POINTER)


def scalar_type(ctype: CType) -> DType | None:
    """dtype of a scalar type."""
    return ctype.dtype if isinstance(ctype, ScalarType) else None
