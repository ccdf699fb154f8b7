"""Which headers below the root count as the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.oracle import preprocess


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "src/own.h",
        ".venv/lib/cuda_shim.h",
        "env/site-packages/nvidia/cuda_shim.h",
        "tool/package/cuda_shim.h",
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("// header\n")
    return tmp_path


def test_environments_and_the_converter_itself_are_not_searched(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preprocess, "_OWN_PACKAGE", str(tree / "tool" / "package"))
    preprocess._index_of.cache_clear()
    assert set(preprocess._index_of(str(tree))) == {"own.h"}
