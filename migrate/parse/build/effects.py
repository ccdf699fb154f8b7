"""What statements write and operands read: decides when a value must be taken before a later effect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from migrate.ir.kernel import (
    Assign,
    Atomic,
    Barrier,
    Buffer,
    BufferArg,
    CallFunction,
    Declare,
    Expr,
    If,
    Load,
    LocalRef,
    Loop,
    RefArg,
    Scope,
    Shuffle,
    Stmt,
    Store,
    SyncReduce,
    Vote,
)
from migrate.parse.build.scalars import children
from migrate.parse.build.values import (
    AggregateValue,
    ChoicePlace,
    ChoicePointer,
    MemoryPlace,
    Operand,
    PointerValue,
    PointerVariable,
    RegisterPlace,
    RegisterPointer,
    ScalarValue,
    ValuePlace,
)

_GLOBAL = frozenset({Scope.GLOBAL, Scope.DEVICE})


@dataclass
class Effects:
    """Names of written locals and buffers; ``everything`` when any buffer may have changed."""

    locals: set[str] = field(default_factory=set)
    buffers: set[str] = field(default_factory=set)
    everything: bool = False
    scopes: set[Scope] = field(default_factory=set)
    formal_scopes: set[Scope] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.locals or self.buffers or self.everything)

    def write(self, buffer: Buffer) -> None:
        """Notes a write, and that buffers which may share its memory change too."""
        self.buffers.add(buffer.name)
        self.scopes.add(buffer.scope)
        if buffer.shape is None:
            self.formal_scopes.add(buffer.scope)


def effects_of(statements: Iterable[Stmt], found: Effects | None = None) -> Effects:
    """Writes of a statement list. Declarations of new names do not count."""
    result = Effects() if found is None else found
    for statement in statements:
        if isinstance(statement, Assign):
            result.locals.add(statement.var.name)
        elif isinstance(statement, Store):
            result.write(statement.buffer)
        elif isinstance(statement, Shuffle | Vote | SyncReduce):
            result.locals.add(statement.result.name)
            result.everything = True  # other lanes run in between
        elif isinstance(statement, Atomic):
            result.write(statement.buffer)
            if statement.result is not None:
                result.locals.add(statement.result.name)
        elif isinstance(statement, CallFunction):
            result.everything = True
            for buffer in buffer_arguments(statement):
                result.write(buffer)
            result.locals |= {argument.var.name for argument in statement.args if isinstance(argument, RefArg)}
            if statement.result is not None:
                result.locals.add(statement.result.name)
        elif isinstance(statement, Barrier):
            result.everything = True
        elif isinstance(statement, If):
            effects_of(statement.then, result)
            effects_of(statement.otherwise, result)
        elif isinstance(statement, Loop):
            for part in (statement.init, statement.cond_pre, statement.step, statement.body):
                effects_of(part, result)
    return result


def _buffer_changes(buffer: Buffer, effects: Effects) -> bool:
    if buffer.name in effects.buffers:
        return True
    if buffer.scope in _GLOBAL and not _GLOBAL.isdisjoint(effects.scopes):
        return True  # two parameters may be one array
    if buffer.scope in effects.scopes and (buffer.shape is None or buffer.scope in effects.formal_scopes):
        return True  # a function's formal buffer may be any buffer of its scope
    return effects.everything and buffer.scope not in (Scope.LOCAL, Scope.CONSTANT)


def expression_reads(expr: Expr, effects: Effects) -> bool:
    """True if the expression reads something in ``effects``."""
    if isinstance(expr, LocalRef):
        return expr.var.name in effects.locals
    if isinstance(expr, Load) and _buffer_changes(expr.buffer, effects):
        return True
    return any(expression_reads(child, effects) for child in children(expr))


def operand_reads(operand: Operand, effects: Effects) -> bool:
    """True if reading the operand now gives another value than after ``effects``."""
    if isinstance(operand, ScalarValue):
        return expression_reads(operand.expr, effects)
    if isinstance(operand, PointerValue):
        return expression_reads(operand.offset, effects)
    if isinstance(operand, ChoicePointer):
        return any(operand_reads(part, effects) for part in (operand.then, operand.otherwise))
    if isinstance(operand, AggregateValue):
        for cell in operand.cells:
            value = cell.value
            if isinstance(value, PointerValue | ChoicePointer):
                if operand_reads(value, effects):
                    return True
            elif not hasattr(value, "pointee") and expression_reads(value, effects):
                return True
        return False
    if isinstance(operand, MemoryPlace):
        return _buffer_changes(operand.buffer, effects) or expression_reads(operand.offset, effects)
    if isinstance(operand, RegisterPlace):
        return any(slot_name(slot.holder) in (effects.locals | effects.buffers) for slot in operand.target.slots)
    if isinstance(operand, RegisterPointer):
        return False
    if isinstance(operand, ChoicePlace):
        return operand_reads(operand.then, effects) or operand_reads(operand.otherwise, effects)
    if isinstance(operand, ValuePlace):
        return operand_reads(operand.value, effects)
    return False


def slot_name(holder: object) -> str:
    """The name whose assignment changes a slot."""
    if isinstance(holder, PointerVariable):
        return holder.offset.name if holder.offset is not None else ""
    return str(getattr(holder, "name", ""))


def reads_of(expr: Expr, locals_: set[str], buffers: set[str]) -> None:
    """Adds the names that an expression reads."""
    if isinstance(expr, LocalRef):
        locals_.add(expr.var.name)
    elif isinstance(expr, Load):
        buffers.add(expr.buffer.name)
    for child in children(expr):
        reads_of(child, locals_, buffers)


def only_declares(statements: Sequence[Stmt]) -> bool:
    """True if statements only introduce names with pure initial values."""
    return all(isinstance(statement, Declare) for statement in statements)


def buffer_arguments(statement: CallFunction) -> list[Buffer]:
    """The buffers passed to a call."""
    return [argument.buffer for argument in statement.args if isinstance(argument, BufferArg)]
