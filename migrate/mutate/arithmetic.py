"""Mistakes about what: casts, constants, initial values, operands and operators."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.mutate.view import FLOATS, INTEGERS, BuilderView, Mutation, called

_NARROWER = {
    "float64": "float32",
    "float32": "float16",
    "int64": "int32",
    "uint64": "uint32",
    "int32": "int16",
    "uint32": "uint16",
    "int16": "int8",
    "uint16": "uint8",
}
_OPERAND_ORDER = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
_OTHER_OPERATOR = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.BitAnd: "|", ast.BitOr: "&", ast.BitXor: "|"}
_ORDERED_CALLS = frozenset({"truncdiv", "truncmod", "ieee_sub", "ieee_fdiv", "pow", "atan2"})
_OTHER_CALL = {"max": "min", "min": "max", "atomic_add": "atomic_max", "atomic_max": "atomic_min", "floor": "ceil",
               "atomic_min": "atomic_max", "ceil": "floor", "exp": "exp2", "log": "log2", "sqrt": "rsqrt"}  # fmt: skip
_FLOORED = {"truncdiv": "//", "truncmod": "%"}
# What stands in these calls is no value of the computation.
_STRUCTURE = frozenset({"alloc_shared", "alloc_local", "get_thread_binding", "Kernel", "Tensor", "dynamic", "unroll"})


def wrong_cast(view: BuilderView) -> Iterator[Mutation]:
    """A conversion left out, to a narrower type, or rounded down instead of toward zero.

    Widening an index to 64 bits is left alone: it shows only past 2**31 elements (see `index_width`).
    """
    for node in view.body():
        found = _cast(view, node)
        if found is None:
            continue
        call, operand, dtype = found
        if _only_widens(view, operand, dtype):
            continue
        yield view.mutation("wrong_cast", call, f"({view.source(operand)})", f"no cast to {dtype}")
        narrower = _NARROWER.get(dtype)
        if narrower is not None and dtype != "int64":
            text = f'T.cast(T.cast({view.source(operand)}, "{narrower}"), "{dtype}")'
            yield view.mutation("wrong_cast", call, text, f"through {narrower}")
        if dtype in INTEGERS and view.dtype(operand) in FLOATS:
            text = f'T.cast(T.floor({view.source(operand)}), "{dtype}")'
            yield view.mutation("wrong_cast", call, text, "rounds down instead of toward zero")


def index_width(view: BuilderView) -> Iterator[Mutation]:
    """The 64-bit widening of an index left out. Shows past 2**31 elements only: listed, not run by default."""
    for node in view.body():
        found = _cast(view, node)
        if found is not None and _only_widens(view, found[1], found[2]):
            yield view.mutation("index_width", found[0], f"({view.source(found[1])})", "index not widened")


def wrong_initial(view: BuilderView) -> Iterator[Mutation]:
    """A variable that starts with another value or has a narrower type."""
    for node in view.body():
        if called(node) != "alloc_var" or not isinstance(node, ast.Call):
            continue
        kind = node.args[0]
        initial = next((keyword.value for keyword in node.keywords if keyword.arg == "init"), None)
        dtype = str(kind.value) if isinstance(kind, ast.Constant) and isinstance(kind.value, str) else ""
        if initial is not None and dtype != "bool":
            infinite = any(called(part) == "infinity" for part in ast.walk(initial))
            text = f'T.cast(0, "{dtype}")' if infinite else f"({view.source(initial)}) + 1"
            yield view.mutation("wrong_initial", initial, text, "other initial value")
        narrower = _NARROWER.get(dtype)
        if narrower is not None and initial is not None:
            call = f'T.alloc_var("{narrower}", init=T.cast({view.source(initial)}, "{narrower}"))'
            yield view.mutation("wrong_initial", node, call, f"{narrower} for {dtype}")


def swapped_operands(view: BuilderView) -> Iterator[Mutation]:
    """``b - a`` for ``a - b``, and the outcomes of a selection exchanged."""
    for node in view.body():
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERAND_ORDER):
            left, right = node.left, node.right
        elif isinstance(node, ast.Call) and called(node) in _ORDERED_CALLS and len(node.args) == 2:
            left, right = node.args
        elif isinstance(node, ast.Call) and called(node) == "if_then_else":
            left, right = node.args[1], node.args[2]
        else:
            continue
        splices = (view.replace(left, f"({view.source(right)})"), view.replace(right, f"({view.source(left)})"))
        yield Mutation("swapped_operands", node.lineno, node.col_offset, "operands exchanged", splices)


def floor_division(view: BuilderView) -> Iterator[Mutation]:
    """Division that rounds down for division that rounds toward zero."""
    for node in view.body():
        name = called(node)
        if name in _FLOORED and isinstance(node, ast.Call):
            left, right = (view.source(arg) for arg in node.args)
            yield view.mutation("floor_division", node, f"(({left}) {_FLOORED[name]} ({right}))", "rounds down")


def wrong_operator(view: BuilderView) -> Iterator[Mutation]:
    """``-`` for ``+``, ``min`` for ``max`` and the like."""
    for node in view.body():
        if isinstance(node, ast.BinOp) and type(node.op) in _OTHER_OPERATOR:
            sign = _OTHER_OPERATOR[type(node.op)]
            text = f"(({view.source(node.left)}) {sign} ({view.source(node.right)}))"
            yield view.mutation("wrong_operator", node, text, f"{sign} for another operator")
        elif isinstance(node, ast.Call) and (other := _OTHER_CALL.get(called(node) or "")) is not None:
            yield view.mutation("wrong_operator", node.func, f"T.{other}", f"{other} for {called(node)}")


def changed_constant(view: BuilderView) -> Iterator[Mutation]:
    """A literal one larger, or half as large again."""
    for node in view.body():
        if not isinstance(node, ast.Constant) or isinstance(node.value, bool) or _structural(view, node):
            continue
        if isinstance(node.value, int):
            yield view.mutation("changed_constant", node, str(node.value + 1), "constant + 1")
        elif isinstance(node.value, float):
            text = repr(node.value * 1.5 if node.value else 1.0)
            yield view.mutation("changed_constant", node, text, "constant changed")


def _structural(view: BuilderView, node: ast.AST) -> bool:
    inner = node
    while (parent := view.parents.get(inner)) is not None and not isinstance(parent, ast.stmt):
        if called(parent) in _STRUCTURE:
            return True
        if isinstance(parent, ast.keyword) and parent.arg == "mask":
            return True
        inner = parent
    return False


def _cast(view: BuilderView, node: ast.AST) -> tuple[ast.Call, ast.expr, str] | None:
    if called(node) != "cast" or not isinstance(node, ast.Call) or not isinstance(node.args[1], ast.Constant):
        return None
    return node, node.args[0], str(node.args[1].value)


def _only_widens(view: BuilderView, operand: ast.expr, dtype: str) -> bool:
    """Whether the conversion only gives an index more bits, or the same bits another sign."""
    source = view.dtype(operand)
    return dtype in ("int64", "uint64") and (source is None or source in ("int32", "uint32", "int64", "uint64"))
