"""The clang command line for one translation unit.

Reasons (facts of the shim headers): ``-nostdinc`` keeps the system's headers out, so results do not depend on the
machine; ``-fno-spell-checking`` stops clang from correcting an unknown name to another one, which would silently change
the program; ``-fgpu-rdc`` allows ``extern __shared__`` of non-array type; KeepGoing keeps diagnostics coming after a
missing header; ``-fno-access-control`` lets uses of private members be added (uses.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

HEADERS: Final = Path(__file__).parent / "headers"
SHIM_FOLDERS: Final = ("cuda", "third", "mini")
SHIM_HEADER: Final = "__cushim.h"
KEEP_GOING: Final = 0x200  # CXTranslationUnit_KeepGoing
INCOMPLETE: Final = 0x02  # CXTranslationUnit_Incomplete: a header on its own
DEFAULT_ARCH: Final = "sm_80"
_NEWEST_KNOWN: Final = 90  # libclang 18 knows nothing above sm_90a; __CUDA_ARCH__ is then defined by hand


def arch_number(arch: str) -> int:
    """``sm_80`` or ``compute_90a`` → 80, 90. Raises ValueError for anything else."""
    digits = arch.rpartition("_")[2].rstrip("af")
    if not arch.startswith(("sm_", "compute_")) or not digits.isdigit():
        raise ValueError(f"not a CUDA architecture: {arch!r} (expected something like sm_80)")
    return int(digits)


def base_flags(arch: str = DEFAULT_ARCH) -> list[str]:
    """Flags that every parse shares, without the force-included shim, include folders and defines."""
    number = arch_number(arch)
    suffix = "a" if number == _NEWEST_KNOWN and arch.endswith("a") else ""
    flags = [
        "-x",
        "cuda",
        "--cuda-device-only",
        f"--cuda-gpu-arch=sm_{min(number, _NEWEST_KNOWN)}{suffix}",
        "-nocudainc",
        "-nocudalib",
        "-fgpu-rdc",
        "-std=c++17",
        "-ferror-limit=0",
        "-Wno-everything",
        "-fno-spell-checking",
        "-fno-access-control",
        "-nostdinc",
        "-nostdinc++",
        "-I",
        str(HEADERS / "cuda"),
        "-isystem",
        str(HEADERS / "third"),
        "-isystem",
        str(HEADERS / "mini"),
    ]
    if number > _NEWEST_KNOWN:
        flags += ["-U__CUDA_ARCH__", f"-D__CUDA_ARCH__={number * 10}"]
    return flags


def clang_flags(
    arch: str = DEFAULT_ARCH,
    *,
    include_dirs: Sequence[str | Path] = (),
    defines: Sequence[str] = (),
    pch: Path | None = None,
) -> list[str]:
    """All flags for one file; ``defines`` are ``NAME`` or ``NAME=VALUE``, ``pch`` is the precompiled shim or None.

    A precompiled shim must have been built with the same ``arch`` (migrate.parse.precompiled).
    """
    shim = ["-include-pch", str(pch)] if pch is not None else ["-include", SHIM_HEADER]
    flags = base_flags(arch) + shim
    for folder in include_dirs:
        flags += ["-I", str(folder)]
    flags += [f"-D{define}" for define in defines]
    return flags
