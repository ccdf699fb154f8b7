"""Launch plans: from sites, synthetic, instantiation, variants, JSON."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from handmade_kernels import I32, SPAN, binary, builtin, global_index, kernel, pointer, scalar

from migrate.analysis.launch_plan import EmptyLaunch, InvalidLaunch, LaunchPlan, plan_kernel, plan_kernels
from migrate.ir import kernel as k
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostRoot, LaunchSite, PointerFact, RootInfo


@dataclass(frozen=True)
class FakeRecord:
    id: str
    instantiations: tuple[k.Kernel, ...]


def op(name: str, *args: HostExpr) -> HostExpr:
    return HostOp(name, args, "int32")


def ceil_div(total: HostExpr, step: int) -> HostExpr:
    return op("truncdiv", op("sub", op("add", total, HostConst(step)), HostConst(1)), HostConst(step))


ONE = HostConst(1)
N = HostRoot("n")


def site(
    grid: HostExpr,
    block: HostExpr,
    args: tuple[HostExpr | PointerFact | None, ...],
    roots: tuple[RootInfo, ...],
    conditions: tuple[HostExpr, ...] = (),
    cpp_name: str = "kern",
) -> LaunchSite:
    return LaunchSite(
        "unit.cu:1:kern",
        cpp_name,
        "main",
        (grid, ONE, ONE),
        (block, ONE, ONE),
        HostConst(0),
        args,
        roots,
        SPAN,
        conditions,
    )


def sized(name: str = "n", value: int = 1 << 20, guess: int = 256) -> RootInfo:
    return RootInfo(name, "int32", guess, "constant", None, value)


def saxpy_site() -> LaunchSite:
    size = op("mul", N, HostConst(4))
    return site(
        ceil_div(N, 128),
        HostConst(128),
        (PointerFact("main::x", size), PointerFact("main::y", size, None, "zero"), N),
        (sized(),),
    )


def test_a_plan_from_a_site(saxpy: k.Kernel) -> None:
    (plan,) = plan_kernels([FakeRecord("unit.cu:1:kern", (saxpy,))], [saxpy_site(), saxpy_site()])
    assert len(plan.sites) == 1
    launch = plan.instantiate({"n": 1000})
    assert (launch.grid, launch.block) == ((8, 1, 1), (128, 1, 1))
    assert launch.scalars == {"n": 1000}
    assert [(one.allocation, one.bytes, one.contents) for one in launch.pointers] == [
        ("main::x", 4000, "unknown"),
        ("main::y", 4000, "zero"),
    ]
    assert plan.instantiate().grid == (2, 1, 1)
    assert plan.sites[0].roots[0].kind == "size"
    (variant,) = plan.variants()
    assert not variant.constrained and {0, 1, 31, 33, 127, 128, 129, 37} <= set(variant.values)


def test_bad_geometry_is_refused(saxpy: k.Kernel) -> None:
    plan = plan_kernel(saxpy, [saxpy_site()])
    with pytest.raises(EmptyLaunch, match=r"grid\.x is 0"):
        plan.instantiate({"n": 0})
    with pytest.raises(InvalidLaunch, match="no such root"):
        plan.instantiate({"rows": 1})
    wide = plan_kernel(saxpy, [site(ONE, HostConst(2048), (None, None, N), (sized(),))])
    with pytest.raises(InvalidLaunch, match="outside 1 to 1024"):
        wide.instantiate()


def test_json_round_trip_and_stability(saxpy: k.Kernel) -> None:
    plan = plan_kernel(saxpy, [saxpy_site()])
    assert LaunchPlan.from_json(plan.to_json()) == plan
    assert LaunchPlan.from_json(plan.to_json()).to_json() == plan.to_json()
    with pytest.raises(ValueError, match="schema"):
        LaunchPlan.from_json("{}")
    with pytest.raises(ValueError, match="not a launch plan"):
        LaunchPlan.from_json('{"schema_version": 1}')


def test_division_without_rounding_constrains_a_root(saxpy: k.Kernel) -> None:
    plan = plan_kernel(saxpy, [site(op("truncdiv", N, HostConst(96)), HostConst(96), (None, None, N), (sized(),))])
    (root,) = plan.sites[0].roots
    assert (root.multiple_of, root.guess) == (96, 288)
    (variant,) = plan.variants()
    assert variant.constrained and all(value % 96 == 0 for value in variant.values)


def test_host_checks_constrain_and_filter(saxpy: k.Kernel) -> None:
    multiple = op("eq", op("truncmod", N, HostConst(24)), HostConst(0))
    small = op("lt", N, HostConst(100))
    plan = plan_kernel(saxpy, [site(ceil_div(N, 64), HostConst(64), (None, None, N), (sized(),), (multiple, small))])
    assert plan.sites[0].roots[0].multiple_of == 24
    assert plan.instantiate().scalars["n"] in (24, 48, 72, 96)
    with pytest.raises(InvalidLaunch, match="only if"):
        plan.instantiate({"n": 240})


def test_a_block_guess_that_is_too_large_is_repaired(saxpy: k.Kernel) -> None:
    block = op("mul", HostRoot("side"), HostRoot("side"))
    plan = plan_kernel(saxpy, [site(ONE, block, (None, None, N), (sized(), sized("side", 64, 64)))])
    side = plan.instantiate().roots["side"]
    assert side * side <= 1024
    assert any("side" in note for note in plan.sites[0].provenance)


def test_without_bounds_a_rounded_grid_must_come_out_even() -> None:
    x = pointer("x", "float32", 0)
    made = kernel((x, scalar("n", 1)), (k.Store(x.buffer, (global_index(),), k.Const("float32", 0.0)),))
    plan = plan_kernel(made, [site(ceil_div(N, 96), HostConst(96), (None, N), (sized(),))])
    assert plan.sites[0].roots[0].multiple_of == 96


def test_a_synthetic_plan_covers_the_guarded_size(saxpy: k.Kernel) -> None:
    plan = plan_kernel(saxpy, [])
    assert plan.sites[0].place == "synthetic" and plan.notes
    launch = plan.instantiate({"n": 1000})
    assert launch.block == (256, 1, 1) and launch.grid == (4, 1, 1)
    assert [one.allocation for one in launch.pointers] == ["x", "y"]


def test_a_synthetic_block_follows_shared_arrays_and_axes(tree: k.Kernel) -> None:
    launch = plan_kernel(tree, []).instantiate()
    assert launch.block == (128, 1, 1) and launch.grid == (4, 1, 1)
    y = pointer("y", "float32", 0)
    rows, cols = k.ParamRef("rows", I32), k.ParamRef("cols", I32)
    inside = binary(
        "and",
        binary("lt", global_index("x"), cols, "bool"),
        binary("lt", global_index("y"), rows, "bool"),
        "bool",
    )
    index = binary("add", binary("mul", global_index("y"), cols), global_index("x"))
    flat = kernel(
        (y, scalar("rows", 1), scalar("cols", 2)),
        (k.If(inside, (k.Store(y.buffer, (index,), k.Const("float32", 0.0)),)),),
    )
    plan = plan_kernel(flat, [])
    shape = plan.instantiate({"rows": 33, "cols": 17})
    assert shape.block == (16, 16, 1) and shape.grid == (2, 3, 1)
    assert plan.instantiate().scalars["rows"] != plan.instantiate().scalars["cols"]


def test_launch_bounds_limit_a_synthetic_block() -> None:
    y = pointer("y", "float32", 0)
    made = kernel((y,), (k.Store(y.buffer, (builtin("threadIdx"),), k.Const("float32", 0.0)),), launch_bounds=(192,))
    assert plan_kernel(made, []).instantiate().block == (192, 1, 1)


def test_null_pointers_and_aliases(saxpy: k.Kernel) -> None:
    plan = plan_kernel(saxpy, [site(ONE, HostConst(32), (HostConst(0), PointerFact("main::d"), const_n()), ())])
    x, y = plan.instantiate().pointers
    assert x.allocation is None and y.allocation == "main::d"


def const_n() -> HostExpr:
    return HostConst(5)


def test_another_instantiations_launch_is_borrowed_with_a_note(saxpy: k.Kernel) -> None:
    other = site(ONE, HostConst(64), (None, None, N), (sized(),), cpp_name="kern<double>")
    plan = plan_kernel(saxpy, [other])
    assert plan.instantiate().block == (64, 1, 1)
    assert "borrowed" in plan.notes[0]


def test_roots_that_host_code_requires_to_be_equal_are_one(saxpy: k.Kernel) -> None:
    same = HostOp("not", (HostOp("ne", (N, HostRoot("m")), "bool"),), "bool")
    size = PointerFact("main::x", op("mul", HostRoot("m"), HostConst(4)))
    plan = plan_kernel(saxpy, [site(ceil_div(N, 128), HostConst(128), (size, None, N), (sized(), sized("m")), (same,))])
    (planned,) = plan.sites
    assert [root.name for root in planned.roots] == ["n"] and planned.conditions == ()
    assert plan.instantiate({"n": 77}).pointers[0].bytes == 308


def test_a_launch_too_large_for_a_quick_run_is_made_smaller(saxpy: k.Kernel) -> None:
    huge = RootInfo("n", "int32", 1 << 24, "unresolved")
    plan = plan_kernel(saxpy, [site(op("truncdiv", N, HostConst(512)), HostConst(512), (None, None, N), (huge,))])
    launch = plan.instantiate()
    assert 512 <= launch.threads <= 1 << 14
    assert launch.roots["n"] % 512 == 0


def test_a_guess_that_gives_no_launch_is_repaired_by_a_small_size(saxpy: k.Kernel) -> None:
    plan = plan_kernel(
        saxpy, [site(op("truncdiv", N, HostConst(2048)), HostConst(512), (None, None, N), (sized(value=1 << 26),))]
    )
    assert 512 <= plan.instantiate().threads <= 1 << 14


def test_a_condition_on_a_quotient_is_met(saxpy: k.Kernel) -> None:
    groups = op("truncdiv", N, HostConst(16))
    launch = site(ONE, groups, (None, None, N), (sized(guess=64),), (op("eq", groups, HostConst(1024)),))
    plan = plan_kernel(saxpy, [launch])
    assert plan.instantiate().block == (1024, 1, 1) and plan.sites[0].conditions


def test_the_first_guess_is_whole_tiles_where_a_block_covers_more_than_its_threads(saxpy: k.Kernel) -> None:
    arguments = (None, None, N)
    tiled = plan_kernel(saxpy, [site(ceil_div(N, 128), HostConst(32), arguments, (sized(guess=96),))])
    plain = plan_kernel(saxpy, [site(ceil_div(N, 128), HostConst(128), arguments, (sized(guess=96),))])
    assert tiled.instantiate().roots["n"] == 128 and plain.instantiate().roots["n"] == 96
    assert any(value % 128 for item in tiled.variants() for value in item.values)


def test_a_shared_array_of_one_more_element_than_threads_suggests_the_block() -> None:
    y = pointer("y", "float32", 0)
    row = k.Buffer("row", "float32", k.Scope.SHARED, (129,))
    made = kernel((y,), (k.Store(row, (builtin("threadIdx"),), k.Const("float32", 0.0)),), (row,))
    assert plan_kernel(made, []).instantiate().block == (128, 1, 1)


def test_a_parameter_that_the_grid_divides_is_a_size() -> None:
    y = pointer("y", "float32", 0)
    made = kernel((y, scalar("extent", 1)), (k.Store(y.buffer, (global_index(),), k.Const("float32", 0.0)),))
    root = RootInfo("extent", "int32", 64, "unresolved")
    extent = HostRoot("extent")
    plan = plan_kernel(made, [site(op("truncdiv", extent, HostConst(32)), HostConst(32), (None, extent), (root,))])
    assert [(one.kind, one.multiple_of) for one in plan.sites[0].roots] == [("size", 32)]
