"""Pure calls of the real TIR by operator name (without its dialect prefix) → canonical function names of the runtime."""

from __future__ import annotations

from typing import Final

_SAME = (
    "exp exp2 exp10 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf sqrt "
    "rsqrt pow fmod hypot copysign ldexp nextafter floor ceil trunc sigmoid isnan isinf isfinite popcount clz fma "
    "__exp __exp10 __log __log2 __log10 __sin __cos __tan __pow"
)
PURE_CALLS: Final[dict[str, str]] = {name: name for name in _SAME.split()} | {
    "fabs": "abs",
    "nearbyint": "nearbyint",
    "round": "nearbyint",
    "round_ties_away_from_zero": "round",
    "ieee_add": "ieee_add",
    "ieee_sub": "ieee_sub",
    "ieee_mul": "ieee_mul",
    "ieee_fmaf": "ieee_fmaf",
    "ieee_fdiv": "ieee_fdiv",
    "ieee_fsqrt": "ieee_fsqrt",
    "ieee_frsqrt": "ieee_frsqrt",
    "ieee_frcp": "ieee_frcp",
    "__ffs": "ffs",
}
