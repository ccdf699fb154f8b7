"""Random CUDA kernels that are valid by construction: no undefined arithmetic, no races, barriers in uniform flow only.

A kernel gets its text from one `random.Random`; the same seed gives the same text. Every value that a kernel computes
ends up in its outputs, so that a wrong translation of any part shows.
"""

from __future__ import annotations

import random
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


# --- expressions ------------------------------------------------------------------------------------------------------
# ``depth`` bounds the nesting; at 0 only names and literals are left. Choices are functions: only the chosen one
# is written out.


def uint(w: Writer, depth: int = 3) -> str:
    """An ``unsigned`` expression; unsigned arithmetic wraps, so anything goes."""
    r = w.rng
    if depth <= 0 or r.random() < 0.2:
        known = w.variables(INTS)
        leaves = [
            str(r.randrange(1 << r.choice((3, 8, 20, 32)))) + "u",
            "threadIdx.x",
            "blockIdx.x",
            "u",
            "(unsigned)n",
        ]
        leaves += [f"(unsigned){name}" for _, name in known] * 2
        return r.choice(leaves)

    def of() -> str:
        return uint(w, depth - 1)

    options: tuple[Callable[[], str], ...] = (
        lambda: f"({of()} + {of()})",
        lambda: f"({of()} - {of()})",
        lambda: f"({of()} * {of()})",
        lambda: f"({of()} & {of()})",
        lambda: f"({of()} | {of()})",
        lambda: f"({of()} ^ {of()})",
        lambda: f"(~{of()})",
        lambda: f"({of()} << ({of()} & 31u))",
        lambda: f"({of()} >> ({of()} & 31u))",
        lambda: f"({of()} / (({of()} & 15u) + 1u))",
        lambda: f"({of()} % (({of()} & 7u) + 1u))",
        lambda: f"({condition(w, depth - 1)} ? {of()} : {of()})",
        lambda: f"min({of()}, {of()})",
        lambda: f"mix({of()}, {of()})",
        lambda: f"(unsigned)__popc({of()})",
        lambda: f"(unsigned)__clz((int){of()})",
        lambda: f"__brev({of()})",
        lambda: f"__umulhi({of()}, {of()})",
        lambda: f"(unsigned)({small(w, depth - 1)})",
        lambda: f"(unsigned)(unsigned char){of()}",
        lambda: f"(unsigned)(short){of()}",
    )
    return r.choice(options)()


def small(w: Writer, depth: int = 2) -> str:
    """An ``int`` expression between -2**20 and 2**20: sums and products of few of them do not overflow."""
    r = w.rng
    if depth <= 0:
        return r.choice(
            (f"((int)(u & {r.choice((7, 63, 1023))}u))", str(r.randrange(40)), "(b[i] & 511)", "((int)threadIdx.x)")
        )
    if r.random() < 0.3:
        return r.choice((f"((int)({uint(w, depth - 1)} & 1023u))", f"((int)({uint(w, depth - 1)} & 255u) - 128)"))

    def of() -> str:
        return small(w, depth - 1)

    options: tuple[Callable[[], str], ...] = (
        lambda: f"(({of()} + {of()}) % 1001)",
        lambda: f"(({of()} - {of()}) % 777)",
        lambda: f"(({of()} * {r.randrange(-7, 8)}) / {r.choice((-3, 2, 5, 7))})",
        lambda: f"({of()} % {r.choice((-5, 3, 16))})",
        lambda: f"(-{of()})",
        lambda: f"abs({of()})",
        lambda: f"max({of()}, {of()})",
        lambda: f"({of()} >> {r.randrange(5)})",
        lambda: f"({condition(w, depth - 1)} ? {of()} : {of()})",
        lambda: f"({of()} < {of()})",
    )
    return r.choice(options)()


def real(w: Writer, depth: int = 3) -> str:
    """A ``float`` expression of moderate size."""
    r = w.rng
    if depth <= 0 or r.random() < 0.2:
        leaves = ["a[i]", "s", f"{r.randrange(-40, 40) / 8}f", "(float)threadIdx.x", "a[(i + 1) % n]"]
        leaves += [name for _, name in w.variables(("float",))] * 3
        leaves += [f"(float){name}" for _, name in w.variables(("double",))]
        return r.choice(leaves)

    def of() -> str:
        return real(w, depth - 1)

    options: tuple[Callable[[], str], ...] = (
        lambda: f"({of()} + {of()})",
        lambda: f"({of()} - {of()})",
        lambda: f"({of()} * {of()} * 0.125f)",
        lambda: f"({of()} / (fabsf({of()}) + 1.0f))",
        lambda: f"fmaxf({of()}, {of()})",
        lambda: f"fminf({of()}, {of()})",
        lambda: f"sqrtf(fabsf({of()}))",
        lambda: f"floorf({of()})",
        lambda: f"fabsf({of()})",
        lambda: f"(-({of()}))",
        lambda: f"({condition(w, depth - 1)} ? {of()} : {of()})",
        lambda: f"blend({of()}, {of()}, {small(w, depth - 1)})",
        lambda: f"__half2float(__float2half({of()}))",
        lambda: f"(float)((double)({of()}) * 0.3)",
        lambda: f"(horner<float, 2>({of()}) * 0.0625f)",
        lambda: f"pair_of({of()}, {small(w, depth - 1)}).low",
        lambda: f"fmaf({of()}, 0.5f, {of()})",
        lambda: f"copysignf({of()}, {of()})",
        lambda: f"rintf({of()})",
        lambda: f"(float)({small(w, depth - 1)})",
    )
    return r.choice(options)()


def condition(w: Writer, depth: int = 2) -> str:
    """A truth value that differs between threads."""
    r = w.rng
    inner = max(depth - 1, 0)
    options: tuple[Callable[[], str], ...] = (
        lambda: f"({uint(w, inner)} % {r.randrange(2, 6)}u == {r.randrange(2)}u)",
        lambda: f"({small(w, inner)} {r.choice(('<', '<=', '>', '>=', '==', '!='))} {small(w, inner)})",
        lambda: f"({real(w, inner)} {r.choice(('<', '>=', '>'))} {real(w, inner)})",
        lambda: f"(({uint(w, inner)} & {1 << r.randrange(5)}u) != 0)",
        lambda: "(threadIdx.x & 1)",
    )
    if depth > 0 and r.random() < 0.3:
        joined = r.choice((" && ", " || "))
        return f"({condition(w, depth - 1)}{joined}{condition(w, depth - 1)})"
    return r.choice(("", "", "!")) + r.choice(options)()


def uniform_condition(w: Writer) -> str:
    r = w.rng
    return r.choice(("(blockIdx.x & 1)", f"(n > {r.randrange(1, 200)})", "(u & 2u)", "(s > 0.0f)", "(blockIdx.x == 0)"))


def value(w: Writer, c_type: str) -> str:
    """An expression whose conversion to ``c_type`` is defined."""
    if c_type in UNSIGNED:
        return uint(w)
    if c_type in ("float", "double"):
        return real(w)
    return small(w)


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
        w.emit(
            r.choice((f"{name} {r.choice(('=', '+=', '^=', '*=', '-=', '|='))} {uint(w)};", f"++{name};", f"{name}--;"))
        )
    elif c_type == "int":
        w.emit(f"{name} = {small(w)};")
    else:
        w.emit(f"{name} = {r.choice((real(w), f'{name} * 0.5f + {real(w, 2)}'))};")


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
    w.emit(f"if ({uniform_condition(w) if same else condition(w)}) {{")
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
    bound = str(r.randrange(0, 5)) if same else f"({small(w, 1)}) % 4"
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
            inner.emit(f"if ({condition(inner)}) {r.choice(('continue', 'break'))};")
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
    w.emit("do {" if do else f"while ({k} < 5 && {condition(w)}) {{")
    w.loops += 1

    def body(inner: Writer) -> None:
        inner.emit(f"{k} += 1;")
        statements(inner)

    nested(w, body, uniform=False)
    w.loops -= 1
    w.emit(f"}} while ({k} < 4);" if do else "}")
    w.declare("int", k)


def switch(w: Writer) -> None:
    w.emit(f"switch (({uint(w, 1)}) % 4u) {{")
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


def warp(w: Writer) -> None:
    if not w.uniform:
        assign(w)
        return
    r = w.rng
    name = w.fresh("v")
    full = "0xffffffffu"
    choice = r.randrange(5)
    if choice == 0:
        w.emit(f"float {name} = __shfl_xor_sync({full}, {real(w)}, {1 << r.randrange(5)});")
        w.declare("float", name)
    elif choice == 1:
        w.emit(f"unsigned {name} = __shfl_down_sync({full}, {uint(w)}, {r.randrange(1, 17)});")
        w.declare("unsigned", name)
    elif choice == 2:
        w.emit(f"unsigned {name} = __ballot_sync({full}, {condition(w)});")
        w.declare("unsigned", name)
    elif choice == 3:
        w.emit(f"int {name} = __{r.choice(('any', 'all'))}_sync({full}, {condition(w)});")
        w.declare("int", name)
    else:
        w.emit(f"float {name} = __shfl_sync({full}, {real(w)}, {r.randrange(32)}, {r.choice((8, 16, 32))});")
        w.declare("float", name)


def atomic(w: Writer) -> None:
    r = w.rng
    slot = f"{r.randrange(8)} + ({uint(w, 1)}) % 4u"
    w.emit(
        r.choice(
            (
                f"atomicAdd(&totals[{slot}], {uint(w)});",
                f"atomicMax(&totals[12 + {r.randrange(2)}], {uint(w)});",
                f"atomicXor(&totals[14], {uint(w)});",
            )
        )
    )


def call(w: Writer) -> None:
    ints = [name for c_type, name in w.variables(("int",)) if not name.startswith("k")]
    floats = [name for _, name in w.variables(("float",))]
    if ints and floats:
        w.emit(f"bump({w.rng.choice(ints)}, {w.rng.choice(floats)}, {small(w)});")
    else:
        local(w)


def array(w: Writer) -> None:
    name = w.fresh("t")
    size = w.rng.choice((2, 4, 5))
    w.emit(f"float {name}[{size}];")
    w.emit(f"for (int q = 0; q < {size}; ++q) {name}[q] = {real(w, 1)} + (float)q;")
    result = w.fresh("v")
    w.emit(f"{name}[({uint(w, 1)}) % {size}u] = {real(w)};")
    w.emit(f"float {result} = {name}[({uint(w, 1)}) % {size}u] + {name}[{size - 1}];")
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
