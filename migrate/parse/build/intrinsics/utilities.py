"""Standard library helpers that kernels call: std::move, std::forward, std::swap."""

from __future__ import annotations

from migrate.parse.build.intrinsics.arguments import freeze_operand
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand


def _first(call: IntrinsicCall) -> Operand:
    """``std::move(x)`` and ``std::forward<T>(x)`` are x."""
    return call.args[0]


def _swap(call: IntrinsicCall) -> Operand | None:
    """``std::swap(a, b)``: both are read before either is written."""
    left, right = call.args
    first, second = (freeze_operand(call, call.sink.value(place)) for place in (left, right))
    call.sink.store(left, second)
    call.sink.store(right, first)
    return None


TABLE: dict[str, Intrinsic] = {"std::move": _first, "std::forward": _first, "std::swap": _swap}
