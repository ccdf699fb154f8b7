"""Run a port's cases in an isolated child and read back one outcome a case."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import tilelang_runtime
from migrate.verify.case import Case
from migrate.verify.parameters import PortParameter
from tilelang_runtime.support.cache import cache_root
from tilelang_runtime.support.compiler import compiled_folder
from tilelang_runtime.support.isolate import run_isolated

OutcomeStatus = Literal["ok", "raised", "import", "crashed", "timed_out", "starved", "skipped", "engine", "unsupported"]
# A child that was stopped at its limit without having had this share of it as CPU time met a busy machine.
STARVED_SHARE = 0.5
# The real tilelang and torch take seconds to import.
ENGINE_START_S = {"tir": 60.0}
# Most of a run is one compilation; further cases are short.
FURTHER_CASE_S = 5.0
PACKAGE_ROOT = Path(tilelang_runtime.__file__).resolve().parent.parent


@dataclass(frozen=True)
class PortCase:
    """A case for the port: its folder (case.bin), where the result goes, and in which order threads run."""

    case: Case
    folder: Path
    output: Path
    schedule: Literal["contract", "reversed"] = "contract"


@dataclass(frozen=True)
class PortOutcome:
    """How the port fared on one case; ``message`` for a person.

    ``events``: what the engine tolerated but a device may not: accesses out of range, shuffles from inactive lanes,
    diverging barriers; a sentence each.
    """

    status: OutcomeStatus
    message: str = ""
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class PortRun:
    """Outcomes in the order of the cases, and what they cost."""

    outcomes: tuple[PortOutcome, ...]
    cpu_s: float


def launcher_arguments(case: Case, parameters: Sequence[PortParameter]) -> list[dict[str, Any]]:
    """The job's ``arguments`` for ``case`` (see `port_runner`)."""
    regions = {root.name: root for root in case.roots}
    symbols = {symbol.name: symbol.root for symbol in case.symbols}
    made: list[dict[str, Any]] = []
    for parameter in parameters:
        if parameter.kind == "symbol":
            root = _symbol_root(symbols, parameter.symbol)
            if root is not None:
                made.append(_array(parameter, regions[root].start, regions[root].bytes, 0))
            elif not parameter.optional:
                raise ValueError(f"{parameter.keyword}: the original has no variable {parameter.symbol}")
            continue
        argument = case.arguments[parameter.position]
        if parameter.kind == "array":
            if argument.root is None:
                raise ValueError(f"{parameter.keyword}: the case gives no buffer")
            region = regions[argument.root]
            made.append(_array(parameter, region.start, region.bytes, argument.offset))
        elif parameter.kind == "texture":
            if argument.root is None or argument.texture is None:
                raise ValueError(f"{parameter.keyword}: the case gives no texture")
            region = regions[argument.root]
            made.append(_array(parameter, region.start, region.bytes, argument.offset))
            channels = argument.texture.channels
            made[-1]["shape"] = [*argument.texture.extents[::-1], *([channels] if channels > 1 else [])]
        elif argument.raw is None:
            raise ValueError(f"{parameter.keyword}: the case gives a buffer for a value")
        elif parameter.kind == "bytes":
            made.append({"keyword": parameter.keyword, "raw": argument.raw})
        else:
            width = 2 * parameter.itemsize
            start = 2 * parameter.byte_offset
            digits = argument.raw[start : start + width]
            made.append({"keyword": parameter.keyword, "scalar": {"dtype": parameter.dtype, "hex": digits}})
    return made


def _symbol_root(symbols: Mapping[str, str], name: str) -> str | None:
    """The root of a device variable: by its full name, else by the last part of it where that is unique."""
    if name in symbols:
        return symbols[name]
    found = [root for full, root in symbols.items() if full.rsplit("::", 1)[-1] == name.rsplit("::", 1)[-1]]
    return found[0] if len(found) == 1 else None


def case_description(item: PortCase, parameters: Sequence[PortParameter]) -> dict[str, Any]:
    """The entry of ``cases`` in a job. Raises ValueError when the case does not fit the launcher's parameters."""
    return {
        "label": item.case.label,
        "source": str(item.folder / "case.bin"),
        "output": str(item.output),
        "grid": item.case.grid,
        "block": item.case.block,
        "shared": item.case.shared_bytes,
        "schedule": item.schedule,
        "arguments": launcher_arguments(item.case, parameters),
    }


def _array(parameter: PortParameter, start: int, size: int, offset_bytes: int) -> dict[str, Any]:
    if offset_bytes % parameter.itemsize:
        raise ValueError(f"{parameter.keyword}: offset of {offset_bytes} bytes is not a whole element")
    region = {"dtype": parameter.dtype, "start": start, "bytes": size, "offset": offset_bytes // parameter.itemsize}
    return {"keyword": parameter.keyword, "array": region}


@dataclass(frozen=True)
class PortJob:
    """Which port to run and how."""

    port_dir: Path
    module: str
    launcher: str
    parameters: tuple[PortParameter, ...]
    engine: str = "native"
    environment: Mapping[str, str] | None = None


def child_environment() -> dict[str, str]:
    """The environment of a child that runs ports, besides what `run_isolated` sets."""
    return {
        "PYTHONPATH": str(PACKAGE_ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "TILELANG_MIGRATE_CACHE": str(cache_root()),
        **{name: os.environ[name] for name in ("CXX",) if name in os.environ},
    }


def run_port(
    job: PortJob,
    cases: Sequence[PortCase],
    scratch: Path,
    *,
    timeout_s: float,
    memory_bytes: int,
) -> PortRun:
    """Runs ``cases`` in order in one child.

    A crash or timeout ends the run: the cases after it come back as ``skipped``.
    Raises ValueError when a case does not fit the launcher's parameters.
    """
    outcomes, cpu_s = _run_once(job, cases, scratch, timeout_s, memory_bytes)
    skipped = [PortOutcome("skipped")] * (len(cases) - len(outcomes))
    return PortRun((*outcomes, *skipped), cpu_s)


def _run_once(
    job: PortJob, cases: Sequence[PortCase], scratch: Path, timeout_s: float, memory_bytes: int
) -> tuple[list[PortOutcome], float]:
    scratch.mkdir(parents=True, exist_ok=True)
    results = scratch / "results.jsonl"
    results.unlink(missing_ok=True)
    description = {
        "port_dir": str(job.port_dir.resolve()),
        "module": job.module,
        "launcher": job.launcher,
        "engine": job.engine,
        "results": str(results),
        "cases": [case_description(item, job.parameters) for item in cases],
    }
    job_file = scratch / "job.json"
    job_file.write_text(json.dumps(description))
    environment = {**child_environment(), **(job.environment or {})}
    compiled = compiled_folder()
    compiled.mkdir(parents=True, exist_ok=True)
    folders = {item.folder for item in cases} | {item.output.parent for item in cases}
    limit_s = timeout_s + ENGINE_START_S.get(job.engine, 0.0) + FURTHER_CASE_S * (len(cases) - 1)
    done = run_isolated(
        [sys.executable, "-m", "migrate.verify.port_runner", str(job_file)],
        cwd=scratch,
        timeout_s=limit_s,
        memory_bytes=memory_bytes,
        readable=[PACKAGE_ROOT, job.port_dir, cache_root()],
        # Compiled code only: a port must not be able to write verdicts.
        writable=[compiled, *sorted(folders)],
        env=environment,
        allow_processes=True,  # the engine calls the host compiler
    )
    lines = [json.loads(text) for text in results.read_text().splitlines()] if results.exists() else []
    if lines and lines[0]["status"] in ("import", "engine"):
        return [PortOutcome(lines[0]["status"], lines[0]["message"])] * len(cases), done.cpu_s
    outcomes = [PortOutcome(line["status"], line["message"], port_events(line)) for line in lines[: len(cases)]]
    if len(outcomes) < len(cases):
        if done.timed_out and done.cpu_s < STARVED_SHARE * limit_s:
            outcomes.append(PortOutcome("starved", f"stopped after {limit_s:g} s with {done.cpu_s:.1f} s of CPU time"))
        else:
            outcomes.append(_ending(done.timed_out, done.signal, done.returncode, done.stderr))
    return outcomes, done.cpu_s


def port_events(line: Mapping[str, Any]) -> tuple[str, ...]:
    """The events in a result line, a sentence each."""
    return tuple(
        f"{event['kind'].replace('_', ' ')}: {event['what']} at {event['where']}, {event['count']} times"
        for event in line.get("events", ())
    )


def _ending(timed_out: bool, signal: int | None, returncode: int, stderr: str) -> PortOutcome:
    if timed_out:
        return PortOutcome("timed_out", "the port did not end in time")
    how = f"signal {signal}" if signal else f"exit code {returncode}"
    return PortOutcome("crashed", f"the port's process ended with {how}: {stderr.strip()[-500:]}")
