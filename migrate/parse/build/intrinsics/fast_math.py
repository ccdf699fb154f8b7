"""Fast-math intrinsics: canonical calls with a note, since the GPU differs within CUDA's published error bound."""

from __future__ import annotations

from migrate.ir.math_names import MATH_NAMES
from migrate.parse.build.intrinsics.arguments import freeze, math, scalar, value
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

FAST_MATH_NOTE = "TLM322"


def _fast(name: str) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand:
        call.sink.note(FAST_MATH_NOTE)
        operands = MATH_NAMES[name].operands
        return value(math(name, *(scalar(call, index, dtype) for index, dtype in enumerate(operands))))

    return handler


def _sine_and_cosine(call: IntrinsicCall) -> Operand | None:
    """``__sincosf(x, &s, &c)`` → two calls and two stores."""
    call.sink.note(FAST_MATH_NOTE)
    operand = freeze(call, "angle", scalar(call, 0, "float32"))
    call.sink.store(call.args[1], value(math("__sinf", operand)))
    call.sink.store(call.args[2], value(math("__cosf", operand)))
    return None


TABLE: dict[str, Intrinsic] = {name: _fast(name) for name, entry in MATH_NAMES.items() if entry.accuracy == "fast"}
TABLE["__sincosf"] = _sine_and_cosine
