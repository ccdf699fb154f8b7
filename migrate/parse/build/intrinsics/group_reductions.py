"""``cooperative_groups::reduce`` of a tile: CUDA's own order, a butterfly with offsets N/2, N/4 … 1.

``v = op(v, shfl_xor(v, offset))`` in every round. CUDA may use one instruction for 32-bit integers, which gives the
same result, since those operations do not depend on order.
"""

from __future__ import annotations

from collections.abc import Callable

from migrate.diagnostics import refuse
from migrate.ir.kernel import BinaryOp, Expr
from migrate.parse.build.intrinsics.arguments import binary, const, freeze, freeze_operand, plain, select, value
from migrate.parse.build.intrinsics.groups import group_of, tile_mask
from migrate.parse.build.intrinsics.shuffles import exchange, exchange_record
from migrate.parse.build.types import FLOATS, RecordType, ScalarType
from migrate.parse.build.values import ClosureValue, Intrinsic, IntrinsicCall, Operand, ScalarValue

_Combine = Callable[[Expr, Expr], Expr]


def _operation(op: BinaryOp) -> _Combine:
    def combine(left: Expr, right: Expr) -> Expr:
        return binary(op, left, right)

    return combine


def _less(left: Expr, right: Expr) -> Expr:
    """``(right < left) ? right : left``, as in CUDA's functional.h: NaN is not dropped."""
    return select(binary("lt", right, left), right, left)


def _greater(left: Expr, right: Expr) -> Expr:
    """``(left < right) ? right : left``."""
    return select(binary("lt", left, right), right, left)


_OPERATIONS: dict[str, _Combine] = {
    "plus": _operation("add"),
    "less": _less,
    "greater": _greater,
    "bit_and": _operation("bitand"),
    "bit_or": _operation("bitor"),
    "bit_xor": _operation("bitxor"),
}


def _reduce(call: IntrinsicCall) -> Operand:
    group = group_of(call)
    if group.kind != "tile":
        raise refuse("TLM311", f"{call.name} over a {group.kind} is not known", call.span)
    combine = _combination(call)
    width, mask = const("int32", group.size), freeze(call, "mask", tile_mask(group))
    current = freeze_operand(call, call.sink.value(call.args[1]), "total")
    offset = group.size // 2
    while offset:
        partner = _exchanged(call, current, const("int32", offset), width, mask)
        current = freeze_operand(call, call.sink.value(combine(current, partner)), "total")
        offset //= 2
    return current


def _exchanged(call: IntrinsicCall, current: Operand, offset: Expr, width: Expr, mask: Expr) -> Operand:
    if isinstance(current, ScalarValue):
        return value(exchange(call, "xor", current.expr, offset, width, mask))
    return exchange_record(call, "xor", current, offset, width, mask)


def _combination(call: IntrinsicCall) -> Callable[[Operand, Operand], Operand]:
    """One of CUDA's operations on a scalar, or the program's own lambda or function."""
    operation = call.sink.value(call.args[2])
    if isinstance(operation, ClosureValue):

        def applied(left: Operand, right: Operand) -> Operand:
            return call.sink.apply(operation, (left, right))

        return applied
    ctype = plain(call.arg_types[2])
    name = ctype.name if isinstance(ctype, RecordType) else ""
    known = _OPERATIONS.get(name.rpartition("::")[2]) if name.startswith("cooperative_groups::") else None
    given = plain(call.arg_types[1])
    dtype = given.dtype if isinstance(given, ScalarType) else "a struct"
    small = dtype in ("bool", "int8", "uint8", "int16", "uint16", "a struct")
    if known is None or small or (dtype in FLOATS and "bit_" in name):
        raise refuse("TLM312", f"{call.name} with {name or 'this operation'} on {dtype} is not known", call.span)
    combine = known

    def combined(left: Operand, right: Operand) -> Operand:
        return value(combine(call.sink.scalar(left, dtype), call.sink.scalar(right, dtype)))

    return combined


TABLE: dict[str, Intrinsic] = {"cooperative_groups::reduce": _reduce}
