"""Values that exist while tracing: references, regions, loop specifications, argument annotations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilelang_runtime.ir import nodes, operators, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Load, Region, Var
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail

if TYPE_CHECKING:
    from tilelang_runtime.tracer.builder import Builder


@dataclass(eq=False)
class Ref:
    """A T.Ref parameter that stands for a buffer element."""

    buffer: Buffer
    indices: tuple[Expr, ...]

    def as_load(self) -> Load:
        """The element's content now."""
        return Load(self.buffer, self.indices, LOCATION.span)


@dataclass(eq=False)
class BufferRegion:
    """``A[a:b, c]``."""

    region: Region


def simple_index(index: Any) -> int | None:
    """A compile-time index, or None."""
    if isinstance(index, tuple) and len(index) == 1:
        index = index[0]
    if isinstance(index, Const):
        return int(index.value)
    return index if isinstance(index, int) else None


def store_target(value: Any) -> tuple[Buffer, tuple[Expr, ...]] | None:
    """Where an assignment to a name that holds ``value`` stores, or None if it renames."""
    if isinstance(value, Ref):
        return value.buffer, value.indices
    if isinstance(value, Buffer) and value.scope == "var":
        return value, ()
    return None


def load(buffer: Buffer, indices: tuple[Any, ...]) -> Load:
    """An element access with checked rank and index types."""
    if buffer.scope == "var":
        if len(indices) == 1 and simple_index(indices[0]) == 0:
            indices = ()
        if indices:
            raise fail(f"`{buffer.name}` is a scalar variable")
        return Load(buffer, (), LOCATION.span)
    if len(indices) != len(buffer.shape):
        raise fail(f"`{buffer.name}` has {len(buffer.shape)} dimensions, indexed with {len(indices)}")
    parts = []
    for index in indices:
        part = as_expr(index)
        if not types.is_int(part.dtype):
            raise fail(f"index of `{buffer.name}` must be an integer, not {part.dtype}")
        parts.append(part)
    return Load(buffer, tuple(parts), LOCATION.span)


def region_of(value: Any, index: Any = None) -> BufferRegion:
    """The region of a buffer, of ``buffer[index]`` with slices, or of an element taken as base point (extents 1)."""
    if isinstance(value, BufferRegion):
        return value
    if isinstance(value, Load):
        return BufferRegion(Region(value.buffer, value.indices, tuple(1 for _ in value.indices)))
    if isinstance(value, Ref):
        return BufferRegion(Region(value.buffer, value.indices, tuple(1 for _ in value.indices)))
    if not isinstance(value, Buffer):
        raise fail(f"a buffer or region is needed, not {type(value).__name__}")
    if index is None:
        zeros = tuple(as_expr(0) for _ in value.shape)
        return BufferRegion(Region(value, zeros, tuple(value.shape)))
    parts = index if isinstance(index, tuple) else (index,)
    if len(parts) != len(value.shape):
        raise fail(f"`{value.name}` has {len(value.shape)} dimensions, indexed with {len(parts)}")
    starts: list[Expr] = []
    extents: list[Expr | int] = []
    for part, size in zip(parts, value.shape, strict=True):
        if isinstance(part, slice):
            start = as_expr(0 if part.start is None else part.start)
            stop = as_expr(size if part.stop is None else part.stop)
            starts.append(start)
            extents.append(extent_between(start, stop))
        else:
            starts.append(as_expr(part))
            extents.append(1)
    return BufferRegion(Region(value, tuple(starts), tuple(extents)))


def extent_between(start: Expr, stop: Expr) -> Expr | int:
    """stop - start, as a Python int where the two differ by a constant."""
    base, offset = _linear(start)
    other, limit = _linear(stop)
    if _same_terms(base, other):
        return limit - offset
    return operators.binary("sub", stop, start)


def _linear(value: Expr) -> tuple[list[Expr], int]:
    if isinstance(value, Const):
        return [], int(value.value)
    if isinstance(value, nodes.Cast) and types.is_int(value.operand.dtype):
        return _linear(value.operand)
    if isinstance(value, nodes.Binary) and value.op == "add":
        left, right = _linear(value.left), _linear(value.right)
        return left[0] + right[0], left[1] + right[1]
    if isinstance(value, nodes.Binary) and value.op == "mul" and isinstance(value.right, Const):
        # (i + 1) * 4 against i * 4
        terms, offset = _linear(value.left)
        if terms and offset:
            factor = value.right
            scaled = [operators.binary("mul", term, factor) for term in terms]
            return scaled, offset * int(factor.value)
    return [value], 0


def _same_terms(left: list[Expr], right: list[Expr]) -> bool:
    rest = list(right)
    for term in left:
        found = next((position for position, other in enumerate(rest) if operators.same(term, other)), None)
        if found is None:
            return False
        del rest[found]
    return not rest


def constant_extent(extent: Expr | int) -> int | None:
    """A Python int, or None for a run-time extent."""
    if isinstance(extent, Const):
        return int(extent.value)
    return extent if isinstance(extent, int) else None


@dataclass(eq=False)
class LoopSpec:
    """T.serial, T.unroll, T.vectorized, T.Pipelined, T.Parallel, T.grid before the loop is entered."""

    kind: str
    bounds: tuple[tuple[Any, Any, Any], ...]  # start, stop, step for each variable

    @staticmethod
    def serial(start: Any, stop: Any = None, step: Any = None, **_annotations: Any) -> LoopSpec:
        """``range`` and T.serial."""
        return LoopSpec.one("serial", start, stop, step)

    @staticmethod
    def one(kind: str, start: Any, stop: Any, step: Any) -> LoopSpec:
        """A loop of one variable."""
        if stop is None:
            start, stop = 0, start
        return LoopSpec(kind, ((start, stop, 1 if step is None else step),))

    def trace(self, builder: Builder) -> Iterator[Any]:
        """Opens the loop in ``builder`` and yields its variable (a tuple for several)."""
        from tilelang_runtime.tracer.regions import Frame

        builder.require_kernel("a loop")
        span = LOCATION.span
        if self.kind == "parallel":
            variables: list[Any] = []
            extents: list[Any] = []
            for _, stop, _ in self.bounds:
                extent = as_expr(stop)
                variables.append(Var(f"p{len(variables)}", extent.dtype, span))
                extents.append(extent)
            statement = nodes.ParallelFor(tuple(variables), tuple(extents), [], span)
            builder.emit(statement)
            with builder.open(Frame("parallel", statement.body)):
                yield variables[0] if len(variables) == 1 else tuple(variables)
            return
        if self.kind == "grid":
            yield from self._nest(builder)
            return
        start, stop, step = self.bounds[0]
        with_step = not (isinstance(step, int) and step == 1)
        loop, value = self._loop(start, stop, step)
        builder.emit(loop)
        with builder.open(Frame("for", loop.body, (loop.start, loop.stop, loop.step))):
            yield value if with_step else loop.var
        check_bounds_fixed(loop, (as_expr(start), as_expr(stop), as_expr(step)))

    def _nest(self, builder: Builder) -> Iterator[Any]:
        from contextlib import ExitStack

        from tilelang_runtime.tracer.regions import Frame

        with ExitStack() as stack:
            variables = []
            for start, stop, _ in self.bounds:
                loop, _ = LoopSpec.one("serial", start, stop, None)._loop(start, stop, 1)
                builder.emit(loop)
                stack.enter_context(builder.open(Frame("for", loop.body)))
                variables.append(loop.var)
            yield variables[0] if len(variables) == 1 else tuple(variables)

    def _loop(self, start: Any, stop: Any, step: Any) -> tuple[nodes.For, Expr]:
        span = LOCATION.span
        kind: Any = self.kind
        if isinstance(step, Const):
            step = int(step.value)
        if isinstance(step, int) and step == 1:
            first, last = as_expr(start), as_expr(stop)
            for bound in (first, last):
                if not types.is_int(bound.dtype):
                    raise fail(f"a loop bound must be an integer, not {bound.dtype}")
            dtype = types.match(first.dtype, last.dtype)
            var = Var("i", dtype, span)
            one = operators.constant(dtype, 1)
            return nodes.For(var, cast(first, dtype), cast(last, dtype), one, kind, [], span), var
        if isinstance(step, int) and step == 0:
            raise fail("the step of a loop must not be zero")
        first, last = as_expr(start), as_expr(stop)
        # upstream counts rounds from 0 and computes start + round * step inside the body
        if isinstance(step, int) and step < 0:
            rounds = ceildiv(operators.binary("sub", first, last), -step)
        else:
            rounds = ceildiv(operators.binary("sub", last, first), step)
        var = Var("round", rounds.dtype, span)
        zero, one = operators.constant(rounds.dtype, 0), operators.constant(rounds.dtype, 1)
        value = operators.build("add", first, operators.build("mul", var, step))
        return nodes.For(var, zero, rounds, one, kind, [], span), value


def ceildiv(left: Any, right: Any) -> Expr:
    """T.ceildiv: floor((left + right - 1) / right)."""
    total = operators.build("add", as_expr(left), operators.build("sub", as_expr(right), 1))
    return operators.build("floordiv", total, right)


def check_bounds_fixed(loop: nodes.For, bounds: tuple[Expr, ...]) -> None:
    """Rejects a loop whose bounds read thread memory that its body writes: generated code reads them every round."""
    read = {id(b) for bound in bounds for b in _buffers_read(bound) if b.scope in ("var", "local")}
    if read and any(id(b) in read for b in _buffers_written(loop.body)):
        raise nodes.TileLangError(
            "the loop's bounds read a variable that its body changes: upstream reads them again every round. Bind the "
            "bound to a name before the loop, or write a while loop",
            loop.span,
        )


def _buffers_read(value: Expr) -> Iterator[Buffer]:
    if isinstance(value, Load):
        yield value.buffer
    for child in nodes.children(value):
        yield from _buffers_read(child)


def _buffers_written(body: list[nodes.Stmt]) -> Iterator[Buffer]:
    for statement in body:
        if isinstance(statement, nodes.Store):
            yield statement.buffer
        for attribute in ("body", "then", "otherwise", "cond_pre"):
            yield from _buffers_written(getattr(statement, attribute, []))
