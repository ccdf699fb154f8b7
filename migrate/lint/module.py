"""One Python file: its syntax tree, what the names of tilelang are called in it, and its traced functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from migrate.ir.span import Span

LANGUAGES = ("tilelang.language", "tilelang.ascend.language", "tilelang.cuda.language")
TRACED = frozenset({"T.prim_func", "T.macro", "T.inline"})
JIT = frozenset({"tilelang.jit", "tilelang.lazy_jit"})
Function = ast.FunctionDef


@dataclass
class Module:
    """``names``: what each imported name stands for, as a dotted path with ``T`` for the language module."""

    path: str
    text: str
    tree: ast.Module
    names: dict[str, str] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[str]:
        """Physical lines; only a newline ends one, as for Python's tokenizer."""
        return self.text.split("\n")

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that each node stands in."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def macros(self) -> frozenset[str]:
        """Names of the file's own macros."""
        functions = (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef))
        return frozenset(function.name for function in functions if self.decorated(function, "T.macro"))

    def decorated(self, function: Function, name: str) -> bool:
        """Whether ``function`` carries tilelang's decorator ``name``, with or without arguments."""
        targets = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
        return any(self.canonical(target) == name for target in targets)

    def canonical(self, node: ast.AST) -> str:
        """``T.copy``, ``tilelang.jit``, … whatever the file calls it; '' for anything else."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            base = self.canonical(node.value)
            return _shortened(f"{base}.{node.attr}") if base else ""
        return ""

    def function_of(self, call: ast.AST) -> str:
        """The canonical name of what a call calls; '' if it is no call of tilelang's."""
        return self.canonical(call.func) if isinstance(call, ast.Call) else ""

    def enclosing(self, node: ast.AST) -> Iterator[ast.AST]:
        """Nodes around ``node``, innermost first."""
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)

    def functions(self) -> Iterator[Function]:
        """Functions whose body upstream traces: decorated ones, and those that open a T.Kernel themselves."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef) and self._is_traced(node):
                yield node

    def _is_traced(self, node: Function) -> bool:
        if any(self.decorated(node, name) for name in TRACED):
            return True
        return any(
            isinstance(inner, ast.With) and any(self.function_of(i.context_expr) == "T.Kernel" for i in inner.items)
            for inner in own_nodes(node)
        )

    def span(self, node: ast.AST) -> Span:
        """Lines and columns from 1, in characters (syntax trees count bytes)."""
        line: int = getattr(node, "lineno", 1)
        end: int = getattr(node, "end_lineno", None) or line
        start_column = self._column(line, getattr(node, "col_offset", 0))
        end_column = self._column(end, getattr(node, "end_col_offset", None) or 0)
        return Span(self.path, line, start_column, end, end_column)

    def source(self, node: ast.AST, limit: int = 80) -> str:
        """The node's text on one line, cut after ``limit`` characters."""
        text = " ".join((ast.get_source_segment(self.text, node) or "").split())
        return text if len(text) <= limit else text[: limit - 1] + "…"

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if text.isascii():
            return offset + 1
        return len(text.encode("utf-8", errors="replace")[:offset].decode("utf-8", errors="ignore")) + 1


def parse_module(path: str, text: str) -> Module:
    """Parses a file. Raises SyntaxError, ValueError (NUL bytes), RecursionError or MemoryError for hostile ones."""
    module = Module(path, text, ast.parse(text))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "tilelang":
                    bound = alias.asname or alias.name.partition(".")[0]
                    module.names[bound] = _shortened(alias.name) if alias.asname else "tilelang"
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "tilelang":
            for alias in node.names:
                module.names[alias.asname or alias.name] = _shortened(f"{node.module}.{alias.name}")
    return module


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """Nodes of a function's body in source order, without nested functions and classes."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _shortened(name: str) -> str:
    for language in LANGUAGES:
        if name == language:
            return "T"
        if name.startswith(language + "."):
            return "T." + name[len(language) + 1 :]
    return name
