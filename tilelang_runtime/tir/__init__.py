"""Engine ``tir``: the real tilelang traces a program, its own simplification runs, and the runtime executes the result.

So what upstream makes of a program is checked, not what we believe of it. Needs the real tilelang (and torch).
"""

from __future__ import annotations

from typing import Any


def activate() -> None:
    """Imports the real tilelang and replaces its ``compile`` by one that runs the imported program on this CPU.

    Raises ImportError when the real tilelang is not installed, RuntimeError when the bundled runtime is active under
    that name.
    """
    import tilelang_runtime

    if tilelang_runtime.active():
        raise RuntimeError("the bundled runtime is active under the name tilelang; deactivate() it first")
    import tilelang

    tilelang.compile = compile_imported
    tilelang.is_bundled_runtime = True  # launchers then make numpy tables


def compile_imported(func: Any = None, out_idx: Any = None, pass_configs: Any = None, **_options: Any) -> Any:
    """A `CompiledKernel` of a real prim_func after upstream's Simplify.

    Raises `expressions.UnsupportedTir` naming what the importer does not know.
    """
    from tilelang_runtime.kernel import CompiledKernel
    from tilelang_runtime.tir.importer import import_prim_func, simplify

    program = import_prim_func(simplify(func))
    return CompiledKernel(program, out_idx, {str(key): value for key, value in (pass_configs or {}).items()})
