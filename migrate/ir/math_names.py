"""The canonical names of `migrate.ir.kernel.MathCall`: arity, operand and result dtypes, meaning, reference formula.

A `MathCall` never carries a name that is not in `MATH_NAMES`; the verifier of KernelModule, the lowering rules and the
tests read this table. Sources: CUDA Math API reference (names, meanings), docs/semantics.md "Fast-math reference
formulas" (what a name means where CUDA only bounds the error).

`accuracy` says how two implementations on one machine can agree bit for bit:

- ``exact``: the result is defined to the last bit (integer functions, floor, fma, sqrt, fmin ...);
- ``libm``: one out-of-line call of the C library function of that name;
- ``formula``: `formula` below, operation by operation, each rounded once in the type written there;
- ``fast``: a CUDA fast-math intrinsic; `formula` is the reference, and the GPU differs within CUDA's published bound.

Functions of float16 and bfloat16 are not here: they are the float32 function between two `Cast` nodes (one rounding at
the end), except ``hfma``, whose single rounding cannot be written that way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Accuracy = Literal["exact", "libm", "formula", "fast"]

HALF = "half"
"""Stands for float16 or bfloat16, the same one for all operands and the result; `MathCall.dtype` tells which."""


@dataclass(frozen=True)
class MathName:
    """One canonical function. ``operands`` holds one dtype an operand; ``formula`` is empty for exact and libm."""

    name: str
    operands: tuple[str, ...]
    result: str
    accuracy: Accuracy
    meaning: str
    formula: str = ""

    @property
    def arity(self) -> int:
        """How many operands the call has."""
        return len(self.operands)


# name of the float64 form -> (meaning, accuracy); the float32 form has the suffix f.
_UNARY_FLOAT: dict[str, tuple[str, Accuracy]] = {
    "acos": ("arc cosine", "libm"),
    "acosh": ("inverse hyperbolic cosine", "libm"),
    "asin": ("arc sine", "libm"),
    "asinh": ("inverse hyperbolic sine", "libm"),
    "atan": ("arc tangent", "libm"),
    "atanh": ("inverse hyperbolic tangent", "libm"),
    "cbrt": ("cube root", "libm"),
    "ceil": ("smallest integer not below x", "exact"),
    "cos": ("cosine", "libm"),
    "cosh": ("hyperbolic cosine", "libm"),
    "erf": ("error function", "libm"),
    "erfc": ("complementary error function", "libm"),
    "exp": ("e to the power x", "libm"),
    "exp10": ("10 to the power x", "libm"),
    "exp2": ("2 to the power x", "libm"),
    "expm1": ("exp(x) - 1", "libm"),
    "fabs": ("absolute value (clears the sign bit)", "exact"),
    "floor": ("largest integer not above x", "exact"),
    "j0": ("Bessel function of the first kind, order 0", "libm"),
    "j1": ("Bessel function of the first kind, order 1", "libm"),
    "lgamma": ("log of the absolute value of the gamma function", "libm"),
    "log": ("natural logarithm", "libm"),
    "log10": ("decimal logarithm", "libm"),
    "log1p": ("log(1 + x)", "libm"),
    "log2": ("binary logarithm", "libm"),
    "logb": ("exponent as a float", "exact"),
    "rint": ("nearest integer, ties to even (also nearbyint)", "exact"),
    "round": ("nearest integer, ties away from zero", "exact"),
    "sin": ("sine", "libm"),
    "sinh": ("hyperbolic sine", "libm"),
    "sqrt": ("square root, correctly rounded", "exact"),
    "tan": ("tangent", "libm"),
    "tanh": ("hyperbolic tangent", "libm"),
    "tgamma": ("gamma function", "libm"),
    "trunc": ("integer part, towards zero", "exact"),
    "y0": ("Bessel function of the second kind, order 0", "libm"),
    "y1": ("Bessel function of the second kind, order 1", "libm"),
}
_BINARY_FLOAT: dict[str, tuple[str, Accuracy]] = {
    "atan2": ("arc tangent of y / x in the right quadrant; operands (y, x)", "libm"),
    "copysign": ("magnitude of the first operand, sign of the second", "exact"),
    "fdim": ("a - b if a > b, +0 if a <= b, NaN if either is NaN", "exact"),
    "fmax": ("larger operand; a NaN operand is dropped; -0 < +0", "exact"),
    "fmin": ("smaller operand; a NaN operand is dropped; -0 < +0", "exact"),
    "fmod": ("remainder of truncating division, sign of the first operand", "exact"),
    "hypot": ("sqrt(a*a + b*b) without overflow", "libm"),
    "nextafter": ("next representable value towards the second operand", "exact"),
    "pow": ("a to the power b", "libm"),
    "remainder": ("IEEE remainder (quotient to nearest even)", "exact"),
}
# Functions that CUDA has and C has not. {f} is the suffix of the type, {one}/{two}/{half} its literals.
_FORMULAS: dict[str, tuple[int, str, str]] = {
    "rsqrt": (1, "reciprocal square root", "{one} / sqrt{f}(x)"),
    "rcbrt": (1, "reciprocal cube root", "{one} / cbrt{f}(x)"),
    "rhypot": (2, "reciprocal of hypot", "{one} / hypot{f}(a, b)"),
    "normcdf": (1, "normal cumulative distribution", "{half} * erfc{f}(-x * {root})"),
    "sinpi": (1, "sin(pi x)", "(T)sin(3.141592653589793 * fmod((double)x, 2.0))"),
    "cospi": (1, "cos(pi x)", "(T)cos(3.141592653589793 * fmod((double)x, 2.0))"),
    "norm3d": (3, "length of (a, b, c)", "sqrt{f}((a * a + b * b) + c * c)"),
    "rnorm3d": (3, "reciprocal of norm3d", "{one} / norm3d{f}(a, b, c)"),
    "norm4d": (4, "length of (a, b, c, d)", "sqrt{f}(((a * a + b * b) + c * c) + d * d)"),
    "rnorm4d": (4, "reciprocal of norm4d", "{one} / norm4d{f}(a, b, c, d)"),
}
_FAST: dict[str, tuple[int, str, str]] = {
    "__expf": (1, "fast exp", "expf(x)"),
    "__exp10f": (1, "fast exp10", "exp10f(x)"),
    "__logf": (1, "fast natural logarithm", "logf(x)"),
    "__log2f": (1, "fast binary logarithm", "log2f(x)"),
    "__log10f": (1, "fast decimal logarithm", "log10f(x)"),
    "__sinf": (1, "fast sine", "sinf(x)"),
    "__cosf": (1, "fast cosine", "cosf(x)"),
    "__tanf": (1, "fast tangent", "tanf(x)"),
    "__tanhf": (1, "fast hyperbolic tangent", "tanhf(x)"),
    "__powf": (2, "fast power", "powf(a, b)"),
    "__fdividef": (2, "fast division (also fdividef)", "a / b"),
}
# Arithmetic that must neither be contracted nor folded: (arity, float32 name, float64 name, C operation).
_PLAIN_ARITHMETIC: tuple[tuple[int, str, str, str], ...] = (
    (2, "__fadd_rn", "__dadd_rn", "a + b"),
    (2, "__fsub_rn", "__dsub_rn", "a - b"),
    (2, "__fmul_rn", "__dmul_rn", "a * b"),
    (2, "__fdiv_rn", "__ddiv_rn", "a / b"),
    (1, "__frcp_rn", "__drcp_rn", "1 / x"),
)
_INTEGER: tuple[MathName, ...] = (
    MathName("__popc", ("uint32",), "int32", "exact", "number of set bits"),
    MathName("__popcll", ("uint64",), "int32", "exact", "number of set bits"),
    MathName("__clz", ("int32",), "int32", "exact", "leading zero bits; 32 for 0"),
    MathName("__clzll", ("int64",), "int32", "exact", "leading zero bits; 64 for 0"),
    MathName("__ffs", ("int32",), "int32", "exact", "1 + position of the lowest set bit; 0 for 0"),
    MathName("__ffsll", ("int64",), "int32", "exact", "1 + position of the lowest set bit; 0 for 0"),
    MathName("__brev", ("uint32",), "uint32", "exact", "bits in reverse order"),
    MathName("__brevll", ("uint64",), "uint64", "exact", "bits in reverse order"),
    MathName(
        "__byte_perm",
        ("uint32", "uint32", "uint32"),
        "uint32",
        "exact",
        "byte i of the result is byte (s >> 4i) & 7 of (b << 32 | a); bit 3 of a selector is ignored (seen on an H200)",
    ),
    MathName("__funnelshift_l", ("uint32",) * 3, "uint32", "exact", "high word of (hi << 32 | lo) << (s & 31)"),
    MathName("__funnelshift_r", ("uint32",) * 3, "uint32", "exact", "low word of (hi << 32 | lo) >> (s & 31)"),
    MathName("__funnelshift_lc", ("uint32",) * 3, "uint32", "exact", "high word of (hi << 32 | lo) << min(s, 32)"),
    MathName("__funnelshift_rc", ("uint32",) * 3, "uint32", "exact", "low word of (hi << 32 | lo) >> min(s, 32)"),
    MathName("__mulhi", ("int32", "int32"), "int32", "exact", "high 32 bits of the 64-bit product"),
    MathName("__umulhi", ("uint32", "uint32"), "uint32", "exact", "high 32 bits of the 64-bit product"),
    MathName("__mul64hi", ("int64", "int64"), "int64", "exact", "high 64 bits of the 128-bit product"),
    MathName("__umul64hi", ("uint64", "uint64"), "uint64", "exact", "high 64 bits of the 128-bit product"),
    MathName("__mul24", ("int32", "int32"), "int32", "exact", "low 32 bits of the product of the low 24 bits (signed)"),
    MathName("__umul24", ("uint32", "uint32"), "uint32", "exact", "low 32 bits of the product of the low 24 bits"),
    MathName("__sad", ("int32", "int32", "uint32"), "uint32", "exact", "|a - b| + c, wrapping"),
    MathName("__usad", ("uint32",) * 3, "uint32", "exact", "|a - b| + c, wrapping"),
    MathName("__hadd", ("int32", "int32"), "int32", "exact", "(a + b) >> 1 without overflow"),
    MathName("__uhadd", ("uint32", "uint32"), "uint32", "exact", "(a + b) >> 1 without overflow"),
    MathName("__rhadd", ("int32", "int32"), "int32", "exact", "(a + b + 1) >> 1 without overflow"),
    MathName("__urhadd", ("uint32", "uint32"), "uint32", "exact", "(a + b + 1) >> 1 without overflow"),
    MathName("__dp4a", ("int32",) * 3, "int32", "exact", "c + sum over 4 bytes of signed a[i] * signed b[i], wrapping"),
    MathName("__udp4a", ("uint32",) * 3, "uint32", "exact", "c + sum over 4 bytes of a[i] * b[i], wrapping"),
    MathName("abs_int32", ("int32",), "int32", "exact", "absolute value (of the smallest value: an overflow event)"),
    MathName("abs_int64", ("int64",), "int64", "exact", "absolute value (of the smallest value: an overflow event)"),
)


def _float_forms() -> Iterator[MathName]:
    """The float64 form and the float32 form of every function that exists in both."""
    for dtype, suffix in (("float64", ""), ("float32", "f")):
        for table, arity in ((_UNARY_FLOAT, 1), (_BINARY_FLOAT, 2)):
            for name, (meaning, accuracy) in table.items():
                yield MathName(name + suffix, (dtype,) * arity, dtype, accuracy, meaning)
        literals = {"f": suffix, "one": f"1.0{suffix}", "half": f"0.5{suffix}", "root": f"0.7071067811865476{suffix}"}
        for name, (arity, meaning, formula) in _FORMULAS.items():
            text = formula.format(**literals).replace("(T)", "(float)" if suffix else "")
            yield MathName(name + suffix, (dtype,) * arity, dtype, "formula", meaning, text)
        yield MathName("fma" + suffix, (dtype,) * 3, dtype, "exact", "a * b + c with one rounding")
        yield MathName("ldexp" + suffix, (dtype, "int32"), dtype, "exact", "x * 2**n (also scalbn)")
        yield MathName("ilogb" + suffix, (dtype,), "int32", "exact", "exponent; 0: INT_MIN, NaN: INT_MIN, inf: INT_MAX")
        for name, meaning in (
            ("isnan", "is a NaN"),
            ("isinf", "is an infinity"),
            ("isfinite", "is neither"),
            ("signbit", "the sign bit is set"),
        ):
            yield MathName(name + suffix, (dtype,), "bool", "exact", meaning)


def _plain_arithmetic() -> Iterator[MathName]:
    for arity, single, double, operation in _PLAIN_ARITHMETIC:
        meaning = f"{operation}, rounded to nearest even, never fused or folded"
        yield MathName(single, ("float32",) * arity, "float32", "exact", meaning)
        yield MathName(double, ("float64",) * arity, "float64", "exact", meaning)


def _all() -> Iterator[MathName]:
    yield from _float_forms()
    yield from _plain_arithmetic()
    for name, (arity, meaning, formula) in _FAST.items():
        yield MathName(name, ("float32",) * arity, "float32", "fast", meaning, formula)
    yield MathName("__frsqrt_rn", ("float32",), "float32", "formula", "reciprocal square root", "1.0f / sqrtf(x)")
    yield MathName("__saturatef", ("float32",), "float32", "exact", "x clamped to [+0, 1]; NaN gives +0, -0 gives +0")
    yield MathName("hfma", (HALF,) * 3, HALF, "exact", "a * b + c with one rounding to the 16-bit type")
    yield from _INTEGER
    for dtype in ("int32", "uint32", "int64", "uint64"):
        yield MathName(f"min_{dtype}", (dtype, dtype), dtype, "exact", "smaller operand")
        yield MathName(f"max_{dtype}", (dtype, dtype), dtype, "exact", "larger operand")


MATH_NAMES: dict[str, MathName] = {entry.name: entry for entry in _all()}


def operand_dtypes(name: str, dtype: str) -> tuple[str, ...]:
    """Operand dtypes of a call of ``name`` with result ``dtype`` (resolves `HALF`); KeyError for unknown names."""
    return tuple(dtype if operand == HALF else operand for operand in MATH_NAMES[name].operands)


def result_dtype(name: str, dtype: str) -> str:
    """Result dtype of a call of ``name`` whose node says ``dtype`` (resolves `HALF`); KeyError for unknown names."""
    result = MATH_NAMES[name].result
    return dtype if result == HALF else result
