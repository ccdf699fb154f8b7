"""What the lowering rules share while one kernel is lowered: names, places of locals, the statement list, hazards."""

from __future__ import annotations

import builtins
import keyword
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from migrate.analysis.ranges import Ranges, direct_writes, is_float, is_integer, is_unsigned
from migrate.diagnostics import Diagnostic, make
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.ir.port_identity import Identities
from migrate.ir.port_walk import walk
from migrate.ir.span import Span

# Upstream prints names as they are into CUDA, so C++ keywords and the names its templates use are taken too.
_CPP = frozenset(
    (
        "alignas", "alignof", "and_eq", "asm", "auto", "bitand", "bitor", "case", "catch", "char", "class", "compl",
        "const", "constexpr", "const_cast", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
        "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
        "mutable", "namespace", "new", "noexcept", "not_eq", "nullptr", "operator", "or_eq", "private", "protected",
        "public", "register", "reinterpret_cast", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
        "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
        "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor", "xor_eq", "uchar", "ushort",
        "uint", "ulong", "half_t", "bfloat16_t", "tl", "cute", "cutlass", "threadIdx", "blockIdx", "blockDim",
        "gridDim",
    )
)  # fmt: skip
_TAKEN = frozenset(
    {*_CPP, "T", "tilelang", "launch", "Grid", "block", "grid", "shared", *keyword.kwlist, *dir(builtins)}
)
_FLAG_HINTS = {
    "lt": "is_less",
    "le": "is_at_most",
    "gt": "is_greater",
    "ge": "is_at_least",
    "eq": "is_equal",
    "ne": "differs",
}


class Names:
    """Unique Python identifiers of one kernel."""

    def __init__(self, parent: Names | None = None):
        self._used: set[str] = set(parent._used) if parent else set()

    def claim(self, wanted: str) -> str:
        """``wanted`` if it is free, else with a trailing underscore or number."""
        clean = "".join(c if c.isalnum() or c == "_" else "_" for c in wanted) or "value"
        if clean[0].isdigit():
            clean = "_" + clean
        name = clean + "_" if clean in _TAKEN else clean
        number = 2
        while name in self._used:
            name = f"{clean}_{number}"
            number += 1
        self._used.add(name)
        return name


@dataclass(frozen=True)
class Place:
    """Where a local lives in the port: its name and the dtype it is carried in."""

    name: p.Name
    assigned: bool = True


@dataclass(frozen=True)
class Root:
    """A buffer in the port: its Python name, shape rank, and an element offset into it (dynamic shared memory)."""

    name: str
    rank: int
    offset: p.PortExpr | None = None


class Relower(Exception):
    """The kernel must be lowered again: a comparison was found to need a flag after it was written."""


class Lowering:
    """State of one kernel (or device function) being lowered.

    ``expression`` and ``statement`` are the registry's dispatchers (set by `migrate.rules.lower.registry`, so that rule
    files do not import one another).
    """

    def __init__(
        self,
        ranges: Ranges,
        names: Names,
        expression: Callable[[k.Expr, Lowering], p.PortExpr],
        statement: Callable[[k.Stmt, Lowering], None],
    ):
        self.ranges = ranges
        self.names = names
        self.used: set[str] = set()
        self.diagnostics: list[Diagnostic] = []
        self.places: dict[str, Place] = {}
        self.roots: dict[str, Root] = {}
        self.functions: dict[str, k.Function] = {}
        self.macro_names: dict[str, str] = {}
        self.params: dict[str, p.Name] = {}
        self.threads: dict[tuple[str, str], p.PortExpr] = {}
        self.definitions: dict[str, p.PortExpr] = {}
        self._expanded: dict[str, int] = {}
        self.identities = Identities(self.definitions)
        self.writes: dict[str, int] = {}
        self.pinned: frozenset[str] = frozenset()
        self.captures: dict[str, tuple[str, ...]] = {}  # function -> roots and grid names that its macro takes
        self.result: p.Name | None = None  # of a macro whose returns are assignments
        self.in_function = False
        self.loop_exits: list[Callable[[], None]] = []  # what a `continue` must run first, innermost last
        self.negated = False
        self._compared: list[dict[frozenset[int], tuple[int, int]]] = []
        self.flagged: set[int] = set()  # comparisons (by identity of their node) that must go through a flag
        self._expression = expression
        self._statement = statement
        self._out: list[p.PortStmt] = []

    @property
    def dispatchers(self) -> tuple[Callable[[k.Expr, Lowering], p.PortExpr], Callable[[k.Stmt, Lowering], None]]:
        """The registry's dispatchers, for a nested lowering."""
        return self._expression, self._statement

    # --- statements -------------------------------------------------------------------------------------------------

    def emit(self, statement: p.PortStmt) -> None:
        """Appends a statement to the suite being written."""
        self._out.append(statement)

    @contextmanager
    def suite(self) -> Iterator[list[p.PortStmt]]:
        """Collects what is emitted inside into a list of its own."""
        outer, self._out = self._out, []
        try:
            yield self._out
        finally:
            self._out = outer

    def body(self, statements: tuple[k.Stmt, ...]) -> tuple[p.PortStmt, ...]:
        """Lowers a suite."""
        with self.suite() as out:
            self.run_all(statements)
        return tuple(out)

    def run_all(self, statements: tuple[k.Stmt, ...]) -> None:
        """Lowers statements into the current suite.

        A local declared without a value whose only write follows at once (a shuffle's result, say) is declared by it.
        """
        for position, statement in enumerate(statements):
            if isinstance(statement, k.Declare) and statement.init is None and self._written_next(statements, position):
                continue
            self.run(statement)

    def _written_next(self, statements: tuple[k.Stmt, ...], position: int) -> bool:
        declare = statements[position]
        assert isinstance(declare, k.Declare)
        name = declare.var.name
        if self.writes.get(name, 0) != 1 or name in self.pinned:
            return False
        for follower in statements[position + 1 :]:
            if isinstance(follower, k.Declare) and follower.init is None:
                continue
            return any(var.name == name for var, _ in direct_writes(follower))
        return False

    def run(self, statement: k.Stmt) -> None:
        """Lowers one statement into the current suite."""
        self._statement(statement, self)

    # --- expressions ------------------------------------------------------------------------------------------------

    def lower(self, node: k.Expr) -> p.PortExpr:
        """The expression in its carrier's dtype (`Ranges.carrier`)."""
        return self._expression(node, self)

    def lower_as(self, node: k.Expr, dtype: str) -> p.PortExpr:
        """The expression's value in ``dtype`` (a value-preserving change of carrier)."""
        return self.coerce(self.lower(node), dtype)

    def exact(self, node: k.Expr) -> p.PortExpr:
        """The expression in its own C dtype."""
        return self.lower_as(node, node.dtype)

    def coerce(self, expr: p.PortExpr, dtype: str) -> p.PortExpr:
        """``expr`` in ``dtype``: constructors around literals and block sizes, `T.cast` around the rest."""
        if expr.dtype == dtype:
            return expr
        if isinstance(expr, p.Lit):
            return p.Lit(
                float(expr.value) if is_float(dtype) else expr.value, dtype, explicit=dtype not in ("int32", "bool")
            )
        if expr.dtype == p.PYTHON:
            return expr if dtype == "int32" else p.Call(f"T.{dtype}", (expr,), dtype)
        return p.Call("T.cast", (expr, p.Text(dtype)), dtype)

    def index(self, node: k.Expr) -> p.PortExpr:
        """An element index: int32 or int64, unsigned sums that may wrap bound to a variable first."""
        while isinstance(node, k.Cast) and is_integer(node.operand.dtype) and node.dtype in ("int64", "uint64"):
            low = self.ranges.of(node.operand)[0]
            if node.dtype == "uint64" and low < 0 and node.operand.dtype != "int32":
                break
            node = node.operand  # a negative index was a fault of the original
        expr = self.protected(node)
        if expr.dtype in ("int32", "int64", p.PYTHON):
            return expr
        return self.coerce(expr, "int64" if expr.dtype in ("uint32", "uint64") else "int32")

    def protected(self, node: k.Expr) -> p.PortExpr:
        """Lowers an operand whose consumer lets upstream reason about its range.

        Upstream takes unsigned arithmetic for exact, so what may wrap goes through a variable first.
        """
        expr = self.lower(node)
        if not is_integer(node.dtype) or not self.ranges.may_wrap(node) or isinstance(expr, (p.Name, p.Element, p.Lit)):
            return expr
        return self.hoist(expr, _hint(node))

    def hoist(self, expr: p.PortExpr, hint: str) -> p.Name:
        """Stores ``expr`` in a fresh `T.alloc_var`, which upstream never looks through."""
        name = self.names.claim(hint)
        self.emit(p.AllocVar(name, expr.dtype, expr))
        return p.Name(name, expr.dtype, "var")

    def bind(self, hint: str, expr: p.PortExpr) -> p.Name:
        """A snapshot ``name = expr``."""
        return self.bind_as(self.names.claim(hint), expr)

    def bind_as(self, name: str, expr: p.PortExpr) -> p.Name:
        """A snapshot under a name that is claimed already."""
        self.emit(p.Bind(name, expr))
        self.define(name, expr)
        return p.Name(name, expr.dtype, "bind")

    def define(self, name: str, expr: p.PortExpr) -> None:
        """Remembers what the snapshot ``name`` stands for."""
        self.definitions[name] = expr
        self._expanded[name] = self.expanded(expr)

    def expanded(self, expr: p.PortExpr) -> int:
        """Nodes of ``expr`` with every snapshot written out in full, as upstream's analyses see it."""
        return sum(
            self._expanded.get(part.name, 1) if isinstance(part, p.Name) and part.kind == "bind" else 1
            for part in walk(expr)
        )

    # --- float comparisons ------------------------------------------------------------------------------------------

    @contextmanager
    def condition_scope(self) -> Iterator[None]:
        """Comparisons lowered inside are known facts until the scope ends (a condition and the suites it guards)."""
        self._compared.append({})
        try:
            yield
        finally:
            self._compared.pop()

    @contextmanager
    def negation(self) -> Iterator[None]:
        """Inside, ordered float comparisons go through a flag: upstream turns ``not (a < b)`` into ``b <= a``."""
        outer, self.negated = self.negated, True
        try:
            yield
        finally:
            self.negated = outer

    def guard_comparison(self, expr: p.Operation, node: k.Binary) -> p.PortExpr:
        """An ordered float comparison; through a flag where upstream would negate it or combine it with another.

        Raises Relower when a comparison that already stands raw guards this one of the same pair: the earlier one must
        become a flag, because upstream carries its truth into everything that it guards.
        """
        pair = frozenset((self.identities.number(expr.left), self.identities.number(expr.right)))
        this = self.identities.number(expr)
        for scope in self._compared:
            if pair in scope and scope[pair][1] != this:  # the same comparison again is harmless
                self.flagged.add(scope[pair][0])
                raise Relower
        if self.negated or id(node) in self.flagged:
            return self.hoist(expr, _FLAG_HINTS[node.op])
        if self._compared:
            self._compared[-1].setdefault(pair, (id(node), this))
        return expr

    # --- diagnostics ------------------------------------------------------------------------------------------------

    def note(self, code: str, message: str, span: Span | None) -> None:
        """Adds a diagnostic that does not stop the conversion."""
        self.diagnostics.append(make(code, message, span))


def _hint(node: k.Expr) -> str:
    if isinstance(node, k.Cast):
        return f"as_{node.dtype}"
    if isinstance(node, k.Binary):
        return {"add": "total", "sub": "difference", "mul": "product", "shl": "shifted"}.get(node.op, "bits")
    return "negative" if isinstance(node, k.Unary) else "value"


def operation(op: str, left: p.PortExpr, right: p.PortExpr, dtype: str) -> p.Operation:
    """A Python operator; a literal beside a non-literal of its dtype drops its constructor where upstream infers it.

    Beside an int64 operand a value-preserving cast of an int32 one is dropped, as upstream widens it the same way.
    """
    left, right = (left, _unwidened(right)) if op in _WIDENING and _is_wide(left) else (left, right)
    left, right = (_unwidened(left), right) if op in _WIDENING and _is_wide(right) else (left, right)
    return p.Operation(op, _bare(left, right), _bare(right, left), dtype)


_WIDENING = frozenset({"+", "-", "*", "<", "<=", ">", ">=", "==", "!="})


def _is_wide(expr: p.PortExpr) -> bool:
    return expr.dtype == "int64" and not isinstance(expr, p.Lit)


def _unwidened(expr: p.PortExpr) -> p.PortExpr:
    if not isinstance(expr, p.Call) or expr.dtype != "int64" or expr.function not in ("T.cast", "T.int64"):
        return expr
    inner = expr.args[0]
    return inner if inner.dtype in ("int32", p.PYTHON) else expr


def _bare(expr: p.PortExpr, beside: p.PortExpr) -> p.PortExpr:
    if not isinstance(expr, p.Lit) or isinstance(beside, p.Lit) or beside.dtype != expr.dtype:
        return expr
    value = expr.value
    if expr.dtype in ("float32", "float64") and abs(value) < 3.4e38 and not math.isnan(value):
        return p.Lit(value, expr.dtype)
    if expr.dtype == "int64" and -(2**31) <= value < 2**31:
        return p.Lit(value, expr.dtype)
    return expr


__all__ = ["Lowering", "Names", "Place", "Root", "is_float", "is_integer", "is_unsigned", "operation"]
