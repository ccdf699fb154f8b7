"""TileLang without GPU, torch or the real tilelang: `activate` puts it where ``import tilelang`` finds it.

Never imports migrate. Names load on first use, because the command line imports this package for its plumbing alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilelang_runtime.activation import activate, active, deactivate
    from tilelang_runtime.ir.nodes import TileLangError
    from tilelang_runtime.kernel import CompiledKernel, Configuration, configuration, configure, listen
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
    "listen",
]
_HOMES = {
    "activate": "activation",
    "active": "activation",
    "deactivate": "activation",
    "TileLangError": "ir.nodes",
    "CompiledKernel": "kernel",
    "Configuration": "kernel",
    "configuration": "kernel",
    "configure": "kernel",
    "listen": "kernel",
    "Event": "report",
    "RunError": "report",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
