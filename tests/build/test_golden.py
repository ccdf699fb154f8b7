"""Each text in cuda/ builds to its dump in golden/. MIGRATE_UPDATE_GOLDEN=1 writes the dumps: read them then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from migrate.ir.dump import dump
from tests.build.building import build

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(path.stem for path in (HERE / "cuda").glob("*.cu")))
def test_dump_is_the_golden_one(name: str) -> None:
    text = "\n".join(dump(kernel) for kernel in build((HERE / "cuda" / f"{name}.cu").read_text()))
    golden = HERE / "golden" / f"{name}.txt"
    if os.environ.get("MIGRATE_UPDATE_GOLDEN"):
        golden.write_text(text)
    assert text == golden.read_text()
