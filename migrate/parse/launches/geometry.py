"""dim3 values in host code as three expressions."""

from __future__ import annotations

from typing import TypeAlias

from clang.cindex import CursorKind

from migrate.ir.launch import HostConst, HostExpr, HostOp
from migrate.parse.launches import calls
from migrate.parse.launches.definitions import (
    Definition,
    Merge,
    Opaque,
    Place,
    Unwritten,
    Written,
    declaration_key,
    place_of,
)
from migrate.parse.launches.program import Frame, Node, strip
from migrate.parse.launches.slicer import Slicer
from migrate.parse.launches.types import dtype_of, is_record

Triple: TypeAlias = "tuple[HostExpr, HostExpr, HostExpr]"
AXES = ("x", "y", "z")
_ONE = HostConst(1)


def triple(slicer: Slicer, node: Node, frame: Frame, depth: int = 0) -> Triple:
    """Components of a dim3 expression; an integer is (n, 1, 1)."""
    return (
        component(slicer, node, frame, "x", depth),
        component(slicer, node, frame, "y", depth),
        component(slicer, node, frame, "z", depth),
    )


def component(slicer: Slicer, node: Node, frame: Frame, axis: str, depth: int = 0) -> HostExpr:
    """One component of a dim3 expression."""
    outer, node = node, strip(node)
    position = AXES.index(axis)
    if depth > 24:
        return slicer.unresolved(node, frame, axis)
    if node.kind == CursorKind.CALL_EXPR and node.cursor.spelling in ("dim3", "uint3", "make_uint3", "make_int3"):
        return _constructed(slicer, node, frame, axis, depth)
    if node.kind == CursorKind.INIT_LIST_EXPR:
        parts = node.expressions()
        if len(parts) == 1 and is_record(parts[0].cursor.type):
            return component(slicer, parts[0], frame, axis, depth + 1)
        return slicer.value(parts[position], frame, axis) if position < len(parts) else _ONE
    if node.kind == CursorKind.CONDITIONAL_OPERATOR and len(node.children) == 3:
        condition = slicer.value(node.children[0], frame)
        sides = tuple(component(slicer, side, frame, axis, depth + 1) for side in node.children[1:])
        return HostOp("select", (condition, *sides), "uint32")
    if dtype_of(node.cursor.type) is not None:
        return slicer.value(outer, frame, axis) if position == 0 else _ONE
    if node.kind == CursorKind.CALL_EXPR:
        function = slicer.program.definition(node)
        if function is not None and frame.depth() < 12:
            returns = [one for one in function.root.walk() if one.kind == CursorKind.RETURN_STMT and one.children]
            if len(returns) == 1:
                return component(
                    slicer, returns[0].children[0], slicer.program.frame(function, node, frame), axis, depth + 1
                )
    place = place_of(node)
    if place is None:
        return slicer.unresolved(node, frame, axis)
    return _of_place(slicer, Place(place.key, place.name, (*place.path, axis)), node, frame, axis, depth)


def _constructed(slicer: Slicer, node: Node, frame: Frame, axis: str, depth: int) -> HostExpr:
    position = AXES.index(axis)
    arguments = node.arguments()
    if len(arguments) == 1 and is_record(arguments[0].cursor.type):
        return component(slicer, arguments[0], frame, axis, depth + 1)
    if position >= len(arguments):
        return _ONE
    argument = arguments[position]
    if not argument.children and argument.cursor.extent.start.line == 0:
        return _ONE  # defaulted
    if not argument.children and argument.kind == CursorKind.UNEXPOSED_EXPR:
        return _ONE
    return slicer.value(argument, frame, axis)


def _of_place(slicer: Slicer, place: Place, node: Node, frame: Frame, axis: str, depth: int) -> HostExpr:
    definition = slicer.definitions(frame.function).before(place, node)
    return _defined(slicer, place, definition, node, frame, axis, depth)


def _defined(
    slicer: Slicer, place: Place, definition: Definition, node: Node, frame: Frame, axis: str, depth: int
) -> HostExpr:
    whole = place.path[:-1]
    if isinstance(definition, Written):
        write = definition.write
        if write.place.path == whole and write.kind in ("declare", "set"):
            if write.value is None:
                return _ONE
            return component(slicer, write.value, frame, axis, depth + 1)
    elif isinstance(definition, Merge):
        merge = definition
        return slicer.merged(
            place,
            merge,
            node,
            frame,
            "uint32",
            lambda side: _defined(slicer, place, side, merge.node, frame, axis, depth + 1),
        )
    elif isinstance(definition, Unwritten) and not whole:
        for parameter in frame.function.parameters:
            argument = frame.argument(parameter) if declaration_key(parameter) == place.key else None
            if argument is not None and frame.caller is not None:
                return component(slicer, argument, frame.caller, axis, depth + 1)
        found = _global(slicer, place, node, frame, axis, depth)
        if found is not None:
            return found
    guess_from = definition.initial if isinstance(definition, Opaque) else definition
    return slicer.definition_value(
        place, definition if isinstance(definition, Opaque | Written) else guess_from, node, frame, "uint32"
    )


def _global(slicer: Slicer, place: Place, node: Node, frame: Frame, axis: str, depth: int) -> HostExpr | None:
    """A dim3 at namespace scope with an initialiser and no other write."""
    referenced = node.cursor.referenced
    if (
        referenced is None
        or referenced.kind != CursorKind.VAR_DECL
        or place.key in slicer.definitions(frame.function).writes
    ):
        return None
    parts = [child for child in referenced.get_children() if child.kind.is_expression()]
    if not parts:
        return None
    root = Node(parts[-1], None, 0)
    _copy(root)
    return component(slicer, root, frame, axis, depth + 1)


def _copy(node: Node) -> None:
    for cursor in node.cursor.get_children():
        child = Node(cursor, node, 0)
        node.children.append(child)
        _copy(child)


__all__ = ["Triple", "calls", "component", "triple"]
