"""Child process that runs a port on case files: ``python -m migrate.verify.port_runner job.json``.

Everything it needs stands in the job, so it imports the runtime and the port and nothing else of this package; one
process runs many cases, so that imports are paid once. A result line is written after every case: whatever kills the
process later, earlier results stand, and the first missing line names the case that killed it.

job.json: ``port_dir`` (the package folder), ``module`` (dotted, relative to it), ``launcher`` (attribute), ``results``
(file to append JSON lines to), ``cases``: list of ``label``, ``source`` and ``output`` (bin files), ``grid``,
``block``, ``shared``, ``schedule`` (contract or reversed) and ``arguments`` (list of ``keyword`` and one of ``array`` =
root region with ``dtype``, ``start``, ``bytes``, ``offset`` in elements, with the ``shape`` of
textures beside it; ``scalar`` = ``dtype`` and ``hex``; ``raw`` = hex).
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import shutil
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = "ported"


def load_port(port_dir: Path, module: str) -> ModuleType:
    """Imports ``module`` of the package at ``port_dir``, whatever that folder is called.

    Raises whatever the port's own import raises.
    """
    initial = port_dir / "__init__.py"
    spec = importlib.util.spec_from_file_location(PACKAGE, initial, submodule_search_locations=[str(port_dir)])
    if spec is None or spec.loader is None:
        raise ImportError(f"{port_dir} is not a package")
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    if initial.is_file():
        spec.loader.exec_module(package)
    return importlib.import_module(f"{PACKAGE}.{module}")


def build_arguments(case: dict[str, Any], data: Any) -> dict[str, Any]:
    """Launcher keywords of a case; arrays are views of ``data`` (uint8), never copies."""
    import numpy as np

    def kind(name: str) -> Any:
        if name == "bfloat16":
            import ml_dtypes

            return np.dtype(ml_dtypes.bfloat16)
        return np.dtype(name)

    keywords: dict[str, Any] = {}
    for argument in case["arguments"]:
        if "array" in argument:
            region = argument["array"]
            dtype = kind(region["dtype"])
            whole = region["bytes"] // dtype.itemsize * dtype.itemsize
            view = data[region["start"] : region["start"] + whole].view(dtype)
            shape = argument.get("shape")
            if shape is not None:
                count = int(np.prod(shape))
                view = view[region["offset"] : region["offset"] + count].reshape(shape)
                keywords[argument["keyword"]] = view
                continue
            keywords[argument["keyword"]] = (view, region["offset"]) if region["offset"] else view
        elif "scalar" in argument:
            scalar = np.frombuffer(bytes.fromhex(argument["scalar"]["hex"]), dtype=kind(argument["scalar"]["dtype"]))[0]
            keywords[argument["keyword"]] = scalar
        else:
            keywords[argument["keyword"]] = bytes.fromhex(argument["raw"])
    return keywords


class EventWatch:
    """Collects what the engine reports of every kernel that a launcher compiles."""

    def __init__(self) -> None:
        self.kernels: list[Any] = []

    def install(self) -> None:
        """Wraps ``tilelang.compile`` so that compiled kernels are known here."""
        import tilelang

        original = tilelang.compile

        def compile_and_remember(*positional: Any, **keywords: Any) -> Any:
            kernel = original(*positional, **keywords)
            self.kernels.append(kernel)
            return kernel

        tilelang.compile = compile_and_remember

    def clear(self) -> None:
        """Forgets the events of earlier runs."""
        for kernel in self.kernels:
            kernel.events = []

    def collect(self) -> list[dict[str, Any]]:
        """Events since `clear`: kind, place and what, count."""
        return [
            {"kind": event.kind, "where": str(event.span), "what": event.what, "count": event.count}
            for kernel in self.kernels
            for event in kernel.report()
        ]


def run_case(launcher: Any, case: dict[str, Any], watch: EventWatch) -> dict[str, Any]:
    """Runs one case; the outcome as a result line."""
    import numpy as np

    import tilelang_runtime

    watch.clear()
    started = time.process_time()
    line: dict[str, Any] = {"label": case["label"], "status": "ok", "message": ""}
    try:
        shutil.copyfile(case["source"], case["output"])
        data = np.memmap(case["output"], dtype=np.uint8, mode="r+")
        keywords = build_arguments(case, np.asarray(data))
        tilelang_runtime.configure(mode="reversed" if case.get("schedule") == "reversed" else "ordered")
        launcher(**keywords, grid=tuple(case["grid"]), block=tuple(case["block"]), shared=case["shared"])
        data.flush()
        line["events"] = watch.collect()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a port may raise anything, SystemExit included
        # What the importer of the real IR does not know says nothing about the port.
        line["status"] = "unsupported" if type(error).__name__ == "UnsupportedTir" else "raised"
        line["message"] = f"{type(error).__name__}: {error}"[:2000]
        line["where"] = "".join(traceback.format_tb(error.__traceback__)[-2:])[-2000:]
    line["cpu_s"] = time.process_time() - started
    return line


def start_engine(name: str) -> None:
    """Makes ``import tilelang`` give the engine: native and reference are the bundled runtime, tir the real package.

    Raises ImportError where the real tilelang is not installed, ValueError for an unknown name.
    """
    import tilelang_runtime

    if name == "tir":
        from tilelang_runtime import tir

        tir.activate()
        tilelang_runtime.configure(engine="native", mode="ordered")
    else:
        tilelang_runtime.activate()
        tilelang_runtime.configure(engine=name, mode="ordered")


def main(path: str) -> int:
    """Runs the job at ``path``.

    Exit code 0 when every case was tried, 3 when the port could not be imported, 4 when the engine did not start.
    """
    job = json.loads(Path(path).read_text())
    results = Path(job["results"])

    def append(line: dict[str, Any]) -> None:
        with results.open("a") as stream:
            stream.write(json.dumps(line) + "\n")

    watch = EventWatch()
    try:
        start_engine(job["engine"])
        watch.install()
    except Exception as error:
        append({"label": "", "status": "engine", "message": f"{type(error).__name__}: {error}"[:2000]})
        return 4
    try:
        launcher = getattr(load_port(Path(job["port_dir"]), job["module"]), job["launcher"])
    except BaseException as error:
        where = "".join(traceback.format_tb(error.__traceback__)[-2:])[-2000:]
        append({"label": "", "status": "import", "message": f"{type(error).__name__}: {error}"[:2000], "where": where})
        return 3
    for case in job["cases"]:
        append(run_case(launcher, case, watch))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
