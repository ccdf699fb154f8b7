"""Which mistakes are proven to change no value, and that near misses are not."""

from __future__ import annotations

import pytest

from migrate.mutate.operators import mutations
from migrate.mutate.values import same_values
from migrate.mutate.view import BuilderView

pytest.importorskip("z3")

PORT = """
def _k(block_x: int, block_y: int):
    x_len = T.dynamic("x_len", "int64")

    @T.prim_func
    def k_kernel(x: T.Tensor((x_len,), "float32"), n: T.int32, w: T.int32, grid_x: T.int32):
        with T.Kernel(grid_x, threads=(block_x, block_y)) as bx:
            tx = T.get_thread_binding(0)
            ty = T.get_thread_binding(1)
            tid = tx + block_x * ty
            i = bx * block_x + tx
            {body}

    return k_kernel
"""
FLAT, SQUARE = (64, 1, 1), (8, 8, 1)


def proven(body: str, operator: str, note: str, blocks=(FLAT,), parameters=("n", "w")) -> bool:
    text = PORT.replace("{body}", body.strip().replace("\n", "\n            "))
    view = BuilderView(text, "_k")
    first = text[: text.index(body.strip().splitlines()[0])].count("\n") + 1
    own = [item for item in mutations(view, (operator,)) if item.line >= first and item.note.startswith(note)]
    assert own, mutations(view, (operator,))
    return same_values(view, own[0], blocks, parameters)


@pytest.mark.parametrize(
    ("guard", "expected"),
    [("tid >= 32", True), ("tid >= 31", False), ("n >= 32", False), ("x[tid] > 0.0", False)],
)
def test_what_a_guard_says_is_used(guard, expected):
    # Above the guard's bound the operand is not negative, so that both ways of rounding agree.
    assert proven(f"if {guard}:\n    r = T.truncdiv(tid - 32, 16)", "floor_division", "rounds down") is expected


def test_what_an_early_return_says_is_used():
    body = "if n < 5:\n    T.thread_return()\nr = T.truncdiv(n - 5, 16)"
    assert proven(body, "floor_division", "rounds down")
    assert not proven(body.replace("n < 5", "n > 5"), "floor_division", "rounds down")
    assert not proven(body.replace("    T.thread_return()", "    n_2 = n"), "floor_division", "rounds down")


def test_divisors_are_not_zero_and_signs_must_be_known():
    body = "r = T.truncdiv(i, w)"
    assert proven(body, "floor_division", "rounds down")
    assert not proven(body, "floor_division", "rounds down", parameters=("n",))
    assert not proven("r = T.truncdiv(i - 1, w)", "floor_division", "rounds down")


def test_block_sizes_decide_whether_axes_matter():
    body = "x[(tx + block_x * ty) % 64] = 0.0"
    assert proven(body, "swapped_axes", "ty becomes tx", [FLAT])
    assert not proven(body, "swapped_axes", "ty becomes tx", [FLAT, SQUARE])
    assert not proven(body, "swapped_axes", "ty becomes tx", [(48, 1, 1)])
    assert not proven(body, "swapped_axes", "ty becomes tx", [])


def test_comparisons_next_to_multiples_of_the_block():
    assert proven("v = T.if_then_else(i * 4 > 0, x[i], 0.0)", "changed_constant", "constant + 1")  # `> 1`
    assert not proven("v = T.if_then_else(i * 4 > 3, x[i], 0.0)", "changed_constant", "constant + 1")
    assert proven("v = T.if_then_else(i * 4 > 1, x[i], 0.0)", "comparison", "compares by >=")
    assert not proven("v = T.if_then_else(i * 4 > 4, x[i], 0.0)", "comparison", "compares by >=")


def test_narrow_variables_hold_what_stays_small():
    halved = 'd = T.alloc_var("int32", init=64)\nwhile d > 0:\n    d = d >> 1'
    assert proven(halved, "wrong_initial", "int16 for int32")
    assert not proven(halved.replace("d >> 1", "d + d"), "wrong_initial", "int16 for int32")
    assert not proven(halved.replace("64", "70000"), "wrong_initial", "int16 for int32")
    # What is computed with it must fit as well: the product would be made in 16 bits.
    used = halved + "\nx[d * 1000] = 0.0"
    assert not proven(used, "wrong_initial", "int16 for int32")


def test_narrow_casts_of_what_stays_small():
    assert proven('r = T.cast(tx, "uint32")', "wrong_cast", "through uint16")
    assert not proven('r = T.cast(i, "uint32")', "wrong_cast", "through uint16")
    assert not proven('r = T.cast(tx, "uint32")', "wrong_cast", "no cast")  # the type around it would change


def test_what_is_not_understood_proves_nothing():
    assert not proven("r = T.max(tx, 3)", "wrong_operator", "min for max")
    assert not proven("x[i] = x[i + 1]", "off_by_one_index", "index + 1")
    assert not proven("x[i] = T.exp(x[i])", "wrong_operator", "exp2")


def test_variables_that_change_are_not_taken_for_what_they_were():
    body = 'd = T.alloc_var("int32", init=64)\nd = d - n\nr = T.truncdiv(d, 16)'
    assert not proven(body, "floor_division", "rounds down")
    assert proven(body.replace("d - n", "d + n"), "floor_division", "rounds down")
    given = 'd = T.alloc_var("int32", init=64)\nT.call_extern("int32", "f", T.address_of(d))\nr = T.truncdiv(d, 16)'
    assert not proven(given, "floor_division", "rounds down")
