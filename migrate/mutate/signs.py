"""Which expressions of a port are never negative, by induction over all assignments."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.mutate.view import BuilderView, Mutation, Splice, called

_KEEPING = (ast.Add, ast.Mult, ast.FloorDiv, ast.Div, ast.RShift, ast.LShift, ast.BitOr, ast.BitXor)
_KEEPING_CALLS = frozenset(
    {"truncdiv", "truncmod", "min", "fma", "cast", "floor", "ceil", "round", "trunc", "exp", "sqrt", "popcount"}
)


class Signs:
    """Signs in one builder. ``parameters``: scalar parameters that no launch gives a negative value.

    Assumes, as C does, that signed arithmetic does not overflow; floats that are NaN count as not negative, because
    they round and convert alike on both ways that are compared.
    """

    def __init__(self, view: BuilderView, parameters: Iterable[str]):
        self.view = view
        self.assigned: dict[str, list[ast.expr]] = {}
        self.known = {name for name, dtype in view.dtypes.items() if dtype.startswith("uint")}
        self.known |= set(parameters)
        for node in ast.walk(view.builder):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.assigned.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                self.known |= {part.id for part in ast.walk(node.optional_vars) if isinstance(part, ast.Name)}
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self._learn_loop(node.target.id, node.iter)
            elif isinstance(node, ast.FunctionDef) and node is view.builder:
                self.known |= {argument.arg for argument in node.args.args}  # sizes of the block
        self._settle()

    def _learn_loop(self, name: str, count: ast.expr) -> None:
        arguments = count.args if isinstance(count, ast.Call) else []
        if len(arguments) == 3 and not isinstance(arguments[2], (ast.Constant, ast.Name)):
            self.assigned.setdefault(name, []).append(ast.UnaryOp(ast.USub(), ast.Constant(1)))  # may count down
        start: ast.expr = arguments[0] if len(arguments) > 1 else ast.Constant(0)
        self.assigned.setdefault(name, []).append(start)

    def _settle(self) -> None:
        """Takes every assigned name for non-negative, then drops those of which an assignment is not, until none is."""
        macros = {
            argument.arg
            for node in self.view.builder.body
            if isinstance(node, ast.FunctionDef) and node.name in self.view.macros
            for argument in node.args.args
        }
        candidates = set(self.assigned) - macros - set(self.view.memory)
        self.known |= candidates
        while True:
            wrong = {
                name for name in candidates if not all(self.never_negative(value) for value in self.assigned[name])
            }
            if not wrong:
                return
            candidates -= wrong
            self.known -= wrong

    def never_negative(self, node: ast.expr) -> bool:
        """Whether the value is proven to be zero or more."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float)) and node.value >= 0
        if isinstance(node, ast.Name):
            return node.id in self.known
        if (self.view.dtype(node) or "").startswith("uint"):
            return True
        if isinstance(node, ast.BinOp):
            left, right = self.never_negative(node.left), self.never_negative(node.right)
            if isinstance(node.op, ast.Mod):
                return right
            if isinstance(node.op, ast.BitAnd):
                return left or right
            return isinstance(node.op, _KEEPING) and left and right
        if not isinstance(node, ast.Call):
            return False
        name = called(node) or ""
        if name == "get_thread_binding":
            return True
        if name == "alloc_var":
            initial = next((keyword.value for keyword in node.keywords if keyword.arg == "init"), None)
            return initial is None or self.never_negative(initial)
        if name == "max":
            return any(self.never_negative(argument) for argument in node.args)
        if name == "if_then_else":
            return self.never_negative(node.args[1]) and self.never_negative(node.args[2])
        if name == "truncmod":
            return self.never_negative(node.args[0])
        values = [argument for argument in node.args if not _is_text(argument)]
        if name == "cast" or name in ("int32", "int64", "float32", "float64", "float16"):
            return self._kept_by_cast(node, values[0]) if values else False
        return name in _KEEPING_CALLS and all(self.never_negative(argument) for argument in values)

    def _kept_by_cast(self, node: ast.Call, operand: ast.expr) -> bool:
        """A conversion keeps the sign unless it reads unsigned bits as a signed number of no more bits."""
        source, target = self.view.dtype(operand) or "", self.view.dtype(node) or ""
        if not source or not target:
            return False
        if target.startswith("int") and "int" in source:
            unsigned = source.startswith("uint")
            bits, kept = int(source.removeprefix("u")[3:]), int(target[3:])
            return bits < kept if unsigned else bits <= kept and self.never_negative(operand)
        return self.never_negative(operand)


def no_sign(view: BuilderView, mutation: Mutation, parameters: Iterable[str]) -> bool:
    """Whether ``mutation`` rounds down for toward zero where nothing is ever negative: then both give the same."""
    if mutation.operator not in ("floor_division", "wrong_cast") or not mutation.note.startswith("rounds down"):
        return False
    signs = Signs(view, parameters)
    (splice,) = mutation.splices
    for node in view.body():
        if isinstance(node, ast.Call) and view.replace(node, "") == Splice(splice.start, splice.end, ""):
            operands = node.args[:1] if mutation.operator == "wrong_cast" else node.args
            return all(signs.never_negative(operand) for operand in operands)
    return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
