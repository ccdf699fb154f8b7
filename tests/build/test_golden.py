"""Each text in cuda/ builds to its dump in golden/. MIGRATE_UPDATE_GOLDEN=1 writes the dumps: read them then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.building import check_golden

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(path.stem for path in (HERE / "cuda").glob("*.cu")))
def test_dump_is_the_golden_one(name: str) -> None:
    check_golden(HERE, name)
