"""Every use of a variable, told apart strictly: reads, assignments, creating calls, and whatever else may change it.

`definitions` finds the write that a use sees, and a write that it misses only makes a launch plan worse. The state of a
texture becomes code, so there nothing may be missed: here a use is known only if it is one of a few plain forms, and
everything else counts as a change (``lost``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from clang import cindex
from clang.cindex import CursorKind, StorageClass, TypeKind

from migrate.parse.clang_extra import binary_operator, evaluate, unary_operator
from migrate.parse.launches.definitions import DEREFERENCE, Place, declaration_key
from migrate.parse.launches.program import HostFunction, HostProgram, Node, strip
from migrate.parse.launches.source import source_text

UseKind: TypeAlias = Literal["read", "set", "create", "lost"]

# Runtime functions that write what their first argument points to, and the positions of those that they only read.
_CREATORS = {
    "cudaCreateTextureObject": (1, 2, 3),
    "cudaCreateSurfaceObject": (1,),
    "cudaMallocArray": (1,),
    "cudaMalloc3DArray": (1,),
    "cudaMallocMipmappedArray": (1,),
}
_INDIRECT = frozenset({TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE})
_ARRAYS = frozenset({TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY})
_METHODS = frozenset({CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION})
_JUMPY = frozenset({CursorKind.LAMBDA_EXPR, CursorKind.CXX_CATCH_STMT, CursorKind.StmtExpr})
_DEPTH = 6  # calls that a reference or address is followed into


@dataclass(frozen=True)
class Use:
    """One use of a variable in ``function``; set: ``node`` assigns ``value`` (None: zero bytes)."""

    kind: UseKind
    node: Node
    function: HostFunction
    value: Node | None = None


@dataclass(frozen=True)
class _Access:
    """The widest lvalue made from a reference to a variable; ``wild``: an element that is not known follows."""

    node: Node
    path: tuple[str, ...]
    wild: bool = False


class PlainUses:
    """Uses of variables in the host functions of a program, indexed on first use."""

    def __init__(self, program: HostProgram):
        self._program = program
        self._references: dict[int, list[tuple[HostFunction, Node]]] = defaultdict(list)
        self._declared: dict[int, tuple[HostFunction, Node]] = {}
        self._labels: dict[int, list[int]] = {}
        self._indexed = 0
        self._outside: frozenset[int] | None = None

    def changes(self, place: Place, depth: int = 0) -> Iterator[Use]:
        """Uses of ``place`` other than reads, in all functions."""
        for use in self._uses(place, depth):
            if use.kind != "read":
                yield use

    def is_local(self, place: Place) -> bool:
        """Whether the variable is an automatic one of a function (not static, no member of an unnamed object)."""
        self._index()
        declared = self._declared.get(place.key)
        return declared is not None and declared[1].cursor.storage_class != StorageClass.STATIC

    def is_indirect(self, place: Place) -> bool:
        """Whether the place is reached through a pointer or reference, or belongs to an unnamed object."""
        self._index()
        declared = self._declared.get(place.key)
        types = [] if declared is None else [declared[1].cursor.type]
        types += [
            reference.cursor.referenced.type
            for _, reference in self._references.get(place.key, ())[:1]
            if reference.kind == CursorKind.DECL_REF_EXPR
        ]
        if DEREFERENCE in place.path:
            return True
        return any(one.get_canonical().kind in _INDIRECT and not _is_array_handle(one, place) for one in types)

    def seen_outside(self, place: Place) -> bool:
        """Whether code that is no function body here (initialisers, destructors, unread functions) names it."""
        if self._program.exhausted:
            return True
        if self._outside is None:
            self._outside = frozenset(self._program.keys_outside())
        return place.key in self._outside

    def initial(self, place: Place) -> Node | None:
        """The declaration of the variable of ``place``, None for a field of an unnamed object."""
        self._index()
        declared = self._declared.get(place.key)
        return None if declared is None else declared[1]

    def label_before(self, function: HostFunction, node: Node) -> bool:
        """Whether a goto may lead to a label before ``node``, so that text order is not the order of execution."""
        labels = self._labels.get(function.key)
        if labels is None:
            labels = [one.order for one in function.root.walk() if one.kind == CursorKind.LABEL_STMT]
            self._labels[function.key] = labels
        return any(order < node.order for order in labels)

    def crosses_lambda(self, place: Place) -> bool:
        """Whether a lambda uses a variable from around it: when that runs is not known."""
        self._index()
        return any(self._in_foreign_lambda(node, place.key) for _, node in self._references.get(place.key, ()))

    def _index(self) -> None:
        functions = list(self._program.functions.values())
        for function in functions[self._indexed :]:
            for parameter in function.parameters:
                self._declared[declaration_key(parameter)] = (function, Node(parameter, None, 0))
            for node in function.root.walk():
                if node.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
                    self._declared[declaration_key(node.cursor)] = (function, node)
                elif node.kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR):
                    referenced = node.cursor.referenced
                    if referenced is not None:
                        self._references[declaration_key(referenced)].append((function, node))
        self._indexed = len(functions)

    def _uses(self, place: Place, depth: int) -> Iterator[Use]:
        self._index()
        for function, node in list(self._references.get(place.key, ())):
            indirect = (
                node.kind == CursorKind.DECL_REF_EXPR
                and node.cursor.referenced.type.get_canonical().kind == TypeKind.POINTER
                and bool(depth)
            )
            yield from (
                self._through(node, place, function, depth)
                if indirect
                else self._use(_access(node), place, function, depth)
            )

    def _through(self, node: Node, place: Place, function: HostFunction, depth: int) -> Iterator[Use]:
        """Uses of what the pointer parameter ``node`` points to, which ``place`` stands for."""
        held = node
        while held.parent is not None and held.parent.kind in (CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR):
            held = held.parent
        parent = held.parent
        if parent is not None and parent.kind == CursorKind.UNARY_OPERATOR and unary_operator(parent.cursor) == "*":
            yield from self._use(_access(parent), place, function, depth)
        elif parent is not None and parent.kind == CursorKind.MEMBER_REF_EXPR:
            yield from self._use(_access(held), place, function, depth)
        else:
            yield from self._pointed(held, parent, _Access(node, ()), place, function, depth)

    def _use(self, access: _Access, place: Place, function: HostFunction, depth: int) -> Iterator[Use]:
        if not place.overlaps(access.path):
            return
        for use in self._classified(access, place, function, depth):
            wild = access.wild and use.kind in ("set", "create")
            jumpy = use.kind == "set" and self._is_jumpy(use.node, place.key)
            yield replace(use, kind="lost") if wild or jumpy else use

    def _is_jumpy(self, node: Node, key: int) -> bool:
        current = node.parent
        while current is not None:
            if current.kind in _JUMPY and not self._declares(current, key):
                return True
            current = current.parent
        return False

    def _in_foreign_lambda(self, node: Node, key: int) -> bool:
        current = node.parent
        while current is not None:
            if current.kind == CursorKind.LAMBDA_EXPR and not self._declares(current, key):
                return True
            current = current.parent
        return False

    def _declares(self, outer: Node, key: int) -> bool:
        declared = self._declared.get(key)
        current = declared[1].parent if declared is not None else None
        while current is not None and current is not outer:
            current = current.parent
        return current is outer

    def _classified(self, access: _Access, place: Place, function: HostFunction, depth: int) -> Iterator[Use]:
        node, parent = access.node, access.node.parent
        record = node.cursor.type.get_canonical().kind == TypeKind.RECORD
        constant = False
        while parent is not None and (
            parent.kind == CursorKind.PAREN_EXPR
            or (parent.kind == CursorKind.CONDITIONAL_OPERATOR and parent.children[0] is not node)
            or (parent.kind == CursorKind.UNEXPOSED_EXPR and record and _same_record(parent, node))
        ):
            constant = constant or parent.cursor.type.is_const_qualified()
            node, parent = parent, parent.parent
        lost = Use("lost", node, function)
        read = Use("read", node, function)
        if parent is None or node.cursor.type.get_canonical().kind in _ARRAYS:
            sized = parent is not None and parent.kind == CursorKind.CXX_UNARY_EXPR
            yield read if sized else lost
        elif parent.kind in (CursorKind.CXX_UNARY_EXPR, CursorKind.COMPOUND_STMT):
            yield read
        elif parent.kind == CursorKind.UNEXPOSED_EXPR:
            yield read if not record and _same_scalar(parent, node) else lost
        elif parent.kind == CursorKind.CSTYLE_CAST_EXPR:
            yield read if parent.cursor.type.kind == TypeKind.VOID else lost
        elif parent.kind == CursorKind.BINARY_OPERATOR and binary_operator(parent.cursor) == "=":
            plain = parent.children[0] is node and node is access.node and _value_only(parent)
            yield Use("set", parent, function, parent.children[1]) if plain else lost
        elif parent.kind == CursorKind.UNARY_OPERATOR and unary_operator(parent.cursor) == "&":
            held: Node = parent
            while held.parent is not None and held.parent.kind in (CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR):
                held = held.parent
            cast = held.parent
            if cast is not None and cast.kind == CursorKind.CSTYLE_CAST_EXPR:
                yield lost
            else:
                yield from self._pointed(held, cast, access, place, function, depth)
        elif parent.kind == CursorKind.VAR_DECL:
            yield read if constant and parent.cursor.type.kind == TypeKind.LVALUEREFERENCE else lost
        elif parent.kind == CursorKind.LAMBDA_EXPR:
            yield lost if _init_captured(parent, place.name) else read
        elif parent.kind == CursorKind.MEMBER_REF_EXPR:
            method = parent.cursor.referenced
            yield read if method is not None and method.kind in _METHODS and method.is_const_method() else lost
        elif parent.kind == CursorKind.CALL_EXPR:
            yield from self._argument(node, parent, constant, access, place, function, depth)
        else:
            yield lost

    def _argument(
        self, node: Node, call: Node, constant: bool, access: _Access, place: Place, function: HostFunction, depth: int
    ) -> Iterator[Use]:
        referenced = call.cursor.referenced
        lost, read = Use("lost", call, function), Use("read", call, function)
        if referenced is None:
            yield lost
        elif referenced.spelling == "operator=" and referenced.kind == CursorKind.CXX_METHOD:
            own = self._program.definition(call) is not None
            values = [child for child in call.children if not _names_operator(child)]
            if own or len(values) != 2:
                yield lost
            elif values[0] is node:
                plain = node is access.node and _value_only(call)
                yield Use("set", call, function, values[1]) if plain else lost
            else:
                yield read
        elif referenced.kind == CursorKind.CONSTRUCTOR:
            copied = len(call.children) == 1 and self._program.definition(call) is None
            same = _plain(referenced.semantic_parent.type) == _plain(node.cursor.type)
            yield read if (copied and same) or (constant and _parameter_is_const(referenced, node, call)) else lost
        else:
            yield from self._passed(node, call, constant, access, place, function, depth)

    def _passed(
        self, node: Node, call: Node, constant: bool, access: _Access, place: Place, function: HostFunction, depth: int
    ) -> Iterator[Use]:
        """``node`` is bound to a reference parameter of ``call`` (or is the object of a member operator)."""
        referenced = call.cursor.referenced
        # Functions of the runtime take handles and descriptions by value; in our headers they are templates.
        runtime = self._program.context.in_shim(referenced) and referenced.spelling.startswith("cuda")
        if runtime or (constant and _parameter_is_const(referenced, node, call)):
            yield Use("read", call, function)
            return
        yield from self._followed(node, call, access, place, function, depth)

    def _pointed(
        self, held: Node, call: Node | None, access: _Access, place: Place, function: HostFunction, depth: int
    ) -> Iterator[Use]:
        """The address ``held`` of the access is given to ``call``."""
        lost = Use("lost", held, function)
        if call is None or call.kind != CursorKind.CALL_EXPR or call.cursor.referenced is None:
            yield lost
            return
        referenced = call.cursor.referenced
        position = _position(held, call)
        shim = self._program.context.in_shim(referenced)
        if position is None:
            yield lost
        elif shim and position in _CREATORS.get(referenced.spelling, ()):
            yield Use("read", call, function)
        elif shim and position == 0 and referenced.spelling in _CREATORS:
            yield Use("create", call, function)
        elif shim and position == 0 and referenced.spelling == "memset":
            arguments = call.arguments()
            whole = evaluate(arguments[2].cursor) == _pointee_size(strip(held))
            yield Use("set", call, function) if whole and evaluate(arguments[1].cursor) == 0 else lost
        else:
            yield from self._followed(held, call, access, place, function, depth)

    def _followed(
        self, held: Node, call: Node, access: _Access, place: Place, function: HostFunction, depth: int
    ) -> Iterator[Use]:
        """What the called function does with the parameter that ``held`` is given to."""
        callee = self._program.definition(call)
        position = _position(held, call)
        if callee is None or position is None or position >= len(callee.parameters) or depth >= _DEPTH or access.wild:
            yield Use("lost", call, function)
            return
        parameter = callee.parameters[position]
        if parameter.type.get_canonical().kind not in _INDIRECT:
            yield Use("lost", call, function)
            return
        inner = Place(declaration_key(parameter), parameter.spelling, place.path[len(access.path) :])
        for use in self._uses(inner, depth + 1):
            yield replace(use, kind="lost") if use.kind == "set" else use


def _is_array_handle(ctype: cindex.Type, place: Place) -> bool:
    """Whether a variable is a `cudaArray_t`, which is a pointer only by its type."""
    pointee = _plain(ctype.get_canonical().get_pointee())
    return not place.path and ctype.get_canonical().kind == TypeKind.POINTER and pointee.endswith("Array")


def _access(node: Node) -> _Access:
    path: list[str] = []
    while (parent := node.parent) is not None:
        if parent.kind == CursorKind.PAREN_EXPR:
            node = parent
        elif parent.kind == CursorKind.MEMBER_REF_EXPR:
            referenced = parent.cursor.referenced
            if referenced is None or referenced.kind != CursorKind.FIELD_DECL:
                break
            path.append(parent.cursor.spelling)
            node = parent
        else:
            decayed = parent if parent.kind == CursorKind.UNEXPOSED_EXPR else node
            outer = decayed.parent
            parts = outer.expressions() if outer is not None and outer.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR else []
            array = node.cursor.type.get_canonical().kind in _ARRAYS
            if outer is None or len(parts) != 2 or parts[0] is not decayed or not array:
                break
            index = strip(parts[1])
            if index.kind != CursorKind.INTEGER_LITERAL:
                return _Access(_outermost(outer), tuple(path), wild=True)
            path.append(f"[{evaluate(parts[1].cursor)}]")
            node = outer
    return _Access(node, tuple(path))


def _outermost(node: Node) -> Node:
    """``node`` with the members and elements taken of it."""
    return _access(node).node


def _same_record(outer: Node, inner: Node) -> bool:
    return bool(_plain(outer.cursor.type) == _plain(inner.cursor.type))


def _same_scalar(outer: Node, inner: Node) -> bool:
    """Whether ``outer`` only loads ``inner`` (or adds const to it)."""
    return bool(_plain(outer.cursor.type) == _plain(inner.cursor.type))


def _plain(ctype: cindex.Type) -> str:
    return re.sub(r"\b(const|volatile) ", "", str(ctype.get_canonical().spelling))


def _value_only(assignment: Node) -> bool:
    """Whether the result of an assignment is dropped or only read."""
    parent = assignment.parent
    while parent is not None and parent.kind == CursorKind.PAREN_EXPR:
        parent = parent.parent
    if parent is None or parent.kind == CursorKind.UNEXPOSED_EXPR or not parent.kind.is_expression():
        return True
    if parent.kind == CursorKind.CALL_EXPR:
        return bool(parent.cursor.spelling == "operator=")
    return bool(parent.kind == CursorKind.BINARY_OPERATOR and binary_operator(parent.cursor) == ",")


def _names_operator(node: Node) -> bool:
    inner = strip(node)
    return bool(inner.kind == CursorKind.DECL_REF_EXPR and inner.cursor.spelling.startswith("operator"))


def _position(held: Node, call: Node) -> int | None:
    return next((at for at, argument in enumerate(call.arguments()) if argument is held), None)


def _parameter_is_const(function: cindex.Cursor, node: Node, call: Node) -> bool:
    position = _position(node, call)
    parameters = list(function.type.argument_types())
    if position is None or position >= len(parameters):
        return False
    target = parameters[position]
    return bool(target.kind == TypeKind.LVALUEREFERENCE and target.get_pointee().is_const_qualified())


def _pointee_size(address: Node) -> int:
    return int(address.cursor.type.get_pointee().get_size())


def _init_captured(captures: Node, name: str) -> bool:
    """Whether a lambda makes a variable of its own from ``name``, which may be a pointer or reference to it."""
    introducer = source_text(captures.cursor).partition("]")[0]
    return bool(re.search(rf"(=|\{{|\()\s*[^,]*\b{re.escape(name)}\b", introducer))
