"""Verify many kernels in worker processes that can be killed: a time limit each, and Ctrl-C leaves nothing behind."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from migrate.diagnostics import make
from migrate.verify.verdict import Verdict

# Past its own limit a kernel gets this long to end in good order before its worker is stopped.
GRACE_S = 15.0
Progress = Callable[[int, int, Verdict], None]
# What workers are given: requests of verification, or of the check of originals alone.
Verifier = Callable[[Any], Verdict]


def failed_verdict(request: Any, code: str, message: str) -> Verdict:
    """A verdict for a verification that could not be carried through."""
    diagnostic = make(code, message, request.kernel.span)
    return Verdict(request.kernel.id, request.kernel.symbol, "inconclusive", diagnostics=(diagnostic,))


def _raise_exit(_number: int, _frame: Any) -> None:
    # An exception, not an exit: whoever waits for a child kills it on the way out.
    raise SystemExit(1)


def _work(connection: Connection, function: Verifier | None) -> None:
    """Worker: receives requests until None comes or the parent is gone."""
    signal.signal(signal.SIGTERM, _raise_exit)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    if function is None:
        from migrate.verify.verify import verify_kernel

        function = verify_kernel
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        if request is None:
            return
        try:
            verdict = function(request)
        except Exception:
            verdict = failed_verdict(request, "TLM740", traceback.format_exc(limit=-3).strip())
        connection.send(verdict)


@dataclass
class _Worker:
    process: SpawnProcess
    connection: Connection
    task: int = -1
    deadline: float = 0.0

    @staticmethod
    def start(context: SpawnContext, function: Verifier | None) -> _Worker:
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, function), daemon=False)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def stop(self) -> None:
        """Ends the process: asks first, so that it kills its own children, then insists."""
        with contextlib.suppress(OSError):
            self.connection.close()
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(3)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


def verify_many(
    requests: Sequence[Any],
    jobs: int = 1,
    progress: Progress | None = None,
    function: Verifier | None = None,
) -> Iterator[Verdict]:
    """Verdicts as they come, from ``jobs`` workers; ``function`` (picklable) replaces `verify_kernel`.

    ``progress(done, total, verdict)`` is called after each. A worker that dies or overruns costs only the kernel it
    had. Closing the iterator or KeyboardInterrupt stops all workers; verdicts already given stand.
    """
    context = multiprocessing.get_context("spawn")
    queue = deque(range(len(requests)))
    workers: list[_Worker] = []
    done = 0
    try:
        while queue or any(worker.task >= 0 for worker in workers):
            while queue and len(workers) < max(1, min(jobs, len(requests))):
                workers.append(_Worker.start(context, function))
            for worker in workers:
                if worker.task < 0 and queue:
                    _hand_out(worker, queue.popleft(), requests)
            for worker, verdict in _collect(workers, requests):
                worker.task = -1
                if not worker.process.is_alive():
                    worker.stop()
                    workers.remove(worker)
                done += 1
                if progress is not None:
                    progress(done, len(requests), verdict)
                yield verdict
    finally:
        for worker in workers:
            worker.stop()


def _hand_out(worker: _Worker, index: int, requests: Sequence[Any]) -> None:
    worker.task = index
    worker.deadline = time.monotonic() + requests[index].options.time_limit_s + GRACE_S
    with contextlib.suppress(OSError):  # a dead worker shows when its answer is read
        worker.connection.send(requests[index])


def _collect(workers: Sequence[_Worker], requests: Sequence[Any]) -> list[tuple[_Worker, Verdict]]:
    """Waits for an answer, a death or a deadline; workers that gave no answer are stopped here."""
    busy = [worker for worker in workers if worker.task >= 0]
    patience = max(0.05, min(worker.deadline for worker in busy) - time.monotonic())
    ready = set(wait([worker.connection for worker in busy], timeout=min(patience, 1.0)))
    found: list[tuple[_Worker, Verdict]] = []
    for worker in busy:
        request = requests[worker.task]
        if worker.connection in ready:
            try:
                found.append((worker, worker.connection.recv()))
            except (EOFError, OSError):
                worker.stop()
                code = worker.process.exitcode
                found.append((worker, failed_verdict(request, "TLM740", f"the worker ended with exit code {code}")))
        elif time.monotonic() > worker.deadline:
            worker.stop()
            limit = request.options.time_limit_s
            found.append((worker, failed_verdict(request, "TLM736", f"stopped {GRACE_S:g} s past {limit:g} s")))
    return found
