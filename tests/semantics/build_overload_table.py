"""Ask nvcc for the overload-and-type table and write docs/overload-types.tsv: ``python build_overload_table.py``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from overload_calls import all_calls
from overload_table import TABLE, probe, table_from_ptx, table_text

NVCC_PREAMBLE = """\
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
"""


def main() -> int:
    """Write the table; exit status 1 with nvcc's messages if it does not compile the probe."""
    calls = all_calls()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.cu"
        source.write_text(probe(calls, NVCC_PREAMBLE), encoding="utf-8")
        output = source.with_suffix(".ptx")
        command = ["nvcc", "-ptx", "-std=c++17", "-arch=sm_90", "-w", "-o", str(output), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stderr[-8000:], file=sys.stderr)
            return 1
        table = table_from_ptx(calls, output.read_text(encoding="utf-8"))
    TABLE.write_text(table_text(table), encoding="utf-8")
    print(f"{len(table)} of {len(calls)} calls are well-formed; written {TABLE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
