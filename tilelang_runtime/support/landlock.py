"""Landlock and seccomp through raw system calls: what a child process may touch, where the kernel offers it.

Everything here is best effort: on a system without these facilities the functions report False and the caller goes on
with resource limits alone. Sources: Linux Documentation/userspace-api/landlock.rst and seccomp_filter.rst.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Sequence
from functools import cache

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on x86-64 and aarch64
_RULE_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | (1 << 14) | (1 << 15)  # + truncate, ioctl on devices
_BASE_RIGHTS = (1 << 13) - 1  # ABI 1

# Refused to a child that may not start processes: fork, vfork and clone without CLONE_THREAD; clone3, whose
# flags a filter cannot see, answers ENOSYS so that libc falls back to clone. To every child: socket, ptrace, kill of
# others, process_vm_readv/writev, pidfd_send_signal.
_NUMBERS: dict[str, tuple[int, tuple[int, ...], int, tuple[int, ...]]] = {
    # machine: (audit architecture, fork-like, clone, always refused)
    "x86_64": (0xC000003E, (57, 58), 56, (41, 101, 62, 310, 311, 424)),
    "aarch64": (0xC00000B7, (), 220, (198, 117, 129, 270, 271, 424)),
}
_CLONE3, _CLONE_THREAD = 435, 0x10000


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


@cache
def landlock_abi() -> int:
    """The Landlock ABI version of the running kernel; 0 without Landlock."""
    if platform.system() != "Linux":
        return 0
    version = _libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return max(0, int(version))


@cache
def seccomp_available() -> bool:
    """True when this architecture's filter is known and the kernel has seccomp filters."""
    return platform.machine() in _NUMBERS and os.path.exists("/proc/sys/kernel/seccomp/actions_avail")


def _handled_rights(abi: int) -> int:
    rights = _BASE_RIGHTS
    if abi >= 2:
        rights |= 1 << 13  # refer: link or rename across folders
    if abi >= 3:
        rights |= 1 << 14  # truncate
    if abi >= 5:
        rights |= 1 << 15  # ioctl on devices
    return rights


def open_ruleset(readable: Sequence[str], writable: Sequence[str]) -> int | None:
    """A ruleset descriptor that allows reading and executing below ``readable`` and everything below ``writable``.

    Made in the parent, so that the child only has to apply it. None without Landlock.
    """
    abi = landlock_abi()
    if abi < 1:
        return None
    handled = _handled_rights(abi)
    attributes = struct.pack("<Q", handled)
    if abi >= 4:
        attributes += struct.pack("<Q", 3)  # TCP bind and connect
    if abi >= 6:
        attributes += struct.pack("<Q", 3)  # abstract sockets and signals stay inside
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    ruleset = _libc().syscall(_CREATE_RULESET, buffer, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        return None
    for paths, rights in ((readable, _READ), (writable, handled)):
        for path in paths:
            _allow(int(ruleset), path, rights & handled)
    return int(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no permission
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        rule = ctypes.create_string_buffer(struct.pack("<Qi", rights, handle), 12)
        _libc().syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_RULE_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(handle)


def restrict_self(ruleset: int | None, filter_program: bytes | None) -> None:
    """Applies both to the calling process (between fork and exec). Allocates nothing large, raises nothing."""
    libc = _libc()
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if ruleset is not None:
        libc.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    if filter_program is not None:
        code = ctypes.create_string_buffer(filter_program, len(filter_program))
        program = struct.pack("<HxxxxxxQ", len(filter_program) // 8, ctypes.addressof(code))
        header = ctypes.create_string_buffer(program, len(program))
        libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0)


def seccomp_program(allow_processes: bool) -> bytes | None:
    """The BPF program (array of sock_filter) that refuses the calls named above; None where unsupported."""
    if not seccomp_available():
        return None
    architecture, fork_like, clone, refused = _NUMBERS[platform.machine()]

    def step(code: int, jump_true: int, jump_false: int, value: int) -> bytes:
        return struct.pack("<HBBI", code, jump_true, jump_false, value)

    def answer(error: int) -> bytes:
        return step(0x06, 0, 0, 0x00050000 | error)

    load, equal, at_least, any_bit = 0x20, 0x15, 0x35, 0x45
    allow, kill = step(0x06, 0, 0, 0x7FFF0000), step(0x06, 0, 0, 0x80000000)
    # Another architecture (32-bit calls, x32 numbers) would make the numbers below meaningless.
    program = [step(load, 0, 0, 4), step(equal, 1, 0, architecture), kill]
    program += [step(load, 0, 0, 0), step(at_least, 0, 1, 0x40000000), answer(1)]
    for number in (*refused, *(() if allow_processes else fork_like)):
        program += [step(equal, 0, 1, number), answer(1)]
    if not allow_processes:
        program += [step(equal, 0, 1, _CLONE3), answer(38)]
        program += [
            step(equal, 0, 4, clone),
            step(load, 0, 0, 16),
            step(any_bit, 0, 1, _CLONE_THREAD),
            allow,
            answer(1),
        ]
    program.append(allow)
    return b"".join(program)
