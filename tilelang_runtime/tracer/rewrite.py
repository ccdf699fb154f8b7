"""AST rewrite of a TileLang function: control flow, assignments and names become calls of a builder.

The rewritten function takes the builder as first closure argument (``__tb``) and is then executed once by Python, so
that everything which is not a TileLang value is compile time.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from tilelang_runtime.ir.nodes import Span, TileLangError


def _quote(text: str) -> list[ast.stmt]:
    return ast.parse(textwrap.dedent(text)).body


def _hook(name: str, *args: ast.expr) -> ast.Call:
    function = ast.Attribute(ast.Name("__tb", ast.Load()), name, ast.Load())
    return ast.Call(function, list(args), [])


def _thunk(body: ast.expr) -> ast.Lambda:
    empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(empty, body)


def _loop(item: str) -> tuple[ast.For, ast.Try]:
    """A loop over ``item`` that compile-time breaks leave, and the statement that takes its body."""
    loop = _quote(
        f"""
        for {item} in ():
            try:
                pass
            except __tb.PythonBreak:
                break
            except __tb.PythonContinue:
                continue
        """
    )[0]
    assert isinstance(loop, ast.For)
    attempt = loop.body[0]
    assert isinstance(attempt, ast.Try)
    return loop, attempt


class _LocalNames(ast.NodeVisitor):
    """Names that the function assigns (its own body and nested comprehensions excluded)."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names.add(node.id)

    def _skip(self, node: ast.AST) -> None:
        return None

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _skip
    visit_Lambda = _skip

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names.add(node.name)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, file: str, local_names: set[str]):
        self.file = file
        self.local_names = local_names
        self.hidden: list[set[str]] = []  # comprehension and lambda variables
        self.counter = 0

    def temporary(self) -> str:
        self.counter += 1
        return f"__t{self.counter}"

    def unsupported(self, node: ast.AST, what: str) -> TileLangError:
        return TileLangError(
            f"{what} is not supported in a TileLang function", Span(self.file, getattr(node, "lineno", 0))
        )

    # --- statements -------------------------------------------------------------------------------------------------

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            where = ast.Expr(_hook("at", ast.Constant(self.file), ast.Constant(statement.lineno)))
            rewritten = self.visit(statement)
            new = rewritten if isinstance(rewritten, list) else [rewritten]
            for node in [where, *new]:
                for child in ast.walk(node):
                    if isinstance(child, (ast.expr, ast.stmt)) and not hasattr(child, "lineno"):
                        ast.copy_location(child, statement)
                        if isinstance(child, (ast.expr, ast.stmt)):
                            child.lineno, child.end_lineno = statement.lineno, statement.lineno
                            child.col_offset = child.end_col_offset = 0
                result.append(node)
        return result or [ast.Pass()]

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        test = self.visit(node.test)
        token = self.temporary()
        template = f"""
            for {token} in __tb.branch(None):
                for _ in __tb.then({token}):
                    pass
        """
        if node.orelse:
            template += f"""
                for _ in __tb.otherwise({token}):
                    pass
            """
        new = _quote(template)
        outer = new[0]
        assert isinstance(outer, ast.For)
        outer.iter = _hook("branch", test, ast.Constant(bool(node.orelse)))
        for position, body in enumerate([node.body, node.orelse] if node.orelse else [node.body]):
            inner = outer.body[position]
            assert isinstance(inner, ast.For)
            inner.body = self.statements(body)
        return new

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        if node.orelse:
            raise self.unsupported(node, "for ... else")
        iterable = node.iter
        if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
            function = self.visit(iterable.func)
            iterable = ast.Call(
                _hook("iterable_function", function),
                [self.visit(argument) for argument in iterable.args],
                [ast.keyword(keyword.arg, self.visit(keyword.value)) for keyword in iterable.keywords],
            )
        else:
            iterable = self.visit(iterable)
        item = self.temporary()
        loop, attempt = _loop(item)
        loop.iter = _hook("iterate", iterable)
        attempt.body = [
            *self.assign(node.target, ast.Name(item, ast.Load()), loop_target=True),
            *self.statements(node.body),
        ]
        return [loop]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        if node.orelse:
            raise self.unsupported(node, "while ... else")
        loop, attempt = _loop("_")
        loop.iter = _hook("repeat", _thunk(self.visit(node.test)))
        attempt.body = self.statements(node.body)
        return [loop]

    def visit_Break(self, node: ast.Break) -> ast.stmt:
        return ast.Expr(_hook("leave_loop"))

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        return ast.Expr(_hook("next_round"))

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return ast.Expr(_hook("evaluate", self.visit(node.value)))

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        value = self.visit(node.value) if node.value else ast.Constant(None)
        return ast.Return(_hook("returned", value))

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        message = self.visit(node.msg) if node.msg else ast.Constant("assertion failed")
        return ast.Expr(_hook("assertion", self.visit(node.test), message))

    def visit_With(self, node: ast.With) -> list[ast.stmt]:
        body = self.statements(node.body)
        for item in reversed(node.items):
            entered = ast.withitem(_hook("context", self.visit(item.context_expr)))
            if item.optional_vars is not None:
                name = self.temporary()
                entered.optional_vars = ast.Name(name, ast.Store())
                body = [*self.assign(item.optional_vars, ast.Name(name, ast.Load()), loop_target=True), *body]
            body = [ast.With([entered], body)]
        return body

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self.assign(node.targets[0], value)
        name = self.temporary()
        result: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], value)]
        for target in node.targets:
            result += self.assign(target, ast.Name(name, ast.Load()))
        return result

    def assign(self, target: ast.expr, value: ast.expr, *, loop_target: bool = False) -> list[ast.stmt]:
        if isinstance(target, ast.Name):
            bound = _hook("bind", ast.Constant(target.id), value, ast.Constant(loop_target))
            return [ast.Assign([ast.Name(target.id, ast.Store())], bound)]
        if isinstance(target, ast.Subscript):
            return [ast.Expr(_hook("store_item", self.visit(target.value), self.index(target.slice), value))]
        if isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(element, ast.Starred) for element in target.elts):
                raise self.unsupported(target, "a starred assignment target")
            # snapshot every element before the first store, so that `a, b = b, a` works on variables
            names = [self.temporary() for _ in target.elts]
            first = ast.Assign(
                [ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())],
                _hook("unpack", value, ast.Constant(len(names)), ast.Constant(loop_target)),
            )
            result: list[ast.stmt] = [first]
            for name, element in zip(names, target.elts, strict=True):
                result += self.assign(element, ast.Name(name, ast.Load()), loop_target=loop_target)
            return result
        raise self.unsupported(target, "assignment to " + ast.unparse(target))

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        operator = ast.Constant(type(node.op).__name__)
        value = self.visit(node.value)
        if isinstance(node.target, ast.Name):
            current = ast.Name(node.target.id, ast.Load())
            result = _hook("augment", ast.Constant(node.target.id), operator, current, value)
            return [ast.Assign([ast.Name(node.target.id, ast.Store())], result)]
        if isinstance(node.target, ast.Subscript):
            container, index = self.visit(node.target.value), self.index(node.target.slice)
            return [ast.Expr(_hook("augment_item", operator, container, index, value))]
        raise self.unsupported(node, "augmented assignment to " + ast.unparse(node.target))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            raise self.unsupported(node, "an annotation without a value")
        return self.assign(node.target, self.visit(node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        if node.decorator_list:
            raise self.unsupported(node, "a decorated function inside a TileLang function (define macros outside)")
        return node  # a plain Python helper

    def _refuse(self, node: ast.AST) -> ast.AST:
        raise self.unsupported(node, type(node).__name__.lower())

    visit_Delete = visit_Global = visit_Nonlocal = visit_Try = visit_Raise = visit_ClassDef = _refuse
    visit_AsyncFor = visit_AsyncWith = visit_AsyncFunctionDef = visit_Await = visit_Yield = visit_YieldFrom = _refuse
    visit_NamedExpr = _refuse

    # --- expressions ------------------------------------------------------------------------------------------------

    def index(self, node: ast.expr) -> ast.expr:
        """The index of a subscript: slices become slice objects."""
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self.index(element) for element in node.elts], ast.Load())
        if isinstance(node, ast.Slice):
            parts = [self.visit(part) if part else ast.Constant(None) for part in (node.lower, node.upper, node.step)]
            return _hook("make_slice", *parts)
        return self.visit(node)  # type: ignore[no-any-return]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.id not in self.local_names:
            return node
        if any(node.id in hidden for hidden in self.hidden):
            return node
        return _hook("read", ast.Constant(node.id), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return _hook("load_item", self.visit(node.value), self.index(node.slice))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        values = [self.visit(value) for value in node.values]
        result: ast.expr = values[-1]
        for value in reversed(values[:-1]):
            result = _hook(name, value, _thunk(result))
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        operand = self.visit(node.operand)
        return _hook("not_", operand) if isinstance(node.op, ast.Not) else ast.UnaryOp(node.op, operand)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        operands = [self.visit(operand) for operand in (node.left, *node.comparators)]
        pairs = list(zip(operands, node.ops, operands[1:], strict=False))
        parts: list[ast.expr] = [ast.Compare(left, [op], [right]) for left, op, right in pairs]
        result = parts[-1]
        for part in reversed(parts[:-1]):
            result = _hook("and_", part, _thunk(result))
        return result

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        branches = _thunk(self.visit(node.body)), _thunk(self.visit(node.orelse))
        return _hook("choose", self.visit(node.test), *branches)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        self.hidden.append({argument.arg for argument in every})
        node.body = self.visit(node.body)
        self.hidden.pop()
        return node

    def _comprehension(self, node: Any) -> ast.expr:
        targets = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        node.generators[0].iter = _hook("python_iterable", self.visit(node.generators[0].iter))
        self.hidden.append(targets)
        for position, generator in enumerate(node.generators):
            if position:
                generator.iter = _hook("python_iterable", self.visit(generator.iter))
            generator.ifs = [self.visit(test) for test in generator.ifs]
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)
        self.hidden.pop()
        return node  # type: ignore[no-any-return]

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def closure_values(function: Callable[..., Any]) -> dict[str, Any]:
    """Free variables of ``function`` that have a value."""
    result = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            result[name] = cell.cell_contents
        except ValueError:
            continue
    return result


def rewrite(function: Callable[..., Any]) -> Callable[[Any], Callable[..., Any]]:
    """A maker: given a builder, the rewritten function with the original's signature and defaults.

    Raises TileLangError when the source cannot be found or uses statements that have no meaning in a kernel.
    """
    try:
        lines, first = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function) or "<unknown>"
    except (OSError, TypeError) as error:
        raise TileLangError(f"could not get source code of {function.__name__}: {error}") from None
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise TileLangError(f"{function.__name__} is not a plain function", Span(file, first))
    arguments = definition.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    finder = _LocalNames()
    for statement in definition.body:
        finder.visit(statement)
    rewriter = _Rewriter(file, finder.names | {argument.arg for argument in every})
    entry: list[ast.stmt] = []
    for argument in every:
        argument.annotation = None
        bound = _hook("argument", ast.Constant(argument.arg), ast.Name(argument.arg, ast.Load()))
        entry.append(ast.Assign([ast.Name(argument.arg, ast.Store())], bound))
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [ast.Constant(None) if default else None for default in arguments.kw_defaults]
    definition.decorator_list = []
    definition.returns = None
    definition.body = [*entry, *rewriter.statements(definition.body)]
    captured = closure_values(function)
    maker = _quote(f"def __maker({', '.join(['__tb', *captured])}):\n    return {definition.name}\n")[0]
    assert isinstance(maker, ast.FunctionDef)
    maker.body.insert(0, definition)
    module = ast.Module([maker], [])
    for node in ast.walk(module):
        if isinstance(node, (ast.expr, ast.stmt)) and not hasattr(node, "lineno"):
            node.lineno, node.col_offset = definition.lineno, 0
    ast.fix_missing_locations(module)
    namespace: dict[str, Any] = {}
    exec(compile(module, file, "exec"), function.__globals__, namespace)

    def make(builder: Any) -> Callable[..., Any]:
        made = namespace["__maker"](builder, **captured)
        made.__defaults__ = function.__defaults__
        made.__kwdefaults__ = function.__kwdefaults__
        return made  # type: ignore[no-any-return]

    return make
