"""One source file with its local includes, conditionals resolved, macros kept: input of the extraction.

Every file the closure of includes reaches is copied into a scratch folder with its ``#include`` lines resolved (next to
the including file, in the include folders, then by path suffix anywhere below the root) or blanked (everything else:
the standard library, CUDA, third parties). Then the compiler's ``-E -fdirectives-only`` does the rest.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from migrate.oracle.api import OracleError
from tilelang_runtime.support.compiler import Compiler
from tilelang_runtime.support.isolate import run_isolated

_INCLUDE = re.compile(r"^([ \t]*#[ \t]*(?:include|include_next|import)\b)([^\n]*)$", re.M)
_TARGET = re.compile(r'\s*([<"])([^>"\n]+)[>"]')
_MARKER = re.compile(r'#(?:line)? (\d+) "((?:[^"\\]|\\.)*)"')
_FILE_LIMIT, _TOTAL_LIMIT = 4 << 20, 16 << 20
# Vendored copies of these need the host toolchain they were written for; they are never part of a kernel's own text.
_FOREIGN = re.compile(r"(^|/)(cutlass|cute|cub|thrust|cuda/std|torch|ATen|c10)/")
_SOURCE_SUFFIXES = (
    ".h",
    ".hpp",
    ".hh",
    ".cuh",
    ".cu",
    ".inl",
    ".inc",
    ".c",
    ".cpp",
    ".cc",
    ".cxx",
    ".h.in",
    ".impl",
    ".tpp",
)
_SKIPPED_FOLDERS = {"node_modules", "__pycache__", "site-packages", "dist-packages"}
_OWN_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


@dataclass(frozen=True)
class SourceText:
    """``text`` without markers; line i of it (0-based) comes from ``files[origins[i][0]]``, line ``origins[i][1]``."""

    text: str
    files: tuple[str, ...]
    origins: tuple[tuple[int, int], ...]

    def origin(self, offset: int) -> tuple[str, int]:
        """(file, line) of a character offset."""
        index = self.text.count("\n", 0, offset)
        file, line = self.origins[min(index, len(self.origins) - 1)] if self.origins else (0, 0)
        return self.files[file] if self.files else "", line


def device_macros(arch: int) -> tuple[str, ...]:
    """What nvcc predefines while it compiles device code for compute capability ``arch`` / 100 (800: sm_80);
    ``arch`` 0: the host pass, with the include guards of the runtime's headers, which helper headers ask for."""
    device = (f"__CUDA_ARCH__={arch}", f"__CUDA_ARCH_LIST__={arch}")
    host = ("__DRIVER_TYPES_H__=1", "__CUDA_RUNTIME_H__=1", "__CUDA_RUNTIME_API_H__=1")
    return (
        *(device if arch else host), "__CUDACC__=1", "__NVCC__=1", "CUDART_VERSION=13000",
        "CUDA_VERSION=13000", "__CUDACC_VER_MAJOR__=13", "__CUDACC_VER_MINOR__=0", "__CUDACC_VER_BUILD__=0",
        "__cplusplus=201703L", "__linux__=1", "__x86_64__=1", "__LP64__=1", "__GNUC__=12", "__GNUC_MINOR__=2",
        "__CHAR_BIT__=8", "__SIZEOF_POINTER__=8",
    )  # fmt: skip


@lru_cache(maxsize=8)
def _index_of(root: str) -> dict[str, tuple[str, ...]]:
    """File name → paths below ``root`` that look like sources, symbolic links not followed."""
    found: dict[str, list[str]] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not _is_skipped(folder, f))
        for name in sorted(names):
            if name.endswith(_SOURCE_SUFFIXES):
                found.setdefault(name, []).append(os.path.join(folder, name))
    return {name: tuple(paths) for name, paths in found.items()}


def _is_skipped(parent: str, name: str) -> bool:
    """Version control, environments with their own copies of CUDA's headers, and ours where we lie below the root."""
    return name in _SKIPPED_FOLDERS or name.startswith(".") or os.path.join(parent, name) == _OWN_PACKAGE


def _resolve(target: str, quoted: bool, includer: str, folders: Sequence[str], root: str) -> str | None:
    if _FOREIGN.search(target):
        return None
    candidates = [os.path.dirname(includer)] if quoted else []
    candidates += folders
    if not quoted:
        candidates.append(os.path.dirname(includer))
    for folder in candidates:
        path = os.path.normpath(os.path.join(folder, target))
        if os.path.isfile(path) and _inside(path, (root, *folders)):
            return os.path.realpath(path)
    if not quoted and "/" not in target and "." not in target:
        return None  # a standard header: never a repository file of the same name by accident
    suffix = "/" + target.replace("../", "").replace("./", "")
    matches = [p for p in _index_of(root).get(os.path.basename(target), ()) if p.endswith(suffix)]
    if not matches:
        return None
    # The nearest: the longest common beginning with the including file, then the shortest path.
    matches.sort(key=lambda p: (-_common_length(p, includer), len(p), p))
    return os.path.realpath(matches[0]) if _inside(matches[0], (root, *folders)) else None


def _common_length(a: str, b: str) -> int:
    return len(os.path.commonpath([a, b]))


def _inside(path: str, folders: Sequence[str]) -> bool:
    """True when the real path lies below one of the folders: links out of the repository are not followed."""
    real = os.path.realpath(path)
    return any(real == f or real.startswith(f.rstrip("/") + "/") for f in map(os.path.realpath, folders))


def preprocess(
    file: Path, root: Path, include_dirs: Sequence[Path], defines: Sequence[str], arch: int, compiler: Compiler
) -> SourceText:
    """The device view of ``file``. Raises OracleError TLM705 (unreadable, too large, include loop, broken #if)."""
    root_text = os.path.realpath(root)
    folders = [os.path.realpath(d) for d in include_dirs]
    start = os.path.realpath(file)
    with tempfile.TemporaryDirectory(prefix="oracle-cpp-") as scratch:
        copies: dict[str, str] = {}
        pending, total = [start], 0
        names = {start: "0.cu"}
        while pending:
            path = pending.pop()
            text = _read(path)
            total += len(text)
            if total > _TOTAL_LIMIT:
                raise OracleError("TLM705", "the file and its includes exceed 16 MiB")

            def replace(match: re.Match[str], includer: str = path) -> str:
                target = _TARGET.match(match.group(2))
                if target is None or "include_next" in match.group(1):
                    return ""
                found = _resolve(target.group(2), target.group(1) == '"', includer, folders, root_text)
                if found is None:
                    return ""
                if found not in names:
                    names[found] = f"{len(names)}.cu"
                    pending.append(found)
                return f'#include "{names[found]}"'

            copies[path] = _INCLUDE.sub(replace, text)
        for path, text in copies.items():
            Path(scratch, names[path]).write_text(text, encoding="latin-1")
        macros = [*device_macros(arch), *defines]
        command = [*compiler.command, "-E", "-fdirectives-only", "-x", "c++", "-nostdinc", "-undef", "-w"]
        done = run_isolated(
            [*command, *(f"-D{m}" for m in macros), "0.cu", "-o", "out"],
            cwd=scratch,
            timeout_s=20,
            file_bytes=64 << 20,
            allow_processes=True,
        )
        if done.returncode != 0 and "argument" in done.stderr and "-fdirectives-only" in done.stderr:
            raise OracleError(
                "TLM704", f"{compiler.version} is too old (no -fdirectives-only): install g++ or a newer clang++"
            )
        if done.returncode != 0:
            reason = "took too long" if done.timed_out else _first_error(done.stderr, names)
            raise OracleError("TLM705", f"preprocessing failed: {reason}", detail=done.stderr[-2000:])
        raw = Path(scratch, "out").read_text(encoding="latin-1")
    original = {copy: os.path.relpath(path, root_text) for path, copy in names.items()}
    return _strip_markers(raw, original)


def _read(path: str) -> str:
    try:
        if os.path.getsize(path) > _FILE_LIMIT:
            raise OracleError("TLM705", f"{os.path.basename(path)} is larger than 4 MiB")
        text = Path(path).read_text(encoding="latin-1").replace("\r\n", "\n")
        return text[3:] if text.startswith("\xef\xbb\xbf") else text  # a byte-order mark
    except OSError as error:
        raise OracleError("TLM705", f"cannot read {os.path.basename(path)}: {error.strerror}") from error


def _first_error(output: str, names: dict[str, str]) -> str:
    for line in output.splitlines():
        if "error:" in line:
            for path, copy in names.items():
                if line.startswith(copy + ":"):
                    return os.path.basename(path) + line[len(copy) :]
            return line
    return output[-200:].strip()


def _strip_markers(raw: str, original: dict[str, str]) -> SourceText:
    files: list[str] = []
    index: dict[str, int] = {}
    lines: list[str] = []
    origins: list[tuple[int, int]] = []
    current, number = -1, 0
    for line in raw.split("\n"):
        marker = _MARKER.match(line)
        if marker:
            name = original.get(marker.group(2))
            if name is None:
                current = -1  # predefined macros, command line
            else:
                if name not in index:
                    index[name] = len(files)
                    files.append(name)
                current = index[name]
            number = int(marker.group(1))
            continue
        if current >= 0:
            # Directives begin in the first column, so that the lexer knows them from operators.
            lines.append(line.lstrip() if line.lstrip().startswith("#") else line)
            origins.append((current, number))
        number += 1
    return SourceText("\n".join(lines), tuple(files), tuple(origins))
