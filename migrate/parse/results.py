"""What parsing gives: plain data that pickles."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Literal

from migrate.diagnostics import Diagnostic
from migrate.ir.kernel import Kernel
from migrate.ir.launch import HostParameter, LaunchSite, TextureFact
from migrate.parse.flags import DEFAULT_ARCH

FileStatus = Literal["parsed", "unreadable", "no_kernels", "failed"]


class Seen(IntEnum):
    """How much of a kernel one translation unit saw; the best version over the repository wins."""

    TEXT = 0  # the lexer only
    BROKEN = 1  # in the AST, with errors in it
    DEFAULTED = 2  # never instantiated; its default template arguments were used
    USED = 3  # intact


@dataclass(frozen=True)
class PassedTexture:
    """What every caller passes for a texture parameter: an object with these facts, or the global ``variable``.

    ``settled``: channel formats among the launching file's globals that no other file can set.
    """

    parameter: HostParameter
    fact: TextureFact
    variable: str = ""
    settled: tuple[str, ...] = ()


@dataclass(frozen=True)
class AskedFunction:
    """Uses of a function in one file. ``mentions``: calls and declarations in the file itself; ``defined``: the types
    that it is defined with anywhere in the unit; ``passed``: what calls pass for textures."""

    name: str
    mentions: int
    defined: tuple[str, ...]
    passed: tuple[PassedTexture, ...]


@dataclass(frozen=True)
class KernelRecord:
    """One kernel: (file, line, name) of a ``__global__`` body.

    ``instantiations``: what was built, one per used instantiation; ``refusals``: one per instantiation (or per kernel)
    that was not, with the C++ names in ``refused_names`` (same order; empty string for the kernel as a whole).
    ``start_line`` is that of ``template`` or ``__global__``. ``include_dirs`` and ``defines`` are those of the
    translation unit that gave this version, for building the original; ``given``: what other files told it.
    """

    id: str
    file: str
    line: int
    end_line: int
    name: str
    instantiations: tuple[Kernel, ...]
    refusals: tuple[Diagnostic, ...]
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    start_line: int = 0
    refused_names: tuple[str, ...] = ()
    seen: Seen = Seen.TEXT
    unit: str = ""
    given: tuple[PassedTexture, ...] = ()


@dataclass(frozen=True)
class FileResult:
    """One source file as a translation unit. ``path`` and ``included`` are posix, relative to the root.

    ``kernels`` also holds those of included files; `merge_results` makes one list out of all results.
    """

    path: str
    sha256: str
    status: FileStatus
    kernels: tuple[KernelRecord, ...] = ()
    launches: tuple[LaunchSite, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    included: tuple[str, ...] = ()
    parse_cpu_s: float = 0.0
    build_cpu_s: float = 0.0
    cached: bool = False
    asked: tuple[AskedFunction, ...] = ()


@dataclass(frozen=True)
class ParseOptions:
    """How to parse. ``include_dirs`` (absolute or relative to the root) and ``defines`` hold for every file;
    ``compile_commands`` names a JSON compilation database that adds to them per file.

    ``instantiate``: C++ names such as ``reduce<float, 256>`` that are instantiated in every file that has the
    template. ``timeout_s``: wall clock per file; ``memory_mb``: address space of a worker. ``asked``: functions whose
    calls are reported (`FileResult.asked`); ``given``: what callers in other files pass (see `texture_callers`).
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    arch: str = DEFAULT_ARCH
    timeout_s: float = 60.0
    jobs: int = 1
    compile_commands: Path | None = None
    instantiate: tuple[str, ...] = ()
    memory_mb: int = 4096
    use_cache: bool = True
    asked: tuple[str, ...] = ()
    given: tuple[PassedTexture, ...] = ()


@dataclass(frozen=True)
class FileJob:
    """One request to a worker: everything that decides the result, apart from the contents of files."""

    root: str
    path: str
    arch: str
    include_dirs: tuple[str, ...]
    defines: tuple[str, ...]
    instantiate: tuple[str, ...]
    headers: tuple[str, ...] = field(repr=False, default=())
    asked: tuple[str, ...] = ()
    given: tuple[PassedTexture, ...] = ()
