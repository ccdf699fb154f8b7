"""What verification needs of a request, in its own terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.analysis.access import access_summary
from migrate.analysis.launch_plan import ConcreteLaunch, LaunchPlan
from migrate.ir.kernel import Kernel
from migrate.oracle.api import OracleRequest
from migrate.verify.generator import RootHint
from migrate.verify.parameters import PortParameter, parameters_of
from migrate.verify.plan_settings import settings_from_plan
from migrate.verify.request import VerifyRequest
from migrate.verify.setting import Setting
from migrate.verify.thresholds import compared_bounds, compared_data, find_thresholds, sentinels_of

LAUNCH_MODULE = "_launch.py"


@dataclass(frozen=True)
class KernelInputs:
    """A request taken apart. ``hints``: by root name. Texts are for the cache key."""

    kernel: Kernel
    plan: LaunchPlan
    oracle_request: OracleRequest
    launcher: str
    parameters: tuple[PortParameter, ...]
    hints: Mapping[str, RootHint]
    port_text: str
    launcher_text: str
    plan_text: str

    def settings(
        self, symbols: Sequence[tuple[str, int]], recorded: Mapping[int, ConcreteLaunch] | None = None
    ) -> list[Setting]:
        """Launches to try (see `settings_from_plan`)."""
        return settings_from_plan(self.plan, self.kernel, symbols, find_thresholds(self.kernel).scalars, recorded)


def inputs_from_request(request: VerifyRequest) -> KernelInputs:
    """Reads the port's files and prepares the oracle's request. OSError when the port cannot be read."""
    record, kernel = request.record, request.kernel
    port_file = request.port_dir.joinpath(*request.port_module.split(".")).with_suffix(".py")
    launch_file = request.port_dir / LAUNCH_MODULE
    return KernelInputs(
        kernel=kernel,
        plan=request.plan,
        oracle_request=oracle_request(request.root, record, kernel),
        launcher=request.entry.launcher,
        parameters=parameters_of(request.entry),
        hints=root_hints(kernel),
        port_text=port_file.read_text(encoding="utf-8"),
        launcher_text=launch_file.read_text(encoding="utf-8") if launch_file.is_file() else "",
        plan_text=request.plan.to_json(),
    )


def oracle_request(root: Path, record: Any, kernel: Kernel) -> OracleRequest:
    """What the oracle needs to build an instantiation of the parse's ``record``."""
    return OracleRequest(
        root=root,
        file=root / record.file,
        name=kernel.name,
        cpp_name=kernel.cpp_name,
        line=record.line,
        include_dirs=tuple(root / item for item in record.include_dirs),
        defines=tuple(record.defines),
        unit=root / record.unit if record.unit else None,
    )


def root_hints(kernel: Kernel) -> dict[str, RootHint]:
    """Index-like roots and what they index, from the access analysis."""
    hints: dict[str, RootHint] = {}
    compared, bounds = compared_data(kernel), compared_bounds(kernel)
    dtypes = {buffer.name: buffer.dtype for buffer in kernel.buffers}
    for name, use in access_summary(kernel).buffers.items():
        if use.element_kind == "row_pointer":
            hints[name] = RootHint("row_pointers", use.index_of)
        elif use.element_kind == "index":
            sentinels = sentinels_of(compared.get(name, ()), dtypes[name])
            hints[name] = RootHint("index", use.index_of, sentinels, bounds.get(name, ()))
    return hints
