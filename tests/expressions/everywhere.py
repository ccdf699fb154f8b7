"""One kernel of random expressions through all that can run it: both oracles, both engines, upstream's own IR."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from migrate.emit.port_file import emit_port, source_file, support_files
from migrate.oracle.api import OracleRequest, build
from migrate.parse.merge import merge_results
from migrate.parse.results import ParseOptions
from migrate.parse.session import parse_repository
from tests.expressions.generate import INPUTS, OUTPUTS, Expressions
from tests.oracle.ptx.bench import run_text

Arrays = dict[str, npt.NDArray[np.generic]]
# Threads of a kernel, three blocks of 32.
THREADS = 96
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-40, 65504.0, 70000.0, 0.5, 2.5, 3e9, -3e9)
# Runs a port on the arrays of a file. Arguments: package of the runtime, engine, folder of the port.
PROGRAM = """
import importlib, sys
import numpy as np
runtime, engine, folder = sys.argv[1:]
package = importlib.import_module(runtime)
package.activate()
if engine:
    package.configure(engine=engine)
sys.path.insert(0, folder)
arrays = dict(np.load(folder + "/arrays.npz"))
importlib.import_module("out.k_cu_tl").k0(*arrays.values(), THREADS, grid=(THREADS // 32, 1, 1), block=(32, 1, 1))
np.savez(folder + "/" + (engine or "tir") + ".npz", **arrays)
""".replace("THREADS", str(THREADS))


def arrays_for(seed: int, expressions: int) -> Arrays:
    """Inputs with many special values and room for every output, in the order of the kernel's parameters."""
    rng = np.random.default_rng(seed)
    found: Arrays = {}
    for name, _, dtype in INPUTS:
        if issubclass(dtype, np.floating):
            size = 3 * THREADS
            ordinary = rng.standard_normal(size) * 8
            found[name] = np.where(rng.random(size) < 0.3, rng.choice(SPECIAL, size), ordinary).astype(dtype)
        else:
            limits, size = np.iinfo(dtype), 2 * THREADS
            edges = [v for v in (0, 1, -1, 31, 64, limits.max, limits.min, limits.max // 2) if v >= limits.min]
            random = rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
            found[name] = np.where(rng.random(size) < 0.3, rng.choice(np.array(edges, dtype=dtype), size), random)
    for name, _, dtype in OUTPUTS:
        found[name] = np.zeros(expressions * THREADS, dtype=dtype)
    return found


def by_oracles(folder: Path, arrays: Arrays, kind: str) -> dict[str, Arrays]:
    """The arrays after the original ran under either oracle."""
    request = OracleRequest(folder, folder / "k.cu", "k0", "k0")
    found = {}
    for engine in ("shim", "ptx"):
        built = build(request, kind, engine)  # type: ignore[arg-type]
        done, after = run_text(built, folder / engine, THREADS // 32, 32, *arrays.values(), np.int32(THREADS))
        assert done.status == "ok", (engine, done.message)
        assert not done.events, (engine, done.events[:3])
        found[engine] = dict(zip(arrays, after, strict=True))
    return found


def by_ports(folder: Path, arrays: Arrays, *, tir: bool) -> dict[str, Arrays]:
    """The arrays after the port ran under each engine."""
    results = list(parse_repository(folder, [folder / "k.cu"], ParseOptions(jobs=1, use_cache=False)))
    records = merge_results(results)
    refused = [problem for record in records for problem in record.refusals]
    port = emit_port(source_file(folder, "k.cu"), [kernel for record in records for kernel in record.instantiations])
    assert not refused and not port.refusals, [str(p) for p in (*refused, *(p for _, p in port.refusals))]
    for name, content in {**support_files([port.path]), port.path: port.text}.items():
        (folder / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "out" / name).write_text(content)
    np.savez(folder / "arrays.npz", **arrays)  # type: ignore[arg-type]
    jobs = [("tilelang_runtime", "native"), ("tilelang_runtime", "reference")]
    found = {}
    for runtime, engine in [*jobs, ("tilelang_runtime.tir", "")] if tir else jobs:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, runtime, engine, str(folder)],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-6000:]
        found[engine or "tir"] = dict(np.load(folder / f"{engine or 'tir'}.npz"))
    return found


def differences(
    folder: Path, seed: int, expressions: int, depth: int, *, kind: str = "run", tir: bool = False
) -> list[str]:
    """Expressions that some engine computes otherwise than the oracle from the text, with their inputs."""
    text = Expressions(seed).source(1, expressions, depth)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k.cu").write_text(text)
    arrays = arrays_for(seed, expressions)
    found = by_oracles(folder, arrays, kind)
    expected = found.pop("shim")
    found |= by_ports(folder, arrays, tir=tir)
    told = []
    for engine, after in found.items():
        for name, _, dtype in OUTPUTS:
            wrong = _unequal(expected[name], after[name]).reshape(-1, THREADS)
            for place in np.flatnonzero(wrong.any(axis=1)):
                t = int(np.flatnonzero(wrong[place])[0])
                line = next(
                    line.strip() for line in text.splitlines() if line.startswith(f"  {name}[{place} * n + t] =")
                )
                given = {a: arrays[a][t::THREADS].tolist() for a, _, _ in INPUTS}
                values = [dtype(side[name][place * THREADS + t]) for side in (expected, after)]
                told.append(f"{engine}: {line} gives {values[1]!r}, not {values[0]!r}, for {given}")
    return told


def _unequal(a: npt.NDArray[np.generic], b: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    """Where bits differ and not both are NaN."""
    bits = f"u{a.itemsize}"
    different: npt.NDArray[np.bool_] = a.view(bits) != b.view(bits)
    return different & ~(np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else different
