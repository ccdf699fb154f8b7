"""Small tools for handlers: arguments as expressions, temporaries, common expression forms."""

from __future__ import annotations

from typing import Literal

from migrate.diagnostics import Refusal, refuse
from migrate.ir.kernel import (
    Binary,
    BinaryOp,
    Bitcast,
    Builtin,
    Cast,
    Const,
    Declare,
    DType,
    Expr,
    LocalRef,
    LocalVar,
    MathCall,
    ParamRef,
    Select,
    Unary,
)
from migrate.ir.math_names import MATH_NAMES, result_dtype
from migrate.parse.build.types import INTEGERS, CType, PointerType, RecordType, ReferenceType, ScalarType
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    ChoicePointer,
    Intrinsic,
    IntrinsicCall,
    NullPointer,
    Operand,
    PointerValue,
    RegisterPointer,
    ScalarValue,
    Value,
)

HALVES = ("float16", "bfloat16")
PAIRS = {"__half2": "float16", "__nv_bfloat162": "bfloat16"}


def plain(ctype: CType) -> CType:
    """The type without a reference."""
    return ctype.target if isinstance(ctype, ReferenceType) else ctype


def argument_dtype(call: IntrinsicCall, index: int) -> DType | None:
    """dtype of a scalar argument; None for other types or a missing argument."""
    if index >= len(call.arg_types):
        return None
    ctype = plain(call.arg_types[index])
    return ctype.dtype if isinstance(ctype, ScalarType) else None


def pointee_type(call: IntrinsicCall, index: int) -> CType:
    """What a pointer argument points to; refuses other types."""
    ctype = plain(call.arg_types[index])
    if not isinstance(ctype, PointerType):
        raise unknown(call)
    return ctype.pointee


def pair_dtype(ctype: CType) -> DType | None:
    """float16 for __half2, bfloat16 for __nv_bfloat162, else None."""
    ctype = plain(ctype)
    return PAIRS.get(ctype.name.rpartition("::")[2]) if isinstance(ctype, RecordType) else None


def result_scalar(call: IntrinsicCall) -> DType:
    """dtype that the AST gives the call; refuses calls whose type is not a scalar."""
    ctype = plain(call.result_type)
    if not isinstance(ctype, ScalarType):
        raise unknown(call)
    return ctype.dtype


def unknown(call: IntrinsicCall) -> Refusal:
    """The refusal for an overload that no handler knows."""
    kinds = ", ".join(_spelling(plain(ctype)) for ctype in call.arg_types)
    return refuse("TLM301", f"device function {call.name}({kinds}) is not known", call.span)


def _spelling(ctype: CType) -> str:
    spelling = getattr(ctype, "spelling", "")
    return spelling or getattr(ctype, "dtype", "") or getattr(ctype, "name", "?")


def scalar(call: IntrinsicCall, index: int, dtype: DType | None = None) -> Expr:
    """Argument ``index`` as a scalar expression, converted by C's rules to ``dtype`` if given."""
    if index >= len(call.args):
        raise unknown(call)
    return call.sink.scalar(call.args[index], dtype)


def cast(expr: Expr, dtype: DType, rounding: Literal["rn", "rz", "ru", "rd"] | None = None) -> Expr:
    """Value conversion; nothing if the dtype is already right."""
    return expr if expr.dtype == dtype else Cast(expr, dtype, rounding)


def bitcast(expr: Expr, dtype: DType) -> Expr:
    """Same bits in another dtype; nothing if the dtype is already right."""
    return expr if expr.dtype == dtype else Bitcast(expr, dtype)


def const(dtype: DType, value: int | float | bool) -> Const:
    """A literal."""
    return Const(dtype, value)


def binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    """Operation on two operands of one dtype; comparisons give bool."""
    compares = op in ("lt", "le", "gt", "ge", "eq", "ne", "and", "or")
    return Binary(op, left, right, "bool" if compares else left.dtype)


def logical_not(expr: Expr) -> Expr:
    """Negation of a bool."""
    return Unary("not", expr, "bool")


def math(name: str, *arguments: Expr, dtype: DType | None = None) -> MathCall:
    """A `MathCall` by canonical name; ``dtype`` only for names whose dtype the table leaves open."""
    entry = MATH_NAMES[name]
    if len(arguments) != entry.arity:
        raise ValueError(f"{name} takes {entry.arity} operands, not {len(arguments)}")
    return MathCall(name, arguments, result_dtype(name, dtype or entry.result))


def select(cond: Expr, then: Expr, otherwise: Expr) -> Expr:
    """``cond ? then : otherwise`` of one dtype."""
    return Select(cond, then, otherwise, then.dtype)


def truth(expr: Expr) -> Expr:
    """C's truth value as a bool expression."""
    return expr if expr.dtype == "bool" else binary("ne", expr, zero(expr.dtype))


def zero(dtype: DType) -> Const:
    """The zero of a dtype."""
    return Const(dtype, False if dtype == "bool" else 0 if dtype in INTEGERS else 0.0)


def is_nan(expr: Expr) -> Expr:
    """NaN test of a float of any width."""
    if expr.dtype == "float64":
        return math("isnan", expr)
    return math("isnanf", cast(expr, "float32"))


def is_cheap(expr: Expr) -> bool:
    """True for expressions that may be written twice without cost."""
    if isinstance(expr, Cast | Bitcast | Unary):
        return is_cheap(expr.operand)
    return isinstance(expr, Const | LocalRef | ParamRef | Builtin)


def reuse(call: IntrinsicCall, hint: str, expr: Expr) -> Expr:
    """An expression that may be used several times within one expression: itself if cheap, else a bound local."""
    return expr if is_cheap(expr) else freeze(call, hint, expr)


def freeze(call: IntrinsicCall, hint: str, expr: Expr) -> Expr:
    """The value of ``expr`` now, whatever later statements change."""
    if isinstance(expr, Const | ParamRef | Builtin) or (isinstance(expr, LocalRef) and not expr.var.mutable):
        return expr
    variable = call.sink.fresh(hint, expr.dtype)
    call.sink.emit(Declare(variable, expr, call.span))
    return LocalRef(variable)


def freeze_operand(call: IntrinsicCall, operand: Value, hint: str = "kept") -> ScalarValue | AggregateValue:
    """A copy that later statements do not change; refuses pointers (a copied pointer would have to be re-seated)."""
    if isinstance(operand, ScalarValue):
        return ScalarValue(freeze(call, hint, operand.expr))
    if not isinstance(operand, AggregateValue):
        raise unknown(call)
    cells: list[Cell] = []
    for cell in operand.cells:
        if isinstance(cell.value, PointerValue | RegisterPointer | ChoicePointer | NullPointer):
            raise unknown(call)
        cells.append(Cell(cell.offset, freeze(call, hint, cell.value)))
    return AggregateValue(operand.ctype, tuple(cells))


def declare_result(call: IntrinsicCall, hint: str, dtype: DType) -> LocalVar:
    """A declared local that a statement (shuffle, vote, atomic) will write."""
    variable = call.sink.fresh(hint, dtype, mutable=True)
    call.sink.emit(Declare(variable, None, call.span))
    return variable


def value(expr: Expr) -> ScalarValue:
    """The operand of an expression."""
    return ScalarValue(expr)


def pair(call: IntrinsicCall, index: int) -> tuple[Expr, Expr]:
    """Both halves of a half2 or bfloat162 argument."""
    operand: Operand = call.sink.value(call.args[index])
    return call.sink.leaf(operand, 0), call.sink.leaf(operand, 1)


def aggregate(call: IntrinsicCall, *leaves: Expr) -> AggregateValue:
    """The call's result from its leaves; refuses results that are not records with that many leaves."""
    try:
        return AggregateValue.of(plain(call.result_type), leaves)
    except ValueError:
        raise unknown(call) from None


def canonical(name: str) -> Intrinsic:
    """A function of fixed operand types whatever the AST says: ``expf``, ``__mulhi``."""

    def handler(call: IntrinsicCall) -> Operand:
        operands = MATH_NAMES[name].operands
        if len(call.args) != len(operands):
            raise unknown(call)
        return value(math(name, *(scalar(call, index, dtype) for index, dtype in enumerate(operands))))

    return handler
