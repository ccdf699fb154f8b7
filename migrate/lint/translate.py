"""A traced function as the tree that the emitter's forbidden patterns look at, so that both use the same patterns.

What the text does not tell becomes an opaque call without a dtype, equal to nothing; patterns stay silent about it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from migrate.emit.forbidden.facts import FLOATS, Body
from migrate.ir import port as p
from migrate.ir.port_identity import Identities
from migrate.ir.port_walk import own_expressions, statements, walk
from migrate.ir.span import Span
from migrate.lint.symbols import BUFFERS, Traced

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
# Functions of tilelang that give back what they take.
_SAME = frozenset(
    f"T.{name}"
    for name in (
        "exp", "exp2", "exp10", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
        "cosh", "tanh", "sqrt", "rsqrt", "abs", "floor", "ceil", "trunc", "round", "sigmoid", "erf", "clamp", "max",
        "min", "pow", "fma", "ieee_add", "ieee_sub", "ieee_mul", "ieee_fdiv", "ieee_fmaf", "ieee_fsqrt", "truncdiv",
        "truncmod",
    )
)  # fmt: skip
_ORDER = ("bool", "int8", "int16", "int32", "int64")


@dataclass
class Translation:
    """The body and where each of its expressions stands in the file.

    ``nodes`` is keyed by object, so every translated object is kept alive in ``_kept``.
    """

    traced: Traced
    nodes: dict[int, ast.AST] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)
    _kept: list[p.PortExpr] = field(default_factory=list)
    _busy: set[int] = field(default_factory=set)

    def body(self) -> PlacedBody:
        """The function's statements with identities of names that are bound once."""
        suite = self._suite(self.traced.function.body)
        definitions = {s.name: s.value for s in statements(suite) if isinstance(s, p.Bind) and self._stable(s.value)}
        return PlacedBody(suite, Identities(definitions), self)

    def span_of(self, expr: p.PortExpr) -> Span | None:
        """Where ``expr`` (an object of this translation) stands."""
        node = self.nodes.get(id(expr))
        return self.traced.module.span(node) if node is not None else None

    def expression(self, node: ast.expr) -> p.PortExpr:
        """One expression; every part is remembered with its place."""
        found = self._expression(node)
        if id(found) not in self.nodes:
            self.nodes[id(found)] = node
            self._kept.append(found)
        return found

    def _stable(self, value: p.PortExpr) -> bool:
        """Whether the value means the same wherever its name stands: nothing in it is stored to in this function."""
        for part in walk(value):
            if isinstance(part, p.Element) and part.buffer in self.traced.written_buffers:
                return False
            if isinstance(part, p.Name) and part.kind == "var":
                return False
            if isinstance(part, p.Call) and part.function.startswith("?"):
                return False
        return True

    def _suite(self, body: list[ast.stmt]) -> tuple[p.PortStmt, ...]:
        found: list[p.PortStmt] = []
        for statement in body:
            found += self._statement(statement)
        return tuple(found)

    def _statement(self, node: ast.stmt) -> list[p.PortStmt]:
        span = self.traced.module.span(node)
        if isinstance(node, ast.If):
            cond = self.expression(node.test)
            then, otherwise = self._suite(node.body), self._suite(node.orelse)
            # an unknown statement is no empty suite
            return [p.PortIf(cond, then, otherwise, self.span_of(cond) or span)]
        if isinstance(node, ast.While):
            cond = self.expression(node.test)
            return [p.PortWhile(cond, self._suite(node.body), self.span_of(cond) or span)]
        if isinstance(node, ast.With):
            return [s for item in node.body for s in self._statement(item)]
        if isinstance(node, ast.For):
            inner = self._suite(node.body)
            opaque = self.expression(ast.copy_location(ast.Constant(0), node))
            return [p.PortFor("", "int32", opaque, opaque, opaque, inner, "serial", span)]
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return [self._assignment(node.targets[0], node.value, span)]
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return [self._assignment(node.target, node.value, span)]
        if isinstance(node, ast.AugAssign):
            value = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
            return [self._assignment(node.target, value, span)]
        if isinstance(node, ast.Expr):
            return [self._do(node.value, span)]
        return [] if isinstance(node, ast.Pass) else [p.Do(self._opaque(()), span)]

    def _assignment(self, target: ast.expr, value: ast.expr, span: Span) -> p.PortStmt:
        found = self.expression(value)
        if isinstance(target, ast.Name):
            symbol = self.traced.symbols.get(target.id)
            if symbol and symbol.kind == "bind":
                return p.Bind(target.id, found, span)
            return p.SetVar(target.id, found, span)
        if isinstance(target, ast.Subscript):
            return p.SetElement(self._buffer(target), self._indices(target), found, span)
        return p.Do(self._opaque((found,)), span)

    def _do(self, node: ast.expr, span: Span) -> p.PortStmt:
        found = self.expression(node)
        return p.Do(found if isinstance(found, p.Call) else self._opaque((found,)), span)

    def _expression(self, node: ast.expr) -> p.PortExpr:
        if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
            return p.Lit(node.value, "bool" if isinstance(node.value, bool) else p.PYTHON)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Subscript):
            symbol = self.traced.symbol(node)
            if symbol and symbol.kind in BUFFERS and not any(isinstance(n, ast.Slice) for n in ast.walk(node.slice)):
                return p.Element(self._buffer(node), self._indices(node), symbol.dtype)
            return self._opaque(())
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            left, right = self._pair(node.left, node.right)
            return p.Operation(_BINARY[type(node.op)], left, right, _joined(left.dtype, right.dtype))
        if isinstance(node, ast.UnaryOp):
            return self._prefix(node)
        if isinstance(node, ast.BoolOp):
            op = "and" if isinstance(node.op, ast.And) else "or"
            parts = [self.expression(value) for value in node.values]
            found = parts[0]
            for part in parts[1:]:
                found = self._kept_at(p.Operation(op, found, part, "bool"), node)
            return found
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.IfExp):
            then, other = self.expression(node.body), self.expression(node.orelse)
            dtype = then.dtype if then.dtype == other.dtype else ""
            return p.Call("T.if_then_else", (self.expression(node.test), then, other), dtype)
        return self._call(node) if isinstance(node, ast.Call) else self._opaque(())

    def _name(self, node: ast.Name) -> p.PortExpr:
        symbol = self.traced.symbols.get(node.id)
        if symbol is None or symbol.kind in BUFFERS:
            value = self.traced.constant(node) if symbol is None else None
            return p.Lit(value, p.PYTHON) if value is not None else p.Name(node.id, "", "python")
        if symbol.kind == "bind":
            return p.Name(node.id, self.dtype(symbol.value) if symbol.value is not None else "", "bind")
        kind = "param" if symbol.kind == "symbol" else symbol.kind
        return p.Name(node.id, symbol.dtype, kind)  # type: ignore[arg-type]

    def dtype(self, node: ast.expr) -> str:
        """The dtype that upstream infers for an expression; '' where the text does not say."""
        if id(node) in self._busy or len(self._busy) > 40:
            return ""
        self._busy.add(id(node))
        try:
            return self._expression(node).dtype
        finally:
            self._busy.discard(id(node))

    def _prefix(self, node: ast.UnaryOp) -> p.PortExpr:
        operand = self.expression(node.operand)
        if isinstance(node.op, ast.USub):
            if isinstance(operand, p.Lit) and operand.dtype == p.PYTHON:
                return p.Lit(-operand.value, p.PYTHON)
            return p.Prefix("-", operand, operand.dtype)
        if isinstance(node.op, ast.Not):
            return p.Prefix("not", operand, "bool")
        return p.Prefix("~", operand, operand.dtype) if isinstance(node.op, ast.Invert) else operand

    def _comparison(self, node: ast.Compare) -> p.PortExpr:
        found: p.PortExpr | None = None
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if type(op) not in _COMPARE:
                return self._opaque(())
            sides = self._pair(left, right)
            this = self._kept_at(p.Operation(_COMPARE[type(op)], *sides, "bool"), node)
            found = this if found is None else self._kept_at(p.Operation("and", found, this, "bool"), node)
            left = right
        assert found is not None
        return found

    def _pair(self, left: ast.expr, right: ast.expr) -> tuple[p.PortExpr, p.PortExpr]:
        """Both operands; a Python number takes the dtype of what it meets."""
        first, second = self.expression(left), self.expression(right)
        if isinstance(first, p.Lit) and first.dtype == p.PYTHON and second.dtype in FLOATS:
            first = self._kept_at(p.Lit(first.value, second.dtype), left)
        if isinstance(second, p.Lit) and second.dtype == p.PYTHON and first.dtype in FLOATS:
            second = self._kept_at(p.Lit(second.value, first.dtype), right)
        return first, second

    def _call(self, node: ast.Call) -> p.PortExpr:
        name = self.traced.module.function_of(node)
        dtype = self.traced.dtype_of(node.func) if name else ""
        if dtype:  # T.float32(x)
            inner = self.expression(node.args[0]) if len(node.args) == 1 else None
            if isinstance(inner, p.Lit):
                return p.Lit(inner.value, dtype, True)
            return p.Call("T.cast", (inner, p.Text(dtype)), dtype) if inner is not None else self._opaque(())
        if name == "T.cast" and len(node.args) == 2:
            dtype, inner = self.traced.dtype_of(node.args[1]), self.expression(node.args[0])
            if isinstance(inner, p.Lit) and inner.dtype == p.PYTHON:
                return p.Lit(inner.value, dtype, True)
            return p.Call("T.cast", (inner, p.Text(dtype)), dtype)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "astype" and len(node.args) == 1:
            dtype = self.traced.dtype_of(node.args[0])
            return p.Call("T.cast", (self.expression(node.func.value), p.Text(dtype)), dtype)
        args = tuple(self.expression(arg) for arg in node.args if not isinstance(arg, ast.Starred))
        if name == "T.if_then_else" and len(args) == 3:
            return p.Call(name, args, args[1].dtype if args[1].dtype == args[2].dtype else "")
        if name in ("T.And", "T.Or") and len(args) == 2:
            return p.Operation(name[2:].lower(), args[0], args[1], "bool")
        if name == "T.Not" and len(args) == 1:
            return p.Prefix("not", args[0], "bool")
        if name in ("T.isnan", "T.isinf", "T.isfinite"):
            return p.Call(name, args, "bool")
        if name in _SAME and args and not node.keywords:
            known = {arg.dtype for arg in args if arg.dtype != p.PYTHON}
            return p.Call(name, args, known.pop() if len(known) == 1 else "")
        return self._opaque(args)

    def _opaque(self, args: tuple[p.PortExpr, ...]) -> p.Call:
        return p.Call(f"?{next(self._numbers)}", args, "")

    def _kept_at(self, expr: p.PortExpr, node: ast.AST) -> p.PortExpr:
        self.nodes[id(expr)] = node
        self._kept.append(expr)
        return expr

    def _buffer(self, node: ast.Subscript) -> str:
        return ast.unparse(node.value)

    def _indices(self, node: ast.Subscript) -> tuple[p.PortExpr, ...]:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return tuple(self.expression(part) for part in parts if not isinstance(part, (ast.Slice, ast.Starred)))


@dataclass(frozen=True)
class PlacedBody(Body):
    """A body whose expressions each have their own place, not their statement's."""

    translation: Translation

    def expressions(self) -> tuple[tuple[p.PortExpr, Span | None], ...]:
        """Every expression, parts included, with where it stands."""
        return self._placed

    @cached_property
    def _placed(self) -> tuple[tuple[p.PortExpr, Span | None], ...]:
        return tuple(
            (part, self.translation.span_of(part) or statement.span)
            for statement in statements(self.statements)
            for expr in own_expressions(statement)
            for part in walk(expr)
        )


def _joined(left: str, right: str) -> str:
    """Upstream's result dtype of an operator, where it is beyond doubt."""
    if left == right:
        return left
    if p.PYTHON in (left, right):
        return right if left == p.PYTHON else left
    if left in _ORDER and right in _ORDER:
        return max(left, right, key=_ORDER.index)
    if left in FLOATS and right in _ORDER:
        return left
    if right in FLOATS and left in _ORDER:
        return right
    return "float64" if {left, right} == {"float32", "float64"} else ""


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as something read."""
    copied = ast.parse(ast.unparse(target), mode="eval").body
    for part in ast.walk(copied):
        ast.copy_location(part, target)
    return copied
