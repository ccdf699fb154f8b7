"""Votes, match and integer reductions over a warp."""

from __future__ import annotations

from typing import Literal

from migrate.ir.kernel import DType, Expr, LocalRef, Vote
from migrate.parse.build.intrinsics.arguments import (
    binary,
    bitcast,
    const,
    declare_result,
    result_scalar,
    scalar,
    truth,
    value,
)
from migrate.parse.build.intrinsics.barriers import FULL_MASK
from migrate.parse.build.intrinsics.shuffles import LEGACY_NOTE
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

ACTIVE_MASK_NOTE = "TLM321"
Ask = Literal["ballot", "any", "all"]
Match = Literal["match_any", "match_all"]
Reduction = Literal["reduce_add", "reduce_min", "reduce_max", "reduce_and", "reduce_or", "reduce_xor"]
_RESULTS: dict[Ask, DType] = {"ballot": "uint32", "any": "int32", "all": "int32"}
_REDUCTIONS: tuple[Reduction, ...] = (
    "reduce_add",
    "reduce_min",
    "reduce_max",
    "reduce_and",
    "reduce_or",
    "reduce_xor",
)


def ask(call: IntrinsicCall, mode: Ask, predicate: Expr, mask: Expr) -> Expr:
    """Emits one vote on a bool and returns its result."""
    result = declare_result(call, {"ballot": "votes", "any": "some", "all": "every"}[mode], _RESULTS[mode])
    call.sink.emit(Vote(result, mode, predicate, mask, call.span))
    return LocalRef(result)


def match(call: IntrinsicCall, given: Expr, mask: Expr, mode: Match = "match_any") -> Expr:
    """Emits match_any or match_all; floats are compared by their bits."""
    bits = {"float32": "uint32", "float64": "uint64"}
    result = declare_result(call, "equals", "uint32")
    given = bitcast(given, bits.get(given.dtype, given.dtype))
    call.sink.emit(Vote(result, mode, given, mask, call.span))
    return LocalRef(result)


def reduce(call: IntrinsicCall, mode: Reduction, given: Expr, mask: Expr) -> Expr:
    """Emits an integer reduction over the lanes of ``mask``."""
    result = declare_result(call, "total", given.dtype)
    call.sink.emit(Vote(result, mode, given, mask, call.span))
    return LocalRef(result)


def _synchronised(mode: Ask) -> Intrinsic:
    """``__ballot_sync(mask, predicate)``."""

    def handler(call: IntrinsicCall) -> Operand:
        return value(ask(call, mode, truth(scalar(call, 1)), scalar(call, 0, "uint32")))

    return handler


def _legacy(mode: Ask) -> Intrinsic:
    """``__ballot(predicate)``: the full mask and a note."""

    def handler(call: IntrinsicCall) -> Operand:
        call.sink.note(LEGACY_NOTE)
        return value(ask(call, mode, truth(scalar(call, 0)), FULL_MASK))

    return handler


def _match_any(call: IntrinsicCall) -> Operand:
    """``__match_any_sync(mask, value)``."""
    return value(match(call, scalar(call, 1), scalar(call, 0, "uint32")))


def _match_all(call: IntrinsicCall) -> Operand:
    """``__match_all_sync(mask, value, &same)``: ``same`` is set where the mask is not 0 (the caller is in it)."""
    found = match(call, scalar(call, 1), scalar(call, 0, "uint32"), "match_all")
    call.sink.store(call.args[2], value(binary("ne", found, const("uint32", 0))))
    return value(found)


def _active_mask(call: IntrinsicCall) -> Operand:
    """``__activemask()``, with a note: its value depends on how the warp diverged."""
    call.sink.note(ACTIVE_MASK_NOTE)
    result = declare_result(call, "active", "uint32")
    call.sink.emit(Vote(result, "activemask", None, None, call.span))
    return value(LocalRef(result))


def _reduction(mode: Reduction) -> Intrinsic:
    """``__reduce_add_sync(mask, value)`` on int or unsigned, as the AST's type says."""

    def handler(call: IntrinsicCall) -> Operand:
        return value(reduce(call, mode, scalar(call, 1, result_scalar(call)), scalar(call, 0, "uint32")))

    return handler


TABLE: dict[str, Intrinsic] = {f"__{mode}_sync": _synchronised(mode) for mode in _RESULTS}
TABLE |= {f"__{mode}": _legacy(mode) for mode in _RESULTS}
TABLE |= {f"__{mode}_sync": _reduction(mode) for mode in _REDUCTIONS}
TABLE |= {"__match_any_sync": _match_any, "__match_all_sync": _match_all, "__activemask": _active_mask}
