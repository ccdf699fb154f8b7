"""From launch expressions to `LaunchSite` records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind

from migrate.ir.host_eval import roots_of
from migrate.ir.launch import HostConst, HostExpr, LaunchSite, PointerFact, TextureFact
from migrate.parse.context import ParseContext
from migrate.parse.launches.conditions import checked, contradicted
from migrate.parse.launches.definitions import Place, WriteIndex, declaration_key, place_of
from migrate.parse.launches.device_names import device_identifiers
from migrate.parse.launches.geometry import Triple, triple
from migrate.parse.launches.pointers import pointer_fact
from migrate.parse.launches.program import (
    CONFIGURE_CALL,
    RUNTIME_LAUNCHES,
    Frame,
    HostFunction,
    HostProgram,
    Node,
    is_kernel,
    strip,
)
from migrate.parse.launches.roots import RootScope
from migrate.parse.launches.slicer import Slicer
from migrate.parse.launches.textures import object_kind, texture_fact
from migrate.parse.launches.types import dtype_of, is_pointer, is_record, plain
from migrate.parse.names import instantiation_name, kernel_id

KERNELS_PER_LAUNCH = 16  # that one function pointer is followed to
FRAMES_PER_LAUNCH = 4  # a kernel: call paths followed; verification runs three sites a kernel at most
CONDITION_LIMIT = 16
_LAUNCH_TEXT = re.compile(rb"<<<|cudaLaunch")


def find_sites(unit: cindex.TranslationUnit, context: ParseContext, *, strict: bool = False) -> list[LaunchSite]:
    """See `migrate.parse.launches.slice_launches`. ``strict``: a fault in one site is raised, not skipped."""
    if not _mentions_launch(unit, context):
        return []
    return list(SiteFinder(unit, context).sites(strict=strict))


def _mentions_launch(unit: cindex.TranslationUnit, context: ParseContext) -> bool:
    from migrate.parse.flags import HEADERS

    names = {str(unit.spelling)} | {include.include.name for include in unit.get_includes()}
    for name in sorted(names):
        if name.startswith(str(HEADERS)):
            continue
        try:
            if _LAUNCH_TEXT.search(Path(name).read_bytes()):
                return True
        except OSError:
            return True
    return False


class SiteFinder:
    """Slices all launches of a unit; roots are shared by all launches that one entry function leads to."""

    def __init__(self, unit: cindex.TranslationUnit, context: ParseContext):
        self._context = context
        self._program = HostProgram(unit, context)
        self._index = WriteIndex(self._program)
        self._device_names = device_identifiers(unit, context)
        self._slicers: dict[int, Slicer] = {}

    def sites(self, *, strict: bool = False) -> Iterator[LaunchSite]:
        """The sites in order of functions and launches; equal ones once.

        A site that slicing fails on is left out unless ``strict``; its kernel then gets a synthetic plan and a note.
        """
        seen: set[LaunchSite] = set()
        for function in list(self._program.functions.values()):
            for launch in function.launches:
                reached: Counter[str] = Counter()  # by kernel: a pointer may be another kernel on every way here
                for frame in self._program.frames(function, FRAMES_PER_LAUNCH * KERNELS_PER_LAUNCH):
                    try:
                        found = list(self._site(function, launch, frame, reached))
                    except (RecursionError, LookupError, ValueError, AssertionError, TypeError, AttributeError):
                        if strict:
                            raise
                        continue
                    for site in found:
                        if site not in seen:
                            seen.add(site)
                            yield site
                    if reached.total() >= FRAMES_PER_LAUNCH and len(reached) == 1 and not self._varies(launch):
                        break

    def _slicer(self, frame: Frame) -> Slicer:
        outermost = frame
        while outermost.caller is not None:
            outermost = outermost.caller
        key = outermost.function.key
        if key not in self._slicers:
            self._slicers[key] = Slicer(self._program, self._index, RootScope(), self._device_names)
        return self._slicers[key]

    def _varies(self, launch: Node) -> bool:
        """Whether the kernel is given by an expression that may name another one on another way here."""
        direct = None if launch.cursor.spelling in RUNTIME_LAUNCHES else launch.cursor.referenced
        return direct is None or direct.kind != CursorKind.FUNCTION_DECL

    def _site(self, function: HostFunction, launch: Node, frame: Frame, reached: Counter[str]) -> Iterator[LaunchSite]:
        slicer = self._slicer(frame)
        wanted = contradicted(slicer, launch, frame)
        if wanted is not None:
            slicer = Slicer(self._program, self._index, RootScope(), self._device_names, dict([wanted]))
        runtime = launch.cursor.spelling in RUNTIME_LAUNCHES
        callee = launch.arguments()[0] if runtime and launch.arguments() else launch.children[0]
        for kernel in self._kernels(slicer, launch, callee, frame, runtime):
            name = instantiation_name(kernel, self._context)
            if reached[name] < FRAMES_PER_LAUNCH:
                reached[name] += 1
                yield from self._site_of(slicer, kernel, function, launch, frame, runtime)

    def _site_of(
        self, slicer: Slicer, kernel: cindex.Cursor, function: HostFunction, launch: Node, frame: Frame, runtime: bool
    ) -> Iterator[LaunchSite]:
        slicer.fixed = frozenset(_template_integers(kernel))
        if runtime:
            configuration, arguments = self._runtime_arguments(slicer, launch, kernel, frame)
        else:
            configure = next(
                child
                for child in launch.children
                if child.kind == CursorKind.CALL_EXPR and child.cursor.spelling == CONFIGURE_CALL
            )
            configuration, arguments = configure.arguments(), list(launch.arguments())
        if len(configuration) < 2:
            return
        grid = triple(slicer, configuration[0], frame)
        block = triple(slicer, configuration[1], frame)
        shared: HostExpr = HostConst(0)
        if len(configuration) > 2 and not _is_default(configuration[2]):
            shared = slicer.value(configuration[2], frame, "shared_bytes")
        values, members = self._arguments(slicer, kernel, arguments, frame)
        yield self._finish(slicer, function, launch, frame, kernel, grid, block, shared, values, members)

    def _finish(
        self,
        slicer: Slicer,
        function: HostFunction,
        launch: Node,
        frame: Frame,
        kernel: cindex.Cursor,
        grid: Triple,
        block: Triple,
        shared: HostExpr,
        values: list[HostExpr | PointerFact | TextureFact | None],
        members: list[tuple[int, tuple[str, ...], HostExpr | PointerFact]],
    ) -> LaunchSite:
        expressions: list[HostExpr | None] = [*grid, *block, shared]
        for value in [*values, *(member[2] for member in members)]:
            if isinstance(value, PointerFact):
                expressions += [value.bytes, value.offset_bytes]
            elif isinstance(value, TextureFact):
                expressions += value.extents
            else:
                expressions.append(value)
        names = {info.name for info in slicer.scope.used(expressions)}
        conditions: list[HostExpr] = []
        for condition in checked(slicer, launch, frame):
            used = roots_of(condition)
            if used and used <= names and condition not in conditions:
                conditions.append(condition)
            if len(conditions) >= CONDITION_LIMIT:
                break
        return LaunchSite(
            kernel_id=kernel_id(kernel, self._context),
            cpp_name=instantiation_name(kernel, self._context),
            host_function=function.name,
            grid=grid,
            block=block,
            shared_bytes=shared,
            args=tuple(values),
            roots=slicer.scope.used(expressions),
            span=self._context.span(launch.cursor),
            conditions=tuple(conditions),
            struct_args=tuple(members),
        )

    def _kernels(self, slicer: Slicer, launch: Node, callee: Node, frame: Frame, runtime: bool) -> list[cindex.Cursor]:
        """The kernels that a launch may start: one by name, all that a function pointer may hold."""
        direct = None if runtime else launch.cursor.referenced
        if direct is not None and direct.kind == CursorKind.FUNCTION_DECL and is_kernel(direct):
            return [direct.get_definition() or direct]
        found = {int(kernel.hash): kernel for kernel in self._pointed_kernels(slicer, callee, frame, 0)}
        return list(found.values())[:KERNELS_PER_LAUNCH]

    def _pointed_kernels(self, slicer: Slicer, node: Node, frame: Frame, depth: int) -> Iterator[cindex.Cursor]:
        """The kernels behind a function pointer expression, through variables, tables and parameters."""
        if depth > 8:
            return
        for inner in node.walk():
            if inner.kind != CursorKind.DECL_REF_EXPR:
                continue
            referenced = inner.cursor.referenced
            if referenced is None:
                continue
            if is_kernel(referenced) and referenced.kind == CursorKind.FUNCTION_DECL:
                yield referenced.get_definition() or referenced
            elif referenced.kind == CursorKind.VAR_DECL:
                place = Place(declaration_key(referenced), inner.cursor.spelling)
                definitions = slicer.definitions(frame.function)
                for value in definitions.values(definitions.before(place, inner), place):
                    yield from self._pointed_kernels(slicer, value, frame, depth + 1)
            elif referenced.kind == CursorKind.PARM_DECL and frame.caller is not None:
                argument = frame.argument(referenced)
                if argument is not None:
                    yield from self._pointed_kernels(slicer, argument, frame.caller, depth + 1)

    def _runtime_arguments(
        self, slicer: Slicer, launch: Node, kernel: cindex.Cursor, frame: Frame
    ) -> tuple[list[Node], list[Node | None]]:
        """Configuration and argument nodes of ``cudaLaunchKernel(k, grid, block, args, shared, stream)``."""
        given = launch.arguments()
        count = len(_parameters(kernel))
        configuration = [*given[1:3], *given[4:5]]
        arguments: list[Node | None] = [None] * count
        place = place_of(given[3]) if len(given) > 3 else None
        if place is None:
            return configuration, arguments
        writes = slicer.definitions(frame.function).writes.get(place.key, ())
        for write in writes:
            if write.node.order > launch.order or write.value is None:
                continue
            value = strip(write.value)
            if write.kind == "declare" and value.kind == CursorKind.INIT_LIST_EXPR:
                for position, part in enumerate(value.expressions()[:count]):
                    arguments[position] = _addressed(part)
            elif write.kind == "set" and len(write.place.path) == 1 and write.place.path[0][1:-1].isdigit():
                position = int(write.place.path[0][1:-1])
                if position < count:
                    arguments[position] = _addressed(value)
        return configuration, arguments

    def _arguments(
        self, slicer: Slicer, kernel: cindex.Cursor, arguments: list[Node | None], frame: Frame
    ) -> tuple[
        list[HostExpr | PointerFact | TextureFact | None], list[tuple[int, tuple[str, ...], HostExpr | PointerFact]]
    ]:
        values: list[HostExpr | PointerFact | TextureFact | None] = []
        members: list[tuple[int, tuple[str, ...], HostExpr | PointerFact]] = []
        for position, parameter in enumerate(_parameters(kernel)):
            argument = arguments[position] if position < len(arguments) else None
            kind = object_kind(plain(parameter.type).spelling)
            if argument is None:
                values.append(None)
            elif kind is not None:
                values.append(texture_fact(slicer, argument, frame, kind))
            elif is_pointer(parameter.type):
                values.append(pointer_fact(slicer, argument, frame))
            elif dtype_of(parameter.type) is not None:
                value = slicer.value(argument, frame, parameter.spelling)
                values.append(slicer.convert(value, argument, dtype_of(parameter.type) or "int64"))
            else:
                values.append(None)
                members += self._members(slicer, position, parameter, argument, frame)
        return values, members

    def _members(
        self, slicer: Slicer, position: int, parameter: cindex.Cursor, argument: Node, frame: Frame
    ) -> Iterator[tuple[int, tuple[str, ...], HostExpr | PointerFact]]:
        """Scalar and pointer members of a struct argument that host code is seen to set."""
        if not is_record(parameter.type):
            return
        source = strip(argument)
        while source.kind == CursorKind.CALL_EXPR and len(source.children) == 1 and place_of(source) is None:
            source = strip(source.children[0])
        place = place_of(source)
        if place is None:
            return
        for path, field in _leaf_fields(parameter.type):
            dtype = dtype_of(field.type)
            if dtype is None:
                continue
            deeper = Place(place.key, place.name, (*place.path, *path))
            definition = slicer.definitions(frame.function).before(deeper, source)
            value = slicer.definition_value(deeper, definition, source, frame, dtype, field.spelling)
            yield position, path, value


def _parameters(kernel: cindex.Cursor) -> list[cindex.Cursor]:
    return [child for child in kernel.get_children() if child.kind == CursorKind.PARM_DECL]


def _leaf_fields(c_type: cindex.Type, depth: int = 0) -> Iterator[tuple[tuple[str, ...], cindex.Cursor]]:
    """Members of a record and of the records inside it, with their paths."""
    for field in plain(c_type).get_fields():
        if dtype_of(field.type) is None and is_record(field.type) and depth < 4:
            for path, inner in _leaf_fields(field.type, depth + 1):
                yield (field.spelling, *path), inner
        else:
            yield (field.spelling,), field


def _addressed(node: Node) -> Node:
    """``x`` of ``&x`` in an argument array."""
    inner = strip(node)
    return inner.children[0] if inner.kind == CursorKind.UNARY_OPERATOR and inner.children else inner


def _is_default(node: Node) -> bool:
    return not node.children and node.kind == CursorKind.UNEXPOSED_EXPR


def _template_integers(kernel: cindex.Cursor) -> Iterator[int]:
    for position in range(max(0, kernel.get_num_template_arguments())):
        if kernel.get_template_argument_kind(position) == cindex.TemplateArgumentKind.INTEGRAL:
            yield int(kernel.get_template_argument_value(position))
