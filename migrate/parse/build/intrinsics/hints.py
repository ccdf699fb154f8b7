"""Calls that only advise the compiler or the scheduler."""

from __future__ import annotations

from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand


def _nothing(call: IntrinsicCall) -> Operand | None:
    """No effect on any value (``__nanosleep``, ``__builtin_assume``, prefetches)."""
    del call
    return None


def _first(call: IntrinsicCall) -> Operand:
    """``__builtin_expect(x, likely)`` and ``__builtin_assume_aligned(p, n)`` are their first argument."""
    return call.args[0]


TABLE: dict[str, Intrinsic] = {
    "__nanosleep": _nothing,
    "__builtin_assume": _nothing,
    "__assume": _nothing,
    "__prof_trigger": _nothing,
    "__builtin_expect": _first,
    "__builtin_assume_aligned": _first,
}
