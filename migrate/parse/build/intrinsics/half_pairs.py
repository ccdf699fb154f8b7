"""__half2 and __nv_bfloat162: every operation lane by lane, each lane rounding once."""

from __future__ import annotations

from migrate.ir.kernel import BinaryOp, Expr
from migrate.parse.build.intrinsics.arguments import (
    aggregate,
    binary,
    cast,
    freeze,
    is_nan,
    pair,
    pair_dtype,
    reuse,
    unknown,
    value,
)
from migrate.parse.build.intrinsics.half_lanes import (
    ARITHMETIC,
    ORDERED,
    UNORDERED,
    Lanewise,
    absolute,
    clamped,
    fused,
    fused_clamped,
    keeping_nan,
    larger,
    negative,
    ordered_not_equal,
    plain_operation,
    relu,
    smaller,
    unordered,
)
from migrate.parse.build.types import RecordType
from migrate.parse.build.values import AggregateValue, Intrinsic, IntrinsicCall, Operand


def _lanes(call: IntrinsicCall, count: int) -> list[tuple[Expr, ...]]:
    """Operands of the low lane, then of the high lane, each reusable."""
    if len(call.args) != count or any(pair_dtype(kind) is None for kind in call.arg_types):
        raise unknown(call)
    parts = [tuple(reuse(call, "term", part) for part in pair(call, index)) for index in range(count)]
    return [tuple(part[lane] for part in parts) for lane in range(2)]


def _pair_value(call: IntrinsicCall, low: Expr, high: Expr) -> AggregateValue:
    """A pair of the first argument's type (the result type may be a reference or missing for operators)."""
    ctype = call.arg_types[0]
    if pair_dtype(call.result_type) is not None:
        return aggregate(call, low, high)
    target = getattr(ctype, "target", ctype)
    if not isinstance(target, RecordType):
        raise unknown(call)
    return AggregateValue.of(target, (low, high))


def lanewise(count: int, make: Lanewise) -> Intrinsic:
    """Handler of a function that works on both lanes alike."""

    def handler(call: IntrinsicCall) -> Operand:
        low, high = _lanes(call, count)
        return _pair_value(call, make(*low), make(*high))

    return handler


def operate_pair(call: IntrinsicCall, op: BinaryOp) -> Operand:
    """``a + b``."""
    low, high = _lanes(call, 2)
    return _pair_value(call, binary(op, *low), binary(op, *high))


def compare_pair(call: IntrinsicCall, op: BinaryOp) -> Operand:
    """``a < b``: true if it holds in both lanes (``!=`` too: CUDA defines it as __hbneu2)."""
    low, high = _lanes(call, 2)
    return value(binary("and", binary(op, *low), binary(op, *high)))


def assign_pair(call: IntrinsicCall, op: BinaryOp) -> Operand:
    """``a += b``: both lanes are computed before the first is written."""
    low, high = _lanes(call, 2)
    first, second = freeze(call, "low", binary(op, *low)), freeze(call, "high", binary(op, *high))
    call.sink.store(call.args[0], _pair_value(call, first, second))
    return call.args[0]


def negate_pair(call: IntrinsicCall) -> Operand:
    """``-a``."""
    low, high = _lanes(call, 1)
    return _pair_value(call, negative(*low), negative(*high))


def _as_number(make: Lanewise) -> Lanewise:
    """``__hlt2``: 1.0 or 0.0 a lane."""

    def number(left: Expr, right: Expr) -> Expr:
        return cast(make(left, right), left.dtype)

    return number


def _both(make: Lanewise) -> Intrinsic:
    """``__hblt2``: one bool for both lanes."""

    def handler(call: IntrinsicCall) -> Operand:
        low, high = _lanes(call, 2)
        return value(binary("and", make(*low), make(*high)))

    return handler


def _fused_relu(call: IntrinsicCall) -> Operand:
    """``__hfma2_relu``."""
    low, high = _lanes(call, 3)
    return _pair_value(call, *(relu(freeze(call, "fused", fused(*lane))) for lane in (low, high)))


def _nan_lanes(call: IntrinsicCall) -> Operand:
    """``__hisnan2``: 1.0 or 0.0 a lane."""
    low, high = _lanes(call, 1)
    return _pair_value(call, cast(is_nan(*low), low[0].dtype), cast(is_nan(*high), high[0].dtype))


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {}
    for op in ARITHMETIC.values():
        name = "__h2div" if op == "div" else f"__h{op}2"
        table[name] = lanewise(2, plain_operation(op))
        if op != "div":
            table[name + "_rn"] = table[name]
            table[name + "_sat"] = lanewise(2, clamped(op))
    comparisons: dict[str, Lanewise] = {name: plain_operation(op) for name, op in ORDERED.items()}
    comparisons |= {name: unordered(op) for name, op in UNORDERED.items()} | {"ne": ordered_not_equal}
    for name, make in comparisons.items():
        table[f"__h{name}2"] = lanewise(2, _as_number(make))
        table[f"__hb{name}2"] = _both(make)
    table |= {
        "__hmax2": lanewise(2, larger),
        "__hmin2": lanewise(2, smaller),
        "__hmax2_nan": lanewise(2, keeping_nan(larger)),
        "__hmin2_nan": lanewise(2, keeping_nan(smaller)),
        "__hfma2": lanewise(3, fused),
        "__hfma2_sat": lanewise(3, fused_clamped),
        "__hfma2_relu": _fused_relu,
        "__habs2": lanewise(1, absolute),
        "__hneg2": lanewise(1, negative),
        "__hisnan2": _nan_lanes,
    }
    return table


TABLE: dict[str, Intrinsic] = _make_table()
