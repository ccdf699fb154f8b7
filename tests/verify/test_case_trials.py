"""Cases fit the kernel: sizes from accesses, roles from order of reads and writes, indices in range."""

from __future__ import annotations

import numpy as np
import pytest
from fake_oracle import make_session

from migrate.oracle.api import Event, Finding
from migrate.verify.case import GUARD_BYTES
from migrate.verify.casefiles import POISONS, guard_pattern, guard_ranges, root_view
from migrate.verify.generator import Recipe, RootHint, recipes
from migrate.verify.schedules import order_report
from migrate.verify.search import search_cases
from migrate.verify.setting import PointerSetting, ScalarSetting, Setting
from migrate.verify.trial import Accepted, Dropped, try_recipe
from migrate.verify.unreachable import Excuser

NOTHING_EXCUSED = Excuser({}, frozenset())


def setting(n: int, *dtypes: str, base: bool = False, **facts) -> Setting:
    pointers = tuple(
        PointerSetting(number, name, dtype, **facts.get(name, {}))
        for number, (name, dtype) in enumerate(zip("xyzw", dtypes, strict=False))
    )
    scalar = ScalarSetting(len(dtypes), int(n).to_bytes(4, "little", signed=True))
    return Setting(f"n={n}", (1, 1, 1), (32, 1, 1), 0, (*pointers, scalar), scalars={"n": n}, base=base)


def recipe(made: Setting, flavour="ordinary", seed=3) -> Recipe:
    return Recipe(made, flavour, seed, 0)


def copy_kernel(memory, _schedule) -> bytes:
    for index in range(int(memory.scalar(2, "int32"))):
        memory.store(1, index, memory.load(0, index) + 1)
    return b""


def test_sizes_are_what_the_kernel_touches_and_roles_follow(tmp_path):
    session = make_session(copy_kernel, tmp_path)
    found = try_recipe(session, recipe(setting(37, "float32", "float32")))
    assert isinstance(found, Accepted)
    assert [(root.name, root.bytes, root.role) for root in found.case.roots] == [("x", 148, "in"), ("y", 148, "out")]
    before = root_view(found.case, found.before, found.case.roots[1])
    assert (before.view(np.uint8) == POISONS[0]).all()
    assert found.changed
    for low, high in guard_ranges(found.case):
        assert np.array_equal(found.before[low:high], guard_pattern(low, high))
        assert high - low >= GUARD_BYTES


def test_a_size_that_the_host_states_is_kept(tmp_path):
    session = make_session(copy_kernel, tmp_path)
    made = setting(10, "float32", "float32", x={"bytes": 400}, y={"bytes": 400})
    found = try_recipe(session, recipe(made))
    assert isinstance(found, Accepted) and [root.bytes for root in found.case.roots] == [400, 400]
    assert not session.enlarged


def test_a_stated_size_that_is_too_small_is_enlarged_and_told(tmp_path):
    session = make_session(copy_kernel, tmp_path)
    variant = try_recipe(session, recipe(setting(10, "float32", "float32", x={"bytes": 20})))
    assert isinstance(variant, Dropped) and variant.reason == "past the stated size" and not session.enlarged
    own = setting(10, "float32", "float32", base=True, x={"bytes": 20})
    found = try_recipe(session, recipe(own))
    assert isinstance(found, Accepted) and found.case.roots[0].bytes == 40
    assert list(session.enlarged) == ["x"]


def test_second_case_of_a_setting_needs_one_round(tmp_path):
    session = make_session(copy_kernel, tmp_path)
    made = setting(37, "float32", "float32")
    try_recipe(session, recipe(made))
    before = session.runs
    assert isinstance(try_recipe(session, recipe(made, "unit")), Accepted)
    assert session.runs - before == 2


def test_accumulating_root_is_inout_and_gets_data(tmp_path):
    def kernel(memory, _schedule) -> bytes:
        for index in range(8):
            memory.store(0, index, memory.load(0, index) + memory.load(1, index))
        return b""

    found = try_recipe(make_session(kernel, tmp_path), recipe(setting(8, "float32", "float32")))
    assert isinstance(found, Accepted)
    assert [root.role for root in found.case.roots] == ["inout", "in"]
    assert (root_view(found.case, found.before, found.case.roots[0]) < 0).any()


def test_root_that_the_host_zeroes_is_zero(tmp_path):
    def kernel(memory, _schedule) -> bytes:
        memory.store(0, 0, memory.load(0, 0) + memory.load(1, 0))
        return b""

    made = setting(8, "int32", "int32", x={"contents": "zero"})
    found = try_recipe(make_session(kernel, tmp_path), recipe(made))
    assert isinstance(found, Accepted) and not root_view(found.case, found.before, found.case.roots[0]).any()


def gather_kernel(memory, _schedule) -> bytes:
    for index in range(16):
        memory.store(2, index, memory.load(0, int(memory.load(1, index))))
    return b""


@pytest.mark.parametrize("hints", [{"y": RootHint("index", ("x",))}, {}])
def test_index_data_stays_in_range_even_without_a_hint(tmp_path, hints):
    session = make_session(gather_kernel, tmp_path, hints=hints)
    made = setting(24, "float32", "int32", "float32", x={"bytes": 24 * 4})
    found = try_recipe(session, recipe(made, "magnitudes"))
    assert isinstance(found, Accepted)
    index = root_view(found.case, found.before, found.case.roots[1])
    assert index.min() >= 0 and len(set(index.tolist())) > 3
    if hints:
        assert index.max() < 24


def test_access_before_the_start_is_dropped(tmp_path):
    def kernel(memory, _schedule) -> bytes:
        memory.store(0, -1, 1.0)
        return b""

    found = try_recipe(make_session(kernel, tmp_path), recipe(setting(8, "float32")))
    assert isinstance(found, Dropped) and found.reason == "out_of_bounds"


@pytest.mark.parametrize(
    ("attribute", "value", "reason"),
    [
        ("events", (Event("signed_overflow", 4, 1),), "event signed_overflow"),
        ("findings", (Finding("inactive_lane", 4, 1, ""),), "inactive_lane"),
        ("findings", (Finding("barrier_divergence", 4, 1, ""),), "barrier_divergence"),
    ],
)
def test_cases_that_mean_different_things_elsewhere_are_dropped(tmp_path, attribute, value, reason):
    session = make_session(copy_kernel, tmp_path)
    setattr(session, attribute, value)
    found = try_recipe(session, recipe(setting(8, "float32", "float32")))
    assert isinstance(found, Dropped) and found.reason == reason


def test_builds_that_disagree_drop_the_case(tmp_path):
    calls = []

    def kernel(memory, _schedule) -> bytes:
        calls.append(1)
        memory.store(0, 0, float(len(calls)))
        return b""

    found = try_recipe(make_session(kernel, tmp_path), recipe(setting(8, "float32")))
    assert isinstance(found, Dropped) and found.reason == "unspecified"


def test_elements_that_builds_disagree_in_are_not_compared(tmp_path):
    calls = []

    def kernel(memory, _schedule) -> bytes:
        calls.append(1)
        for index in range(6):
            memory.store(0, index, 5.0)
        memory.store(0, 6, float(len(calls)))
        return b""

    found = try_recipe(make_session(kernel, tmp_path), recipe(setting(8, "float32")))
    assert isinstance(found, Accepted) and found.undefined is not None and found.effective
    (root,) = found.case.roots
    assert np.flatnonzero(found.undefined).tolist() == list(range(root.start + 24, root.start + 28))
    port = found.original.copy()
    port[root.start + 24] ^= 1
    assert np.array_equal(found.settled(port), found.original)
    port[root.start + 20] ^= 1
    assert np.flatnonzero(found.settled(port) != found.original).tolist() == [root.start + 20]


def threshold_kernel(memory, _schedule) -> bytes:
    arcs = bytearray(2)
    for index in range(int(memory.scalar(1, "int32"))):
        value = memory.load(0, index)
        arcs[0 if value == np.float32(7777) else 1] = 1
        memory.store(0, index, 1.0 if value == np.float32(7777) else 2.0)
    return bytes(arcs)


def test_search_finds_the_value_that_a_branch_waits_for(tmp_path):
    made = [setting(40, "float32", base=True), setting(33, "float32"), setting(1, "float32")]
    session = make_session(threshold_kernel, tmp_path, arcs=2, thresholds=(7777.0,))
    found = search_cases(session, recipes(made, 1), 8, NOTHING_EXCUSED, float("inf"))
    assert found.arcs_taken == [True, True] and len(found.accepted) >= 8
    blind = make_session(threshold_kernel, tmp_path / "blind", arcs=2)
    missed = search_cases(blind, recipes(made, 1), 8, NOTHING_EXCUSED, float("inf"))
    assert missed.arcs_taken == [False, True]


def test_search_is_deterministic(tmp_path):
    made = [setting(40, "float32", base=True), setting(33, "float32")]
    first, second = (
        search_cases(make_session(threshold_kernel, tmp_path / name, arcs=2), recipes(made, 1), 8, NOTHING_EXCUSED, 9e9)
        for name in "ab"
    )
    assert [item.before.tobytes() for item in first.accepted] == [item.before.tobytes() for item in second.accepted]


def test_search_stops_at_its_deadline(tmp_path):
    session = make_session(copy_kernel, tmp_path)
    found = search_cases(session, recipes([setting(8, "float32", "float32")], 1), 8, NOTHING_EXCUSED, 0.0)
    assert found.out_of_time and not found.accepted


def test_order_dependence_is_seen(tmp_path):
    def last_writer(memory, schedule) -> bytes:
        order = range(8) if schedule == "contract" else range(7, -1, -1)
        for index in order:
            memory.store(1, 0, memory.load(0, index))
        return b""

    session = make_session(last_writer, tmp_path)
    found = try_recipe(session, recipe(setting(8, "float32", "float32")))
    assert isinstance(found, Accepted)
    report = order_report(session, [found], atomics=False)
    assert report.dependent and report.noise > 0
    calm = make_session(copy_kernel, tmp_path / "calm")
    item = try_recipe(calm, recipe(setting(8, "float32", "float32")))
    assert isinstance(item, Accepted) and not order_report(calm, [item], atomics=True).dependent


def test_probed_sizes_are_whole_elements_of_what_the_pointer_points_to(tmp_path):
    def kernel(memory, _schedule) -> bytes:
        for body in range(6):  # the store of the last member is left out, as a compiler does when it does not change
            for member in range(3):
                memory.store(0, 4 * body + member, memory.load(1, body))
        return b""

    made = setting(6, "float32", "float32", x={"element_bytes": 16})
    found = try_recipe(make_session(kernel, tmp_path), recipe(made))
    assert isinstance(found, Accepted) and [root.bytes for root in found.case.roots] == [96, 24]
    stated = setting(6, "float32", "float32", base=True, x={"element_bytes": 16, "bytes": 92})
    held = try_recipe(make_session(kernel, tmp_path / "stated"), recipe(stated))
    assert isinstance(held, Accepted) and held.case.roots[0].bytes == 92


def padded_gather(memory, _schedule) -> bytes:
    arcs = bytearray(2)
    for row in range(16):
        column = int(memory.load(1, row))
        arcs[column < 0] = 1
        memory.store(2, row, 0.0 if column < 0 else memory.load(0, column))
    return bytes(arcs)


def test_index_data_hold_the_marks_that_the_kernel_looks_for(tmp_path):
    hints = {"y": RootHint("index", ("x",), (-1,))}
    session = make_session(padded_gather, tmp_path, arcs=2, hints=hints)
    made = [setting(24, "float32", "int32", "float32", base=True, x={"bytes": 96})]
    found = search_cases(session, recipes(made, 1), 8, NOTHING_EXCUSED, float("inf"))
    assert found.arcs_taken == [True, True] and session.tightness == 0


def test_marks_that_reach_outside_cost_the_other_cases_nothing(tmp_path):
    hints = {"y": RootHint("index", ("x",), (-1,))}
    session = make_session(gather_kernel, tmp_path, hints=hints)
    made = setting(24, "float32", "int32", "float32", x={"bytes": 96})
    found = try_recipe(session, recipe(made, "specials"))
    assert isinstance(found, Accepted) and session.tightness == 0
    assert root_view(found.case, found.before, found.case.roots[1]).min() >= 0
