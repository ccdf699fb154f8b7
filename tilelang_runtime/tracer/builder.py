"""The builder that a rewritten function calls: turns one Python run into program IR.

Names follow upstream: assigning an expression takes a snapshot (`Bind`), assigning to a name that holds a
``T.alloc_var`` (or a ``T.Ref``) stores, Python numbers stay compile time. Where upstream would then silently compute
something else than the text says, the builder raises `TileLangError` with the line.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from tilelang_runtime.ir import nodes, operators
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Load, Span, Stmt, TileLangError, Var
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail
from tilelang_runtime.tracer.values import BufferRegion, LoopSpec, Ref, load, region_of, simple_index, store_target

LOOPS = ("for", "while", "parallel")
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
    "Pow": lambda a, b: a**b,
    "LShift": lambda a, b: a << b,
    "RShift": lambda a, b: a >> b,
    "BitOr": lambda a, b: a | b,
    "BitXor": lambda a, b: a ^ b,
    "BitAnd": lambda a, b: a & b,
}


@dataclass(eq=False)
class Frame:
    """An open region of run-time code."""

    kind: str  # program, kernel, then, else, for, while, parallel
    body: list[Stmt]
    bound: tuple[Expr, ...] = ()  # loop bounds, evaluated again each round by upstream


@dataclass(eq=False)
class Binding:
    """What a Python name holds, the region it was bound in, and the loops that have read it since."""

    value: Any
    frame: Frame
    reads: set[int] = field(default_factory=set)


@dataclass(eq=False)
class Scope:
    """Names of one function activation."""

    names: dict[str, Binding]
    macro: bool
    depth: int  # frames open at entry
    references: frozenset[str] = frozenset()


class _Missing:
    pass


MISSING = _Missing()


class PythonBreak(Exception):
    """break of a compile-time loop."""


class PythonContinue(Exception):
    """continue of a compile-time loop."""


class _PythonLoop(Frame):
    pass


class Builder:
    """Builds one `Program`. Not shared between threads."""

    PythonBreak = PythonBreak
    PythonContinue = PythonContinue

    def __init__(self, name: str):
        self.program_body: list[Stmt] = []
        self.frames: list[Frame] = [Frame("program", self.program_body)]
        self.scopes: list[Scope] = []
        self.launches: list[nodes.Launch] = []
        self.launch: nodes.Launch | None = None
        self.attributes: dict[str, Any] = {}
        self.boolean_depth = 0
        self.name = name
        self.counter = 0

    # --- plumbing ---------------------------------------------------------------------------------------------------

    @staticmethod
    def at(file: str, line: int) -> None:
        """The statement that runs next."""
        LOCATION.span = Span(file, line)

    def emit(self, statement: Stmt) -> None:
        """Appends a statement to the innermost open region."""
        self.region().body.append(statement)

    def region(self) -> Frame:
        """The innermost run-time region."""
        return next(frame for frame in reversed(self.frames) if not isinstance(frame, _PythonLoop))

    def require_kernel(self, what: str) -> nodes.Launch:
        """The open launch. Raises when ``what`` is used outside `T.Kernel`."""
        if self.launch is None:
            raise fail(f"{what} outside T.Kernel")
        return self.launch

    @contextmanager
    def open(self, frame: Frame) -> Iterator[None]:
        """Keeps ``frame`` open."""
        self.frames.append(frame)
        try:
            yield
        finally:
            while self.frames[-1] is not frame:
                self.frames.pop()
            self.frames.pop()

    @contextmanager
    def activation(self, *, macro: bool, references: frozenset[str] = frozenset()) -> Iterator[None]:
        """One call of a rewritten function."""
        self.scopes.append(Scope({}, macro, len(self.frames), references))
        where = LOCATION.span
        try:
            yield
        finally:
            self.scopes.pop()
            LOCATION.span = where

    # --- names ------------------------------------------------------------------------------------------------------

    def argument(self, name: str, value: Any) -> Any:
        """A parameter on entry: references stay references, values of macros are snapshots."""
        scope = self.scopes[-1]
        if scope.macro and name in scope.references:
            value = self.reference(name, value)
            scope.names[name] = Binding(value, self.region())
            return value
        if scope.macro and isinstance(value, (Expr, Ref)):
            return self.bind(name, value, loop_target=True)
        scope.names[name] = Binding(value, self.region())
        return value

    def reference(self, name: str, value: Any) -> Any:
        """What a T.Ref parameter holds: the variable or element, its indices evaluated now."""
        if isinstance(value, Ref):
            return value
        if isinstance(value, Load):
            if value.buffer.scope == "var":
                return value.buffer
            return Ref(value.buffer, tuple(self.snapshot(index) for index in value.indices))
        if isinstance(value, (Buffer, BufferRegion)):
            return value
        raise fail(f"argument `{name}` is passed by reference: it must be a T.alloc_var or a buffer element")

    def snapshot(self, value: Expr, name: str = "") -> Expr:
        """``value`` evaluated here, once."""
        if isinstance(value, Const) or (isinstance(value, Var) and value.dtype != "handle"):
            return value
        if value.dtype == "handle":
            raise fail("this call has no value: it cannot be assigned")
        self.counter += 1
        var = Var(name or f"t{self.counter}", value.dtype, LOCATION.span, value)
        self.emit(nodes.Bind(var, value, LOCATION.span))
        return var

    def bind(self, name: str, value: Any, loop_target: bool = False) -> Any:
        """``name = value``."""
        scope = self.scopes[-1]
        old = scope.names.get(name)
        live = old is not None and old.frame in self.frames
        if isinstance(value, Ref):
            value = value.as_load()
        if live and not loop_target and isinstance(value, (bool, int, float, Expr)):
            assert old is not None
            target = store_target(old.value)
            if target is not None:
                self.store(*target, value)
                return old.value
        if isinstance(value, Const) and value.dtype == "int32":
            value = int(value.value)
        if old is not None and live and not loop_target:
            self.check_rebinding(name, old, value)
        if isinstance(value, Buffer) and value.name.startswith("?"):
            value.name = name
        if isinstance(value, Expr) and self.launch is not None:
            value = self.snapshot(value, name)
        scope.names[name] = Binding(value, self.region())
        return value

    def check_rebinding(self, name: str, old: Binding, value: Any) -> None:
        """Rejects an assignment that upstream would resolve at compile time although it happens at run time."""
        here = self.region()
        if old.frame is here:
            return
        number = isinstance(value, (bool, int, float))
        inside = self.frames[self.frames.index(old.frame) + 1 :]
        loop = next((frame for frame in inside if frame.kind in LOOPS), None)
        carried = loop is not None and any(id(frame) in old.reads for frame in inside if frame.kind in LOOPS)
        if number and isinstance(old.value, (bool, int, float, Expr)):
            where = "loop" if loop is not None else "branch"
            raise fail(
                f"`{name}` is set to the Python value {value!r} inside a run-time {where}: that happens once, while "
                f"tracing. Make `{name}` a T.alloc_var"
            )
        if carried and isinstance(value, Expr):
            raise fail(
                f"`{name}` is carried from round to round of a run-time loop, but a plain assignment only renames a "
                f"value. Make `{name}` a T.alloc_var"
            )

    def read(self, name: str, value: Any) -> Any:
        """A name is used: variables give their content now."""
        binding = self.scopes[-1].names.get(name)
        if binding is not None:
            if binding.frame not in self.frames and isinstance(binding.value, (bool, int, float, Expr, Buffer, Ref)):
                raise fail(
                    f"`{name}` is used outside the run-time region that defines it. Make `{name}` a T.alloc_var "
                    "declared before that region"
                )
            if binding.frame in self.frames:
                for frame in self.frames[self.frames.index(binding.frame) + 1 :]:
                    if frame.kind in LOOPS:
                        binding.reads.add(id(frame))
        if isinstance(value, Ref):
            return value.as_load()
        if isinstance(value, Buffer) and value.scope == "var":
            return load(value, ())
        return value

    def unpack(self, value: Any, count: int, loop_target: bool) -> tuple[Any, ...]:
        """The elements of a tuple assignment; run-time values are snapshots, so that swaps work."""
        if isinstance(value, (Expr, Buffer)):
            raise fail("a run-time value cannot be unpacked")
        items = tuple(value)
        if len(items) != count:
            raise fail(f"{count} names for {len(items)} values")
        if loop_target:
            return items
        return tuple(
            self.snapshot(item) if isinstance(item, Expr) and operators.reads_memory(item) else item for item in items
        )

    def augment(self, name: str, operator: str, current: Any, value: Any) -> Any:
        """``name op= value``."""
        now = self.read(name, current)
        if isinstance(now, Buffer):
            raise fail(f"augmented assignment to the buffer `{name}`: write {name}[...] op= value")
        return self.bind(name, _OPERATORS[operator](now, value))

    # --- elements ---------------------------------------------------------------------------------------------------

    @staticmethod
    def make_slice(start: Any, stop: Any, step: Any) -> slice:
        """``start:stop:step``; steps other than 1 do not exist in TileLang."""
        if step is not None and not (isinstance(step, int) and step == 1):
            raise fail("stepped slices are not supported")
        return slice(start, stop)

    def load_item(self, container: Any, index: Any) -> Any:
        """``container[index]``."""
        if isinstance(container, Load) and container.buffer.scope == "var" and simple_index(index) == 0:
            return container
        if isinstance(container, Buffer):
            if _has_slice(index):
                return region_of(container, index)
            return load(container, index if isinstance(index, tuple) else (index,))
        if isinstance(container, Expr):
            raise fail("a scalar cannot be indexed")
        if isinstance(index, Expr) and not isinstance(index, Const):
            raise fail("a Python container is compile time: it cannot be indexed by a run-time value")
        return container[int(index) if isinstance(index, Const) else index]

    def store_item(self, container: Any, index: Any, value: Any) -> None:
        """``container[index] = value``."""
        if isinstance(value, Ref):
            value = value.as_load()
        if isinstance(container, Load) and container.buffer.scope == "var" and simple_index(index) == 0:
            self.store(container.buffer, (), value)
        elif isinstance(container, Buffer):
            if _has_slice(index):
                self.store_region(region_of(container, index), value)
            else:
                self.store(container, index if isinstance(index, tuple) else (index,), value)
        elif isinstance(container, Expr):
            raise fail("a scalar cannot be indexed")
        else:
            region = self.region()
            if region.kind not in ("program", "kernel"):
                raise fail(
                    "an element of a Python container is set inside a run-time branch or loop: that happens once, "
                    "while tracing. Use T.alloc_local"
                )
            container[index] = value

    def augment_item(self, operator: str, container: Any, index: Any, value: Any) -> None:
        """``container[index] op= value``."""
        if isinstance(container, Buffer):
            parts = index if isinstance(index, tuple) else (index,)
            index = tuple(part if isinstance(part, slice) else self.snapshot(as_expr(part)) for part in parts)
        self.store_item(container, index, _OPERATORS[operator](self.load_item(container, index), value))

    def store(self, buffer: Buffer, indices: tuple[Any, ...], value: Any) -> None:
        """Element store with upstream's implicit cast to the buffer's dtype."""
        target = load(buffer, indices)
        self.emit(nodes.Store(buffer, target.indices, cast(value, buffer.dtype), LOCATION.span))

    def store_region(self, target: BufferRegion, value: Any) -> None:
        """``B[i:i+4] = ...``: a wide access, done element by element."""
        if isinstance(value, BufferRegion):
            self.emit(nodes.TileCopy(value.region, target.region, LOCATION.span))
        else:
            self.emit(nodes.TileFill(target.region, cast(value, target.region.buffer.dtype), LOCATION.span))

    # --- control flow -----------------------------------------------------------------------------------------------

    def condition(self, value: Any) -> Any:
        """A condition: an expression of dtype bool, or a Python bool."""
        if isinstance(value, Ref):
            value = value.as_load()
        if isinstance(value, Const):
            return bool(value.value)
        if isinstance(value, Expr):
            return operators.require_bool(value)
        if isinstance(value, Buffer):
            raise fail("a buffer cannot be a condition")
        return bool(value)

    def branch(self, cond: Any, has_else: bool = False) -> Iterator[Any]:
        """``if``: yields once a token for `then` and `otherwise`."""
        test = self.condition(cond)
        if isinstance(test, bool):
            yield test
            return
        statement = nodes.If(test, [], [], LOCATION.span)
        self.emit(statement)
        yield statement
        if has_else and not statement.then and _float_comparison(test):
            raise TileLangError(
                "an empty `if` on a float comparison with an `else` is turned around, so NaN takes the other path: "
                "write T.isnan(x) or the opposite comparison",
                statement.span,
            )

    def then(self, token: Any) -> Iterator[None]:
        """The taken side."""
        if isinstance(token, bool):
            if token:
                yield
            return
        with self.open(Frame("then", token.then)):
            yield

    def otherwise(self, token: Any) -> Iterator[None]:
        """The other side."""
        if isinstance(token, bool):
            if not token:
                yield
            return
        with self.open(Frame("else", token.otherwise)):
            yield

    def iterable_function(self, function: Any) -> Any:
        """Python's range in a for statement is a run-time loop."""
        return LoopSpec.serial if function is builtins.range else function

    def iterate(self, iterable: Any) -> Iterator[Any]:
        """``for``: a run-time loop for loop specifications and ranges, else a compile-time loop."""
        if isinstance(iterable, range):
            iterable = LoopSpec.serial(iterable.start, iterable.stop, iterable.step)
        if isinstance(iterable, LoopSpec):
            yield from iterable.trace(self)
            return
        if isinstance(iterable, (Expr, Buffer, Ref)):
            raise fail("a run-time value is not iterable: loop with range(n) or T.serial(n)")
        loop = _PythonLoop("python", self.region().body)
        for item in iterable:
            self.frames.append(loop)
            try:
                yield item
            finally:
                self.frames.remove(loop)

    def repeat(self, condition: Callable[[], Any]) -> Iterator[None]:
        """``while``."""
        test = self.condition(condition())
        if isinstance(test, bool):
            if test:
                raise fail("an endless while loop: the condition is always true at compile time")
            test = Const("bool", False, LOCATION.span)
        statement = nodes.While(test, [], [], LOCATION.span)
        self.emit(statement)
        with self.open(Frame("while", statement.body)):
            yield

    def _python_loop(self, what: str) -> bool:
        for position in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[position]
            if isinstance(frame, _PythonLoop):
                if any(inner.kind in ("then", "else") for inner in self.frames[position:]):
                    raise fail(f"{what} of a compile-time loop under a run-time condition")
                return True
            if frame.kind in ("for", "while"):
                return False
            if frame.kind == "parallel":
                raise fail(f"{what} of a T.Parallel loop")
        raise fail(f"{what} outside a loop")

    def leave_loop(self) -> None:
        """``break``."""
        if self._python_loop("break"):
            raise PythonBreak
        self.emit(nodes.Break(LOCATION.span))

    def next_round(self) -> None:
        """``continue``."""
        if self._python_loop("continue"):
            raise PythonContinue
        self.emit(nodes.Continue(LOCATION.span))

    def returned(self, value: Any) -> Any:
        """``return``."""
        scope = self.scopes[-1]
        regions = [f for f in self.frames[scope.depth :] if not isinstance(f, _PythonLoop) and f.kind != "kernel"]
        if scope.macro:
            if regions:
                raise fail(
                    "return inside a run-time branch or loop of a macro: assign to a T.alloc_var, return it last"
                )
            return value
        if regions:
            raise fail("return under a run-time condition: write T.thread_return()")
        if value is not None:
            raise fail("a prim_func cannot return a value here: pass the output as an argument")
        return None

    def assertion(self, cond: Any, message: Any) -> None:
        """``assert``."""
        test = self.condition(cond)
        if isinstance(test, bool):
            if not test:
                raise fail(f"assertion failed: {message}")
            return
        self.emit(nodes.Assert(test, str(message), LOCATION.span))

    def evaluate(self, value: Any) -> None:
        """An expression statement: kept if it has an effect."""
        if isinstance(value, Expr) and operators.has_effect(value):
            self.emit(nodes.Evaluate(value, LOCATION.span))

    def context(self, manager: Any) -> AbstractContextManager[Any]:
        """``with``."""
        if not hasattr(manager, "__enter__"):
            raise fail(f"{type(manager).__name__} object is not a context")
        return manager  # type: ignore[no-any-return]

    def python_iterable(self, value: Any) -> Any:
        """The iterable of a comprehension must be compile time."""
        if isinstance(value, (Expr, Buffer, Ref, LoopSpec)):
            raise fail("a comprehension needs a compile-time iterable")
        return value

    # --- logic ------------------------------------------------------------------------------------------------------

    def _lazily(self, thunk: Callable[[], Any]) -> Any:
        self.boolean_depth += 1
        try:
            return self.condition(thunk())
        finally:
            self.boolean_depth -= 1

    def and_(self, left: Any, right: Callable[[], Any]) -> Any:
        """``left and right``; short-circuit also at run time."""
        if isinstance(left, (Expr, Ref)) and not isinstance(left, Const):
            return operators.binary("and", as_expr(self.condition(left)), as_expr(self._lazily(right)))
        return left and right()

    def or_(self, left: Any, right: Callable[[], Any]) -> Any:
        """``left or right``; short-circuit also at run time."""
        if isinstance(left, (Expr, Ref)) and not isinstance(left, Const):
            return operators.binary("or", as_expr(self.condition(left)), as_expr(self._lazily(right)))
        return left or right()

    def not_(self, value: Any) -> Any:
        """``not value``."""
        test = self.condition(value)
        return not test if isinstance(test, bool) else operators.build("not", test)

    def choose(self, cond: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """``then if cond else otherwise``."""
        test = self.condition(cond)
        if isinstance(test, bool):
            return then() if test else otherwise()
        self.boolean_depth += 1
        try:
            return operators.select(test, then(), otherwise())
        finally:
            self.boolean_depth -= 1


def _has_slice(index: Any) -> bool:
    return isinstance(index, slice) or (isinstance(index, tuple) and any(isinstance(part, slice) for part in index))


def _float_comparison(test: Expr) -> bool:
    from tilelang_runtime.ir import types

    return isinstance(test, nodes.Binary) and test.op in ("lt", "le", "gt", "ge") and types.is_float(test.left.dtype)


class _Current(threading.local):
    builder: Builder | None = None


_CURRENT = _Current()


def current_builder() -> Builder | None:
    """The builder of the function being traced in this thread."""
    return _CURRENT.builder


def require_builder(what: str) -> Builder:
    """The current builder. Raises TileLangError when nothing is being traced."""
    if _CURRENT.builder is None:
        raise fail(f"{what} outside a T.prim_func")
    return _CURRENT.builder


@contextmanager
def tracing(builder: Builder) -> Iterator[None]:
    """Makes ``builder`` current."""
    before, _CURRENT.builder = _CURRENT.builder, builder
    where = LOCATION.span
    try:
        yield
    finally:
        _CURRENT.builder = before
        LOCATION.span = where
