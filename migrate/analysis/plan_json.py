"""JSON form of launch plans: one stable text, strict on reading."""

from __future__ import annotations

import json
from typing import Any

from migrate.analysis.plan_model import (
    SCHEMA_VERSION,
    LaunchPlan,
    PlannedPointer,
    PlannedRoot,
    PlannedScalar,
    PlannedSite,
)
from migrate.ir.host_eval import from_json, to_json
from migrate.ir.launch import HostExpr


def _optional(expr: HostExpr | None) -> Any:
    return None if expr is None else to_json(expr)


def _read_optional(raw: Any) -> HostExpr | None:
    return None if raw is None else from_json(raw)


def _root(root: PlannedRoot) -> dict[str, Any]:
    return {
        "name": root.name,
        "dtype": root.dtype,
        "guess": root.guess,
        "origin": root.origin,
        "kind": root.kind,
        "multiple_of": root.multiple_of,
        "value": root.value,
        "reason": root.reason,
    }


def _scalar(scalar: PlannedScalar) -> dict[str, Any]:
    return {
        "name": scalar.name,
        "dtype": scalar.dtype,
        "position": scalar.position,
        "path": list(scalar.path),
        "byte_offset": scalar.byte_offset,
        "value": to_json(scalar.value),
        "source": scalar.source,
    }


def _pointer(pointer: PlannedPointer) -> dict[str, Any]:
    return {
        "name": pointer.name,
        "dtype": pointer.dtype,
        "position": pointer.position,
        "path": list(pointer.path),
        "byte_offset": pointer.byte_offset,
        "allocation": pointer.allocation,
        "bytes": _optional(pointer.bytes),
        "offset_bytes": _optional(pointer.offset_bytes),
        "contents": pointer.contents,
        "source": pointer.source,
    }


def _site(site: PlannedSite) -> dict[str, Any]:
    return {
        "place": site.place,
        "host_function": site.host_function,
        "grid": [to_json(part) for part in site.grid],
        "block": [to_json(part) for part in site.block],
        "shared_bytes": to_json(site.shared_bytes),
        "scalars": [_scalar(scalar) for scalar in site.scalars],
        "pointers": [_pointer(pointer) for pointer in site.pointers],
        "roots": [_root(root) for root in site.roots],
        "conditions": [to_json(condition) for condition in site.conditions],
        "geometry_source": site.geometry_source,
        "provenance": list(site.provenance),
    }


def plan_to_dict(plan: LaunchPlan) -> dict[str, Any]:
    """The plan as plain data for JSON."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kernel_id": plan.kernel_id,
        "symbol": plan.symbol,
        "cpp_name": plan.cpp_name,
        "sites": [_site(site) for site in plan.sites],
        "notes": list(plan.notes),
    }


def plan_to_json(plan: LaunchPlan) -> str:
    """The plan as text; equal plans give equal bytes."""
    return json.dumps(plan_to_dict(plan), indent=1, sort_keys=True, allow_nan=False) + "\n"


def _triple(raw: list[Any]) -> tuple[HostExpr, HostExpr, HostExpr]:
    x, y, z = raw
    return from_json(x), from_json(y), from_json(z)


def _read_site(raw: dict[str, Any]) -> PlannedSite:
    return PlannedSite(
        place=raw["place"],
        host_function=raw["host_function"],
        grid=_triple(raw["grid"]),
        block=_triple(raw["block"]),
        shared_bytes=from_json(raw["shared_bytes"]),
        scalars=tuple(
            PlannedScalar(**{**one, "path": tuple(one["path"]), "value": from_json(one["value"])})
            for one in raw["scalars"]
        ),
        pointers=tuple(
            PlannedPointer(
                **{
                    **one,
                    "path": tuple(one["path"]),
                    "bytes": _read_optional(one["bytes"]),
                    "offset_bytes": _read_optional(one["offset_bytes"]),
                }
            )
            for one in raw["pointers"]
        ),
        roots=tuple(PlannedRoot(**one) for one in raw["roots"]),
        conditions=tuple(from_json(one) for one in raw["conditions"]),
        geometry_source=raw["geometry_source"],
        provenance=tuple(raw["provenance"]),
    )


def plan_from_json(text: str) -> LaunchPlan:
    """Inverse of `plan_to_json`; ValueError for anything else."""
    raw = json.loads(text)
    if not isinstance(raw, dict) or raw.get("schema_version") != SCHEMA_VERSION:
        raise ValueError(f"not a launch plan of schema version {SCHEMA_VERSION}")
    try:
        return LaunchPlan(
            raw["kernel_id"],
            raw["symbol"],
            raw["cpp_name"],
            tuple(_read_site(site) for site in raw["sites"]),
            tuple(raw["notes"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a launch plan: {error}") from error
