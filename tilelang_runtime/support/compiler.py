"""Find a host C++ compiler and turn source text into a shared library, cached by content."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import util as importlib_util
from pathlib import Path

from tilelang_runtime.support.cache import cache_root


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: the command prefix, its family and its version line."""

    command: tuple[str, ...]
    family: str  # gcc, clang
    version: str


class CompileError(Exception):
    """The compiler said no; ``output`` is what it printed."""

    def __init__(self, output: str):
        super().__init__(output[-2000:])
        self.output = output


@cache
def find_compiler() -> Compiler | None:
    """$CXX, g++, clang++, then ``python -m ziglang c++``; None if there is none."""
    candidates: list[tuple[str, ...]] = []
    if os.environ.get("CXX"):
        candidates.append(tuple(os.environ["CXX"].split()))
    candidates += [("g++",), ("clang++",)]
    for command in candidates:
        if shutil.which(command[0]):
            version = _version(command)
            if version:
                return Compiler(command, "clang" if "clang" in version else "gcc", version)
    if importlib_util.find_spec("ziglang"):
        command = (sys.executable, "-m", "ziglang", "c++")
        return Compiler(command, "clang", _version(command) or "zig")
    return None


def _version(command: tuple[str, ...]) -> str | None:
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else None


@cache
def cpu_identity() -> str:
    """CPU flags and libc build: glibc picks math variants by CPU, so both belong to every cache key."""
    flags = ""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith(("flags", "Features")):
                flags = line
                break
    except OSError:
        pass
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else ""
    return hashlib.sha256(f"{flags}|{libc}".encode()).hexdigest()[:16]


def compiled_folder() -> Path:
    """Where compiled libraries are kept."""
    return cache_root() / "so"


def build_shared(
    sources: Sequence[tuple[str, str]],
    flags: Sequence[str],
    *,
    compiler: Compiler | None = None,
    timeout_s: float = 120,
) -> Path:
    """Compiles ``sources`` ((file name, text) pairs; every .cpp is a unit, the rest are headers) into one cached .so.

    The key covers texts, flags, compiler version and CPU.
    Raises CompileError, subprocess.TimeoutExpired, RuntimeError (no compiler).
    """
    found = compiler or find_compiler()
    if found is None:
        raise RuntimeError("no C++ compiler found: install g++ or clang++, or `pip install tilelang-migrate[compiler]`")
    digest = hashlib.sha256()
    for part in (found.version, cpu_identity(), *flags):
        digest.update(part.encode() + b"\0")
    for name, text in sources:
        digest.update(name.encode() + b"\0" + text.encode() + b"\0")
    folder = compiled_folder() / digest.hexdigest()[:2]
    target = folder / f"{digest.hexdigest()}.so"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as scratch:
        for name, text in sources:
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        units = [name for name, _ in sources if name.endswith(".cpp")]
        output = Path(scratch) / "out.so"
        command = [*found.command, "-shared", "-fPIC", *flags, *units, "-o", str(output)]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=timeout_s, check=False)
        if done.returncode != 0:
            raise CompileError(done.stderr)
        os.replace(output, target)  # atomic: a killed build leaves nothing half-written
    return target
