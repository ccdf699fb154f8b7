"""From a request to a compiled kernel with its description."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from migrate.oracle.api import Arc, BuildKind, OracleBuild, OracleError, OracleRequest
from migrate.oracle.coverage import (
    Edge,
    FunctionGraph,
    branch_edges,
    first_line_after,
    place_of_block,
    read_notes,
    returning_blocks,
)
from migrate.oracle.described import described_build, description_of
from migrate.oracle.elf import local_statics
from migrate.oracle.extract import Extract, extract
from migrate.oracle.redzones import RED_ZONE_BYTES
from migrate.oracle.toolchain import (
    CHECKING,
    RED_ZONES,
    build_folder,
    compile_unit,
    compiler_or_error,
    kernel_flags,
    publish,
    runner,
)
from tilelang_runtime.support.isolate import run_isolated

_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<message>.*)$", re.M)
_TYPE = re.compile(r"oracle_type_text\(\) \[(?:with )?T = (.*)\]$")

# Parts of the C++ library that device code may name, and the header that has them (never one that includes <cmath>).
_LIBRARY = {
    "array": "array", "tuple": "tuple", "function": "functional", "initializer_list": "initializer_list",
    "numeric_limits": "limits", "optional": "optional", "variant": "variant", "bitset": "bitset", "vector": "vector",
    "string": "string", "new": "new", "byte": "cstddef", "integral_constant": "type_traits",
    "string_view": "string_view",
}  # fmt: skip

# What a failed compilation is called when the text uses something that engine S cannot do at all.
# Where a statement may branch, and how many lines of one are looked at.
_BRANCHES = re.compile(r"\?|&&|\|\||\b(?:if|for|while|switch|case|do|assert|min|max)\b")
_CONTINUED_LINES = 8
# Part of the cache key: to be changed with what `build.json` says of one and the same text.
DESCRIPTION_FORMAT = "whole statements, traps"
_BLOCKERS = (
    ("nested_launch", "TLM702", "the kernel launches other kernels"),
    ("grid_sync", "TLM702", "the kernel synchronises beyond its block (grid, cluster)"),
    ("wmma", "TLM701", "the kernel uses tensor-core intrinsics"),
    ("asm", "TLM701", "the kernel uses inline PTX assembly"),
    ("other_textures", "TLM706", "the kernel uses textures that are not plain (layered, cubemap, gathers)"),
    ("curand", "TLM706", "the kernel uses device-side random numbers of cuRAND"),
    ("coalesced", "TLM702", "the kernel makes groups of running threads or of several warps"),
    ("pipeline", "TLM701", "the kernel uses asynchronous copies or barriers"),
    ("library", "TLM706", "the kernel uses CUB, Thrust, CuTe or CUTLASS"),
)


NOT_COUNTED = -1  # function index of the arc that stands for a build without coverage


@dataclass(frozen=True)
class Description:
    """build.json: what running needs besides the library."""

    functions: tuple[FunctionGraph, ...]
    arc_edges: tuple[tuple[int, int], ...]  # per arc: function index, edge index
    shared: tuple[tuple[int, int, int], ...]  # address in the library, bytes, bytes of nothing behind it
    symbols: tuple[tuple[str, int], ...]


def unit_text(part: Extract, request: OracleRequest, kind: BuildKind) -> str:
    """The translation unit: headers, the extracted text, the export."""
    lines = [f"#define __CUDA_ARCH__ {request.arch}", "#define CUDART_VERSION 13000", "#define CUDA_VERSION 13000"]
    # A template may get its half type from the instantiation alone.
    if "half" in part.uses or re.search(r"half|bfloat16", request.cpp_name):
        lines.append("#define ORACLE_USES_HALF 1")
    if "fp8" in part.uses:
        lines.append("#define ORACLE_USES_FP8 1")
    if "complex" in part.uses:
        lines.append("#define ORACLE_USES_COMPLEX 1")
    if "texture" in part.uses:
        lines.append("#define ORACLE_USES_TEXTURES 1")
    if "groups" in part.uses:
        lines.append("#define ORACLE_USES_GROUPS 1")
    if not part.synchronises and kind not in CHECKING:
        lines.append("#define ORACLE_PLAIN 1")
    lines += [f"#include <{header}>" for word, header in sorted(_LIBRARY.items()) if word in part.identifiers]
    lines.append('#include "cuda_kernel.h"')
    names = [(f"oracle_symbol_{i}", name) for i, name in enumerate(part.symbols)]
    entries = ", ".join(f"ORACLE_SYMBOL({name})" for _, name in names)
    table = f"static const oracle_symbol oracle_symbols[] = {{{entries}}};" if names else ""
    cpp_name = request.cpp_name.replace("(anonymous namespace)::", "")
    export = (
        f"ORACLE_EXPORT({int(part.synchronises)}, {'oracle_symbols' if names else 'nullptr'}, {len(names)}, {cpp_name})"
    )
    opening = "".join(f"namespace {s} {{ " if s else "namespace { " for s in part.scopes)
    tail = ['#line 1 "oracle export"', opening, table, export, "}" * len(part.scopes)]
    return "\n".join(lines) + "\n" + part.text + "\n".join(tail) + "\n"


def build_kernel(request: OracleRequest, kind: BuildKind) -> OracleBuild:
    """See `migrate.oracle.api.build`."""
    compiler = compiler_or_error()
    part = extract(request)
    text = unit_text(part, request, kind)
    flags = kernel_flags(kind, compiler, steps="volatile" in part.uses)
    folder = build_folder("kernel", kind, DESCRIPTION_FORMAT, " ".join(flags), text)
    publish(folder, lambda scratch: _make(scratch, text, kind, part, request))
    return described_build(
        request,
        kind,
        folder,
        synchronises=part.synchronises,
        uses=part.uses,
        text=part.text,
        counts_arcs=kind == "run" and compiler.family == "gcc",
    )


def spelled(c_type: str) -> str:
    """One spelling of a type for all compilers: ``const float*``."""
    return c_type.replace(" *", "*").replace(" &", "&")


def read_description(library: Path) -> Description:
    """The build.json beside a kernel library."""
    raw = description_of(library.parent)
    graphs = tuple(
        FunctionGraph((f["key"][0], f["key"][1]), f["name"], f["blocks"], tuple(Edge(*e) for e in f["edges"]), {})
        for f in raw["functions"]
    )
    edges = tuple((a[0], a[1]) for a in raw["arc_edges"])
    shared = tuple((a, s, r) for a, s, r in raw["shared"])
    return Description(graphs, edges, shared, tuple((n, s) for n, s in raw["symbols"]))


def _make(scratch: Path, text: str, kind: BuildKind, part: Extract, request: OracleRequest) -> None:
    done = compile_unit(text, kind, scratch, steps="volatile" in part.uses)
    if done.returncode != 0:
        raise _explain(done.stderr, done.timed_out, part)
    described = run_isolated(
        [str(runner()), str(scratch / "kernel.so"), "describe", "description"],
        cwd=scratch,
        timeout_s=10,
        readable=[runner(), scratch],
    )
    if described.returncode != 0:
        raise _explain(described.stderr, described.timed_out, part)
    signature: list[tuple[str, int]] = []
    symbols: list[tuple[str, int]] = []
    for line in (scratch / "description").read_text().splitlines():
        words = line.split("\t")
        if words[0] == "parameter":
            found = _TYPE.search(words[2])
            signature.append((spelled(found.group(1) if found else words[2]), int(words[1])))
        elif words[0] == "symbol":
            symbols.append((words[2], int(words[1])))
    zones = scratch / RED_ZONES
    apart = set(zones.read_text().split()) if zones.is_file() else set()
    graphs: list[FunctionGraph] = []
    notes = scratch / "kernel.gcno"
    if notes.is_file():
        graphs = read_notes(notes)
        notes.unlink()
    arcs, arc_edges = _arcs(graphs, request)
    if kind == "run" and compiler_or_error().family != "gcc":
        # An arc that no run takes: nobody can mistake "not counted" for "all taken".
        arcs = [Arc(part.line, "", "branches are counted only with g++")]
        arc_edges = [(NOT_COUNTED, 0)]
    used = sorted({f for f, _ in arc_edges if f != NOT_COUNTED})
    place = {old: new for new, old in enumerate(used)}
    description = {
        "signature": signature,
        "symbols": symbols,
        "shared": [
            (address, size, RED_ZONE_BYTES if name in apart else 0)
            for name, address, size in local_statics(scratch / "kernel.so")
        ],
        "functions": [
            {
                "key": graphs[i].key,
                "name": graphs[i].name,
                "blocks": graphs[i].blocks,
                "edges": [(e.source, e.target, e.flags) for e in graphs[i].edges],
            }
            for i in used
        ],
        "arc_edges": [(place.get(f, NOT_COUNTED), e) for f, e in arc_edges],
        "arcs": [vars(a) for a in arcs],
        "cpu_s": done.cpu_s,
    }
    (scratch / "description").unlink()
    (scratch / "build.json").write_text(json.dumps(description))


def _arcs(graphs: list[FunctionGraph], request: OracleRequest) -> tuple[list[Arc], list[tuple[int, int]]]:
    """Arcs of branches that stand in the original's files; those of the oracle's headers are left out."""
    arcs: list[Arc] = []
    edges: list[tuple[int, int]] = []
    texts: dict[str, list[str]] = {}
    for number, graph in enumerate(graphs):
        returning = returning_blocks(graph)
        for block, outgoing in branch_edges(graph):
            file, line = place_of_block(graph, block)
            if not line or file.startswith("/") or file in ("oracle export", "unit.cpp", ""):
                continue
            if file not in texts:
                try:
                    texts[file] = (request.root / file).read_text("utf-8", "replace").splitlines()
                except OSError:
                    texts[file] = []
            text = _statement(texts[file], line)
            for index, edge in enumerate(outgoing):
                target = first_line_after(graph, graph.edges[edge].target)
                outcome = f"{index + 1} of {len(outgoing)}" + (f", to line {target}" if target else ", to the end")
                stops = graph.edges[edge].target not in returning
                arcs.append(Arc(line, text, outcome, file, graph.name, stops))
                edges.append((number, edge))
    return arcs, edges


def _statement(lines: list[str], line: int) -> str:
    """The text at ``line``; with the lines around it where it is a part of a statement that branches in another line.

    Compilers give a branch inside a call's arguments the line of the call or of another argument.
    """
    if not 0 < line <= len(lines):
        return ""
    own = lines[line - 1].strip()
    if _BRANCHES.search(own):
        return own
    first = last = line - 1
    while line - 1 - first < _CONTINUED_LINES and first > 0 and not _ends_statement(lines[first - 1]):
        first -= 1
    while last - line + 1 < _CONTINUED_LINES and last + 1 < len(lines) and not _ends_statement(lines[last]):
        last += 1
    whole = " ".join(text.strip() for text in lines[first : last + 1])
    return whole if _BRANCHES.search(whole) else own


def _ends_statement(text: str) -> bool:
    bare = text.split("//", 1)[0].strip()
    return not bare or bare.endswith((";", "{", "}", ":", "*/")) or bare.startswith("#")


def _explain(output: str, timed_out: bool, part: Extract) -> OracleError:
    """The clearest name for a failed build."""
    first = _ERROR.search(output)
    line = (
        int(first.group("line")) if first and not first.group("file").startswith(("/", "oracle export")) else part.line
    )
    message = first.group("message") if first else output.strip()[-300:]
    if timed_out:
        return OracleError("TLM700", "compiling the kernel for this CPU took too long", part.line, output[-2000:])
    for feature, code, sentence in _BLOCKERS:
        if feature in part.uses:
            return OracleError(code, f"{sentence}, which the CPU oracle cannot run", part.line, output[-2000:])
    return OracleError("TLM700", f"the kernel does not compile for this CPU: {message}", line, output[-2000:])
