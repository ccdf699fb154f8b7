"""The slow stages: verification against the oracle, lowering by the real tilelang."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from migrate.emit import upstream_child
from migrate.emit.upstream import ARCH, LowerJob, lower_many
from migrate.pipeline.emitting import Emitted, typical_launch
from migrate.pipeline.options import Options
from migrate.pipeline.progress import stage
from migrate.verify.bundle import finish_bundle
from migrate.verify.many import verify_many
from migrate.verify.request import OracleChoice, VerifyOptions, VerifyRequest
from migrate.verify.verdict import Verdict
from tilelang_runtime.support.cache import key_of, read_entry, write_entry

Key = tuple[str, str]


@dataclass(frozen=True)
class Lowered:
    """What the real tilelang (and nvcc) said of one port. ``ok`` None: not installed."""

    ok: bool | None
    message: str = ""


@dataclass(frozen=True)
class VerifySettings:
    """How ports are run; ``oracle``: see `VerifyOptions`; ``bundle``: also write what a GPU machine needs there;
    ``audit``: cases of a second generator too.
    """

    cases: int = 8
    seed: int = 0
    engine: str = "native"
    further_engines: tuple[str, ...] = ()
    time_limit_s: float = 120.0
    bundle: Path | None = None
    oracle: OracleChoice = "shim"
    audit: bool = False


@dataclass
class Proof:
    """Results as they come in, so that an interrupted run keeps what it has."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    lowered: dict[Key, Lowered] = field(default_factory=dict)


def verify_all(
    options: Options,
    emitted: Emitted,
    proof: Proof,
    times: dict[str, float],
    *,
    quiet: bool,
    settings: VerifySettings | None = None,
) -> None:
    """Verifies every emitted kernel; verdicts appear in ``proof`` as they finish."""
    chosen = settings or VerifySettings(options.cases, options.seed, time_limit_s=options.timeout_s)
    verify_options = VerifyOptions(
        cases=chosen.cases,
        seed=chosen.seed,
        engine=chosen.engine,
        further_engines=chosen.further_engines,
        time_limit_s=chosen.time_limit_s,
        bundle=chosen.bundle,
        oracle=chosen.oracle,
        audit=chosen.audit,
    )
    requests = requests_for(options, emitted, verify_options)
    keys = {(r.kernel.id, r.kernel.symbol): (r.kernel.id, r.kernel.cpp_name) for r in requests}
    with stage("verify", len(requests), times, quiet=quiet) as bar:
        for verdict in verify_many(requests, options.jobs):
            proof.verdicts[keys[(verdict.kernel_id, verdict.symbol)]] = verdict
            bar.step(verdict.symbol)
    if chosen.bundle is not None:
        finish_bundle(chosen.bundle, options.output)


def requests_for(options: Options, emitted: Emitted, verify_options: VerifyOptions) -> list[VerifyRequest]:
    """One request a kernel, in order."""
    return [
        VerifyRequest(
            root=options.root,
            record=item.record,
            kernel=item.kernel,
            plan=item.plan,
            port_dir=options.output,
            port_module=module_name(item.port_path),
            entry=item.entry,
            options=verify_options,
        )
        for item in emitted.kernels
    ]


def lower_all(options: Options, emitted: Emitted, proof: Proof, times: dict[str, float], *, quiet: bool) -> None:
    """Lowers every port with the real tilelang where it is installed; results appear in ``proof``."""
    if find_spec("tilelang") is None:
        return
    jobs: list[LowerJob] = []
    keys: list[Key] = []
    entries: list[str] = []
    for item in emitted.kernels:
        launch = typical_launch(item.plan)
        if launch is None:
            proof.lowered[item.key] = Lowered(None, "no launch is known to lower the port for")
            continue
        job = LowerJob(options.output / item.port_path, item.entry, *launch)
        entry = _lowering_key(job)
        known = read_entry("lowered", entry)
        if known is not None:
            proof.lowered[item.key] = Lowered(**json.loads(known))
            continue
        jobs.append(job)
        keys.append(item.key)
        entries.append(entry)
    with stage("lower", len(jobs), times, quiet=quiet) as bar:
        for index, result in lower_many(jobs, options.jobs):
            lowered = Lowered(result.ok and result.nvcc_ok is not False, result.message)
            proof.lowered[keys[index]] = lowered
            write_entry("lowered", entries[index], json.dumps(asdict(lowered)).encode())
            bar.step(keys[index][1])


def _lowering_key(job: LowerJob) -> str:
    """Everything the answer depends on: the port's text, the launch, and the compilers."""
    return key_of(
        job.path.read_bytes(),
        job.entry.symbol,
        repr((job.block, job.shared, ARCH)),
        metadata.version("tilelang"),
        nvcc_version(),
        Path(upstream_child.__file__).read_bytes(),
    )


@cache
def nvcc_version() -> str:
    """What nvcc says of itself; empty without nvcc."""
    if shutil.which("nvcc") is None:
        return ""
    return subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=False).stdout


def module_name(port_path: str) -> str:
    """``src/saxpy_cu_tl.py`` → ``src.saxpy_cu_tl``."""
    return port_path.removesuffix(".py").replace("/", ".")
