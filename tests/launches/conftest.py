"""Slicing of CUDA text in tests."""

from collections.abc import Callable
from pathlib import Path

import pytest
from clang import cindex

from migrate.ir.launch import LaunchSite
from migrate.parse.context import ParseContext
from migrate.parse.flags import KEEP_GOING, clang_flags
from migrate.parse.launches import slice_launches


@pytest.fixture
def slice_text(tmp_path: Path) -> Callable[[str], list[LaunchSite]]:
    """CUDA text → its launch sites."""

    def run(text: str) -> list[LaunchSite]:
        path = tmp_path / "unit.cu"
        path.write_text(text)
        unit = cindex.Index.create().parse(str(path), args=clang_flags(), options=KEEP_GOING)
        assert not [one for one in unit.diagnostics if one.severity >= 3], [str(one) for one in unit.diagnostics]
        return slice_launches(unit, ParseContext(tmp_path, "unit.cu"))

    return run
