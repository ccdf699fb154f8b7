"""A self-contained runner for a machine with a GPU: originals, ports, cases and what the oracle made of them.

The bundle folder holds one folder a kernel (``kernel.json``, ``original.cu``, ``original.cubin`` where nvcc is here,
``cases/<n>/`` with case.json, case.bin, oracle.bin and, for kernels whose math functions are not exact on a device,
low.bin and high.bin: see `migrate.verify.envelope`), a copy of the port package, and ``run_bundle.py``, which needs
only numpy, torch, the real tilelang and the CUDA driver there.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.ir.kernel import Kernel
from migrate.oracle.api import OracleBuild, OracleError
from migrate.verify.envelope import Envelope
from migrate.verify.port_process import PortJob, launcher_arguments
from migrate.verify.trial import Accepted

PRELUDE = """\
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cassert>
#include <algorithm>
#include <type_traits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
// the extracted text reads dynamic shared memory through this name
extern __shared__ __align__(16) unsigned char oracle_dynamic_shared[];
"""
_TEXT_SECTION = re.compile(rb"\x00\.text\.([A-Za-z_][A-Za-z0-9_]*)\x00")


@dataclass(frozen=True)
class BundleOptions:
    """Where the bundle goes and what the originals are compiled for."""

    folder: Path
    arch: str = "sm_90"
    max_cases: int = 4
    max_bytes: int = 4 << 20


def save_kernel(
    options: BundleOptions,
    kernel: Kernel,
    build: OracleBuild,
    accepted: Sequence[Accepted],
    job: PortJob,
    envelope_of: Callable[[Accepted], Envelope | None],
) -> Path:
    """Writes one kernel into the bundle and returns its folder. The smallest cases that fit the limits are taken.

    ``envelope_of``: bounds of a case's results on a device, None where they must be equal; it may raise OracleError,
    and then the bundle says why there are none.
    """
    name = re.sub(r"[^A-Za-z0-9_]+", "_", f"{kernel.id}_{kernel.symbol}")[-120:]
    folder = options.folder / "kernels" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text = original_text(kernel, build)
    (folder / "original.cu").write_text(text)
    entry, message = compile_original(folder, options.arch)
    cases: list[dict[str, Any]] = []
    # A device is held to defined values only.
    small = [item for item in accepted if item.case.total_bytes <= options.max_bytes and item.undefined is None]
    # the last ones come from the search for arcs, the first ones are the plan's own sizes: take from both ends
    half = options.max_cases - options.max_cases // 2
    chosen = small if len(small) <= options.max_cases else small[:half] + small[-(options.max_cases // 2) :]
    for index, item in enumerate(chosen):
        place = folder / "cases" / str(index)
        item.case.save(place, item.before.tobytes())
        (place / "oracle.bin").write_bytes(item.original.tobytes())
        described: dict[str, Any] = {"folder": str(index), "arguments": launcher_arguments(item.case, job.parameters)}
        try:
            envelope = envelope_of(item)
        except OracleError as error:
            described["envelope_notes"] = [f"no envelope: {error.message} [{error.code}]"]
        else:
            if envelope is not None:
                (place / "low.bin").write_bytes(envelope.low.tobytes())
                (place / "high.bin").write_bytes(envelope.high.tobytes())
                described["envelope_notes"] = list(envelope.notes)
        cases.append(described)
    description = {
        "kernel": kernel.id,
        "symbol": kernel.symbol,
        "entry": entry,
        "compile_message": message,
        "module": job.module,
        "launcher": job.launcher,
        "signature": [size for _, size in build.signature],
        "cases": cases,
    }
    (folder / "kernel.json").write_text(json.dumps(description, indent=1))
    return folder


def original_text(kernel: Kernel, build: OracleBuild) -> str:
    """The extracted original as a file that nvcc compiles: includes in front, the instantiation forced behind."""
    return f"{PRELUDE}\n{build.text}\n\nstatic const auto migrate_entry = &{kernel.cpp_name};\n"


def compile_original(folder: Path, arch: str) -> tuple[str, str]:
    """(mangled entry name, compiler's message). Without nvcc or on an error the name is empty."""
    if shutil.which("nvcc") is None:
        return "", "nvcc is not installed here"
    command = ["nvcc", "--cubin", "-O3", "-std=c++17", f"-arch={arch}", "-fmad=false", "-w"]
    command += ["original.cu", "-o", "original.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        return "", done.stderr[-2000:]
    names = set(_TEXT_SECTION.findall((folder / "original.cubin").read_bytes()))
    if len(names) != 1:
        return "", f"{len(names)} kernels in the compiled original"
    return names.pop().decode(), ""


def finish_bundle(folder: Path, port_dir: Path) -> None:
    """Copies the ports and the runner into the bundle."""
    shutil.copytree(
        port_dir, folder / "port", dirs_exist_ok=True, ignore=shutil.ignore_patterns(".migrate", "__pycache__")
    )
    shutil.copyfile(Path(__file__).with_name("bundle_runner.py"), folder / "run_bundle.py")
