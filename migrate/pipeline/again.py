"""Work on an earlier conversion: verify its ports again."""

from __future__ import annotations

from pathlib import Path

from migrate.pipeline.assemble import Converted, assemble
from migrate.pipeline.emitting import Emitted, EmittedKernel, emit_all
from migrate.pipeline.lock import options_from_lock, read_lock
from migrate.pipeline.options import Options, UsageError, default_jobs
from migrate.pipeline.ported import output_of
from migrate.pipeline.proving import Proof, VerifySettings, lower_all, verify_all
from migrate.pipeline.reading import read_sources
from migrate.report.model import Report


def opened(paths: tuple[Path, ...], *, jobs: int, lower: bool) -> Options:
    """The options of the conversion that ``paths`` (one output folder, or files in it) came from. Raises UsageError."""
    outputs = {output_of(path) for path in paths}
    if len(outputs) != 1:
        raise UsageError("name one output folder, or files of one output folder")
    output = outputs.pop()
    lock = read_lock(output)
    if lock is None:
        raise UsageError(f"{output / 'migrate.lock'}: cannot be read; convert again")
    return options_from_lock(output, lock, jobs=jobs or default_jobs(), lower=lower)


def verify_again(paths: tuple[Path, ...], settings: VerifySettings, *, lower: bool, jobs: int, quiet: bool) -> Report:
    """Runs the ports under ``paths`` (one output folder, or files in it) against their originals.

    Verdicts hold for the text that stands in the folder, edited or not. Raises UsageError.
    """
    options = opened(paths, jobs=jobs, lower=lower)
    output = options.output
    times: dict[str, float] = {}
    reading = read_sources(options, times, quiet=quiet)
    emitted = emit_all(reading, options, times, quiet=quiet)
    chosen = _chosen(emitted, output, paths)
    proof = Proof()
    verify_all(options, chosen, proof, times, quiet=quiet, settings=settings)
    if lower:
        lower_all(options, chosen, proof, times, quiet=quiet)
    return assemble(Converted(options, reading, emitted, (), proof.verdicts, proof.lowered))


def _chosen(emitted: Emitted, output: Path, paths: tuple[Path, ...]) -> Emitted:
    def wanted(item: EmittedKernel) -> bool:
        port = output / item.port_path
        return port.is_file() and any(port.is_relative_to(path.resolve()) for path in paths)

    kernels = tuple(item for item in emitted.kernels if wanted(item))
    if not kernels:
        raise UsageError("no ports of known kernels there; convert again")
    return Emitted(emitted.ports, kernels, emitted.refusals, emitted.support, emitted.plans)
