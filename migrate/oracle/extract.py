"""One kernel and what it needs, cut out of its file by text: closure over identifiers, host functions left behind."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from migrate.oracle.api import OracleError, OracleRequest
from migrate.oracle.chunks import KEYWORDS, Chunk, split_chunks
from migrate.oracle.lex import word_set
from migrate.oracle.preprocess import SourceText, preprocess
from migrate.oracle.rewrite import rewrite
from tilelang_runtime.support.compiler import find_compiler

_TAKEN = frozenset(("device", "type", "variable", "macro", "prototype", "kernel"))
_SYNCHRONISING = (
    "__sync", "__shfl", "__ballot", "__any", "__all", "__uni_sync", "__match", "__reduce_", "__activemask",
    "cooperative_groups",
)  # fmt: skip


@dataclass(frozen=True)
class Extract:
    """``text``: C++ of the kernel's closure with ``#line`` directives. ``scopes``: namespaces around the kernel.
    ``symbols``: qualified names of ``__constant__``/``__device__`` variables. ``uses``: see `feature_names`.
    ``cuda``: the same declarations as they stand, for a CUDA compiler; ``constants``: symbols declared const."""

    text: str
    scopes: tuple[str, ...]
    symbols: tuple[str, ...]
    synchronises: bool
    identifiers: frozenset[str]
    uses: frozenset[str]
    line: int
    cuda: str = ""
    constants: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _File:
    source: SourceText
    chunks: tuple[Chunk, ...]


def extract(request: OracleRequest) -> Extract:
    """The closure of ``request``'s kernel. Raises OracleError TLM703 (no such kernel), TLM704, TLM705."""
    source, chunks = parse_request(request)
    kernel = _find_kernel(request, source, chunks)
    # Template arguments may name device functions and types that the kernel's own text does not.
    arguments = frozenset(re.findall(r"[A-Za-z_]\w*", request.cpp_name.partition("<")[2]))
    needed = _closure(kernel, chunks, arguments)
    reached = [c for c in chunks if c in needed]
    identifiers = frozenset(i for c in reached for i in c.identifiers)
    kept = [c for c in chunks if c in needed or _always(c)]
    uses = feature_names(identifiers.union(*(c.identifiers for c in kept if c.kind == "using")))
    if any(_launches_kernels(c) for c in reached):
        uses |= {"nested_launch"}
    variables = [
        ("::".join([*(s for s in c.scopes if s), name]), bool(c.identifiers & {"const", "constexpr"}))
        for c in reached
        if c.kind == "variable" and c.identifiers & {"__constant__", "__device__", "__managed__"}
        for name in sorted(c.names)
        if c.tokens[0].text not in ("template", "extern") and "::" not in {t.text for t in c.tokens[:4]}
    ]
    return Extract(
        text=_unit_text(kept, source),
        scopes=kernel.scopes,
        symbols=tuple(name for name, _ in variables),
        synchronises=any(i.startswith(_SYNCHRONISING) for i in identifiers)
        or {"volatile", "__shared__"} <= identifiers,
        identifiers=identifiers,
        uses=uses,
        line=source.origin(kernel.tokens[0].start)[1],
        cuda=text_of_chunks(kept, source, lambda c, text: text[c.tokens[0].start : c.tokens[-1].end]),
        constants=frozenset(name for name, constant in variables if constant),
    )


def parse_request(request: OracleRequest) -> tuple[SourceText, tuple[Chunk, ...]]:
    """The preprocessed file of ``request`` and its declarations. Raises OracleError TLM704, TLM705."""
    parsed = _parse_cached(
        str(request.root), str(request.start), tuple(map(str, request.include_dirs)), request.defines, request.arch,
        _stamp(request.start),
    )  # fmt: skip
    return parsed.source, parsed.chunks


def _stamp(file: Path) -> tuple[int, int]:
    try:
        state = os.stat(file)
    except OSError as error:
        raise OracleError("TLM705", f"cannot read {file.name}: {error.strerror}") from error
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=4)
def _parse_cached(
    root: str, file: str, include_dirs: tuple[str, ...], defines: tuple[str, ...], arch: int, stamp: tuple[int, int]
) -> _File:
    del stamp  # part of the key only: the file as it was
    compiler = find_compiler()
    if compiler is None:
        raise OracleError("TLM704", "no C++ compiler found: install g++ or clang++")
    source = preprocess(Path(file), Path(root), [Path(d) for d in include_dirs], defines, arch, compiler)
    return _File(source, tuple(split_chunks(source.text)))


def _find_kernel(request: OracleRequest, source: SourceText, chunks: Sequence[Chunk]) -> Chunk:
    matching = [c for c in chunks if c.kind == "kernel" and request.name in c.names]
    if not matching:
        # Kernels made by macros: the call of a macro whose body holds __global__ stands for the kernel.
        makers = {n for c in chunks if c.kind == "macro" and "__global__" in c.identifiers for n in c.names}
        matching = [c for c in chunks if c.kind == "call" and c.tokens[0].text in makers]
        # The name may be pasted together (add##_kernel): then an argument is a part of it.
        parts = {c: max((len(i) for i in c.identifiers - makers if i in request.name), default=0) for c in matching}
        longest = max(parts.values(), default=0)
        matching = [c for c in matching if parts[c] == longest]
    if not matching:
        raise OracleError("TLM703", f"no kernel named {request.name} is left after preprocessing", request.line)
    wanted_file = os.path.relpath(os.path.realpath(request.file), os.path.realpath(request.root))

    def distance(chunk: Chunk) -> tuple[bool, int]:
        file, first = source.origin(chunk.start)
        last = first + source.text.count("\n", chunk.start, chunk.end)
        inside = first <= request.line <= last
        return file != wanted_file, 0 if inside or not request.line else abs(first - request.line)

    return min(matching, key=distance)


def _closure(kernel: Chunk, chunks: Sequence[Chunk], arguments: frozenset[str]) -> set[Chunk]:
    by_name: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        for name in chunk.names:
            by_name.setdefault(name, []).append(chunk)
    # Declarations made by calling a macro: all that its body or its arguments name may be declared there.
    makers = {
        n: c.identifiers
        for c in chunks
        if c.kind == "macro" and c.identifiers & {"__device__", "struct", "class"} and "__global__" not in c.identifiers
        for n in c.names
    }
    for chunk in chunks:
        if chunk.kind == "call" and chunk.tokens[0].text in makers:
            for name in (makers[chunk.tokens[0].text] | chunk.identifiers) - KEYWORDS - {chunk.tokens[0].text}:
                by_name.setdefault(name, []).append(chunk)
    needed = {kernel}
    # Overloads and specialisations of the kernel's name; another kernel of that name in another scope is not it.
    pending = [kernel]
    for name in sorted(arguments):
        for candidate in by_name.get(name, ()):
            if candidate not in needed and _takeable(candidate, kernel):
                needed.add(candidate)
                pending.append(candidate)
    operators_added = False
    while pending:
        chunk = pending.pop()
        for identifier in chunk.identifiers:
            for candidate in by_name.get(identifier, ()):
                if candidate in needed or not _takeable(candidate, kernel):
                    continue
                needed.add(candidate)
                pending.append(candidate)
        if not pending and not operators_added:
            # Operators have no name in an expression: take those whose operand types are all there.
            operators_added = True
            known = {n for c in needed if c.kind == "type" for n in c.names}
            for candidate in by_name.get("operator", ()):
                if candidate.kind == "device" and candidate not in needed and _operands_known(candidate, known):
                    needed.add(candidate)
                    pending.append(candidate)
    return needed


def _takeable(chunk: Chunk, kernel: Chunk) -> bool:
    if chunk.kind in ("using", "call"):
        return True
    if chunk.kind not in _TAKEN:
        return False
    namesake = bool(chunk.names & kernel.names)
    if chunk.kind == "kernel":
        return namesake and chunk.scopes == kernel.scopes and not _overload(chunk, kernel)
    return not (namesake and "__global__" in chunk.identifiers and _overload(chunk, kernel))


def _overload(chunk: Chunk, kernel: Chunk) -> bool:
    """Is a kernel of the same name another function for certain? Only templates need each other (specialisations)."""
    return chunk.tokens[0].text != "template" or kernel.tokens[0].text != "template"


_BUILTIN_OPERANDS = (
    "float",
    "double",
    "int",
    "uint",
    "char",
    "uchar",
    "short",
    "ushort",
    "long",
    "half",
    "dim3",
    "__half",
)


def _operands_known(chunk: Chunk, known: set[str]) -> bool:
    """Could this operator apply: does its head name a needed type or one of CUDA's vector types?"""
    head = {t.text for t in chunk.tokens[:40] if t.kind == "id"}
    return (
        bool(head & known) or any(w.startswith(_BUILTIN_OPERANDS) for w in head) or chunk.tokens[0].text == "template"
    )


def _always(chunk: Chunk) -> bool:
    """`using namespace x` and namespace aliases, where x exists in the oracle's headers."""
    if chunk.kind != "using":
        return False
    names = [t.text for t in chunk.tokens if t.kind == "id" and t.text not in ("using", "namespace")]
    target = names[1:] if any(t.text == "=" for t in chunk.tokens) else names
    return target in (["std"], ["cooperative_groups"], ["nvcuda"], ["nvcuda", "wmma"])


def _launches_kernels(chunk: Chunk) -> bool:
    """A ``<<<`` inside device code: dynamic parallelism."""
    tokens = chunk.tokens
    return any(
        tokens[i].text == tokens[i + 1].text == tokens[i + 2].text == "<" and tokens[i].start + 2 == tokens[i + 2].start
        for i in range(len(tokens) - 2)
    )


def feature_names(identifiers: Iterable[str]) -> frozenset[str]:
    """Notable features: the keys of ``_FEATURES``, atomics, half, fp8, complex, and ``fast:<intrinsic>`` for every
    fast-math intrinsic. (`Extract.uses` adds nested_launch.)
    """
    names = set(identifiers)
    found = set()
    for feature, words in _FEATURES.items():
        if any(w in names for w in words):
            found.add(feature)
    for name in names:
        if name.startswith("atomic"):
            found.add("atomics")
        if "half" in name or "bfloat16" in name or "bf16" in name or name in ("__hadd", "__hfma", "hexp"):
            found.add("half")
        if name.startswith(("cuC", "cuFloatComplex", "cuDoubleComplex", "cufft", "make_cu")):
            found.add("complex")
        if "fp8" in name:
            found.add("fp8")
        if name in _FAST:
            found.add(f"fast:{name}")
    return frozenset(found)


_FAST = word_set(
    "__expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __tanhf __powf __sincosf __fdividef fdividef rsqrtf "
    "rsqrt __frsqrt_rn __saturatef"
)
_FEATURES: dict[str, tuple[str, ...]] = {
    "asm": ("asm", "__asm__", "__asm"),
    "wmma": ("wmma", "mma_sync", "load_matrix_sync", "fragment"),
    "texture": ("cudaTextureObject_t", "tex1D", "tex1Dfetch", "tex2D", "tex3D", "tex1DLod", "tex2DLod", "tex3DLod",
                "surf1Dread", "surf2Dread", "surf3Dread", "surf1Dwrite", "surf2Dwrite", "surf3Dwrite",
                "cudaSurfaceObject_t"),
    "other_textures": ("texture", "tex1DLayered", "tex2DLayered", "texCubemap", "texCubemapLayered", "tex2Dgather",
                       "tex1DGrad", "tex2DGrad", "tex3DGrad", "surf2DLayeredread", "surf2DLayeredwrite"),
    "grid_sync": ("this_grid", "grid_group", "this_multi_grid", "multi_grid_group", "this_cluster", "cluster_group"),
    "coalesced": ("coalesced_threads", "coalesced_group", "labeled_partition", "binary_partition",
                  "block_tile_memory"),
    "activemask": ("__activemask", "__shfl", "__shfl_down", "__shfl_up", "__shfl_xor", "__ballot", "__any", "__all"),
    "clock": ("clock", "clock64", "__globaltimer"),
    "printf": ("printf",),
    "assert": ("assert",),
    "volatile": ("volatile",),
    "groups": ("cooperative_groups",),
    "curand": ("curandState", "curand_init", "curand_uniform", "curandState_t", "curandStatePhilox4_32_10_t"),
    "pipeline": ("memcpy_async", "pipeline", "barrier", "__pipeline_memcpy_async"),
    "library": ("cub", "thrust", "cute", "cutlass"),
}  # fmt: skip


def _unit_text(chunks: Sequence[Chunk], source: SourceText) -> str:
    dynamic_names: set[str] = set()

    def kernel_side(chunk: Chunk, text: str) -> str | None:
        written = rewrite(text, chunk.tokens, chunk.kind == "variable")
        if chunk.kind == "variable" and "oracle_dynamic_shared" in written:
            if written in dynamic_names:
                return None  # the same declaration again, from a second header
            dynamic_names.add(written)
        return written

    return text_of_chunks(chunks, source, kernel_side)


def text_of_chunks(chunks: Sequence[Chunk], source: SourceText, write: Callable[[Chunk, str], str | None]) -> str:
    """The declarations in order, each in its namespaces and with its line; ``write`` gives a chunk's text (or None)."""
    parts: list[str] = []
    for chunk in chunks:
        file, line = source.origin(chunk.start)
        text = write(chunk, source.text)
        if text is None:
            continue
        opening = "".join(f"namespace {s} {{ " if s else "namespace { " for s in chunk.scopes)
        closing = "}" * len(chunk.scopes)
        if chunk.c_linkage:
            opening, closing = opening + 'extern "C" { ', closing + "}"
        if opening and chunk.kind not in ("macro", "directive"):
            text = f'{opening}\n#line {line} "{_escape(file)}"\n{text}\n{closing}'
        else:
            text = f'#line {line} "{_escape(file)}"\n{text}'
        parts.append(text)
    return "\n".join(parts) + "\n"


def _escape(file: str) -> str:
    return file.replace("\\", "\\\\").replace('"', '\\"')
