"""Random C expressions over all types mean the same to both oracles, both engines and upstream's own IR."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.expressions.everywhere import differences

pytestmark = [
    pytest.mark.nvcc,
    pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed"),
]
EXPRESSIONS = 100


def test_a_hundred(tmp_path: Path) -> None:
    assert differences(tmp_path, 1, EXPRESSIONS, 3) == []


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(200))
def test_twenty_thousand(tmp_path: Path, part: int) -> None:
    seed = int(os.environ.get("FIRST_SEED", "100")) + part
    kind = "check" if seed % 4 == 0 else "run"
    assert differences(tmp_path, seed, EXPRESSIONS, 2 + seed % 3, kind=kind, tir=seed % 10 == 0) == []
