"""CUDA text to PTX by nvcc or NVRTC, without contraction, in the sandbox."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from migrate.oracle.api import OracleError, OracleRequest
from migrate.oracle.extract import Extract
from migrate.oracle.ptx import libm
from tilelang_runtime.support.isolate import run_isolated

_TIMEOUT_S = 90.0
# The oldest architecture that current compilers know.
OLDEST_ARCH = 750
_ERROR = re.compile(
    r"^(?P<file>[^:\n(]+)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<message>.*)$", re.M
)
_HEADERS = (
    ("half", ("cuda_fp16.h", "cuda_bf16.h")),
    ("fp8", ("cuda_fp8.h",)),
    ("complex", ("cuComplex.h",)),
    ("groups", ("cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h")),
    ("coalesced", ("cooperative_groups.h",)),
    ("grid_sync", ("cooperative_groups.h",)),
    ("wmma", ("mma.h",)),
    ("pipeline", ("cuda_pipeline.h", "cooperative_groups.h", "cooperative_groups/memcpy_async.h")),
)
_ALWAYS = ("stdint.h", "stddef.h", "float.h", "limits.h", "math.h", "stdio.h", "assert.h", "cmath", "algorithm",
           "type_traits", "utility", "limits")  # fmt: skip


@dataclass(frozen=True)
class PtxText:
    """PTX and the folder in which it was compiled: names of ``.file`` are below it. ``whole_file``: from the original
    file itself, with libm as device headers have it."""

    text: str
    folder: str
    whole_file: bool
    cpu_s: float


@cache
def nvcc() -> str | None:
    """The CUDA compiler driver on PATH or below CUDA_HOME."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    below = str(Path(home, "bin", "nvcc")) if home else None
    return shutil.which("nvcc") or (below if below and os.access(below, os.X_OK) else None)


@cache
def nvcc_version() -> str:
    """What nvcc says of itself; part of cache keys."""
    program = nvcc()
    if program is None:
        return ""
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=60).stdout


def cuda_text(part: Extract, request: OracleRequest) -> str:
    """The translation unit: CUDA's headers, libm kept out of line, the extracted text, the export."""
    lines = [f"#include <{name}>" for name in _ALWAYS]
    half = {"half"} if re.search(r"half|bfloat16", request.cpp_name) else set()
    for feature, names in _HEADERS:
        if feature in part.uses | half:
            lines += [f"#include <{name}>" for name in names]
    return "\n".join(lines) + "\n" + libm.prelude() + part.cuda + export_text(part, request)


def file_text(part: Extract, request: OracleRequest) -> str:
    """The same from the original file, where the extracted text is no valid CUDA."""
    return f'#include "{request.start.resolve()}"\n' + export_text(part, request)


def export_text(part: Extract, request: OracleRequest) -> str:
    """Makes the compiler emit the kernel, name it, and state its parameters."""
    opening = "".join(f"namespace {s} {{ " if s else "namespace { " for s in part.scopes)
    name = request.cpp_name.replace("(anonymous namespace)::", "")
    return f"""
#line 1 "oracle export"
template <class T> struct oracle_is_pointer {{ static constexpr unsigned value = 0; }};
template <class T> struct oracle_is_pointer<T*> {{ static constexpr unsigned value = 1; }};
template <class F> struct oracle_signature;
template <class... A> struct oracle_signature<void (*)(A...)> {{
  unsigned values[sizeof...(A) + 1] = {{(unsigned)(sizeof(A) * 2 + oracle_is_pointer<A>::value)..., ~0u}};
}};
{opening}
__device__ __attribute__((used)) void* oracle_entry = (void*)&{name};
__device__ __attribute__((used)) oracle_signature<decltype(&{name})> oracle_parameters = {{}};
{"}" * len(part.scopes)}
"""


def flags_of(request: OracleRequest, optimised: bool) -> list[str]:
    """nvcc's options: no contraction, lines, and for ``run`` builds the branches as written."""
    arch = max(request.arch, OLDEST_ARCH) // 10
    flags = ["-ptx", "-fmad=false", f"-arch=sm_{arch}", "-lineinfo", "-std=c++17", "-w"]
    flags += ["--expt-relaxed-constexpr", "--extended-lambda"]
    return flags if optimised else [*flags, "-Xcicc", "-O0"]


def compile_ptx(part: Extract, request: OracleRequest, optimised: bool, scratch: Path) -> PtxText:
    """Raises OracleError TLM710 (no compiler), TLM711 (the text is refused)."""
    program = nvcc()
    if program is None:
        raise OracleError("TLM710", "no CUDA compiler found: install nvcc", part.line)
    first = _call(program, cuda_text(part, request), flags_of(request, optimised), scratch, [])
    if first[0]:
        return PtxText(first[0], str(scratch), False, first[2])
    includes = [f"-I{d}" for d in (request.start.parent, *request.include_dirs)]
    defines = [f"-D{d}" for d in request.defines]
    flags = [*flags_of(request, optimised), *includes, *defines]
    readable = [request.root, request.start.parent, *request.include_dirs]
    second = _call(program, file_text(part, request), flags, scratch, readable)
    if second[0]:
        return PtxText(second[0], str(scratch), True, first[2] + second[2])
    found = _ERROR.search(first[1])
    inside = found is not None and not found.group("file").startswith(("/", "oracle"))
    line = int(found.group("line")) if found is not None and inside else part.line
    message = found.group("message") if found is not None else first[1].strip()[-300:]
    raise OracleError("TLM711", f"nvcc does not compile the kernel: {message}", line, first[1][-2000:])


def _call(program: str, text: str, flags: list[str], scratch: Path, readable: list[Path]) -> tuple[str, str, float]:
    (scratch / "unit.cu").write_text(text, encoding="latin-1")
    toolkit = Path(program).resolve().parent.parent
    done = run_isolated(
        [program, *flags, "unit.cu", "-o", "unit.ptx"],
        cwd=scratch,
        timeout_s=_TIMEOUT_S,
        file_bytes=256 << 20,
        readable=[toolkit, *readable],
        allow_processes=True,
    )
    output = scratch / "unit.ptx"
    if done.returncode != 0 or not output.is_file():
        reason = "compiling took too long" if done.timed_out else done.stderr + done.stdout
        return "", reason, done.cpu_s
    result = output.read_text("utf-8", "replace")
    output.unlink()
    return result, "", done.cpu_s
