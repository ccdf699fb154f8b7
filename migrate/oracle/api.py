"""What the rest of the program uses of the oracle: build a kernel's original text for this CPU, run it on a case.

The work is done in sibling modules, imported on first use so that the data types stay cheap to import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

BuildKind = Literal["run", "check", "literal", "moved"]
Engine = Literal["shim", "ptx"]
Schedule = Literal["contract", "reversed"] | int
Moved = Literal["up", "down"] | int
RunStatus = Literal["ok", "crashed", "timed_out", "deadlock", "out_of_memory", "out_of_bounds", "bad_launch"]


@dataclass(frozen=True)
class OracleRequest:
    """One kernel instantiation of a repository.

    ``cpp_name``: an expression that names the instantiation (``reduce<float, 256>``), qualified by its namespaces or
    not. ``line``: line of the kernel in ``file`` (chooses among several of the same name; 0: the first).
    ``defines``: ``NAME`` or ``NAME=VALUE``. ``arch``: the value of ``__CUDA_ARCH__``. ``unit``: the file that includes
    ``file`` and was compiled, None for ``file`` itself: a header's kernel may need what stands before the ``#include``.
    """

    root: Path
    file: Path
    name: str
    cpp_name: str
    line: int = 0
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    arch: int = 800
    unit: Path | None = None

    @property
    def start(self) -> Path:
        """The file that a compiler is given."""
        return self.unit or self.file


@dataclass(frozen=True)
class Arc:
    """One outcome of a branch of the original (kernel or device callee).

    ``outcome``: which way out, as text (``1 of 2, to line 14``). ``file`` is relative to the root where possible.
    ``stops``: whatever happens afterwards, the kernel ends with an error (a trap) and never returns.
    """

    line: int
    text: str
    outcome: str
    file: str = ""
    function: str = ""
    stops: bool = False


@dataclass(frozen=True)
class OracleBuild:
    """A compiled kernel.

    ``signature``: (C++ type, size in bytes) a parameter. ``symbols``: (name, bytes) of each ``__constant__`` or
    ``__device__`` variable the kernel can reach. ``uses``: notable features of the text (see `extract.feature_names`).
    ``synchronises``: false when the kernel runs as a plain loop. ``text``: the extracted original. ``counts_arcs``:
    false when this build cannot see branches (check and moved builds; with compilers other than g++ one arc that is
    never taken stands for them all).
    """

    request: OracleRequest
    kind: BuildKind
    library: Path
    signature: tuple[tuple[str, int], ...]
    synchronises: bool
    arcs: tuple[Arc, ...]
    uses: frozenset[str]
    text: str
    symbols: tuple[tuple[str, int], ...]
    cpu_s: float = 0.0
    counts_arcs: bool = True
    engine: Engine = "shim"


@dataclass(frozen=True)
class Event:
    """An operation that plain C++ and CUDA define differently: signed_overflow, shift, float_cast, division_by_zero.

    Or an access on which a device faults and a CPU does not: misaligned (line 0: inside a function such as `__ldg`).
    """

    kind: str
    line: int
    count: int
    file: str = ""


@dataclass(frozen=True)
class Finding:
    """What the check build saw.

    kind: ``race`` (bytes changed by both or read), ``benign_race`` (same value written), ``out_of_bounds``,
    ``uninitialised_read`` (shared memory), ``barrier_divergence``, ``inactive_lane``, ``warp_divergence``. ``root``:
    root name, or ``shared``. ``other_line``: the other access of a race.
    """

    kind: str
    line: int
    count: int
    message: str
    root: str = ""
    other_line: int = 0
    file: str = ""

    @property
    def both_write(self) -> bool:
        """Of a race: whether both accesses are writes (runtime/access.cpp words its messages so)."""
        return self.message.startswith("two threads write")

    @property
    def reads_after(self) -> bool:
        """Of a race: whether this access reads what the other wrote."""
        return self.message.startswith("a thread reads")


@dataclass(frozen=True)
class AccessExtent:
    """Bytes touched, relative to the pointer argument (or the root's start); half-open; None: never.

    ``read_before_write``: some byte was read that the launch had not written before, so its contents are an input.
    """

    read_lo: int | None = None
    read_hi: int | None = None
    write_lo: int | None = None
    write_hi: int | None = None
    read_before_write: bool = False


@dataclass(frozen=True)
class OracleRun:
    """One run. ``output`` has the layout of case.bin (guard bands included) and exists only when status is ``ok``.

    ``arcs_taken``: one byte (0 or 1) an arc of the build. ``extents``: one an argument, None for scalars;
    ``root_extents`` by root name (both: check build only).
    """

    status: RunStatus
    message: str
    output: Path
    arcs_taken: bytes
    events: tuple[Event, ...] = ()
    findings: tuple[Finding, ...] = ()
    extents: tuple[AccessExtent | None, ...] = ()
    root_extents: Mapping[str, AccessExtent] = field(default_factory=dict)
    cpu_s: float = 0.0


class OracleError(Exception):
    """The oracle cannot take this kernel: a diagnostic code, a sentence and a line of the original (0: unknown)."""

    def __init__(self, code: str, message: str, line: int = 0, detail: str = ""):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.line = line
        self.detail = detail


def build(request: OracleRequest, kind: BuildKind = "run", engine: Engine = "shim") -> OracleBuild:
    """Extracts and compiles the kernel; cached by content.

    ``run``: branch coverage, fastest. ``check``: access extents, races, out-of-bounds, uninitialised reads, events.
    ``literal``: like ``check``, without the compiler's optimisations: loads whose value is not used are seen as well.
    ``moved``: no coverage; math functions whose error CUDA only bounds give results moved inside that bound (`run`).
    ``engine``: ``shim`` compiles the text itself with the host's compiler and our headers, ``ptx`` what CUDA's compiler
    makes of it (``run``: without its optimisations, so that branches are those of the source; ``check``: with them).
    Raises OracleError: TLM700 does not compile, TLM701 asm or tensor-core intrinsics, TLM702 grid-wide sync,
    TLM703 kernel not found, TLM704 no compiler, TLM705 unreadable or too large input, TLM706 textures or surfaces;
    engine ptx: TLM709 PTX that is not understood, TLM710 no CUDA compiler, TLM711 CUDA's compiler refuses the text.
    """
    if engine == "ptx":
        from migrate.oracle.ptx.building import build_ptx_kernel

        return build_ptx_kernel(request, kind)
    from migrate.oracle.building import build_kernel

    return build_kernel(request, kind)


def run(
    built: OracleBuild,
    case_folder: Path,
    output: Path,
    *,
    schedule: Schedule = "contract",
    timeout_s: float = 20,
    memory_bytes: int = 8 << 30,
    moved: Moved | None = None,
    shared_fill: int | None = None,
) -> OracleRun:
    """Runs the case in an isolated child process; never raises for what the kernel does.

    ``shared_fill``: byte that shared memory holds before a block starts (default 0xff).
    ``moved``, for builds of that kind and only for them: every result of an inexact math function goes up or down by
    all that CUDA's documented error allows (docs/semantics.md), or, with a number, by a random part of it that this
    seed, the function and its arguments determine. Raises ValueError where it does not fit the build.
    Raises OracleError TLM707 when the case does not fit the signature (number of arguments, sizes, symbols).
    """
    from migrate.oracle.running import run_case

    return run_case(
        built,
        case_folder,
        output,
        schedule=schedule,
        timeout_s=timeout_s,
        memory_bytes=memory_bytes,
        moved=moved,
        shared_fill=shared_fill,
    )
