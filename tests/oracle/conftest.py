"""A small bench: CUDA text and numpy arrays in, arrays and the run's report out."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from migrate.oracle.api import BuildKind, Moved, OracleBuild, OracleRequest, OracleRun, Schedule, build, run
from migrate.verify.case import GUARD_BYTES, Argument, Case, Root, Symbol

GUARD_BYTE = 0xA5


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if shutil.which("g++") is None and shutil.which("clang++") is None:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="no host C++ compiler"))


@dataclass
class Outcome:
    run: OracleRun
    built: OracleBuild
    arrays: list[np.ndarray]  # the array arguments after the run, in order; empty when the run gave no output
    symbols: dict[str, np.ndarray]
    guards_intact: bool


class Bench:
    def __init__(self, folder: Path):
        self.folder = folder
        self.count = 0

    def source(self, text: str, name: str = "kernel.cu") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def case(self, *arguments: Any, threads: int = 1) -> tuple[Case, bytes]:
        """One block of ``threads`` threads on ``arguments``."""
        return make_case("k", 1, threads, arguments, 0, {})

    def request(self, text: str, cpp_name: str, **more: Any) -> OracleRequest:
        name = cpp_name.split("<", maxsplit=1)[0].rsplit("::", 1)[-1]
        return OracleRequest(self.folder, self.source(text), name, cpp_name, **more)

    def __call__(
        self,
        text: str,
        cpp_name: str,
        grid: int | tuple[int, int, int],
        block: int | tuple[int, int, int],
        *arguments: Any,
        kind: BuildKind = "run",
        schedule: Schedule = "contract",
        shared: int = 0,
        symbols: dict[str, np.ndarray] | None = None,
        timeout_s: float = 20,
        request: dict[str, Any] | None = None,
        moved: Moved | None = None,
    ) -> Outcome:
        built = build(self.request(text, cpp_name, **(request or {})), kind)
        self.count += 1
        folder = self.folder / f"case{self.count}"
        case, data = make_case(cpp_name, grid, block, arguments, shared, symbols or {})
        case.save(folder, data)
        result = run(built, folder, folder / "output.bin", schedule=schedule, timeout_s=timeout_s, moved=moved)
        if not result.output.is_file():
            return Outcome(result, built, [], {}, True)
        after = result.output.read_bytes()
        assert len(after) == len(data)
        values = {r.name: np.frombuffer(after[r.start : r.start + r.bytes], r.dtype) for r in case.roots}
        covered = np.zeros(len(data), bool)
        for r in case.roots:
            covered[r.start : r.start + r.bytes] = True
        intact = bool((np.frombuffer(after, np.uint8)[~covered] == GUARD_BYTE).all())
        names = [s.name for s in case.symbols]
        return Outcome(
            result,
            built,
            [values[r.name] for r in case.roots if r.name not in names],
            {n: values[n] for n in names},
            intact,
        )


def make_case(
    kernel: str,
    grid: int | tuple[int, int, int],
    block: int | tuple[int, int, int],
    arguments: tuple[Any, ...],
    shared: int,
    symbols: dict[str, np.ndarray],
) -> tuple[Case, bytes]:
    """Arrays and (array, offset) become roots, numpy scalars and bytes raw values, None a null pointer."""
    position = GUARD_BYTES
    roots: list[Root] = []
    pieces: list[tuple[int, bytes]] = []

    def add(name: str, array: np.ndarray) -> None:
        nonlocal position
        roots.append(Root(name, array.dtype.str, array.nbytes, position))
        pieces.append((position, array.tobytes()))
        position = (position + array.nbytes + GUARD_BYTES + 255) // 256 * 256

    cases: list[Argument] = []
    for i, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            add(f"a{i}", argument)
            cases.append(Argument(root=f"a{i}"))
        elif isinstance(argument, tuple):
            add(f"a{i}", argument[0])
            cases.append(Argument(root=f"a{i}", offset=argument[1]))
        elif argument is None:
            cases.append(Argument(raw="00" * 8))
        elif isinstance(argument, bytes):
            cases.append(Argument(raw=argument.hex()))
        else:
            cases.append(Argument(raw=argument.tobytes().hex()))
    for name, array in symbols.items():
        add(name, array)
    data = bytearray([GUARD_BYTE]) * position
    for start, piece in pieces:
        data[start : start + len(piece)] = piece
    triple = [(v, 1, 1) if isinstance(v, int) else v for v in (grid, block)]
    case = Case(
        kernel,
        0,
        "test",
        triple[0],
        triple[1],
        shared,
        tuple(cases),
        tuple(roots),
        tuple(Symbol(n, n) for n in symbols),
        position,
    )
    return case, bytes(data)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
