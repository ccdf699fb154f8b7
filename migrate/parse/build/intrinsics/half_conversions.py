"""Conversions to, from and between half, bfloat16 and their pairs; constructors and conversion operators included.

Conversions without a rounding mode in their name round to nearest even, once, from whatever type they take.
"""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir.kernel import Cast, DType, Expr
from migrate.parse.build.intrinsics.arguments import (
    HALVES,
    aggregate,
    argument_dtype,
    bitcast,
    cast,
    freeze,
    pair,
    pair_dtype,
    plain,
    result_scalar,
    scalar,
    truth,
    unknown,
    value,
)
from migrate.parse.build.types import INTEGERS, RecordType
from migrate.parse.build.values import AggregateValue, Intrinsic, IntrinsicCall, Operand

_SCALARS: dict[str, DType] = {"half": "float16", "bfloat16": "bfloat16"}
_CLASSES: dict[str, DType] = {"__half": "float16", "__nv_bfloat16": "bfloat16"}
_PAIR_CLASSES: dict[str, DType] = {"__half2": "float16", "__nv_bfloat162": "bfloat16"}


def _to(source: DType, target: DType) -> Intrinsic:
    """One conversion to nearest even."""

    def handler(call: IntrinsicCall) -> Operand:
        return value(cast(scalar(call, 0, source), target))

    return handler


def _construct(dtype: DType) -> Intrinsic:
    """``__half(x)`` from any arithmetic type, from a half, or from its raw bits (__half_raw)."""

    def handler(call: IntrinsicCall) -> Operand | None:
        if not call.args:
            return None
        ctype = plain(call.arg_types[0])
        if isinstance(ctype, RecordType):
            if ctype.name.rpartition("::")[2] not in ("__half_raw", "__nv_bfloat16_raw"):
                raise unknown(call)
            return value(bitcast(call.sink.leaf(call.sink.value(call.args[0]), 0), dtype))
        return value(_converted(call, scalar(call, 0), dtype))

    return handler


def _converted(call: IntrinsicCall, expr: Expr, dtype: DType) -> Expr:
    """To half or bfloat16; between the two goes through float32, which holds both exactly."""
    if expr.dtype in HALVES and expr.dtype != dtype:
        expr = cast(expr, "float32")
    if expr.dtype == "bool":
        expr = cast(expr, "int32")
    del call
    return cast(expr, dtype)


def _assign(dtype: DType) -> Intrinsic:
    """``h = x`` through a converting assignment operator."""

    def handler(call: IntrinsicCall) -> Operand:
        ctype = plain(call.arg_types[1])
        if isinstance(ctype, RecordType):
            bits = call.sink.leaf(call.sink.value(call.args[1]), 0)
            call.sink.store(call.args[0], value(bitcast(bits, dtype)))
        else:
            call.sink.store(call.args[0], value(_converted(call, scalar(call, 1), dtype)))
        return call.args[0]

    return handler


def _convert_out(call: IntrinsicCall) -> Operand:
    """``(float)h``, ``(int)h``, ``(bool)h``: the conversion operator's result type says which; integers truncate."""
    target = plain(call.result_type)
    given = scalar(call, 0)
    if given.dtype not in HALVES:
        raise unknown(call)
    if isinstance(target, RecordType):
        return aggregate(call, bitcast(given, "uint16"))
    dtype = result_scalar(call)
    if dtype == "bool":
        return value(truth(given))
    if dtype in INTEGERS:
        return value(Cast(given, dtype, "rz", implicit=False))
    return value(cast(given, dtype))


def _pair_of_halves(dtype: DType) -> Intrinsic:
    """``__halves2half2(a, b)``, ``make_half2(a, b)``."""

    def handler(call: IntrinsicCall) -> Operand:
        return aggregate(call, scalar(call, 0, dtype), scalar(call, 1, dtype))

    return handler


def _pair_of_floats(dtype: DType) -> Intrinsic:
    """``__floats2half2_rn(a, b)``."""

    def handler(call: IntrinsicCall) -> Operand:
        return aggregate(call, *(cast(scalar(call, index, "float32"), dtype) for index in range(2)))

    return handler


def _pair_of_one(source: DType, dtype: DType) -> Intrinsic:
    """``__float2half2_rn(a)``, ``__half2half2(a)``: both lanes the same."""

    def handler(call: IntrinsicCall) -> Operand:
        lane = freeze(call, "lane", cast(scalar(call, 0, source), dtype))
        return aggregate(call, lane, lane)

    return handler


def _from_float2(dtype: DType) -> Intrinsic:
    """``__float22half2_rn(float2)``."""

    def handler(call: IntrinsicCall) -> Operand:
        low, high = pair(call, 0)
        return aggregate(call, cast(low, dtype), cast(high, dtype))

    return handler


def _to_float2(call: IntrinsicCall) -> Operand:
    """``__half22float2(half2)``."""
    low, high = pair(call, 0)
    return aggregate(call, cast(low, "float32"), cast(high, "float32"))


def _lane(index: int, target: DType | None) -> Intrinsic:
    """``__low2half``, ``__high2float``."""

    def handler(call: IntrinsicCall) -> Operand:
        if pair_dtype(call.arg_types[0]) is None:
            raise unknown(call)
        lane = pair(call, 0)[index]
        return value(cast(lane, target or lane.dtype))

    return handler


def _rearranged(first: tuple[int, int], second: tuple[int, int]) -> Intrinsic:
    """A pair made of lanes of the arguments, each given as (argument, lane)."""

    def handler(call: IntrinsicCall) -> Operand:
        lanes = [pair(call, argument)[lane] for argument, lane in (first, second)]
        return aggregate(call, *lanes)

    return handler


def _construct_pair(dtype: DType) -> Intrinsic:
    """``__half2(a, b)`` and copies."""

    def handler(call: IntrinsicCall) -> Operand | None:
        if not call.args:
            return None
        if len(call.args) == 2:
            lanes = [_converted(call, scalar(call, index), dtype) for index in range(2)]
            return aggregate(call, *lanes)
        if pair_dtype(call.arg_types[0]) == dtype:
            return call.sink.value(call.args[0])
        if argument_dtype(call, 0) is not None:
            lane = freeze(call, "lane", _converted(call, scalar(call, 0), dtype))
            return aggregate(call, lane, lane)
        raise unknown(call)

    return handler


def _assign_pair(call: IntrinsicCall) -> Operand:
    """``h2 = other`` between pairs of one type."""
    right = call.sink.value(call.args[1])
    if pair_dtype(call.arg_types[1]) is None or not isinstance(right, AggregateValue):
        raise refuse("TLM301", f"{call.name} from another type is not known", call.span)
    call.sink.store(call.args[0], right)
    return call.args[0]


def _pair_table(name: str, two: str, dtype: DType) -> dict[str, Intrinsic]:
    """The pair functions of one 16-bit type: ``name`` is half or bfloat16, ``two`` the pair's word in the names."""
    return {
        f"__halves2{two}": _pair_of_halves(dtype),
        f"make_{two}": _pair_of_halves(dtype),
        f"__floats2{two}_rn": _pair_of_floats(dtype),
        f"__float2{two}_rn": _pair_of_one("float32", dtype),
        f"__{name}2{two}": _pair_of_one(dtype, dtype),
        f"__float22{two}_rn": _from_float2(dtype),
        f"__{two}2float2": _to_float2,
        f"__low2{name}": _lane(0, None),
        f"__high2{name}": _lane(1, None),
        f"__low2{two}": _rearranged((0, 0), (0, 0)),
        f"__high2{two}": _rearranged((0, 1), (0, 1)),
        f"__lows2{two}": _rearranged((0, 0), (1, 0)),
        f"__highs2{two}": _rearranged((0, 1), (1, 1)),
    }


def _make_table() -> dict[str, Intrinsic]:
    table: dict[str, Intrinsic] = {}
    for name, dtype in _SCALARS.items():
        table[f"__{name}2float"] = _to(dtype, "float32")
        table[f"__float2{name}"] = _to("float32", dtype)
        table[f"__double2{name}"] = _to("float64", dtype)
        table |= _pair_table(name, f"{name}2", dtype)
    for name, dtype in _CLASSES.items():
        table[f"{name}::{name}"] = _construct(dtype)
        table[f"{name}::operator="] = _assign(dtype)
        for kind in [
            "float",
            "double",
            "bool",
            "char",
            "signed char",
            "unsigned char",
            "short",
            "unsigned short",
            "int",
            "unsigned int",
            "unsigned",
            "long",
            "unsigned long",
            "long long",
            "unsigned long long",
            "__half_raw",
            "__nv_bfloat16_raw",
        ]:
            table[f"{name}::operator {kind}"] = _convert_out
    for name, dtype in _PAIR_CLASSES.items():
        table[f"{name}::{name}"] = _construct_pair(dtype)
        table[f"{name}::operator="] = _assign_pair
    table["__low2float"], table["__high2float"] = _lane(0, "float32"), _lane(1, "float32")
    table["__lowhigh2highlow"] = _rearranged((0, 1), (0, 0))
    return table


TABLE: dict[str, Intrinsic] = _make_table()
