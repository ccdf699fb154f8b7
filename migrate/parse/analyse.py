"""What happens inside a worker: one file → one `FileResult`."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from clang import cindex

from migrate.diagnostics import Diagnostic, Refusal, make
from migrate.ir.kernel import Kernel
from migrate.ir.launch import LaunchSite
from migrate.ir.span import Span
from migrate.parse.build.textures import LaunchedTexture, launched_textures
from migrate.parse.context import ParseContext
from migrate.parse.fast_cindex import forget
from migrate.parse.flags import HEADERS, SHIM_FOLDERS
from migrate.parse.includes import HeaderIndex
from migrate.parse.instantiate import KernelAst, KernelCollector
from migrate.parse.intact import problem_of, signature
from migrate.parse.lexer import LexedFile, LexedKernel, lex
from migrate.parse.macros import Macro
from migrate.parse.names import instantiation_name, kernel_id
from migrate.parse.results import AskedFunction, FileJob, FileResult, KernelRecord, Seen
from migrate.parse.sources import SourceText, UnreadableSource, read_source
from migrate.parse.unit import ParsedUnit, parse_unit
from migrate.parse.uses import PREFIX, prepared_text

_MARKS = ("__global__", "<<<", "cudaLaunch", "#include")


@dataclass
class WorkerMemory:
    """What a worker keeps between files: lexed files by name (with a hash), and kernels of headers that were built."""

    lexed: dict[str, tuple[str, LexedFile]] = field(default_factory=dict)
    built: dict[str, Kernel | Diagnostic] = field(default_factory=dict)


class FileAnalysis:
    """Parses one file. ``memory`` is shared between the analyses of one worker."""

    def __init__(self, job: FileJob, memory: WorkerMemory, headers: HeaderIndex) -> None:
        self._job = job
        self._root = Path(job.root)
        self._context = ParseContext(self._root, job.path, job.arch, job.given)
        self._lexed = memory.lexed
        self._built = memory.built
        self._headers = headers
        self._index = cindex.Index.create(excludeDecls=True)
        self._diagnostics: list[Diagnostic] = []
        self._units: list[cindex.TranslationUnit] = []
        self._defaulted: set[str] = set()
        self._parse_cpu_s = 0.0
        self._textures: dict[tuple[str, str], dict[int, list[LaunchedTexture]]] = {}
        self._added: tuple[int, tuple[str, ...]] = (0, ())  # first added line, C++ names asked for

    def run(self) -> FileResult:
        """The result; raises nothing for bad input."""
        try:
            source = read_source(self._root / self._job.path, self._job.path)
        except UnreadableSource as problem:
            status = "no_kernels" if problem.diagnostic.code == "TLM002" else "unreadable"
            digest = _digest_of(self._root / self._job.path)
            return FileResult(self._job.path, digest, status, diagnostics=(problem.diagnostic,))  # type: ignore[arg-type]
        digest = hashlib.sha256(source.data).hexdigest()
        if not source.utf8:
            self._note("TLM008", "is not UTF-8; its bytes are taken one by one", Span(self._job.path, 0))
        if not self._job.asked and not any(mark in source.text for mark in _MARKS):
            return FileResult(self._job.path, digest, "no_kernels", diagnostics=tuple(self._diagnostics))
        try:
            return self._parse(source, digest)
        finally:
            for unit in self._units:
                forget(unit)

    def _note(self, code: str, message: str, span: Span) -> None:
        self._diagnostics.append(make(code, message, span))

    def _parse(self, source: SourceText, digest: str) -> FileResult:
        started = time.process_time()
        try:
            parsed, lexed, collected = self._parse_rounds(source)
        except cindex.TranslationUnitLoadError:
            self._note("TLM021", "libclang gave up on this file", Span(self._job.path, 0))
            records = [self._text_record(kernel, None) for kernel in self._lex(self._job.path, source.text).kernels]
            return FileResult(self._job.path, digest, "failed", tuple(records), (), tuple(self._diagnostics))
        self._report_errors(parsed)
        launches = self._launches(parsed)
        self._textures = launched_textures(launches)
        records = self._records(parsed, lexed, collected)
        has_kernels = any(record.file == self._job.path for record in records)
        return FileResult(
            self._job.path,
            digest,
            "parsed" if has_kernels or launches else "no_kernels",
            tuple(records),
            launches,
            tuple(self._diagnostics),
            parsed.included,
            self._parse_cpu_s,
            time.process_time() - started - self._parse_cpu_s,
            asked=self._asked(parsed),
        )

    # --- parsing and lexing ---------------------------------------------------------------------------------------

    def _parse_rounds(self, source: SourceText) -> tuple[ParsedUnit, dict[str, LexedFile], dict[str, KernelAst]]:
        """Parses; a second time if explicit instantiations of included files or default arguments need a use."""
        own = self._lex(self._job.path, source.text)
        wanted = [name for name in self._job.instantiate if _bare(name) in source.text]
        self._added = (source.text.count("\n") + 2, tuple(wanted))
        unsaved = self._prepared(self._job.path, source, own, wanted)
        parsed = self._parse_once(unsaved, self._known_dirs(own))
        lexed = self._lex_all(source, parsed)
        more = dict(unsaved)
        for name, file in lexed.items():
            if name != self._job.path and (file.instantiations or file.replacements):
                more.update(self._prepared(name, read_source(self._root / name, name), file, ()))
        own = lexed[self._job.path]
        if own.instantiations:  # macros of included files may have made some visible
            more.update(self._prepared(self._job.path, source, own, wanted))
        if more != unsaved:
            parsed = self._parse_once(more, parsed.include_dirs)
        collector = KernelCollector(self._context)
        collected = collector.collect(parsed.unit)
        for name, file in lexed.items():
            members = {line: found for (where, line), found in collector.class_members.items() if where == name}
            if file.classes and members and _uninstantiated(collected):
                origin = source if name == self._job.path else read_source(self._root / name, name)
                more.update(self._prepared(name, origin, file, wanted if name == self._job.path else (), members))
                parsed = self._parse_once(more, parsed.include_dirs)
                collected = KernelCollector(self._context).collect(parsed.unit)
        defaults = self._default_uses(collected)
        if defaults:
            with_defaults = dict(more)
            with_defaults.update(self._prepared(self._job.path, source, own, [*wanted, *defaults]))
            parsed = self._parse_once(with_defaults, parsed.include_dirs)
            collected = KernelCollector(self._context).collect(parsed.unit)
        self._defaulted = {identity for identity in defaults.values() if collected[identity].specialisations}
        return parsed, lexed, collected

    def _known_dirs(self, own: LexedFile) -> tuple[str, ...]:
        """The include folders given, and those of headers that are plainly missing without them (saves a parse)."""
        folders = [os.path.normpath(self._root / folder) for folder in self._job.include_dirs]
        around = [str((self._root / self._job.path).parent), *folders, *(str(HEADERS / name) for name in SHIM_FOLDERS)]
        for wanted, _ in own.includes:
            if any(os.path.exists(os.path.join(folder, wanted)) for folder in around):
                continue
            found = self._headers.folder_for(wanted, self._job.path)
            if found is not None and os.path.normpath(self._root / found) not in folders:
                folders.append(os.path.normpath(self._root / found))
                around.append(folders[-1])
        return tuple(folders)

    def _parse_once(self, unsaved: Mapping[str, str], include_dirs: tuple[str, ...]) -> ParsedUnit:
        parsed = parse_unit(
            self._index,
            self._context,
            include_dirs=include_dirs,
            defines=self._job.defines,
            headers=self._headers,
            unsaved=[(str(self._root / name), text) for name, text in unsaved.items()],
        )
        self._units.append(parsed.unit)
        self._parse_cpu_s += parsed.cpu_s
        return parsed

    def _prepared(
        self,
        name: str,
        source: SourceText,
        file: LexedFile,
        extra: Collection[str],
        members: Mapping[int, Sequence[str]] | None = None,
    ) -> dict[str, str]:
        text = prepared_text(source.text, file, extra, members)
        return {} if text is None else {name: text}

    def _default_uses(self, collected: Mapping[str, KernelAst]) -> dict[str, str]:
        """C++ name with empty arguments → kernel id, for templates of this file that only defaults can instantiate."""
        uses = {}
        for identity, kernel in collected.items():
            if kernel.template is None or kernel.specialisations or kernel.file != self._job.path:
                continue
            if _all_defaulted(kernel.template):
                uses[f"{_qualified(kernel.template)}<>"] = identity
        return uses

    def _lex(self, name: str, text: str, outer: Mapping[str, Macro] | None = None) -> LexedFile:
        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
        if outer:
            return lex(text, name, outer)
        known = self._lexed.get(name)
        if known is None or known[0] != digest:
            known = (digest, lex(text, name))
            self._lexed[name] = known
        return known[1]

    def _lex_all(self, source: SourceText, parsed: ParsedUnit) -> dict[str, LexedFile]:
        """The file itself, with the macros of what it includes, and every included file below the root."""
        found: dict[str, LexedFile] = {}
        macros: dict[str, Macro] = {}
        for name in parsed.included:
            try:
                file = self._lex(name, read_source(self._root / name, name).text)
            except UnreadableSource:
                continue
            found[name] = file
            macros.update(file.macros)
        found[self._job.path] = self._lex(self._job.path, source.text, macros)
        return found

    def _report_errors(self, parsed: ParsedUnit) -> None:
        for wanted, error in parsed.missing:
            self._note("TLM010", f"the header '{wanted}' was not found", Span(error.file, error.line, error.column))
        first_added, asked = self._added
        other = []
        for error in parsed.errors:
            number = error.line - first_added
            if error.file == self._job.path and first_added and number >= 0:
                if number < len(asked):
                    self._note("TLM029", f"{asked[number]}: {error.message}", Span(self._job.path, 0))
            elif "file not found" not in error.message and PREFIX not in error.message:
                other.append(error)
        for error in other:
            if "nested too deeply" in error.message:
                self._note("TLM011", error.message, Span(error.file, error.line, error.column))
                return
        inside = [error for error in other if not os.path.isabs(error.file)]
        if inside:
            first = inside[0]
            message = f"clang found {len(inside)} errors, the first: {first.message}"
            self._note("TLM012", message, Span(first.file, first.line, first.column))

    # --- kernels ----------------------------------------------------------------------------------------------------

    def _records(
        self, parsed: ParsedUnit, lexed: Mapping[str, LexedFile], collected: Mapping[str, KernelAst]
    ) -> list[KernelRecord]:
        in_text = {(file, kernel.line, kernel.name): kernel for file in lexed for kernel in lexed[file].kernels}
        records = []
        for kernel in sorted(collected.values(), key=lambda item: (item.file, item.line, item.name)):
            text = in_text.pop((kernel.file, kernel.line, kernel.name), None)
            if kernel.file.startswith("/") or kernel.name.startswith(PREFIX):
                continue
            records.append(self._ast_record(kernel, text, parsed, lexed))
        records += [self._text_record(kernel, parsed) for kernel in in_text.values()]
        return records

    def _text_record(self, kernel: LexedKernel, parsed: ParsedUnit | None) -> KernelRecord:
        """A kernel that the lexer found and the AST does not have."""
        span = Span(kernel.file, kernel.line, 1, kernel.end_line, 0)
        if parsed is None:
            problem = make("TLM026", f"{kernel.name}: its file could not be parsed", span, severity="error")
        elif kernel.disabled:
            problem = make("TLM023", f"{kernel.name} is switched off by #if 0", span, severity="error")
        elif kernel.conditional:
            problem = make("TLM024", f"{kernel.name} is left out by a preprocessor condition", span, severity="error")
        else:
            near = [error for error in parsed.errors if error.file == kernel.file]
            reason = f": {near[0].message} (line {near[0].line})" if near else ""
            problem = make("TLM026", f"{kernel.name} is not in what the parser understood{reason}", span)
        return self._record(kernel.file, kernel.line, kernel.name, kernel, parsed, Seen.TEXT, (), ((problem, ""),))

    def _ast_record(
        self, kernel: KernelAst, text: LexedKernel | None, parsed: ParsedUnit, lexed: Mapping[str, LexedFile]
    ) -> KernelRecord:
        span = Span(kernel.file, kernel.line, 1, kernel.end_line, 0)
        built: list[Kernel] = []
        refused: list[tuple[Diagnostic, str]] = []
        intact = False
        for name, cursor in sorted(kernel.specialisations.items()):
            problem = problem_of(
                cursor,
                name,
                self._context,
                parsed.errors,
                [header for header, _ in parsed.missing],
                lambda file: lexed[file].condition_lines if file in lexed else (),
            )
            if problem is not None:
                refused.append((problem, name))
                continue
            intact = True
            outcome = self._build_once(cursor, name, span)
            if isinstance(outcome, Diagnostic):
                refused.append((outcome, name))
            else:
                built.append(replace(outcome, id=kernel.id))
        if not kernel.specialisations:
            problem = make("TLM025", f"{kernel.name} is a template that nothing instantiates", span, severity="error")
            refused.append((problem, ""))
            seen = Seen.TEXT
        elif kernel.id in self._defaulted:
            seen = Seen.DEFAULTED
        else:
            seen = Seen.USED if intact else Seen.BROKEN
        lexical = text or LexedKernel(kernel.file, kernel.line, kernel.end_line, kernel.name, kernel.line)
        return self._record(kernel.file, kernel.line, kernel.name, lexical, parsed, seen, tuple(built), tuple(refused))

    def _record(
        self,
        file: str,
        line: int,
        name: str,
        text: LexedKernel,
        parsed: ParsedUnit | None,
        seen: Seen,
        built: tuple[Kernel, ...],
        refused: tuple[tuple[Diagnostic, str], ...],
    ) -> KernelRecord:
        return KernelRecord(
            f"{file}:{line}:{name}",
            file,
            line,
            text.end_line,
            name,
            built,
            tuple(problem for problem, _ in refused),
            parsed.include_dirs if parsed else self._job.include_dirs,
            self._job.defines,
            text.start_line,
            tuple(name for _, name in refused),
            seen,
            self._job.path,
            self._job.given,
        )

    def _build_once(self, cursor: cindex.Cursor, name: str, span: Span) -> Kernel | Diagnostic:
        """Builds; a header's kernel that means the same as in an earlier file of this run is not built again."""
        if span.file == self._job.path:
            return self._build(cursor, name, span)
        key = signature(cursor, name, self._context) + repr(self._launched(cursor))
        if key not in self._built:
            self._built[key] = self._build(cursor, name, span)
        return self._built[key]

    def _build(self, cursor: cindex.Cursor, name: str, span: Span) -> Kernel | Diagnostic:
        """The kernel model, or the diagnostic that refuses it. A fault of ours refuses this instantiation only."""
        try:
            from migrate.parse.build import build_kernel

            return build_kernel(cursor, self._context, self._launched(cursor))
        except Refusal as refusal:
            return refusal.diagnostic
        except Exception as error:
            return make("TLM059", f"{name}: internal error while building: {type(error).__name__}: {error}", span)

    def _launched(self, cursor: cindex.Cursor) -> dict[int, list[LaunchedTexture]]:
        """What launches of this file pass for the kernel's textures and surfaces, by position."""
        if not self._textures:
            return {}
        return self._textures.get((kernel_id(cursor, self._context), instantiation_name(cursor, self._context)), {})

    def _asked(self, parsed: ParsedUnit) -> tuple[AskedFunction, ...]:
        if not self._job.asked:
            return ()
        from migrate.parse.launches.texture_calls import asked_functions

        try:
            return asked_functions(parsed.unit, self._context, self._job.asked)
        except Exception as error:  # nothing is known then, and the launch stays refused
            message = f"internal error while reading calls: {type(error).__name__}: {error}"
            self._note("TLM059", message, Span(self._job.path, 0))
        return ()

    def _launches(self, parsed: ParsedUnit) -> tuple[LaunchSite, ...]:
        try:
            from migrate.parse.launches import slice_launches

            return tuple(slice_launches(parsed.unit, self._context))
        except Refusal as refusal:
            self._diagnostics.append(refusal.diagnostic)
        except Exception as error:
            message = f"internal error while reading launches: {type(error).__name__}: {error}"
            self._note("TLM059", message, Span(self._job.path, 0))
        return ()


def _uninstantiated(collected: Mapping[str, KernelAst]) -> bool:
    return any(not kernel.specialisations for kernel in collected.values())


def _digest_of(path: Path) -> str:
    """sha256 of a file that is no source text; empty if it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            for block in iter(lambda: stream.read(1 << 20), b""):
                digest.update(block)
    except OSError:
        return ""
    return digest.hexdigest()


def _bare(name: str) -> str:
    """``ns::k<float>`` → ``k``."""
    return name.partition("<")[0].rpartition("::")[2].strip()


def _qualified(cursor: cindex.Cursor) -> str:
    names: list[str] = [cursor.spelling]
    parent: Any = cursor.semantic_parent
    while parent is not None and parent.kind != cindex.CursorKind.TRANSLATION_UNIT:
        if parent.spelling:
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::" + "::".join(reversed(names))


def _all_defaulted(template: cindex.Cursor) -> bool:
    """Has every template parameter a default argument?"""
    kinds = (
        cindex.CursorKind.TEMPLATE_TYPE_PARAMETER,
        cindex.CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
        cindex.CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
    )
    params = [child for child in template.get_children() if child.kind in kinds]
    return bool(params) and all(any(token.spelling == "=" for token in child.get_tokens()) for child in params)
