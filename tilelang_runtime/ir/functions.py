"""Pure functions that `Call` names, and the CUDA device functions that ``T.call_extern`` reaches.

A float function exists for float32 and float64 (the C library's, called out of line) and for float16 and bfloat16
(through float32, one rounding at the end). Formulas of functions that C lacks are those of docs/semantics.md.
"""

from __future__ import annotations

from dataclasses import dataclass

LIBM_UNARY = [
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "lgamma",
    "tgamma",
    "cbrt",
    "j0",
    "j1",
    "y0",
    "y1",
    "logb",
]
EXACT_UNARY = ["sqrt", "floor", "ceil", "trunc", "round", "rint", "fabs"]
FORMULA_UNARY = ["rsqrt", "rcbrt", "normcdf", "sinpi", "cospi", "sigmoid", "saturate"]
LIBM_BINARY = ["atan2", "pow", "hypot", "fmod", "remainder", "nextafter", "copysign", "fdim", "fmin", "fmax"]
FORMULA = {"rhypot": 2, "norm3d": 3, "rnorm3d": 3, "norm4d": 4, "rnorm4d": 4, "fma": 3}
PLAIN = {"add_rn": 2, "sub_rn": 2, "mul_rn": 2, "div_rn": 2, "rcp_rn": 1}
PREDICATES = ["isnan", "isinf", "isfinite", "signbit"]

FLOAT_ARITY: dict[str, int] = {
    **dict.fromkeys(LIBM_UNARY, 1),
    **dict.fromkeys(EXACT_UNARY, 1),
    **dict.fromkeys(FORMULA_UNARY, 1),
    **dict.fromkeys(LIBM_BINARY, 2),
    **FORMULA,
    **PLAIN,
}
"""Functions whose operands and result have one float dtype."""


@dataclass(frozen=True)
class Signature:
    """Canonical `Call` name, operand dtypes, result dtype."""

    name: str
    operands: tuple[str, ...]
    result: str


LANE_REDUCTIONS = {
    "__reduce_add_sync": "lanes_add",
    "__reduce_min_sync": "lanes_min",
    "__reduce_max_sync": "lanes_max",
    "__reduce_and_sync": "lanes_bitand",
    "__reduce_or_sync": "lanes_bitor",
    "__reduce_xor_sync": "lanes_bitxor",
}
"""CUDA's warp reductions → modes of `Vote`; operands are the mask and a 32-bit integer (bits: unsigned only)."""


def _integer_functions() -> dict[str, Signature]:
    i32, u32, i64, u64 = "int32", "uint32", "int64", "uint64"
    table = {
        "__popc": Signature("popcount", (u32,), i32),
        "__popcll": Signature("popcount", (u64,), i32),
        "__clz": Signature("clz", (i32,), i32),
        "__clzll": Signature("clz", (i64,), i32),
        "__ffs": Signature("ffs", (i32,), i32),
        "__ffsll": Signature("ffs", (i64,), i32),
        "__brev": Signature("brev", (u32,), u32),
        "__brevll": Signature("brev", (u64,), u64),
        "__byte_perm": Signature("byte_perm", (u32, u32, u32), u32),
        "__mulhi": Signature("mulhi", (i32, i32), i32),
        "__umulhi": Signature("mulhi", (u32, u32), u32),
        "__mul64hi": Signature("mulhi", (i64, i64), i64),
        "__umul64hi": Signature("mulhi", (u64, u64), u64),
        "__mul24": Signature("mul24", (i32, i32), i32),
        "__umul24": Signature("mul24", (u32, u32), u32),
        "__sad": Signature("sad", (i32, i32, u32), u32),
        "__usad": Signature("usad", (u32, u32, u32), u32),
        "__hadd": Signature("average", (i32, i32), i32),
        "__uhadd": Signature("average", (u32, u32), u32),
        "__rhadd": Signature("average_up", (i32, i32), i32),
        "__urhadd": Signature("average_up", (u32, u32), u32),
        "__dp4a": Signature("dp4a", (i32, i32, i32), i32),
        "__dp4a(unsigned)": Signature("udp4a", (u32, u32, u32), u32),
        "abs": Signature("abs", (i32,), i32),
        "llabs": Signature("abs", (i64,), i64),
        "labs": Signature("abs", (i64,), i64),
    }
    for side in ("l", "r", "lc", "rc"):
        table[f"__funnelshift_{side}"] = Signature(f"funnelshift_{side}", (u32, u32, u32), u32)
    return table


def _float_functions() -> dict[str, Signature]:
    table: dict[str, Signature] = {}
    for name, arity in FLOAT_ARITY.items():
        if name in PLAIN or name in ("sigmoid", "saturate"):
            continue
        table[name] = Signature(name, ("float64",) * arity, "float64")
        table[name + "f"] = Signature(name, ("float32",) * arity, "float32")
    for dtype, suffix in (("float64", ""), ("float32", "f")):
        table["nearbyint" + suffix] = Signature("rint", (dtype,), dtype)
        table["ldexp" + suffix] = Signature("ldexp", (dtype, "int32"), dtype)
        table["scalbn" + suffix] = Signature("ldexp", (dtype, "int32"), dtype)
        table["ilogb" + suffix] = Signature("ilogb", (dtype,), "int32")
        letter = "d" if dtype == "float64" else "f"
        for name, arity in PLAIN.items():
            table[f"__{letter}{name}"] = Signature(name, (dtype,) * arity, dtype)
        table[f"__{letter}sqrt_rn"] = Signature("sqrt", (dtype,), dtype)
    for name in ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "pow"):
        table[f"__{name}f"] = Signature(name, ("float32",) * FLOAT_ARITY[name], "float32")
    table["__fdividef"] = table["fdividef"] = Signature("div_rn", ("float32", "float32"), "float32")
    table["__frsqrt_rn"] = Signature("rsqrt", ("float32",), "float32")
    table["__saturatef"] = Signature("saturate", ("float32",), "float32")
    table["__fmaf_rn"] = Signature("fma", ("float32",) * 3, "float32")
    table["__fma_rn"] = Signature("fma", ("float64",) * 3, "float64")
    table["max"] = Signature("max", ("int32", "int32"), "int32")
    table["min"] = Signature("min", ("int32", "int32"), "int32")
    return table


def _conversions() -> dict[str, Signature]:
    table: dict[str, Signature] = {}
    letters = {
        "float": "float32",
        "double": "float64",
        "int": "int32",
        "uint": "uint32",
        "ll": "int64",
        "ull": "uint64",
    }
    for source in ("float", "double"):
        for target in ("int", "uint", "ll", "ull"):
            for mode in ("rn", "rz", "ru", "rd"):
                name = f"__{source}2{target}_{mode}"
                table[name] = Signature(f"cast_{mode}", (letters[source],), letters[target])
    bit_casts = {
        "__float_as_int": ("float32", "int32"),
        "__float_as_uint": ("float32", "uint32"),
        "__int_as_float": ("int32", "float32"),
        "__uint_as_float": ("uint32", "float32"),
        "__double_as_longlong": ("float64", "int64"),
        "__longlong_as_double": ("int64", "float64"),
    }
    for name, (source, target) in bit_casts.items():
        table[name] = Signature("reinterpret", (source,), target)
    return table


EXTERNS: dict[str, Signature] = {**_integer_functions(), **_float_functions(), **_conversions()}
"""CUDA device functions without side effects, by the name a program gives to ``T.call_extern``."""

ATOMIC_EXTERNS = {
    "atomicAdd": "add",
    "atomicSub": "sub",
    "atomicExch": "exch",
    "atomicMin": "min",
    "atomicMax": "max",
    "atomicInc": "inc",
    "atomicDec": "dec",
    "atomicCAS": "cas",
    "atomicAnd": "and",
    "atomicOr": "or",
    "atomicXor": "xor",
}
"""Atomic functions of ``T.call_extern`` (also with the suffixes _block and _system)."""

FENCES = ("__threadfence", "__threadfence_block", "__threadfence_system")
