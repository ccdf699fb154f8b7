"""The host's own word on a launch: the original host function runs, and what it launches is held against the plan.

The plan comes from slicing host code; this comes from running it. Both see the same values of the plan's roots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from migrate.analysis.launch_plan import ConcreteLaunch, InvalidLaunch, LaunchPlan, PlannedSite
from migrate.ir.host_eval import Number
from migrate.ir.kernel import Kernel, ScalarParam
from migrate.oracle.api import OracleError, OracleRequest
from migrate.oracle.hosting import HostBuffer, HostParameter, RecordedLaunch, host_parameters, record_host
from migrate.verify.dtypes import is_float, numpy_dtype
from migrate.verify.scalars import scalar_bytes

# Zeroed bytes behind each pointer that a host function takes; it only hands them on.
_BUFFER_BYTES = 1 << 22
_TIMEOUT_S = 10.0
# Types of arguments that a launch does not depend on.
_NEUTRAL = frozenset({"cudaStream_t", "cudaEvent_t", "bool", "cublasHandle_t", "cublasLtHandle_t"})
_NUMBERS = frozenset(
    {"const", "unsigned", "signed", "short", "int", "long", "float", "double", "size_t", "int64_t", "uint64_t"}
    | {"int32_t", "uint32_t"}
)
_NO_WORDS = '[] { static char name[] = "program"; static char* words[] = {name, nullptr}; return words; }()'


@dataclass(frozen=True)
class Witness:
    """``sites``: launches of the plan's sites with what the host really passes, where that differs.

    ``agreeing``: sites that the host's own launch confirms. ``silent``: why the others could not be asked.
    ``complaints``: what differs, a sentence a site.
    """

    differing: Mapping[int, ConcreteLaunch]
    agreeing: tuple[int, ...]
    silent: Mapping[int, str]
    complaints: tuple[str, ...] = ()


def ask_host(kernel: Kernel, plan: LaunchPlan, request: OracleRequest, sites: int) -> Witness:
    """Runs the host function of the first ``sites`` sites with the plan's own root values.

    Roots that it does not take as parameters have the values that host code gives them.

    ``request`` names the kernel; its root, include folders and defines hold for the host function too. Whatever goes
    wrong leaves a site silent.
    """
    differing: dict[int, ConcreteLaunch] = {}
    agreeing: list[int] = []
    silent: dict[int, str] = {}
    complaints: list[str] = []
    for number, site in enumerate(plan.sites[:sites]):
        try:
            host = _host_request(site, request)
            parameters = host_parameters(host)
            launch = plan.instantiate(_elsewhere(site, {item.name for item in parameters}), number)
            recorded = record_host(host, _arguments(parameters, launch.roots), timeout_s=_TIMEOUT_S)
        except (OracleError, InvalidLaunch, ValueError) as error:
            silent[number] = str(error)
            continue
        own = [item for item in recorded if item.kernel == kernel.name and len(item.arguments) == len(kernel.c_params)]
        if not own:
            silent[number] = "the host function makes no launch of this kernel with these values"
        elif any(_same(kernel, launch, item) for item in own):
            agreeing.append(number)
        elif invented := [item.name for item in parameters if _invented(item, launch.roots)]:
            # A caller may pass what the plan says; only a caller's own run could tell.
            silent[number] = f"the plan does not say what {', '.join(invented)} of the host function is"
        elif any(root.origin != "parameter" for root in site.roots):
            silent[number] = "the host function launches with other values; the plan's may be a caller's"
        else:
            differing[number] = _as_recorded(kernel, launch, own[0])
            complaints.append(_complaint(launch, differing[number]))
    return Witness(differing, tuple(agreeing), silent, tuple(complaints))


def _elsewhere(site: PlannedSite, parameters: set[str]) -> dict[str, Number]:
    """Values of roots that the host function does not take: what the host itself gives them, as nothing else can.

    ValueError for a root that is neither: what the host function reads from files or memory is not the plan's guess.
    """
    found: dict[str, Number] = {}
    for root in site.roots:
        if root.name in parameters:
            continue
        if root.value is None:
            raise ValueError(f"the host function gets `{root.name}` from elsewhere")
        found[root.name] = root.value
    return found


def _host_request(site: PlannedSite, request: OracleRequest) -> OracleRequest:
    file, _, line = site.place.rpartition(":")
    if not file or not site.host_function:
        raise ValueError("no host code launches this kernel")
    name = site.host_function.rsplit("::", 1)[-1]
    path = Path(request.root) / file
    unit = request.unit if path == request.file else None
    return replace(request, file=path, name=name, cpp_name="", line=int(line), unit=unit)


def _arguments(
    parameters: Sequence[HostParameter], roots: Mapping[str, Number]
) -> list[int | float | str | HostBuffer]:
    found: list[int | float | str | HostBuffer] = []
    for parameter in parameters:
        if parameter.name in roots:
            found.append(roots[parameter.name])
        elif parameter.words == ("char", "*", "*"):
            found.append(_NO_WORDS)  # a program started without arguments
        elif "*" in parameter.words and parameter.words.count("*") == 1 and "&" not in parameter.words:
            found.append(HostBuffer(_BUFFER_BYTES))
        elif _NEUTRAL & set(parameter.words) and not {"*", "&"} & set(parameter.words):
            found.append("{}")
        elif _invented(parameter, roots):
            found.append(1)  # perhaps the plan's launch does not depend on it
        else:
            raise ValueError(f"nothing is known of `{parameter.name}`, which the host function takes")
    return found


def _invented(parameter: HostParameter, roots: Mapping[str, Number]) -> bool:
    """Whether the parameter is a number that is no root of the plan."""
    return parameter.name not in roots and set(parameter.words) <= _NUMBERS


def _scalar_positions(kernel: Kernel) -> dict[int, ScalarParam]:
    return {item.position: item for item in kernel.params if isinstance(item, ScalarParam) and not item.path}


def _same(kernel: Kernel, launch: ConcreteLaunch, item: RecordedLaunch) -> bool:
    if (launch.grid, launch.block, launch.shared_bytes) != (item.grid, item.block, item.shared_bytes):
        return False
    return all(
        scalar_bytes(launch.scalars[scalar.name], scalar.dtype).hex() == item.arguments[position].raw
        for position, scalar in _scalar_positions(kernel).items()
    )


def _as_recorded(kernel: Kernel, launch: ConcreteLaunch, item: RecordedLaunch) -> ConcreteLaunch:
    scalars = dict(launch.scalars)
    for position, scalar in _scalar_positions(kernel).items():
        raw = np.frombuffer(bytes.fromhex(item.arguments[position].raw), dtype=numpy_dtype(scalar.dtype))[0]
        scalars[scalar.name] = float(raw) if is_float(scalar.dtype) else int(raw)
    note = f"geometry and arguments recorded from running host code ({launch.place})"
    return replace(
        launch,
        grid=item.grid,
        block=item.block,
        shared_bytes=item.shared_bytes,
        scalars=scalars,
        provenance=(*launch.provenance, note),
    )


def _complaint(planned: ConcreteLaunch, found: ConcreteLaunch) -> str:
    parts = [
        f"{what} {ours} in the plan, {theirs} from the host"
        for what, ours, theirs in (
            ("grid", planned.grid, found.grid),
            ("block", planned.block, found.block),
            ("shared bytes", planned.shared_bytes, found.shared_bytes),
            *((name, planned.scalars[name], value) for name, value in found.scalars.items()),
        )
        if ours != theirs
    ]
    return f"{planned.place}: " + "; ".join(parts)
