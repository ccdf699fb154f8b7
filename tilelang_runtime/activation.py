"""Makes ``import tilelang`` and ``import tilelang.language as T`` find the bundled runtime."""

from __future__ import annotations

import sys
from types import ModuleType

VERSION = "0.1.15"
_NAMES = ("tilelang", "tilelang.language")


class _State:
    def __init__(self) -> None:
        self.replaced: dict[str, ModuleType] | None = None


_STATE = _State()


class PassConfigKey:
    """Names of pass configurations that ports set."""

    TL_DISABLE_SAFE_MEMORY_ACCESS = "tl.disable_safe_memory_legalize"
    TL_DISABLE_THREAD_STORAGE_SYNC = "tl.disable_thread_storage_sync"
    TL_DISABLE_WARP_SPECIALIZED = "tl.disable_warp_specialized"
    TL_DISABLE_TMA_LOWER = "tl.disable_tma_lower"
    TL_ENABLE_FAST_MATH = "tl.enable_fast_math"


def activate() -> None:
    """Installs the modules ``tilelang`` and ``tilelang.language``; what stood there before comes back later."""
    if _STATE.replaced is not None:
        return
    from tilelang_runtime import kernel
    from tilelang_runtime.language import Facade, module

    package, language = Facade("tilelang"), module()
    package.__path__ = []
    package.__doc__ = "The bundled TileLang runtime."
    content = {
        "__version__": VERSION,
        "language": language,
        "compile": kernel.compile,
        "jit": kernel.jit,
        "PassConfigKey": PassConfigKey,
        "CompiledKernel": kernel.CompiledKernel,
        "cdiv": lambda a, b: -(-a // b),
        "is_bundled_runtime": True,
    }
    for name, value in content.items():
        setattr(package, name, value)
    loaded = [name for name in sys.modules if name == "tilelang" or name.startswith("tilelang.")]
    _STATE.replaced = {name: sys.modules.pop(name) for name in loaded}
    sys.modules["tilelang"], sys.modules["tilelang.language"] = package, language


def deactivate() -> None:
    """Takes the modules away again."""
    if _STATE.replaced is None:
        return
    for name in _NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(_STATE.replaced)
    _STATE.replaced = None


def active() -> bool:
    """Whether ``import tilelang`` gives the bundled runtime."""
    return _STATE.replaced is not None
