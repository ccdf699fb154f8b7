"""Integer intrinsics: counting, reversing, shifting and multiplying bits; all by canonical name."""

from __future__ import annotations

from migrate.ir.math_names import MATH_NAMES
from migrate.parse.build.intrinsics.arguments import argument_dtype, canonical, math, scalar, unknown, value
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

_NAMES = [
    "__popc",
    "__popcll",
    "__clz",
    "__clzll",
    "__ffs",
    "__ffsll",
    "__brev",
    "__brevll",
    "__byte_perm",
    "__funnelshift_l",
    "__funnelshift_r",
    "__funnelshift_lc",
    "__funnelshift_rc",
    "__mulhi",
    "__umulhi",
    "__mul64hi",
    "__umul64hi",
    "__mul24",
    "__umul24",
    "__sad",
    "__usad",
    "__uhadd",
    "__rhadd",
    "__urhadd",
]
_ALIASES = {"mul24": "__mul24", "umul24": "__umul24", "mulhi": "__mulhi", "umulhi": "__umulhi"}
_ALIASES |= {"mul64hi": "__mul64hi", "umul64hi": "__umul64hi"}
_ALIASES |= {"__builtin_popcount": "__popc", "__builtin_popcountll": "__popcll"}


def _dot_of_bytes(call: IntrinsicCall) -> Operand:
    """``__dp4a`` by the type of its first operand; the char4 forms are not taken."""
    forms = {"int32": "__dp4a", "uint32": "__udp4a"}
    name = forms.get(argument_dtype(call, 0) or "")
    if name is None:
        raise unknown(call)
    operands = MATH_NAMES[name].operands
    return value(math(name, *(scalar(call, index, dtype) for index, dtype in enumerate(operands))))


TABLE: dict[str, Intrinsic] = {name: canonical(name) for name in _NAMES}
TABLE |= {alias: canonical(name) for alias, name in _ALIASES.items()}
TABLE["__dp4a"] = _dot_of_bytes
