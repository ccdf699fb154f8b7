"""From the kernels of one source file to the text of its port file."""

from __future__ import annotations

import hashlib
import keyword
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from migrate.diagnostics import Diagnostic, Refusal
from migrate.emit.comments import leading_comment
from migrate.emit.forbidden import check_forbidden
from migrate.emit.kernels import builder_lines, launcher_lines
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.ir.verify_port import verify_port
from migrate.rules.lower.lower_kernel import lower_kernel

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class SourceFile:
    """What the header of a port says about its original. ``path``: relative to the repository, posix."""

    path: str
    sha256: str
    licence: str = ""
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class EntryParameter:
    """One keyword of a launcher and where its value comes from.

    kind: ``array`` (a pointer), ``scalar`` (the C parameter at ``position``), ``bytes`` (a struct whole), ``symbol`` (a
    ``__constant__`` or ``__device__`` variable called ``symbol``; ``optional`` if the port knows its initial value),
    ``texture`` (the array of a texture or surface object, with its shape).
    """

    keyword: str
    kind: Literal["array", "scalar", "bytes", "symbol", "texture"]
    dtype: str
    position: int = -1
    byte_offset: int = 0
    symbol: str = ""
    optional: bool = False


@dataclass(frozen=True)
class PortEntry:
    """One instantiation in a port file: names of launcher and builder, rules used, notes, parameter mapping."""

    kernel_id: str
    symbol: str
    launcher: str
    builder: str
    rules: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    parameters: tuple[EntryParameter, ...]
    dynamic_shared: bool
    block_rank: int
    grid_rank: int


@dataclass(frozen=True)
class PortFile:
    """A port file's path below OUT, its text, what it holds and what was refused."""

    path: str
    text: str
    entries: tuple[PortEntry, ...]
    refusals: tuple[tuple[k.Kernel, Diagnostic], ...] = ()


@dataclass(frozen=True)
class EmitOptions:
    """``distinct_pointers``: ids of kernels whose launches all pass distinct allocations. ``default_block``: by id.

    ``ranks``: (grid, block) axes that launches use, by (id, C++ name); axes that a kernel reads are always there.
    """

    distinct_pointers: frozenset[str] = frozenset()
    default_block: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    ranks: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


def source_file(root: Path, path: str) -> SourceFile:
    """Reads the facts of ``root / path`` that a port's header carries. Raises OSError."""
    raw = (root / path).read_bytes()
    return SourceFile(path, hashlib.sha256(raw).hexdigest(), leading_comment(raw.decode("utf-8", errors="replace")))


def port_path(path: str) -> str:
    """Where the port of a source file goes below OUT: same folders, ``<stem>_<ext>_tl.py``, made importable."""
    pure = PurePosixPath(path)
    parts = [importable(part) for part in pure.parts[:-1] if part not in ("/", "..", ".")]
    return "/".join([*parts, importable(f"{pure.stem}_{pure.suffix.lstrip('.') or 'src'}_tl") + ".py"])


def importable(part: str) -> str:
    """A folder or module name as a Python identifier."""
    clean = "".join(c if c.isalnum() or c == "_" else "_" for c in part) or "_"
    return f"_{clean}" if clean[0].isdigit() else f"{clean}_" if keyword.iskeyword(clean) else clean


def emit_port(source: SourceFile, kernels: Sequence[k.Kernel], options: EmitOptions | None = None) -> PortFile:
    """The port of ``kernels`` (all of one source file). A kernel that refuses does not stop the others."""
    chosen = options or EmitOptions()
    ports: list[p.PortKernel] = []
    entries: list[PortEntry] = []
    refusals: list[tuple[k.Kernel, Diagnostic]] = []
    for kernel in kernels:
        try:
            lowered = lower_kernel(
                kernel,
                distinct_pointers=kernel.id in chosen.distinct_pointers,
                ranks=chosen.ranks.get((kernel.id, kernel.cpp_name), (1, 1)),
            )
            verify_port(lowered.kernel)
            check_forbidden(lowered.kernel)
        except Refusal as refusal:
            refusals.append((kernel, refusal.diagnostic))
            continue
        ports.append(lowered.kernel)
        entries.append(_entry(lowered.kernel, lowered.diagnostics))
    path = port_path(source.path)
    module = p.PortModule(source.path, source.sha256, "simt", path, tuple(ports), source.licence, source.comments)
    return PortFile(path, module_text(module, chosen.default_block), tuple(entries), tuple(refusals))


def _entry(kernel: p.PortKernel, diagnostics: tuple[Diagnostic, ...]) -> PortEntry:
    return PortEntry(
        kernel_id=kernel.kernel_id,
        symbol=kernel.symbol,
        launcher=kernel.symbol,
        builder=kernel.builder,
        rules=kernel.rules,
        diagnostics=diagnostics,
        parameters=tuple(_parameter(param) for param in kernel.launcher),
        dynamic_shared=kernel.dynamic_shared,
        block_rank=len(kernel.block_names),
        grid_rank=len(kernel.grid_names),
    )


def _parameter(param: p.LauncherParam) -> EntryParameter:
    position = -1 if param.position is None else param.position
    if param.kind == "struct":
        return EntryParameter(param.name, "bytes", "uint8", position)
    dtype = param.leaves[0][1].lstrip("*")
    if param.kind == "texture":
        return EntryParameter(param.name, "texture", dtype, position)
    if param.kind == "global":
        return EntryParameter(param.name, "symbol", dtype, position, 0, param.symbol, param.default is not None)
    return EntryParameter(param.name, "array" if param.kind == "pointer" else "scalar", dtype, position)


def module_text(module: p.PortModule, default_block: Mapping[str, tuple[int, int, int]]) -> str:
    """The text of a port file."""
    name = PurePosixPath(module.path).name
    lines = [
        f"# Ported from {module.source_path}, sha256 {module.source_sha256}; level {module.level}."
        f" Check it: migrate verify {name}"
    ]
    if module.licence:
        lines += ["#", *(f"# {line}".rstrip() for line in module.licence.splitlines())]
    lines += [f'"""TileLang ports of the kernels in {module.source_path}."""', "", "import tilelang.language as T", ""]
    depth = module.path.count("/") + 1
    taken = {param.name for kernel in module.kernels for param in kernel.launcher}
    aliases = {name: f"_{name}" if name in taken else name for name in ("launch", *_helpers(module))}
    imports = [name if alias == name else f"{name} as {alias}" for name, alias in sorted(aliases.items())]
    lines.append(f"from {'.' * depth}_launch import Grid, {', '.join(imports)}")
    for kernel in module.kernels:
        lines += ["", "", *builder_lines(kernel)]
        lines += ["", "", *launcher_lines(kernel, default_block.get(kernel.kernel_id), aliases)]
    return "\n".join(lines) + "\n"


def _helpers(module: p.PortModule) -> set[str]:
    names = {"scalar": "value", "pointer": "tensor", "struct": "fields", "texture": "texels"}
    found: set[str] = set()
    for kernel in module.kernels:
        for param in kernel.launcher:
            if param.kind == "global":
                found.add("tensor" if param.default is None else "variable" if param.variable else "table")
            else:
                found.add(names[param.kind])
    return found


def support_files(paths: Iterable[str]) -> dict[str, str]:
    """What OUT needs beside the ports: ``_launch.py`` and an ``__init__.py`` a folder (path → text)."""
    files = {"__init__.py": "", "_launch.py": (TEMPLATES / "launch.py").read_text(encoding="utf-8")}
    for path in paths:
        folder = PurePosixPath(path).parent
        while str(folder) != ".":
            files[f"{folder}/__init__.py"] = ""
            folder = folder.parent
    return dict(sorted(files.items()))
