"""Sizes of torch tensors and standard or thrust vectors in host code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clang.cindex import CursorKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp
from migrate.parse.clang_extra import evaluate
from migrate.parse.launches.definitions import Place, Written, declaration_key, place_of
from migrate.parse.launches.program import Frame, Node, strip
from migrate.parse.launches.types import plain

if TYPE_CHECKING:
    from migrate.parse.launches.slicer import Slicer

_TENSOR = re.compile(r"\bTensor\b")
_VECTOR = re.compile(r"\b(vector|device_vector|host_vector)<")
_SIZES = frozenset({"size", "numel", "dim", "stride", "nbytes", "length"})
_FACTORIES = frozenset({"zeros", "empty", "ones", "full", "rand", "randn", "randint"})
_LIKE = frozenset({"empty_like", "zeros_like", "ones_like", "rand_like", "randn_like", "full_like"})
_SAME = frozenset({"contiguous", "to", "clone", "cuda", "detach"})


def object_of(node: Node) -> Node | None:
    """The object of a member call ``object.member(...)``."""
    if not node.children:
        return None
    member = strip(node.children[0])
    if member.kind == CursorKind.MEMBER_REF_EXPR and member.children:
        parts = member.expressions()
        return parts[0] if parts else None
    return None


def resolve(slicer: Slicer, node: Node, frame: Frame) -> tuple[Place, Node, Frame] | None:
    """The variable behind an object expression, followed through parameters to the outermost caller."""
    place = place_of(node)
    while place is not None:
        argument = None
        for parameter in frame.function.parameters:
            if declaration_key(parameter) == place.key and frame.caller is not None:
                argument = frame.argument(parameter)
        if argument is None or frame.caller is None:
            return place, node, frame
        inner = place_of(argument)
        if inner is None:
            return place, node, frame
        place, node, frame = Place(inner.key, inner.name, (*inner.path, *place.path)), argument, frame.caller
    return None


def size_call(slicer: Slicer, node: Node, frame: Frame, hint: str) -> HostExpr | None:
    """``x.size(0)``, ``x.numel()``, ``v.size()``; also ``x.sizes()[0]`` and ``x.size(0)`` of a tensor made here."""
    name = node.cursor.spelling
    index: HostExpr | None = None
    base: Node | None
    if name == "operator[]" and len(node.children) >= 2:
        call = strip(node.children[0])
        if call.kind != CursorKind.CALL_EXPR or call.cursor.spelling not in ("sizes", "strides"):
            return None
        name = "size" if call.cursor.spelling == "sizes" else "stride"
        base = object_of(call)
        arguments = node.arguments()
        index = slicer.value(arguments[-1], frame) if arguments else None
    elif name in _SIZES:
        base = object_of(node)
        arguments = node.arguments()
        index = slicer.value(arguments[0], frame) if arguments else None
    else:
        return None
    if base is None:
        return None
    spelling = plain(base.cursor.type).spelling
    found = resolve(slicer, base, frame)
    if found is None:
        return None
    place, where, owner = found
    made = _made(slicer, place, where, owner)
    if _VECTOR.search(spelling) and name == "size":
        if made is not None:
            count = vector_count(slicer, *made)
            if count is not None:
                return count
    elif _TENSOR.search(spelling):
        if made is not None:
            known = _of_shape(tensor_shape(slicer, *made), name, index)
            if known is not None:
                return known
    else:
        return None
    inside = str(index.value) if isinstance(index, HostConst) else "" if index is None else "?"
    text = f"{place.text()}.{name}({inside})"
    key = ("size", place.key, place.path, name, inside if inside != "?" else node.order)
    return slicer.scope.root(
        key, text, "int64", "unresolved", slicer.program.context.span(node.cursor), hint=hint or text
    )


def _made(slicer: Slicer, place: Place, where: Node, frame: Frame) -> tuple[Node, Frame] | None:
    """The expression that the variable was initialised with."""
    definition = slicer.definitions(frame.function).before(place, where)
    if isinstance(definition, Written) and definition.write.value is not None and not place.path:
        return strip(definition.write.value), frame
    return None


def vector_count(slicer: Slicer, node: Node, frame: Frame) -> HostExpr | None:
    """Element count of a vector constructed as ``vector<T> v(count)`` or ``v(count, value)``."""
    if node.kind != CursorKind.CALL_EXPR:
        return None
    arguments = node.arguments()
    if len(arguments) == 1 and arguments[0].kind == CursorKind.CALL_EXPR and "vector" in arguments[0].cursor.spelling:
        return vector_count(slicer, strip(arguments[0]), frame)
    if not arguments or plain(arguments[0].cursor.type).spelling not in _INTEGERS:
        return None
    return slicer.value(arguments[0], frame)


_INTEGERS = frozenset(
    {"int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "const int", "const long"}
    | {"const unsigned long", "const unsigned int"}
)


def tensor_shape(slicer: Slicer, node: Node, frame: Frame) -> list[HostExpr] | None:
    """Shape of ``torch::zeros({a, b}, ...)`` and of ``empty_like(x)`` where x's shape is known."""
    while node.kind == CursorKind.CALL_EXPR and node.cursor.spelling not in _FACTORIES | _LIKE:
        inner = object_of(node) if node.cursor.spelling in _SAME else None
        if inner is None:
            arguments = node.arguments()
            if len(arguments) != 1 or node.cursor.spelling not in ("Tensor",):
                return None
            inner = arguments[0]
        node = strip(inner)
    if node.kind != CursorKind.CALL_EXPR:
        return None
    arguments = node.arguments()
    if not arguments:
        return None
    if node.cursor.spelling in _LIKE:
        found = resolve(slicer, arguments[0], frame)
        made = _made(slicer, *found) if found is not None else None
        return tensor_shape(slicer, *made) if made is not None else None
    for inner in arguments[0].walk():
        if inner.kind == CursorKind.INIT_LIST_EXPR:
            return [slicer.value(part, frame) for part in inner.expressions()]
    return None


def _of_shape(shape: list[HostExpr] | None, name: str, index: HostExpr | None) -> HostExpr | None:
    if shape is None:
        return None
    if name == "dim":
        return HostConst(len(shape))
    if name == "numel":
        total: HostExpr = HostConst(1)
        for extent in shape:
            total = fold(HostOp("mul", (total, extent), "int64"))
        return total
    if name == "size" and isinstance(index, HostConst) and -len(shape) <= index.value < len(shape):
        return shape[int(index.value)]
    return None


def same_shape_as(slicer: Slicer, node: Node, frame: Frame) -> tuple[Place, Node, Frame] | None:
    """The tensor x of ``empty_like(x)``."""
    node = strip(node)
    if node.kind == CursorKind.CALL_EXPR and node.cursor.spelling in _LIKE:
        arguments = node.arguments()
        return resolve(slicer, arguments[0], frame) if arguments else None
    return None


__all__ = ["evaluate", "object_of", "resolve", "same_shape_as", "size_call", "tensor_shape", "vector_count"]
