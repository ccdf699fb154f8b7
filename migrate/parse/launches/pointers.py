"""What host code says of pointer arguments: which allocation, how many bytes, which offset, what it holds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from clang.cindex import CursorKind, TypeKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp, PointerFact
from migrate.parse.clang_extra import binary_operator, evaluate, unary_operator
from migrate.parse.launches import tensors
from migrate.parse.launches.definitions import (
    Merge,
    Opaque,
    Place,
    Unwritten,
    Write,
    Written,
    declaration_key,
    place_of,
)
from migrate.parse.launches.program import Frame, Node, is_launch, strip
from migrate.parse.launches.slicer import Slicer
from migrate.parse.launches.types import is_pointer, plain

_TENSOR_DATA = frozenset({"data_ptr", "mutable_data_ptr", "const_data_ptr", "data"})
_UNWRAP = frozenset({"raw_pointer_cast", "get", "release", "device_pointer_cast", "addressof", "to_address"})
_ALLOCATES = re.compile(r"^(malloc|calloc|aligned_alloc)$")
_ELEMENT = re.compile(r"(?:device_vector|host_vector|vector)<([^<>,]+)")
_ELEMENT_BYTES = {"float": 4, "int": 4, "unsigned int": 4, "double": 8, "char": 1, "unsigned char": 1, "long": 8}
_ELEMENT_BYTES |= {"short": 2, "unsigned short": 2, "unsigned long": 8, "half": 2, "__half": 2, "bool": 1}
_FOLLOW_LIMIT = 24


def _multiply(left: HostExpr, right: HostExpr) -> HostExpr:
    if isinstance(right, HostConst) and right.value == 1:
        return left
    return fold(HostOp("mul", (left, right), "int64"))


def _add(left: HostExpr | None, right: HostExpr) -> HostExpr:
    return right if left is None else fold(HostOp("add", (left, right), "int64"))


def pointee_bytes(node: Node) -> int | None:
    """sizeof of what a pointer expression points at; None for void and incomplete types."""
    c_type = plain(node.cursor.type)
    pointee = c_type.get_pointee() if c_type.kind == TypeKind.POINTER else c_type.get_array_element_type()
    size = int(pointee.get_canonical().get_size())
    return size if size > 0 else None


def pointer_fact(slicer: Slicer, node: Node, frame: Frame, depth: int = 0) -> PointerFact | HostConst | None:
    """The fact for pointer expression ``node``; HostConst(0) for a null pointer, None when nothing is known."""
    if depth > _FOLLOW_LIMIT:
        return None
    node = strip(node)
    cursor, kind = node.cursor, node.kind
    if kind in (CursorKind.CXX_NULL_PTR_LITERAL_EXPR, CursorKind.GNU_NULL_EXPR) or (
        kind == CursorKind.INTEGER_LITERAL and evaluate(cursor) == 0
    ):
        return HostConst(0)
    if kind == CursorKind.BINARY_OPERATOR and binary_operator(cursor) in ("+", "-"):
        return _displaced(slicer, node, frame, depth)
    if kind == CursorKind.UNARY_OPERATOR and unary_operator(cursor) == "&":
        return _address_of(slicer, strip(node.children[0]), frame, depth)
    if kind == CursorKind.CALL_EXPR:
        return _called(slicer, node, frame, depth)
    if kind == CursorKind.CONDITIONAL_OPERATOR and len(node.children) == 3:
        return _chosen(slicer, node, frame, depth)
    if kind == CursorKind.CXX_NEW_EXPR:
        return None
    place = place_of(node)
    if place is None:
        return None
    return _of_place(slicer, place, node, frame, depth)


def _chosen(slicer: Slicer, node: Node, frame: Frame, depth: int) -> PointerFact | HostConst | None:
    """``c ? p : q``: the one that is taken if c is constant, else an allocation of its own."""
    condition = slicer.value(node.children[0], frame)
    sides = [pointer_fact(slicer, side, frame, depth + 1) for side in node.children[1:]]
    if isinstance(condition, HostConst):
        return sides[0] if condition.value else sides[1]
    first, second = sides
    if first == second:
        return first
    known = [one for one in sides if isinstance(one, PointerFact)]
    if len(known) == 1:
        return known[0]  # the other one is null or unknown
    if not known:
        return None
    sizes = [one.bytes for one in known]
    size = None
    if sizes[0] is not None and sizes[1] is not None and not any(one.offset_bytes for one in known):
        size = fold(HostOp("select", (condition, sizes[0], sizes[1]), "int64"))
    return PointerFact(" or ".join(one.allocation for one in known), size)


def _displaced(slicer: Slicer, node: Node, frame: Frame, depth: int) -> PointerFact | HostConst | None:
    left, right = node.children
    base, index = (left, right) if is_pointer(left.cursor.type) else (right, left)
    fact = pointer_fact(slicer, base, frame, depth + 1)
    size = pointee_bytes(base)
    if not isinstance(fact, PointerFact):
        return None
    if size is None:
        return replace(fact, offset_bytes=None, bytes=None)
    amount = slicer.value(index, frame)
    if binary_operator(node.cursor) == "-":
        amount = fold(HostOp("neg", (amount,), "int64"))
    return replace(fact, offset_bytes=_add(fact.offset_bytes, _multiply(amount, HostConst(size))))


def _address_of(slicer: Slicer, target: Node, frame: Frame, depth: int) -> PointerFact | HostConst | None:
    if target.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
        base, index = target.expressions()
        fact = pointer_fact(slicer, base, frame, depth + 1)
        size = pointee_bytes(base)
        if not isinstance(fact, PointerFact) or size is None:
            return None
        amount = _multiply(slicer.value(index, frame), HostConst(size))
        return fact if amount == HostConst(0) else replace(fact, offset_bytes=_add(fact.offset_bytes, amount))
    if target.kind == CursorKind.CALL_EXPR and target.cursor.spelling == "operator[]":
        return _of_object(slicer, target.arguments()[0], frame)
    if target.kind == CursorKind.UNARY_OPERATOR and unary_operator(target.cursor) == "*":
        return pointer_fact(slicer, target.children[0], frame, depth + 1)
    place = place_of(target)
    if place is None:
        return None
    size = int(plain(target.cursor.type).get_size())
    return PointerFact(_identity(slicer, place, frame), HostConst(size) if size > 0 else None)


def _called(slicer: Slicer, node: Node, frame: Frame, depth: int) -> PointerFact | HostConst | None:
    name = node.cursor.spelling
    base = tensors.object_of(node)
    arguments = node.arguments()
    if base is not None and (name in _TENSOR_DATA or name in _UNWRAP) and not arguments:
        return _of_object(slicer, base, frame)
    if name in _UNWRAP and arguments:
        return pointer_fact(slicer, arguments[0], frame, depth + 1)
    function = slicer.program.definition(node)
    if function is not None and frame.depth() < 12:
        inner = slicer.program.frame(function, node, frame)
        returns = [one for one in function.root.walk() if one.kind == CursorKind.RETURN_STMT and one.children]
        if len(returns) == 1:
            return pointer_fact(slicer, returns[0].children[0], inner, depth + 1)
    return None


def _of_object(slicer: Slicer, node: Node, frame: Frame) -> PointerFact | None:
    """The storage of a tensor or vector object."""
    found = tensors.resolve(slicer, node, frame)
    if found is None:
        return None
    place, where, owner = found
    size: HostExpr | None = None
    contents: Literal["unknown", "zero", "copied"] = "unknown"
    definition = slicer.definitions(owner.function).before(place, where)
    if isinstance(definition, Written) and definition.write.value is not None and not place.path:
        made = strip(definition.write.value)
        match = _ELEMENT.search(plain(node.cursor.type).spelling)
        if match:
            count = tensors.vector_count(slicer, made, owner)
            width = _ELEMENT_BYTES.get(match.group(1).strip())
            size = _multiply(count, HostConst(width)) if count is not None and width else None
            contents = "zero" if count is not None and len(made.arguments()) == 1 else "unknown"
        elif any("zeros" in one.cursor.spelling for one in made.walk() if one.kind == CursorKind.CALL_EXPR):
            contents = "zero"
    return PointerFact(_identity(slicer, place, owner), size, None, contents)


def _identity(slicer: Slicer, place: Place, frame: Frame) -> str:
    """A name for the allocation; variables of outer functions are qualified by the function."""
    own = any(declaration_key(parameter) == place.key for parameter in frame.function.parameters)
    local = own or place.key in slicer.definitions(frame.function).writes
    return f"{frame.function.name}::{place.text()}" if local else place.text()


def _of_place(slicer: Slicer, place: Place, node: Node, frame: Frame, depth: int) -> PointerFact | HostConst | None:
    definitions = slicer.definitions(frame.function)
    definition = definitions.before(place, node)
    if isinstance(definition, Written):
        write = definition.write
        if write.place.path == place.path and write.kind in ("declare", "set") and write.value is not None:
            allocated = _allocated(slicer, write.value, frame)
            if allocated is not None:
                return _finish(slicer, place, node, frame, allocated)
            followed = pointer_fact(slicer, write.value, frame, depth + 1)
            if isinstance(followed, PointerFact):
                return followed
        if write.kind == "allocate" and write.value is not None:
            return _finish(slicer, place, node, frame, slicer.allocated(write, frame))
        if write.kind == "opaque":
            through = _allocated_in_callee(slicer, write, place, frame)
            if through is not None:
                return _finish(slicer, place, node, frame, through)
        if write.kind == "declare" and len(place.path) > len(write.place.path) and write.value is not None:
            inner = place_of(write.value)
            if inner is not None:
                deeper = Place(inner.key, inner.name, (*inner.path, *place.path))
                return _of_place(slicer, deeper, write.value, frame, depth + 1)
    elif isinstance(definition, Unwritten):
        for parameter in frame.function.parameters:
            if declaration_key(parameter) == place.key:
                return _from_caller(slicer, place, node, frame, depth)
    elif isinstance(definition, Opaque | Merge):
        callee = _opaque_write(definition)
        if callee is not None:
            through = _allocated_in_callee(slicer, callee, place, frame)
            if through is not None:
                return _finish(slicer, place, node, frame, through)
    return _finish(slicer, place, node, frame, _only_allocation(slicer, place, frame))


def _opaque_write(definition: Opaque | Merge) -> Write | None:
    if isinstance(definition, Opaque) and definition.node.kind == CursorKind.CALL_EXPR:
        return Write(Place(0, ""), "opaque", definition.node)
    return None


def _from_caller(slicer: Slicer, place: Place, node: Node, frame: Frame, depth: int) -> PointerFact | HostConst | None:
    for parameter in frame.function.parameters:
        if declaration_key(parameter) == place.key and frame.caller is not None:
            argument = frame.argument(parameter)
            if argument is None:
                break
            if not place.path:
                return pointer_fact(slicer, argument, frame.caller, depth + 1)
            inner = place_of(argument)
            if inner is not None:
                deeper = Place(inner.key, inner.name, (*inner.path, *place.path))
                return _of_place(slicer, deeper, argument, frame.caller, depth + 1)
    return PointerFact(_identity(slicer, place, frame))


def _allocated(slicer: Slicer, node: Node, frame: Frame) -> HostExpr | None:
    """Bytes of ``malloc(bytes)`` or ``new T[count]``."""
    node = strip(node)
    if node.kind == CursorKind.CALL_EXPR and _ALLOCATES.match(node.cursor.spelling):
        arguments = node.arguments()
        if not arguments:
            return None
        if node.cursor.spelling == "malloc":
            return slicer.value(arguments[0], frame)
        return _multiply(slicer.value(arguments[0], frame), slicer.value(arguments[1], frame))
    return None


def _allocated_in_callee(slicer: Slicer, write: Write, place: Place, frame: Frame) -> HostExpr | None:
    """Bytes when ``f(&p, n)`` allocates through its parameter."""
    function = slicer.program.definition(write.node) if write.node.kind == CursorKind.CALL_EXPR else None
    if function is None or frame.depth() >= 12:
        return None
    inner = slicer.program.frame(function, write.node, frame)
    for parameter in function.parameters:
        argument = inner.argument(parameter)
        target = place_of(argument) if argument is not None else None
        if target is None or target.key != place.key:
            continue
        allocations = [
            one
            for one in slicer.definitions(function).writes.get(declaration_key(parameter), ())
            if one.kind == "allocate" and one.value is not None
        ]
        if len(allocations) == 1:
            return slicer.allocated(allocations[0], inner)
        for one in slicer.definitions(function).writes.get(declaration_key(parameter), ()):
            if one.kind == "opaque":
                deeper = _allocated_in_callee(slicer, one, one.place, inner)
                if deeper is not None:
                    return deeper
    return None


def _only_allocation(slicer: Slicer, place: Place, frame: Frame) -> HostExpr | None:
    """Bytes when exactly one allocation of the place is written anywhere (another function, inside a loop)."""
    found = [
        (function, write)
        for function, write in slicer.index.anywhere(place.key)
        if write.kind == "allocate" and write.place.path == place.path
    ]
    if len(found) != 1 or found[0][1].value is None:
        return None
    function, write = found[0]
    owner = frame if function is frame.function else slicer.program.frame(function)
    return slicer.allocated(write, owner)


def _finish(slicer: Slicer, place: Place, node: Node, frame: Frame, size: HostExpr | None) -> PointerFact:
    return PointerFact(_identity(slicer, place, frame), size, None, _contents(place, node, frame))


def _contents(place: Place, node: Node, frame: Frame) -> Literal["unknown", "zero", "copied"]:
    """What the last call before ``node`` that mentions the place made of it."""
    state: Literal["unknown", "zero", "copied"] = "unknown"
    calls = (*frame.function.calls, *frame.function.launches)
    for call in sorted(calls, key=lambda call: call.order):
        if call.order >= node.order:
            break
        name = call.cursor.spelling
        if is_launch(call):
            if call.last < node.order and _mentions(call, place):
                state = "unknown"
            continue
        if not name.startswith("cuda") or call.last >= node.order:
            continue
        arguments = call.arguments()
        if not arguments or place_of(arguments[0]) != place:
            continue
        if name.startswith("cudaMemset"):
            state = "zero" if len(arguments) > 1 and evaluate(arguments[1].cursor) == 0 else "unknown"
        elif name.startswith("cudaMemcpy"):
            state = "copied"
    return state


def _mentions(call: Node, place: Place) -> bool:
    return any(
        one.kind == CursorKind.DECL_REF_EXPR and (found := place_of(one)) is not None and found.key == place.key
        for one in call.walk()
    )
