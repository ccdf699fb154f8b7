"""Texture and surface arguments of launches: from the object back to its descriptors and the array behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clang.cindex import Cursor, CursorKind, LinkageKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostParameter, PointerFact, TextureFact
from migrate.parse.launches.definitions import Merge, Opaque, Place, Unwritten, Written, declaration_key, place_of
from migrate.parse.launches.pointers import pointer_fact
from migrate.parse.launches.program import Frame, HostFunction, Node, strip
from migrate.parse.launches.slicer import Slicer

OBJECTS = {"cudaTextureObject_t": "texture", "cudaSurfaceObject_t": "surface"}
_CREATE = {"texture": "cudaCreateTextureObject", "surface": "cudaCreateSurfaceObject"}
_ARRAYS = frozenset({"cudaMallocArray", "cudaMalloc3DArray"})
_RESOURCES = ("array", "mipmap", "linear", "pitch2D")  # by value of cudaResourceType
_KINDS = ("int", "uint", "float")  # by value of cudaChannelFormatKind
_VECTOR = re.compile(r"^(u?)(char|short|int|float|long)([1-4]?)$")
_SCALARS = {"signed char": "char", "unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint"}
_BITS = {"char": 8, "short": 16, "int": 32, "float": 32}
_FOLLOW = 10


@dataclass(frozen=True)
class _Where:
    """A place as ``frame``'s function names it, looked at from ``node``."""

    place: Place
    node: Node
    frame: Frame


def object_kind(spelling: str) -> str | None:
    """``texture`` or ``surface`` for the type of an object, else None."""
    return OBJECTS.get(spelling.replace("const ", "").strip())


def texture_fact(slicer: Slicer, argument: Node, frame: Frame, kind: str) -> TextureFact:
    """Everything that host code shows of the texture or surface object ``argument`` of a launch."""
    where = source_of(slicer, argument, frame)
    if where is None:
        return TextureFact(missing="host code does not pass a variable that can be followed")
    awaited = _awaited(slicer, where) if kind == "texture" else None
    told = next((one for one in slicer.program.context.given if one.parameter == awaited), None)
    if told is not None:
        own = _global(slicer, told.variable, where) if told.variable else None
        if own is None:
            return told.fact
        where, awaited = own, None
    calls = list(_creations(slicer, where, kind))
    found = [_created(slicer, call, inner, kind) for call, inner in calls]
    if found and _changed_otherwise(slicer, where, {id(call) for call, _ in calls}, calls):
        return TextureFact(missing=f"`{where.place.text()}` is not only set by {_CREATE[kind]}")
    if not found:
        missing = f"no {_CREATE[kind]} for `{where.place.text()}` is in this file"
        return TextureFact(missing=missing, awaits=awaited)
    if any(other != found[0] for other in found[1:]):
        return TextureFact(missing=f"`{where.place.text()}` is created with different states or arrays")
    return found[0]


def _awaited(slicer: Slicer, where: _Where) -> HostParameter | None:
    """The parameter that ``where`` is, if its function may be called from other files and is not from this one."""
    function = where.frame.function
    if where.frame.caller is not None or where.place.path or function.cursor.linkage != LinkageKind.EXTERNAL:
        return None
    if not isinstance(slicer.definitions(function).before(where.place, where.node), Unwritten):
        return None
    for position, parameter in enumerate(function.parameters):
        if declaration_key(parameter) == where.place.key:
            signature = function.cursor.type.get_canonical().spelling
            return HostParameter(function.name, signature, position)
    return None


def _global(slicer: Slicer, name: str, where: _Where) -> _Where | None:
    """The global variable ``name`` of this unit, looked at from ``where``."""
    for cursor in _globals(slicer):
        if cursor.spelling == name and cursor.linkage == LinkageKind.EXTERNAL:
            return _Where(Place(declaration_key(cursor), name), where.node, where.frame)
    return None


def _globals(slicer: Slicer) -> Iterator[Cursor]:
    """Declarations of variables outside functions, classes and named namespaces; the ones with a value first."""
    found: list[Cursor] = []
    pending = [slicer.program.unit.cursor]
    while pending:
        for cursor in pending.pop().get_children():
            if cursor.kind in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
                pending.append(cursor)
            elif cursor.kind == CursorKind.VAR_DECL:
                found.append(cursor)
    yield from sorted(found, key=lambda one: not any(child.kind.is_expression() for child in one.get_children()))


def _peel(node: Node) -> Node:
    """Without conversions and copies of records."""
    node = strip(node)
    while node.kind == CursorKind.CALL_EXPR and len(node.children) == 1 and _constructs(node):
        node = strip(node.children[0])
    return node


def _constructs(node: Node) -> bool:
    referenced = node.cursor.referenced
    return referenced is not None and referenced.kind == CursorKind.CONSTRUCTOR


def source_of(slicer: Slicer, argument: Node, frame: Frame) -> _Where | None:
    """The variable that the object was created in, through copies, parameters and functions that return it."""
    node = _peel(argument)
    for _ in range(_FOLLOW):
        function = slicer.program.definition(node) if node.kind == CursorKind.CALL_EXPR else None
        if function is not None:
            inner = slicer.program.frame(function, node, frame)
            returned = [one for one in function.root.walk() if one.kind == CursorKind.RETURN_STMT and one.children]
            if len(returned) != 1:
                return None
            node, frame = _peel(returned[0].children[0]), inner
            continue
        place = place_of(node)
        if place is None:
            return None
        definition = slicer.definitions(frame.function).before(place, node)
        if isinstance(definition, Written) and definition.write.value is not None:
            write = definition.write
            value = _peel(write.value)  # type: ignore[arg-type]
            copied = write.place.path == place.path and write.kind in ("declare", "set")
            called = value.kind == CursorKind.CALL_EXPR and slicer.program.definition(value) is not None
            if copied and (called or (place_of(value) is not None and value.kind != CursorKind.CALL_EXPR)):
                node = value
                continue
            return _Where(place, node, frame)
        following = _through_parameter(place, frame)
        if following is None or not isinstance(definition, Unwritten):
            return _Where(place, node, frame)
        outer, argument_node = following
        if place.path:
            base = place_of(_peel(argument_node))
            if base is None or frame.caller is None:
                return None
            return _Where(Place(base.key, base.name, (*base.path, *place.path)), argument_node, outer)
        node, frame = _peel(argument_node), outer
    return None


def _through_parameter(place: Place, frame: Frame) -> tuple[Frame, Node] | None:
    for parameter in frame.function.parameters:
        if declaration_key(parameter) == place.key and frame.caller is not None:
            argument = frame.argument(parameter)
            if argument is not None:
                return frame.caller, argument
    return None


def _creations(slicer: Slicer, where: _Where, kind: str) -> Iterator[tuple[Node, Frame]]:
    """Calls that create the object of ``where``, directly or in a function that is given its address."""
    for function in list(slicer.program.functions.values()):
        for call in function.calls:
            arguments = call.arguments()
            if call.cursor.spelling == _CREATE[kind] and arguments and place_of(arguments[0]) == where.place:
                yield call, _frame_of(slicer, function, where.frame)
    for call in where.frame.function.calls:
        callee = slicer.program.definition(call)
        if callee is None:
            continue
        inner = slicer.program.frame(callee, call, where.frame)
        for parameter in callee.parameters:
            argument = inner.argument(parameter)
            if argument is None or place_of(argument) != where.place:
                continue
            own = Place(declaration_key(parameter), parameter.spelling)
            for made in callee.calls:
                given = made.arguments()
                if made.cursor.spelling != _CREATE[kind] or not given:
                    continue
                target = place_of(given[0])
                if target is not None and target.key == own.key and not _members(target):
                    yield made, inner


def _changed_otherwise(slicer: Slicer, where: _Where, known: set[int], calls: Sequence[tuple[Node, Frame]]) -> bool:
    """Whether anything but ``calls`` (or functions that hold them) may write the variable, zero excepted."""
    holders = {frame.function.key for _, frame in calls}
    for _, write in slicer.index.anywhere(where.place.key):
        if not where.place.overlaps(write.place.path) or id(write.node) in known:
            continue
        if write.kind == "set" and write.value is not None and _value(strip(write.value)) == 0:
            continue
        callee = slicer.program.definition(write.node) if write.node.kind == CursorKind.CALL_EXPR else None
        if write.kind == "opaque" and callee is not None and callee.key in holders:
            continue
        return True
    return False


def _members(place: Place) -> bool:
    return any(not part.startswith("[*") for part in place.path)


def _frame_of(slicer: Slicer, function: HostFunction, frame: Frame) -> Frame:
    """A frame of ``function``: one on the way to the launch if it is, else its first caller's."""
    current: Frame | None = frame
    while current is not None:
        if current.function is function:
            return current
        current = current.caller
    return slicer.program.frames(function, 1)[0]


def _created(slicer: Slicer, call: Node, frame: Frame, kind: str) -> TextureFact:
    arguments = call.arguments()
    resource = place_of(arguments[1]) if len(arguments) > 1 else None
    if resource is None:
        return TextureFact(missing="the resource description cannot be followed")
    fact = _of_resource(slicer, _Where(resource, call, frame))
    if kind == "surface":
        return fact
    if len(arguments) < 4 or not _is_null(arguments[3]):
        return replace(fact, missing="the object has a view of its own (cudaResourceViewDesc)")
    description = place_of(arguments[2])
    if description is None:
        return replace(fact, missing="the texture description cannot be followed")
    return _with_state(slicer, _Where(description, call, frame), fact)


# --- fields of descriptions -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Field:
    """What a member holds: a node in a frame, or zero; ``why`` where neither is known."""

    node: Node | None = None
    frame: Frame | None = None
    zero: bool = False
    why: str = ""


def _field(slicer: Slicer, where: _Where, *path: str) -> _Field:
    place = Place(where.place.key, where.place.name, (*where.place.path, *path))
    definition = slicer.definitions(where.frame.function).before(place, where.node)
    name = place.text()
    if isinstance(definition, Written):
        write = definition.write
        if write.value is None:
            return _Field(why=f"`{name}` is not set")
        if write.place.path == place.path and write.kind in ("declare", "set"):
            return _Field(write.value, where.frame)
        value = _peel(write.value)
        if len(write.place.path) < len(place.path):
            empty = value.kind == CursorKind.INIT_LIST_EXPR and not _given(value)
            made = value.kind == CursorKind.CALL_EXPR and not value.children
            if empty or (made and _braced(write.node)):
                return _Field(zero=True)
            if made:
                return _Field(why=f"`{name}` is not set")
            inner = place_of(value)
            if inner is not None and value.kind != CursorKind.CALL_EXPR:
                rest = place.path[len(write.place.path) :]
                return _field(slicer, _Where(inner, value, where.frame), *rest)
        return _Field(why=f"`{name}` cannot be read out of its initial value")
    if isinstance(definition, Opaque):
        call = definition.node
        if call.kind == CursorKind.CALL_EXPR and call.cursor.spelling == "memset":
            arguments = call.arguments()
            if len(arguments) == 3 and slicer.value(arguments[1], where.frame) == HostConst(0):
                return _Field(zero=True)
        return _Field(why=f"`{name}` is set in a loop or by a function")
    if isinstance(definition, Merge):
        return _Field(why=f"`{name}` depends on a condition at run time")
    initial = None if place.path else _initial(slicer, place)
    if initial is not None:
        return _Field(initial, where.frame)
    return _Field(why=f"`{name}` is not set in the function that creates the object")


def _initial(slicer: Slicer, place: Place) -> Node | None:
    """The initial value of a global variable that keeps it: nothing here or in other files can write it."""
    declaration = next((one for one in _globals(slicer) if declaration_key(one) == place.key), None)
    if declaration is None:
        return None
    for _, write in slicer.index.anywhere(place.key):
        arguments = write.node.arguments() if write.node.cursor.spelling in _ARRAYS else []
        if not arguments or place_of(arguments[0]) == place:  # allocations read the format that they are given
            return None
    settled = {name for one in slicer.program.context.given for name in one.settled}
    fixed = declaration.type.is_const_qualified() or declaration.linkage == LinkageKind.INTERNAL
    if not fixed and place.name not in settled:
        return None
    values = [child for child in declaration.get_children() if child.kind.is_expression()]
    return _tree(values[-1], None) if values else None


def _tree(cursor: Cursor, parent: Node | None) -> Node:
    node = Node(cursor, parent, 0)
    node.children = [_tree(child, node) for child in cursor.get_children()]
    return node


def _given(listed: Node) -> bool:
    """Whether an initialiser list has an item other than zero."""
    return any(one.kind != CursorKind.INTEGER_LITERAL or one.cursor.spelling not in ("", "0") or _value(one) != 0
               for one in listed.expressions())  # fmt: skip


def _is_null(node: Node) -> bool:
    inner = strip(node)
    null = (CursorKind.CXX_NULL_PTR_LITERAL_EXPR, CursorKind.GNU_NULL_EXPR)
    return inner.kind in null or _value(inner) == 0


def _value(node: Node) -> int | float | None:
    from migrate.parse.clang_extra import evaluate

    return evaluate(node.cursor)


def _braced(declaration: Node) -> bool:
    from migrate.parse.launches.source import source_text

    return "{" in source_text(declaration.cursor) or "(" in source_text(declaration.cursor)


def _number(slicer: Slicer, where: _Where, *path: str) -> tuple[int | None, str]:
    """The constant that a member holds, or None and why."""
    field = _field(slicer, where, *path)
    if field.zero:
        return 0, ""
    if field.node is None or field.frame is None:
        return None, field.why
    value = slicer.value(field.node, field.frame)
    if isinstance(value, HostConst):
        return int(value.value), ""
    return None, f"`{'.'.join(path).replace('.[', '[')}` depends on a run-time value"


def _with_state(slicer: Slicer, where: _Where, fact: TextureFact) -> TextureFact:
    reasons: list[str] = [fact.missing] if fact.missing else []

    def read(*path: str) -> int | None:
        value, why = _number(slicer, where, *path)
        if why:
            reasons.append(why)
        return value

    modes = (read("filterMode"), read("normalizedCoords"), read("readMode"))
    address: list[int | None] = []
    for axis in range(3):
        value, why = _number(slicer, where, "addressMode", f"[{axis}]")
        address.append(value)
        if why and axis == 0:
            reasons.append(why)
    border = any(_number(slicer, where, "borderColor", f"[{channel}]")[0] not in (0, None) for channel in range(4))
    writes = slicer.definitions(where.frame.function).writes.get(where.place.key, ())
    written = {part for write in writes for part in write.place.path}
    border = border or "borderColor" in written
    if _number(slicer, where, "sRGB")[0] != 0 and "sRGB" in written:
        return replace(fact, missing="sRGB texels may be converted")
    return replace(
        fact,
        filter=modes[0],
        normalized=modes[1],
        read=modes[2],
        address=(address[0], address[1], address[2]),
        missing=reasons[0] if reasons else "",
        border=border,
    )


# --- resources ------------------------------------------------------------------------------------------------------


def _of_resource(slicer: Slicer, where: _Where) -> TextureFact:
    number, why = _number(slicer, where, "resType")
    if number is None or not 0 <= number < len(_RESOURCES):
        return TextureFact(missing=why or "the kind of resource is not known")
    kind = _RESOURCES[number]
    if kind == "array":
        return _of_array(slicer, where)
    if kind == "mipmap":
        return TextureFact(resource=kind)
    memory = _field(slicer, where, "res", kind, "devPtr")
    allocation = ""
    if memory.node is not None and memory.frame is not None:
        fact = pointer_fact(slicer, memory.node, memory.frame)
        allocation = fact.allocation if isinstance(fact, PointerFact) else ""
    texel = _channels(slicer, where, "res", kind, "desc")
    if kind == "pitch2D":
        sizes = [_size(slicer, where, "res", kind, name) for name in ("width", "height")]
        return TextureFact(allocation, kind, texel, (sizes[0], sizes[1], None))
    width = _size(slicer, where, "res", kind, "sizeInBytes")
    if width is not None and texel is not None:
        width = fold(HostOp("truncdiv", (width, HostConst(_bytes(texel))), "int64"))
    else:
        width = None
    return TextureFact(allocation, kind, texel, (width, None, None))


def _bytes(texel: tuple[str, int]) -> int:
    return int(texel[0].lstrip("uintfloa")) // 8 * texel[1]


def _size(slicer: Slicer, where: _Where, *path: str) -> HostExpr | None:
    field = _field(slicer, where, *path)
    if field.node is None or field.frame is None:
        return None
    return slicer.value(field.node, field.frame, path[-1])


def _channels(slicer: Slicer, where: _Where, *path: str) -> tuple[str, int] | None:
    """The channel format in a member (or variable): from `cudaCreateChannelDesc`, or from its fields."""
    field = _field(slicer, where, *path)
    for _ in range(_FOLLOW):
        if field.node is None or field.frame is None:
            break
        node = _peel(field.node)
        if node.kind == CursorKind.CALL_EXPR and node.cursor.spelling.startswith("cudaCreateChannelDesc"):
            return _format(slicer, node, field.frame)
        place = place_of(node)
        if place is None:
            return None
        where, path = _Where(place, node, field.frame), ()
        field = _field(slicer, where)
    bits = [_number(slicer, where, *path, name)[0] for name in "xyzw"]
    kind = _number(slicer, where, *path, "f")[0]
    return _texel([bit or 0 for bit in bits], kind)


def _format(slicer: Slicer, call: Node, frame: Frame) -> tuple[str, int] | None:
    arguments = call.arguments()
    if len(arguments) == 5:
        values = [slicer.value(argument, frame) for argument in arguments]
        if not all(isinstance(value, HostConst) for value in values):
            return None
        numbers = [int(value.value) for value in values if isinstance(value, HostConst)]
        return _texel(numbers[:4], numbers[4])
    referenced = call.cursor.referenced
    if referenced is None or referenced.get_num_template_arguments() != 1:
        return None
    spelling = referenced.get_template_argument_type(0).get_canonical().spelling.replace("const ", "")
    match = _VECTOR.match(_SCALARS.get(spelling, spelling).rpartition("::")[2])
    if match is None or match.group(2) == "long":
        return None
    sign, kind, count = match.groups()
    dtype = "float32" if kind == "float" else f"{'u' if sign else ''}int{_BITS[kind]}"
    return dtype, int(count or 1)


def _texel(bits: list[int], kind: int | None) -> tuple[str, int] | None:
    used = [bit for bit in bits if bit]
    if kind is None or not 0 <= kind < len(_KINDS) or not used or len(set(used)) != 1 or bits[: len(used)] != used:
        return None
    return f"{_KINDS[kind]}{used[0]}", len(used)


def _of_array(slicer: Slicer, where: _Where) -> TextureFact:
    field = _field(slicer, where, "res", "array", "array")
    if field.node is None or field.frame is None:
        return TextureFact(resource="array", missing="")
    source = source_of(slicer, field.node, field.frame)
    if source is None:
        return TextureFact(resource="array")
    fact = TextureFact(_name(source), "array")
    made = list(_allocations(slicer, source))
    if len(made) != 1 or _changed_otherwise(slicer, source, {id(call) for call, _ in made}, made):
        return fact
    call, frame = made[0]
    arguments = call.arguments()
    texel = None
    described = place_of(arguments[1]) if len(arguments) > 1 else None
    if described is not None:
        texel = _channels(slicer, _Where(described, call, frame))
    return replace(fact, texel=texel, extents=_array_extents(slicer, call, frame))


def _name(where: _Where) -> str:
    own = any(declaration_key(parameter) == where.place.key for parameter in where.frame.function.parameters)
    return f"{where.frame.function.name}::{where.place.text()}" if own else where.place.text()


def _allocations(slicer: Slicer, where: _Where) -> Iterator[tuple[Node, Frame]]:
    """Calls that allocate the array that ``where`` names."""
    for function in list(slicer.program.functions.values()):
        for call in function.calls:
            arguments = call.arguments()
            if call.cursor.spelling in _ARRAYS and arguments and place_of(arguments[0]) == where.place:
                yield call, _frame_of(slicer, function, where.frame)


def _array_extents(
    slicer: Slicer, call: Node, frame: Frame
) -> tuple[HostExpr | None, HostExpr | None, HostExpr | None]:
    arguments = call.arguments()
    if call.cursor.spelling == "cudaMallocArray":
        sizes = [slicer.value(node, frame, name) for node, name in zip(arguments[2:4], ("width", "height"))]  # noqa: B905
        return (sizes[0] if sizes else None, sizes[1] if len(sizes) > 1 else None, None)
    if len(arguments) < 3:
        return None, None, None
    node, where = _peel(arguments[2]), frame
    for _ in range(_FOLLOW):
        if node.kind == CursorKind.CALL_EXPR and node.cursor.spelling == "make_cudaExtent":
            width, height, depth = (
                slicer.value(part, where, name)
                for part, name in zip(node.arguments(), ("width", "height", "depth"), strict=True)
            )
            return width, height, depth
        place = place_of(node)
        if place is None:
            break
        field = _field(slicer, _Where(place, node, where))
        if field.node is not None and field.frame is not None:
            node, where = _peel(field.node), field.frame
            continue
        following = _through_parameter(place, where)
        if following is None:
            break
        where, node = following[0], _peel(following[1])
    return None, None, None
