"""CUDA files that call every family of device functions on arrays, for comparing original and port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

INCLUDES = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cmath>\n#include <algorithm>\n"
UNARY = (
    "exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc"
    " lgamma tgamma cbrt floor ceil trunc round rint fabs sqrt rsqrt rcbrt normcdf sinpi cospi logb"
)
BINARY = "pow atan2 fmod hypot remainder nextafter fdim copysign fmax fmin rhypot"
FAST = "__expf __logf __sinf __cosf __tanf __log2f __log10f __exp10f __saturatef __frcp_rn __fsqrt_rn __frsqrt_rn"
PLAIN = "__powf __fdividef __fadd_rn __fsub_rn __fmul_rn __fdiv_rn max min std::max std::min"
HALF = "hexp hexp2 hexp10 hlog hlog2 hlog10 hsin hcos hsqrt hrsqrt hrcp hfloor hceil hrint htrunc __hneg __habs htanh"
HALF_TWO = "__hadd __hsub __hmul __hdiv __hmax __hmin __hadd_sat __hmul_sat __hsub_sat __hmax_nan __hmin_nan"
HALF_TESTS = "__hlt __hgt __hle __hge __heq __hne __hltu __hgtu __hneu __hequ"
PAIRS = "__hadd2 __hsub2 __hmul2 __h2div __hmax2 __hmin2 __hadd2_sat __heq2 __hlt2 __hgt2 __hne2"


def _one(names: str, suffix: str = "") -> list[str]:
    return [f"{name}{suffix}(a[i])" for name in names.split()]


def _two(names: str, suffix: str = "") -> list[str]:
    return [f"{name}{suffix}(a[i], b[i])" for name in names.split()]


def kernel(name: str, result: str, inputs: Mapping[str, str], expressions: Sequence[str]) -> tuple[str, str]:
    """A kernel that stores each expression of element i, and the host code that launches it."""
    parameters = ", ".join(f"const {kind}* {letter}" for letter, kind in inputs.items())
    stores = "\n".join(f"  o[i * {len(expressions)} + {j}] = {text};" for j, text in enumerate(expressions))
    allocations = " ".join(f"{kind}* {x}; cudaMalloc(&{x}, n * sizeof({kind}));" for x, kind in inputs.items())
    device = (
        f"__global__ void {name}({result}* o, {parameters}, int n) {{\n"
        f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n{stores}\n}}\n"
    )
    host = (
        f"  {{ int n = 300; {result}* o; cudaMalloc(&o, n * {len(expressions)} * sizeof({result})); {allocations}"
        f" {name}<<<(n + 63) / 64, 64>>>(o, {', '.join(inputs)}, n); }}\n"
    )
    return device, host


def _numbers() -> list[tuple[str, str]]:
    single, double = {"a": "float", "b": "float"}, {"a": "double", "b": "double"}
    whole = {kind: {"a": kind, "b": kind} for kind in ("int", "unsigned", "long long")}
    modes = ("rn", "rz", "ru", "rd")
    return [
        kernel("float_unary", "float", {"a": "float"}, _one(UNARY, "f") + _one(FAST)),
        kernel("float_binary", "float", single, [*_two(BINARY, "f"), *_two(PLAIN), "fmaf(a[i], b[i], a[i])"]),
        kernel("double_unary", "double", {"a": "double"}, _one(UNARY)),
        kernel("double_binary", "double", double, [*_two(BINARY), "fma(a[i], b[i], a[i])", "a[i] * 0.1"]),
        kernel("mixed", "double", {"a": "float", "b": "double"}, ["max(a[i], b[i])", "pow(a[i], 2)", "a[i] * 0.1"]),
        kernel(
            "float_tests",
            "int",
            single,
            [*_one("isnan isinf isfinite signbit ilogbf __float_as_int lrintf lroundf"), "a[i] != b[i]"],
        ),
        kernel(
            "int_all",
            "int",
            whole["int"],
            [*_one("__popc __clz __ffs abs"), *_two("__mulhi min max __mul24 __hadd __rhadd"), "__dp4a(a[i], b[i], 7)"],
        ),
        kernel(
            "unsigned_all",
            "unsigned",
            whole["unsigned"],
            [
                "__brev(a[i])",
                *_two("__umulhi __umul24 __uhadd __urhadd min max"),
                "__dp4a(a[i], b[i], 1u)",
                "__byte_perm(a[i], b[i], a[i])",
                *(f"__funnelshift_{side}(a[i], b[i], b[i])" for side in ("l", "r", "lc", "rc")),
            ],
        ),
        kernel(
            "long_all",
            "long long",
            whole["long long"],
            [*_one("__popcll __clzll __ffsll"), "(long long)__brevll(a[i])", *_two("__mul64hi min max")],
        ),
        kernel(
            "casts",
            "long long",
            {"a": "float", "b": "double"},
            [f"__float2{kind}_{mode}(a[i])" for kind in ("int", "uint", "ll") for mode in modes]
            + [f"__double2{kind}_{mode}(b[i])" for kind in ("int", "uint", "ll") for mode in modes],
        ),
    ]


def _halves(kind: str, pair: str, word: str) -> list[tuple[str, str]]:
    two, pairs = {"a": kind, "b": kind}, {"a": pair, "b": pair}
    symbols = [f"a[i] {symbol} b[i]" for symbol in ("+", "-", "*", "/")]
    tests = ["a[i] < b[i]", "a[i] != b[i]", "__hisnan(a[i])", f"__{word}2int_rn(a[i])", f"__{word}_as_ushort(a[i])"]
    fused = [f"{name}(a[i], b[i], a[i])" for name in ("__hfma", "__hfma_relu", "__hfma_sat")]
    conversions = [f"__float2{word}(a[i])", f"(float)({kind})a[i]", f"__int2{word}_rn(c[i])", f"({kind})a[i]"]
    return [
        kernel(f"{word}_unary", kind, {"a": kind}, _one(HALF)),
        kernel(f"{word}_binary", kind, two, [*_two(HALF_TWO), *symbols, *fused, "-a[i]"]),
        kernel(f"{word}_tests", "int", two, [*_two(HALF_TESTS), *tests]),
        kernel(f"{word}_from", kind, {"a": "float", "c": "int"}, conversions),
        kernel(f"{word}_pairs", pair, pairs, [*_two(PAIRS), "__hfma2(a[i], b[i], a[i])", "h2exp(a[i])", "a[i] * b[i]"]),
    ]


def write_files(folder: Path) -> int:
    """Writes the CUDA files and returns how many kernels they hold."""
    groups = {
        "numbers": _numbers(),
        "half": _halves("__half", "__half2", "half"),
        "bfloat16": _halves("__nv_bfloat16", "__nv_bfloat162", "bfloat16"),
    }
    for name, kernels in groups.items():
        launches = "".join(host for _, host in kernels)
        text = INCLUDES + "".join(device for device, _ in kernels) + f"int main() {{\n{launches}}}\n"
        (folder / f"{name}.cu").write_text(text, encoding="utf-8")
    return sum(len(kernels) for kernels in groups.values())
