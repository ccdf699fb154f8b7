"""Math functions: TileLang's name where it means the CUDA function, else the CUDA function by `T.call_extern`."""

from __future__ import annotations

from migrate.diagnostics import refuse
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.ir.math_names import MATH_NAMES, operand_dtypes
from migrate.rules.base import rule
from migrate.rules.lower.constant_calls import fold_call
from migrate.rules.lower.context import Lowering
from migrate.rules.lower.literals import literal

# C name of the float64 form -> TileLang name; float32 forms have the suffix f. Checked by reading generated CUDA.
_SAME_IN_BOTH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "exp",
    "exp10",
    "exp2",
    "floor",
    "log",
    "log10",
    "log1p",
    "log2",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "atan2",
    "copysign",
    "fmod",
    "hypot",
    "nextafter",
    "pow",
    "fma",
]
_RENAMED = {"fabs": "T.abs", "rint": "T.round", "fmax": "T.max", "fmin": "T.min"}
_TILELANG: dict[str, str] = {
    **{name + suffix: f"T.{name}" for name in _SAME_IN_BOTH for suffix in ("", "f")},
    **{name + suffix: spelled for name, spelled in _RENAMED.items() for suffix in ("", "f")},
    **{f"isnan{suffix}": "T.isnan" for suffix in ("", "f")},
    **{f"isinf{suffix}": "T.isinf" for suffix in ("", "f")},
    **{f"isfinite{suffix}": "T.isfinite" for suffix in ("", "f")},
    "__expf": "T.__exp",
    "__exp10f": "T.__exp10",
    "__logf": "T.__log",
    "__log2f": "T.__log2",
    "__log10f": "T.__log10",
    "__sinf": "T.__sin",
    "__cosf": "T.__cos",
    "__tanf": "T.__tan",
    "__fadd_rn": "T.ieee_add",
    "__dadd_rn": "T.ieee_add",
    "__fsub_rn": "T.ieee_sub",
    "__dsub_rn": "T.ieee_sub",
    "__fmul_rn": "T.ieee_mul",
    "__dmul_rn": "T.ieee_mul",
    "__fdiv_rn": "T.ieee_fdiv",
    "__ddiv_rn": "T.ieee_fdiv",
    "__frcp_rn": "T.ieee_frcp",
    "__drcp_rn": "T.ieee_frcp",
    "__frsqrt_rn": "T.ieee_frsqrt",
    "hfma": "T.fma",
    "abs_int32": "T.abs",
    "abs_int64": "T.abs",
    "__popc": "T.popcount",
    "__popcll": "T.popcount",
    "__clz": "T.clz",
    "__ffs": "T.__ffs",
    "__clzll": "T.clz",
}
# Canonical name -> name of the CUDA device function where they differ.
_CUDA_NAMES = {"__udp4a": "__dp4a"}
# What neither TileLang nor one CUDA function gives.
_ROUND_HALF_AWAY = frozenset({"round", "roundf"})
_PREDICATES = frozenset({"signbit", "signbitf"})


@rule(
    "math",
    "expf, sqrt, fmaxf, __expf, __popc, …",
    "expf(x), erfcf(x)",
    'T.exp(x), T.call_extern("float32", "erfcf", x)',
    ("TLM352",),
)
def lower_math(node: k.MathCall, lowering: Lowering) -> p.PortExpr:
    """The TileLang function of the same precision, or the CUDA function itself by name."""
    if node.name not in MATH_NAMES:
        raise refuse("TLM352", f"no lowering for the device function {node.name}", node.span)
    if node.name.startswith(("min_", "max_")):
        return _integer_choice(node, lowering)
    wanted = operand_dtypes(node.name, node.dtype)
    args = tuple(_typed(lowering.lower_as(arg, dtype), dtype) for arg, dtype in zip(node.args, wanted, strict=True))
    folded = fold_call(node.name, [lowering.identities.literal(arg) for arg in args], node.dtype)
    if folded is not None:
        return folded
    if node.name in _ROUND_HALF_AWAY:
        return p.Call("T.round", args, node.dtype, (("rounding_mode", p.Text("ties-away-from-zero")),))
    if node.name in _PREDICATES:
        return _sign_bit(args[0], lowering)
    if node.name == "__saturatef":
        low = p.Call("T.max", (args[0], literal(0.0, "float32")), "float32")
        return p.Call("T.min", (low, literal(1.0, "float32")), "float32")
    if node.name in _TILELANG:
        expr: p.PortExpr = p.Call(_TILELANG[node.name], args, _result(node))
        return p.Call("T.cast", (expr, p.Text("int32")), "int32") if expr.dtype != node.dtype else expr
    name = _CUDA_NAMES.get(node.name, node.name)
    return p.Call("T.call_extern", (p.Text(node.dtype), p.Text(name), *args), node.dtype)


def _result(node: k.MathCall) -> str:
    """The dtype that TileLang infers: the operand's for popcount."""
    return operand_dtypes(node.name, node.dtype)[0] if node.name in ("__popc", "__popcll") else node.dtype


def _typed(expr: p.PortExpr, dtype: str) -> p.PortExpr:
    if isinstance(expr, p.Lit):
        return p.Lit(expr.value, expr.dtype, explicit=True)
    return p.Call(f"T.{dtype}", (expr,), dtype) if expr.dtype == p.PYTHON else expr


def _integer_choice(node: k.MathCall, lowering: Lowering) -> p.PortExpr:
    dtype = lowering.ranges.carrier(node)
    args = tuple(_typed(lowering.coerce(lowering.protected(arg), dtype), dtype) for arg in node.args)
    folded = fold_call(node.name[:3], [lowering.identities.literal(arg) for arg in args], dtype)
    return folded or p.Call("T.min" if node.name.startswith("min_") else "T.max", args, dtype)


def _sign_bit(operand: p.PortExpr, lowering: Lowering) -> p.PortExpr:
    integer = "int64" if operand.dtype == "float64" else "int32"
    if not isinstance(operand, (p.Name, p.Element)):
        operand = lowering.hoist(operand, "value")
    bits = p.Call("T.reinterpret", (operand, p.Text(integer)), integer)
    return p.Operation("<", bits, literal(0, integer), "bool")
