"""Math functions of half and bfloat16: the float32 function between two conversions (one rounding at the end).

``hexp(x)`` → Cast(expf(Cast(x, float32)), half); ``h2exp`` does so for both lanes. CUDA computes the transcendental
ones with approximate instructions, so they get the fast-math note.
"""

from __future__ import annotations

from migrate.ir.kernel import Expr
from migrate.parse.build.intrinsics.arguments import binary, cast, const, math, scalar, value
from migrate.parse.build.intrinsics.fast_math import FAST_MATH_NOTE
from migrate.parse.build.intrinsics.half_arithmetic import half_dtype
from migrate.parse.build.intrinsics.half_lanes import Lanewise
from migrate.parse.build.intrinsics.half_pairs import lanewise
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

_EXACT = {"sqrt": "sqrtf", "floor": "floorf", "ceil": "ceilf", "rint": "rintf", "trunc": "truncf"}
_APPROXIMATE = {
    "rsqrt": "rsqrtf",
    "exp": "expf",
    "exp2": "exp2f",
    "exp10": "exp10f",
    "log": "logf",
    "log2": "log2f",
    "log10": "log10f",
    "sin": "sinf",
    "cos": "cosf",
    "tanh": "tanhf",
    "tanh_approx": "tanhf",
}


def _through_float(name: str) -> Lanewise:
    def make(given: Expr) -> Expr:
        return cast(math(name, cast(given, "float32")), given.dtype)

    return make


def _reciprocal(given: Expr) -> Expr:
    """``hrcp``: 1 / x in float32, rounded once to the 16-bit type."""
    return cast(binary("div", const("float32", 1.0), cast(given, "float32")), given.dtype)


def _scalar_form(make: Lanewise, note: bool) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        if note:
            call.sink.note(FAST_MATH_NOTE)
        return value(make(scalar(call, 0, half_dtype(call))))

    return handler


def _pair_form(make: Lanewise, note: bool) -> Intrinsic:
    both = lanewise(1, make)

    def handler(call: IntrinsicCall) -> Operand | None:
        if note:
            call.sink.note(FAST_MATH_NOTE)
        return both(call)

    return handler


def _make_table() -> dict[str, Intrinsic]:
    forms = {name: (_through_float(canonical), False) for name, canonical in _EXACT.items()}
    forms |= {name: (_through_float(canonical), True) for name, canonical in _APPROXIMATE.items()}
    forms["rcp"] = (_reciprocal, True)
    table: dict[str, Intrinsic] = {}
    for name, (make, note) in forms.items():
        table[f"h{name}"] = _scalar_form(make, note)
        table[f"h2{name}"] = _pair_form(make, note)
    return table


TABLE: dict[str, Intrinsic] = _make_table()
