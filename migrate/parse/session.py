"""Parse a repository: workers, cache and one stream of results."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from migrate.diagnostics import Diagnostic, make
from migrate.ir.span import Span
from migrate.parse.includes import UnitFlags, load_compile_commands
from migrate.parse.lexer import lex
from migrate.parse.pool import JobFailure, run_jobs
from migrate.parse.results import FileJob, FileResult, KernelRecord, ParseOptions, Seen
from migrate.parse.sources import HEADER_SUFFIXES, UnreadableSource, header_files, read_source, relative_name
from tilelang_runtime.support.cache import key_of, read_entry, write_entry

_CACHE_KIND = "parse"
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class _CacheEntry:
    """A result and the hashes of what it was made from."""

    included: tuple[tuple[str, str], ...]
    result: FileResult


def parse_repository(
    root: Path, files: Sequence[Path], options: ParseOptions, progress: Progress | None = None
) -> Iterator[FileResult]:
    """Parses ``files`` (below ``root``) and gives each result as it finishes.

    Headers come last and only if no other file included them with success; results whose file, included files, options
    and converter are unchanged come from the cache without starting libclang. ``progress`` is called with
    (path, files done, files in all). Ending the iterator early kills the workers; a file that crashes its worker, or
    takes longer than ``options.timeout_s``, gives a result of its own and harms no other.
    """
    session = _Session(root, options)
    names = list(dict.fromkeys(relative_name(path, session.root) for path in files))
    headers = [name for name in names if os.path.splitext(name)[1].lower() in HEADER_SUFFIXES]
    units = [name for name in names if name not in set(headers)]
    done = 0
    covered: set[str] = set()
    for group in (units, headers):
        todo = [name for name in group if name not in covered]
        for name in group:
            if name in covered:
                done += 1
        for result in session.run(todo):
            if result.status == "parsed":
                covered |= {record.file for record in result.kernels if record.seen is Seen.USED}
            done += 1
            if progress is not None:
                progress(result.path, done, len(names))
            yield result


class _Session:
    """Jobs, cache and hashes of one call."""

    def __init__(self, root: Path, options: ParseOptions) -> None:
        self.root = Path(os.path.realpath(root))
        self._options = options
        self._hashes: dict[str, str] = {}
        self._headers = tuple(header_files(self.root))
        self._flags: dict[str, UnitFlags] = {}
        self._told: set[Diagnostic] = set()
        if options.compile_commands is not None:
            self._flags, found = load_compile_commands(options.compile_commands, self.root)
            self._pending = found
        else:
            self._pending = []
        self._key = key_of(converter_version(), "\n".join(self._headers))

    def run(self, names: Sequence[str]) -> Iterator[FileResult]:
        jobs = []
        for name in names:
            job = self._job(name)
            hit = self._cached(job) if self._options.use_cache else None
            if hit is not None:
                yield self._finish(hit)
            else:
                jobs.append(job)
        answers = run_jobs(
            jobs,
            self._headers,
            workers=min(self._options.jobs, len(jobs)),
            timeout_s=self._options.timeout_s,
            memory_mb=self._options.memory_mb,
        )
        for answer in answers:
            if isinstance(answer, JobFailure):
                yield self._finish(self._failed(answer))
            else:
                if self._options.use_cache:
                    self._store(answer)
                yield self._finish(answer)

    def _finish(self, result: FileResult) -> FileResult:
        """Adds the diagnostics of the whole run to the first result; what a header gives is told once."""
        found = [item for item in result.diagnostics if item.file == result.path or item not in self._told]
        self._told.update(found)
        extra, self._pending = self._pending, []
        return replace(result, diagnostics=(*found, *extra))

    def _job(self, name: str) -> FileJob:
        flags = self._flags.get(name, UnitFlags())
        return FileJob(
            str(self.root),
            name,
            self._options.arch,
            tuple(dict.fromkeys((*self._options.include_dirs, *flags.include_dirs))),
            tuple(dict.fromkeys((*self._options.defines, *flags.defines))),
            self._options.instantiate,
            asked=self._options.asked,
            given=self._options.given,
        )

    # --- cache ----------------------------------------------------------------------------------------------------

    def _entry_key(self, job: FileJob) -> str:
        parts = (job.root, job.path, job.arch, *job.include_dirs, "-", *job.defines, "-", *job.instantiate)
        parts = (*parts, "-", *job.asked, repr(job.given))
        return key_of(self._key, self._hash(job.path), *parts)

    def _hash(self, name: str) -> str:
        """sha256 of a file below the root, read once a session; empty if it cannot be read."""
        if name not in self._hashes:
            try:
                self._hashes[name] = hashlib.sha256((self.root / name).read_bytes()).hexdigest()
            except OSError:
                self._hashes[name] = ""
        return self._hashes[name]

    def _cached(self, job: FileJob) -> FileResult | None:
        if not self._hash(job.path):
            return None
        stored = read_entry(_CACHE_KIND, self._entry_key(job))
        if stored is None:
            return None
        collecting = gc.isenabled()
        gc.disable()  # a million small objects are made and none is garbage
        try:
            entry: _CacheEntry = pickle.loads(zlib.decompress(stored))
        except Exception:  # a damaged entry is no entry
            return None
        finally:
            if collecting:
                gc.enable()
        if any(self._hash(name) != digest for name, digest in entry.included):
            return None
        return replace(entry.result, cached=True)

    def _store(self, result: FileResult) -> None:
        if result.status == "failed" or any(item.code == "TLM059" for item in result.diagnostics):
            return
        if any(item.code == "TLM059" for record in result.kernels for item in record.refusals):
            return
        included = tuple((name, self._hash(name)) for name in result.included)
        data = zlib.compress(pickle.dumps(_CacheEntry(included, result), pickle.HIGHEST_PROTOCOL), 1)
        write_entry(_CACHE_KIND, self._entry_key(self._job(result.path)), data)

    # --- failures --------------------------------------------------------------------------------------------------

    def _failed(self, failure: JobFailure) -> FileResult:
        """The result of a file whose worker died: its kernels are still counted, by the lexer."""
        name = failure.job.path
        where = Span(name, 0)
        if failure.reason == "timeout":
            problem = make("TLM020", f"parsing took longer than {self._options.timeout_s:g} s", where)
        else:
            problem = make("TLM021", f"the parser ended without an answer (status {failure.exit_status})", where)
        records: list[KernelRecord] = []
        try:
            text = read_source(self.root / name, name).text
        except UnreadableSource:
            text = ""
        for kernel in lex(text, name).kernels:
            span = Span(name, kernel.line, 1, kernel.end_line, 0)
            refusal = make("TLM026", f"{kernel.name}: its file could not be parsed ({problem.code})", span)
            records.append(
                KernelRecord(
                    f"{name}:{kernel.line}:{kernel.name}",
                    name,
                    kernel.line,
                    kernel.end_line,
                    kernel.name,
                    (),
                    (refusal,),
                    failure.job.include_dirs,
                    failure.job.defines,
                    kernel.start_line,
                    ("",),
                    Seen.TEXT,
                    name,
                )
            )
        return FileResult(name, self._hash(name), "failed", tuple(records), (), (problem,))


@cache
def converter_version() -> str:
    """Hash over the code and headers that decide what parsing gives."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for folder in (package / "parse", package / "ir", package / "analysis", package / "diagnostics"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
