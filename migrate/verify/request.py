"""What a verification is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from migrate.ir.kernel import Kernel

MINIMUM_CASES = 5
OracleChoice = Literal["auto", "shim", "ptx", "both"]


@dataclass(frozen=True)
class VerifyOptions:
    """``cases``: accepted cases wanted (at least `MINIMUM_CASES`); ``seed``: the generator's; ``engine``: the port's.
    ``oracle``: what runs the original: ``shim``, ``ptx``, ``auto`` (shim, and PTX where shim cannot build it), ``both``
    (like auto, and where shim serves PTX must agree on the same cases).
    ``further_engines`` run the same cases and must agree with the original as well (``tir``: the real tilelang's IR).

    ``time_limit_s``: wall seconds for one kernel; ``case_timeout_s``: for one run of the original or the port;
    ``memory_bytes``: limit of a child process; ``use_cache``: answer from the verdict cache where the key is the same.
    ``force_arcs``: cover what no input reaches by negating its condition in original and port (see `forcing`).
    ``record_host``: also run the host function of the plan's first launch and hold what it launches against the plan.
    ``audit``: also run cases of the second generator (see `migrate.verify.audit`), with the same seed.
    ``bundle``: also save original, cases and results there for a GPU machine (never answered from the cache).
    """

    cases: int = 8
    seed: int = 1
    engine: str = "native"
    oracle: OracleChoice = "shim"
    time_limit_s: float = 120.0
    case_timeout_s: float = 10.0
    memory_bytes: int = 8 << 30
    use_cache: bool = True
    extra_cases: tuple[Path, ...] = field(default=())
    bundle: Path | None = None
    force_arcs: bool = True
    record_host: bool = True
    further_engines: tuple[str, ...] = ()
    audit: bool = False


@dataclass(frozen=True)
class VerifyRequest:
    """One instantiation of a kernel and its port.

    ``root``: repository root. ``record``: the parse's `KernelRecord`. ``plan``: the `LaunchPlan`. ``port_dir``: the
    generated package; ``port_module``: dotted path inside it (``src.saxpy_cu_tl``). ``entry``: the emitter's
    `PortEntry` (launcher and parameter mapping).
    """

    root: Path
    record: Any
    kernel: Kernel
    plan: Any
    port_dir: Path
    port_module: str
    entry: Any
    options: VerifyOptions = VerifyOptions()
