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
from typing import Any

from tilelang_runtime.ir import nodes, operators, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, TileLangError
from tilelang_runtime.ir.operators import LOCATION, as_expr, fail
from tilelang_runtime.tracer.names import Names
from tilelang_runtime.tracer.regions import Frame, PythonLoop
from tilelang_runtime.tracer.values import LoopSpec, Ref


class PythonBreak(Exception):
    """break of a compile-time loop."""


class PythonContinue(Exception):
    """continue of a compile-time loop."""


class Builder(Names):
    """Builds one `Program`: control flow and logic over names and elements. Not shared between threads."""

    PythonBreak = PythonBreak
    PythonContinue = PythonContinue

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
        loop = PythonLoop("python", self.region().body)
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
            if isinstance(frame, PythonLoop):
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
        regions = [f for f in self.frames[scope.depth :] if not isinstance(f, PythonLoop) and f.kind != "kernel"]
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


def _float_comparison(test: Expr) -> bool:
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
