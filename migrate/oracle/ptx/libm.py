"""The C library's functions stay calls: device headers would put their own approximations in their place.

Both engines call one libm out of line (docs/semantics.md), so that everything else can be compared bit for bit. The
prelude stands between CUDA's headers and the kernel's text. Overloads stay CUDA's own: the type of the call that the
kernel wrote decides between the float and the double function.
"""

from __future__ import annotations

from migrate.oracle.lex import word_set

PREFIX = "oracle_libm_"
# Functions that are not exact, by number of operands. Exact ones (floor, fmod, fma, ldexp ...) stay the device's.
ONE = (
    "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "lgamma", "tgamma", "j0", "j1", "y0",
    "y1",
)  # fmt: skip
TWO = ("pow", "atan2", "hypot")
WITH_INTEGER = ("jn", "yn")
# Intrinsics that are several instructions on a device, with their formula (docs/semantics.md).
FAST = {
    "__expf": "exp", "__exp10f": "exp10", "__logf": "log", "__log10f": "log10", "__tanf": "tan", "__powf": "pow",
}  # fmt: skip
# Not in the C library or approximated in another way than by the reference formula: comparison by bound.
INEXACT = word_set(
    "rcbrt rcbrtf rhypot rhypotf norm3d norm3df rnorm3d rnorm3df norm4d norm4df rnorm4d rnorm4df norm normf rnorm "
    "rnormf sinpi sinpif cospi cospif sincospi sincospif normcdf normcdff normcdfinv normcdfinvf erfcx erfcxf erfinv "
    "erfinvf erfcinv erfcinvf cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f __tanhf "
    "hexp hexp2 hexp10 hlog hlog2 hlog10 hsin hcos htanh htanh_approx hrcp hrsqrt hsqrt h2exp h2exp2 h2exp10 h2log "
    "h2log2 h2log10 h2sin h2cos h2tanh h2tanh_approx h2rcp h2rsqrt h2sqrt h2div __h2div __hdiv"
)


def functions() -> dict[str, tuple[str, str]]:
    """Device name → (C function, shape: result and operands as f, d, i)."""
    found: dict[str, tuple[str, str]] = {}
    for name in ONE:
        found[f"{PREFIX}{name}f"] = (f"{name}f", "ff")
        found[f"{PREFIX}{name}"] = (name, "dd")
    for name in TWO:
        found[f"{PREFIX}{name}f"] = (f"{name}f", "fff")
        found[f"{PREFIX}{name}"] = (name, "ddd")
    for name in WITH_INTEGER:
        found[f"{PREFIX}{name}f"] = (f"{name}f", "fif")
        found[f"{PREFIX}{name}"] = (name, "did")
    return found


def declarations() -> str:
    """C++ declarations of the host's functions, for the translated text."""
    words = {"f": "float", "d": "double", "i": "int"}
    lines = ['extern "C" {']
    for function, shape in functions().values():
        lines.append(f"{words[shape[0]]} {function}({', '.join(words[k] for k in shape[1:])}) noexcept;")
    return "\n".join([*lines, "}"]) + "\n"


def prelude() -> str:
    """CUDA text that sends calls of inexact functions to ``oracle_libm_...``."""
    words = {"f": "float", "d": "double", "i": "int"}
    lines: list[str] = []
    for name, (_, shape) in functions().items():
        parameters = ", ".join(words[k] for k in shape[1:])
        lines.append(f'extern "C" __device__ {words[shape[0]]} {name}({parameters});')
    lines.append("template <class T> struct oracle_is_float { static constexpr bool value = false; };")
    lines.append("template <> struct oracle_is_float<float> { static constexpr bool value = true; };")
    macros: list[str] = []
    for name in (*ONE, *TWO, *WITH_INTEGER):
        operands = {**dict.fromkeys(TWO, 2), **dict.fromkeys(WITH_INTEGER, 2)}.get(name, 1)
        for spelled in (name, f"{name}f"):
            lines.append(_forward(spelled, name, operands, name in WITH_INTEGER))
            macros.append(f"#define {spelled} oracle_call_{spelled}")
    for spelled, name in FAST.items():
        operands = 2 if name in TWO else 1
        listed = ", ".join(f"float {v}" for v in "ab"[:operands])
        passed = ", ".join("ab"[:operands])
        lines.append(
            f"static __device__ __forceinline__ float oracle_call_{spelled}({listed}) "
            f"{{ return {PREFIX}{name}f({passed}); }}"
        )
        macros.append(f"#define {spelled} oracle_call_{spelled}")
    for spelled, kind in (("sincosf", "float"), ("__sincosf", "float"), ("sincos", "double"), ("sincos", "float")):
        end = "f" if kind == "float" else ""
        lines.append(
            f"static __device__ __forceinline__ void oracle_call_{spelled}({kind} x, {kind}* s, {kind}* c) "
            f"{{ const {kind} v = x; *s = {PREFIX}sin{end}(v); *c = {PREFIX}cos{end}(v); }}"
        )
    macros += [f"#define {name} oracle_call_{name}" for name in ("sincosf", "__sincosf", "sincos")]
    lines.append(
        "static __device__ __forceinline__ double oracle_call_rsqrt(double x) { return 1.0 / ::sqrt(x); }\n"
        "static __device__ __forceinline__ float oracle_call_rsqrt(float x) { return ::rsqrtf(x); }"
    )
    macros.append("#define rsqrt oracle_call_rsqrt")
    used = " ".join(f"using ::oracle_call_{n};" for name in (*ONE, *TWO) for n in (name, f"{name}f"))
    return "\n".join([*lines, f"namespace std {{ {used} }}", *macros]) + "\n"


def _forward(spelled: str, name: str, operands: int, integer: bool) -> str:
    types = ", ".join(f"class {t}" for t in "AB"[:operands])
    listed = ", ".join(f"{t} {v}" for t, v in zip("AB"[:operands], "ab", strict=False))
    passed = ", ".join("ab"[:operands])
    result = f"decltype(::{spelled}({passed}))"

    def cast(kind: str) -> str:
        values = list("ab"[:operands])
        return ", ".join(f"(int){v}" if integer and v == "a" else f"({kind}){v}" for v in values)

    return (
        f"template <{types}> static __device__ __forceinline__ auto oracle_call_{spelled}({listed}) -> {result} {{ "
        f"if constexpr (oracle_is_float<{result}>::value) return {PREFIX}{name}f({cast('float')}); "
        f"else return {PREFIX}{name}({cast('double')}); }}"
    )
