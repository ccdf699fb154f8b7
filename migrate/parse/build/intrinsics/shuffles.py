"""Warp shuffles: all four modes, masks, widths, every type CUDA has, and the legacy forms without a mask."""

from __future__ import annotations

from typing import Literal

from migrate.ir.kernel import Expr, LocalRef, Shuffle
from migrate.parse.build.intrinsics.arguments import (
    HALVES,
    aggregate,
    cast,
    const,
    declare_result,
    freeze,
    freeze_operand,
    pair,
    pair_dtype,
    plain,
    result_scalar,
    scalar,
    unknown,
    value,
)
from migrate.parse.build.intrinsics.barriers import FULL_MASK
from migrate.parse.build.types import RecordType
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
)

Mode = Literal["idx", "up", "down", "xor"]
LEGACY_NOTE = "TLM320"
_SUFFIXES: dict[Mode, str] = {"idx": "", "up": "_up", "down": "_down", "xor": "_xor"}
_OPERANDS: dict[Mode, str] = {"idx": "int32", "up": "uint32", "down": "uint32", "xor": "int32"}
_SHUFFLED = ("int32", "uint32", "int64", "uint64", "float32", "float64", *HALVES)
WARP = const("int32", 32)


def exchange(call: IntrinsicCall, mode: Mode, given: Expr, operand: Expr, width: Expr, mask: Expr) -> Expr:
    """Emits one shuffle and returns its result."""
    hint = {"idx": "received", "up": "below", "down": "above", "xor": "partner"}[mode]
    result = declare_result(call, hint, given.dtype)
    call.sink.emit(Shuffle(result, mode, given, operand, width, mask, call.span))
    return LocalRef(result)


def shuffle_operand(call: IntrinsicCall, mode: Mode, index: int, operand: Expr, width: Expr, mask: Expr) -> Operand:
    """Shuffles argument ``index``, a scalar or a pair of halves, and returns the call's value."""
    if pair_dtype(call.arg_types[index]) is not None:
        low, high = pair(call, index)
        high = freeze(call, "high", high)  # the first shuffle is a statement: what it may change is read before
        operand, width, mask = (freeze(call, hint, e) for hint, e in zip(_HINTS, (operand, width, mask), strict=True))
        first = exchange(call, mode, low, operand, width, mask)
        return aggregate(call, first, exchange(call, mode, high, operand, width, mask))
    if isinstance(plain(call.arg_types[index]), RecordType):
        return _shuffle_record(call, mode, index, operand, width, mask)
    result = result_scalar(call)
    # char, short and bool are promoted to int: the overloads are those of int and wider
    dtype = result if result in _SHUFFLED else "int32"
    if result == "bool" or result not in (*_SHUFFLED, "int8", "uint8", "int16", "uint16"):
        raise unknown(call)
    return value(cast(exchange(call, mode, scalar(call, index, dtype), operand, width, mask), result))


def _shuffle_record(
    call: IntrinsicCall, mode: Mode, index: int, operand: Expr, width: Expr, mask: Expr
) -> AggregateValue:
    """A struct, member by member (only groups take structs; for ``__shfl_sync`` the headers have no overload)."""
    given = freeze_operand(call, call.sink.value(call.args[index]), "sent")
    operand, width, mask = (freeze(call, hint, e) for hint, e in zip(_HINTS, (operand, width, mask), strict=True))
    return exchange_record(call, mode, given, operand, width, mask)


def exchange_record(
    call: IntrinsicCall, mode: Mode, given: Operand, operand: Expr, width: Expr, mask: Expr
) -> AggregateValue:
    """Emits one shuffle a cell of an aggregate without pointers; small integers travel as int32."""
    if not isinstance(given, AggregateValue):
        raise unknown(call)
    cells: list[Cell] = []
    for cell in given.cells:
        if isinstance(cell.value, PointerValue | RegisterPointer | ChoicePointer | NullPointer):
            raise unknown(call)
        sent = cell.value if cell.value.dtype in _SHUFFLED else cast(cell.value, "int32")
        cells.append(Cell(cell.offset, cast(exchange(call, mode, sent, operand, width, mask), cell.value.dtype)))
    return AggregateValue(given.ctype, tuple(cells))


_HINTS = ("operand", "width", "mask")


def _synchronised(mode: Mode) -> Intrinsic:
    """``__shfl_xor_sync(mask, value, operand, width = 32)``."""

    def handler(call: IntrinsicCall) -> Operand:
        mask = scalar(call, 0, "uint32")
        operand = scalar(call, 2, _OPERANDS[mode])
        width = scalar(call, 3, "int32") if len(call.args) > 3 else WARP
        return shuffle_operand(call, mode, 1, operand, width, mask)

    return handler


def _legacy(mode: Mode) -> Intrinsic:
    """``__shfl_xor(value, operand, width = 32)``: the full mask and a note."""

    def handler(call: IntrinsicCall) -> Operand:
        call.sink.note(LEGACY_NOTE)
        operand = scalar(call, 1, _OPERANDS[mode])
        width = scalar(call, 2, "int32") if len(call.args) > 2 else WARP
        return shuffle_operand(call, mode, 0, operand, width, FULL_MASK)

    return handler


TABLE: dict[str, Intrinsic] = {
    f"__shfl{suffix}{ending}": make(mode)
    for mode, suffix in _SUFFIXES.items()
    for ending, make in (("_sync", _synchronised), ("", _legacy))
}
