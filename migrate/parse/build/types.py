"""C types as the builder needs them: scalars, pointers, arrays and records with exact layout.

These classes know nothing of libclang; `clang_types.py` makes them from an AST. half and bfloat16 are scalars here,
half2 and float4 are records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from migrate.ir.kernel import DType

SIZES: dict[DType, int] = {
    "bool": 1,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "int64": 8,
    "uint64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
}
FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
SIGNED = frozenset({"int8", "int16", "int32", "int64"})
UNSIGNED = frozenset({"uint8", "uint16", "uint32", "uint64"})
INTEGERS = SIGNED | UNSIGNED


@dataclass(frozen=True)
class ScalarType:
    """Arithmetic type, enum (its underlying type), half or bfloat16."""

    dtype: DType
    spelling: str = ""

    @property
    def size(self) -> int:
        """Size in bytes."""
        return SIZES[self.dtype]


@dataclass(frozen=True)
class VoidType:
    """``void``; also the pointee of ``void*``."""

    spelling: str = "void"
    size: int = 1


@dataclass(frozen=True)
class PointerType:
    """Object pointer; ``reference``: a class member of reference type, which is held like a pointer."""

    pointee: CType
    const: bool = False
    restrict: bool = False
    volatile: bool = False
    spelling: str = ""
    size: int = 8
    reference: bool = False


@dataclass(frozen=True)
class ReferenceType:
    """Lvalue or rvalue reference."""

    target: CType
    const: bool = False
    spelling: str = ""
    size: int = 8


@dataclass(frozen=True)
class ArrayType:
    """Array; ``count`` None for ``extern __shared__ T s[]``."""

    element: CType
    count: int | None
    spelling: str = ""

    @property
    def size(self) -> int:
        """Size in bytes; 0 where the extent is unknown."""
        return self.element.size * (self.count or 0)


@dataclass(frozen=True)
class Field:
    """A data member (bases appear as fields named ``<base N>``)."""

    name: str
    ctype: CType
    offset: int


@dataclass(frozen=True)
class RecordType:
    """struct, class or union. ``name`` is qualified, without template arguments, which are in ``template_args``."""

    name: str
    size: int
    align: int
    fields: tuple[Field, ...]
    template_args: tuple[str, ...] = ()
    union: bool = False
    spelling: str = ""

    def same_as(self, other: CType) -> bool:
        """True for the same class, whatever its qualifiers."""
        return (
            isinstance(other, RecordType)
            and self.name == other.name
            and self.size == other.size
            and self.template_args == other.template_args
        )

    def field(self, name: str) -> Field | None:
        """The member called ``name``, searched in bases and anonymous members too; its offset is absolute."""
        for member in self.fields:
            if member.name == name:
                return member
        for member in self.fields:
            if (member.name.startswith("<") or not member.name) and isinstance(member.ctype, RecordType):
                inner = member.ctype.field(name)
                if inner is not None:
                    return Field(name, inner.ctype, member.offset + inner.offset)
        return None


@dataclass(frozen=True)
class OpaqueType:
    """A type with no data that the builder can hold (functions, member pointers, textures ...)."""

    spelling: str
    size: int = 0


CType: TypeAlias = "ScalarType | VoidType | PointerType | ReferenceType | ArrayType | RecordType | OpaqueType"


def member_type(ctype: CType) -> CType:
    """The type that a data member is held as: a reference is held as a pointer."""
    if isinstance(ctype, ReferenceType):
        return PointerType(ctype.target, const=ctype.const, spelling=ctype.spelling, reference=True)
    return ctype


@dataclass(frozen=True)
class Leaf:
    """A scalar or pointer inside a type: member path, byte offset, type."""

    path: tuple[str, ...]
    offset: int
    ctype: ScalarType | PointerType


def leaves(ctype: CType, path: tuple[str, ...] = (), offset: int = 0, limit: int = 4096) -> list[Leaf]:
    """Scalar and pointer leaves in memory order (arrays unrolled, path elements ``0`` ``1`` ...).

    Raises ValueError for opaque parts, arrays without extent or more than ``limit`` leaves.
    """
    if isinstance(ctype, ScalarType | PointerType):
        return [Leaf(path, offset, ctype)]
    result: list[Leaf] = []
    if isinstance(ctype, RecordType):
        members = ctype.fields[:1] if ctype.union else ctype.fields
        for member in members:
            result += leaves(member.ctype, (*path, member.name), offset + member.offset, limit)
    elif isinstance(ctype, ArrayType) and ctype.count is not None:
        if ctype.count > limit:
            raise ValueError(f"{ctype.spelling} has too many elements to hold one by one")
        for index in range(ctype.count):
            result += leaves(ctype.element, (*path, str(index)), offset + index * ctype.element.size, limit)
    else:
        raise ValueError(f"{ctype.spelling or type(ctype).__name__} has no leaves")
    if len(result) > limit:
        raise ValueError(f"{ctype.spelling} has too many members to hold one by one")
    return result


def leaf_dtypes(ctype: CType) -> set[DType]:
    """Scalar dtypes in a type, pointers counting as uint64; arrays of any length are looked through."""
    if isinstance(ctype, ScalarType):
        return {ctype.dtype}
    if isinstance(ctype, PointerType):
        return {"uint64"}
    if isinstance(ctype, ArrayType):
        return leaf_dtypes(ctype.element)
    if isinstance(ctype, RecordType):
        found: set[DType] = set()
        for member in ctype.fields:
            found |= leaf_dtypes(member.ctype)
        return found
    return set()


def storage_dtype(ctype: CType) -> DType:
    """The dtype of a buffer that holds values of ``ctype``: the one leaf dtype, else the smallest leaf's size unsigned.

    Among leaves of one size that differ the most frequent wins by order of first appearance; others are bit casts.
    """
    kinds = leaf_dtypes(ctype)
    if not kinds:
        return "uint8"
    if len(kinds) == 1:
        return next(iter(kinds))
    smallest = min(SIZES[kind] for kind in kinds)
    same = [kind for kind in kinds if SIZES[kind] == smallest]
    if len(same) == len(kinds) and "bool" not in kinds:
        floats = sorted(kind for kind in same if kind in FLOATS)
        return floats[0] if floats else sorted(same)[0]
    return {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}[smallest]
