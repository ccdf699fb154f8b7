"""Generated small programs: native and reference give the same bytes."""

from __future__ import annotations

import linecache
from itertools import count

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from runtime_helpers import T, run

FLOATS, INTEGERS = ["float32", "float64", "float16"], ["int32", "uint32", "int64", "uint8", "int16"]
NUMBER = count()
THREADS, BLOCKS = 33, 2


@st.composite
def expressions(draw, dtype, depth):
    """Source text of an expression of ``dtype`` over x, y (arrays), v (a variable) and i (int32)."""
    if depth == 0:
        if dtype == "int32":
            return draw(st.sampled_from(["i", "v", "x[i]", "T.int32(7)", "T.int32(-3)"]))
        return draw(st.sampled_from(["x[i]", "y[i]", "v", f"T.{dtype}(3)"]))
    smaller = depth - 1
    sub = expressions(dtype, smaller)
    kind = draw(st.sampled_from(["arithmetic", "select", "cast", "shuffle", "unary", "special"]))
    if kind == "select":
        comparison = draw(st.sampled_from(["<", "<=", ">", "!="]))
        left, right = draw(sub), draw(sub)
        if left == right:
            right = f"T.{dtype}(5)"
        sides = [draw(sub), draw(sub)]
        sides = ["y[i]" if "shfl" in side else side for side in sides]  # only the taken side is evaluated
        return f"T.if_then_else({left} {comparison} {right}, {sides[0]}, {sides[1]})"
    if kind == "cast":
        other = draw(st.sampled_from(FLOATS + INTEGERS))
        inner = draw(sub)
        if other.startswith("uint") and inner == "T.int32(-3)":
            inner = "i"  # upstream, and so the runtime, refuses a negative constant as an unsigned one
        return f"T.cast(T.cast({inner}, '{other}'), '{dtype}')"
    if kind == "shuffle":
        mode = draw(
            st.sampled_from(["T.shfl_xor({}, 1)", "T.shfl_down({}, 2, 8)", "T.shfl_up({}, 1)", "T.shfl_sync({}, 0, 4)"])
        )
        return mode.format(draw(sub))
    if dtype in FLOATS:
        if kind == "unary":
            function = draw(st.sampled_from(["T.exp", "T.floor", "T.abs", "T.sqrt", "T.tanh", "T.round", "-"]))
            return f"{function}({draw(sub)})"
        if kind == "special":
            return f"T.fma({draw(sub)}, {draw(sub)}, {draw(sub)})"
        function = draw(st.sampled_from(["T.ieee_add", "T.ieee_sub", "T.ieee_mul", "T.max", "T.min"]))
        return f"{function}({draw(sub)}, {draw(sub)})"
    if kind == "unary":
        return f"(~({draw(sub)}))"
    if kind == "special":
        function = draw(st.sampled_from(["T.truncdiv", "T.truncmod", "T.floordiv", "T.floormod"]))
        return f"{function}({draw(sub)}, ({draw(sub)}) | T.{dtype}(1))"
    operator = draw(st.sampled_from(["+", "-", "*", "&", "|", "^", "<<", ">>"]))
    return f"(({draw(sub)}) {operator} ({draw(sub)}))"


@st.composite
def programs(draw):
    """A program over two inputs and one output of one dtype."""
    dtype = draw(st.sampled_from(FLOATS + INTEGERS))
    sub = expressions(dtype, draw(st.integers(1, 3)))
    lines = [f"v = T.alloc_var('{dtype}', init=x[i])", f"w = {draw(sub)}"]
    for _ in range(draw(st.integers(1, 3))):
        form = draw(st.sampled_from(["loop", "branch", "shared", "store"]))
        if form == "loop":
            lines += [f"for k in T.serial({draw(st.integers(1, 3))}):", f"    v = {draw(sub)}"]
        elif form == "branch":
            test = draw(st.sampled_from(["i % 2 == 0", "tx < 5 and bx == 0", "i > 40 or tx == 1"]))
            uniform = draw(sub).replace("T.shfl", "noshfl")  # no warp operation under a divergent branch
            if "noshfl" in uniform:
                uniform = "x[i]"
            lines += [f"if {test}:", f"    v = {uniform}", "else:", "    v = y[i]"]
        elif form == "shared":
            lines += ["s[tx] = v", "T.sync_threads()", f"v = s[{THREADS - 1} - tx]", "T.sync_threads()"]
        else:
            lines += [f"out[i] = {draw(sub)}"]
    lines.append("out[i] = v")
    return dtype, lines


def build(dtype, lines):
    size = THREADS * BLOCKS
    body = "\n".join("        " + line for line in lines)
    text = f"""
@T.prim_func
def program(x: T.Tensor(({size},), "{dtype}"), y: T.Tensor(({size},), "{dtype}"), out: T.Tensor(({size},), "{dtype}")):
    with T.Kernel({BLOCKS}, threads={THREADS}) as bx:
        tx = T.get_thread_binding(0)
        i = bx * {THREADS} + tx
        s = T.alloc_shared(({THREADS},), "{dtype}")
{body}
"""
    name = f"<generated {next(NUMBER)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"T": T}
    exec(compile(text, name, "exec"), namespace)
    return namespace["program"]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**32 - 1))
def test_engines_agree(program, seed):
    dtype, lines = program
    rng = np.random.default_rng(seed)
    size = THREADS * BLOCKS
    if dtype in FLOATS:
        values = [rng.standard_normal(size) * 10.0 ** rng.integers(-3, 4, size) for _ in range(2)]
        for array in values:
            array[rng.integers(0, size, 6)] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30]
        with np.errstate(all="ignore"):
            x, y = (array.astype(dtype) for array in values)
    else:
        info = np.iinfo(dtype)
        x, y = (rng.integers(info.min, info.max, size, dtype=dtype, endpoint=True) for _ in range(2))
    run(build(dtype, lines), x, y, np.zeros(size, dtype))
