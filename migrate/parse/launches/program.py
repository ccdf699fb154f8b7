"""The host functions of a translation unit as trees that can be walked upwards, and who calls whom.

libclang cursors know neither their parent nor a stable order inside macro expansions, so each function is copied once
into `Node` trees numbered in source order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from clang import cindex
from clang.cindex import CursorKind

from migrate.parse.context import ParseContext

CONFIGURE_CALL = "cudaConfigureCall"
RUNTIME_LAUNCHES = frozenset({"cudaLaunchKernel", "cudaLaunchCooperativeKernel"})
NODE_BUDGET = 600_000  # a unit with more host code keeps only its first functions; sites beyond it are not seen

_CONTAINERS = frozenset(
    {
        CursorKind.NAMESPACE,
        CursorKind.LINKAGE_SPEC,
        CursorKind.UNEXPOSED_DECL,
        CursorKind.CLASS_DECL,
        CursorKind.STRUCT_DECL,
        CursorKind.CLASS_TEMPLATE,
    }
)
_FUNCTIONS = frozenset(
    {
        CursorKind.FUNCTION_DECL,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.CONVERSION_FUNCTION,
    }
)
_TRANSPARENT = frozenset(
    {
        CursorKind.PAREN_EXPR,
        CursorKind.UNEXPOSED_EXPR,
        CursorKind.CSTYLE_CAST_EXPR,
        CursorKind.CXX_STATIC_CAST_EXPR,
        CursorKind.CXX_REINTERPRET_CAST_EXPR,
        CursorKind.CXX_CONST_CAST_EXPR,
        CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
    }
)


class Node:
    """A cursor with its parent, its children and its place in source order (``order`` to ``last``, inclusive)."""

    __slots__ = ("_arguments", "children", "cursor", "kind", "last", "order", "parent")

    def __init__(self, cursor: cindex.Cursor, parent: Node | None, order: int):
        self.cursor = cursor
        self.kind = cursor.kind
        self.parent = parent
        self.order = order
        self.last = order
        self.children: list[Node] = []
        self._arguments: list[Node] | None = None

    def walk(self) -> Iterator[Node]:
        """This node and everything below it, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def expressions(self) -> list[Node]:
        """Children that are expressions."""
        return [child for child in self.children if child.kind.is_expression()]

    def arguments(self) -> list[Node]:
        """Arguments of a call, defaults included.

        Cursors from `get_arguments` are not equal to the children inside a variable's initialiser, so children are
        matched by kind and extent.
        """
        if self._arguments is None:
            self._arguments = self._find_arguments()
        return self._arguments

    def _find_arguments(self) -> list[Node]:
        wanted = list(self.cursor.get_arguments())
        found: list[Node] = []
        start = len(self.children) - len(wanted)
        for position, argument in enumerate(wanted):
            index = start + position
            if 0 <= index < len(self.children) and _same(self.children[index].cursor, argument):
                found.append(self.children[index])
            else:
                match = next((child for child in self.children if _same(child.cursor, argument)), None)
                found.append(match or Node(argument, self, self.last))
        return found


def _same(left: cindex.Cursor, right: cindex.Cursor) -> bool:
    return bool(left.kind == right.kind and left.extent == right.extent)


def strip(node: Node) -> Node:
    """``node`` without parentheses, implicit conversions and casts around it."""
    while node.kind in _TRANSPARENT:
        inner = node.expressions()
        if not inner:
            return node
        node = inner[-1]
    return node


@dataclass
class HostFunction:
    """A host function with its body as a tree."""

    cursor: cindex.Cursor
    name: str
    parameters: list[cindex.Cursor]
    root: Node
    calls: list[Node] = field(default_factory=list)
    launches: list[Node] = field(default_factory=list)

    @property
    def key(self) -> int:
        """Identity of the function."""
        return int(self.cursor.hash)


@dataclass(frozen=True, eq=False)
class Frame:
    """A function reached through ``call`` in ``caller``; both None for a function whose callers are not followed."""

    function: HostFunction
    call: Node | None = None
    caller: Frame | None = None

    def argument(self, parameter: cindex.Cursor) -> Node | None:
        """The caller's argument for ``parameter`` of this frame's function."""
        if self.call is None:
            return None
        for position, candidate in enumerate(self.function.parameters):
            if candidate == parameter:
                arguments = self.call.arguments()
                return arguments[position] if position < len(arguments) else None
        return None

    def depth(self) -> int:
        """Number of calls on the way here."""
        return 0 if self.caller is None else 1 + self.caller.depth()

    def names(self) -> list[str]:
        """Functions on the way here, outermost first."""
        return [*(self.caller.names() if self.caller else []), self.function.name]


def is_device_function(cursor: cindex.Cursor) -> bool:
    """Whether the function runs only on the device (``__global__``, or ``__device__`` without ``__host__``)."""
    device = host = False
    for child in cursor.get_children():
        if child.kind == CursorKind.CUDAGLOBAL_ATTR:
            return True
        device = device or child.kind == CursorKind.CUDADEVICE_ATTR
        host = host or child.kind == CursorKind.CUDAHOST_ATTR
    return device and not host


def is_kernel(cursor: cindex.Cursor | None) -> bool:
    """Whether ``cursor`` is a ``__global__`` function."""
    return cursor is not None and any(child.kind == CursorKind.CUDAGLOBAL_ATTR for child in cursor.get_children())


def is_launch(node: Node) -> bool:
    """Whether ``node`` is ``kernel<<<...>>>(...)`` or a runtime launch call."""
    if node.kind != CursorKind.CALL_EXPR:
        return False
    if node.cursor.spelling in RUNTIME_LAUNCHES:
        return True
    return any(
        child.kind == CursorKind.CALL_EXPR and child.cursor.spelling == CONFIGURE_CALL for child in node.children
    )


class HostProgram:
    """All host functions of a unit that lie outside our headers, specialisations that they call included."""

    def __init__(self, unit: cindex.TranslationUnit, context: ParseContext):
        self.unit = unit
        self.context = context
        self.functions: dict[int, HostFunction] = {}
        self.callers: dict[int, list[tuple[HostFunction, Node]]] = defaultdict(list)
        self._templates: list[cindex.Cursor] = []
        self._nodes = 0
        self._frame_of: dict[tuple[int, int, int], Frame] = {}
        pending = list(self._top_level(unit.cursor))
        while pending:
            pending.extend(self._add(pending.pop(0)))
        seen = {function.name for function in self.functions.values() if function.launches}
        for template in self._templates:
            if template.spelling not in seen:
                self._add(template)

    def _top_level(self, cursor: cindex.Cursor) -> Iterator[cindex.Cursor]:
        for child in cursor.get_children():
            if child.kind in _CONTAINERS:
                if child.kind != CursorKind.LINKAGE_SPEC and self.context.in_shim(child):
                    continue
                yield from self._top_level(child)
            elif child.kind in _FUNCTIONS and child.is_definition() and not self.context.in_shim(child):
                if child.kind == CursorKind.FUNCTION_TEMPLATE:
                    if not is_device_function(child):
                        self._templates.append(child)
                else:
                    yield child

    def _add(self, cursor: cindex.Cursor) -> list[cindex.Cursor]:
        """Adds a function; returns the functions it calls that are not known yet."""
        key = int(cursor.hash)
        if key in self.functions or self._nodes > NODE_BUDGET or is_device_function(cursor):
            return []
        children = list(cursor.get_children())
        body = next((child for child in children if child.kind == CursorKind.COMPOUND_STMT), None)
        if body is None:
            return []
        function = HostFunction(
            cursor,
            cursor.spelling,
            [child for child in children if child.kind == CursorKind.PARM_DECL],
            Node(body, None, 0),
        )
        self.functions[key] = function
        called = self._fill(function)
        return [one for one in called if int(one.hash) not in self.functions]

    def _fill(self, function: HostFunction) -> list[cindex.Cursor]:
        called: list[cindex.Cursor] = []
        count = 0

        def copy(node: Node) -> None:
            nonlocal count
            for cursor in node.cursor.get_children():
                count += 1
                child = Node(cursor, node, count)
                node.children.append(child)
                copy(child)
            node.last = count
            if node.kind != CursorKind.CALL_EXPR:
                return
            if is_launch(node):
                function.launches.append(node)
                return
            function.calls.append(node)
            referenced = node.cursor.referenced
            if referenced is None or referenced.kind not in _FUNCTIONS or self.context.in_shim(referenced):
                return
            definition = referenced.get_definition()
            if definition is not None:
                self.callers[int(definition.hash)].append((function, node))
                called.append(definition)

        copy(function.root)
        self._nodes += count
        return called

    @property
    def exhausted(self) -> bool:
        """Whether the unit has more host code than `NODE_BUDGET`, so that some functions were left out."""
        return self._nodes > NODE_BUDGET

    def keys_outside(self) -> set[int]:
        """Variables and fields used in what `functions` leaves out: initialisers of globals, destructors, members."""
        found: set[int] = set()

        def names(cursor: cindex.Cursor) -> None:
            for child in cursor.get_children():
                if child.kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR):
                    referenced = child.referenced
                    if referenced is not None:
                        found.add(int(referenced.canonical.hash))
                names(child)

        def visit(cursor: cindex.Cursor) -> None:
            for child in cursor.get_children():
                if self.context.in_shim(child) and child.kind != CursorKind.LINKAGE_SPEC:
                    continue
                if child.kind in _CONTAINERS:
                    visit(child)
                elif child.kind not in _FUNCTIONS or child.kind == CursorKind.CONSTRUCTOR:
                    names(child)

        visit(self.unit.cursor)
        return found

    def definition(self, call: Node) -> HostFunction | None:
        """The host function that ``call`` calls, if its body is known."""
        referenced = call.cursor.referenced
        if referenced is None or referenced.kind not in _FUNCTIONS:
            return None
        definition = referenced.get_definition()
        if definition is None:
            return None
        found = self.functions.get(int(definition.hash))
        if found is None and not self.context.in_shim(definition):
            self._add(definition)
            found = self.functions.get(int(definition.hash))
        return found

    def frame(self, function: HostFunction, call: Node | None = None, caller: Frame | None = None) -> Frame:
        """The frame of ``function`` called from there; one object for equal arguments."""
        key = (function.key, id(call), id(caller))
        if key not in self._frame_of:
            self._frame_of[key] = Frame(function, call, caller)
        return self._frame_of[key]

    def frames(self, function: HostFunction, limit: int, depth: int = 6) -> list[Frame]:
        """Ways to reach ``function`` from functions without callers, at most ``limit``; recursion is cut."""
        return self._frames(function, limit, depth, frozenset())

    def _frames(self, function: HostFunction, limit: int, depth: int, active: frozenset[int]) -> list[Frame]:
        callers = [pair for pair in self.callers.get(function.key, ()) if pair[0].key not in active]
        if not callers or depth == 0 or function.key in active:
            return [self.frame(function)]
        found: list[Frame] = []
        for caller, call in callers:
            for frame in self._frames(caller, limit, depth - 1, active | {function.key}):
                found.append(self.frame(function, call, frame))
                if len(found) >= limit:
                    return found
        return found
