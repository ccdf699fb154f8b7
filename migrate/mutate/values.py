"""Proofs that a mistake changes no value: integer arithmetic of a port, decided by z3.

An expression and what a mutant makes of it are translated to integer formulas over the same symbols; everything that is
not understood (memory, floats, calls) is a symbol of its own, the same for the same text at the same place. If the two
can never differ, given what holds where the expression stands, the mutant means the same. Known there are: the block
sizes of the launches (one proof each), ranges of block and thread indices, bounds of loops, conditions of enclosing
branches and of earlier returns as far as they speak of values that do not change, and bounds of variables that every
assignment keeps.

Signed arithmetic that overflows in the original has no defined result and is no case; that the mutant's own does not
overflow is part of what is proven.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from migrate.mutate.formulas import Replace, binary, masked, number, truth, type_range, with_marks, wrapped, z3
from migrate.mutate.view import INTEGERS, BuilderView, Mutation, called

TIMEOUT_MS = 1000
_LARGEST_GRID, _OTHER_GRIDS = 2**31 - 1, 65535  # CUDA C++ Programming Guide, table "Technical Specifications"
_BY_ADDRESS = frozenset({"address_of", "access_ptr", "call_extern"})
_PURE = frozenset({"cast", "truncdiv", "truncmod", "min", "max", "if_then_else", *INTEGERS})
_AXES = ("block_x", "block_y", "block_z")


def available() -> bool:
    """Whether z3 is installed."""
    return z3 is not None


def same_values(
    view: BuilderView, mutation: Mutation, blocks: Iterable[tuple[int, int, int]], parameters: Iterable[str]
) -> bool:
    """Whether ``mutation`` changes no value for any of ``blocks``. ``parameters``: integers that are never negative."""
    sizes = sorted(set(blocks))
    if z3 is None or not sizes:
        return False
    replaced = _replacements(view, mutation)
    if replaced is None:
        return False
    return all(Prover(view, block, frozenset(parameters)).proves(replaced, mutation) for block in sizes)


def _replacements(view: BuilderView, mutation: Mutation) -> dict[ast.expr, ast.expr] | None:
    """Expression -> what stands there in the mutant; None where a whole statement changes."""
    places = {(splice.start, splice.end): splice.text for splice in mutation.splices}
    found: dict[ast.expr, ast.expr] = {}
    for node in view.body():
        if isinstance(node, ast.expr):
            place = view.replace(node, "")
            text = places.pop((place.start, place.end), None)
            if text is not None:
                try:
                    found[node] = ast.parse(text.strip(), mode="eval").body
                except SyntaxError:
                    return None
    return found if found and not places else None


@dataclass
class Prover:
    """One proof for one block size. ``tag`` tells the symbols of one thread from another's; what all share has none."""

    view: BuilderView
    block: tuple[int, int, int]
    nonnegative: frozenset[str]
    tag: str = ""
    symbols: dict[str, Any] = field(default_factory=dict)
    used: set[ast.AST] = field(default_factory=set)
    required: list[Any] = field(default_factory=list)
    facts: list[Any] = field(default_factory=list)
    obligations: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        for argument in self.view.builder.args.args:  # block sizes, Python numbers
            self.view.dtypes.setdefault(argument.arg, "int32")
        self.assigned: dict[str, list[ast.Assign]] = {}
        self.loops: dict[str, list[ast.For]] = {}
        self.outer: set[str] = set()
        for node in ast.walk(self.view.builder):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.assigned.setdefault(node.targets[0].id, []).append(node)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.outer.add(node.target.id)
            elif isinstance(node, ast.Call) and (called(node) is None or called(node) in _BY_ADDRESS):
                # Macros and calls that take addresses may change what they are given.
                self.outer |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self.loops.setdefault(node.target.id, []).append(node)
        self.place: ast.AST | None = None
        self.uniform = {"bx", "by", "bz"} | {
            argument.arg
            for node in ast.walk(self.view.builder)
            if isinstance(node, ast.FunctionDef) and node.name not in self.view.macros
            for argument in node.args.args
        }
        self.macro_names = {
            part.id if isinstance(part, ast.Name) else part.arg
            for node in self.view.builder.body
            if isinstance(node, ast.FunctionDef) and node.name in self.view.macros
            for part in ast.walk(node)
            if isinstance(part, (ast.Name, ast.arg))
        }
        self.invariants: dict[str, tuple[int | None, int | None]] = {}

    # --- what is asked ----------------------------------------------------------------------------------------------

    def proves(self, replaced: Mapping[ast.expr, ast.expr], mutation: Mutation) -> bool:
        """Whether no expression around the replaced ones ever differs."""
        if not all(self._kind(node) == self._kind(other) for node, other in replaced.items()):
            return False  # the type of what stands around would change
        self.find_invariants()
        if mutation.operator == "wrong_initial" and " for " in mutation.note:
            return self._fits(replaced, mutation.note.split()[0])
        nodes = list(replaced)
        node: ast.AST | None = nodes[0]
        while isinstance(node, ast.expr):
            inside = set(ast.walk(node))
            if all(one in inside for one in nodes) and self._same(node, replaced):
                return True
            node = self.view.parents.get(node)
        return False

    def _kind(self, node: ast.expr) -> str | None:
        logical = isinstance(node, (ast.Compare, ast.BoolOp)) or (
            isinstance(node, ast.Constant) and isinstance(node.value, bool)
        )
        return "bool" if logical else self.view.dtype(node)

    def _same(self, node: ast.expr, replaced: Mapping[ast.expr, ast.expr]) -> bool:
        self.begin(node)
        before = self.translate(node, {})
        # A division by zero is no case; branches that are not evaluated must not lend what they would need.
        if not any(called(part) == "if_then_else" for part in ast.walk(node)):
            self.facts += [divisor != 0 for divisor in self.required]
        self.required = []
        in_range, self.obligations = {claim.sexpr() for claim in self.obligations}, []
        after = self.translate(node, replaced)
        if z3.is_bool(before) != z3.is_bool(after) or not self.used.issuperset(replaced):
            return False
        # What overflows in the port as well is none of the mutant's doing.
        new = [claim for claim in self.obligations if claim.sexpr() not in in_range]
        return self._holds(z3.And(before == after, *new, *(divisor > 0 for divisor in self.required)))

    def _fits(self, replaced: Mapping[ast.expr, ast.expr], narrow: str) -> bool:
        """Whether every value that the variable gets has the narrower type."""
        (call,) = replaced
        statement = self.view.parents.get(call)
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            return False
        name = statement.targets[0].id
        own = self.assigned.get(name, [])
        if narrow not in INTEGERS or name in self.outer or sum(_allocates(item.value) for item in own) != 1:
            return False
        low, high = type_range(narrow)
        if not all(self._fits_in(node, name, low, high) for node in self._narrowed(name, narrow)):
            return False
        for item in own:
            value = _initial(item.value) if _allocates(item.value) else item.value
            if value is None:
                return False
            if not self._fits_in(value, name, low, high):
                return False
        return True

    def _fits_in(self, node: ast.expr, name: str, low: int, high: int) -> bool:
        """Whether ``node`` lies between the bounds if the variable called ``name`` does."""
        self.begin(node)
        if name not in self.macro_names:
            symbol = self._name(ast.Name(name, ast.Load()))
            self.facts += [symbol >= low, symbol <= high]
        result = self.translate(node, {})
        return not z3.is_bool(result) and self._holds(
            z3.And(result >= low, result <= high, *(divisor > 0 for divisor in self.required))
        )

    def _narrowed(self, name: str, narrow: str) -> list[ast.expr]:
        """Operations with the variable that would be made in the narrower type as well."""
        dtypes = self.view.dtypes
        self.view.dtypes = {**dtypes, name: narrow}
        try:
            return [
                node
                for node in ast.walk(self.view.builder)
                if isinstance(node, (ast.BinOp, ast.UnaryOp))
                and any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
                and self.view.dtype(node) == narrow
            ]
        finally:
            self.view.dtypes = dtypes

    def begin(self, node: ast.AST) -> None:
        """Forgets everything but what holds where ``node`` stands."""
        self.symbols, self.facts, self.obligations, self.required, self.used = {}, [], [], [], set()
        self.place = node
        for condition, holds in self._conditions(node):
            translated = truth(self.translate(condition, {}))
            self.facts.append(translated if holds else z3.Not(translated))

    def _holds(self, claim: Any) -> bool:
        solver = z3.Solver()
        solver.set("timeout", TIMEOUT_MS)
        solver.add(*self.facts, z3.Not(claim))
        return bool(solver.check() == z3.unsat)

    # --- what is known ----------------------------------------------------------------------------------------------

    def stable(self, name: str) -> bool:
        """Whether the name has one value wherever it can be seen."""
        if name in self.macro_names or name in self.outer or name in self.view.memory:
            return False
        return len(self.assigned.get(name, [])) + len(self.loops.get(name, [])) <= 1

    def _conditions(self, node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
        """Conditions that hold where ``node`` stands, and which way."""
        child, parent = node, self.view.parents.get(node)
        while parent is not None:
            if called(parent) == "if_then_else" and isinstance(parent, ast.Call) and child in parent.args[1:]:
                yield from self._lasting(parent.args[0], child is parent.args[1])
            elif isinstance(parent, ast.If) and child is not parent.test:
                yield from self._lasting(parent.test, child in parent.body)
            for block in (getattr(parent, "body", None), getattr(parent, "orelse", None)):
                if isinstance(child, ast.stmt) and isinstance(block, list) and child in block:
                    for earlier in block[: block.index(child)]:
                        if isinstance(earlier, ast.If) and not earlier.orelse and _leaves(earlier.body[-1]):
                            yield from self._lasting(earlier.test, False)
            child, parent = parent, self.view.parents.get(parent)

    def _lasting(self, condition: ast.expr, holds: bool) -> Iterator[tuple[ast.expr, bool]]:
        names = {part.id for part in ast.walk(condition) if isinstance(part, ast.Name) and part.id != "T"}
        plain = not any(isinstance(part, ast.Subscript) for part in ast.walk(condition))
        pure = all(called(part) in _PURE for part in ast.walk(condition) if isinstance(part, ast.Call))
        if plain and pure and all(self.stable(name) for name in names):
            yield condition, holds

    def _visible(self, definition: ast.stmt) -> bool:
        """Whether ``definition`` has run, in the same round of every loop, where the expression stands."""
        found, child = False, self.place
        while child is not None:
            parent = self.view.parents.get(child)
            for block in (getattr(parent, "body", None), getattr(parent, "orelse", None)):
                if isinstance(child, ast.stmt) and isinstance(block, list) and child in block:
                    found = found or definition in block[: block.index(child)]
            child = parent
        return found

    def _inside(self, loop: ast.For) -> bool:
        child: ast.AST | None = self.place
        while child is not None:
            parent = self.view.parents.get(child)
            if parent is loop:
                return child in loop.body
            child = parent
        return False

    def find_invariants(self) -> None:
        """Bounds of variables that their first value has and every assignment keeps (all together)."""
        candidates: dict[str, tuple[int | None, int | None]] = {}
        for name, own in self.assigned.items():
            if name not in self.view.variables or name in self.outer or name in self.macro_names:
                continue
            if self.view.dtypes.get(name) in INTEGERS and sum(_allocates(item.value) for item in own) == 1:
                first = next(_initial(item.value) for item in own if _allocates(item.value))
                candidates[name] = (0, ast.literal_eval(first) if first is not None and _is_int(first) else None)
        while True:
            self.invariants = dict(candidates)
            for name, (low, high) in list(candidates.items()):
                kept_low = low is not None and self._keeps(name, low, None)
                kept_high = high is not None and self._keeps(name, None, high)
                candidates[name] = (low if kept_low else None, high if kept_high else None)
            candidates = {name: bounds for name, bounds in candidates.items() if bounds != (None, None)}
            if candidates == self.invariants:
                return

    def _keeps(self, name: str, low: int | None, high: int | None) -> bool:
        for item in self.assigned[name]:
            value = _initial(item.value) if _allocates(item.value) else item.value
            if value is None:
                return False
            self.begin(item.value)
            result = self.translate(value, {})
            if z3.is_bool(result) or not self._holds(result >= low if low is not None else result <= high):
                return False
        return True

    # --- formulas ---------------------------------------------------------------------------------------------------

    def _symbol(self, key: str) -> Any:
        if key not in self.symbols:
            shared = key.removeprefix("name ") in self.uniform
            self.symbols[key] = z3.Int(key if shared else self.tag + key)
        return self.symbols[key]

    def thread(self, axis: int) -> Any:
        """The index of the thread along an axis of the block."""
        known = f"thread {axis}" in self.symbols
        symbol = self._symbol(f"thread {axis}")
        if not known:
            self.facts += [symbol >= 0, symbol < self.block[axis]]
        return symbol

    def _opaque(self, node: ast.AST, replaced: Mapping[ast.expr, ast.expr]) -> Any:
        """A symbol for what is not understood: the same for the same text (with the replacements made in it)."""
        self.used |= set(replaced) & set(ast.walk(node))
        text = ast.dump(Replace(replaced).visit(with_marks(node, replaced))) if replaced else ast.dump(node)
        known = f"value {text}" in self.symbols
        symbol = self._symbol(f"value {text}")
        if not known and (isinstance(node, (ast.Name, ast.Subscript)) or called(node) == "cast"):
            self._within(symbol, self.view.dtype(node))
        return symbol

    def _within(self, symbol: Any, dtype: str | None) -> None:
        if dtype in INTEGERS:
            low, high = type_range(str(dtype))
            self.facts += [symbol >= low, symbol <= high]

    def _name(self, node: ast.Name) -> Any:
        name = node.id
        if f"name {name}" in self.symbols:
            return self.symbols[f"name {name}"]
        symbol = self._symbol(f"name {name}")
        if name in self.macro_names:
            return symbol
        own, loops = self.assigned.get(name, []), self.loops.get(name, [])
        if not loops:
            self._within(symbol, self.view.dtypes.get(name))
        low, high = self.invariants.get(name, (None, None))
        self.facts += [] if low is None else [symbol >= low]
        self.facts += [] if high is None else [symbol <= high]
        if not self.stable(name):
            return symbol
        if own:
            value = _initial(own[0].value) if _allocates(own[0].value) else own[0].value
            axis = _thread_axis(own[0].value)
            if axis is not None:
                self.facts.append(symbol == self.thread(axis))
            elif value is not None and self._visible(own[0]):
                names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name) and part.id != "T"}
                if all(self.stable(one) for one in names) and not _reads_memory(value):
                    self._define(symbol, self.translate(value, {}))
        elif loops:
            self._bound_loop(symbol, loops[0])
        elif name in _AXES:
            self.facts.append(symbol == self.block[_AXES.index(name)])
        elif name == "block" and self.block[1:] == (1, 1):
            self.facts.append(symbol == self.block[0])
        elif name in ("bx", "by", "bz"):
            self.facts += [symbol >= 0, symbol < (_LARGEST_GRID if name == "bx" else _OTHER_GRIDS)]
        elif name.startswith("grid"):
            self.facts += [symbol >= 1, symbol <= (_OTHER_GRIDS if name.endswith(("_y", "_z")) else _LARGEST_GRID)]
        elif name in self.nonnegative:
            self.facts.append(symbol >= 0)
        return symbol

    def _define(self, symbol: Any, value: Any) -> None:
        self.facts.append(symbol == (z3.If(value, 1, 0) if z3.is_bool(value) else value))

    def _bound_loop(self, symbol: Any, loop: ast.For) -> None:
        arguments = loop.iter.args if isinstance(loop.iter, ast.Call) else []
        if called(loop.iter) not in ("serial", "unroll") or not arguments or not self._inside(loop):
            return
        if len(arguments) == 3 and not (_is_int(arguments[2]) and ast.literal_eval(arguments[2]) > 0):
            return
        start = arguments[0] if len(arguments) > 1 else ast.Constant(0)
        stop = arguments[1] if len(arguments) > 1 else arguments[0]
        for bound, lower in ((start, True), (stop, False)):
            names = {part.id for part in ast.walk(bound) if isinstance(part, ast.Name) and part.id != "T"}
            if all(self.stable(one) for one in names) and not _reads_memory(bound):
                value = self.translate(bound, {})
                self.facts.append(symbol >= value if lower else symbol < value)

    def translate(self, node: ast.expr, replaced: Mapping[ast.expr, ast.expr]) -> Any:
        """The formula of ``node`` with the replacements made in it."""
        if node in replaced:
            self.used.add(node)
            return self.translate(replaced[node], {})
        made = self._understood(node, replaced)
        if made is None:
            return self._opaque(node, replaced)
        if isinstance(node, ast.BinOp) and not z3.is_bool(made):
            dtype = self.view.dtype(node)
            if dtype in ("int32", "int64"):
                low, high = type_range(dtype)
                self.obligations.append(z3.And(made >= low, made <= high))
            elif dtype in INTEGERS:
                made = wrapped(made, str(dtype))
        return made

    def _understood(self, node: ast.expr, replaced: Mapping[ast.expr, ast.expr]) -> Any:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                return z3.BoolVal(node.value)
            return z3.IntVal(node.value) if isinstance(node.value, int) else None
        if isinstance(node, ast.Name):
            return None if node.id in self.view.memory else self._name(node)
        if isinstance(node, ast.UnaryOp):
            value = self.translate(node.operand, replaced)
            if isinstance(node.op, ast.Not):
                return z3.Not(truth(value))
            return -number(value) if isinstance(node.op, ast.USub) and self._integral(node.operand) else None
        if isinstance(node, ast.BoolOp):
            parts = [truth(self.translate(part, replaced)) for part in node.values]
            return z3.And(*parts) if isinstance(node.op, ast.And) else z3.Or(*parts)
        if isinstance(node, ast.Compare):
            return self._comparison(node, replaced)
        if isinstance(node, ast.BinOp):
            if not self._alike(node.left, node.right):
                return None
            left, right = (number(self.translate(part, replaced)) for part in (node.left, node.right))
            if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
                self.required.append(right)
            if isinstance(node.op, ast.BitAnd):
                return self._and(left, right)
            return binary(node.op, left, right)
        return self._call(node, replaced) if isinstance(node, ast.Call) else None

    def _and(self, left: Any, right: Any) -> Any:
        for value, mask in ((left, right), (right, left)):
            if z3.is_int_value(mask) and mask.as_long() > 0 and (bits := masked(value, mask.as_long())) is not None:
                return bits
        key = f"and {left.sexpr()} {right.sexpr()}"
        if key not in self.symbols:
            symbol = self._symbol(key)
            self.facts += [z3.Implies(one >= 0, z3.And(symbol >= 0, symbol <= one)) for one in (left, right)]
        return self.symbols[key]

    def _integral(self, node: ast.expr) -> bool:
        return self.view.dtype(node) in INTEGERS

    def _alike(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether both are integers of one type; a literal has that of the other."""
        literal = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
        same = literal or self._width(left) == self._width(right)
        return self._integral(left) and self._integral(right) and same

    def _width(self, node: ast.expr) -> str:
        return self.view.dtype(node) or "int32"

    def _comparison(self, node: ast.Compare, replaced: Mapping[ast.expr, ast.expr]) -> Any:
        if len(node.ops) != 1 or not self._alike(node.left, node.comparators[0]):
            return None
        left, right = (number(self.translate(part, replaced)) for part in (node.left, node.comparators[0]))
        return {
            ast.Lt: left < right, ast.LtE: left <= right, ast.Gt: left > right, ast.GtE: left >= right,
            ast.Eq: left == right, ast.NotEq: left != right,
        }.get(type(node.ops[0]))  # fmt: skip

    def _call(self, node: ast.Call, replaced: Mapping[ast.expr, ast.expr]) -> Any:
        name = called(node)
        if name == "cast" and isinstance(node.args[1], ast.Constant) and str(node.args[1].value) in INTEGERS:
            operand = self.translate(node.args[0], replaced)
            if not z3.is_bool(operand) and not self._integral(node.args[0]):
                return None
            return wrapped(number(operand), str(node.args[1].value))
        if name in INTEGERS and len(node.args) == 1 and self._integral(node.args[0]):
            return wrapped(number(self.translate(node.args[0], replaced)), str(name))
        if name == "if_then_else" and self._alike(node.args[1], node.args[2]):
            chosen, first, second = (self.translate(part, replaced) for part in node.args)
            return z3.If(truth(chosen), number(first), number(second))
        if name not in ("truncdiv", "truncmod", "min", "max") or not self._alike(node.args[0], node.args[1]):
            return None
        left, right = (number(self.translate(part, replaced)) for part in node.args)
        if name in ("min", "max"):
            return z3.If(left < right if name == "min" else left > right, left, right)
        quotient = z3.If(left >= 0, left / right, -((-left) / right))  # right is proven to be positive below
        self.required.append(right)
        return quotient if name == "truncdiv" else left - right * quotient


def _allocates(value: ast.expr) -> bool:
    return called(value) == "alloc_var"


def _initial(value: ast.expr) -> ast.expr | None:
    keywords: Sequence[ast.keyword] = value.keywords if isinstance(value, ast.Call) else []
    return next((keyword.value for keyword in keywords if keyword.arg == "init"), None)


def _thread_axis(value: ast.expr) -> int | None:
    if called(value) != "get_thread_binding" or not isinstance(value, ast.Call):
        return None
    axis = value.args[0] if value.args else None
    return int(ast.literal_eval(axis)) if axis is not None and _is_int(axis) else None


def _is_int(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _reads_memory(node: ast.expr) -> bool:
    calls = (called(part) for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(isinstance(part, ast.Subscript) for part in ast.walk(node)) or not all(name in _PURE for name in calls)


def _leaves(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Break, ast.Continue)) or (
        isinstance(statement, ast.Expr) and called(statement.value) == "thread_return"
    )
