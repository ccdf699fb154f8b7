"""Fixtures: a cache of our own for the whole run, and repositories made of snippets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from parse_fixtures import Parse, Repository

from migrate.parse import FileResult, ParseOptions, find_sources, parse_repository


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILELANG_MIGRATE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    def make(files: dict[str, str | bytes]) -> Path:
        root = tmp_path / "repository"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return root

    return make


@pytest.fixture
def parse() -> Parse:
    def run(root: Path, **options: object) -> dict[str, FileResult]:
        files, _ = find_sources([root], root)
        chosen = ParseOptions(**options)  # type: ignore[arg-type]
        return {result.path: result for result in parse_repository(root, files, chosen)}

    return run
