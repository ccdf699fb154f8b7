"""A kernel library on disk as an `OracleBuild`: its folder holds kernel.so and build.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from migrate.oracle.api import Arc, BuildKind, Engine, OracleBuild, OracleRequest


def description_of(folder: Path) -> dict[str, Any]:
    """The content of build.json. `migrate.oracle.building.Description` has what running needs of it."""
    raw: dict[str, Any] = json.loads((folder / "build.json").read_text())
    return raw


def described_build(
    request: OracleRequest,
    kind: BuildKind,
    folder: Path,
    *,
    synchronises: bool,
    uses: frozenset[str],
    text: str,
    counts_arcs: bool,
    engine: Engine = "shim",
) -> OracleBuild:
    """The library in ``folder``; the keywords say what build.json does not."""
    raw = description_of(folder)
    return OracleBuild(
        request=request,
        kind=kind,
        library=folder / "kernel.so",
        signature=tuple((t, s) for t, s in raw["signature"]),
        synchronises=synchronises,
        arcs=tuple(Arc(**a) for a in raw["arcs"]),
        uses=uses,
        text=text,
        symbols=tuple((n, s) for n, s in raw["symbols"]),
        cpu_s=raw["cpu_s"],
        counts_arcs=counts_arcs,
        engine=engine,
    )
