"""The worker process: reads pickled `FileJob`s from stdin, writes pickled `FileResult`s to stdout.

Started as ``python -m migrate.parse.worker`` by session.py, which may kill it at any time. Each message is eight bytes
of length and a pickle. Nothing but messages reaches the real stdout: libclang's crash notes and stray prints go to
stderr.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import sys
import threading
from typing import BinaryIO

from migrate.parse.includes import HeaderIndex
from migrate.parse.results import FileJob

_RECURSION_LIMIT = 12_000
_STACK_BYTES = 256 << 20
# Objects made and not freed since the last collection: some hundred bytes each, and some hold a unit of clang's.
_GARBAGE_LIMIT = 700_000


def read_message(stream: BinaryIO) -> bytes | None:
    """One message; None at the end of the stream or if it breaks off."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head, "little")
    body = stream.read(size)
    return body if len(body) == size else None


def write_message(stream: BinaryIO, body: bytes) -> None:
    """Writes one message."""
    stream.write(len(body).to_bytes(8, "little") + body)
    stream.flush()


def limit_resources(memory_mb: int) -> None:
    """Address space limit, no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = memory_mb << 20
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def main() -> int:
    """Serves jobs until stdin ends."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit_resources(int(sys.argv[1]) if len(sys.argv) > 1 else 4096)
    sys.setrecursionlimit(_RECURSION_LIMIT)
    threading.stack_size(_STACK_BYTES)
    server = threading.Thread(target=_serve, args=(requests, answers), daemon=True)
    server.start()
    server.join()
    return 0


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """The loop itself; it runs in a thread because only threads can have a large stack (deeply nested code)."""
    from migrate.parse.analyse import FileAnalysis, WorkerMemory
    from migrate.parse.fast_cindex import install

    install()
    # A file makes a million small objects, most of them freed without the collector: it looks only between files.
    gc.disable()
    gc.freeze()
    memory = WorkerMemory()
    headers = HeaderIndex(())
    while True:
        body = read_message(requests)
        if body is None:
            return
        job: FileJob = pickle.loads(body)
        if job.headers:  # sent with the first job only
            headers = HeaderIndex(job.headers)
        result = FileAnalysis(job, memory, headers).run()
        write_message(answers, pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))
        del job, result
        if gc.get_count()[0] > _GARBAGE_LIMIT:
            gc.collect()


if __name__ == "__main__":
    sys.exit(main())
