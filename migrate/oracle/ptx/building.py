"""From a request to a kernel library made of PTX, described like one of engine S."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from migrate.oracle.api import Arc, BuildKind, OracleBuild, OracleError, OracleRequest
from migrate.oracle.described import described_build, description_of
from migrate.oracle.elf import local_statics
from migrate.oracle.extract import Extract, extract
from migrate.oracle.ptx.compile import PtxText, compile_ptx, cuda_text, flags_of, nvcc_version
from migrate.oracle.ptx.functions import Outcome
from migrate.oracle.ptx.libm import INEXACT
from migrate.oracle.ptx.model import Module, Place, PtxError, Symbol, Variable
from migrate.oracle.ptx.parser import parse
from migrate.oracle.ptx.translate import Parameter, Translated, semantics, translate
from migrate.oracle.redzones import RED_ZONE_BYTES
from migrate.oracle.toolchain import (
    RED_ZONES,
    build_folder,
    compile_unit,
    compiler_or_error,
    publish,
    runner,
    translated_flags,
)

_FORMAT = "1"  # of the description and of the translation; part of the key
INEXACT_USE = "inexact"


def build_ptx_kernel(request: OracleRequest, kind: BuildKind) -> OracleBuild:
    """See `migrate.oracle.api.build`. ``uses`` has `INEXACT_USE` where device functions are not those of libm."""
    if kind == "moved":
        raise OracleError("TLM709", "results of math functions are moved by the shim oracle only")
    compiler = compiler_or_error()
    part = extract(request)
    if {"volatile", "__shared__"} <= part.identifiers:
        raise OracleError("TLM709", "lanes go in step at volatile shared memory in the shim oracle only")
    optimised = kind == "check"
    text = cuda_text(part, request)
    parts = [kind, _FORMAT, nvcc_version(), " ".join(flags_of(request, optimised)), text, semantics(), _own_code()]
    parts += [str(request.root), str(request.start), repr(request.include_dirs), repr(request.defines)]
    folder = build_folder("ptx", *parts, " ".join(translated_flags(kind, compiler)))
    runner()
    publish(folder, lambda scratch: _make(scratch, kind, part, request))
    raw = description_of(folder)
    inexact = raw["whole_file"] or part.identifiers & INEXACT
    build = described_build(
        request,
        kind,
        folder,
        synchronises=part.synchronises,
        uses=part.uses | ({INEXACT_USE} if inexact else set()) | set(raw["ignored"]),
        text=part.text,
        counts_arcs=kind == "run",
        engine="ptx",
    )
    return replace(build, symbols=tuple((n, s) for n, s in build.symbols if n not in part.constants))


def _own_code() -> str:
    """The translator's own text: another translation is another library."""
    return "".join(p.read_text("utf-8") for p in sorted(Path(__file__).parent.glob("*.py")))


@dataclass(frozen=True)
class Found:
    """What the export's marks say: entry, parameters, and symbols with the PTX variables that hold them."""

    entry: str
    parameters: tuple[Parameter, ...]
    symbols: tuple[tuple[str, str], ...]


def _make(scratch: Path, kind: BuildKind, part: Extract, request: OracleRequest) -> None:
    ptx = compile_ptx(part, request, kind == "check", scratch)
    try:
        module = parse(ptx.text)
        found = read_marks(module, part.symbols)
        done = translate(
            module,
            module.functions[found.entry],
            found.parameters,
            found.symbols,
            place_finder(module, ptx, request),
            counts=kind == "run",
        )
    except PtxError as error:
        line = ptx.text.splitlines()[error.line - 1].strip() if error.line else ""
        message = f"{error.message}: `{line}`" if line else error.message
        raise OracleError("TLM709", message, part.line, f"PTX line {error.line}: {line}") from error
    (scratch / "unit.cu").unlink()
    compile_translated(scratch, kind, done, found, module, request, ptx, part.line)


def read_marks(module: Module, symbols: Sequence[str]) -> Found:
    """Raises PtxError when the text lacks the marks of the export."""
    entry = _mark(module, "oracle_entry").values
    if not entry or not isinstance(entry[0], Symbol) or entry[0].name not in module.functions:
        raise PtxError("the text does not say which entry is the kernel's")
    variable = _mark(module, "oracle_parameters")
    raw = bytearray(variable.bytes)
    size = variable.bytes // max(variable.count, 1)
    for i, item in enumerate(variable.values):
        if isinstance(item, Symbol):
            raise PtxError("the parameters are not constants", variable.line)
        raw[i * size : (i + 1) * size] = item.to_bytes(size, "little")
    words = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4)][:-1]
    parameters = tuple(Parameter("void*" if w & 1 else f"{w // 2} bytes", w // 2) for w in words)
    return Found(entry[0].name, parameters, tuple((name, _variable_of(module, name)) for name in symbols))


def _mark(module: Module, name: str) -> Variable:
    for known, variable in module.variables.items():
        if components(known)[-1:] == [name]:
            return variable
    raise PtxError(f"the text has no {name}")


def components(name: str) -> list[str]:
    """The parts of a variable's mangled name that the source names: ``_ZN1a4coefE`` is a, coef.

    Parts that the compiler makes (``_INTERNAL_...``, ``_GLOBAL__N_...``) are left out.
    """
    found = re.match(r"_Z(?:L|N[KVr]*L?)?", name)
    if not found:
        return [name]
    at, parts = found.end(), []
    while at < len(name):
        if name[at] in "L":
            at += 1
            continue
        digits = re.match(r"\d+", name[at:])
        if digits is None:
            break
        at += digits.end()
        parts.append(name[at : at + int(digits.group())])
        at += int(digits.group())
    return [p for p in parts if not p.startswith(("_INTERNAL_", "_GLOBAL__N_"))]


def _variable_of(module: Module, name: str) -> str:
    wanted = name.split("::")
    found = [k for k, v in module.variables.items() if v.space in ("global", "const") and components(k) == wanted]
    if len(found) > 1:
        raise PtxError(f"{len(found)} variables are called {name}")
    return found[0] if found else ""


def place_finder(module: Module, ptx: PtxText, request: OracleRequest) -> Callable[[Place], tuple[str, int] | None]:
    """Places of ``.loc`` as (file relative to the root, line); None for files that are not the original's."""
    root = os.path.realpath(request.root)
    known: dict[int, str | None] = {}
    for number, path in module.files.items():
        inside = os.path.relpath(os.path.normpath(path), os.path.normpath(ptx.folder))
        target = os.path.normpath(os.path.join(root, inside)) if not ptx.whole_file else os.path.realpath(path)
        name = os.path.relpath(target, root)
        known[number] = name if os.path.isfile(target) and not os.path.isabs(inside) else None
        if not ptx.whole_file and path.startswith("/usr/"):
            known[number] = None
    return lambda place: None if known.get(place.file) is None else (str(known[place.file]), place.line)


def compile_translated(
    scratch: Path,
    kind: BuildKind,
    done: Translated,
    found: Found,
    module: Module,
    request: OracleRequest,
    ptx: PtxText,
    line: int,
) -> None:
    """Compiles the C++ and writes the description beside it. Raises OracleError TLM709 when it does not compile."""
    flags = translated_flags(kind, compiler_or_error())
    result = compile_unit(done.text, kind, scratch, flags)
    if result.returncode != 0:
        reason = "took too long" if result.timed_out else result.stderr.strip()[:300]
        raise OracleError("TLM709", f"the translated PTX does not compile: {reason}", line, result.stderr[-2000:])
    zones = scratch / RED_ZONES
    apart = set(zones.read_text().split()) if zones.is_file() else set()
    arcs = _arcs(done.outcomes, request)
    description = {
        "signature": [(p.type, p.bytes) for p in found.parameters],
        "symbols": [(n, module.variables[v].bytes if v else 65536) for n, v in found.symbols],
        "shared": [
            (address, size, RED_ZONE_BYTES if name in apart else 0)
            for name, address, size in local_statics(scratch / "kernel.so")
        ],
        "functions": [{"key": (0, 0), "name": found.entry, "blocks": 2, "edges": [(0, 1, 0)] * len(done.outcomes)}],
        "arc_edges": [(0, i) for i in range(len(done.outcomes))],
        "arcs": [vars(a) for a in arcs],
        "whole_file": ptx.whole_file,
        "ignored": sorted(done.ignored),
        "cpu_s": ptx.cpu_s + result.cpu_s,
    }
    (scratch / "build.json").write_text(json.dumps(description))


def _arcs(outcomes: Sequence[Outcome], request: OracleRequest) -> list[Arc]:
    texts: dict[str, list[str]] = {}
    arcs: list[Arc] = []
    for outcome in outcomes:
        file, line = outcome.place
        if file not in texts:
            try:
                texts[file] = (request.root / file).read_text("utf-8", "replace").splitlines()
            except OSError:
                texts[file] = []
        text = texts[file][line - 1].strip() if 0 < line <= len(texts[file]) else ""
        arcs.append(Arc(line, text, outcome.text, file, outcome.function))
    return arcs
