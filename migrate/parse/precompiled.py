"""The shim headers as a precompiled header, one per architecture and libclang, in the cache."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from clang import cindex

from migrate.parse.flags import HEADERS, INCOMPLETE, KEEP_GOING, SHIM_HEADER, base_flags
from tilelang_runtime.support.cache import cache_root, key_of


@cache
def headers_state() -> str:
    """Key over path, size and time of every shim header: clang checks the same when it loads a precompiled header."""
    parts = [str(HEADERS)]
    for folder, _, files in os.walk(HEADERS):
        for name in files:
            status = os.stat(os.path.join(folder, name))
            parts.append(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}")
    return key_of(*sorted(parts))


@cache
def library_version() -> str:
    """Version line of the loaded libclang."""
    library = cindex.conf.lib
    library.clang_getClangVersion.restype = cindex._CXString
    library.clang_getClangVersion.argtypes = []
    library.clang_getClangVersion.errcheck = cindex._CXString.from_result
    return str(library.clang_getClangVersion())


@cache
def shim_pch(arch: str) -> Path | None:
    """Path of the precompiled shim, built on first use; None if it cannot be built (then the shim is just included).

    Racing processes each write a file of their own and rename it: the last one wins with the same contents.
    """
    key = key_of(headers_state(), library_version(), *base_flags(arch))
    folder = cache_root() / "pch" / key[:2]
    target = folder / f"{key}.pch"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    options = INCOMPLETE | KEEP_GOING | cindex.TranslationUnit.PARSE_PRECOMPILED_PREAMBLE
    handle, scratch = tempfile.mkstemp(suffix=".tmp", dir=folder)
    os.close(handle)
    try:
        unit = cindex.Index.create().parse(str(HEADERS / "cuda" / SHIM_HEADER), args=base_flags(arch), options=options)
        if any(item.severity >= cindex.Diagnostic.Error for item in unit.diagnostics):
            return None
        unit.save(scratch)
        os.replace(scratch, target)
    except (cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError, OSError):
        return None
    finally:
        if os.path.exists(scratch):
            os.unlink(scratch)
    return target
