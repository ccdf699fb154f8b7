"""What all frames of one kernel share while it is built: buffers, kept functions, names, notes and the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from migrate.diagnostics import Diagnostic
from migrate.ir.kernel import Buffer, DType, Function, Scope
from migrate.ir.span import Span
from migrate.parse.build.clang_types import TypeReader
from migrate.parse.build.loop_text import LoopText
from migrate.parse.build.names import Names
from migrate.parse.build.plan import Plan
from migrate.parse.build.textures import LaunchedTextures, TextureParameter

if TYPE_CHECKING:
    from migrate.parse.context import ParseContext

_LIMIT_STATEMENTS = 60_000


@dataclass(eq=False)
class Unit:
    """One pass over one kernel."""

    context: ParseContext
    plan: Plan
    types: TypeReader
    buffers: dict[str, Buffer] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    identities: dict[str, Buffer] = field(default_factory=dict)
    identity_names: dict[str, str] = field(default_factory=dict)
    functions: dict[object, Function] = field(default_factory=dict)
    shared_names: Names = field(default_factory=Names)
    every_name: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    left_out: list[Span] = field(default_factory=list)
    temporaries: set[str] = field(default_factory=set)
    mutated: dict[int, frozenset[int]] = field(default_factory=dict)
    inline_only: set[object] = field(default_factory=set)
    loop_texts: dict[int, dict[int, LoopText]] = field(default_factory=dict)
    textures: list[TextureParameter] = field(default_factory=list)
    launched: LaunchedTextures = field(default_factory=dict)
    statements: int = 0

    def note(self, code: str) -> None:
        """Records the code of a note once."""
        if code not in self.notes:
            self.notes.append(code)

    def warn(self, warning: Diagnostic) -> None:
        """Records a warning once."""
        if warning not in self.warnings:
            self.warnings.append(warning)

    def buffer_name(self, hint: str) -> str:
        """A name that no buffer and no local of any function has."""
        name = self.shared_names.take(hint)
        while name in self.every_name:
            name = self.shared_names.take(hint)
        self.every_name.add(name)
        return name

    def dtype_of(self, key: str, declared: DType) -> DType:
        """The dtype that the plan gives to a root."""
        self.plan.declared.setdefault(key, declared)
        return self.plan.dtypes.get(key, declared)

    def root(self, key: str, make: Callable[[str, DType], Buffer], hint: str, declared: DType) -> Buffer:
        """The non-local buffer of a declaration, made on the first request."""
        known = self.buffers.get(key)
        if known is None:
            known = make(self.buffer_name(hint), self.dtype_of(key, declared))
            self.buffers[key] = known
            self.keys[known.name] = key
            self.identities[key] = known
        return known

    def key_of(self, buffer: Buffer) -> str:
        """Plan key of a buffer."""
        return self.keys.get(buffer.name, buffer.name)

    def identity_of(self, buffer: Buffer) -> str:
        """A name for a root that is the same in every pass; a function's formal buffer is a root of its own."""
        return self.identity_names.get(buffer.name) or self.key_of(buffer)

    def record_access(self, buffer: Buffer, dtype: DType) -> None:
        """A scalar of ``dtype`` is read from or written to ``buffer``."""
        self.plan.accesses.setdefault(self.key_of(buffer), _counter())[dtype] += 1

    def record_copy(self, buffer: Buffer, dtype: DType) -> None:
        """A leaf of ``dtype`` inside a copied aggregate: any dtype that is small enough serves."""
        self.plan.copies.setdefault(self.key_of(buffer), _counter())[dtype] += 1

    def record_atomic(self, buffer: Buffer, dtype: DType) -> None:
        """An atomic operation: its buffer must have exactly that element."""
        self.record_access(buffer, dtype)
        self.plan.atomics.setdefault(self.key_of(buffer), set()).add(dtype)

    def limit(self, buffer: Buffer, size: int) -> None:
        """Elements of the buffer must have at most ``size`` bytes."""
        self.plan.limit(self.key_of(buffer), size)

    def flatten(self, buffer: Buffer) -> None:
        """The buffer is used other than by full subscripts."""
        if buffer.shape is not None and len(buffer.shape) > 1:
            self.plan.add_to(self.plan.flat, self.key_of(buffer))

    def count_statement(self) -> bool:
        """False once a kernel has become too large (inlining and duplicated tails multiply)."""
        self.statements += 1
        return self.statements <= _LIMIT_STATEMENTS


def _counter() -> Counter[DType]:
    return Counter()


def declaration_key(cursor: Cursor) -> str:
    """A key for a declaration that is the same in every pass."""
    location = cursor.location
    return f"{cursor.spelling}@{location.file.name if location.file else ''}:{location.offset}:{cursor.hash}"


def is_wide(buffer: Buffer) -> bool:
    """True if element offsets of the buffer need 64 bits."""
    return buffer.scope in (Scope.GLOBAL, Scope.CONSTANT, Scope.DEVICE)


def has_attribute(cursor: Cursor, kind: CursorKind) -> bool:
    """True if a declaration carries an attribute of that cursor kind."""
    return any(child.kind == kind for child in cursor.get_children())
