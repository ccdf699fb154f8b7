"""Signs of port expressions, and where rounding down means the same as rounding toward zero."""

from __future__ import annotations

import pytest

from migrate.mutate.operators import mutations
from migrate.mutate.signs import no_sign
from migrate.mutate.view import BuilderView

PORT = """
def _k(block: int):
    @T.prim_func
    def k_kernel(x: T.Tensor((9,), "int32"), u: T.Tensor((9,), "uint32"), n: T.int32, shift: T.int32, f: T.float32):
        with T.Kernel(n, threads=block) as bx:
            tx = T.get_thread_binding(0)
            half = T.alloc_var("int32", init=16)
            low = T.alloc_var("int32", init=16)
            down = T.alloc_var("int32", init=8)
            for i in T.serial(tx, n):
                half = T.truncdiv(half, 2)
                low = low - 1
            while down > 0:
                down = down + low
            x[0] = {value}

    return k_kernel
"""


@pytest.mark.parametrize(
    ("value", "proven"),
    [
        ("T.truncdiv(bx * block + tx, n)", True),
        ("T.truncdiv(half, 2)", True),
        ("T.truncmod(T.max(shift, 0), 3)", True),
        ('T.truncdiv(T.cast(u[0] >> 1, "int32"), 2)', False),
        ('T.truncdiv(T.cast(T.cast(u[0], "uint8"), "int32"), 2)', True),
        ("T.truncdiv(x[1], 2)", False),
        ("T.truncdiv(shift, 2)", False),
        ("T.truncdiv(n - 1, 2)", False),
        ("T.truncdiv(low, 2)", False),
        ("T.truncdiv(down, 2)", False),
        ("T.truncdiv(bx, -2)", False),
        ('T.cast(f * 2.0, "int32")', False),
        ('T.cast(T.cast(n, "float32") * 0.5, "int32")', True),
    ],
)
def test_signs(value, proven):
    view = BuilderView(PORT.replace("{value}", value), "_k")
    place = view.text[: view.text.index("x[0] = ")].count("\n") + 1
    found = [
        item
        for item in mutations(view, ("floor_division", "wrong_cast"))
        if item.line == place and item.note.startswith("rounds down")
    ]
    assert len(found) == 1
    assert no_sign(view, found[0], {"n"}) is proven


def test_a_parameter_that_launches_give_negative_values_has_a_sign():
    view = BuilderView(PORT.replace("{value}", "T.truncdiv(n, 2)"), "_k")
    found = [item for item in mutations(view, ("floor_division",)) if item.line == 15]
    assert no_sign(view, found[0], {"n"}) and not no_sign(view, found[0], ())
