"""Work on an earlier conversion: verify its ports again, or make mistakes in them and count those that are found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from migrate.pipeline.assemble import Converted, assemble
from migrate.pipeline.emitting import Emitted, EmittedKernel, emit_all
from migrate.pipeline.lock import options_from_lock, read_lock
from migrate.pipeline.options import Options, UsageError, default_jobs
from migrate.pipeline.ported import output_of
from migrate.pipeline.progress import stage
from migrate.pipeline.proving import Proof, VerifySettings, lower_all, requests_for, verify_all
from migrate.pipeline.reading import Reading, read_sources
from migrate.report.model import Report
from migrate.verify.request import VerifyOptions

if TYPE_CHECKING:
    from migrate.mutate.model import MutationReport


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
    options, reading, emitted, chosen, times = _read_again(paths, lower=lower, jobs=jobs, quiet=quiet)
    proof = Proof()
    verify_all(options, chosen, proof, times, quiet=quiet, settings=settings)
    if lower:
        lower_all(options, chosen, proof, times, quiet=quiet)
    return assemble(Converted(options, reading, emitted, (), proof.verdicts, proof.lowered))


def mutate_again(
    paths: tuple[Path, ...], *, operators: tuple[str, ...], per_operator: int, seed: int, jobs: int, quiet: bool
) -> MutationReport:
    """Makes mistakes in the ports under ``paths`` and counts those that verification finds.

    Raises UsageError, also for an unknown operator.
    """
    from migrate.mutate.campaign import run_campaign
    from migrate.mutate.operators import BEYOND_REACH, OPERATORS

    unknown = [name for name in operators if name not in {**OPERATORS, **BEYOND_REACH}]
    if unknown:
        known = ", ".join((*OPERATORS, *BEYOND_REACH))
        raise UsageError(f"--operators {','.join(unknown)}: unknown; there are {known}")
    options, _, _, chosen, times = _read_again(paths, lower=False, jobs=jobs, quiet=quiet)
    requests = requests_for(options, chosen, VerifyOptions(seed=options.seed, time_limit_s=options.timeout_s))
    with stage("mutate", len(requests), times, quiet=quiet) as bar:
        return run_campaign(
            requests,
            operators=operators,
            per_operator=per_operator,
            seed=seed,
            jobs=options.jobs,
            progress=lambda done: bar.step(done.kernel),
        )


def _read_again(
    paths: tuple[Path, ...], *, lower: bool, jobs: int, quiet: bool
) -> tuple[Options, Reading, Emitted, Emitted, dict[str, float]]:
    """The conversion that the output folder of ``paths`` came from, all of it and the part under ``paths``."""
    options = opened(paths, jobs=jobs, lower=lower)
    times: dict[str, float] = {}
    reading = read_sources(options, times, quiet=quiet)
    emitted = emit_all(reading, options, times, quiet=quiet)
    return options, reading, emitted, _chosen(emitted, options.output, paths), times


def _chosen(emitted: Emitted, output: Path, paths: tuple[Path, ...]) -> Emitted:
    def wanted(item: EmittedKernel) -> bool:
        port = output / item.port_path
        return port.is_file() and any(port.is_relative_to(path.resolve()) for path in paths)

    kernels = tuple(item for item in emitted.kernels if wanted(item))
    if not kernels:
        raise UsageError("no ports of known kernels there; convert again")
    return Emitted(emitted.ports, kernels, emitted.refusals, emitted.support, emitted.plans)
