"""Standard library helpers that kernels call: std::move, std::forward, std::swap."""

from __future__ import annotations

from migrate.parse.build.intrinsics.arguments import freeze, unknown, value
from migrate.parse.build.values import (
    AggregateValue,
    Cell,
    Intrinsic,
    IntrinsicCall,
    Operand,
    ScalarValue,
    Value,
)


def _first(call: IntrinsicCall) -> Operand:
    """``std::move(x)`` and ``std::forward<T>(x)`` are x."""
    return call.args[0]


def _frozen(call: IntrinsicCall, operand: Value) -> Value:
    """A copy that later stores do not change; refuses pointers (a swapped pointer re-seats both)."""
    if isinstance(operand, ScalarValue):
        return value(freeze(call, "kept", operand.expr))
    if isinstance(operand, AggregateValue):
        return AggregateValue(operand.ctype, tuple(_frozen_cell(call, cell) for cell in operand.cells))
    raise unknown(call)


def _frozen_cell(call: IntrinsicCall, cell: Cell) -> Cell:
    kept = _frozen(call, ScalarValue(cell.value)) if not _is_pointer(cell) else None  # type: ignore[arg-type]
    if not isinstance(kept, ScalarValue):
        raise unknown(call)
    return Cell(cell.offset, kept.expr)


def _is_pointer(cell: Cell) -> bool:
    return not hasattr(cell.value, "dtype")


def _swap(call: IntrinsicCall) -> Operand | None:
    """``std::swap(a, b)``: both are read before either is written."""
    left, right = call.args
    first, second = (_frozen(call, call.sink.value(place)) for place in (left, right))
    call.sink.store(left, second)
    call.sink.store(right, first)
    return None


TABLE: dict[str, Intrinsic] = {"std::move": _first, "std::forward": _first, "std::swap": _swap}
