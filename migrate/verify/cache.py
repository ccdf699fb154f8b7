"""Verdicts by content: what was verified before under the same code on both sides is not run again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

import migrate
import tilelang_runtime
from migrate.oracle.ptx.compile import nvcc_version
from migrate.verify.generator import GENERATOR_VERSION
from migrate.verify.request import VerifyOptions
from migrate.verify.verdict import Verdict
from tilelang_runtime.support.cache import key_of, read_entry, write_entry
from tilelang_runtime.support.compiler import cpu_identity, find_compiler

KIND = "verdict"
_JUDGING = ("oracle", "verify", "ir")
_SUFFIXES = frozenset({".py", ".h", ".hpp", ".cuh", ".cpp", ".inc", ".S", ".toml"})


@cache
def machinery_hash() -> str:
    """Hash of the code that runs and judges: runtime, oracle, verification, kernel model."""
    migrate_folder = Path(migrate.__file__).parent
    return _hash_of([Path(tilelang_runtime.__file__).parent, *(migrate_folder / name for name in _JUDGING)])


@cache
def converter_hash() -> str:
    """Hash of the code that makes ports: what a verdict stands on whose branches were forced."""
    return _hash_of([Path(migrate.__file__).parent / name for name in ("parse", "rules", "emit")])


def _hash_of(folders: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def verdict_key(original: str, port: str, launcher: str, plan: str, symbol: str, options: VerifyOptions) -> str:
    """Key over everything that may change a verdict.

    ``original``: the extracted text; ``port``: texts of the port file and what it imports from its package; ``plan``:
    the launch plan as JSON.
    """
    compiler = find_compiler()
    extra = [
        (folder / name).read_bytes()
        for folder in options.extra_cases
        for name in ("case.json", "case.bin")
        if (folder / name).is_file()
    ]
    engines = (options.engine, *options.further_engines)
    cuda = nvcc_version() if options.oracle != "shim" else ""
    settings = (options.cases, options.seed, engines, options.oracle, cuda, options.time_limit_s)
    switches = (options.force_arcs, options.record_host)
    return key_of(
        original,
        port,
        launcher,
        plan,
        symbol,
        repr((settings, switches, options.case_timeout_s, options.memory_bytes, GENERATOR_VERSION)),
        machinery_hash(),
        compiler.version if compiler else "none",
        cpu_identity(),
        np.__version__,
        *extra,
    )


def load_verdict(key: str) -> Verdict | None:
    """The stored verdict, marked as cached; None if there is none or it cannot be read."""
    raw = read_entry(KIND, key)
    if raw is None:
        raw = read_entry(KIND, key_of(key, converter_hash()))
    if raw is None:
        return None
    try:
        return Verdict.from_json(raw.decode()).with_cached()
    except (ValueError, KeyError, TypeError):
        return None


# Running out of time or a dead child may be the machine's fault: asked again next time.
_TRANSIENT = frozenset({"TLM723", "TLM736", "TLM740"})


_FORCING = frozenset({"TLM730", "TLM746"})


def store_verdict(key: str, verdict: Verdict) -> None:
    """Remembers ``verdict`` unless it depends on how busy the machine was."""
    codes = {item.code for item in verdict.diagnostics}
    if not codes & _TRANSIENT:
        # Where conditions were forced, or could not be, parser and emitter decided too.
        wanted = key_of(key, converter_hash()) if codes & _FORCING else key
        write_entry(KIND, wanted, verdict.to_json().encode())
