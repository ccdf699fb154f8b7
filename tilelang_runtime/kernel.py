"""tilelang.compile of the bundled runtime, and the choice of engine."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import numpy as np

from tilelang_runtime.arguments import bind, evaluate_size
from tilelang_runtime.ir import types
from tilelang_runtime.ir.nodes import Buffer, Program, TileLangError
from tilelang_runtime.report import Event

# Told of each run's program and events.
Listener = Callable[[Program, list[Event]], None]
SAFE_ACCESS_OFF = "tl.disable_safe_memory_legalize"


@dataclass(frozen=True)
class Configuration:
    """engine: native, reference or checked; workers of parallel mode.

    mode: ordered (the schedule contract), reversed (its mirror image: native only) or parallel.
    """

    engine: str = "native"
    mode: str = "ordered"
    workers: int = 0


class _Settings:
    """What `configure` set; None: the environment decides."""

    def __init__(self) -> None:
        self.chosen: Configuration | None = None
        self.listener: Listener | None = None


_SETTINGS = _Settings()


def configuration() -> Configuration:
    """`configure`'s choice, else TILELANG_RUNTIME_ENGINE, _MODE and _WORKERS, else native and ordered."""
    if _SETTINGS.chosen is not None:
        return _SETTINGS.chosen
    found = Configuration(
        os.environ.get("TILELANG_RUNTIME_ENGINE", "native"),
        os.environ.get("TILELANG_RUNTIME_MODE", "ordered"),
        int(os.environ.get("TILELANG_RUNTIME_WORKERS", "0")),
    )
    return _checked(found)


def configure(engine: str | None = None, mode: str | None = None, workers: int | None = None) -> None:
    """Chooses engine, mode and workers for later runs of this process. Raises ValueError for unknown values."""
    now = configuration()
    chosen = replace(
        now,
        engine=now.engine if engine is None else engine,
        mode=now.mode if mode is None else mode,
        workers=now.workers if workers is None else workers,
    )
    _SETTINGS.chosen = _checked(chosen)


def listen(listener: Listener | None) -> None:
    """Has ``listener`` called after each run of this process. None: nobody."""
    _SETTINGS.listener = listener


def _checked(choice: Configuration) -> Configuration:
    if choice.engine not in ("native", "reference", "checked"):
        raise ValueError(f"engine {choice.engine!r}: native, reference or checked")
    if choice.mode not in ("ordered", "reversed", "parallel"):
        raise ValueError(f"mode {choice.mode!r}: ordered, reversed or parallel")
    if choice.mode == "reversed" and choice.engine != "native":
        raise ValueError(f"the {choice.engine} engine has no reversed mode")
    return choice


class CompiledKernel:
    """A program ready to run: call it with arrays and scalars in parameter order; arrays change in place.

    With ``out_idx`` those parameters are not passed but allocated (zeros) and returned.
    """

    def __init__(self, prim_func: Any, out_idx: Any = None, pass_configs: dict[str, Any] | None = None):
        self.prim_func = prim_func
        self.program: Program = prim_func if isinstance(prim_func, Program) else prim_func.program
        self.pass_configs = dict(pass_configs or {})
        for entry in self.program.attributes.get("annotate_pass_configs", []):
            self.pass_configs.update(entry[0][0])
        indices = [] if out_idx is None else [out_idx] if isinstance(out_idx, int) else list(out_idx)
        count = len(self.program.params)
        self.out_idx = [index + count if index < 0 else index for index in indices]
        self.unguarded = bool(self.pass_configs.get(SAFE_ACCESS_OFF, False))
        self.events: list[Event] = []
        self._native: Any = None
        if configuration().engine == "native":
            self.native()

    def native(self) -> Any:
        """The compiled form (built on first use)."""
        if self._native is None:
            from tilelang_runtime.native.engine import NativeProgram

            self._native = NativeProgram(self.program, unguarded=self.unguarded)
        return self._native

    def __call__(self, *arguments: Any, **_options: Any) -> Any:
        """Runs every launch. Raises TypeError or ValueError for wrong arguments, RunError for a run that went wrong."""
        outputs: list[np.ndarray] = []
        if self.out_idx:
            arguments, outputs = self._with_outputs(arguments)
        bound = bind(self.program, arguments)
        choice = configuration()
        self.events = []
        if choice.engine in ("reference", "checked"):
            from tilelang_runtime.reference.interpreter import run_program

            checked = choice.engine == "checked"
            self.events = run_program(self.program, bound, unguarded=self.unguarded, checked=checked)
        else:
            workers = choice.workers or os.cpu_count() or 1 if choice.mode == "parallel" else 1
            self.events = self.native().run(bound, workers=workers, reversed_order=choice.mode == "reversed")
        if _SETTINGS.listener is not None:
            _SETTINGS.listener(self.program, list(self.events))
        if not outputs:
            return None
        return outputs[0] if len(outputs) == 1 else outputs

    def _with_outputs(self, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[np.ndarray]]:
        given = list(arguments)
        known: dict[Any, Any] = {}
        passed = [p for position, p in enumerate(self.program.params) if position not in self.out_idx]
        for parameter, value in zip(passed, given, strict=False):
            if isinstance(parameter, Buffer):
                for part, size in zip(parameter.shape, np.shape(value), strict=False):
                    if not isinstance(part, int):
                        known.setdefault(part, size)
            else:
                known[parameter] = value
        outputs = []
        complete: list[Any] = []
        for position, parameter in enumerate(self.program.params):
            if position in self.out_idx:
                if not isinstance(parameter, Buffer):
                    raise TypeError(f"out_idx names the scalar `{parameter.name}`")
                shape = [evaluate_size(part, known) for part in parameter.shape]
                array = np.zeros(shape, types.numpy_dtype(parameter.dtype))
                outputs.append(array)
                complete.append(array)
            elif given:
                complete.append(given.pop(0))
        return (*complete, *given), outputs

    def report(self) -> list[Event]:
        """Events of the last run."""
        return list(self.events)

    def get_kernel_source(self) -> str:
        """The C++ that the native engine runs."""
        return str(self.native().code.text)


def compile(
    func: Any = None,
    out_idx: Any = None,
    execution_backend: Any = None,
    target: Any = None,
    target_host: Any = None,
    verbose: bool = False,
    pass_configs: dict[Any, Any] | None = None,
    **_options: Any,
) -> CompiledKernel:
    """A `CompiledKernel` of a prim_func. The target is not looked at."""
    from tilelang_runtime.tracer.functions import PrimFunc

    if not isinstance(func, (PrimFunc, Program)):
        raise TypeError(f"tilelang.compile takes a prim_func, not {type(func).__name__}")
    return CompiledKernel(func, out_idx, {str(key): value for key, value in (pass_configs or {}).items()})


def jit(func: Callable[..., Any] | None = None, **options: Any) -> Any:
    """The lazy style: a builder that returns a prim_func becomes one that returns a compiled kernel."""
    if func is None:
        return lambda inner: jit(inner, **options)
    kernels: dict[Any, CompiledKernel] = {}
    signature = inspect.signature(func)

    @wraps(func)
    def build(*args: Any, **keywords: Any) -> CompiledKernel:
        call = signature.bind(*args, **keywords)
        call.apply_defaults()
        key = repr(sorted(call.arguments.items()))
        if key not in kernels:
            made = func(*args, **keywords)
            from tilelang_runtime.tracer.functions import PrimFunc

            if not isinstance(made, PrimFunc):
                raise TileLangError("tilelang.jit: only builders that return a prim_func (lazy style) are available")
            kernels[key] = compile(made, **options)
        return kernels[key]

    return build
