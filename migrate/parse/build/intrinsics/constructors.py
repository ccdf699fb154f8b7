"""Vector makers (``make_float4`` ...) and dim3."""

from __future__ import annotations

from migrate.ir.kernel import Expr
from migrate.parse.build.intrinsics.arguments import aggregate, const, plain, scalar, unknown
from migrate.parse.build.types import ScalarType, leaves
from migrate.parse.build.values import AggregateValue, Intrinsic, IntrinsicCall, Operand

_ELEMENTS = [
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "float",
    "double",
]


def _make(call: IntrinsicCall) -> Operand:
    """``make_float4(x, y, z, w)``: each argument converted to its member's type, left to right."""
    kinds = [leaf.ctype for leaf in leaves(plain(call.result_type))]
    if len(kinds) != len(call.args):
        raise unknown(call)
    parts: list[Expr] = []
    for index, kind in enumerate(kinds):
        if not isinstance(kind, ScalarType):
            raise unknown(call)
        parts.append(scalar(call, index, kind.dtype))
    return aggregate(call, *parts)


def _dimensions(call: IntrinsicCall) -> Operand | None:
    """``dim3(x, y = 1, z = 1)``, and dim3 from uint3."""
    if len(call.args) == 1:
        given = call.sink.value(call.args[0])
        if isinstance(given, AggregateValue):
            return aggregate(call, *(call.sink.leaf(given, index) for index in range(3)))
    parts: list[Expr] = [scalar(call, index, "uint32") for index in range(len(call.args))]
    parts += [const("uint32", 1)] * (3 - len(parts))
    return aggregate(call, *parts)


TABLE: dict[str, Intrinsic] = {f"make_{element}{count}": _make for element in _ELEMENTS for count in (1, 2, 3, 4)}
TABLE["dim3::dim3"] = _dimensions
