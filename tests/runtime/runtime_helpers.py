"""Shared by the runtime's tests: the language module, compiling, and running on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilelang_runtime import kernel as kernel_module
from tilelang_runtime.kernel import CompiledKernel, Configuration
from tilelang_runtime.language import module

T = module()


def compile_native(prim_func: Any, **options: Any) -> CompiledKernel:
    kernel = kernel_module.compile(prim_func, **options)
    kernel.native()
    return kernel


def run_with(choice: Configuration, kernel: CompiledKernel, *arguments: Any) -> Any:
    before = kernel_module._SETTINGS.chosen
    kernel_module._SETTINGS.chosen = choice
    try:
        return kernel(*arguments)
    finally:
        kernel_module._SETTINGS.chosen = before


ORDERED = Configuration("native", "ordered", 1)
PARALLEL = Configuration("native", "parallel", 2)
REFERENCE = Configuration("reference", "ordered", 1)


def run(
    prim_func: Any, *arguments: Any, reference: bool = True, parallel: bool = False, **options: Any
) -> CompiledKernel:
    """Runs natively in place; the other engines get copies and must give the same bytes."""
    kernel = compile_native(prim_func, **options)
    choices = [REFERENCE] * reference + [PARALLEL] * parallel
    copies = [[a.copy() if isinstance(a, np.ndarray) else a for a in arguments] for _ in choices]
    run_with(ORDERED, kernel, *arguments)
    events = kernel.report()
    for choice, copy in zip(choices, copies, strict=True):
        run_with(choice, kernel, *copy)
        for ours, theirs in zip(arguments, copy, strict=True):
            if isinstance(ours, np.ndarray):
                assert same_bytes(ours, theirs), (choice, ours, theirs)
    kernel.events = events
    return kernel


def same_bytes(left: np.ndarray, right: np.ndarray) -> bool:
    """Equal bytes, any NaN equal to any NaN."""
    if left.dtype.kind in "fV" or left.dtype.name == "bfloat16":
        nan = np.isnan(left.astype("f8"))
        if not np.array_equal(nan, np.isnan(right.astype("f8"))):
            return False
        left, right = left[~nan], right[~nan]
    return left.tobytes() == right.tobytes()
