"""The slow stages: verification against the oracle, lowering by the real tilelang."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec

from migrate.pipeline.emitting import Emitted
from migrate.pipeline.options import Options
from migrate.pipeline.progress import stage
from migrate.verify.many import verify_many
from migrate.verify.request import VerifyOptions, VerifyRequest
from migrate.verify.verdict import Verdict

Key = tuple[str, str]


@dataclass(frozen=True)
class Lowered:
    """What the real tilelang (and nvcc) said of one port. ``ok`` None: not installed."""

    ok: bool | None
    message: str = ""


@dataclass
class Proof:
    """Results as they come in, so that an interrupted run keeps what it has."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    lowered: dict[Key, Lowered] = field(default_factory=dict)


def verify_all(options: Options, emitted: Emitted, proof: Proof, times: dict[str, float], *, quiet: bool) -> None:
    """Verifies every emitted kernel; verdicts appear in ``proof`` as they finish."""
    settings = VerifyOptions(cases=options.cases, seed=options.seed, time_limit_s=options.timeout_s)
    requests = [
        VerifyRequest(
            root=options.root,
            record=item.record,
            kernel=item.kernel,
            plan=item.plan,
            port_dir=options.output,
            port_module=module_name(item.port_path),
            entry=item.entry,
            options=settings,
        )
        for item in emitted.kernels
    ]
    keys = {(r.kernel.id, r.kernel.symbol): (r.kernel.id, r.kernel.cpp_name) for r in requests}
    with stage("verify", len(requests), times, quiet=quiet) as bar:
        for verdict in verify_many(requests, options.jobs):
            proof.verdicts[keys[(verdict.kernel_id, verdict.symbol)]] = verdict
            bar.step(verdict.symbol)


def lower_all(options: Options, emitted: Emitted, proof: Proof, times: dict[str, float], *, quiet: bool) -> None:
    """Lowers every port with the real tilelang where it is installed; results appear in ``proof``."""
    if find_spec("tilelang") is None:
        return
    from migrate.emit.upstream import LowerJob, lower_many

    jobs = [
        LowerJob(options.output / item.port_path, item.entry, block, shared)
        for item in emitted.kernels
        for block, shared in [item.plan.typical_block()]
    ]
    keys = [item.key for item in emitted.kernels]
    with stage("lower", len(jobs), times, quiet=quiet) as bar:
        for index, result in lower_many(jobs, options.jobs):
            proof.lowered[keys[index]] = Lowered(result.ok and result.nvcc_ok is not False, result.message)
            bar.step(keys[index][1])


def module_name(port_path: str) -> str:
    """``src/saxpy_cu_tl.py`` → ``src.saxpy_cu_tl``."""
    return port_path.removesuffix(".py").replace("/", ".")
