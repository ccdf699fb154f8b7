"""The same answers from the binding of libclang with fewer calls: most of a conversion's time is spent in it.

The binding asks the library again for what a number already tells (is this the null cursor, which kind is this) and
makes several calls a location. `install` replaces those methods for this process; tests compare them with the binding's
own. libclang is pinned to one release, so the replaced methods are known.
"""

from __future__ import annotations

from ctypes import byref, c_uint
from functools import cache
from typing import Any, Final

from clang import cindex

_EXPRESSION_TESTS: Final = ("is_expression", "is_statement", "is_declaration", "is_reference", "is_invalid")


@cache
def install() -> None:
    """Replaces the slow methods of `clang.cindex`, once a process."""
    library = cindex.conf.lib
    _replace_results(library)
    _replace_children(library)
    _replace_kinds()
    _replace_locations(library)


def forget(unit: Any) -> None:
    """Drops what was remembered of a unit: its cursors refer to it, which would keep it alive."""
    for name in [name for name in vars(unit) if name.startswith("_migrate_")]:
        delattr(unit, name)


def _replace_results(library: Any) -> None:
    """Null cursors are known by their bytes; the unit comes from the first argument, as in nearly all functions."""
    null = bytes(library.clang_getNullCursor())
    null_kind = library.clang_getNullCursor()._kind_id
    old_cursor = cindex.Cursor.from_result
    old_type = cindex.Type.from_result

    def cursor_result(result: Any, function: Any, arguments: Any) -> Any:
        if result._kind_id == null_kind and bytes(result) == null:
            return None
        first = arguments[0]
        if isinstance(first, cindex.Cursor | cindex.Type):
            result._tu = first._tu
            return result
        return old_cursor(result, function, arguments)

    def type_result(result: Any, function: Any, arguments: Any) -> Any:
        first = arguments[0]
        if isinstance(first, cindex.Cursor | cindex.Type):
            result._tu = first._tu
            return result
        return old_type(result, function, arguments)

    # `from_cursor_result` differs from `from_result` only in taking the unit from the first argument unseen.
    replaced = {old_cursor: cursor_result, cindex.Cursor.from_cursor_result: cursor_result, old_type: type_result}
    for name, *signature in cindex.functionList:
        if len(signature) == 3 and signature[2] in replaced:
            getattr(library, name).errcheck = replaced[signature[2]]


def _replace_children(library: Any) -> None:
    visit, callback_type = library.clang_visitChildren, cindex.callbacks["cursor_visit"]

    def get_children(self: Any) -> Any:
        unit = self._tu
        known = vars(unit).setdefault("_migrate_children", {})
        key = bytes(self)
        if key in known:
            return iter(known[key])
        children: list[Any] = []
        append = children.append

        def visitor(child: Any, _parent: Any, _data: Any) -> int:
            child._tu = unit
            append(child)
            return 1  # CXChildVisit_Continue

        visit(self, callback_type(visitor), None)
        known[key] = children
        return iter(children)

    cindex.Cursor.get_children = get_children


def _replace_kinds() -> None:
    for kind_class, owner in ((cindex.CursorKind, cindex.Cursor), (cindex.TypeKind, cindex.Type)):
        known = {kind.value: kind for kind in kind_class._kinds if kind is not None}

        def kind_of(self: Any, known: Any = known, kind_class: Any = kind_class) -> Any:
            found = known.get(self._kind_id)
            return kind_class.from_id(self._kind_id) if found is None else found

        owner.kind = property(kind_of)
    for name in _EXPRESSION_TESTS:
        setattr(cindex.CursorKind, name, _remembered(getattr(cindex.CursorKind, name)))


def _remembered(test: Any) -> Any:
    answers: dict[int, Any] = {}

    def ask(self: Any) -> Any:
        if self.value not in answers:
            answers[self.value] = test(self)
        return answers[self.value]

    return ask


def _replace_locations(library: Any) -> None:
    expansion, pointer = library.clang_getInstantiationLocation, cindex.c_object_p

    def get_instantiation(self: Any) -> Any:
        if self._data is None:
            file, line, column, offset = pointer(), c_uint(), c_uint(), c_uint()
            expansion(self, byref(file), byref(line), byref(column), byref(offset))
            self._data = (cindex.File(file) if file else None, line.value, column.value, offset.value)
        return self._data

    cindex.SourceLocation._get_instantiation = get_instantiation


__all__ = ["forget", "install"]
