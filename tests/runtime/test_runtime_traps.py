"""Patterns that upstream folds, resolves at compile time or rejects: each is an error with its line here."""

from __future__ import annotations

import re

import pytest
from runtime_helpers import T

from tilelang_runtime import TileLangError

CASES = {}


def trap(message, line):
    """``line``: how many lines below the `def` of the case the fault stands."""

    def register(function):
        CASES[function.__name__] = function, message, line
        return function

    return register


@trap("Python value", 7)
def number_carried_through_a_loop():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            x = 0
            for _ in T.serial(10):
                x += 1
            b[i] = x


@trap("carried from round to round", 7)
def expression_carried_through_a_loop():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            x = 0
            for j in T.serial(10):
                x += j
            b[i] = x


@trap("Python value", 7)
def number_set_in_a_branch():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            x = 5
            if i > 3:
                x = 1
            b[i] = x


@trap("outside the run-time region", 9)
def expression_set_in_both_branches():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            if i > 3:
                x = i + 1
            else:
                x = i + 2
            b[i] = x


@trap("return under a run-time condition", 6)
def bare_return():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            if i > 3:
                return
            b[i] = 1


@trap("condition must be bool", 5)
def integer_condition():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            if i & 1:
                b[i] = 1


@trap("/ on integers", 5)
def integer_slash():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = i / 2


@trap("minus itself", 5)
def float_minus_itself():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = b[i] - b[i]


@trap("times 0.0", 5)
def float_times_zero():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = b[i] * 0.0


@trap(r"(x + y) - y", 7)
def sum_that_cancels_through_a_name():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            y = b[i]
            s = b[0] + y
            b[i] = s - y


@trap(r"y - (x + y)", 5)
def term_less_a_sum_with_it():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = b[i] - (b[0] + b[i])


@trap("compared with itself", 5)
def float_compared_with_itself():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            if b[i] != b[i]:
                b[i] = 1.0


@trap("`not` of a float comparison", 5)
def negated_float_comparison():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            if not (b[i] >= 0.0):
                b[i] = 1.0


@trap("empty `if` on a float comparison", 5)
def pass_and_else_on_a_float_comparison():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            if b[i] >= 0.0:
                pass
            else:
                b[i] = 1.0


@trap("constant 0.0", 5)
def division_by_zero_constant():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = 1.0 / T.float32(0.0)


@trap("unary minus on uint32", 5)
def minus_of_unsigned():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "uint32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = -b[i]


@trap("negative value -1", 5)
def unsigned_from_negative():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "uint32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = T.cast(-1, "uint32")


@trap("unresolved on int32", 5)
def popcount_of_signed():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = T.popcount(b[i])


@trap("bounds read a variable", 6)
def loop_bound_changed_in_the_loop():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            n = T.alloc_var("int32", init=4)
            for j in T.serial(n):
                b[i] = j
                n = n - 1


@trap("the fragment `f`", 7)
def fragment_element_outside_parallel():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            f = T.alloc_fragment((8,), "float32")
            T.copy(b, f)
            for j in T.serial(8):
                f[j] = f[j] + 1.0


@trap("run-time value was used as a Python condition", 5)
def builtin_min():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = min(b[i], 3)


@trap("threads must be positive Python ints", 3)
def run_time_block_size():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32"), n: T.int32):
        with T.Kernel(1, threads=n):
            b[0] = 1


@trap("inside and, or, or a conditional", 5)
def macro_in_a_conditional_expression():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            b[i] = twice(i) if i > 3 else i


@T.macro
def twice(v):
    return v * 2


@T.macro
def returns_early(v):
    if v > 3:
        return v
    return v + 1


@trap("return inside a run-time branch", None)
def macro_with_early_return():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32")):
        with T.Kernel(1, threads=8):
            b[0] = returns_early(b[0])


@trap("variable that T.Parallel does not own", 7)
def accumulation_over_parallel():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            total = T.alloc_var("float32", init=0.0)
            f = T.alloc_fragment((8,), "float32")
            for i in T.Parallel(8):
                total = total + f[i]


@pytest.mark.parametrize("name", sorted(CASES))
def test_trap(name):
    function, message, offset = CASES[name]
    with pytest.raises(TileLangError, match=re.escape(message)) as caught:
        function()
    if offset is not None:
        # co_firstlineno is the decorator, one line above the def
        assert caught.value.span.line == function.__code__.co_firstlineno + 1 + offset, caught.value
        assert caught.value.span.file.endswith("test_runtime_traps.py")


def test_what_the_traps_advise_works():
    @T.prim_func
    def kernel(b: T.Tensor((8,), "int32"), f: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=8):
            i = T.get_thread_binding(0)
            x = T.alloc_var("int32", init=0)
            for j in T.serial(10):
                x += j
            b[i] = x + T.truncdiv(i, 2)
            if T.isnan(f[i]) or f[i] < 0.0:
                f[i] = T.ieee_sub(f[i], f[i])
            s = T.alloc_var("float32", init=0.0)
            s = f[i] + 1.0
            f[i] = s - 1.0

    assert kernel.program.launches[0].uses_threads
