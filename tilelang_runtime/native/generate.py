"""Program → one C++ translation unit."""

from __future__ import annotations

from dataclasses import dataclass

from tilelang_runtime.ir import nodes
from tilelang_runtime.ir.shape import Shape, classify
from tilelang_runtime.native.expressions import Site
from tilelang_runtime.native.statements import LaunchWriter


@dataclass(frozen=True)
class LaunchCode:
    """What the engine needs to run one launch."""

    symbol: str
    shape: Shape
    threads: tuple[int, int, int]
    shared_bytes: int
    stack_bytes: int


@dataclass(frozen=True)
class ProgramCode:
    """The text, its launches, and the places that site numbers mean."""

    text: str
    launches: tuple[LaunchCode, ...]
    sites: tuple[Site, ...]


def generate(program: nodes.Program) -> ProgramCode:
    """C++ for every launch of ``program``. Raises TileLangError for what the engine does not have."""
    sites: list[Site] = []
    parts = ['#include "kernel.h"']
    launches = []
    for position, launch in enumerate(program.launches):
        shape = classify(launch)
        writer = LaunchWriter(launch, program, sites, shape)
        symbol = f"launch_{position}"
        parts.append(writer.function(symbol))
        stack = 16384 + 2 * writer.local_bytes
        launches.append(LaunchCode(symbol, shape, launch.threads, writer.shared_bytes, stack))
    return ProgramCode("\n".join(parts) + "\n", tuple(launches), tuple(sites))
