"""Launchers under the bundled runtime: arguments, preconditions, results."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from rules.zoo import ZOO

from migrate.emit.port_file import SourceFile, emit_port, support_files

PRELUDE = """
import sys
import numpy as np
import tilelang_runtime
tilelang_runtime.activate()
sys.path.insert(0, sys.argv[1])
from out.src.saxpy_cu_tl import saxpy
x = np.arange(1000, dtype=np.float32)
y = np.ones(1000, dtype=np.float32)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("launch")
    ports = [
        emit_port(SourceFile(f"src/{name}.cu", "0" * 64), [ZOO[name]])
        for name in ("saxpy", "globals_", "block_sum", "scalar_types")
    ]
    files = support_files(port.path for port in ports) | {port.path: port.text for port in ports}
    for path, text in files.items():
        (folder / "out" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "out" / path).write_text(text)
    return folder


def run(package: Path, body: str) -> str:
    """What a program on the bundled runtime prints."""
    program = PRELUDE + textwrap.dedent(body)
    done = subprocess.run(
        [sys.executable, "-c", program, str(package)], capture_output=True, text=True, timeout=170, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_results_and_forms_of_arguments(package: Path) -> None:
    printed = run(
        package,
        """
        saxpy(900, np.float32(2), x, y, grid=4, block=256)
        assert np.array_equal(y[:900], 2 * x[:900] + 1) and (y[900:] == 1).all()
        y[:] = 0
        saxpy(10, 3.0, (x, 5), (y, 100), grid=(1, 1, 1), block=(32,))
        assert np.array_equal(y[100:110], 3 * x[5:15]) and y[110] == 0
        y[:] = 0
        saxpy(n=4, a=np.array([1], np.float32).tobytes(), x=x.view(np.uint32), y=y.reshape(10, 100), grid=1, block=8)
        assert y[3] == 3
        saxpy(900, 2.0, x, y, grid=0, block=256)
        saxpy(0, 2.0, x, y, grid=1, block=256)
        assert y[3] == 3
        print("done")
        """,
    )
    assert printed.strip() == "done"


def test_preconditions(package: Path) -> None:
    printed = run(
        package,
        """
        def fails(error, word, **change):
            call = {"n": 4, "a": 1.0, "x": x, "y": y, "grid": 1, "block": 32} | change
            try:
                saxpy(**call)
            except error as found:
                assert word in str(found), found
                return
            raise SystemExit(f"nothing raised for {change}")

        fails(ValueError, "1024", block=2048)
        fails(ValueError, "1024", block=0)
        fails(ValueError, "axes", block=(32, 2))
        fails(ValueError, "axes", grid=(1, 2))
        fails(ValueError, "overflow", grid=2**23, block=256)
        fails(ValueError, "null pointer", x=None)
        fails(ValueError, "contiguous", x=x[::2])
        fails(ValueError, "outside", x=(x, 1001))
        fails(ValueError, "one to three", grid=(1, 1, 1, 1))
        print("done")
        """,
    )
    assert printed.strip() == "done"


def test_struct_constant_table_and_device_global(package: Path) -> None:
    printed = run(
        package,
        """
        import struct
        from out.src.globals__cu_tl import globals_
        out, counter = np.zeros(8, np.float32), np.zeros(1, np.uint32)
        globals_(8, out, struct.pack("<fI", 2.0, 5), counter=counter, grid=1, block=8)
        assert np.array_equal(out, [0.5, 1, 1.5, 2] * 2) and counter[0] == 40
        globals_(8, out, (4.0, 1), counter=counter, weights=np.ones(4, np.float32), grid=1, block=8)
        assert (out == 4).all() and counter[0] == 48
        print("done")
        """,
    )
    assert printed.strip() == "done"


def test_block_sum(package: Path) -> None:
    printed = run(
        package,
        """
        from out.src.block_sum_cu_tl import block_sum
        out = np.zeros(4, np.float32)
        block_sum(1000, x, out, grid=4, block=256)
        print(out.sum() == x.sum())
        """,
    )
    assert printed.strip() == "True"


def test_scalars_of_types_that_upstream_cannot_pass_keep_their_bits(package: Path) -> None:
    printed = run(
        package,
        """
        import ml_dtypes
        from out._launch import fields, value
        from out.src.scalar_types_cu_tl import scalar_types
        assert value(2**64 - 1, "uint64") == -1 and value(np.uint64(2**63), "uint64") == -(2**63)
        assert value(True, "bool") == 1 and value(300, "uint8") == 44 and value(200, "int8") == -56
        assert value(1.5, "float16") == 0x3E00 and value(-2.0, "bfloat16") == 0xC000
        assert value(np.array(0x7D01, np.uint16).view(np.float16)[()], "float16") == 0x7D01  # a signalling NaN
        rng = np.random.default_rng(3)
        floats = rng.standard_normal(2000) * 10.0 ** rng.integers(-42, 38, 2000)
        singles = floats.astype(np.float32)
        wanted = singles.astype(ml_dtypes.bfloat16).view(np.uint16)
        assert [value(float(x), "bfloat16") for x in singles] == wanted.tolist()
        assert value(1 + 2**-8 + 2**-40, "bfloat16") == 0x3F81 and value(1 + 3 * 2**-8 - 2**-40, "bfloat16") == 0x3F81
        assert value(float("inf"), "bfloat16") == 0x7F80 and value(float("nan"), "bfloat16") & 0x7FFF > 0x7F80
        raw = np.array([2**64 - 2], np.uint64).tobytes() + np.array([1.5], np.float16).tobytes()
        assert fields(raw, [(0, "uint64"), (8, "float16")]) == [-2, 0x3E00]
        out = np.zeros(64)
        for on in (False, True):
            big = 2**64 - 2**40
            scalar_types(out=out, n=40, p_uint64=big, p_bool=on, p_int8=-7, p_uint8=200, p_int16=-3000,
                         p_uint16=60000, p_float16=np.float16(0.1), p_bfloat16=1.5, p_uint32=2**32 - 1,
                         grid=1, block=64)
            total = float(big)
            for part in (-7, 200, -3000, 60000, float(np.float16(0.1)), 1.5, 2**32 - 1):
                total = total * 3.0 + part
            assert (out[:40] == (total if on else -total)).all() and (out[40:] == 0).all()
        print("ok")
        """,
    )
    assert printed.strip() == "ok"
