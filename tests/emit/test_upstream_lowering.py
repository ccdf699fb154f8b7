"""Every kernel of the zoo goes through the real tilelang, and through nvcc where it is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rules.zoo import ZOO

from migrate.emit.port_file import PortEntry, SourceFile, emit_port, support_files
from migrate.emit.upstream import LoweredResult, LowerJob, lower_many, lower_with_tilelang

pytestmark = pytest.mark.upstream


def write_zoo(folder: Path) -> list[tuple[str, Path, PortEntry]]:
    """Writes a package with one port a kernel."""
    ports = [(name, emit_port(SourceFile(f"src/{name}.cu", "0" * 64), [kernel])) for name, kernel in ZOO.items()]
    for path, text in support_files(port.path for _, port in ports).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for _, port in ports:
        (folder / port.path).write_text(port.text)
    return [(name, folder / port.path, port.entries[0]) for name, port in ports]


def _jobs(folder: Path) -> list[LowerJob]:
    blocks = {1: (64, 1, 1), 2: (16, 16, 1)}
    return [LowerJob(path, entry, blocks[entry.block_rank], 1024) for _, path, entry in write_zoo(folder)]


@pytest.fixture(scope="module")
def lowered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LoweredResult]:
    results = dict(lower_many(_jobs(tmp_path_factory.mktemp("zoo")), nvcc=False))
    return {name: results[index] for index, name in enumerate(ZOO)}


@pytest.mark.parametrize("name", sorted(ZOO))
def test_lowers(name: str, lowered: dict[str, LoweredResult]) -> None:
    assert lowered[name].ok, lowered[name].message


def test_barriers_are_the_originals(lowered: dict[str, LoweredResult]) -> None:
    """Upstream adds no barrier of its own and keeps the ones behind early returns."""
    assert lowered["early_return"].cuda_source.count("__syncthreads()") == 1
    assert lowered["block_sum"].cuda_source.count("__syncthreads()") == 2


def test_float_operations_are_kept(lowered: dict[str, LoweredResult]) -> None:
    source = lowered["folds"].cuda_source
    for name in ("__fsub_rn", "__fmul_rn", "__fadd_rn", "__fdiv_rn"):
        assert name in source


@pytest.mark.sweep
@pytest.mark.nvcc
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_nvcc_accepts_all(tmp_path: Path) -> None:
    results = dict(lower_many(_jobs(tmp_path)))
    assert {name: results[index].message for index, name in enumerate(ZOO) if not results[index].nvcc_ok} == {}


def test_what_upstream_rejects_is_a_failed_result(tmp_path: Path) -> None:
    _, path, entry = write_zoo(tmp_path)[0]
    path.write_text(path.read_text().replace("a * x[i]", "a * unknown[i]"))
    result = lower_with_tilelang(path, entry, (64, 1, 1))
    assert not result.ok
    assert "unknown" in result.message
