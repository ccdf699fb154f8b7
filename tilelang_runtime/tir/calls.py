"""Pure calls of the real TIR by operator name (without its dialect prefix) → canonical functions of the runtime.

Approximate forms (``__exp`` …) mean what docs/semantics.md gives as their reference formula, as in the tracer.
"""

from __future__ import annotations

from typing import Final

from tilelang_runtime.ir.functions import FLOAT_ARITY

_SPECIAL = {
    "fabs": "fabs",
    "abs": "abs",
    "nearbyint": "rint",
    "round": "rint",
    "round_ties_away_from_zero": "round",
    "popcount": "popcount",
    "clz": "clz",
    "__ffs": "ffs",
    "isnan": "isnan",
    "isinf": "isinf",
    "isfinite": "isfinite",
    "ldexp": "ldexp",
    "ieee_add": "add_rn",
    "ieee_sub": "sub_rn",
    "ieee_mul": "mul_rn",
    "ieee_fdiv": "div_rn",
    "ieee_fmaf": "fma",
    "ieee_fsqrt": "sqrt",
    "ieee_frsqrt": "rsqrt",
    "ieee_frcp": "rcp_rn",
}
_APPROXIMATE = ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan")
PURE_CALLS: Final[dict[str, str]] = (
    {name: name for name in FLOAT_ARITY if name not in ("round", "fmin", "fmax")}
    | {f"__{name}": name for name in _APPROXIMATE}
    | _SPECIAL
)
"""``round`` of TIR is ties-to-even (upstream prints nearbyint)."""
EXACT_RESULTS: Final = {"popcount": "int32", "clz": "int32", "ffs": "int32"}
"""Result dtypes of the runtime's own functions where upstream types them differently; the importer casts."""
