"""Texture and surface arguments of launches: from the object back to its descriptors and the array behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from clang.cindex import Cursor, CursorKind, LinkageKind

from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp, HostParameter, PointerFact, TextureFact
from migrate.parse.clang_extra import binary_operator
from migrate.parse.launches.definitions import (
    Merge,
    Opaque,
    Place,
    Unwritten,
    Written,
    declaration_key,
    initialiser,
    place_of,
)
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
_CALLERS = 24  # ways to reach a function that creates objects; more are not told apart
_DESCRIPTIONS = frozenset({"cudaTextureDesc", "cudaResourceDesc", "cudaChannelFormatDesc"})


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
    if any(slicer.index.plain.changes(where.place)) or slicer.index.plain.crosses_lambda(where.place):
        awaited = None
    told = next((one for one in slicer.program.context.given if one.parameter == awaited), None)
    if told is not None:
        own = _global(slicer, told.variable, where) if told.variable else None
        if own is None:
            return told.fact
        where, awaited = own, None
    calls = list(_creations(slicer, where, kind))
    found = [_created(slicer, call, inner, kind) for call, inner in calls]
    if found and _changed_otherwise(slicer, where, {id(call) for call, _ in calls}):
        return TextureFact(missing=f"`{where.place.text()}` is not only set by {_CREATE[kind]}")
    if not found:
        missing = f"no {_CREATE[kind]} for `{where.place.text()}` is in this file"
        return TextureFact(missing=missing, awaits=awaited)
    if len(found) >= _CALLERS:
        return TextureFact(missing=f"`{where.place.text()}` is created for too many callers to follow them all")
    if any(replace(other, extents=found[0].extents) != found[0] for other in found[1:]):
        return TextureFact(missing=f"`{where.place.text()}` is created with different states or arrays")
    if any(other.extents != found[0].extents for other in found[1:]):
        return replace(found[0], extents=(None, None, None))
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
            if node.cursor.referenced.is_virtual_method():
                return None
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
                if any(use.kind == "create" for use in slicer.index.plain.changes(place)):
                    return _Where(place, node, frame)
                if not _is_plain_copy(slicer, _Where(place, node, frame)):
                    return None
                node = value
                continue
            return _Where(place, node, frame)
        following = _through_parameter(place, frame)
        if following is None or not isinstance(definition, Unwritten):
            return _Where(place, node, frame)
        if any(slicer.index.plain.changes(place)) or slicer.index.plain.crosses_lambda(place):
            return None
        outer, argument_node = following
        if place.path:
            base = place_of(_peel(argument_node))
            if base is None or frame.caller is None:
                return None
            return _Where(Place(base.key, base.name, (*base.path, *place.path)), argument_node, outer)
        node, frame = _peel(argument_node), outer
    return None


def _is_plain_copy(slicer: Slicer, where: _Where) -> bool:
    """Whether a variable that holds a copy of an object changes only by assignments that `Definitions` sees."""
    plain = slicer.index.plain
    changes = list(plain.changes(where.place))
    if plain.is_indirect(where.place) or plain.crosses_lambda(where.place) or any(use.kind != "set" for use in changes):
        return False
    if plain.is_local(where.place):
        return not plain.label_before(where.frame.function, where.node)
    declared = plain.initial(where.place)
    return len(changes) == 1 and declared is None and not plain.seen_outside(where.place)


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
                yield from ((call, frame) for frame in _frames_of(slicer, function, where))
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


def _changed_otherwise(slicer: Slicer, where: _Where, known: set[int]) -> bool:
    """Whether anything but the calls ``known`` may write the variable, zero excepted."""
    plain = slicer.index.plain
    if plain.is_indirect(where.place):
        return True
    for use in plain.changes(where.place):
        if use.kind == "create" and id(use.node) in known:
            continue
        if use.kind == "set" and (use.value is None or _is_zero(use.value)):
            continue
        return True
    declared = plain.initial(where.place)
    if declared is not None and declared.kind == CursorKind.VAR_DECL:
        value = initialiser(declared)
        if value is not None and not _is_zero(value) and not _is_unset(slicer, value):
            return True
    return not plain.is_local(where.place) and plain.seen_outside(where.place)


def _is_zero(node: Node) -> bool:
    value = _peel(node)
    if value.kind == CursorKind.INIT_LIST_EXPR:
        return not _given(value)
    return _is_null(value)


def _is_unset(slicer: Slicer, value: Node) -> bool:
    """Whether an initialiser is a constructor without arguments that the file does not define."""
    made = _peel(value)
    return made.kind == CursorKind.CALL_EXPR and not made.children and slicer.program.definition(made) is None


def _members(place: Place) -> bool:
    return any(not part.startswith("[*") for part in place.path)


def _frames_of(slicer: Slicer, function: HostFunction, where: _Where) -> list[Frame]:
    """Frames in which ``function`` may set the variable of ``where``: its own if it is local, else all of them."""
    if function is where.frame.function and slicer.index.plain.is_local(where.place):
        return [where.frame]
    return slicer.program.frames(function, _CALLERS)


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
    """What a member holds: a node in a frame, or zero; ``why`` where neither is known. ``unset``: never written."""

    node: Node | None = None
    frame: Frame | None = None
    zero: bool = False
    why: str = ""
    unset: bool = False


def _unsure(slicer: Slicer, where: _Where, place: Place) -> str:
    """Why `Definitions` may miss a change of ``place``, "" if it cannot."""
    plain, name = slicer.index.plain, place.text()
    if plain.is_indirect(place):
        return f"`{name}` is reached through a pointer or reference"
    if not plain.is_local(place):
        return f"`{place.name}` is not a local variable of the function that creates the object"
    for use in plain.changes(place):
        if use.kind != "set":
            line = use.node.cursor.location.line
            return f"`{name}` may be changed by a function, pointer or reference (line {line})"
    if plain.crosses_lambda(place):
        return f"`{place.name}` is used in a lambda"
    if plain.label_before(where.frame.function, where.node):
        return f"`goto` may change the order in which `{name}` is set"
    return ""


def _field(slicer: Slicer, where: _Where, *path: str) -> _Field:
    place = Place(where.place.key, where.place.name, (*where.place.path, *path))
    definition = slicer.definitions(where.frame.function).before(place, where.node)
    name = place.text()
    unsure = _unsure(slicer, where, place)
    if unsure:
        initial = None if place.path else _initial(slicer, place)
        return _Field(why=unsure) if initial is None else _Field(initial, where.frame)
    if isinstance(definition, Written):
        write = definition.write
        if write.value is None:
            return _Field(why=f"`{name}` is not set", unset=write.kind == "declare")
        if write.place.path == place.path and write.kind in ("declare", "set"):
            return _Field(write.value, where.frame)
        value = _peel(write.value)
        if len(write.place.path) < len(place.path):
            described = _type_name(value) in _DESCRIPTIONS
            empty = described and value.kind == CursorKind.INIT_LIST_EXPR and not _given(value)
            made = described and value.kind == CursorKind.CALL_EXPR and not value.children
            if empty or (made and _braced(write.node)):
                return _Field(zero=True)
            if made:
                return _Field(why=f"`{name}` is not set", unset=True)
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
    following = _through_parameter(place, where.frame)
    if following is not None:
        argument = _peel(following[1])
        given = place_of(argument)
        if given is not None and argument.kind not in (CursorKind.CALL_EXPR, CursorKind.UNARY_OPERATOR):
            return _field(slicer, _Where(given, following[1], following[0]), *place.path)
    return _Field(why=f"`{name}` is not set in the function that creates the object")


def _type_name(node: Node) -> str:
    return str(node.cursor.type.get_canonical().spelling).replace("const ", "").replace("struct ", "")


def _initial(slicer: Slicer, place: Place) -> Node | None:
    """The initial value of a global variable that keeps it: nothing here or in other files can write it."""
    declaration = next((one for one in _globals(slicer) if declaration_key(one) == place.key), None)
    if declaration is None:
        return None
    plain = slicer.index.plain
    if any(plain.changes(place)) or plain.seen_outside(place):
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

    return source_text(declaration.cursor).rstrip().endswith(("}", ")"))


def _number(slicer: Slicer, where: _Where, *path: str) -> tuple[int | float | None, str]:
    """The constant that a member holds, or None and why; "" for a member that is never written."""
    field = _field(slicer, where, *path)
    if field.zero:
        return 0, ""
    if field.node is None or field.frame is None:
        return None, "" if field.unset else field.why
    node = strip(field.node)
    while node.kind == CursorKind.BINARY_OPERATOR and binary_operator(node.cursor) == "=":
        node = strip(node.children[1])
    if _certain(slicer, node, field.frame):
        value = slicer.value(node, field.frame)
        if isinstance(value, HostConst):
            return value.value, ""
    return None, f"`{'.'.join(path).replace('.[', '[')}` depends on a run-time value"


def _certain(slicer: Slicer, node: Node, frame: Frame, depth: int = 0) -> bool:
    """Whether everything that the value of ``node`` is made of is a constant, or a local variable fully followed."""
    if depth > _FOLLOW:
        return False
    for part in node.walk():
        if part.kind in (CursorKind.LAMBDA_EXPR, CursorKind.StmtExpr, CursorKind.MEMBER_REF_EXPR):
            return False
        if part.kind == CursorKind.CALL_EXPR and not _constructs(part):
            return False
        if part.kind != CursorKind.DECL_REF_EXPR or _value(part) is not None:
            continue
        place = place_of(part)
        if place is None:
            if part.cursor.referenced is None or part.cursor.referenced.kind != CursorKind.ENUM_CONSTANT_DECL:
                return False
            continue
        if place.key in slicer.assumed or _unsure(slicer, _Where(place, part, frame), place):
            return False
        definition = slicer.definitions(frame.function).before(place, part)
        if isinstance(definition, Written):
            write = definition.write
            if write.kind not in ("declare", "set") or write.place.path or write.value is None:
                return False
            if not _certain(slicer, write.value, frame, depth + 1):
                return False
            continue
        following = _through_parameter(place, frame)
        if not isinstance(definition, Unwritten) or following is None:
            return False
        if not _certain(slicer, following[1], following[0], depth + 1):
            return False
    return True


def _with_state(slicer: Slicer, where: _Where, fact: TextureFact) -> TextureFact:
    if fact.missing:
        return fact
    reasons: list[str] = []

    def read(*path: str) -> int | None:
        value, why = _number(slicer, where, *path)
        if value is None:
            reasons.append(why or f"`{where.place.text()}.{path[0]}` is not set")
        return None if value is None else int(value)

    modes = (read("filterMode"), read("normalizedCoords"), read("readMode"))
    address = (read("addressMode", "[0]"), _axis(slicer, where, 1), _axis(slicer, where, 2))
    # A member that is never written is as good as zero: what a program leaves unset it cannot rely on.
    coded, why = _number(slicer, where, "sRGB")
    if coded or why:
        return replace(fact, missing=f"sRGB texels may be converted{': ' + why if why else ''}")
    colours = [_number(slicer, where, "borderColor", f"[{channel}]") for channel in range(4)]
    return replace(
        fact,
        filter=modes[0],
        normalized=modes[1],
        read=modes[2],
        address=address,
        missing=reasons[0] if reasons else "",
        border=any(value or why for value, why in colours),
    )


def _axis(slicer: Slicer, where: _Where, axis: int) -> int | None:
    value = _number(slicer, where, "addressMode", f"[{axis}]")[0]
    return None if value is None else int(value)


# --- resources ------------------------------------------------------------------------------------------------------


def _of_resource(slicer: Slicer, where: _Where) -> TextureFact:
    number, why = _number(slicer, where, "resType")
    if number is None or not 0 <= number < len(_RESOURCES):
        return TextureFact(missing=why or "the kind of resource is not known")
    kind = _RESOURCES[int(number)]
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
    numbers = [_number(slicer, where, *path, name) for name in "xyzwf"]
    if any(why for _, why in numbers) or numbers[4][0] is None:
        return None
    return _texel([int(bit or 0) for bit, _ in numbers[:4]], int(numbers[4][0]))


def _format(slicer: Slicer, call: Node, frame: Frame) -> tuple[str, int] | None:
    arguments = call.arguments()
    if len(arguments) == 5:
        values = [slicer.value(argument, frame) for argument in arguments]
        if not all(isinstance(value, HostConst) for value in values):
            return None
        if not all(_certain(slicer, argument, frame) for argument in arguments):
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


def _texel(bits: list[int], kind: int) -> tuple[str, int] | None:
    used = [bit for bit in bits if bit]
    if not 0 <= kind < len(_KINDS) or not used or len(set(used)) != 1 or bits[: len(used)] != used:
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
    if not made or _changed_otherwise(slicer, source, {id(call) for call, _ in made}):
        return fact
    if len({id(call) for call, _ in made}) > 1 or len(made) >= _CALLERS:
        return fact
    call, frame = made[0]
    arguments = call.arguments()
    described = place_of(arguments[1]) if len(arguments) > 1 else None
    texels = set()
    if described is not None:
        texels = {_channels(slicer, _Where(described, call, one)) for _, one in made}
    texel = texels.pop() if len(texels) == 1 else None
    all_extents = {_array_extents(slicer, call, one) for _, one in made}
    extents = _array_extents(slicer, call, frame) if len(all_extents) == 1 else (None, None, None)
    return replace(fact, texel=texel, extents=extents)


def _name(where: _Where) -> str:
    own = any(declaration_key(parameter) == where.place.key for parameter in where.frame.function.parameters)
    return f"{where.frame.function.name}::{where.place.text()}" if own else where.place.text()


def _allocations(slicer: Slicer, where: _Where) -> Iterator[tuple[Node, Frame]]:
    """Calls that allocate the array that ``where`` names."""
    for function in list(slicer.program.functions.values()):
        for call in function.calls:
            arguments = call.arguments()
            if call.cursor.spelling in _ARRAYS and arguments and place_of(arguments[0]) == where.place:
                yield from ((call, frame) for frame in _frames_of(slicer, function, where))


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
