"""half and bfloat16 scalars: operators, named arithmetic, comparisons. Each operation rounds once.

The operators ``+ - * / < ...`` also take __half2 and __nv_bfloat162; those parts are in half_pairs.
"""

from __future__ import annotations

from migrate.ir.kernel import BinaryOp, Expr, Unary
from migrate.parse.build.intrinsics.arguments import (
    HALVES,
    argument_dtype,
    binary,
    cast,
    const,
    freeze,
    is_nan,
    math,
    pair_dtype,
    reuse,
    scalar,
    select,
    unknown,
    value,
)
from migrate.parse.build.intrinsics.half_lanes import (
    ARITHMETIC,
    COMPARISONS,
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
from migrate.parse.build.intrinsics.half_pairs import (
    assign_pair,
    compare_pair,
    negate_pair,
    operate_pair,
)
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand


def half_dtype(call: IntrinsicCall, index: int = 0) -> str:
    """float16 or bfloat16, as argument ``index`` has it; refuses others."""
    dtype = argument_dtype(call, index)
    if dtype not in HALVES:
        raise unknown(call)
    return dtype


def _operands(call: IntrinsicCall, count: int) -> list[Expr]:
    """``count`` operands of one 16-bit type, each reusable. The first one that is of such a type decides which."""
    kinds = [argument_dtype(call, index) for index in range(min(count, len(call.args)))]
    halves = [kind for kind in kinds if kind in HALVES]
    if len(kinds) != count or not halves:
        raise unknown(call)
    return [reuse(call, "term", scalar(call, index, halves[0])) for index in range(count)]


def _lanewise(count: int, make: Lanewise) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return value(make(*_operands(call, count)))

    return handler


def _two_operands(call: IntrinsicCall, op: BinaryOp) -> Operand:
    """``a + b``, ``a < b`` on two scalars or two pairs."""
    if call.arg_types and pair_dtype(call.arg_types[0]) is not None:
        return compare_pair(call, op) if op in COMPARISONS.values() else operate_pair(call, op)
    return value(binary(op, *_operands(call, 2)))


def _operator(op: BinaryOp) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return _two_operands(call, op)

    return handler


def _assignment(op: BinaryOp) -> Intrinsic:
    """``a += b``."""

    def handler(call: IntrinsicCall) -> Operand:
        if pair_dtype(call.arg_types[0]) is not None:
            return assign_pair(call, op)
        dtype = half_dtype(call)
        result = freeze(call, "updated", binary(op, scalar(call, 0, dtype), scalar(call, 1, dtype)))
        call.sink.store(call.args[0], value(result))
        return call.args[0]

    return handler


def _sign(call: IntrinsicCall) -> Operand:
    """Unary minus; the binary one has two arguments."""
    if len(call.args) == 2:
        return _two_operands(call, "sub")
    if pair_dtype(call.arg_types[0]) is not None:
        return negate_pair(call)
    dtype = half_dtype(call)
    return value(Unary("neg", scalar(call, 0, dtype), dtype))


def _plus(call: IntrinsicCall) -> Operand:
    """Unary plus, or the sum."""
    if len(call.args) == 2:
        return _two_operands(call, "add")
    return call.sink.value(call.args[0])


def _step(op: BinaryOp) -> Intrinsic:
    """``++a`` and ``a++`` (the latter has a dummy argument)."""

    def handler(call: IntrinsicCall) -> Operand:
        dtype = half_dtype(call)
        before = freeze(call, "before", scalar(call, 0, dtype))
        after = freeze(call, "after", binary(op, before, const(dtype, 1.0)))
        call.sink.store(call.args[0], value(after))
        return value(before) if len(call.args) == 2 else call.args[0]

    return handler


def _rounded_relu(call: IntrinsicCall) -> Operand:
    """``__hfma_relu``: the fused result is bound once, then clamped below."""
    result = freeze(call, "fused", fused(*_operands(call, 3)))
    return value(relu(result))


def _average_or_sum(call: IntrinsicCall) -> Operand:
    """``__hadd``: the halving add of two ints, or the sum of two halves, by the arguments' type."""
    if argument_dtype(call, 0) == "int32":
        return value(math("__hadd", scalar(call, 0, "int32"), scalar(call, 1, "int32")))
    return value(binary("add", *_operands(call, 2)))


def _infinite(call: IntrinsicCall) -> Operand:
    """``__hisinf``: 1 for +inf, -1 for -inf, else 0."""
    given = reuse(call, "term", scalar(call, 0, half_dtype(call)))
    wide = cast(given, "float32")
    sign = select(binary("lt", wide, const("float32", 0.0)), const("int32", -1), const("int32", 1))
    return value(select(math("isinff", wide), sign, const("int32", 0)))


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {}
    for symbol, op in (ARITHMETIC | COMPARISONS).items():
        table[f"operator{symbol}"] = _operator(op)
    for symbol, op in ARITHMETIC.items():
        table[f"operator{symbol}="] = _assignment(op)
    table["operator-"], table["operator+"] = _sign, _plus
    table["operator++"], table["operator--"] = _step("add"), _step("sub")
    for op in ARITHMETIC.values():
        table[f"__h{op}"] = table[f"__h{op}_rn"] = _lanewise(2, plain_operation(op))
        table[f"__h{op}_sat"] = _lanewise(2, clamped(op))
    table["__hadd"] = _average_or_sum
    table["hdiv"] = table["__hdiv"]
    for name, op in ORDERED.items():
        table[f"__h{name}"] = _lanewise(2, plain_operation(op))
    for name, op in UNORDERED.items():
        table[f"__h{name}"] = _lanewise(2, unordered(op))
    table["__hne"] = _lanewise(2, ordered_not_equal)
    table |= {
        "__hmax": _lanewise(2, larger),
        "__hmin": _lanewise(2, smaller),
        "__hmax_nan": _lanewise(2, keeping_nan(larger)),
        "__hmin_nan": _lanewise(2, keeping_nan(smaller)),
        "__hfma": _lanewise(3, fused),
        "__hfma_sat": _lanewise(3, fused_clamped),
        "__hfma_relu": _rounded_relu,
        "__habs": _lanewise(1, absolute),
        "__hneg": _lanewise(1, negative),
        "__hisnan": _lanewise(1, is_nan),
        "__hisinf": _infinite,
    }
    return table


TABLE: dict[str, Intrinsic] = _make_table()
