"""A `Sink` that records, operands to call handlers with, and a printer of expressions for readable comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from migrate.diagnostics import refuse
from migrate.ir.kernel import (
    Assign,
    Atomic,
    Barrier,
    Binary,
    Bitcast,
    Buffer,
    Builtin,
    Cast,
    Const,
    Declare,
    DType,
    Expr,
    Fence,
    Load,
    LocalRef,
    LocalVar,
    MathCall,
    ParamRef,
    Scope,
    Select,
    Shuffle,
    Stmt,
    Store,
    SyncReduce,
    Unary,
    Vote,
)
from migrate.ir.math_names import operand_dtypes, result_dtype
from migrate.ir.span import Span
from migrate.parse.build.intrinsics import lookup
from migrate.parse.build.types import (
    CType,
    Field,
    PointerType,
    RecordType,
    ReferenceType,
    ScalarType,
    VoidType,
    leaves,
)
from migrate.parse.build.values import (
    AggregateValue,
    ClosureValue,
    IntrinsicCall,
    MemoryPlace,
    Operand,
    PointerValue,
    ScalarValue,
    Value,
)

SPAN = Span("kernel.cu", 7, 3)


def record(name: str, element: DType, count: int, template_args: tuple[str, ...] = ()) -> RecordType:
    """A vector type of ``count`` equal members."""
    size = ScalarType(element).size
    fields = tuple(Field(member, ScalarType(element), index * size) for index, member in enumerate("xyzw"[:count]))
    return RecordType(name, size * count, size, fields, template_args, spelling=name)


HALF2, BFLOAT162 = record("__half2", "float16", 2), record("__nv_bfloat162", "bfloat16", 2)
FLOAT2, FLOAT4 = record("float2", "float32", 2), record("float4", "float32", 4)


@dataclass
class FakeSink:
    """Keeps statements in ``statements`` and notes in ``notes``."""

    statements: list[Stmt] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    count: int = 0

    @property
    def span(self) -> Span | None:
        return SPAN

    def fresh(self, hint: str, dtype: DType, mutable: bool = False) -> LocalVar:
        self.count += 1
        return LocalVar(f"{hint}{self.count}", dtype, mutable)

    def emit(self, statement: Stmt) -> None:
        self.statements.append(statement)

    def value(self, operand: Operand) -> Value:
        return self.load_place(operand) if isinstance(operand, MemoryPlace) else operand  # type: ignore[return-value]

    def load_place(self, place: MemoryPlace) -> Value:
        return self.load(PointerValue(place.buffer, place.offset, place.ctype))

    def scalar(self, operand: Operand, dtype: DType | None = None) -> Expr:
        given = self.value(operand)
        if not isinstance(given, ScalarValue):
            raise refuse("TLM301", "not a scalar", SPAN)
        return given.expr if dtype in (None, given.dtype) else Cast(given.expr, dtype or "")

    def leaf(self, operand: Operand, index: int) -> Expr:
        given = self.value(operand)
        assert isinstance(given, AggregateValue)
        cell = given.cells[index].value
        assert not isinstance(cell, PointerValue)
        return cell  # type: ignore[return-value]

    def load(self, pointer: Operand) -> Value:
        assert isinstance(pointer, PointerValue)
        if isinstance(pointer.pointee, RecordType):
            parts = [Load(pointer.buffer, (_plus(pointer.offset, i),)) for i in range(len(leaves(pointer.pointee)))]
            return AggregateValue.of(pointer.pointee, parts)
        return ScalarValue(Load(pointer.buffer, (pointer.offset,)))

    def store(self, pointer: Operand, value: Operand) -> None:
        assert isinstance(pointer, PointerValue | MemoryPlace)
        given = self.value(value)
        parts = [cell.value for cell in given.cells] if isinstance(given, AggregateValue) else [self.scalar(given)]
        for index, part in enumerate(parts):
            self.emit(Store(pointer.buffer, (_plus(pointer.offset, index),), part))  # type: ignore[arg-type]

    def element(self, pointer: Operand) -> tuple[Buffer, tuple[Expr, ...]]:
        assert isinstance(pointer, PointerValue)
        return pointer.buffer, (pointer.offset,)

    def apply(self, function: ClosureValue, arguments: Sequence[Operand]) -> Operand:
        """Stands for a function of the program: the cell-wise product of both arguments."""
        left, right = (self.value(argument) for argument in arguments)
        if isinstance(left, ScalarValue) and isinstance(right, ScalarValue):
            return ScalarValue(Binary("mul", left.expr, right.expr, left.dtype))
        assert isinstance(left, AggregateValue)
        parts = [(self.leaf(left, i), self.leaf(right, i)) for i in range(len(left.cells))]
        return AggregateValue.of(left.ctype, [Binary("mul", a, b, a.dtype) for a, b in parts])

    def note(self, code: str) -> None:
        self.notes.append(code)


def _plus(offset: Expr, index: int) -> Expr:
    return offset if index == 0 else Binary("add", offset, Const(offset.dtype, index), offset.dtype)


def operand(ctype: CType, name: str) -> Operand:
    """An argument of the type: parameters called ``name``, ``name.x`` …, or a pointer into buffer ``name``."""
    if isinstance(ctype, ReferenceType):
        return MemoryPlace(buffer(name, ctype.target), ParamRef(name + "_at", "int64"), ctype.target)
    if isinstance(ctype, PointerType):
        return PointerValue(buffer(name, ctype.pointee), ParamRef(name + "_at", "int64"), ctype.pointee)
    if isinstance(ctype, RecordType):
        parts = [ParamRef(".".join((name, *leaf.path)), leaf.ctype.dtype) for leaf in leaves(ctype)]  # type: ignore[union-attr]
        return AggregateValue.of(ctype, parts)
    assert isinstance(ctype, ScalarType)
    return ScalarValue(ParamRef(name, ctype.dtype))


def buffer(name: str, pointee: CType) -> Buffer:
    """A global buffer of the pointee's (first leaf's) dtype."""
    return Buffer(name, leaves(pointee)[0].ctype.dtype, Scope.GLOBAL)  # type: ignore[union-attr]


def call(
    name: str,
    kinds: Sequence[CType | str],
    result: CType | str | None,
    *,
    sink: FakeSink | None = None,
    args: Sequence[Operand] | None = None,
    discarded: bool = False,
) -> tuple[Operand | None, FakeSink]:
    """Calls the handler of ``name`` with arguments a, b, c … of the given types (dtypes stand for scalars)."""
    handler = lookup(name)
    assert handler is not None, name
    sink = sink or FakeSink()
    types = tuple(ScalarType(kind) if isinstance(kind, str) else kind for kind in kinds)
    operands = tuple(args) if args is not None else tuple(operand(kind, "abcdefg"[i]) for i, kind in enumerate(types))
    result_type = VoidType() if result is None else ScalarType(result) if isinstance(result, str) else result
    return handler(IntrinsicCall(name, operands, types, result_type, "", sink, SPAN, (), discarded)), sink


def shown(name: str, kinds: Sequence[CType | str], result: CType | str | None, **more: object) -> str:
    """Statements and value of a call as text, ``;`` between."""
    value, sink = call(name, kinds, result, **more)  # type: ignore[arg-type]
    parts = [show_statement(statement) for statement in sink.statements]
    if isinstance(value, ScalarValue):
        parts.append(show(value.expr))
    elif isinstance(value, AggregateValue):
        parts.append("{" + ", ".join(show(cell.value) for cell in value.cells) + "}")  # type: ignore[arg-type]
    return "; ".join(parts)


_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "truncdiv": "/", "shl": "<<", "shr": ">>"}
_SYMBOLS |= {"bitand": "&", "bitor": "|", "bitxor": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}
_SYMBOLS |= {"ne": "!=", "and": "&&", "or": "||"}


def show(expr: Expr) -> str:
    """An expression as short text; checks dtypes on the way."""
    if isinstance(expr, Const):
        return hex(expr.value) if isinstance(expr.value, int) and expr.value > 99 else str(expr.value)
    if isinstance(expr, ParamRef):
        return expr.name
    if isinstance(expr, LocalRef):
        return expr.var.name
    if isinstance(expr, Builtin):
        return f"{expr.kind}.{expr.axis}" if expr.kind not in ("laneid", "warpid") else expr.kind
    if isinstance(expr, Load):
        return f"{expr.buffer.name}[{', '.join(map(show, expr.indices))}]"
    if isinstance(expr, Cast):
        return f"{expr.dtype}{'_' + expr.rounding if expr.rounding else ''}({show(expr.operand)})"
    if isinstance(expr, Bitcast):
        assert ScalarType(expr.dtype).size == ScalarType(expr.operand.dtype).size
        return f"bits_{expr.dtype}({show(expr.operand)})"
    if isinstance(expr, Unary):
        assert expr.dtype == expr.operand.dtype
        return {"neg": "-", "not": "!", "bitnot": "~"}[expr.op] + show(expr.operand)
    if isinstance(expr, Select):
        assert expr.cond.dtype == "bool"
        assert expr.then.dtype == expr.otherwise.dtype == expr.dtype
        return f"({show(expr.cond)} ? {show(expr.then)} : {show(expr.otherwise)})"
    if isinstance(expr, Binary):
        assert expr.op in ("shl", "shr") or expr.left.dtype == expr.right.dtype, expr
        return f"({show(expr.left)} {_SYMBOLS[expr.op]} {show(expr.right)})"
    assert isinstance(expr, MathCall)
    assert tuple(argument.dtype for argument in expr.args) == operand_dtypes(expr.name, expr.dtype), expr
    assert expr.dtype == result_dtype(expr.name, expr.dtype)
    return f"{expr.name}({', '.join(map(show, expr.args))})"


def show_statement(statement: Stmt) -> str:
    """A statement as short text."""
    if isinstance(statement, Declare):
        return f"{statement.var.dtype} {statement.var.name}" + (f" = {show(statement.init)}" if statement.init else "")
    if isinstance(statement, Assign):
        return f"{statement.var.name} = {show(statement.value)}"
    if isinstance(statement, Store):
        assert statement.value.dtype == statement.buffer.dtype
        return f"{statement.buffer.name}[{', '.join(map(show, statement.indices))}] = {show(statement.value)}"
    if isinstance(statement, Shuffle):
        texts = ", ".join(map(show, (statement.value, statement.operand, statement.width, statement.mask)))
        assert statement.result.dtype == statement.value.dtype
        return f"{statement.result.name} = shuffle_{statement.mode}({texts})"
    if isinstance(statement, Vote):
        assert statement.mode not in ("ballot", "any", "all") or (statement.value and statement.value.dtype == "bool")
        texts = ", ".join(show(part) for part in (statement.value, statement.mask) if part is not None)
        return f"{statement.result.name} = {statement.mode}({texts})"
    if isinstance(statement, SyncReduce):
        assert statement.predicate.dtype == "bool"
        return f"{statement.result.name} = sync_{statement.op}({show(statement.predicate)})"
    if isinstance(statement, Atomic):
        texts = ", ".join(map(show, statement.operands))
        place = f"{statement.buffer.name}[{', '.join(map(show, statement.indices))}]"
        return (f"{statement.result.name} = " if statement.result else "") + f"atomic_{statement.op}({place}, {texts})"
    if isinstance(statement, Barrier):
        return f"barrier_{statement.kind}" + (f"({show(statement.mask)})" if statement.mask is not None else "")
    assert isinstance(statement, Fence), statement
    return f"fence_{statement.kind}"
