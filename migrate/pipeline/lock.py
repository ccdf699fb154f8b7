"""migrate.lock: hashes of everything a run read and wrote, so that a run with nothing changed only hashes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import migrate
import tilelang_runtime
from migrate.pipeline.options import Options, UsageError
from tilelang_runtime.support.cache import key_of, read_entry, write_entry

LOCK_VERSION = 1


def file_hash(path: Path) -> str | None:
    """Hex sha256 of a file's bytes, None if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


@cache
def tool_hash() -> str:
    """Hash over this tool's own package files (size and time stamps do not matter, contents do)."""
    digest = hashlib.sha256()
    for package in (migrate, tilelang_runtime):
        folder = Path(package.__file__ or "").parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def options_key(options: Options) -> str:
    """The options that change results (not jobs)."""
    parts = [options.target, options.level, options.verify, options.lower, *options.defines, "|"]
    parts += [*map(str, options.include_dirs), options.compile_commands, options.only, options.cases, options.seed]
    parts += [options.arch, options.timeout_s, "|", *(str(s.relative_to(options.root)) for s in options.sources)]
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def names_hash(root: Path, output: Path) -> str:
    """Hash over the names of all files below ``root``: a new header can change what an include finds.

    Folders that vanish or cannot be read while walking are passed over: other programs may work below ``root``.
    """
    names: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f != ".git" and Path(folder, f) != output)
        names += (os.path.relpath(os.path.join(folder, name), root) for name in sorted(files))
    return hashlib.sha256("\0".join(names).encode(errors="surrogateescape")).hexdigest()


def make_lock(options: Options, read: Iterable[str], written: Iterable[str], kernels: list[dict[str, Any]]) -> str:
    """Lock text. ``read``: source paths relative to root; ``written``: owned files relative to OUT."""
    lock = {
        "lock_version": LOCK_VERSION,
        "options": options_key(options),
        "request": request_of(options),
        "names": names_hash(options.root, options.output),
        "sources": {name: file_hash(options.root / name) for name in sorted(set(read))},
        "outputs": {name: file_hash(options.output / name) for name in sorted(set(written))},
        "kernels": kernels,
    }
    return json.dumps(lock, indent=1, sort_keys=True) + "\n"


def read_lock(output: Path) -> dict[str, Any] | None:
    """The lock of an earlier run, None if there is none or it cannot be used."""
    try:
        lock: dict[str, Any] = json.loads((output / "migrate.lock").read_text())
    except (OSError, ValueError):
        return None
    return lock if lock.get("lock_version") == LOCK_VERSION else None


def request_of(options: Options) -> dict[str, Any]:
    """The conversion as plain data; paths relative to OUT, so that a checkout can move."""

    def relative(path: Path) -> str:
        return os.path.relpath(path, options.output)

    return {
        "root": relative(options.root),
        "sources": [relative(path) for path in options.sources],
        "target": options.target,
        "level": options.level,
        "defines": list(options.defines),
        "include_dirs": [relative(path) for path in options.include_dirs],
        "compile_commands": relative(options.compile_commands) if options.compile_commands else None,
        "only": options.only,
        "cases": options.cases,
        "seed": options.seed,
        "arch": options.arch,
    }


def options_from_lock(output: Path, lock: dict[str, Any], **changes: Any) -> Options:
    """The options an earlier run used, with ``changes``. Raises UsageError for a lock that does not say."""
    try:
        request = lock["request"]
        database = request["compile_commands"]
        options = Options(
            root=_back(output, request["root"]),
            sources=tuple(_back(output, name) for name in request["sources"]),
            output=output,
            target=request["target"],
            level=request["level"],
            defines=tuple(request["defines"]),
            include_dirs=tuple(_back(output, name) for name in request["include_dirs"]),
            compile_commands=_back(output, database) if database else None,
            only=request["only"],
            cases=request["cases"],
            seed=request["seed"],
            arch=request["arch"],
        )
    except (KeyError, TypeError) as error:
        raise UsageError(f"{output / 'migrate.lock'}: broken ({error}); convert again") from error
    return replace(options, **changes)


def _back(output: Path, name: str) -> Path:
    return Path(os.path.normpath(output / name))


def remember(lock_text: str) -> None:
    """Notes in the cache that this very tool produced this lock (ports and lock carry no tool version)."""
    write_entry("stamp", key_of(lock_text, tool_hash()), b"")


def unchanged(options: Options) -> bool:
    """True if the earlier run in OUT read and wrote exactly what is there now, with this tool and these options."""
    lock = read_lock(options.output)
    if lock is None or lock["options"] != options_key(options):
        return False
    text = (options.output / "migrate.lock").read_text()
    if read_entry("stamp", key_of(text, tool_hash())) is None:
        return False
    if any(file_hash(options.output / name) != value for name, value in lock["outputs"].items()):
        return False
    if any(file_hash(options.root / name) != value for name, value in lock["sources"].items()):
        return False
    return bool(lock["names"] == names_hash(options.root, options.output))
