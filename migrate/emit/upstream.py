"""Ports through the real tilelang: lowering to CUDA source and, where nvcc is installed, to a cubin.

Importing tilelang takes seconds and its compiler can crash, so jobs run in child processes, many a process; a process
that dies costs only the job it died on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from migrate.emit.port_file import PortEntry

ARCH = "sm_90a"
JOB_TIMEOUT_S = 180.0


@dataclass(frozen=True)
class LowerJob:
    """One kernel of a port file for one block size and amount of dynamic shared memory."""

    path: Path
    entry: PortEntry
    block: tuple[int, int, int]
    shared: int = 0


@dataclass(frozen=True)
class LoweredResult:
    """``ok``: tilelang made CUDA source. ``nvcc_ok``: nvcc accepted it (None: not installed or not tried)."""

    ok: bool
    cuda_source: str = ""
    nvcc_ok: bool | None = None
    message: str = ""


def lower_with_tilelang(
    path: Path, entry: PortEntry, block: tuple[int, int, int], shared: int = 0, *, nvcc: bool = True
) -> LoweredResult:
    """Lowers one kernel in a child process."""
    return dict(lower_many([LowerJob(path, entry, block, shared)], 1, nvcc=nvcc))[0]


def lower_many(
    jobs: Sequence[LowerJob], processes: int = 1, *, nvcc: bool = True
) -> Iterator[tuple[int, LoweredResult]]:
    """Lowers ``jobs``; yields (index, result) as they finish. A crash or a hang is a failed result, never an error.

    ``nvcc``: whether to compile the CUDA source too, where nvcc is installed.
    """
    workers = max(1, min(processes, len(jobs)))
    shares = [list(range(start, len(jobs), workers)) for start in range(workers)]
    if workers == 1:
        yield from _run_share(jobs, shares[0], nvcc)
        return
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(lambda share=share: list(_run_share(jobs, share, nvcc))) for share in shares]  # type: ignore[misc]
        for future in as_completed(futures):
            yield from future.result()


def _run_share(jobs: Sequence[LowerJob], share: list[int], nvcc: bool) -> Iterator[tuple[int, LoweredResult]]:
    remaining = list(share)
    while remaining:
        done = dict(_run_child([jobs[index] for index in remaining], nvcc))
        for position, result in done.items():
            yield remaining[position], result
        if len(done) == len(remaining):
            return
        failed = len(done)  # children answer in order, so the first missing answer killed the process
        yield remaining[failed], LoweredResult(False, message="the compiler crashed or took too long")
        remaining = remaining[failed + 1 :]


def _run_child(jobs: Sequence[LowerJob], nvcc: bool) -> Iterator[tuple[int, LoweredResult]]:
    with tempfile.TemporaryDirectory(prefix="lower-") as scratch:
        request, answers = Path(scratch) / "jobs.json", Path(scratch) / "answers.jsonl"
        described = [
            {
                "path": str(job.path),
                "builder": job.entry.builder,
                "sizes": [*job.block[: job.entry.block_rank], *([job.shared] if job.entry.dynamic_shared else [])],
            }
            for job in jobs
        ]
        request.write_text(json.dumps({"jobs": described, "answers": str(answers), "arch": ARCH, "nvcc": nvcc}))
        command = [sys.executable, "-m", "migrate.emit.upstream_child", str(request)]
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(command, capture_output=True, timeout=30 + JOB_TIMEOUT_S * len(jobs), check=False)
        lines = answers.read_text().splitlines() if answers.is_file() else []
    for position, line in enumerate(lines):
        raw = json.loads(line)
        yield position, LoweredResult(raw["ok"], raw["cuda_source"], raw["nvcc_ok"], raw["message"])
