"""A variant of a kernel with one condition negated, through the whole chain: source, kernel model, port."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from migrate.emit.port_file import PortEntry, PortFile, emit_port, source_file, support_files
from migrate.ir.kernel import Binary, Expr, Kernel
from migrate.ir.span import Span
from migrate.parse.merge import merge_results
from migrate.parse.results import ParseOptions
from migrate.parse.session import parse_repository
from migrate.parse.sources import header_files
from migrate.verify.negation import differs_by_one_negation, functions_of
from migrate.verify.request import VerifyRequest
from migrate.verify.textual import condition_bytes, find_comparison, replaced

# A repository with more source text than this is not copied.
COPY_FILES = 2000
COPY_BYTES = 32 << 20
_PARSE_TIMEOUT_S = 30.0
COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})


@dataclass(frozen=True)
class Variant:
    """``root``: the copy with the negated condition; ``port``: its port, written to ``out``."""

    root: Path
    out: Path
    module: str
    entry: PortEntry


def copy_sources(root: Path, unit: str, target: Path) -> bool:
    """Copies source files and headers of ``root``; False (and nothing useful there) when they are too many."""
    names = {*header_files(root, (os.path.splitext(unit)[1].lower(),)), unit}
    # Dangling links and files that may not be read cannot be part of what was parsed.
    names = {name for name in names if (root / name).is_file() and os.access(root / name, os.R_OK)}
    if len(names) > COPY_FILES or sum((root / name).stat().st_size for name in names) > COPY_BYTES:
        return False
    for name in sorted(names):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, path)
    return True


_OPPOSITES = {b"<": b">=", b">=": b"<", b">": b"<=", b"<=": b">", b"==": b"!=", b"!=": b"=="}


def opposite(text: bytes, condition: Expr) -> bytes | None:
    """``text`` with the other outcome of ``condition`` taken; None if it is no plain text of one line.

    A comparison gets the opposite operator: with NaN that is no negation, but both sides of the wall get the same one.
    Anything else gets a ``!``.
    """
    if condition.span is None or (whole := condition_bytes(text, condition.span)) is None:
        return None
    found = find_comparison(whole) if isinstance(condition, Binary) and condition.op in COMPARISONS else None
    if found is None:  # brackets around it all, or something that looks like an operator
        return negate(text, condition.span)
    turned = whole[: found.start()] + _OPPOSITES[found.group()] + whole[found.end() :]
    return replaced(text, condition.span, turned)


def negate(text: bytes, span: Span) -> bytes | None:
    """``text`` with the expression at ``span`` negated in its place; None if ``span`` is no plain text of one line."""
    condition = condition_bytes(text, span)
    return None if condition is None else replaced(text, span, b"(!(" + condition + b"))")


Edit: TypeAlias = Callable[[bytes, Expr], "bytes | None"]
Differ: TypeAlias = Callable[[str, str], bool]


def make_variant(
    request: VerifyRequest,
    condition: Expr,
    root: Path,
    out: Path,
    edit: Edit = opposite,
    differs: Differ = differs_by_one_negation,
) -> Variant | str:
    """Changes ``condition`` in the copy at ``root`` by ``edit``, parses and emits it into ``out``.

    A sentence instead where the variant cannot be made or its port differs from the port by more than the condition
    (``differs`` says no). The copy is left changed.
    """
    path = root / request.record.file
    before = path.read_bytes()
    changed = edit(before, condition)
    if changed is None:
        return "the condition is not plain text of the kernel's own file"
    port_file = request.port_dir.joinpath(*request.port_module.split(".")).with_suffix(".py")
    plain = _emit(root, request.record.file, request.kernel)
    if plain is None or not _holds(port_file.read_text(encoding="utf-8"), plain):
        return "the port is not what is emitted from its source"
    path.write_bytes(changed)
    kernel = _parsed(request, root)
    if kernel is None:
        return "the variant is not converted"
    varied = _emit(root, request.record.file, kernel)
    if varied is None:
        return "the variant is not converted"
    if not differs(plain.text, varied.text):
        return "the variant's port differs by more than the condition"
    for name, content in {**support_files([varied.path]), varied.path: varied.text}.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    return Variant(root, out, varied.path.removesuffix(".py").replace("/", "."), varied.entries[0])


def _emit(root: Path, file: str, kernel: Kernel) -> PortFile | None:
    port = emit_port(source_file(root, file), [kernel])
    return port if len(port.entries) == 1 else None


def _holds(actual: str, emitted: PortFile) -> bool:
    """Whether the port under test has the emitted functions; only a launcher's default block may be another."""
    wanted, found = functions_of(emitted.text), functions_of(actual)
    launcher = emitted.entries[0].launcher
    return all(found.get(name) == tree for name, tree in wanted.items() if name != launcher)


def _parsed(request: VerifyRequest, root: Path) -> Kernel | None:
    record = request.record
    unit = record.unit or record.file
    options = ParseOptions(
        include_dirs=tuple(record.include_dirs),
        defines=tuple(record.defines),
        timeout_s=_PARSE_TIMEOUT_S,
        use_cache=False,
        given=tuple(record.given),
    )
    records = merge_results(parse_repository(root, [root / unit], options))
    for found in records:
        if found.id == record.id:
            for kernel in found.instantiations:
                if kernel.symbol == request.kernel.symbol and kernel.cpp_name == request.kernel.cpp_name:
                    return replace(kernel, id=request.kernel.id)
    return None
