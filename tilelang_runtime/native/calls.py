"""C++ text of pure function calls (ir/functions.py names them)."""

from __future__ import annotations

from collections.abc import Callable

from tilelang_runtime.ir import types
from tilelang_runtime.ir.functions import EXACT_UNARY, LIBM_BINARY, LIBM_UNARY
from tilelang_runtime.ir.nodes import Call, TileLangError
from tilelang_runtime.native.ctypes_names import VALUE

# {f}: suffix of the C function. Formulas of docs/semantics.md, operation by operation.
_FORMULAS = {
    "rsqrt": "({one} / __builtin_sqrt{f}({0}))",
    "rcbrt": "({one} / cbrt{f}({0}))",
    "rhypot": "({one} / hypot{f}({0}, {1}))",
    "normcdf": "({half} * erfc{f}(-({0}) * {root}))",
    "sinpi": "(({t})sin(3.141592653589793 * fmod((f64){0}, 2.0)))",
    "cospi": "(({t})cos(3.141592653589793 * fmod((f64){0}, 2.0)))",
    "norm3d": "__builtin_sqrt{f}(({0} * {0} + {1} * {1}) + {2} * {2})",
    "norm4d": "__builtin_sqrt{f}((({0} * {0} + {1} * {1}) + {2} * {2}) + {3} * {3})",
    "rnorm3d": "({one} / __builtin_sqrt{f}(({0} * {0} + {1} * {1}) + {2} * {2}))",
    "rnorm4d": "({one} / __builtin_sqrt{f}((({0} * {0} + {1} * {1}) + {2} * {2}) + {3} * {3}))",
    "sigmoid": "({one} / ({one} + exp{f}(-({0}))))",
    "saturate": "clamp_unit({0})",
    "add_rn": "({0} + {1})",
    "sub_rn": "({0} - {1})",
    "mul_rn": "({0} * {1})",
    "div_rn": "({0} / {1})",
    "rcp_rn": "({one} / {0})",
    "fma": "__builtin_fma{f}({0}, {1}, {2})",
    "fdim": "({0} > {1} ? {0} - {1} : {0} <= {1} ? {zero} : {0} + {1})",
    "fmax": "larger_float<{t}>({0}, {1})",
    "fmin": "smaller_float<{t}>({0}, {1})",
    "copysign": "__builtin_copysign{f}({0}, {1})",
    "ldexp": "ldexp{f}({0}, {1})",
}
_INTEGERS: dict[str, Callable[[str, list[str]], str]] = {
    "popcount": lambda t, a: f"(({t})__builtin_popcountll((u64){_unsigned(t, a[0])}))",
    "brev": lambda t, a: f"bit_reverse({a[0]})",
    "byte_perm": lambda t, a: f"byte_permute({a[0]}, {a[1]}, {a[2]})",
    "mul24": lambda t, a: (
        f"(({t})((u32)(({a[0]} << 8) >> 8) * (u32)(({a[1]} << 8) >> 8)))"
        if t == "i32"
        else f"(({a[0]} & 0xffffffu) * ({a[1]} & 0xffffffu))"
    ),
    "sad": lambda t, a: f"((u32)((i64){a[0]} > {a[1]} ? (i64){a[0]} - {a[1]} : (i64){a[1]} - {a[0]}) + {a[2]})",
    "usad": lambda t, a: f"(({a[0]} > {a[1]} ? {a[0]} - {a[1]} : {a[1]} - {a[0]}) + {a[2]})",
    "average": lambda t, a: f"(({t})(((i64){a[0]} + (i64){a[1]}) >> 1))",
    "average_up": lambda t, a: f"(({t})(((i64){a[0]} + (i64){a[1]} + 1) >> 1))",
    "dp4a": lambda t, a: f"dot_bytes({a[0]}, {a[1]}, {a[2]})",
    "udp4a": lambda t, a: f"dot_bytes({a[0]}, {a[1]}, {a[2]})",
    "abs": lambda t, a: f"(({t})({a[0]} < 0 ? -{a[0]} : {a[0]}))",
    "funnelshift_l": lambda t, a: f"funnel_left({a[0]}, {a[1]}, {a[2]} & 31)",
    "funnelshift_r": lambda t, a: f"funnel_right({a[0]}, {a[1]}, {a[2]} & 31)",
    "funnelshift_lc": lambda t, a: f"funnel_left({a[0]}, {a[1]}, smaller<u32>({a[2]}, 32))",
    "funnelshift_rc": lambda t, a: f"funnel_right({a[0]}, {a[1]}, smaller<u32>({a[2]}, 32))",
}


def _unsigned(kind: str, text: str) -> str:
    return f"(u32){text}" if kind in ("i32", "u32") else text


def call_text(value: Call, operands: list[str]) -> str:
    """C++ text of a call. Raises TileLangError for an unknown name."""
    name = value.name
    source = value.args[0].dtype
    if types.is_float(source):
        return _float_call(value, operands)
    if name in ("clz", "ffs"):
        wide = types.bits(source) == 64
        if name == "clz":
            return f"leading_zeros(({'u64' if wide else 'u32'}){operands[0]})"
        return f"__builtin_ffs{'ll' if wide else ''}({operands[0]})"
    if name == "popcount":
        unsigned = "u64" if types.bits(source) == 64 else "u32"
        return f"(({VALUE[value.dtype]})__builtin_popcountll((u64)({unsigned}){operands[0]}))"
    if name == "mulhi":
        width = types.bits(source)
        signed, unsigned = ("__int128", "unsigned __int128") if width == 64 else ("i64", "u64")
        product = unsigned if types.is_unsigned(source) else signed
        return f"(({VALUE[source]})((({product}){operands[0]} * ({product}){operands[1]}) >> {width}))"
    if name in _INTEGERS:
        return _INTEGERS[name](VALUE[value.dtype], operands)
    raise TileLangError(f"the function {name} of {source}", value.span)


def _float_call(value: Call, operands: list[str]) -> str:
    name, dtype = value.name, value.args[0].dtype
    half = dtype in ("float16", "bfloat16")
    suffix = "" if dtype == "float64" else "f"
    if name in ("isnan", "isinf", "isfinite", "signbit"):
        # -O2 without -ffast-math keeps these tests
        spelled = {"isinf": "__builtin_isinf", "isfinite": "__builtin_isfinite", "signbit": "__builtin_signbit"}
        if name == "isnan":
            return f"__builtin_isnan({operands[0]})"
        return f"({spelled[name]}({operands[0]}) != 0)"
    if name == "ilogb":
        return f"ilogb{suffix}({operands[0]})"
    if name == "fma" and half:
        return f"{'to_half' if dtype == 'float16' else 'to_bfloat'}_f64(fused_odd({', '.join(operands)}))"
    if name in _FORMULAS:
        text = _FORMULAS[name].format(
            *operands,
            f=suffix,
            t=VALUE[dtype],
            one="1.0" + suffix,
            half="0.5" + suffix,
            zero="0.0" + suffix,
            root="0.7071067811865476" + suffix,
        )
    elif name in EXACT_UNARY:
        # exactly defined: the built-in may be one instruction. round has none and would be rewritten.
        prefix = "" if name in ("round", "rint") else "__builtin_"
        text = f"{prefix}{name}{suffix}({operands[0]})"
    elif name in LIBM_UNARY or name in LIBM_BINARY:
        text = f"{name}{suffix}({', '.join(operands)})"
    else:
        raise TileLangError(f"the function {name} of {dtype}", value.span)
    if half:
        return f"{'to_half' if dtype == 'float16' else 'to_bfloat'}({text})"
    return text
