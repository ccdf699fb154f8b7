"""A port's builder as something to make mistakes in: its syntax tree, dtypes of names, and where memory is touched."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

INTEGERS = frozenset({"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"})
FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
BARRIERS = frozenset({"sync_threads", "sync_warp", "syncthreads_count", "syncthreads_and", "syncthreads_or"})
_ALLOCATIONS = frozenset({"alloc_var", "alloc_shared", "alloc_local"})


@dataclass(frozen=True)
class Splice:
    """Replaces the text between two (line, byte column) places by ``text``. Lines count from 1, columns from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


@dataclass(frozen=True)
class Mutation:
    """One mistake: which operator made it, where, and what changes. ``note`` says it in a few words."""

    operator: str
    line: int
    column: int
    note: str
    splices: tuple[Splice, ...]

    def apply(self, text: str) -> str:
        """The port's text with the mistake in it."""
        lines = [line.encode() for line in text.splitlines(keepends=True)]
        for splice in sorted(self.splices, key=lambda item: item.start, reverse=True):
            (first, low), (last, high) = splice.start, splice.end
            joined = lines[first - 1][:low] + splice.text.encode() + lines[last - 1][high:]
            lines[first - 1 : last] = [joined]
        return b"".join(lines).decode()


class BuilderView:
    """The builder of one kernel inside a port file. Raises KeyError when the file has no such function."""

    def __init__(self, text: str, builder: str):
        self.text = text
        functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        self.builder = functions[builder]
        self.parents = {child: node for node in ast.walk(self.builder) for child in ast.iter_child_nodes(node)}
        self.dtypes: dict[str, str] = {}
        self.memory: dict[str, str] = {}  # name -> global, shared or local
        self.variables: set[str] = set()  # names that T.alloc_var made
        self.macros = {
            node.name
            for node in ast.walk(self.builder)
            if isinstance(node, ast.FunctionDef) and any(_attribute(item) == "macro" for item in node.decorator_list)
        }
        # What a macro is given may be any memory.
        self.macro_parameters = {
            argument.arg
            for node in ast.walk(self.builder)
            if isinstance(node, ast.FunctionDef) and node.name in self.macros
            for argument in node.args.args
        }
        for node in ast.walk(self.builder):
            self._learn(node)

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.arg) and node.annotation is not None:
            self._learn_parameter(node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, call = node.targets[0].id, called(node.value)
            if call in _ALLOCATIONS:
                assert isinstance(node.value, ast.Call)
                strings = [arg.value for arg in node.value.args if isinstance(arg, ast.Constant)]
                dtype = next((str(one) for one in strings if isinstance(one, str)), "")
                # Two variables of one name and different dtypes: nothing is known of either.
                self.dtypes[name] = dtype if self.dtypes.get(name, dtype) == dtype else ""
                if call == "alloc_var":
                    self.variables.add(name)
                else:
                    self.memory[name] = "shared" if call == "alloc_shared" else "local"
            elif (found := self.dtype(node.value)) is not None:
                self.dtypes.setdefault(name, found)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            self.dtypes.setdefault(node.target.id, "int32")
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            for part in ast.walk(node.optional_vars):
                if isinstance(part, ast.Name):
                    self.dtypes[part.id] = "int32"

    def _learn_parameter(self, node: ast.arg) -> None:
        annotation = node.annotation
        if called(annotation) == "Tensor":
            assert isinstance(annotation, ast.Call)
            last = annotation.args[-1]
            self.dtypes[node.arg] = str(last.value) if isinstance(last, ast.Constant) else ""
            self.memory[node.arg] = "global"
        elif annotation is not None and (name := _attribute(annotation)) in INTEGERS | FLOATS:
            self.dtypes[node.arg] = name

    def dtype(self, node: ast.AST) -> str | None:
        """The dtype of an expression as far as names and casts tell; None where they do not."""
        if isinstance(node, ast.Name):
            return self.dtypes.get(node.id)
        if isinstance(node, ast.Constant):
            return "int32" if type(node.value) is int else "float32" if isinstance(node.value, float) else None
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self.dtypes.get(node.value.id)
        if isinstance(node, ast.UnaryOp):
            return self.dtype(node.operand)
        if isinstance(node, ast.BinOp):
            left, right = self.dtype(node.left), self.dtype(node.right)
            return right if isinstance(node.left, ast.Constant) else left or right
        name = called(node)
        if name is None or not isinstance(node, ast.Call):
            return None
        if name in INTEGERS | FLOATS:
            return name
        if name == "get_thread_binding":
            return "int32"
        if name in ("cast", "reinterpret") and isinstance(node.args[-1], ast.Constant):
            return str(node.args[-1].value)
        if name == "if_then_else":
            return self.dtype(node.args[1]) or self.dtype(node.args[2])
        if name in ("min", "max", "truncdiv", "truncmod", "exp", "sqrt", "abs", "fma") or name.startswith("shfl"):
            return next((found for arg in node.args if (found := self.dtype(arg)) is not None), None)
        return None

    def integral(self, node: ast.AST) -> bool:
        """Whether the expression is known to be an integer."""
        return self.dtype(node) in INTEGERS

    def body(self) -> Iterator[ast.AST]:
        """All nodes of kernel and macros that stand for the computation: no decorators, annotations or signatures."""
        for statement in self.builder.body:
            if isinstance(statement, ast.FunctionDef):
                for part in statement.body:
                    yield from ast.walk(part)

    def blocks(self) -> Iterator[list[ast.stmt]]:
        """Every list of sibling statements of kernel and macros."""
        for node in self.body():
            for name in ("body", "orelse"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    yield block
        for statement in self.builder.body:
            if isinstance(statement, ast.FunctionDef):
                yield statement.body

    def source(self, node: ast.AST) -> str:
        """The text of ``node``."""
        found = ast.get_source_segment(self.text, node)
        assert found is not None
        return found

    def replace(self, node: ast.AST, text: str) -> Splice:
        """A splice that puts ``text`` where ``node`` (an expression or statement) stands."""
        assert isinstance(node, (ast.expr, ast.stmt))
        assert node.end_lineno is not None and node.end_col_offset is not None
        return Splice((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), text)

    def mutation(self, operator: str, node: ast.AST, text: str, note: str) -> Mutation:
        """The mutation that replaces one node."""
        assert isinstance(node, (ast.expr, ast.stmt))
        return Mutation(operator, node.lineno, node.col_offset, note, (self.replace(node, text),))

    def touched(self, node: ast.AST) -> tuple[set[str], set[str]]:
        """Names of shared and global memory that ``node`` may (read, write). A macro may touch all of them."""
        everything = {name for name, scope in self.memory.items() if scope != "local"}
        read: set[str] = set()
        written: set[str] = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Subscript) and not self.is_memory(part.value):
                return everything | {"given"}, everything | {"given"}
            if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id in everything:
                (read if isinstance(part.ctx, ast.Load) else written).add(part.value.id)
                if self._may_write(part):
                    written.add(part.value.id)
            elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in self.macros:
                return everything, everything
        return read, written

    def is_memory(self, node: ast.expr) -> bool:
        """Whether the expression names memory of the kernel; what macros are given is not known."""
        return isinstance(node, ast.Name) and node.id in self.memory and node.id not in self.macro_parameters

    def _may_write(self, node: ast.AST) -> bool:
        """Whether an element stands below a call that takes it by address (atomics, externs)."""
        while (parent := self.parents.get(node)) is not None and not isinstance(parent, ast.stmt):
            name = called(parent) or ""
            if name.startswith(("atomic", "call_extern", "address_of", "view")):
                return True
            node = parent
        return False


def _attribute(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""


def called(node: ast.AST | None) -> str | None:
    """``f`` of a call ``T.f(…)``; None for anything else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    return node.func.attr if isinstance(node.func.value, ast.Name) and node.func.value.id == "T" else None


def is_barrier(statement: ast.stmt) -> bool:
    """Whether the statement is nothing but a barrier."""
    return isinstance(statement, ast.Expr) and called(statement.value) in BARRIERS
