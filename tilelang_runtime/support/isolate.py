"""Run a program that is not trusted: limits on time, memory, files, processes; clean environment; scratch folder.

Used for compiling and running CUDA text of other people and for running ports. With Landlock the child reads only what
it is given and writes only to its scratch folder; with seccomp it opens no sockets and, unless allowed, starts no
processes. `isolation_report` says which of these the running system has.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal as signals
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelang_runtime.support import landlock

# What the dynamic loader, a compiler and Python need to read; nothing of a user's home.
SYSTEM_PATHS = ("/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                "/etc/alternatives", "/opt", "/proc/self", "/proc/cpuinfo", "/sys/devices/system/cpu")  # fmt: skip
DEVICE_PATHS = ("/dev/null", "/dev/zero", "/dev/urandom")
_OUTPUT_LIMIT = 1 << 20


@dataclass(frozen=True)
class IsolatedResult:
    """How the child ended. ``returncode`` is negative for a signal (then ``signal`` is it); ``cpu_s`` user+system."""

    returncode: int
    signal: int | None
    stdout: str
    stderr: str
    timed_out: bool
    cpu_s: float


def isolation_report() -> dict[str, bool]:
    """What protects this machine from a child: for ``migrate doctor``."""
    return {
        "limits": True,
        "process_group": True,
        "landlock": landlock.landlock_abi() >= 1,
        "seccomp": landlock.seccomp_available(),
    }


def run_isolated(
    argv: Sequence[str],
    *,
    cwd: Path | str,
    timeout_s: float,
    memory_bytes: int | None = None,
    file_bytes: int = 1 << 30,
    readable: Sequence[Path | str] = (),
    writable: Sequence[Path | str] = (),
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    allow_processes: bool = False,
) -> IsolatedResult:
    """Runs ``argv`` in ``cwd`` and waits; the whole process group is killed at ``timeout_s`` (wall; CPU likewise).

    ``memory_bytes`` limits the address space; ``file_bytes`` the size of any file written. ``readable`` and
    ``writable`` come on top of `SYSTEM_PATHS`, the running Python and ``cwd`` (writable). ``env`` is the whole
    environment besides PATH, HOME, TMPDIR and LANG. Raises OSError when the program cannot be started.
    """
    scratch = str(Path(cwd).resolve())
    python = {str(Path(sys.executable).resolve().parent.parent), sys.prefix, sys.base_prefix}
    ruleset = landlock.open_ruleset(
        [*SYSTEM_PATHS, *python, *(str(Path(p).resolve()) for p in readable)],
        [scratch, *DEVICE_PATHS, *(str(Path(p).resolve()) for p in writable)],
    )
    filter_program = landlock.seccomp_program(allow_processes)
    cpu_limit = int(timeout_s) + 2

    def prepare() -> None:
        # Between fork and exec: system calls only.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        if memory_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        landlock.restrict_self(ruleset, filter_program)

    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
    }
    environment.update(env or {})
    with contextlib.ExitStack() as stack:
        if ruleset is not None:
            stack.callback(os.close, ruleset)
        out = stack.enter_context(os.fdopen(os.memfd_create("stdout"), "w+b"))
        err = stack.enter_context(os.fdopen(os.memfd_create("stderr"), "w+b"))
        feed = None
        if stdin is not None:
            feed = stack.enter_context(os.fdopen(os.memfd_create("stdin"), "w+b"))
            feed.write(stdin)
            feed.seek(0)
        process = subprocess.Popen(
            list(argv),
            cwd=scratch,
            stdin=feed if feed is not None else subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=environment,
            start_new_session=True,
            preexec_fn=prepare,  # noqa: PLW1509 (makes system calls only)
        )
        timed_out, status, cpu_s = _wait(process.pid, timeout_s)
        process.returncode = status
        return IsolatedResult(
            returncode=status,
            signal=-status if status < 0 else None,
            stdout=_read(out.fileno()),
            stderr=_read(err.fileno()),
            timed_out=timed_out or -status == signals.SIGXCPU,
            cpu_s=cpu_s,
        )


def _wait(pid: int, timeout_s: float) -> tuple[bool, int, float]:
    """Waits for ``pid``, kills its group at the limit and whatever the child left running afterwards."""
    timed_out = False
    try:
        handle = os.pidfd_open(pid)
        try:
            poller = select.poll()
            poller.register(handle, select.POLLIN)
            timed_out = not poller.poll(timeout_s * 1000)
        finally:
            os.close(handle)
    finally:
        # Also on KeyboardInterrupt: no orphan stays behind. The leader is a zombie until wait4, so its group id
        # cannot have been given to another process.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signals.SIGKILL)
        _, raw, usage = os.wait4(pid, 0)
    return timed_out, os.waitstatus_to_exitcode(raw), usage.ru_utime + usage.ru_stime


def _read(descriptor: int) -> str:
    return os.pread(descriptor, _OUTPUT_LIMIT, 0).decode("utf-8", "replace")
