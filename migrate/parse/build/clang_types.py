"""libclang types to the builder's C types, with exact layout from clang itself."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from migrate.diagnostics import refuse
from migrate.ir.kernel import DType
from migrate.ir.span import Span
from migrate.parse.build.types import (
    ArrayType,
    CType,
    Field,
    OpaqueType,
    PointerType,
    RecordType,
    ReferenceType,
    ScalarType,
    VoidType,
    member_type,
)

_SCALARS: dict[TypeKind, DType] = {
    TypeKind.BOOL: "bool",
    TypeKind.CHAR_S: "int8",
    TypeKind.CHAR_U: "uint8",
    TypeKind.SCHAR: "int8",
    TypeKind.UCHAR: "uint8",
    TypeKind.SHORT: "int16",
    TypeKind.USHORT: "uint16",
    TypeKind.INT: "int32",
    TypeKind.UINT: "uint32",
    TypeKind.WCHAR: "int32",
    TypeKind.CHAR16: "uint16",
    TypeKind.CHAR32: "uint32",
    TypeKind.LONG: "int64",
    TypeKind.ULONG: "uint64",
    TypeKind.LONGLONG: "int64",
    TypeKind.ULONGLONG: "uint64",
    TypeKind.FLOAT: "float32",
    TypeKind.DOUBLE: "float64",
    TypeKind.HALF: "float16",
}
_SCALAR_RECORDS: dict[str, DType] = {"__half": "float16", "__nv_bfloat16": "bfloat16"}
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.DEPENDENTSIZEDARRAY, TypeKind.VARIABLEARRAY)


def qualified_name(cursor: Cursor) -> str:
    """Name with namespaces and classes, without template arguments (inline and anonymous namespaces left out)."""
    parts = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and parent.kind not in (CursorKind.TRANSLATION_UNIT, CursorKind.INVALID_FILE):
        if parent.spelling and not parent.spelling.startswith("("):
            parts.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(parts))


def template_arguments(cursor: Cursor, ctype: Type | None = None) -> tuple[str, ...]:
    """Spelled template arguments of a specialised function, or of a record type; empty for others."""
    count = cursor.get_num_template_arguments()
    result: list[str] = []
    for index in range(max(count, 0)):
        try:
            kind = cursor.get_template_argument_kind(index).name
        except ValueError:  # the binding does not know packs
            kind = "pack"
        if kind == "TYPE":
            result.append(cursor.get_template_argument_type(index).spelling)
        elif kind == "INTEGRAL":
            result.append(str(cursor.get_template_argument_value(index)))
        else:
            result.append(kind.lower())
    if result or ctype is None:
        return tuple(result)
    spelling = ctype.get_canonical().spelling
    if "<" not in spelling or spelling.startswith("("):
        return ()
    return split_arguments(spelling[spelling.index("<") :])


def split_arguments(text: str) -> tuple[str, ...]:
    """``<a, b<c>>(...`` → ``a``, ``b<c>``; ``text`` starts with the bracket. ``->`` and shifts do not close it."""
    parts: list[str] = []
    depth, current = 0, ""
    for index, character in enumerate(text):
        depth += character in "<([{"
        depth -= character in ")]}" or (character == ">" and text[index - 1] != "-")
        if depth == 0:
            break
        if character == "," and depth == 1:
            parts.append(current.strip())
            current = ""
        elif index:
            current += character
    return (*parts, current.strip()) if current.strip() else tuple(parts)


class TypeReader:
    """Converts clang types of one translation unit; results are kept, because every expression asks."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], CType] = {}
        self._open: set[tuple[str, int]] = set()

    def read(self, ctype: Type, span: Span | None = None) -> CType:
        """The builder's type. Refuses long double and 128-bit integers (TLM100)."""
        canonical = ctype.get_canonical()
        kind = canonical.kind
        declaration = canonical.get_declaration() if kind in (TypeKind.RECORD, TypeKind.ENUM) else None
        key = (canonical.spelling, declaration.hash if declaration is not None else 0)
        known = self._known.get(key)
        if known is not None:
            return known
        if key in self._open:
            return OpaqueType(canonical.spelling)
        self._open.add(key)
        try:
            result = self._convert(canonical, kind, declaration, span)
        finally:
            self._open.discard(key)
        if not self._open:
            self._known[key] = result
        return result

    def _convert(self, ctype: Type, kind: TypeKind, declaration: Cursor | None, span: Span | None) -> CType:
        spelling = ctype.spelling
        if kind in _SCALARS:
            return ScalarType(_SCALARS[kind], spelling)
        if kind == TypeKind.VOID:
            return VoidType()
        if kind == TypeKind.NULLPTR:
            return PointerType(VoidType(), spelling=spelling)
        if kind == TypeKind.ENUM and declaration is not None:
            underlying = declaration.enum_type.get_canonical().kind
            return ScalarType(_SCALARS.get(underlying, "int32"), spelling)
        if kind == TypeKind.POINTER:
            return self._pointer(ctype, spelling)
        if kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
            target = ctype.get_pointee()
            return ReferenceType(self.read(target, span), target.is_const_qualified(), spelling)
        if kind in _ARRAYS:
            count = ctype.get_array_size() if kind == TypeKind.CONSTANTARRAY else None
            return ArrayType(self.read(ctype.get_array_element_type(), span), count, spelling)
        if kind == TypeKind.RECORD and declaration is not None:
            return self._record(ctype, declaration)
        if kind in (TypeKind.LONGDOUBLE, TypeKind.INT128, TypeKind.UINT128, TypeKind.FLOAT128):
            raise refuse("TLM100", f"type {spelling} has no counterpart", span)
        return OpaqueType(spelling)

    def _pointer(self, ctype: Type, spelling: str) -> CType:
        pointee = ctype.get_pointee()
        return PointerType(
            self.read(pointee),
            const=pointee.is_const_qualified(),
            restrict=ctype.is_restrict_qualified(),
            volatile=pointee.is_volatile_qualified(),
            spelling=spelling,
        )

    def _record(self, ctype: Type, declaration: Cursor) -> CType:
        name = qualified_name(declaration)
        if name in _SCALAR_RECORDS:
            return ScalarType(_SCALAR_RECORDS[name], ctype.spelling)
        size = ctype.get_size()
        if size < 0:
            return OpaqueType(ctype.spelling)
        fields: list[Field] = []
        offset = 0
        definition = declaration.get_definition() or declaration
        for index, base in enumerate(c for c in definition.get_children() if c.kind == CursorKind.CXX_BASE_SPECIFIER):
            base_type = self.read(base.type)
            if isinstance(base_type, RecordType) and base_type.fields:
                offset = -(-offset // base_type.align) * base_type.align
                fields.append(Field(f"<base {index}>", base_type, offset))
                offset += base_type.size
        for number, member in enumerate(ctype.get_fields()):
            position = member.get_field_offsetof()
            if member.is_bitfield() or position < 0 or position % 8:
                return OpaqueType(ctype.spelling)
            member_name = member.spelling
            if not member_name or "(" in member_name:
                member_name = f"<anonymous {number}>"
            fields.append(Field(member_name, member_type(self.read(member.type)), position // 8))
        return RecordType(
            name,
            size,
            max(ctype.get_align(), 1),
            tuple(fields),
            template_arguments(declaration, ctype),
            declaration.kind == CursorKind.UNION_DECL,
            ctype.spelling,
        )
