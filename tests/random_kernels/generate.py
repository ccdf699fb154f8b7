"""Random CUDA kernels that are valid by construction: no undefined arithmetic, no races, barriers in uniform flow only.

A kernel gets its text from one `random.Random`; the same seed gives the same text. Every value that a kernel computes
ends up in its outputs, so that a wrong translation of any part shows.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

INTS = ("int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "signed char", "unsigned short")
UNSIGNED = ("unsigned", "unsigned long long", "unsigned short", "unsigned char")
FLOATS = ("float", "double")
BLOCKS = (32, 64, 96, 128)

PRELUDE = """
#include <cuda_runtime.h>
#include <cuda_fp16.h>
struct Pair { float low; int high; };
__device__ float blend(float a, float b, int c) { return (c & 1) ? a - b : a * 0.5f + b; }
__device__ unsigned mix(unsigned a, unsigned b) { a ^= b * 2654435761u; a = (a << 7) | (a >> 25); return a; }
__device__ void bump(int& a, float& b, int c) { if (c > 3) { a = (a & 1023) + c % 5; return; } b = b * 0.25f; }
__device__ Pair pair_of(float a, int b) { Pair p; p.low = a; p.high = b & 255; return p; }
template <typename T, int N> __device__ T horner(T x) {
  T r = (T)1;
  for (int k = 0; k < N; ++k) r = r * x + (T)k;
  return r;
}
"""


@dataclass
class Writer:
    """State of one kernel's text. ``uniform``: all threads of a block reach this place, as often as each other."""

    rng: random.Random
    block: int
    lines: list[str] = field(default_factory=list)
    scopes: list[list[tuple[str, str]]] = field(default_factory=lambda: [[]])
    depth: int = 1
    uniform: bool = True
    loops: int = 0
    names: int = 0
    shared: list[str] = field(default_factory=list)
    budget: int = 0

    def emit(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def variables(self, types: tuple[str, ...]) -> list[tuple[str, str]]:
        return [(c_type, name) for scope in self.scopes for c_type, name in scope if c_type in types]

    def declare(self, c_type: str, name: str) -> None:
        self.scopes[-1].append((c_type, name))

    def write(self, template: str, depth: int = 3) -> str:
        """``template`` with its placeholders filled; expressions in it are nested at most ``depth`` deep."""
        return _PLACEHOLDER.sub(lambda found: self.filling(found[1], depth), template)

    def filling(self, placeholder: str, depth: int) -> str:
        """What stands at one placeholder, see below."""
        if placeholder in EXPRESSIONS:
            return self.expression(placeholder, depth)
        bounds = _RANGE.fullmatch(placeholder)
        if bounds:
            return str(self.rng.randrange(int(bounds[1]), int(bounds[2])))
        return self.rng.choice(placeholder.split("|"))

    def expression(self, kind: str, depth: int = 3) -> str:
        """An expression of ``kind``: a key of EXPRESSIONS. At depth 0 and now and then before it is a leaf."""
        leaves, nested, early = EXPRESSIONS[kind]
        if depth > 0 and self.rng.random() >= early:
            return self.write(self.rng.choice(nested), depth - 1)
        c_types, share = VARIABLES[kind]
        names = [f"({CASTS[kind]}){name}" for _, name in self.variables(c_types)]
        return self.write(self.rng.choice([*leaves, *names * share]), 0)


# --- expressions ------------------------------------------------------------------------------------------------------
# Templates, separated by semicolons. In braces stands
#   u  an unsigned expression; it wraps, so anything goes
#   i  an int expression between -2**20 and 2**20: sums and products of few of them do not overflow
#   f  a float expression of moderate size
#   b  a truth value that differs between threads
#   0..9  a number from 0 to 8
#   <|>=  one of the alternatives


def _templates(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(";"))


_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_NUMBER = "{|-}{0..5}.{0|125|25|375|5|625|75|875}f"
# Kind: (leaves, templates of nested expressions, how often a leaf stands where more could).
EXPRESSIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...], float]] = {
    "u": (
        _templates("{0..8}u; {0..256}u; {0..1048576}u; {0..4294967296}u; threadIdx.x; blockIdx.x; u; (unsigned)n"),
        _templates("""({u} {+|-|*} {u}); ({u} {&|^} {u}); ({u} | {u}); (~{u}); ({u} {<<|>>} ({u} & 31u));
            ({u} / (({u} & 15u) + 1u)); ({u} % (({u} & 7u) + 1u)); ({b} ? {u} : {u}); {min|max}({u}, {u});
            mix({u}, {u}); (unsigned)__popc({u}); (unsigned)__clz((int){u}); __brev({u}); __umulhi({u}, {u});
            (unsigned)({i}); (unsigned)({unsigned char|short}){u}"""),
        0.2,
    ),
    "i": (
        _templates("((int)(u & {7|63|1023}u)); {0..40}; (b[i] & 511); ((int)threadIdx.x)"),
        _templates("""((int)({u} & 1023u)); ((int)({u} & 255u) - 128); (({i} + {i}) % 1001); (({i} - {i}) % 777);
            (({i} * {-7..8}) / {-3|2|5|7}); ({i} % {-5|3|16}); (-{i}); abs({i}); max({i}, {i}); ({i} >> {0..5});
            ({b} ? {i} : {i}); ({i} < {i})"""),
        0.0,
    ),
    "f": (
        _templates(f"a[i]; s; {_NUMBER}; (float)threadIdx.x; a[(i + 1) % n]"),
        _templates("""({f} {+|-} {f}); ({f} * {f} * 0.125f); ({f} / (fabsf({f}) + 1.0f));
            {fmaxf|fminf|copysignf}({f}, {f}); sqrtf(fabsf({f})); {floorf|fabsf|rintf}({f}); (-({f}));
            ({b} ? {f} : {f}); blend({f}, {f}, {i}); __half2float(__float2half({f})); (float)((double)({f}) * 0.3);
            (horner<float, 2>({f}) * 0.0625f); pair_of({f}, {i}).low; fmaf({f}, 0.5f, {f}); (float)({i})"""),
        0.2,
    ),
    "b": (
        _templates("(threadIdx.x & {1|2|6}); ({u} % {2..6}u == {0|1}u); ({i} {<|>=|==|!=} {i})"),
        _templates("""({u} % {2..6}u == {0|1}u); ({i} {<|<=|>|>=|==|!=} {i}); ({f} {<|>=|>} {f});
            (({u} & {1|2|4|8|16}u) != 0); ({b} && {b}); ({b} || {b}); !{b}"""),
        0.1,
    ),
}
# Kind: (types of the variables that are leaves of it, how many times as often as another leaf); their cast is in CASTS.
VARIABLES: dict[str, tuple[tuple[str, ...], int]] = {"u": (INTS, 2), "i": ((), 0), "f": (FLOATS, 3), "b": ((), 0)}
CASTS = {"u": "unsigned", "f": "float"}


def uniform_condition(w: Writer) -> str:
    template = w.rng.choice(("(blockIdx.x & 1)", "(n > {1..200})", "(u & 2u)", "(s > 0.0f)", "(blockIdx.x == 0)"))
    return w.write(template)


def value(w: Writer, c_type: str) -> str:
    """An expression whose conversion to ``c_type`` is defined."""
    return w.expression("u" if c_type in UNSIGNED else "f" if c_type in FLOATS else "i")


# --- statements -------------------------------------------------------------------------------------------------------


def local(w: Writer) -> None:
    c_type = w.rng.choice((*INTS, *FLOATS, "float", "int", "unsigned"))
    name = w.fresh("v")
    w.emit(f"{c_type} {name} = {value(w, c_type)};")
    w.declare(c_type, name)


def assign(w: Writer) -> None:
    r = w.rng
    known = w.variables((*UNSIGNED, "float", "double", "int"))
    known = [item for item in known if not item[1].startswith("k")]
    if not known:
        local(w)
        return
    c_type, name = r.choice(known)
    if c_type in UNSIGNED:
        templates = [f"{name} {{=|+=|^=|*=|-=}} {{u}};", f"{name} |= {{u}};", f"++{name};", f"{name}--;"]
    elif c_type == "int":
        templates = [f"{name} = {{i}};"]
    else:
        templates = [f"{name} = {{f}};", f"{name} = {name} * 0.5f + {{f}};"]
    w.emit(w.write(r.choice(templates)))


def nested(w: Writer, inner: Callable[[Writer], None], *, uniform: bool) -> None:
    before = w.uniform
    w.uniform = before and uniform
    w.scopes.append([])
    w.depth += 1
    inner(w)
    w.depth -= 1
    w.scopes.pop()
    w.uniform = before


def branch(w: Writer) -> None:
    same = w.rng.random() < 0.3
    w.emit(f"if ({uniform_condition(w) if same else w.expression('b')}) {{")
    nested(w, statements, uniform=same)
    if w.rng.random() < 0.5:
        w.emit("} else {")
        nested(w, statements, uniform=same)
    w.emit("}")


def loop(w: Writer) -> None:
    if w.loops >= 2:
        assign(w)
        return
    r = w.rng
    same = r.random() < 0.5
    k = w.fresh("k")
    bound = w.write("{0..5}" if same else "({i}) % 4", 1)
    header = r.choice(
        (
            f"for (int {k} = 0; {k} < {bound}; ++{k}) {{",
            f"for (int {k} = {r.randrange(3, 9)}; {k} > {bound}; {k} -= 2) {{",
            f"#pragma unroll\n  for (int {k} = 1; {k} <= {r.randrange(1, 4)}; {k} *= 2) {{",
        )
    )
    if header.startswith("#pragma"):
        same = True
    for line in header.split("\n"):
        w.emit(line)
    w.loops += 1

    def body(inner: Writer) -> None:
        inner.declare("int", k)
        if not same and r.random() < 0.5:
            inner.emit(inner.write("if ({b}) {continue|break};", 2))
        statements(inner)

    # A loop that threads may leave at different times is no place for a barrier.
    nested(w, body, uniform=same)
    w.loops -= 1
    w.emit("}")


def while_loop(w: Writer) -> None:
    if w.loops >= 2:
        assign(w)
        return
    k = w.fresh("k")
    w.emit(f"int {k} = {w.rng.randrange(0, 4)};")
    do = w.rng.random() < 0.4
    w.emit("do {" if do else f"while ({k} < 5 && {w.expression('b', 2)}) {{")
    w.loops += 1

    def body(inner: Writer) -> None:
        inner.emit(f"{k} += 1;")
        statements(inner)

    nested(w, body, uniform=False)
    w.loops -= 1
    w.emit(f"}} while ({k} < 4);" if do else "}")
    w.declare("int", k)


def switch(w: Writer) -> None:
    w.emit(f"switch (({w.expression('u', 1)}) % 4u) {{")
    for case in w.rng.sample(range(4), 3):
        w.emit(f"  case {case}: {{")
        w.depth += 1
        nested(w, assign, uniform=False)
        w.depth -= 1
        if w.rng.random() < 0.7:
            w.emit("    break;")
        w.emit("  }")
    if w.rng.random() < 0.6:
        w.emit("  default: {")
        w.depth += 1
        nested(w, assign, uniform=False)
        w.depth -= 1
        w.emit("  }")
    w.emit("}")


def exchange(w: Writer) -> None:
    """Through shared memory: every thread writes its slot, all read another's."""
    if not w.uniform or not w.shared:
        assign(w)
        return
    r = w.rng
    array = r.choice(w.shared)
    c_type = "float" if array.startswith("sf") else "unsigned"
    name = w.fresh("v")
    shift = r.choice(("(threadIdx.x + 1) % blockDim.x", "blockDim.x - 1 - threadIdx.x", "threadIdx.x ^ 1u"))
    w.emit("__syncthreads();")
    w.emit(f"{array}[threadIdx.x] = {value(w, c_type)};")
    w.emit("__syncthreads();")
    w.emit(f"{c_type} {name} = {array}[{shift}];")
    w.declare(c_type, name)


WARP = (
    ("float", "__shfl_xor_sync(0xffffffffu, {f}, {1|2|4|8|16})"),
    ("unsigned", "__shfl_down_sync(0xffffffffu, {u}, {1..17})"),
    ("unsigned", "__ballot_sync(0xffffffffu, {b})"),
    ("int", "__{any|all}_sync(0xffffffffu, {b})"),
    ("float", "__shfl_sync(0xffffffffu, {f}, {0..32}, {8|16|32})"),
)


def warp(w: Writer) -> None:
    if not w.uniform:
        assign(w)
        return
    name = w.fresh("v")
    c_type, template = w.rng.choice(WARP)
    w.emit(f"{c_type} {name} = {w.write(template)};")
    w.declare(c_type, name)


ATOMICS = (
    "atomicAdd(&totals[{0..8} + ({u}) % 4u], {u});",
    "atomicMax(&totals[12 + {0|1}], {u});",
    "atomicXor(&totals[14], {u});",
)


def atomic(w: Writer) -> None:
    w.emit(w.write(w.rng.choice(ATOMICS), 2))


def call(w: Writer) -> None:
    ints = [name for c_type, name in w.variables(("int",)) if not name.startswith("k")]
    floats = [name for _, name in w.variables(("float",))]
    if ints and floats:
        w.emit(f"bump({w.rng.choice(ints)}, {w.rng.choice(floats)}, {w.expression('i', 2)});")
    else:
        local(w)


def array(w: Writer) -> None:
    name = w.fresh("t")
    size = w.rng.choice((2, 4, 5))
    w.emit(f"float {name}[{size}];")
    w.emit(f"for (int q = 0; q < {size}; ++q) {name}[q] = {w.expression('f', 1)} + (float)q;")
    result = w.fresh("v")
    w.emit(f"{name}[({w.expression('u', 1)}) % {size}u] = {w.expression('f')};")
    w.emit(f"float {result} = {name}[({w.expression('u', 1)}) % {size}u] + {name}[{size - 1}];")
    w.declare("float", result)


_KINDS: tuple[tuple[Callable[[Writer], None], int], ...] = (
    (local, 5), (assign, 5), (branch, 3), (loop, 3), (while_loop, 1), (switch, 1), (exchange, 2), (warp, 2),
    (atomic, 1), (call, 1), (array, 1),
)  # fmt: skip


def statements(w: Writer) -> None:
    kinds, weights = zip(*_KINDS, strict=True)
    for _ in range(w.rng.randrange(1, 4)):
        if w.budget <= 0:
            assign(w)
            return
        w.budget -= 1
        w.rng.choices(kinds, weights)[0](w)


def kernel(name: str, seed: int) -> tuple[str, int]:
    """(text of one kernel, threads a block)."""
    rng = random.Random(seed)
    w = Writer(rng, rng.choice(BLOCKS), budget=rng.randrange(6, 22))
    w.emit("int i = blockIdx.x * blockDim.x + threadIdx.x;")
    if rng.random() < 0.6:
        w.shared.append("sf0")
        w.emit(f"__shared__ float sf0[{w.block}];")
    if rng.random() < 0.4:
        w.shared.append("su0")
        w.emit(f"__shared__ unsigned su0[{w.block}];")
    if rng.random() < 0.4:
        w.emit("if (i >= n - 1) return;")
        w.uniform = False
    else:
        w.emit("i = i % n;")
    while w.budget > 0:
        statements(w)
    floats = [f"(float){name}" for _, name in w.variables(FLOATS)] or ["0.0f"]
    ints = [f"(unsigned){name}" for _, name in w.variables(INTS)] or ["0u"]
    place = "blockIdx.x * blockDim.x + threadIdx.x"
    w.emit(f"out[{place}] = {' + '.join(floats)};")
    w.emit(f"codes[{place}] = {' ^ '.join(ints)};")
    header = (
        f"__global__ void {name}(const float* a, const int* b, float* out, unsigned* codes, unsigned* totals, "
        "int n, float s, unsigned u) {"
    )
    return "\n".join([header, *w.lines, "}"]), w.block


def source(seeds: list[int]) -> str:
    """One file with a kernel a seed and host code that launches them all."""
    parts = [PRELUDE]
    launches = []
    for seed in seeds:
        text, block = kernel(f"random_{seed}", seed)
        parts.append(text)
        launches.append(
            f"  random_{seed}<<<(n + {block - 1}) / {block}, {block}>>>(a, b, out, codes, totals, n, s, u);"
        )
    parts.append(
        """
void launch_all(int n, float s, unsigned u) {
  float *a, *out;
  int* b;
  unsigned *codes, *totals;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&out, (n + 128) * sizeof(float));
  cudaMalloc(&codes, (n + 128) * sizeof(unsigned));
  cudaMalloc(&totals, 16 * sizeof(unsigned));
  cudaMemset(totals, 0, 16 * sizeof(unsigned));
"""
        + "\n".join(launches)
        + "\n}\n"
    )
    return "\n".join(parts)
