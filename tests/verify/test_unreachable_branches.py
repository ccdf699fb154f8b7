"""Branches are excused only when no launch of the plan can take them."""

from __future__ import annotations

from dataclasses import replace

from migrate.ir import kernel as k
from migrate.ir.span import Span
from migrate.oracle.api import Arc
from migrate.verify.intervals import BOTH, condition_values
from migrate.verify.setting import Setting
from migrate.verify.unreachable import Excuser


def at(line: int, column: int = 7) -> Span:
    return Span("k.cu", line, column)


def thread_index() -> k.Expr:
    block = k.Binary("mul", k.Builtin("blockIdx", "x"), k.Builtin("blockDim", "x"), "uint32")
    return k.Cast(k.Binary("add", block, k.Builtin("threadIdx", "x"), "uint32"), "int32")


def make_kernel(*body: k.Stmt, functions: tuple[k.Function, ...] = ()) -> k.Kernel:
    return k.Kernel("k.cu:1:k", "k", "k", "k", (), (), (), (), functions, body, at(1))


def setting(grid: int, block: int, **scalars: int) -> Setting:
    return Setting("s", (grid, 1, 1), (block, 1, 1), 0, (), scalars=scalars)


def guard(line: int = 3) -> k.If:
    index = k.LocalVar("i", "int32", mutable=False)
    condition = k.Binary("lt", k.LocalRef(index), k.ParamRef("n", "int32"), "bool", at(line))
    return k.If(condition, (k.Return(),), (), at(line))


def declare_index() -> k.Declare:
    return k.Declare(k.LocalVar("i", "int32", mutable=False), thread_index())


def two_arcs(line: int) -> tuple[Arc, ...]:
    return (Arc(line, "if (i < n)", "1 of 2", "k.cu"), Arc(line, "if (i < n)", "2 of 2", "k.cu"))


def test_guard_is_open_when_the_grid_overshoots():
    kernel = make_kernel(declare_index(), guard())
    values, _ = condition_values(kernel, [setting(2, 32, n=64)])
    assert values[("k.cu", 3, 7)] == {True}
    values, _ = condition_values(kernel, [setting(2, 32, n=64), setting(2, 32, n=63)])
    assert values[("k.cu", 3, 7)] == BOTH


def test_constant_guard_excuses_its_untaken_arc_only():
    kernel = make_kernel(declare_index(), guard())
    excuser = Excuser.for_kernel(kernel, [setting(2, 32, n=64)])
    assert [arc.position for arc in excuser.excused(two_arcs(3), [True, False])] == [1]
    assert excuser.excused(two_arcs(3), [True, True]) == []
    # The line was never reached at all: one constant condition does not explain two missing arcs.
    assert excuser.excused(two_arcs(3), [False, False]) == []


def test_open_guard_excuses_nothing():
    kernel = make_kernel(declare_index(), guard())
    excuser = Excuser.for_kernel(kernel, [setting(2, 32, n=63)])
    assert excuser.excused(two_arcs(3), [True, False]) == []


def test_other_line_and_other_file_are_not_excused():
    kernel = make_kernel(declare_index(), guard())
    excuser = Excuser.for_kernel(kernel, [setting(2, 32, n=64)])
    assert excuser.excused(two_arcs(4), [True, False]) == []
    foreign = tuple(Arc(arc.line, arc.text, arc.outcome, "other.cuh") for arc in two_arcs(3))
    assert excuser.excused(foreign, [True, False]) == []


def test_branches_inside_a_dead_branch_are_excused():
    wide = k.Binary("gt", k.Builtin("blockDim", "x"), k.Const("uint32", 64), "bool", at(3))
    inner = guard(4)
    kernel = make_kernel(declare_index(), k.If(wide, (inner,), (), at(3)))
    excuser = Excuser.for_kernel(kernel, [setting(2, 32, n=10)])
    arcs = (*two_arcs(3), *two_arcs(4))
    assert [arc.position for arc in excuser.excused(arcs, [False, True, False, False])] == [0, 2, 3]
    mixed = Excuser.for_kernel(kernel, [setting(2, 32, n=10), setting(1, 128, n=10)])
    assert mixed.excused(arcs, [False, True, False, False]) == []


def test_wrapping_arithmetic_is_not_trusted():
    huge = k.Binary("add", k.Const("uint32", 2**32 - 1), k.Builtin("threadIdx", "x"), "uint32")
    condition = k.Binary("gt", huge, k.Const("uint32", 5), "bool", at(3))
    values, _ = condition_values(make_kernel(k.If(condition, ())), [setting(1, 32)])
    assert values[("k.cu", 3, 7)] == BOTH


def test_mutable_locals_and_data_are_unknown():
    mutable = k.LocalVar("m", "int32")
    data = k.Load(k.Buffer("x", "int32", k.Scope.GLOBAL), (k.Const("int32", 0),))
    kernel = make_kernel(
        k.Declare(mutable, k.Const("int32", 1)),
        k.If(k.Binary("lt", k.LocalRef(mutable), k.Const("int32", 2), "bool", at(3)), ()),
        k.If(k.Binary("lt", data, k.Const("int32", 2), "bool", at(4)), ()),
    )
    values, _ = condition_values(kernel, [setting(1, 32)])
    assert values == {("k.cu", 3, 7): BOTH, ("k.cu", 4, 7): BOTH}


def test_a_function_local_does_not_inherit_a_kernel_local_of_the_same_name():
    name = k.LocalVar("i", "int32", mutable=False)
    inside = k.If(k.Binary("lt", k.LocalRef(name), k.Const("int32", 5), "bool", at(9)), ())
    function = k.Function("f", "f", (k.FunctionParam(name),), None, (inside,))
    kernel = make_kernel(
        k.Declare(name, k.Const("int32", 1)), k.CallFunction(None, "f", (unknown(),)), functions=(function,)
    )
    values, _ = condition_values(kernel, [setting(1, 32)])
    assert values[("k.cu", 9, 7)] == BOTH


def unknown() -> k.Expr:
    return k.Load(k.Buffer("x", "int32", k.Scope.GLOBAL), (k.Const("int32", 0),))


def test_an_argument_that_all_live_calls_agree_on_decides_a_condition():
    final = k.LocalVar("final", "bool", mutable=False)
    inside = k.If(k.Binary("eq", k.LocalRef(final), k.Const("bool", True), "bool", at(9)), ())
    function = k.Function("f", "f", (k.FunctionParam(final),), None, (inside,))
    no, yes = (k.CallFunction(None, "f", (k.Const("bool", value),)) for value in (False, True))
    never = k.If(k.Binary("gt", k.Builtin("threadIdx", "x"), k.Const("uint32", 31), "bool", at(4)), (yes,))
    kernel = make_kernel(no, never, functions=(function,))
    assert condition_values(kernel, [setting(1, 32)])[0][("k.cu", 9, 7)] == {False}
    assert condition_values(kernel, [setting(1, 64)])[0][("k.cu", 9, 7)] == BOTH
    uncalled = make_kernel(never, functions=(function,))
    assert condition_values(uncalled, [setting(1, 32)])[1] == {("k.cu", 9, 7)}


def test_arcs_of_two_instantiations_are_counted_apart():
    kernel = make_kernel(declare_index(), guard())
    excuser = Excuser.for_kernel(kernel, [setting(2, 32, n=64)])
    arcs = tuple(replace(arc, function=name) for name in ("f<1>", "f<2>") for arc in two_arcs(3))
    assert [arc.position for arc in excuser.excused(arcs, [True, False, True, False])] == [1, 3]
    assert [arc.position for arc in excuser.excused(arcs, [True, False, False, False])] == [1]


def test_what_a_constant_condition_leaves_out_is_excused():
    """The condition's own line is not in the branch, and a line where the kernel has a condition is judged by it."""
    kernel = replace(make_kernel(declare_index()), left_out=(Span("k.cu", 5, 10, 8, 4),))
    excuser = Excuser.for_kernel(kernel, [setting(1, 32)])
    for line, count in ((5, 0), (6, 2), (8, 2), (9, 0)):
        assert len(excuser.excused(two_arcs(line), [False, False])) == count, line
    live = replace(make_kernel(declare_index(), guard()), left_out=(Span("k.cu", 2, 1, 4, 2),))
    assert Excuser.for_kernel(live, [setting(2, 32, n=40)]).excused(two_arcs(3), [True, False]) == []


def test_short_circuit_makes_the_right_side_dead():
    never = k.Binary("gt", k.Builtin("threadIdx", "x"), k.Const("uint32", 31), "bool", at(3, 7))
    other = k.Binary("lt", k.ParamRef("a", "float32"), k.Const("float32", 0.0), "bool", at(3, 20))
    kernel = make_kernel(k.If(k.Binary("and", never, other, "bool", at(3, 7)), ()))
    excuser = Excuser.for_kernel(kernel, [setting(1, 32)])
    arcs = (*two_arcs(3), *two_arcs(3))
    assert len(excuser.excused(arcs, [False, True, False, False])) == 3


def null_arcs(text: str, count: int) -> tuple[Arc, ...]:
    return tuple(Arc(3, text, f"{number % 2 + 1} of 2", "k.cu") for number in range(count))


def test_the_null_outcome_of_a_pointer_test_is_excused():
    lane = k.Binary("eq", k.Builtin("threadIdx", "x"), k.Const("uint32", 0), "bool", at(3))
    pointer = k.PointerParam(k.Buffer("mean", "float32", k.Scope.GLOBAL), "float *", 0)
    plain = make_kernel(k.If(lane, ()))
    kernel = replace(plain, params=(pointer,), notes=("TLM108",))
    excuser = Excuser.for_kernel(kernel, [setting(1, 32)])
    for text in ("if (t == 0 && mean != nullptr) {", "if (t == 0 && mean)", "if (t == 0 && NULL != mean)"):
        arcs = null_arcs(text, 4)
        assert [arc.position for arc in excuser.excused(arcs, [True, True, True, False])] == [3], text
        assert excuser.excused(arcs, [True, False, True, False]) == [], text
    conditional = Excuser.for_kernel(replace(make_kernel(), params=(pointer,), notes=("TLM108",)), [setting(1, 32)])
    for text in ("mean ? mean + row : NULL, other,", "update(a, mean ? mean + row : nullptr);"):
        assert [arc.position for arc in conditional.excused(null_arcs(text, 2), [True, False])] == [1], text
    assert conditional.excused(null_arcs("use(a, mean[i] ? 1 : 0);", 2), [True, False]) == []
    other = null_arcs("if (t == 0 && mean[i] != 0) {", 4)
    assert excuser.excused(other, [True, True, True, False]) == []
    assert Excuser.for_kernel(plain, [setting(1, 32)]).excused(null_arcs("if (t == 0 && mean)", 4), [1, 1, 1, 0]) == []
