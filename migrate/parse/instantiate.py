"""All kernels of a translation unit with the instantiations that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from clang import cindex
from clang.cindex import CursorKind

from migrate.parse.clang_extra import visit
from migrate.parse.context import ParseContext
from migrate.parse.names import instantiation_name, kernel_id

_FUNCTIONS = frozenset(
    kind.value
    for kind in (
        CursorKind.FUNCTION_DECL,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
        CursorKind.DESTRUCTOR,
    )
)
_FUNCTION_DECL = CursorKind.FUNCTION_DECL.value
_FUNCTION_TEMPLATE = CursorKind.FUNCTION_TEMPLATE.value
_REFERENCES = frozenset(
    kind.value for kind in (CursorKind.DECL_REF_EXPR, CursorKind.CALL_EXPR, CursorKind.MEMBER_REF_EXPR)
)
_RECORDS = frozenset((CursorKind.STRUCT_DECL.value, CursorKind.CLASS_DECL.value))
_VISITED = _REFERENCES | _RECORDS | {_FUNCTION_DECL, _FUNCTION_TEMPLATE}


@dataclass
class KernelAst:
    """A kernel as the AST has it. ``specialisations``: C++ name → concrete function with a typed body."""

    id: str
    file: str
    line: int
    end_line: int
    name: str
    template: cindex.Cursor | None = None
    specialisations: dict[str, cindex.Cursor] = field(default_factory=dict)


def is_kernel(cursor: cindex.Cursor) -> bool:
    """Has the function the ``__global__`` attribute?"""
    for child in cursor.get_children():
        if child.kind == CursorKind.CUDAGLOBAL_ATTR:
            return True
        if child.kind == CursorKind.COMPOUND_STMT:
            return False
    return False


def has_body(cursor: cindex.Cursor) -> bool:
    """Is there a body at this very declaration?"""
    return any(child.kind == CursorKind.COMPOUND_STMT for child in cursor.get_children())


def own_declarations(unit: cindex.TranslationUnit, context: ParseContext) -> Iterator[cindex.Cursor]:
    """Top-level cursors that are not the shim's."""
    for cursor in unit.cursor.get_children():
        if not context.in_shim(cursor):
            yield cursor


class KernelCollector:
    """Walks what the file and its own includes declare, then every instantiation that is reached from there."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._seen: set[int] = set()
        self._work: list[cindex.Cursor] = []
        self.kernels: dict[str, KernelAst] = {}
        self.class_members: dict[tuple[str, int], tuple[str, ...]] = {}

    def collect(self, unit: cindex.TranslationUnit) -> dict[str, KernelAst]:
        """Kernel id → kernel, for every ``__global__`` definition outside the shim."""
        for cursor in own_declarations(unit, self._context):
            if cursor._kind_id in _VISITED:
                self._on_cursor(cursor)
            visit(cursor, _VISITED, self._on_cursor)
        while self._work:
            visit(self._work.pop(), _VISITED, self._on_cursor)
        return self.kernels

    def _on_cursor(self, cursor: cindex.Cursor) -> None:
        kind = cursor._kind_id
        if kind == _FUNCTION_TEMPLATE:
            if is_kernel(cursor) and has_body(cursor):
                self._entry(cursor).template = cursor
        elif kind == _FUNCTION_DECL:
            self._seen.add(_identity(cursor))
            if is_kernel(cursor) and has_body(cursor):
                self._add(cursor)
        elif kind in _RECORDS:
            self._on_record(cursor)
        else:
            referenced = cursor.referenced
            if referenced is not None and referenced._kind_id in _FUNCTIONS:
                self._on_reference(referenced)

    def _on_record(self, record: cindex.Cursor) -> None:
        """Notes the member functions of an explicitly instantiated class, whose bodies the binding does not visit."""
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(record)
        if template is None or template.kind != CursorKind.CLASS_TEMPLATE or record.location.file is None:
            return
        names = [child.spelling for child in template.get_children() if child.kind == CursorKind.CXX_METHOD]
        place = (self._context.relative(record.location.file.name), record.location.line)
        self.class_members[place] = tuple(dict.fromkeys(names))

    def _on_reference(self, function: cindex.Cursor) -> None:
        identity = _identity(function)
        if identity in self._seen:
            return
        self._seen.add(identity)
        if self._context.in_shim(function):
            return
        definition = function.get_definition() or function
        if _identity(definition) != identity:
            if _identity(definition) in self._seen:
                return
            self._seen.add(_identity(definition))
        if not has_body(definition):
            return
        if is_kernel(definition):
            self._add(definition)
        self._work.append(definition)

    def _add(self, function: cindex.Cursor) -> None:
        name = instantiation_name(function, self._context)
        self._entry(function).specialisations.setdefault(name, function)

    def _entry(self, cursor: cindex.Cursor) -> KernelAst:
        identity = kernel_id(cursor, self._context)
        entry = self.kernels.get(identity)
        if entry is None:
            file, line, _ = identity.rsplit(":", 2)
            extent = cursor.extent
            entry = KernelAst(identity, file, int(line), extent.end.line, cursor.spelling)
            self.kernels[identity] = entry
        return entry


def _identity(function: cindex.Cursor) -> int:
    """Address of clang's declaration, which is what a cursor of a declaration wraps."""
    return int(function.data[0])
