"""Child of `migrate.emit.upstream`: imports the real tilelang once, lowers jobs in order, answers a line a job."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any


def main(request_path: str) -> int:
    """Runs the jobs of the request file."""
    os.environ.setdefault("TILELANG_DISABLE_CACHE", "1")
    request = json.loads(Path(request_path).read_text())
    import tilelang

    logging.getLogger("tilelang").setLevel(logging.CRITICAL + 1)
    logging.getLogger("tilelang.language.eager.builder").setLevel(logging.CRITICAL + 1)
    include = Path(tilelang.__file__).parent
    with Path(request["answers"]).open("a") as answers:
        for job in request["jobs"]:
            answers.write(json.dumps(lower(job, request["arch"], include if request["nvcc"] else None)) + "\n")
            answers.flush()
    return 0


def lower(job: dict[str, Any], arch: str, include: Path | None) -> dict[str, Any]:
    """One job's answer; ``include``: upstream's headers, None to leave nvcc out."""
    answer: dict[str, Any] = {"ok": False, "cuda_source": "", "nvcc_ok": None, "message": ""}
    try:
        answer["cuda_source"] = cuda_source(Path(job["path"]), job["builder"], job["sizes"], arch)
        answer["ok"] = True
    except BaseException as error:  # upstream raises all kinds
        answer["message"] = f"{type(error).__name__}: {str(error).strip()[-1500:]}"
        return answer
    if include is not None and shutil.which("nvcc"):
        answer["nvcc_ok"], answer["message"] = compile_cubin(answer["cuda_source"], arch, include)
    return answer


def cuda_source(path: Path, builder: str, sizes: list[int], arch: str) -> str:
    """The CUDA source that tilelang makes of ``builder(*sizes)`` in the port at ``path``."""
    import tilelang
    from tilelang import tvm

    module = load_port(path)
    configs = module.launch.__globals__["PASS_CONFIGS"]
    target = tvm.target.Target({"kind": "cuda", "arch": arch})
    with tvm.transform.PassContext(opt_level=3, config=dict(configs)), target:
        return str(tilelang.lower(getattr(module, builder)(*sizes), target=target).kernel_source)


def load_port(path: Path) -> ModuleType:
    """Imports a port file as part of the package that holds ``_launch.py`` (a folder above it)."""
    root = path.resolve().parent
    while not (root / "_launch.py").is_file():
        if root == root.parent:
            raise FileNotFoundError(f"no _launch.py above {path}")
        root = root.parent
    package = f"ported_{abs(hash(str(root)))}"
    if package not in sys.modules:
        _load(package, root / "__init__.py", [str(root)])
    name = package
    for part in path.resolve().parent.relative_to(root).parts:
        name += f".{part}"
        if name not in sys.modules:
            folder = root.joinpath(*name.split(".")[1:])
            _load(name, folder / "__init__.py", [str(folder)])
    return _load(f"{name}.{path.stem}", path.resolve(), None)


def _load(name: str, path: Path, locations: list[str] | None) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=locations)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def compile_cubin(source: str, arch: str, include: Path) -> tuple[bool, str]:
    """Whether nvcc takes the source, and what it said if not."""
    with tempfile.TemporaryDirectory(prefix="cubin-") as scratch:
        path = Path(scratch) / "kernel.cu"
        path.write_text(source)
        command = ["nvcc", "--cubin", "-O1", "-std=c++20", f"-arch={arch}", "-w", f"-I{include / 'src'}",
                   f"-I{include / '3rdparty/cutlass/include'}", "-o", f"{scratch}/kernel.cubin", str(path)]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False)
        except subprocess.TimeoutExpired:
            return False, "nvcc took too long"
        return done.returncode == 0, done.stderr[-1500:]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
