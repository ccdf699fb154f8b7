"""Worker processes that can be killed: one file at a time each, with a time limit."""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import migrate
from migrate.parse.results import FileJob, FileResult

_TRIES = 2
_POLL_S = 0.2
# `-m` puts the working folder first on the path, so it must be none of the user's.
_WORKING_FOLDER: Final = Path(migrate.__file__).parent.parent


@dataclass(frozen=True)
class JobFailure:
    """A worker that gave no answer: ``timeout`` or ``crash`` (with its exit status)."""

    job: FileJob
    reason: str
    exit_status: int | None = None


class _Worker:
    """One process and the job it works on."""

    def __init__(self, memory_mb: int) -> None:
        # Threads of libclang have small stacks; the worker's own has a large one. A crash shall end the process.
        environment = dict(os.environ, PYTHONHASHSEED="0", LIBCLANG_NOTHREADS="1", LIBCLANG_DISABLE_CRASH_RECOVERY="1")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "migrate.parse.worker", str(memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=_WORKING_FOLDER,
            start_new_session=True,  # Ctrl-C reaches the parent only, which then ends its workers
        )
        self.job: FileJob | None = None
        self.deadline = 0.0
        self.knows_headers = False
        self._buffer = bytearray()

    def send(self, job: FileJob, headers: tuple[str, ...], timeout_s: float) -> None:
        """Starts a job. A broken pipe shows later as a crash."""
        body = pickle.dumps(job if self.knows_headers else replace(job, headers=headers), pickle.HIGHEST_PROTOCOL)
        self.knows_headers = True
        self.job = job
        self.deadline = time.monotonic() + timeout_s
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.write(len(body).to_bytes(8, "little") + body)
            self.process.stdin.flush()

    def receive(self) -> FileResult | bool | None:
        """Reads what is there: the result, None if more must come, False at the end of the stream."""
        assert self.process.stdout is not None
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            return False
        self._buffer += data
        if len(self._buffer) < 8:
            return None
        size = int.from_bytes(self._buffer[:8], "little")
        if len(self._buffer) < 8 + size:
            return None
        result: FileResult = pickle.loads(bytes(self._buffer[8 : 8 + size]))
        del self._buffer[: 8 + size]
        return result

    def end(self) -> int | None:
        """Kills the process and returns its exit status."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            return self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return None


def run_jobs(
    jobs: Sequence[FileJob], headers: tuple[str, ...], *, workers: int, timeout_s: float, memory_mb: int
) -> Iterator[FileResult | JobFailure]:
    """Answers in the order in which they come. Workers are gone when the iterator ends, however it ends.

    A file whose worker crashes is tried once more in a fresh process (an earlier file may have used up its memory).
    """
    waiting: deque[tuple[FileJob, int]] = deque((job, 1) for job in jobs)
    tries: dict[str, int] = {}
    running: list[_Worker] = []
    selector = selectors.DefaultSelector()
    try:
        while waiting or any(worker.job is not None for worker in running):
            while waiting and (idle := _idle_worker(running, workers, memory_mb, selector)) is not None:
                job, attempt = waiting.popleft()
                tries[job.path] = attempt
                idle.send(job, headers, timeout_s)
            for key, _ in selector.select(_POLL_S):
                worker: _Worker = key.data
                answer = worker.receive()
                if isinstance(answer, FileResult):
                    worker.job = None
                    yield answer
                elif answer is False:
                    job_of_worker = worker.job
                    selector.unregister(key.fileobj)
                    running.remove(worker)
                    status = worker.end()
                    if job_of_worker is not None and tries[job_of_worker.path] < _TRIES:
                        waiting.append((job_of_worker, tries[job_of_worker.path] + 1))
                    elif job_of_worker is not None:
                        yield JobFailure(job_of_worker, "crash", status)
            now = time.monotonic()
            for worker in [item for item in running if item.job is not None and now > item.deadline]:
                late = worker.job
                selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
                running.remove(worker)
                worker.end()
                if late is not None:
                    yield JobFailure(late, "timeout")
    finally:
        selector.close()
        for worker in running:
            worker.end()


def _idle_worker(
    running: list[_Worker], limit: int, memory_mb: int, selector: selectors.BaseSelector
) -> _Worker | None:
    """A worker without a job: an old one, or a new one while there are fewer than ``limit``."""
    for worker in running:
        if worker.job is None:
            return worker
    if len(running) >= max(1, limit):
        return None
    worker = _Worker(memory_mb)
    running.append(worker)
    selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
    return worker
