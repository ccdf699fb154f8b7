"""C types of host expressions as dtypes (LP64)."""

from __future__ import annotations

from clang import cindex
from clang.cindex import TypeKind

_DTYPES = {
    TypeKind.BOOL: "bool",
    TypeKind.CHAR_S: "int8",
    TypeKind.SCHAR: "int8",
    TypeKind.CHAR_U: "uint8",
    TypeKind.UCHAR: "uint8",
    TypeKind.SHORT: "int16",
    TypeKind.USHORT: "uint16",
    TypeKind.INT: "int32",
    TypeKind.UINT: "uint32",
    TypeKind.LONG: "int64",
    TypeKind.ULONG: "uint64",
    TypeKind.LONGLONG: "int64",
    TypeKind.ULONGLONG: "uint64",
    TypeKind.FLOAT: "float32",
    TypeKind.DOUBLE: "float64",
    TypeKind.ENUM: "int32",
}
_REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_RECORDS = {"__half": "float16", "half": "float16", "__nv_bfloat16": "bfloat16"}


def plain(c_type: cindex.Type) -> cindex.Type:
    """The canonical type behind references."""
    canonical = c_type.get_canonical()
    return canonical.get_pointee().get_canonical() if canonical.kind in _REFERENCES else canonical


def dtype_of(c_type: cindex.Type) -> str | None:
    """dtype of an arithmetic or enumeration type; None for everything else."""
    canonical = plain(c_type)
    if canonical.kind == TypeKind.RECORD:
        return _RECORDS.get(canonical.spelling.replace("const ", ""))
    return _DTYPES.get(canonical.kind)


def is_pointer(c_type: cindex.Type) -> bool:
    """Whether the type is a pointer or an array that decays to one."""
    return plain(c_type).kind in (
        TypeKind.POINTER,
        TypeKind.CONSTANTARRAY,
        TypeKind.INCOMPLETEARRAY,
        TypeKind.VARIABLEARRAY,
    )


def is_record(c_type: cindex.Type) -> bool:
    """Whether the type is a struct or class."""
    return bool(plain(c_type).kind == TypeKind.RECORD)
