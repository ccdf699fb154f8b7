"""Every kernel of the zoo gives the same bytes natively and after the real tilelang traced and simplified it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from rules.zoo import ZOO

from migrate.emit.port_file import PortEntry, SourceFile, emit_port, support_files

pytestmark = pytest.mark.upstream

ELEMENTS = 4096
PROGRAM = """
import json, sys
import numpy as np
import ml_dtypes
import {engine} as engine
engine.activate()
sys.path.insert(0, {folder!r})
import importlib
def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)
results = {{}}
for job in json.load(open({folder!r} + "/jobs.json")):
    rng = np.random.default_rng(7)
    arguments = {{}}
    for item in job["parameters"]:
        if item["kind"] == "scalar":
            arguments[item["keyword"]] = {{"n": 500, "rows": 30, "cols": 40}}.get(item["keyword"], 2)
        elif item["kind"] == "bytes":
            arguments[item["keyword"]] = np.array([2.0], np.float32).tobytes() + np.array([3], np.uint32).tobytes()
        elif not item["optional"]:
            wanted = dtype_of(item["dtype"])
            floats = item["dtype"].startswith(("float", "bfloat"))
            values = rng.standard_normal({elements}) * 3 if floats else rng.integers(1, 100, {elements})
            arguments[item["keyword"]] = values.astype(wanted)
    module = importlib.import_module("out.src." + job["name"] + "_cu_tl")
    getattr(module, job["launcher"])(**arguments, grid=tuple(job["grid"]), block=tuple(job["block"]), shared=4096)
    for key, array in arguments.items():
        if isinstance(array, np.ndarray):
            results[job["name"] + "." + key] = array.view(np.uint8)
np.savez({output!r}, **results)
"""


def _job(name: str, entry: PortEntry) -> dict[str, object]:
    grid, block = {1: ((2,), (256,)), 2: ((3, 3), (16, 16))}[entry.block_rank]
    parameters = [q.__dict__ for q in entry.parameters]
    return {"name": name, "launcher": entry.launcher, "parameters": parameters, "grid": grid, "block": block}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """Engine → (kernel.argument → bytes after the launch)."""
    import numpy as np

    folder = tmp_path_factory.mktemp("engines")
    ports = {name: emit_port(SourceFile(f"src/{name}.cu", "0"), [kernel]) for name, kernel in ZOO.items()}
    files = support_files(port.path for port in ports.values()) | {port.path: port.text for port in ports.values()}
    for path, text in files.items():
        (folder / "out" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "out" / path).write_text(text)
    chosen = [name for name in ZOO if name != "early_return"]  # its shared array holds 64 threads
    (folder / "jobs.json").write_text(json.dumps([_job(name, ports[name].entries[0]) for name in chosen]))
    found: dict[str, dict[str, bytes]] = {}
    for engine in ("tilelang_runtime", "tilelang_runtime.tir"):
        output = folder / f"{engine}.npz"
        program = PROGRAM.format(engine=engine, folder=str(folder), output=str(output), elements=ELEMENTS)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        found[engine] = {name: array.tobytes() for name, array in np.load(output).items()}
    return found


@pytest.mark.parametrize("name", sorted(set(ZOO) - {"early_return"}))
def test_same_bytes(name: str, results: dict[str, dict[str, bytes]]) -> None:
    native, upstream = results["tilelang_runtime"], results["tilelang_runtime.tir"]
    ours = {key: data for key, data in native.items() if key.startswith(name + ".")}
    assert ours
    assert {key for key, data in ours.items() if upstream[key] != data} == set()
