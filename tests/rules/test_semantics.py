"""Random C expressions: what a port computes on the bundled runtime is what C says.

The evaluator here is the third opinion: plain Python integers and numpy floats, by C's rules. Samples in which
an operation is undefined for one of the inputs are not used.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from migrate.analysis.ranges import is_float, type_range
from migrate.emit.port_file import SourceFile, emit_port, support_files
from migrate.ir import kernel as k
from rules.kernels import cast, kernel, op, pointer, thread_index

INPUTS = 64
EXPRESSIONS = 120
NAMES = {
    "a": "int32",
    "b": "int32",
    "u": "uint32",
    "v": "uint32",
    "w": "int64",
    "f": "float32",
    "g": "float32",
    "c": "uint8",
}
SEED = 20261201


class Undefined(Exception):
    """C leaves the result open."""


def wrap(value: int, dtype: str) -> int:
    low, high = type_range(dtype)
    return (value - low) % (high - low + 1) + low


def evaluate(expr: k.Expr, inputs: dict[str, int | float]) -> int | float | bool:
    if isinstance(expr, k.Const):
        return expr.value
    if isinstance(expr, k.Load):
        return inputs[expr.buffer.name]
    if isinstance(expr, k.Cast):
        return convert(evaluate(expr.operand, inputs), expr.dtype)
    if isinstance(expr, k.Select):
        return evaluate(expr.then if evaluate(expr.cond, inputs) else expr.otherwise, inputs)
    if isinstance(expr, k.Unary):
        value = evaluate(expr.operand, inputs)
        if expr.op == "not":
            return not value
        if is_float(expr.dtype):
            return float(-np.float32(value))
        return checked(-int(value) if expr.op == "neg" else ~int(value), expr.dtype)
    assert isinstance(expr, k.Binary)
    left = evaluate(expr.left, inputs)
    if expr.op in ("and", "or"):
        return bool(evaluate(expr.right, inputs)) if bool(left) == (expr.op == "and") else bool(left)
    return binary(expr.op, left, evaluate(expr.right, inputs), expr.left.dtype)


def convert(value: int | float | bool, dtype: str) -> int | float | bool:
    if dtype == "bool":
        return value != 0
    if is_float(dtype):
        return float(np.float32(value))
    if isinstance(value, float):
        low, high = type_range(dtype)
        if np.isnan(value) or not low <= int(value if abs(value) < 1e30 else 1e30) <= high:
            raise Undefined
    return wrap(int(value), dtype)


def checked(value: int, dtype: str) -> int:
    wrapped = wrap(value, dtype)
    if wrapped != value and dtype.startswith("int"):
        raise Undefined
    return wrapped


def binary(name: str, a: int | float, b: int | float, dtype: str) -> int | float | bool:
    comparisons = {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "eq": a == b, "ne": a != b}
    if name in comparisons:
        return comparisons[name]
    if is_float(dtype):
        with np.errstate(all="ignore"):
            x, y = np.float32(a), np.float32(b)
            return float({"add": x + y, "sub": x - y, "mul": x * y, "div": x / y}[name])
    a, b = int(a), int(b)
    if name in ("truncdiv", "truncmod"):
        if b == 0:
            raise Undefined
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return checked(quotient if name == "truncdiv" else a - quotient * b, dtype)
    if name in ("shl", "shr"):
        if not 0 <= b < 32 or (name == "shl" and a < 0):
            raise Undefined
        return checked(a << b, dtype) if name == "shl" else a >> b
    return checked(
        {"add": a + b, "sub": a - b, "mul": a * b, "bitand": a & b, "bitor": a | b, "bitxor": a ^ b}[name], dtype
    )


class Generator:
    """Random well-typed expressions over the input buffers at index ``i``."""

    def __init__(self, source: random.Random, index: k.Expr):
        self.random = source
        self.buffers = {name: pointer(name, dtype, const=True) for name, dtype in NAMES.items()}
        self.index = index

    def expression(self, dtype: str, depth: int) -> k.Expr:
        choose = self.random.random()
        if depth == 0 or choose < 0.1:
            return self.leaf(dtype)
        if dtype == "bool":
            return self.condition(depth)
        if choose < 0.2:
            sides = (self.expression(dtype, depth - 1), self.expression(dtype, depth - 1))
            return k.Select(self.condition(depth - 1), *sides, dtype)
        if choose < 0.35:
            source = self.random.choice([d for d in ("int32", "uint32", "int64", "float32", "uint8") if d != dtype])
            return cast(self.expression(source, depth - 1) if source != "uint8" else self.leaf(source), dtype)
        if is_float(dtype):
            name = self.random.choice(["add", "sub", "mul", "div"])
        elif choose < 0.4:
            return k.Unary(self.random.choice(["neg", "bitnot"]), self.expression(dtype, depth - 1), dtype)
        else:
            name = self.random.choice(
                ["add", "sub", "mul", "truncdiv", "truncmod", "bitand", "bitor", "bitxor", "shl", "shr"]
            )
        right = self.expression(dtype, depth - 1)
        if name in ("shl", "shr"):
            right = k.Const("int32", self.random.randrange(0, 9))
        return op(name, self.expression(dtype, depth - 1), right)

    def condition(self, depth: int) -> k.Expr:
        choose = self.random.random()
        if depth > 0 and choose < 0.25:
            sides = self.condition(depth - 1), self.condition(depth - 1)
            return op(self.random.choice(["and", "or"]), *sides)
        if depth > 0 and choose < 0.4:
            return k.Unary("not", self.condition(depth - 1), "bool")
        dtype = self.random.choice(["int32", "uint32", "float32", "float32", "int64"])
        depth = max(depth - 1, 0)
        name = self.random.choice(["lt", "le", "gt", "ge", "eq", "ne"])
        return op(name, self.expression(dtype, depth), self.expression(dtype, depth))

    def leaf(self, dtype: str) -> k.Expr:
        found = [name for name, kind in NAMES.items() if kind == dtype]
        if dtype == "bool" or (found and self.random.random() < 0.75):
            if dtype == "bool":
                return self.condition(0)
            return k.Load(self.buffers[self.random.choice(found)], (self.index,))
        if is_float(dtype):
            return k.Const(dtype, self.random.choice([0.0, 1.0, -2.5, 0.10000000149011612, 3.0]))
        return k.Const(dtype, self.random.choice([0, 1, 2, 3, 7, 31, 100]))


def inputs() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(SEED)
    found: dict[str, np.ndarray] = {}
    for name, dtype in NAMES.items():
        if is_float(dtype):
            values = rng.standard_normal(INPUTS).astype(dtype)
            values[:6] = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e30]
        else:
            low, high = max(-1000, type_range(dtype)[0]), min(1000, type_range(dtype)[1])
            values = rng.integers(low, high, INPUTS).astype(dtype)
            values[:4] = [0, 1, 2, 3]
            if dtype == "uint32":
                values[8:12] = [0xFFFFFFFF, 0x80000000, 0xFFFFFFFE, 5]
        rng.shuffle(values)
        found[name] = values
    return found


def samples(index: k.Expr) -> tuple[Generator, list[tuple[k.Expr, list[int | float | bool]]]]:
    generator = Generator(random.Random(SEED), index)
    data = inputs()
    rows = [{name: values[i].item() for name, values in data.items()} for i in range(INPUTS)]
    found: list[tuple[k.Expr, list[int | float | bool]]] = []
    while len(found) < EXPRESSIONS:
        expr = generator.expression(generator.random.choice(["int32", "uint32", "float32", "int64"]), 4)
        try:
            found.append((expr, [evaluate(expr, row) for row in rows]))
        except (Undefined, OverflowError):
            continue
    return generator, found


@pytest.mark.parametrize(
    "engine",
    ["tilelang_runtime", pytest.param("tilelang_runtime.tir", marks=pytest.mark.upstream)],
    ids=["native", "upstream_simplified"],
)
def test_ports_compute_what_c_says(tmp_path: Path, engine: str) -> None:
    """``upstream_simplified``: the real tilelang traces and simplifies the port before it runs."""
    i = k.LocalVar("i", "int32", False)
    generator, found = samples(k.LocalRef(i))
    outs = {dtype: pointer(f"out_{dtype}", dtype) for dtype in ("int32", "uint32", "float32", "int64")}
    stores: list[k.Stmt] = [k.Declare(i, thread_index())]
    for slot, (expr, _) in enumerate(found):
        at = op("add", k.LocalRef(i), k.Const("int32", slot * INPUTS))
        stores.append(k.Store(outs[expr.dtype], (at,), expr))
    port = emit_port(SourceFile("t.cu", "0"), [kernel(stores, [*generator.buffers.values(), *outs.values()])])
    assert port.refusals == ()
    for path, text in (support_files([port.path]) | {port.path: port.text}).items():
        (tmp_path / "out").mkdir(exist_ok=True)
        (tmp_path / "out" / path).write_text(text)
    np.savez(tmp_path / "in.npz", **inputs())
    program = f"""
import sys, numpy as np, {engine}
{engine}.activate()
sys.path.insert(0, {str(tmp_path)!r})
from out.t_cu_tl import test
data = dict(np.load({str(tmp_path / "in.npz")!r}))
outs = {{f"out_{{d}}": np.zeros({EXPRESSIONS * INPUTS}, d) for d in ("int32", "uint32", "float32", "int64")}}
test(**data, **outs, grid=1, block={INPUTS})
np.savez({str(tmp_path / "out.npz")!r}, **outs)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    results = np.load(tmp_path / "out.npz")
    wrong = []
    for slot, (expr, wanted) in enumerate(found):
        got = results[f"out_{expr.dtype}"][slot * INPUTS : (slot + 1) * INPUTS]
        expected = np.array(wanted, dtype=expr.dtype)
        same = (got.view(np.uint8).reshape(INPUTS, -1) == expected.view(np.uint8).reshape(INPUTS, -1)).all(axis=1)
        if is_float(expr.dtype):
            same |= np.isnan(got) & np.isnan(expected)
        if not same.all():
            at = int(np.argmin(same))
            wrong.append((slot, at, got[at], expected[at]))
    assert wrong == []
