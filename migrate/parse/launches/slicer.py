"""Backward slicing of host expressions: a cursor in a frame → `HostExpr` over named roots."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from clang import cindex
from clang.cindex import CursorKind

from migrate.analysis.roles import last_name, role_of
from migrate.ir.host_eval import fold
from migrate.ir.launch import HostConst, HostExpr, HostOp
from migrate.parse.clang_extra import binary_operator, evaluate, pretty_print, unary_operator
from migrate.parse.launches import calls
from migrate.parse.launches.definitions import (
    Definition,
    Definitions,
    Merge,
    Opaque,
    Place,
    Unwritten,
    Write,
    WriteIndex,
    Written,
    declaration_key,
    initialiser,
    place_of,
)
from migrate.parse.launches.literals import is_literal, macro_name
from migrate.parse.launches.program import Frame, HostFunction, HostProgram, Node, strip
from migrate.parse.launches.roots import RootScope, RootState
from migrate.parse.launches.types import dtype_of, plain

DEPTH_LIMIT = 60
PITCH_UNIT = 512  # bytes that the pitch of an allocation is a multiple of on the GPUs of today
LEAST_LARGE = 1 << 15  # a constant from here on is a problem size whatever it is called
BINARY_OPERATIONS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truncdiv",
    "%": "truncmod",
    "<<": "shl",
    ">>": "shr",
    "<": "lt",
    ">": "gt",
    "<=": "le",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
    "&": "bitand",
    "|": "bitor",
    "^": "bitxor",
    "&&": "and",
    "||": "or",
}
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
_UNARY = {"-": "neg", "~": "bitnot", "!": "not"}


def operation(spelling: str, left: HostExpr, right: HostExpr, dtype: str) -> HostExpr | None:
    """The HostOp of a C binary operator; None for operators that are no host arithmetic."""
    name = BINARY_OPERATIONS.get(spelling)
    if name is None:
        return None
    if name == "truncdiv" and dtype in _FLOATS:
        name = "div"
    return fold(HostOp(name, (left, right), dtype))


class Slicer:
    """Slices expressions of one entry function's frames. Not thread-safe; one instance an entry function.

    ``fixed``: integer values that stay constants (template arguments of the launched kernel). ``assumed``: constants
    that variables (by declaration) have instead of what the source gives them.
    """

    def __init__(
        self,
        program: HostProgram,
        index: WriteIndex,
        scope: RootScope,
        device_names: frozenset[str],
        assumed: Mapping[int, int] | None = None,
    ):
        self.program = program
        self.index = index
        self.scope = scope
        self.device_names = device_names
        self.fixed: frozenset[int] = frozenset()
        self.assumed = dict(assumed or {})
        self._depth = 0
        self._known: dict[tuple[int, int, str, frozenset[int]], tuple[HostExpr, Node, Frame]] = {}

    def definitions(self, function: HostFunction) -> Definitions:
        """Writes of ``function``, collected once."""
        return self.index.of(function)

    def value(self, node: Node, frame: Frame, hint: str = "") -> HostExpr:
        """The value of ``node``; what cannot be reduced becomes a root. ``hint``: a name that says what it is."""
        key = (id(node), id(frame), hint, self.fixed)
        known = self._known.get(key)
        if known is not None:
            return known[0]
        self._depth += 1
        try:
            if self._depth > DEPTH_LIMIT:
                return self.unresolved(node, frame, hint)
            found = fold(self._value(node, frame, hint))
        finally:
            self._depth -= 1
        self._known[key] = (found, node, frame)
        return found

    def savepoint(self) -> tuple[int, RootState]:
        """State for `restore`."""
        return len(self._known), self.scope.savepoint()

    def restore(self, saved: tuple[int, RootState]) -> None:
        """Forgets the roots made since `savepoint`, and the values that may mention them."""
        while len(self._known) > saved[0]:
            self._known.popitem()
        self.scope.restore(saved[1])

    def unresolved(self, node: Node, frame: Frame, hint: str = "") -> HostExpr:
        """A root for an expression that slicing cannot look into."""
        text = " ".join(pretty_print(node.cursor).split()) or hint or "value"
        if len(text) > 48:
            text = hint or last_name(node.cursor.spelling) or f"value@{node.cursor.location.line}"
        origin = "argv" if "argv" in text or "argc" in text else "unresolved"
        dtype = dtype_of(node.cursor.type) or "int64"
        span = self.program.context.span(node.cursor)
        return self.scope.root(("node", frame.function.key, node.order), text, dtype, origin, span, hint=hint)

    def _value(self, node: Node, frame: Frame, hint: str) -> HostExpr:
        cursor, kind = node.cursor, node.kind
        if is_literal(node):
            return self._literal(node, hint)
        inner = strip(node)
        if inner is not node:
            return self._converted(node, inner, frame, hint)
        if kind == CursorKind.DECL_REF_EXPR:
            return self._reference(node, frame, hint)
        if kind == CursorKind.BINARY_OPERATOR and len(node.children) == 2:
            return self._binary(node, frame, hint)
        if kind == CursorKind.UNARY_OPERATOR:
            spelling = unary_operator(cursor) or ""
            if spelling in ("x++", "x--"):
                return self.value(node.children[0], frame, hint)
            if spelling == "+":
                return self.value(node.children[0], frame, hint)
            if spelling in _UNARY:
                dtype = "bool" if spelling == "!" else dtype_of(cursor.type) or "int64"
                return HostOp(_UNARY[spelling], (self.value(node.children[0], frame),), dtype)
        if kind == CursorKind.CONDITIONAL_OPERATOR and len(node.children) == 3:
            return self._conditional(node, frame, hint)
        if kind == CursorKind.CALL_EXPR:
            found = calls.value_of_call(self, node, frame, hint)
            return found if found is not None else self.unresolved(node, frame, hint)
        place = place_of(node)
        if place is not None:
            return self.place_value(place, node, frame, hint)
        if kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
            return self._element(node, frame, hint)
        constant = evaluate(cursor)
        if constant is not None:
            return HostConst(constant)
        return self.unresolved(node, frame, hint)

    def _conditional(self, node: Node, frame: Frame, hint: str) -> HostExpr:
        """``c ? a : b``; a default that the command line may replace is a root with the default as guess."""
        saved = self.savepoint()
        condition, then, otherwise = (self.value(child, frame, hint) for child in node.children)
        used = self.scope.used([condition, then, otherwise])
        dtype = dtype_of(node.cursor.type) or "int64"
        if not hint or all(info.origin != "argv" for info in used):
            return HostOp("select", (condition, then, otherwise), dtype)
        constants = [side.value for side in (then, otherwise) if isinstance(side, HostConst)]
        constants += [info.value for info in used if info.value is not None]
        self.restore(saved)
        key = ("node", frame.function.key, node.order)
        span = self.program.context.span(node.cursor)
        return self.scope.root(key, hint, dtype, "argv", span, value=constants[0] if constants else None)

    def _element(self, node: Node, frame: Frame, hint: str) -> HostExpr:
        """An element of a constant table by a varying index (a loop over block sizes): a root, guessed to be the middle
        one."""
        parts = node.expressions()
        place = place_of(parts[0]) if len(parts) == 2 else None
        if place is None:
            return self.unresolved(node, frame, hint)
        index = self.value(parts[1], frame)
        if isinstance(index, HostConst):
            return self.place_value(Place(place.key, place.name, (*place.path, f"[{index.value}]")), node, frame, hint)
        initial: int | float | None = None
        definition = self.definitions(frame.function).before(place, node)
        if isinstance(definition, Written) and definition.write.value is not None:
            listed = [evaluate(part.cursor) for part in strip(definition.write.value).expressions()]
            known = sorted(value for value in listed if value is not None)
            initial = known[len(known) // 2] if known and len(known) == len(listed) else None
        deeper = Place(place.key, hint or place.name)
        dtype = dtype_of(node.cursor.type) or "int64"
        return self._place_root(deeper, node, frame, dtype, hint, node, initial)

    def _literal(self, node: Node, hint: str) -> HostExpr:
        constant = evaluate(node.cursor)
        assert constant is not None
        name = macro_name(node)
        if name is None or name in self.device_names or not self._may_vary(name, constant):
            return HostConst(constant)
        span = self.program.context.span(node.cursor)
        dtype = dtype_of(node.cursor.type) or "int64"
        return self.scope.root(("macro", name), name, dtype, "constant", span, value=constant)

    def _may_vary(self, name: str, constant: int | float) -> bool:
        """Whether a host constant of this name is a problem size rather than part of the kernel."""
        if isinstance(constant, float) or constant <= 1 or constant in self.fixed:
            return False
        role = role_of(name)[0]
        return role in ("size", "count") or (role == "other" and constant >= LEAST_LARGE)

    def _converted(self, node: Node, inner: Node, frame: Frame, hint: str) -> HostExpr:
        value = self.value(inner, frame, hint)
        target, source = dtype_of(node.cursor.type), dtype_of(inner.cursor.type)
        if target is None or target == source:
            return value
        if isinstance(value, HostConst) and isinstance(value.value, int) and value.value >= 0 and target != "bool":
            return fold(HostOp(f"cast:{target}", (value,), target))
        return HostOp(f"cast:{target}", (value,), target)

    def _binary(self, node: Node, frame: Frame, hint: str) -> HostExpr:
        spelling = binary_operator(node.cursor) or ""
        if spelling == "=":
            return self.value(node.children[1], frame, hint)
        if spelling == ",":
            return self.value(node.children[1], frame, hint)
        dtype = dtype_of(node.cursor.type)
        left_type = dtype_of(node.children[0].cursor.type)
        if dtype is None or left_type is None:
            return self.unresolved(node, frame, hint)
        left, right = (self.value(child, frame) for child in node.children)
        found = operation(spelling, left, right, dtype)
        return found if found is not None else self.unresolved(node, frame, hint)

    def _reference(self, node: Node, frame: Frame, hint: str) -> HostExpr:
        referenced = node.cursor.referenced
        if referenced is None:  # a template parameter in a specialisation stands for its literal
            return self.value(node.children[0], frame, hint) if node.children else self.unresolved(node, frame, hint)
        kind = referenced.kind
        if kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            place = Place(declaration_key(referenced), node.cursor.spelling)
            return self.place_value(place, node, frame, hint)
        constant = evaluate(node.cursor)
        if constant is not None:
            return HostConst(constant)
        name = node.cursor.spelling or hint or "value"
        dtype = dtype_of(node.cursor.type) or "int64"
        key = ("template", frame.function.key, name)
        return self.scope.root(key, name, dtype, "parameter", self.program.context.span(node.cursor), hint=hint)

    def place_value(self, place: Place, node: Node, frame: Frame, hint: str = "") -> HostExpr:
        """What ``place`` holds when ``node`` of ``frame`` is evaluated."""
        if place.key in self.assumed and not place.path:
            return HostConst(self.assumed[place.key])
        dtype = dtype_of(node.cursor.type) or "int64"
        definition = self.definitions(frame.function).before(place, node)
        return self.definition_value(place, definition, node, frame, dtype, hint)

    def definition_value(
        self, place: Place, definition: Definition, node: Node, frame: Frame, dtype: str, hint: str = ""
    ) -> HostExpr:
        """The value of a definition of ``place``; see `Definition`."""
        if isinstance(definition, Written):
            value = self._written(place, definition.write, frame, dtype)
            if value is not None:
                return value
            return self._place_root(place, definition.write.node, frame, dtype, hint, node)
        if isinstance(definition, Merge):
            return self._merged(place, definition, node, frame, dtype, hint)
        if isinstance(definition, Opaque):
            initial = self._initial(place, definition.initial, node, frame, dtype)
            return self._place_root(place, definition.node, frame, dtype, hint, node, initial)
        return self._from_outside(place, node, frame, dtype, hint)

    def _initial(
        self, place: Place, definition: Definition, node: Node, frame: Frame, dtype: str
    ) -> int | float | None:
        """A constant that held before an opaque change: a good guess."""
        if isinstance(definition, Unwritten | Opaque | Merge) or definition.write.value is None:
            return None
        constant = evaluate(definition.write.value.cursor) if is_literal(definition.write.value) else None
        accumulates = constant in (0, 1) and role_of(place.text())[0] in ("size", "count", "block")
        return None if accumulates else constant  # 1, then multiplied in a loop: a size that starts at 1

    def _written(self, place: Place, write: Write, frame: Frame, dtype: str) -> HostExpr | None:
        rest = place.path[len(write.place.path) :]
        if write.kind in ("update", "step"):
            if rest or len(write.place.path) > len(place.path):
                return None
            before = self.definitions(frame.function).before(place, write.node)
            old = self.definition_value(place, before, write.node, frame, dtype)
            change = self.value(write.value, frame) if write.value is not None else HostConst(1)
            return operation(write.operator, old, change, dtype)
        if write.kind == "pitch" and write.value is not None and not rest:
            return self.convert(self.pitch(write.value, frame), write.value, dtype)
        if write.kind not in ("declare", "set") or write.value is None or len(write.place.path) > len(place.path):
            return None
        if rest:
            return self._member(write.value, rest, frame, place)
        if write.kind == "declare" and is_literal(write.value):
            return self._declared_constant(place, write, write.value, dtype)
        return self.convert(self.value(write.value, frame, place.text()), write.value, dtype)

    def pitch(self, width: Node, frame: Frame) -> HostExpr:
        """Bytes from row to row of what ``cudaMallocPitch`` allocates for rows of ``width`` bytes."""
        wide = HostOp("cast:uint64", (self.value(width, frame, "width"),), "uint64")
        units = HostOp(
            "truncdiv", (HostOp("add", (wide, HostConst(PITCH_UNIT - 1)), "uint64"), HostConst(PITCH_UNIT)), "uint64"
        )
        return fold(HostOp("mul", (units, HostConst(PITCH_UNIT)), "uint64"))

    def allocated(self, write: Write, frame: Frame) -> HostExpr | None:
        """Bytes of a write of kind "allocate"."""
        if write.value is None:
            return None
        if write.rows is None:
            return self.value(write.value, frame)
        rows = HostOp("cast:uint64", (self.value(write.rows, frame, "height"),), "uint64")
        return fold(HostOp("mul", (self.pitch(write.value, frame), rows), "uint64"))

    def convert(self, value: HostExpr, source: Node, dtype: str) -> HostExpr:
        """``value`` of ``source`` stored in a variable of ``dtype``."""
        if dtype_of(source.cursor.type) in (None, dtype):
            return value
        return fold(HostOp(f"cast:{dtype}", (value,), dtype))

    def _declared_constant(self, place: Place, write: Write, literal: Node, dtype: str) -> HostExpr:
        constant = evaluate(literal.cursor)
        assert constant is not None
        macro = macro_name(literal)
        if (macro is not None and macro in self.device_names) or not self._may_vary(place.name, constant):
            return fold(HostOp(f"cast:{dtype}", (HostConst(constant),), dtype))
        if macro is not None and self._may_vary(macro, constant):
            return self.convert(self._literal(literal, place.name), literal, dtype)
        span = self.program.context.span(write.node.cursor)
        return self.scope.root(("constant", place.key), place.text(), dtype, "constant", span, value=constant)

    def _member(self, source: Node, rest: tuple[str, ...], frame: Frame, place: Place) -> HostExpr | None:
        """Member ``rest`` of the record value ``source``."""
        source = strip(source)
        if len(rest) == 1 and rest[0] in ("x", "y", "z") and _is_dim3(source):
            from migrate.parse.launches.geometry import component

            return component(self, source, frame, rest[0])
        if source.kind == CursorKind.CALL_EXPR and len(source.children) == 1 and place_of(source.children[0]):
            source = strip(source.children[0])  # copy construction
        if source.kind == CursorKind.INIT_LIST_EXPR and len(rest) == 1:
            return self._listed(source, rest[0], frame)
        inner = place_of(source)
        if inner is not None and source.kind != CursorKind.CALL_EXPR:
            deeper = Place(inner.key, inner.name, (*inner.path, *rest))
            return self.place_value(deeper, source, frame)
        return None

    def _listed(self, source: Node, part: str, frame: Frame) -> HostExpr | None:
        parts = source.expressions()
        if part.startswith("["):
            position = int(part[1:-1]) if part[1:-1].isdigit() else len(parts)
        else:
            fields = [one.spelling for one in source.cursor.type.get_canonical().get_fields()]
            position = fields.index(part) if part in fields else len(parts)
        return self.value(parts[position], frame, part) if position < len(parts) else None

    def _merged(self, place: Place, merge: Merge, node: Node, frame: Frame, dtype: str, hint: str) -> HostExpr:
        def side(definition: Definition) -> HostExpr:
            return self.definition_value(place, definition, merge.node, frame, dtype, hint)

        return self.merged(place, merge, node, frame, dtype, side, hint)

    def merged(
        self,
        place: Place,
        merge: Merge,
        node: Node,
        frame: Frame,
        dtype: str,
        side: Callable[[Definition], HostExpr],
        hint: str = "",
    ) -> HostExpr:
        """One of two definitions of ``place``, each evaluated by ``side``.

        Where the command line decides, ``place`` is a root of its own and the constant side its first guess.
        """
        saved = self.savepoint()
        condition = self.value(merge.condition, frame)
        then, otherwise = side(merge.then), side(merge.otherwise)
        if self._is_free(condition) or self._is_unresolved(then) or self._is_unresolved(otherwise):
            constants = [one.value for one in (otherwise, then) if isinstance(one, HostConst)]
            constants += [
                info.value for one in (otherwise, then) for info in self.scope.used([one]) if info.value is not None
            ]
            initial = constants[0] if constants else None
            self.restore(saved)
            return self._place_root(place, merge.node, frame, dtype, hint, node, initial)
        return then if then == otherwise else HostOp("select", (condition, then, otherwise), dtype)

    def _is_free(self, expression: HostExpr) -> bool:
        return any(info.origin in ("argv", "unresolved") for info in self.scope.used([expression])) or (
            "argc" in {info.name for info in self.scope.used([expression])}
        )

    def _is_unresolved(self, expression: HostExpr) -> bool:
        return any(info.origin in ("argv", "unresolved") for info in self.scope.used([expression]))

    def _from_outside(self, place: Place, node: Node, frame: Frame, dtype: str, hint: str) -> HostExpr:
        """A place that this function does not write: a parameter, a global, a field."""
        for parameter in frame.function.parameters:
            if declaration_key(parameter) == place.key:
                return self._from_caller(place, parameter, node, frame, dtype, hint)
        declaration = self._declaration(node)
        if declaration is not None and not place.path and declaration.kind == CursorKind.VAR_DECL:
            found = self._global(place, declaration, dtype)
            if found is not None:
                return found
        if declaration is not None and declaration.kind in (CursorKind.FIELD_DECL, CursorKind.VAR_DECL):
            constant = evaluate(declaration)
            if constant is not None and declaration.type.is_const_qualified():
                return HostConst(constant)
        return self._place_root(place, None, frame, dtype, hint, node)

    def _declaration(self, node: Node) -> cindex.Cursor | None:
        inner = strip(node)
        return inner.cursor.referenced if inner.kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR) else None

    def _global(self, place: Place, declaration: cindex.Cursor, dtype: str) -> HostExpr | None:
        """A global (or captured) variable that is written nowhere but in its initialiser."""
        written = any(not write.place.path for _, write in self.index.anywhere(place.key))
        constant = None if written else evaluate(declaration)
        if constant is None:
            return None
        if place.name in self.device_names or not self._may_vary(place.name, constant):
            return HostConst(constant)
        span = self.program.context.span(declaration)
        return self.scope.root(("constant", place.key), place.name, dtype, "constant", span, value=constant)

    def _from_caller(
        self, place: Place, parameter: cindex.Cursor, node: Node, frame: Frame, dtype: str, hint: str
    ) -> HostExpr:
        argument = frame.argument(parameter)
        if argument is None or frame.caller is None:
            return self._place_root(place, None, frame, dtype, hint, node, origin="parameter")
        inner = strip(argument)
        if place.path:
            found = self._member(inner, place.path, frame.caller, place)
            return found if found is not None else self._place_root(place, None, frame, dtype, hint, node)
        if is_literal(argument) and macro_name(argument) is None:
            constant = evaluate(argument.cursor)
            if constant is not None and self._may_vary(place.name, constant):
                key = ("argument", frame.caller.function.key, argument.order)
                span = self.program.context.span(argument.cursor)
                return self.scope.root(key, place.name, dtype, "constant", span, value=constant)
        return self.convert(self.value(argument, frame.caller, place.name), argument, dtype)

    def _place_root(
        self,
        place: Place,
        version: Node | None,
        frame: Frame,
        dtype: str,
        hint: str,
        node: Node,
        initial: int | float | None = None,
        origin: str = "unresolved",
    ) -> HostExpr:
        order = -1 if version is None else version.order
        key = ("place", place.key, place.path, order)
        if place.name in ("argc", "argv"):
            origin = "argv"
        span = self.program.context.span(node.cursor)
        guessed = role_of(place.text())[1] is None
        return self.scope.root(
            key, place.text(), dtype, origin, span, hint=hint if guessed and hint else "", value=initial
        )


def _is_dim3(node: Node) -> bool:
    return bool(plain(node.cursor.type).spelling.replace("const ", "") in ("dim3", "uint3"))


__all__ = ["Slicer", "initialiser", "operation"]
