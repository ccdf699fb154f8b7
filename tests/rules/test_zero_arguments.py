"""A literal zero that a device function multiplies by: upstream writes the function out and folds the product."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrate.emit.kernels import builder_lines
from migrate.ir import kernel as k
from migrate.rules.lower.lower_kernel import lower_kernel
from rules.kernels import f32, i32, kernel, op, pointer, ref

OUT = pointer("out")


@pytest.mark.parametrize(("operator", "variables"), [("mul", 1), ("div", 1), ("add", 0)])
def test_zeros_that_scale_go_through_a_variable(operator: str, variables: int) -> None:
    factor, found = k.LocalVar("factor", "float32", mutable=False), k.LocalVar("found", "float32", mutable=False)
    value = op(operator, f32(2.0), ref(factor))
    helper = k.Function("scale", "scale", (k.FunctionParam(factor),), "float32", (k.Return(value),))
    body: list[k.Stmt] = [k.CallFunction(found, "scale", (f32(0.0),)), k.Store(OUT, (i32(0),), ref(found))]
    lowered = lower_kernel(replace(kernel(body, [OUT]), functions=(helper,)))
    assert sum("T.alloc_var" in line for line in builder_lines(lowered.kernel)) == variables
