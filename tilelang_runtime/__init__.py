"""TileLang without GPU, torch or the real tilelang: `activate` puts it where ``import tilelang`` finds it.

Never imports migrate.
"""

from __future__ import annotations

from tilelang_runtime.activation import activate, active, deactivate
from tilelang_runtime.ir.nodes import TileLangError
from tilelang_runtime.kernel import CompiledKernel, Configuration, configuration, configure
from tilelang_runtime.report import Event, RunError

__all__ = [
    "CompiledKernel",
    "Configuration",
    "Event",
    "RunError",
    "TileLangError",
    "activate",
    "active",
    "configuration",
    "configure",
    "deactivate",
]
