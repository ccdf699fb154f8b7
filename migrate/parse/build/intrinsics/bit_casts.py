"""Same bits, other type: ``__float_as_int`` and its family, and the halves of a double."""

from __future__ import annotations

from migrate.ir.kernel import DType
from migrate.parse.build.intrinsics.arguments import binary, bitcast, cast, const, result_scalar, scalar, unknown, value
from migrate.parse.build.types import SIZES
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

# name: (operand, result)
_SAME_SIZE: dict[str, tuple[DType, DType]] = {
    "__float_as_int": ("float32", "int32"),
    "__float_as_uint": ("float32", "uint32"),
    "__int_as_float": ("int32", "float32"),
    "__uint_as_float": ("uint32", "float32"),
    "__double_as_longlong": ("float64", "int64"),
    "__longlong_as_double": ("int64", "float64"),
    "__half_as_short": ("float16", "int16"),
    "__half_as_ushort": ("float16", "uint16"),
    "__short_as_half": ("int16", "float16"),
    "__ushort_as_half": ("uint16", "float16"),
    "__bfloat16_as_short": ("bfloat16", "int16"),
    "__bfloat16_as_ushort": ("bfloat16", "uint16"),
    "__short_as_bfloat16": ("int16", "bfloat16"),
    "__ushort_as_bfloat16": ("uint16", "bfloat16"),
}


def _reinterpret(source: DType, target: DType) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        return value(bitcast(scalar(call, 0, source), target))

    return handler


def _high_word(call: IntrinsicCall) -> Operand:
    """``__double2hiint(x)``: bits 63 to 32."""
    word = binary("shr", bitcast(scalar(call, 0, "float64"), "uint64"), const("int32", 32))
    return value(bitcast(cast(word, "uint32"), "int32"))


def _low_word(call: IntrinsicCall) -> Operand:
    """``__double2loint(x)``: bits 31 to 0."""
    return value(bitcast(cast(bitcast(scalar(call, 0, "float64"), "uint64"), "uint32"), "int32"))


def _from_words(call: IntrinsicCall) -> Operand:
    """``__hiloint2double(hi, lo)``."""
    high = cast(bitcast(scalar(call, 0, "int32"), "uint32"), "uint64")
    low = cast(bitcast(scalar(call, 1, "int32"), "uint32"), "uint64")
    word = binary("bitor", binary("shl", high, const("int32", 32)), low)
    return value(bitcast(word, "float64"))


def _bit_cast(call: IntrinsicCall) -> Operand:
    """``std::bit_cast<T>(x)`` and ``__builtin_bit_cast`` of scalars of one size."""
    operand = scalar(call, 0)
    target = result_scalar(call)
    if SIZES[operand.dtype] != SIZES[target]:
        raise unknown(call)
    return value(bitcast(operand, target))


TABLE: dict[str, Intrinsic] = {name: _reinterpret(*kinds) for name, kinds in _SAME_SIZE.items()}
TABLE |= {
    "__double2hiint": _high_word,
    "__double2loint": _low_word,
    "__hiloint2double": _from_words,
    "std::bit_cast": _bit_cast,
}
