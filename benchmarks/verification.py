"""Verification, cold and cached: CPU time a kernel, and where it goes.

Run: ``python benchmarks/verification.py [FOLDER] [KERNELS]`` (default: a seeded sample of 12 kernels of the corpus).
Cold means empty caches; what is built once an installation (the oracle's runner, precompiled headers) is built before.
The peer is the host compiler alone: the two builds of the original and the port's.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measuring import CORPUS, Row, cpu_now, show

SAMPLE_SEED = 20
_PHASES = ("preprocess", "run build", "check build", "describe", "check runs", "runs", "port")


@dataclass
class Phases:
    """CPU seconds of child processes by phase, for the kernel that is being verified."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def watch(self, module: Any, phase: Callable[[list[str]], str]) -> None:
        """Counts what ``module`` runs; ``phase`` names it by its command line."""
        run = module.run_isolated

        def run_and_count(argv: list[str], **options: Any) -> Any:
            done = run(argv, **options)
            self.seconds[phase(list(argv))] += done.cpu_s
            return done

        module.run_isolated = run_and_count


def watch_phases() -> Phases:
    """Phases of everything that verification starts in this process from now on."""
    from migrate.oracle import building, preprocess, running, toolchain
    from migrate.verify import port_process

    phases = Phases()
    checks: set[str] = set()
    build = building.build_kernel

    def build_and_note(request: Any, kind: Any) -> Any:
        built = build(request, kind)
        if kind == "check":
            checks.add(str(built.library))
        return built

    building.build_kernel = build_and_note
    linking = {"kind": "run build"}

    def compile_phase(argv: list[str]) -> str:
        if "-c" in argv:
            linking["kind"] = "check build" if "-DORACLE_CHECK=1" in argv else "run build"
        return linking["kind"] if "unit.cpp" in argv or "-shared" in argv else "once"

    phases.watch(preprocess, lambda _: "preprocess")
    phases.watch(toolchain, compile_phase)
    phases.watch(building, lambda _: "describe")
    phases.watch(running, lambda argv: "check runs" if argv[1] in checks else "runs")
    phases.watch(port_process, lambda _: "port")
    return phases


def requests_of(folder: Path, output: Path, kernels: int) -> list[Any]:
    """Verification requests of a seeded sample of the folder's ports."""
    from migrate.pipeline.emitting import emit_all
    from migrate.pipeline.options import Options
    from migrate.pipeline.proving import module_name
    from migrate.pipeline.reading import read_sources
    from migrate.pipeline.stages import write_ports
    from migrate.pipeline.writing import OutputFolder
    from migrate.verify.request import VerifyRequest

    options = Options(root=folder, sources=(folder,), output=output, jobs=1, lower=False)
    emitted = emit_all(read_sources(options, {}, quiet=True), options, {}, quiet=True)
    write_ports(OutputFolder(output, dry_run=False), emitted)
    items = random.Random(SAMPLE_SEED).sample(list(emitted.kernels), min(kernels + 1, len(emitted.kernels)))
    return [
        VerifyRequest(folder, item.record, item.kernel, item.plan, output, module_name(item.port_path), item.entry)
        for item in items
    ]


def measure(folder: Path = CORPUS, kernels: int = 12) -> list[Row]:
    """Medians over the kernels; the first of the sample only warms up."""
    import os

    from migrate.verify.verify import verify_kernel

    with tempfile.TemporaryDirectory(prefix="verification-") as scratch:
        os.environ["TILELANG_MIGRATE_CACHE"] = f"{scratch}/cache"
        warm_up, *requests = requests_of(folder, Path(scratch, "out"), kernels)
        verify_kernel(warm_up)
        phases = watch_phases()
        cold: list[float] = []
        cached: list[float] = []
        parts: list[dict[str, float]] = []
        passed = 0
        for request in requests:
            phases.seconds.clear()
            before = cpu_now()
            verdict = verify_kernel(request)
            cold.append(cpu_now() - before)
            parts.append({**phases.seconds, "own process": cold[-1] - sum(phases.seconds.values())})
            passed += verdict.status == "passed"
            before = cpu_now()
            verify_kernel(request)
            cached.append(cpu_now() - before)
    compilers = statistics.median(part.get("run build", 0) + part.get("check build", 0) for part in parts)
    rows = [
        Row(
            f"verification cold, {len(requests)} kernels, {passed} passed",
            statistics.median(cold),
            "s",
            compilers,
            "the two builds of the original",
            "median <= 4 s",
        ),
        Row("  the slowest of them", max(cold), "s"),
    ]
    rows += [
        Row(f"  of it {name}", statistics.median(part.get(name, 0.0) for part in parts), "s")
        for name in (*_PHASES, "own process")
    ]
    rows.append(Row("verification cached", statistics.median(cached), "s", None, "", "<= 0.2 s"))
    return rows


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else CORPUS
    show(measure(place, int(sys.argv[2]) if len(sys.argv) > 2 else 12))
