"""Compiles generated kernels and the scheduler; both are cached by content."""

from __future__ import annotations

import ctypes
import platform
from functools import cache
from pathlib import Path

from tilelang_runtime.support.compiler import build_shared, find_compiler

SOURCES = Path(__file__).parent / "cpp"

# Exactness: no contraction, wrapping integers, no type-based aliasing, math functions out of line and never folded
# (docs/semantics.md, "Floating point"). Not -fno-trapping-math: with it g++ 12 turns (float)(int)x into trunc(x), which
# gives -0 for -0.5.
EXACT_FLAGS = (
    "-std=c++17",
    "-ffp-contract=off",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-fno-math-errno",
    "-fsigned-char",
    "-w",
)


def _tuning() -> tuple[str, ...]:
    return ("-mcpu=native",) if platform.machine() == "aarch64" else ("-march=native",)


def _libraries() -> tuple[str, ...]:
    return ("-lm",)


@cache
def scheduler() -> ctypes.CDLL:
    """The scheduler library. Raises CompileError or RuntimeError (no compiler)."""
    names = ("scheduler.cpp", "gemm.cpp", "gemm.h", "kernel.h", "switch.h")
    sources = [(name, (SOURCES / name).read_text()) for name in names]
    path = build_shared(sources, (*EXACT_FLAGS, "-O3", *_tuning(), "-pthread", *_libraries()))
    return ctypes.CDLL(str(path))


@cache
def _header() -> str:
    return (SOURCES / "kernel.h").read_text()


def build_program(text: str, *, optimise: bool) -> ctypes.CDLL:
    """The library of a generated program; ``optimise`` spends compile time on vectorising."""
    level = "-O3" if optimise else "-O2"
    flags = (*EXACT_FLAGS, level, *_tuning())
    compiler = find_compiler()
    if compiler is not None and compiler.family == "gcc":
        # g++ 12 makes 0 - (float)i a negation otherwise, which has the wrong sign where i is 0.
        flags = (*flags, "-frounding-math", *(() if optimise else ("-fno-tree-slp-vectorize",)))
    path = build_shared([("program.cpp", text), ("kernel.h", _header())], (*flags, *_libraries()))
    return ctypes.CDLL(str(path))
