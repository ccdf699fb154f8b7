"""What calls in one file pass for texture parameters of functions that lie in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clang import cindex
from clang.cindex import CursorKind, LinkageKind

from migrate.ir.launch import HostParameter, TextureFact
from migrate.parse.context import ParseContext
from migrate.parse.launches.definitions import WriteIndex
from migrate.parse.launches.device_names import device_identifiers
from migrate.parse.launches.program import Frame, HostProgram, Node
from migrate.parse.launches.roots import RootScope
from migrate.parse.launches.slicer import Slicer
from migrate.parse.launches.textures import object_kind, source_of, texture_fact
from migrate.parse.launches.types import plain
from migrate.parse.results import AskedFunction, PassedTexture

_FRAMES = 64  # ways to one call that are looked at; with more nothing is known


def asked_functions(
    unit: cindex.TranslationUnit, context: ParseContext, names: Sequence[str]
) -> tuple[AskedFunction, ...]:
    """One report a name that the unit declares or calls."""
    program = HostProgram(unit, context)
    slicer = Slicer(program, WriteIndex(program), RootScope(), device_identifiers(unit, context))
    declared = [cursor for cursor in _declarations(unit.cursor) if cursor.spelling in names]
    calls = [
        (function, call, call.cursor.referenced)
        for function in list(program.functions.values())
        for call in function.calls
        if call.cursor.spelling in names and call.cursor.referenced is not None
    ]
    reports: list[AskedFunction] = []
    for name in names:
        own = [cursor for cursor in declared if cursor.spelling == name]
        used = [item for item in calls if item[1].cursor.spelling == name]
        passed: list[PassedTexture] = []
        for function, call, callee in used:
            frames = program.frames(function, _FRAMES)
            for frame in frames:
                passed += _passed(slicer, call, callee, frame, cut=len(frames) >= _FRAMES)
        here = [*own, *(call.cursor for _, call, _ in used)]
        reports.append(
            AskedFunction(
                name,
                sum(context.span(cursor).file == context.file for cursor in here),
                tuple(sorted({_signature(cursor) for cursor in own if cursor.is_definition()})),
                tuple(passed),
            )
        )
    return tuple(reports)


def _declarations(cursor: cindex.Cursor) -> Iterator[cindex.Cursor]:
    for child in cursor.get_children():
        if child.kind in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL, CursorKind.NAMESPACE):
            yield from _declarations(child)
        elif child.kind == CursorKind.FUNCTION_DECL:
            yield child


def _signature(function: cindex.Cursor) -> str:
    return str(function.type.get_canonical().spelling)


def _passed(slicer: Slicer, call: Node, callee: cindex.Cursor, frame: Frame, *, cut: bool) -> Iterator[PassedTexture]:
    for position, (argument, parameter) in enumerate(zip(call.arguments(), callee.get_arguments(), strict=False)):
        if object_kind(plain(parameter.type).spelling) != "texture":
            continue
        where = HostParameter(callee.spelling, _signature(callee), position)
        if cut:
            yield PassedTexture(where, TextureFact(missing="its caller is reached in too many ways"))
            continue
        fact = texture_fact(slicer, argument, frame, "texture")
        variable = _global_name(slicer, argument, frame) if fact.missing else ""
        yield PassedTexture(where, replace(fact, awaits=None), variable)


def _global_name(slicer: Slicer, argument: Node, frame: Frame) -> str:
    """The global variable that is passed and that this unit never writes, or ""."""
    source = source_of(slicer, argument, frame)
    if source is None or source.place.path or any(slicer.index.plain.changes(source.place)):
        return ""
    if slicer.index.plain.seen_outside(source.place):
        return ""
    cursor = source.node.cursor.referenced
    if cursor is None or cursor.kind != CursorKind.VAR_DECL or cursor.linkage != LinkageKind.EXTERNAL:
        return ""
    parent = cursor.semantic_parent
    while parent.kind in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
        parent = parent.semantic_parent
    return str(cursor.spelling) if parent.kind == CursorKind.TRANSLATION_UNIT else ""
