"""Compile kernels and the runner: flags, sandboxed compiler calls, content-keyed folders."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from migrate.oracle.api import BuildKind, OracleError
from migrate.oracle.redzones import add_red_zones
from tilelang_runtime.support.cache import cache_root, key_of
from tilelang_runtime.support.compiler import Compiler, cpu_identity, find_compiler
from tilelang_runtime.support.isolate import IsolatedResult, run_isolated

HEADERS = Path(__file__).parent / "headers"
RUNTIME = Path(__file__).parent / "runtime"
RED_ZONES = "red_zones"
CHECKING: tuple[BuildKind, ...] = ("check", "literal")
_COMPILE_TIMEOUT_S = 60.0
_COMPILE_MEMORY = 4 << 30

# Exact, portable and predictable: no contraction, no folding of libm calls, C semantics that CUDA also guarantees.
_COMMON = (
    "-x", "c++", "-std=c++17", "-O1", "-fPIC", "-fvisibility=hidden", "-fno-builtin", "-ffp-contract=off",
    "-fno-math-errno", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fno-threadsafe-statics",
    "-fsigned-char", "-fno-exceptions", "-fno-rtti", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
    "-fpermissive", "-w", "-g1",
)  # fmt: skip
# g++ 12 makes 0 - (float)i a negation otherwise, which has the wrong sign where i is 0.
_GCC_EXACT = ("-frounding-math",)
_CHECKS = (
    "-DORACLE_CHECK=1", "-fsanitize=thread",
    "-fsanitize=signed-integer-overflow,shift-exponent,float-cast-overflow,integer-divide-by-zero,alignment",
)  # fmt: skip


def compiler_or_error() -> Compiler:
    """The host compiler. Raises OracleError TLM704."""
    found = find_compiler()
    if found is None:
        raise OracleError("TLM704", "no C++ compiler found: install g++ or clang++, or the extra `compiler`")
    return found


def translated_flags(kind: BuildKind, compiler: Compiler) -> tuple[str, ...]:
    """Flags for C++ made from PTX: its checks are calls in the text, its operations leave nothing to the compiler."""
    flags = [*_COMMON, "-fwrapv"]
    if compiler.family == "gcc":
        flags += ["-fno-gnu-unique", *_GCC_EXACT]
    if kind == "check":
        flags.append("-DORACLE_CHECK=1")
        flags += ["-fno-section-anchors"] if compiler.family == "gcc" else []
    return tuple(flags)


def kernel_flags(kind: BuildKind, compiler: Compiler, *, steps: bool = False) -> tuple[str, ...]:
    """Compiler flags of a kernel build. ``steps``: volatile accesses are told apart (lanes make them in step)."""
    flags = list(_COMMON)
    if kind == "literal":
        flags.append("-O0")
    checks = kind in CHECKING
    gcc = compiler.family == "gcc"
    if gcc:
        # Whole program: device functions that the kernel does not reach are dropped, and their branches with them.
        flags += ["-fno-gnu-unique", "-fwhole-program", *_GCC_EXACT]
    # What the original reads without ever having set it differs between the two builds, and the case is dropped.
    flags.append(f"-ftrivial-auto-var-init={'pattern' if checks else 'zero'}")
    if checks:
        flags += _CHECKS
        if gcc:
            flags += ["--param", "tsan-instrument-func-entry-exit=0"]
            # Statics get room behind them, so nothing may know how far they stand apart.
            flags += ["-fno-section-anchors"]
        else:
            # Wide vector accesses are not instrumented, and would look like reads of uninitialised memory.
            flags += ["-mllvm", "-tsan-instrument-func-entry-exit=0", "-fno-vectorize", "-fno-slp-vectorize"]
            # `x += 1` reads: without this only its write is seen.
            flags += ["-mllvm", "-tsan-instrument-read-before-write=1"]
    elif kind == "moved":
        flags += ["-fwrapv", "-DORACLE_PERTURB=1"]
    else:
        flags += ["-fwrapv"]
        if steps:
            flags += ["-fsanitize=thread"]
            if gcc:
                flags += ["--param", "tsan-instrument-func-entry-exit=0"]
            else:
                flags += ["-mllvm", "-tsan-instrument-func-entry-exit=0"]
        if gcc:
            # Arcs are those of the functions as written: nothing may be inlined before they are numbered.
            flags += ["-fprofile-arcs", "-ftest-coverage", "-fno-early-inlining"]
    if steps:
        # Found by trial: g++ 12 and clang 18 call __tsan_volatile_read4 and its like with these.
        flags += ["--param", "tsan-distinguish-volatile=1"] if gcc else ["-mllvm", "-tsan-distinguish-volatile=1"]
    return tuple(flags)


@cache
def _digest_of(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in (".h", ".cpp"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def build_folder(kind: str, *parts: str) -> Path:
    """The cache folder of something built from ``parts``, the headers, the runtime, the compiler and this CPU."""
    compiler = compiler_or_error()
    key = key_of(kind, compiler.version, cpu_identity(), _digest_of(HEADERS), _digest_of(RUNTIME), *parts)
    return cache_root() / "oracle" / key[:2] / key


def publish(folder: Path, make: Callable[[Path], None]) -> Path:
    """Runs ``make`` in a scratch folder and moves the result to ``folder``: it is there whole or not at all."""
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="making-", dir=folder.parent))
    try:
        make(scratch)
        try:
            os.rename(scratch, folder)
        except OSError:
            if not folder.is_dir():  # else another process was faster, with the same content
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def call_compiler(arguments: list[str], cwd: Path) -> IsolatedResult:
    """One compiler call inside the sandbox (it reads the headers and ``cwd`` only)."""
    compiler = compiler_or_error()
    extra: list[Path | str] = [HEADERS, RUNTIME]
    if "ziglang" in compiler.command:
        extra.append(cache_root())
    return run_isolated(
        [*compiler.command, *arguments],
        cwd=cwd,
        timeout_s=_COMPILE_TIMEOUT_S,
        memory_bytes=_COMPILE_MEMORY,
        file_bytes=256 << 20,
        readable=extra,
        allow_processes=True,
    )


@cache
def runner(portable: bool = False) -> Path:
    """The program that loads and runs a kernel library; built once. ``portable``: switch stacks by ucontext instead of
    assembly. Raises OracleError TLM704."""
    compiler = compiler_or_error()

    def make(scratch: Path) -> None:
        sources = sorted(str(p) for p in RUNTIME.glob("*.cpp"))
        flags = ["-std=c++17", "-O2", "-w", "-fno-strict-aliasing", f"-I{HEADERS}"]
        if portable:
            flags.append("-DORACLE_UCONTEXT=1")
        if os.uname().machine == "x86_64":
            flags.append("-mno-red-zone")  # the context switch pushes onto the stack of a leaf function
        # The kernels' libm and helper symbols come from here, so both must stay linked though the runner calls neither.
        link = ["-rdynamic", "-Wl,--no-as-needed", "-lm", "-ldl", "-o", "runner"]
        done = call_compiler([*flags, *sources, *link], scratch)
        if done.returncode != 0:
            raise OracleError(
                "TLM704", f"the oracle's runner does not compile with {compiler.version}", detail=done.stderr
            )

    return publish(build_folder("runner", str(portable)), make) / "runner"


def compile_unit(
    text: str, kind: BuildKind, scratch: Path, own_flags: tuple[str, ...] = (), *, steps: bool = False
) -> IsolatedResult:
    """Compiles ``text`` to ``kernel.so`` in ``scratch``; ``own_flags`` instead of `kernel_flags` where given.

    Run builds come with ``kernel.gcno``, check builds with `RED_ZONES`: the statics that have room behind them, a name
    a line.
    """
    compiler = compiler_or_error()
    (scratch / "unit.cpp").write_text(text, encoding="latin-1")
    flags = [*(own_flags or kernel_flags(kind, compiler, steps=steps)), f"-I{HEADERS}"]
    spent = 0.0
    if kind in CHECKING:
        done = call_compiler([*flags, "-S", "unit.cpp", "-o", "kernel.s"], scratch)
        if done.returncode != 0:
            return done
        spent = done.cpu_s
        text, names = add_red_zones((scratch / "kernel.s").read_text("utf-8", "surrogateescape"))
        (scratch / "kernel.s").write_text(text, "utf-8", "surrogateescape")
        (scratch / RED_ZONES).write_text("\n".join(sorted(names)))
        done = call_compiler(["-c", "kernel.s", "-o", "kernel.o"], scratch)
        (scratch / "kernel.s").unlink()
    else:
        done = call_compiler([*flags, "-c", "unit.cpp", "-o", "kernel.o"], scratch)
    if done.returncode != 0:
        return done
    spent += done.cpu_s
    # Nothing is linked in: libm and the runtime are the runner's, which makes libm the same for every kernel.
    linked = call_compiler(["-shared", "-nostdlib", "kernel.o", "-lgcc", "-o", "kernel.so"], scratch)
    (scratch / "kernel.o").unlink(missing_ok=True)
    return IsolatedResult(
        linked.returncode, linked.signal, linked.stdout, linked.stderr, linked.timed_out, spent + linked.cpu_s
    )
