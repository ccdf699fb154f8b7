"""A kernel that reads nothing proves itself by sizes or fills; two fills are not enough."""

from __future__ import annotations

import numpy as np
from fake_oracle import make_session

from migrate.verify.generator import recipes
from migrate.verify.observe import variation
from migrate.verify.search import search_cases
from migrate.verify.setting import PointerSetting, Setting
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
