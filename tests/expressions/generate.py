"""Random well-defined CUDA expressions over all integer and float types.

Well defined: no signed overflow, no shift, division or conversion outside of what CUDA and C++ define, and no result
that hangs on the sign of a NaN (it differs between processors, see docs/semantics.md).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

# Arrays of a kernel: (name, C type, numpy type). Inputs may hold any bit pattern.
INPUTS = (
    ("b", "signed char", np.int8),
    ("ub", "unsigned char", np.uint8),
    ("s", "short", np.int16),
    ("us", "unsigned short", np.uint16),
    ("i", "int", np.int32),
    ("u", "unsigned", np.uint32),
    ("l", "long long", np.int64),
    ("ul", "unsigned long long", np.uint64),
    ("f", "float", np.float32),
    ("d", "double", np.float64),
)
OUTPUTS = (
    ("ou", "unsigned", np.uint32),
    ("of", "float", np.float32),
    ("od", "double", np.float64),
    ("ol", "unsigned long long", np.uint64),
    ("os", "short", np.int16),
    ("ob", "unsigned char", np.uint8),
)

# Templates, separated by semicolons. A placeholder's letter is the kind of expression that stands there, a digit after
# it tells a nested expression (1) from a leaf (0):
#   n  an int between -2**15 and 2**16, so that sums and products of two do not overflow a long long
#   z  an int that was computed with signed arithmetic      y  the same as a long long
#   u  unsigned      w  unsigned long long      f  float      h  half      x  bfloat16      d  double
#   c  a literal from 1 to 39
LEAVES = {
    "n": "b0; ub0; s0; us0; (int)b1; (short)us1; (signed char)s1; (-{c}); {c}",
    "u": """u0; u1; (unsigned)i0; (unsigned)s0; (unsigned)us0; (unsigned)b0; (unsigned)ub0; (unsigned)ul0;
        (unsigned)l0; 2654435769u; 4294967295u; 2147483648u; {c}u""",
    "w": """ul0; ul1; (unsigned long long)l0; (unsigned long long)i0; (unsigned long long)us0;
        11400714819323198485ull; 9223372036854775808ull; {c}ull""",
    "f": "f0; f1; f2; 0.7310586f; -2.5f; 0.0f; -0.0f; 1e30f; (float)s0; (float)ub0; (float)b1; {c}.0f",
    "d": "d0; d1; 0.1; -3.75; 1e-300; (double)i0; (double)f0; {c}.0",
}
NESTED = {
    "z": """({n} + {n}); ({n} - {n}); ({n} * {c}); (s0 * b0); (us0 * ub1); ({n} / {c}); ({n} % {c});
        ({n} / -{c}); ({n} % -{c}); ({n} >> ({c} & 15)); (-{n}); (~{n}); abs({n}); min((int){n}, (int){n});
        max((int){n}, (int){n}); ({n} < {n}); ({n} == {n} ? {n} : {c}); (!{n}); ({n} && {n}); ({n} & {n});
        ({n} ^ {n}); ({n} | i0); (i0 & {n}); ((i0 >> 3) + {n}); (i1 / {c}); (i0 % {c}); (int)(l0 >> 33);
        (int)(l1 % {c}); __mul24({n}, {n})""",
    "y": """((long long){z} * i0); ((long long)i0 * i1); (l0 / {c}); (l0 % {c}); ((l0 >> 9) + {z}); (l1 >> 40);
        min(l0, l1); max(l0, (long long){z}); (l0 < l1 ? l0 : {z}); ((l0 >> 33) * {n}); (~l0); (l0 & l1);
        llabs(l0 / 3); __mul64hi(l0, l1)""",
    "u": """({u1} + {u1}); ({u1} - {u1}); ({u1} * {u1}); ({u1} / ({u1} | 1u)); ({u1} % ({u1} | 1u));
        (unsigned){z}; ({u1} & {u1}); ({u1} | {u1}); ({u1} ^ {u1}); (~{u1}); ({u1} << ({u1} & 31u));
        ({u1} >> ({u1} & 31u)); (unsigned)((int){u1} >> ({u1} & 31u)); ({u1} < {u1} ? {u0} : {u1});
        ((int){u1} <= (int){u1} ? {u1} : {u0}); (unsigned)__popc({u1}); (unsigned)__clz((int){u1});
        (unsigned)__ffs((int){u1}); __brev({u1}); __umulhi({u1}, {u1});
        (unsigned)__mulhi((int){u1}, (int){u1}); __byte_perm({u1}, {u1}, {u0});
        __funnelshift_l({u1}, {u1}, {u0}); __funnelshift_rc({u1}, {u1}, {u0}); __umul24({u1}, {u1});
        (unsigned)__dp4a((int){u1}, (int){u1}, (int){u0}); min({u1}, {u1});
        (unsigned)max((int){u1}, (int){u1}); (unsigned)(short){u1}; (unsigned)(signed char){u1};
        (unsigned)(unsigned short){u1}; (unsigned){w1}; (unsigned)__popcll({w1});
        (unsigned)__clzll((long long){w1}); (unsigned)({w1} >> 40); (unsigned){y};
        (unsigned)__float2int_rn({f1}); __float2uint_rz({f1}); (unsigned)__float2ll_rd({f1});
        (unsigned)({w1} > {u1}); (unsigned)__double2int_ru({d1});
        (unsigned)(int)fminf(fmaxf({f1}, -1e6f), 1e6f); ({f1} < {f0} ? {u1} : {u1}); (unsigned)isnan({f1});
        (unsigned)({f1} != {f1}); (unsigned)isinf({d1}); (unsigned)({d1} <= {d0}); (unsigned)({u1} && {u1});
        (unsigned)({h1} < {h1}); (unsigned)__hisnan({h1})""",
    "w": """({w1} + {w1}); ({w1} - {w1}); ({w1} * {w1}); ({w1} / ({w0} | 1ull)); ({w1} % ({w0} | 1ull));
        ({w1} & {w1}); ({w1} | {w1}); ({w1} ^ {w1}); (~{w1}); ({w1} << ({u1} & 63u));
        ({w1} >> ({u1} & 63u)); ({w1} < {w1} ? {w0} : {w1});
        (unsigned long long)((long long){w1} >> ({u1} & 63u)); (unsigned long long){u1};
        (unsigned long long)(int){u1}; min({w1}, {w1}); max({w1}, {w0}); __umul64hi({w1}, {w1});
        __brevll({w1}); (unsigned long long){y}; ((unsigned long long){u1} << 32 | {u1});
        (unsigned long long)__double2ull_rz({d1}); (unsigned long long)__double_as_longlong(d0);
        (unsigned long long)__float2ull_rn({f1})""",
    "h": """__float2half_rn({f1}); __hadd({h1}, {h1}); __hsub({h1}, {h1}); __hmul({h1}, {h1});
        __hfma({h1}, {h1}, {h1}); __hdiv({h1}, {h1}); __hmax({h1}, {h1}); __hmin({h1}, {h1}); __hneg({h1});
        __int2half_rn((int){u1}); ({h1} + {h1}); __float2half({f1}); __habs({h1}); hsqrt({h1});
        hfloor({h1})""",
    "x": """__float2bfloat16_rn({f1}); __hadd({x1}, {x1}); __hsub({x1}, {x1}); __hmul({x1}, {x1});
        __hfma({x1}, {x1}, {x1}); __hmax({x1}, {x1}); __hneg({x1}); ({x1} * {x1}); __float2bfloat16({f1})""",
    "f": """({f1} + {f1}); ({f1} - {f1}); ({f1} * {f1}); ({f1} / {f1}); fmaf({f1}, {f1}, {f0}); sqrtf({f1});
        fminf({f1}, {f1}); fmaxf({f1}, {f1}); floorf({f1}); ceilf({f1}); truncf({f1}); rintf({f1});
        roundf({f1}); fabsf({f1}); (-({f1})); copysignf({f1}, f1); ({f1} > {f1} ? {f0} : {f1}); (float){d1};
        (float){u1}; (float)(int){u1}; (float)((long long)(int){u1} * (int)({u1} & 0xffffu)); (float){w1};
        (float){y}; (float){z}; __saturatef({f1}); rsqrtf({f1}); fmodf({f1}, {f1});
        ldexpf({f1}, (int)({u1} & 15u) - 8); fdimf({f1}, {f1}); __fdividef({f1}, 3.0f); __frcp_rn({f1});
        __fmul_rn({f1}, {f1}); __uint2float_rn({u1}); __half2float({h1}); __half2float({h1});
        __half2float({h1}); __bfloat162float({x1}); __bfloat162float({x1}); __int_as_float(i0 & 0x7f7fffff);
        expf({f1}); logf({f1}); sinf({f1}); cosf({f1}); tanhf({f1}); erff({f1}); __expf({f1}); __logf({f1});
        exp2f({f1}); atanf({f1}); cbrtf({f1}); powf({f1}, {f1})""",
    "d": """({d1} + {d1}); ({d1} - {d1}); ({d1} * {d1}); ({d1} / {d1}); fma({d1}, {d1}, {d0}); sqrt(fabs({d1}));
        floor({d1}); rint({d1}); trunc({d1}); round({d1}); fmin({d1}, {d1}); fmax({d1}, {d1}); (double){f1};
        (double){u1}; (double)(long long)(int){u1}; (double){w1}; (double){y}; ({d1} >= {d1} ? {d1} : {d0});
        exp({d1}); log({d1}); sin({d1}); cos({d1}); tanh({d1}); cbrt({d1}); pow({d1}, {d1});
        fmod({d1}, {d1}); copysign({d1}, d1); ldexp({d1}, (int)({u1} & 15u) - 8); fdim({d1}, {d1});
        __dmul_rn({d1}, {d1}); (-({d1}))""",
}
# How a leaf of a kind without leaves of its own is written.
BY_CONVERSION = {"h": "__float2half_rn({f})", "x": "__float2bfloat16_rn({f})"}


def _choices(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(";"))


_LEAVES = {kind: _choices(text) for kind, text in LEAVES.items()}
_NESTED = {kind: _choices(text) for kind, text in NESTED.items()}


@dataclass
class Expressions:
    """Writes expressions; the same ``seed`` gives the same text."""

    seed: int
    random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def write(self, kind: str, depth: int) -> str:
        """An expression of ``kind`` (a letter, see above), nested at most ``depth`` deep."""
        if kind == "c":
            return str(self.random.randrange(1, 40))
        if kind in ("z", "y") or (depth > 0 and kind in _NESTED):
            template = self.random.choice(_NESTED[kind])
        elif kind in BY_CONVERSION:
            template = BY_CONVERSION[kind]
        else:
            template = self.random.choice(_LEAVES[kind])
        return template.format_map(_Filling(self, depth))

    def kernel(self, name: str, count: int, depth: int) -> str:
        """A kernel of ``count`` expressions; thread t computes each from element t of every input."""
        inputs = ", ".join(f"const {c_type}* {a}" for a, c_type, _ in INPUTS)
        outputs = ", ".join(f"{c_type}* {a}" for a, c_type, _ in OUTPUTS)
        lines = [
            f"__global__ void {name}({inputs},\n    {outputs}, int n) {{",
            "  int t = blockIdx.x * blockDim.x + threadIdx.x;",
            "  if (t >= n) return;",
            *(f"  {c_type} {a}0 = {a}[t], {a}1 = {a}[t + n];" for a, c_type, _ in INPUTS),
            "  float f2 = f[t + 2 * n];",
        ]
        made = dict.fromkeys((a for a, _, _ in OUTPUTS), 0)
        kinds = {"ou": "u", "of": "f", "od": "d", "ol": "w", "os": "z", "ob": "u"}
        casts = {"os": "(short)", "ob": "(unsigned char)"}
        for k in range(count):
            output = ("ou", "of", "od", "ol", "os", "of", "ob")[k % 7]
            value = f"{casts.get(output, '')}{self.write(kinds[output], depth)}"
            lines.append(f"  {output}[{made[output]} * n + t] = {value};")
            made[output] += 1
        return "\n".join([*lines, "}"]) + "\n"

    def source(self, kernels: int, count: int, depth: int) -> str:
        """A file: kernels ``k0``, ``k1``… and a host function that launches each."""
        names = [f"k{k}" for k in range(kernels)]
        arguments = (*INPUTS, *OUTPUTS)
        calls = ", ".join([*(a for a, _, _ in arguments), "n"])
        parameters = ", ".join(f"{c_type}* {a}" for a, c_type, _ in arguments)
        launches = "\n".join(f"  {name}<<<(n + 31) / 32, 32>>>({calls});" for name in names)
        return "\n".join(
            [
                "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_runtime.h>",
                *(self.kernel(name, count, depth) for name in names),
                f"void launch({parameters}, int n) {{\n{launches}\n}}\n",
            ]
        )


@dataclass
class _Filling:
    """What stands at the placeholders of a template that is itself ``depth`` deep."""

    expressions: Expressions
    depth: int

    def __getitem__(self, placeholder: str) -> str:
        return self.expressions.write(placeholder[0], 0 if placeholder.endswith("0") else self.depth - 1)
