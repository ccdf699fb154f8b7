"""Files that are broken in any way: convert ends in good order, loses no kernel, and their neighbour is unharmed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from damage import damaged, sources

from migrate.parse.lexer import lex
from migrate.parse.sources import UnreadableSource, read_source
from migrate.pipeline.convert import convert_repository
from migrate.pipeline.options import Options, default_jobs
from migrate.report.model import Report

GOOD = """\
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void launch(int n, const float* x, float* y) { saxpy<<<(n + 127) / 128, 128>>>(n, 2.0f, x, y); }
"""
# Wall seconds that one file may take; its worker is stopped then. A busy machine makes a file late as well, so that a
# late one has another chance, alone and with more time.
FILE_LIMIT_S = 20.0
SECOND_LIMIT_S = 120.0
BATCH = 100


def convert_damaged(folder: Path, first: int, count: int) -> None:
    """Writes the files and one good one, converts them, and checks all that is promised."""
    root, out = folder / "source", folder / "out"
    root.mkdir()
    known = sources()
    names = []
    for number in range(first, first + count):
        name, data = damaged(number, known)
        (root / name).write_bytes(data)
        names.append(name)
    (root / "good.cu").write_text(GOOD)
    report = convert_repository(options_for(root, out, root, FILE_LIMIT_S), quiet=True).report
    late = [item.path for item in report.files if any(d.code == "TLM020" for d in item.diagnostics)]
    for name in late:
        options = options_for(root, folder / f"alone_{name}", root / name, SECOND_LIMIT_S)
        alone = convert_repository(options, quiet=True).report
        assert not any(d.code == "TLM020" for item in alone.files for d in item.diagnostics), f"{name} does not end"
    check(root, out, report, names)


def options_for(root: Path, out: Path, source: Path, limit_s: float) -> Options:
    jobs = min(2, default_jobs())
    return Options(root, (source,), out, verify=False, lower=False, jobs=jobs, parse_timeout_s=limit_s)


def check(root: Path, out: Path, report: Report, names: list[str]) -> None:
    """Every kernel accounted for, every output whole, the neighbour converted."""
    by_file = {item.path: item for item in report.files}
    assert set(by_file) == {*names, "good.cu"}
    told = {(kernel.file, kernel.line, kernel.name) for kernel in report.kernels}
    for name in names:
        try:
            seen = lex(read_source(root / name, name).text, name).kernels
        except UnreadableSource:
            assert by_file[name].diagnostics, name
            continue
        missing = {(name, kernel.line, kernel.name) for kernel in seen} - told
        assert not missing, missing
    for kernel in report.kernels:
        errors = [item for item in kernel.diagnostics if item.severity == "error"]
        assert (kernel.level == "refused") == bool(errors), (kernel.id, kernel.diagnostics)
        assert (kernel.level == "refused") or (out / kernel.port).is_file(), kernel.id
    assert by_file["good.cu"].status == "converted"
    for path in out.rglob("*.py"):
        compile(path.read_bytes(), str(path), "exec")
    assert not list(out.rglob(".writing-*"))
    assert len(json.loads((out / "report.json").read_text())["files"]) == len(names) + 1
    assert json.loads((out / "migrate.lock").read_text())
    ports = {item.port for item in report.files if item.port}
    written = {path.relative_to(out).as_posix() for path in out.rglob("*_tl.py") if ".migrate" not in path.parts}
    assert written == ports


def test_damage_is_the_same_each_time_and_changes_files() -> None:
    known = sources()
    originals = {data for _, data in known}
    made = [damaged(number, known) for number in range(120)]
    assert made == [damaged(number, known) for number in range(120)]
    assert sum(data not in originals for _, data in made) > 100


def test_a_folder_of_damaged_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILELANG_MIGRATE_CACHE", str(tmp_path / "cache"))
    convert_damaged(tmp_path, 0, 50)


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(0, 5000, BATCH))
def test_many_folders_of_damaged_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    monkeypatch.setenv("TILELANG_MIGRATE_CACHE", str(tmp_path / "cache"))
    convert_damaged(tmp_path, first, BATCH)
