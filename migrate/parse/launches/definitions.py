"""Which write of a host variable a use sees: backward walk over the structured statements of one function.

The answer is structural (`Definition`); evaluating it is the slicer's job. Loops that write the variable and switches
give `Opaque`, never a guess.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from migrate.parse.clang_extra import binary_operator, evaluate, unary_operator
from migrate.parse.launches.program import HostFunction, HostProgram, Node, strip

if TYPE_CHECKING:
    from migrate.parse.launches.plain_uses import PlainUses

LOOPS = frozenset({CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT})
ALLOCATORS = re.compile(r"^cudaMalloc(Managed|Async|Host|FromPoolAsync)?$|^cudaHostAlloc$")
# Runtime functions that take the address of something they only read, or of a handle.
_READERS = re.compile(r"emcpy|aunch|printf|FuncSet|Event|Stream|ToSymbol|Texture|Graph")
_ENDINGS = frozenset({CursorKind.RETURN_STMT, CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT, CursorKind.GOTO_STMT})
_LEAVING_CALLS = frozenset({"exit", "abort", "_exit", "terminate", "quick_exit"})
DEREFERENCE = "[*]"
_CASES = frozenset({CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT})


WriteKind: TypeAlias = Literal["declare", "set", "update", "step", "allocate", "pitch", "opaque"]


@dataclass(frozen=True)
class Place:
    """A variable (by declaration) or a member or element of it."""

    key: int
    name: str
    path: tuple[str, ...] = ()

    def text(self) -> str:
        """How a person writes it."""
        return self.name + "".join(part if part.startswith("[") else f".{part}" for part in self.path)

    def overlaps(self, path: tuple[str, ...]) -> bool:
        """Whether a write of ``path`` of the same variable touches this place."""
        shared = min(len(path), len(self.path))
        return path[:shared] == self.path[:shared]


@dataclass(frozen=True)
class Write:
    """One write. set: ``value`` is stored; update: ``operator`` with ``value``; step: plus ``operator`` 1.

    allocate: of ``value`` bytes, or of ``rows`` rows of them, each padded to a pitch; pitch: that of a row of ``value``
    bytes.
    """

    place: Place
    kind: WriteKind
    node: Node
    value: Node | None = None
    operator: str = ""
    rows: Node | None = None


@dataclass(frozen=True)
class Unwritten:
    """No write in this function before the use."""


@dataclass(frozen=True)
class Written:
    """Exactly this write."""

    write: Write


@dataclass(frozen=True)
class Merge:
    """One of two, by the condition of an if."""

    condition: Node
    then: Definition
    otherwise: Definition
    node: Node


@dataclass(frozen=True)
class Opaque:
    """More than structured walking can tell apart; ``initial`` is what held before."""

    node: Node
    initial: Definition


Definition: TypeAlias = "Unwritten | Written | Merge | Opaque"


def declaration_key(cursor: cindex.Cursor) -> int:
    """Identity of a variable, parameter or field."""
    return int(cursor.canonical.hash)


def place_of(node: Node) -> Place | None:
    """The place that an lvalue expression names; None if it is no variable, member or constant element."""
    node = strip(node)
    cursor = node.cursor
    if node.kind == CursorKind.DECL_REF_EXPR:
        referenced = cursor.referenced
        if referenced is None or referenced.kind not in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            return None
        return Place(declaration_key(referenced), cursor.spelling)
    if node.kind == CursorKind.MEMBER_REF_EXPR:
        base = node.expressions()
        inner = place_of(base[0]) if base else None
        if inner is not None:
            path = inner.path[:-1] if inner.path and inner.path[-1] == DEREFERENCE else inner.path
            return Place(inner.key, inner.name, (*path, cursor.spelling))
        referenced = cursor.referenced
        if not base or strip(base[0]).kind == CursorKind.CXX_THIS_EXPR:
            return None if referenced is None else Place(declaration_key(referenced), cursor.spelling)
        return None
    if node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
        parts = node.expressions()
        inner = place_of(parts[0]) if len(parts) == 2 else None
        index = evaluate(parts[1].cursor) if inner is not None else None
        if inner is not None and index is not None and strip(parts[1]).kind == CursorKind.INTEGER_LITERAL:
            return Place(inner.key, inner.name, (*inner.path, f"[{index}]"))
        return None
    if node.kind == CursorKind.UNARY_OPERATOR and unary_operator(cursor) == "&":
        return place_of(node.children[0])
    if node.kind == CursorKind.UNARY_OPERATOR and unary_operator(cursor) == "*":
        inner = place_of(node.children[0])
        return None if inner is None else Place(inner.key, inner.name, (*inner.path, DEREFERENCE))
    if node.kind == CursorKind.CALL_EXPR and cursor.spelling in ("operator->", "operator*", "get") and node.children:
        return place_of(node.children[0])
    return None


def initialiser(declaration: Node) -> Node | None:
    """The initialiser expression of a VAR_DECL node, array extents skipped."""
    found = declaration.expressions()
    if not found:
        return None
    kind = declaration.cursor.type.get_canonical().kind
    if kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY) and strip(found[-1]).kind not in (
        CursorKind.INIT_LIST_EXPR,
        CursorKind.STRING_LITERAL,
    ):
        return None
    return found[-1]


class _Writes:
    """Writes in source order, with a quick test for "any inside this statement"."""

    def __init__(self, writes: list[Write]):
        self.writes = sorted(writes, key=lambda write: write.node.order)
        self.orders = [write.node.order for write in self.writes]

    def within(self, node: Node) -> list[Write]:
        """Those inside ``node``."""
        return self.writes[bisect_left(self.orders, node.order) : bisect_right(self.orders, node.last)]

    def inside(self, node: Node) -> bool:
        """Whether there is one inside ``node``."""
        position = bisect_left(self.orders, node.order)
        return position < len(self.orders) and self.orders[position] <= node.last


class Definitions:
    """The writes of one function, and which of them a use sees."""

    def __init__(self, function: HostFunction, in_shim: Callable[[cindex.Cursor], bool]):
        self.function = function
        self._in_shim = in_shim
        self.writes: dict[int, list[Write]] = defaultdict(list)
        self._known: dict[tuple[Place, int], Definition] = {}
        self._writes_of: dict[Place, _Writes] = {}
        for node in function.root.walk():
            self._collect(node)

    def _note(
        self,
        target: Node,
        kind: WriteKind,
        node: Node,
        value: Node | None = None,
        operator: str = "",
        rows: Node | None = None,
    ) -> None:
        place = place_of(target)
        if place is not None:
            self.writes[place.key].append(Write(place, kind, node, value, operator, rows))

    def _collect(self, node: Node) -> None:
        kind = node.kind
        if kind == CursorKind.VAR_DECL:
            place = Place(declaration_key(node.cursor), node.cursor.spelling)
            self.writes[place.key].append(Write(place, "declare", node, initialiser(node)))
        elif kind == CursorKind.BINARY_OPERATOR and len(node.children) == 2:
            if binary_operator(node.cursor) == "=":
                self._note(node.children[0], "set", node, node.children[1])
        elif kind == CursorKind.COMPOUND_ASSIGNMENT_OPERATOR and len(node.children) == 2:
            operator = (binary_operator(node.cursor) or "?=")[:-1]
            self._note(node.children[0], "update", node, node.children[1], operator)
        elif kind == CursorKind.UNARY_OPERATOR and node.children:
            spelling = unary_operator(node.cursor) or ""
            if "x" in spelling:
                self._note(node.children[0], "step", node, None, "-" if "--" in spelling else "+")
        elif kind == CursorKind.CALL_EXPR:
            self._collect_call(node)

    def _collect_call(self, node: Node) -> None:
        name = node.cursor.spelling
        if name == "operator=" and len(node.children) >= 2:
            arguments = [child for child in node.children if not _names_function(child)]
            if len(arguments) == 2:
                self._note(arguments[0], "set", node, arguments[1])
            return
        if not name:
            return
        if ALLOCATORS.match(name):
            arguments = node.arguments()
            if len(arguments) >= 2:
                self._note(arguments[0], "allocate", node, arguments[1])
            return
        if name == "cudaMallocPitch":
            arguments = node.arguments()
            if len(arguments) >= 4:
                self._note(arguments[0], "allocate", node, arguments[2], rows=arguments[3])
                self._note(arguments[1], "pitch", node, arguments[2])
            return
        if _READERS.search(name):
            return
        referenced = node.cursor.referenced
        own = referenced is not None and not self._in_shim(referenced)
        typed = referenced is not None and referenced.type.kind == TypeKind.FUNCTIONPROTO
        parameters = list(referenced.type.argument_types()) if typed else []
        for position, argument in enumerate(node.arguments()):
            inner = strip(argument)
            if inner.kind == CursorKind.UNARY_OPERATOR and unary_operator(inner.cursor) == "&":
                self._note(inner.children[0], "opaque", node)
            elif (own or name == "swap") and position < len(parameters):
                target = parameters[position]
                if (
                    target.kind == TypeKind.LVALUEREFERENCE
                    and not target.get_pointee().is_const_qualified()
                    and target.get_pointee().get_canonical().kind != TypeKind.RECORD
                ):
                    self._note(inner, "opaque", node)

    def before(self, place: Place, node: Node) -> Definition:
        """What ``place`` holds just before ``node`` is evaluated."""
        known = self._known.get((place, node.order))
        if known is None:
            writes = self._relevant(place)
            known = self._before(place, node, writes) if writes.orders else Unwritten()
            self._known[(place, node.order)] = known
        return known

    def values(self, definition: Definition, place: Place) -> Iterator[Node]:
        """Every value that ``definition`` of ``place`` may be, as far as this function assigns it."""
        if isinstance(definition, Written):
            if definition.write.value is not None:
                yield definition.write.value
        elif isinstance(definition, Merge):
            yield from self.values(definition.then, place)
            yield from self.values(definition.otherwise, place)
        elif isinstance(definition, Opaque):
            for write in self._relevant(place).within(definition.node):
                if write.value is not None:
                    yield write.value
            yield from self.values(definition.initial, place)

    def _relevant(self, place: Place) -> _Writes:
        found = self._writes_of.get(place)
        if found is None:
            relevant = [write for write in self.writes.get(place.key, ()) if place.overlaps(write.place.path)]
            found = self._writes_of[place] = _Writes(relevant)
        return found

    def _before(self, place: Place, node: Node, writes: _Writes) -> Definition:
        current = node
        while current.parent is not None:
            parent = current.parent
            kind = parent.kind
            if kind in LOOPS:
                found = self._before_in_loop(place, current, parent, writes)
                if found is not None:
                    return found
            else:
                found = self._before_siblings(place, current, parent, writes)
                if found is not None:
                    return found
            current = parent
        return Unwritten()

    def _before_in_loop(self, place: Place, current: Node, loop: Node, writes: _Writes) -> Definition | None:
        inside = writes.within(loop)
        if not inside:
            return None
        first = loop.children[0]
        has_init = loop.kind == CursorKind.FOR_STMT and first.kind == CursorKind.DECL_STMT
        if current is first:
            return None
        if has_init and all(_contains(first, write.node) for write in inside):
            return self._after(place, first, writes)
        if loop.kind == CursorKind.DO_STMT and _runs_once(loop):
            return None
        initial: Definition = Unwritten()
        if has_init and any(_contains(first, write.node) for write in inside):
            initial = self._after(place, first, writes)
        else:
            initial = self._before(place, loop, writes)
        return Opaque(loop, initial)

    def _before_siblings(self, place: Place, current: Node, parent: Node, writes: _Writes) -> Definition | None:
        earlier = parent.children[: parent.children.index(current)]
        if parent.kind in (CursorKind.IF_STMT, CursorKind.CONDITIONAL_OPERATOR):
            earlier = earlier[:1] if current is not parent.children[0] else []
        in_switch = parent.kind == CursorKind.COMPOUND_STMT and (
            parent.parent is not None and parent.parent.kind == CursorKind.SWITCH_STMT
        )
        if in_switch and current.kind in _CASES:
            earlier = []
        for sibling in reversed(earlier):
            if writes.inside(sibling):
                return self._after(place, sibling, writes)
            if in_switch and sibling.kind in _CASES:
                break
        return None

    def _after(self, place: Place, node: Node, writes: _Writes) -> Definition:
        """What ``place`` holds after ``node``, which contains at least one of ``writes``."""
        kind = node.kind
        if kind == CursorKind.IF_STMT:
            return self._after_if(place, node, writes)
        if kind == CursorKind.COMPOUND_STMT or kind in _CASES or kind == CursorKind.DECL_STMT:
            for child in reversed(node.children):
                if writes.inside(child):
                    return self._after(place, child, writes)
        if kind == CursorKind.DO_STMT and _runs_once(node):
            return self._after(place, node.children[0], writes)
        if kind in LOOPS or kind in (CursorKind.SWITCH_STMT, CursorKind.LAMBDA_EXPR):
            return Opaque(node, self._before(place, node, writes))
        last = writes.within(node)[-1]
        if last.kind == "opaque" or _is_conditional(last.node, node):
            return Opaque(last.node, self._before(place, node, writes))
        return Written(last)

    def _after_if(self, place: Place, node: Node, writes: _Writes) -> Definition:
        condition, branches = node.children[0], node.children[1:]

        def value_of(branch: Node | None) -> Definition:
            if branch is not None and writes.inside(branch):
                return self._after(place, branch, writes)
            if writes.inside(condition):
                return self._after(place, condition, writes)
            return self._before(place, node, writes)

        then = branches[0] if branches else None
        otherwise = branches[1] if len(branches) > 1 else None
        if then is not None and leaves(then):
            return value_of(otherwise)
        if otherwise is not None and leaves(otherwise):
            return value_of(then)
        first, second = value_of(then), value_of(otherwise)
        return first if first == second else Merge(condition, first, second, node)


class WriteIndex:
    """`Definitions` of all functions of a program, made on demand, and the writes of a variable anywhere."""

    def __init__(self, program: HostProgram):
        self._program = program
        self._definitions: dict[int, Definitions] = {}
        self._anywhere: dict[int, list[tuple[HostFunction, Write]]] = {}
        self._indexed = 0  # functions whose writes are in it

    def of(self, function: HostFunction) -> Definitions:
        """The writes of one function."""
        found = self._definitions.get(function.key)
        if found is None:
            found = self._definitions[function.key] = Definitions(function, self._program.context.in_shim)
        return found

    @cached_property
    def plain(self) -> PlainUses:
        """The strict view of all uses, for what must not be missed."""
        from migrate.parse.launches.plain_uses import PlainUses

        return PlainUses(self._program)

    def anywhere(self, key: int) -> list[tuple[HostFunction, Write]]:
        """Writes other than declarations of the variable ``key``, in all functions known by now."""
        # Functions are only ever added, at the end.
        for function in list(islice(self._program.functions.values(), self._indexed, None)):
            self._indexed += 1
            for written, writes in self.of(function).writes.items():
                self._anywhere.setdefault(written, []).extend(
                    (function, write) for write in writes if write.kind != "declare"
                )
        return self._anywhere.get(key, [])


def _names_function(node: Node) -> bool:
    inner = strip(node)
    return bool(inner.kind == CursorKind.DECL_REF_EXPR and inner.cursor.spelling.startswith("operator"))


def _contains(outer: Node, inner: Node) -> bool:
    return outer.order <= inner.order <= outer.last


def _runs_once(loop: Node) -> bool:
    """``do { } while (0)``, the usual wrapper of statement macros."""
    return bool(loop.children) and evaluate(loop.children[-1].cursor) == 0


def _is_conditional(node: Node, within: Node) -> bool:
    """Whether evaluating ``within`` may skip ``node`` (a branch of ?:, the right of && and ||)."""
    current = node
    while current is not within and current.parent is not None:
        parent = current.parent
        if (
            parent.kind in (CursorKind.CONDITIONAL_OPERATOR, CursorKind.LAMBDA_EXPR)
            and parent.children[0] is not current
        ):
            return True
        if binary_operator(parent.cursor) in ("&&", "||") and parent.children[0] is not current:
            return True
        current = parent
    return False


def leaves(statement: Node) -> bool:
    """Whether control does not continue after ``statement`` (return, throw, exit)."""
    if statement.kind == CursorKind.COMPOUND_STMT:
        return bool(statement.children) and leaves(statement.children[-1])
    if statement.kind in _ENDINGS:
        return True
    inner = strip(statement)
    if inner.kind == CursorKind.CXX_THROW_EXPR:
        return True
    return bool(inner.kind == CursorKind.CALL_EXPR and inner.cursor.spelling in _LEAVING_CALLS)
