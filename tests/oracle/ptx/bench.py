"""PTX text in, results out: no CUDA compiler needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from migrate.oracle.api import BuildKind, OracleBuild, OracleRequest, OracleRun, Schedule, run
from migrate.oracle.described import described_build
from migrate.oracle.ptx.building import compile_translated, place_finder, read_marks
from migrate.oracle.ptx.compile import PtxText
from migrate.oracle.ptx.parser import parse
from migrate.oracle.ptx.translate import translate
from migrate.oracle.toolchain import runner
from migrate.verify.case import GUARD_BYTES, Argument, Case, Root

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def marks(entry: str, parameters: list[tuple[int, bool]]) -> str:
    """What `compile.export_text` makes the compiler write: the entry, and (bytes, is a pointer) of each parameter."""
    words = [2 * size + pointer for size, pointer in parameters] + [0xFFFFFFFF]
    return (
        f".global .align 8 .u64 oracle_entry = {entry};\n"
        f".global .align 4 .u32 oracle_parameters[{len(words)}] = {{{', '.join(map(str, words))}}};\n"
    )


def build_text(text: str, folder: Path, kind: BuildKind = "run", files: tuple[str, ...] = ()) -> OracleBuild:
    """A library from PTX whose export marks are in the text."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:
        (folder / name).write_text("\n".join(f"line {i}" for i in range(1, 40)))
    request = OracleRequest(folder, folder / "k.cu", "k", "k")
    module = parse(text)
    found = read_marks(module, ())
    ptx = PtxText(text, str(folder), False, 0.0)
    done = translate(
        module,
        module.functions[found.entry],
        found.parameters,
        found.symbols,
        place_finder(module, ptx, request),
        counts=kind == "run",
    )
    compile_translated(folder, kind, done, found, module, request, ptx, 1)
    runner()
    return described_build(
        request, kind, folder, synchronises=True, uses=frozenset(), text="", counts_arcs=True, engine="ptx"
    )


def run_text(
    built: OracleBuild,
    folder: Path,
    grid: int,
    block: int,
    *arguments: np.ndarray | np.generic,
    schedule: Schedule = "contract",
    shared: int = 0,
) -> tuple[OracleRun, list[np.ndarray]]:
    """The run's report and the array arguments after it."""
    position, roots, pieces, cases = GUARD_BYTES, [], [], []
    for i, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            roots.append(Root(f"a{i}", argument.dtype.str, argument.nbytes, position))
            pieces.append((position, argument.tobytes()))
            position = (position + argument.nbytes + GUARD_BYTES + 255) // 256 * 256
            cases.append(Argument(root=f"a{i}"))
        else:
            cases.append(Argument(raw=argument.tobytes().hex()))
    data = bytearray(position)
    for start, piece in pieces:
        data[start : start + len(piece)] = piece
    case = Case("k", 0, "test", (grid, 1, 1), (block, 1, 1), shared, tuple(cases), tuple(roots), (), position)
    case.save(folder, bytes(data))
    done = run(built, folder, folder / "output.bin", schedule=schedule)
    if not done.output.is_file():
        return done, []
    after = done.output.read_bytes()
    return done, [np.frombuffer(after[r.start : r.start + r.bytes], r.dtype) for r in roots]
