"""What this machine has: found without importing anything heavy."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from importlib import metadata

from tilelang_runtime.support.compiler import find_compiler
from tilelang_runtime.support.isolate import isolation_report


@dataclass(frozen=True)
class Part:
    """One part: its name, what was found (empty: absent), what it enables, whether the core needs it."""

    name: str
    found: str
    enables: str
    needed: bool = False


def inspect_machine() -> list[Part]:
    """All parts in a fixed order."""
    compiler = find_compiler()
    described = f"{' '.join(compiler.command)}: {compiler.version}" if compiler else ""
    return [
        Part("libclang", _version("libclang"), "reading CUDA", needed=True),
        Part(
            "C++ compiler", described, "running originals and ports (oracle engine shim, runtime engine native)", True
        ),
        Part("tilelang", _version("tilelang"), "the lowered column: ports through the real compiler; engine tir"),
        Part("torch", _version("torch"), "needed by the real tilelang; torch arrays"),
        Part("nvcc", _first_line(["nvcc", "--version"], "release"), "oracle engine ptx; cubin check of lowered ports"),
        Part("NVRTC", _version("nvidia-cuda-nvrtc"), "oracle engine ptx where nvcc is absent (not built yet)"),
        Part("GPU", _first_line(["nvidia-smi", "-L"], "GPU"), "running on hardware (not built yet)"),
        Part("sandbox", _active_parts(), "isolation of originals and ports while they run"),
    ]


def _active_parts() -> str:
    return ", ".join(sorted(name for name, active in isolation_report().items() if active))


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _first_line(command: list[str], word: str) -> str:
    if not shutil.which(command[0]):
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((line.strip() for line in done.stdout.splitlines() if word in line), "")
