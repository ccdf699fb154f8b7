"""A kernel that reads nothing proves itself by sizes or fills; two fills are not enough."""

from __future__ import annotations

import numpy as np
from fake_oracle import make_session

from migrate.verify.generator import recipes
from migrate.verify.observe import variation
from migrate.verify.search import search_cases
from migrate.verify.setting import PointerSetting, ScalarSetting, Setting
from migrate.verify.unreachable import Excuser


def test_a_kernel_of_one_size_without_inputs_is_tried_with_five_fills(tmp_path):
    def kernel(memory, _schedule) -> bytes:
        memory.store(0, 0, np.float32(4))
        return b""

    made = Setting("s", (1, 1, 1), (32, 1, 1), 0, (PointerSetting(0, "x", "float32", bytes=64),), base=True)
    session = make_session(kernel, tmp_path)
    found = search_cases(session, recipes([made], 1), 8, Excuser({}, frozenset()), float("inf"))
    assert variation(found.accepted).enough
    assert {item.recipe.poison for item in found.accepted} == set(range(5))


def test_sizes_that_have_an_effect_are_tried_with_more_data(tmp_path):
    def kernel(memory, _schedule) -> bytes:
        if int(memory.scalar(1, "int32")) == 64:
            memory.store(0, 0, memory.load(0, 1) + np.float32(1))
        return b""

    def made(n: int, base: bool = False) -> Setting:
        arguments = (
            PointerSetting(0, "x", "float32", bytes=64),
            ScalarSetting(1, n.to_bytes(4, "little")),
        )
        return Setting(f"n={n}", (1, 1, 1), (32, 1, 1), 0, arguments, scalars={"n": n}, base=base)

    offered = list(recipes([made(1, base=True), *(made(n) for n in (2, 3, 4, 5, 64, 7, 8, 9, 10))], 1))
    session = make_session(kernel, tmp_path)
    found = search_cases(session, iter(offered), 8, Excuser({}, frozenset()), float("inf"))
    assert sum(item.effective for item in found.accepted) >= 5
    assert variation(found.accepted).enough
