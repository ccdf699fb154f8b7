"""``cooperative_groups::reduce`` of a tile: CUDA's own order, a butterfly with offsets N/2, N/4 … 1.

``v = op(v, shfl_xor(v, offset))`` in every round. CUDA may use one instruction for 32-bit integers, which gives the
same result, since those operations do not depend on order.
"""

from __future__ import annotations

from collections.abc import Callable

from migrate.diagnostics import refuse
from migrate.ir.kernel import BinaryOp, Expr
from migrate.parse.build.intrinsics.arguments import binary, const, freeze, plain, result_scalar, scalar, select, value
from migrate.parse.build.intrinsics.groups import group_of, tile_mask
from migrate.parse.build.intrinsics.shuffles import exchange
from migrate.parse.build.types import FLOATS, RecordType
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

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
    operation = plain(call.arg_types[2])
    name = operation.name if isinstance(operation, RecordType) else ""
    combine = _OPERATIONS.get(name.rpartition("::")[2]) if name.startswith("cooperative_groups::") else None
    dtype = result_scalar(call)
    if combine is None or (dtype in FLOATS and "bit_" in name) or dtype in ("bool", "int8", "uint8", "int16", "uint16"):
        raise refuse("TLM312", f"{call.name} with {name or 'this operation'} on {dtype} is not known", call.span)
    current = freeze(call, "total", scalar(call, 1, dtype))
    offset = group.size // 2
    while offset:
        width = const("int32", group.size)
        partner = exchange(call, "xor", current, const("int32", offset), width, tile_mask(group))
        current = freeze(call, "total", combine(current, partner))
        offset //= 2
    return value(current)


TABLE: dict[str, Intrinsic] = {"cooperative_groups::reduce": _reduce}
