"""Index expressions as polynomials."""

from handmade_kernels import I32, binary, builtin, const, global_index
from hypothesis import given
from hypothesis import strategies as st

from migrate.analysis.affine import accesses, polynomial
from migrate.ir import kernel as k

N = k.ParamRef("n", I32)


def test_a_row_major_index() -> None:
    form = polynomial(binary("add", binary("mul", builtin("blockIdx"), N), builtin("threadIdx")), {})
    assert form is not None and form.is_affine()
    assert form.terms == ((("blockIdx.x", "n"), 1), (("threadIdx.x",), 1))
    assert form.stride_of("blockIdx.x").terms == ((("n",), 1),)
    assert form.stride_of("threadIdx.x").constant == 1


def test_locals_that_never_change_are_replaced_and_others_are_atoms() -> None:
    fixed, moving = k.LocalVar("row", I32, mutable=False), k.LocalVar("j", I32)
    expr = binary("add", binary("mul", k.LocalRef(fixed), const(4)), k.LocalRef(moving))
    form = polynomial(expr, {"row": builtin("blockIdx", "y")})
    assert form is not None and form.atoms() == {"blockIdx.y", "$j"}


def test_what_is_no_polynomial() -> None:
    buffer = k.Buffer("col", I32, k.Scope.GLOBAL)
    assert polynomial(k.Load(buffer, (const(0),)), {}) is None
    assert polynomial(binary("truncdiv", builtin("threadIdx"), const(32)), {}) is None
    square = polynomial(binary("mul", builtin("threadIdx"), builtin("threadIdx")), {})
    assert square is not None and not square.is_affine()


def test_accesses_of_a_kernel(spmv: k.Kernel) -> None:
    found = {(one.buffer, one.kind): one.form for one in accesses(spmv)}
    assert found[("x", "load")] == (None,)
    assert found[("y", "store")][0] is not None
    assert ("val", "load") in found


SMALL = st.integers(-50, 50)


@given(SMALL, SMALL, SMALL, SMALL)
def test_the_form_has_the_value_of_the_expression(first: int, second: int, n: int, t: int) -> None:
    left = binary("sub", binary("mul", N, const(first)), builtin("threadIdx"))
    form = polynomial(binary("mul", left, binary("add", N, const(second))), {})
    assert form is not None
    assert form.evaluate({"n": n, "threadIdx.x": t}) == (n * first - t) * (n + second)


def test_global_index_is_affine_in_the_thread() -> None:
    form = polynomial(global_index(), {})
    assert form is not None and not form.atoms() - {"blockIdx.x", "blockDim.x", "threadIdx.x"}
    assert form.is_affine()
