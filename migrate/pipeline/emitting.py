"""From kernel models to port files: one port a source file, written as text into memory."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from migrate.analysis.plan_json import plan_to_dict
from migrate.analysis.plan_model import EmptyLaunch, InvalidLaunch, LaunchPlan
from migrate.diagnostics import Diagnostic
from migrate.emit.port_file import EmitOptions, PortEntry, PortFile, emit_port, source_file, support_files
from migrate.ir.kernel import Kernel
from migrate.parse.results import KernelRecord
from migrate.pipeline.options import Options
from migrate.pipeline.progress import stage
from migrate.pipeline.reading import Reading


@dataclass(frozen=True)
class EmittedKernel:
    """One instantiation with its port: what verification and lowering need."""

    record: KernelRecord
    kernel: Kernel
    plan: LaunchPlan
    entry: PortEntry
    port_path: str

    @property
    def key(self) -> tuple[str, str]:
        """Identity of an instantiation in a run."""
        return (self.kernel.id, self.kernel.cpp_name)


@dataclass(frozen=True)
class Emitted:
    """All ports of a run, nothing written yet. ``refusals`` by (kernel id, C++ name)."""

    ports: tuple[PortFile, ...]
    kernels: tuple[EmittedKernel, ...]
    refusals: dict[tuple[str, str], Diagnostic]
    support: dict[str, str]
    plans: dict[str, str]


def emit_all(reading: Reading, options: Options, times: dict[str, float], *, quiet: bool) -> Emitted:
    """Emits every source file that has a kernel model."""
    by_file: dict[str, list[KernelRecord]] = defaultdict(list)
    for record in reading.records:
        if record.instantiations:
            by_file[record.file].append(record)
    plans = {(plan.kernel_id, plan.cpp_name): plan for plan in reading.plans}
    ports: list[PortFile] = []
    kernels: list[EmittedKernel] = []
    refusals: dict[tuple[str, str], Diagnostic] = {}
    plan_texts: dict[str, str] = {}
    with stage("emit", len(by_file), times, quiet=quiet) as bar:
        for file, records in sorted(by_file.items()):
            models = {kernel.symbol: (record, kernel) for record in records for kernel in record.instantiations}
            chosen = EmitOptions(default_block=_default_blocks(models, plans), ranks=_ranks(models, plans))
            port = emit_port(source_file(options.root, file), [kernel for _, kernel in models.values()], chosen)
            for kernel, diagnostic in port.refusals:
                refusals[(kernel.id, kernel.cpp_name)] = diagnostic
            if port.entries:
                ports.append(port)
                found = [_emitted(entry, models, plans, port) for entry in port.entries]
                kernels += found
                stem = port.path.removesuffix("_tl.py")
                plan_texts[f"{stem}.launch.json"] = _plan_text([item.plan for item in found])
            bar.step(file)
    return Emitted(tuple(ports), tuple(kernels), refusals, support_files(port.path for port in ports), plan_texts)


def typical_launch(plan: LaunchPlan) -> tuple[tuple[int, int, int], int] | None:
    """Block size and dynamic shared bytes of the first site whose guesses give a valid launch; None without one."""
    for index in range(len(plan.sites)):
        try:
            launch = plan.instantiate(site=index)
        except (EmptyLaunch, InvalidLaunch):
            continue
        return launch.block, launch.shared_bytes
    return None


def _default_blocks(
    models: Mapping[str, tuple[KernelRecord, Kernel]], plans: Mapping[tuple[str, str], LaunchPlan]
) -> dict[str, tuple[int, int, int]]:
    blocks: dict[str, tuple[int, int, int]] = {}
    for _, kernel in models.values():
        launch = typical_launch(plans[(kernel.id, kernel.cpp_name)])
        if launch is not None:
            blocks.setdefault(kernel.id, launch[0])
    return blocks


def _ranks(
    models: Mapping[str, tuple[KernelRecord, Kernel]], plans: Mapping[tuple[str, str], LaunchPlan]
) -> dict[tuple[str, str], tuple[int, int]]:
    """How many axes of grid and block the known launches use."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for _, kernel in models.values():
        key = (kernel.id, kernel.cpp_name)
        grid_rank, block_rank = 1, 1
        for index in range(len(plans[key].sites)):
            try:
                launch = plans[key].instantiate(site=index)
            except (EmptyLaunch, InvalidLaunch):
                continue
            grid_rank, block_rank = max(grid_rank, _rank(launch.grid)), max(block_rank, _rank(launch.block))
        found[key] = (grid_rank, block_rank)
    return found


def _rank(sizes: tuple[int, int, int]) -> int:
    return max((axis + 1 for axis, size in enumerate(sizes) if size != 1), default=1)


def _emitted(
    entry: PortEntry,
    models: dict[str, tuple[KernelRecord, Kernel]],
    plans: dict[tuple[str, str], LaunchPlan],
    port: PortFile,
) -> EmittedKernel:
    record, kernel = models[entry.symbol]
    return EmittedKernel(record, kernel, plans[(kernel.id, kernel.cpp_name)], entry, port.path)


def _plan_text(plans: list[LaunchPlan]) -> str:
    documents = [plan_to_dict(plan) for plan in plans]
    return json.dumps({"schema_version": 1, "plans": documents}, indent=1, sort_keys=True, allow_nan=False) + "\n"
