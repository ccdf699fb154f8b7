"""A structural verifier of programs, run on every traced or imported one."""

from __future__ import annotations

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Expr, Program, Span, Stmt, TileLangError


def verify(program: Program) -> None:
    """Checks dtypes, ranks, loops and the rules on fragments. Raises TileLangError at the first fault."""
    for launch in program.launches:
        _Verifier(launch).block(launch.body, in_loop=False, in_parallel=False)


class _Verifier:
    def __init__(self, launch: nodes.Launch):
        self.launch = launch
        self.owned: list[set[int]] = []  # thread memory allocated inside each open T.Parallel

    def block(self, body: list[Stmt], *, in_loop: bool, in_parallel: bool) -> None:
        for statement in body:
            self.statement(statement, in_loop, in_parallel)

    def statement(self, statement: Stmt, in_loop: bool, in_parallel: bool) -> None:
        span = statement.span
        if isinstance(statement, nodes.Bind):
            self.expression(statement.value, span, in_parallel)
            _expect(statement.var.dtype == statement.value.dtype, "a bind changes the dtype", span)
        elif isinstance(statement, nodes.Store):
            if self.owned and statement.buffer.scope in ("var", "local"):
                _expect(
                    id(statement.buffer) in self.owned[-1],
                    f"`{statement.buffer.name}` is a variable that T.Parallel does not own: each thread would change "
                    "its own copy. Allocate it inside the loop, or use T.reduce or a serial loop",
                    span,
                )
            self.access(statement.buffer, statement.indices, span, in_parallel)
            self.expression(statement.value, span, in_parallel)
            _expect(statement.value.dtype == statement.buffer.dtype, "a store changes the dtype", span)
        elif isinstance(statement, nodes.Allocate):
            if self.owned:
                self.owned[-1].add(id(statement.buffer))
            if statement.init is not None:
                self.expression(statement.init, span, in_parallel)
                _expect(statement.init.dtype == statement.buffer.dtype, "an initial value changes the dtype", span)
        elif isinstance(statement, nodes.Evaluate):
            self.expression(statement.value, span, in_parallel)
        elif isinstance(statement, nodes.If):
            self.condition(statement.cond, span, in_parallel)
            self.block(statement.then, in_loop=in_loop, in_parallel=in_parallel)
            self.block(statement.otherwise, in_loop=in_loop, in_parallel=in_parallel)
        elif isinstance(statement, nodes.For):
            for part in (statement.start, statement.stop, statement.step):
                self.expression(part, span, in_parallel)
                _expect(part.dtype == statement.var.dtype, "loop bounds of another dtype", span)
            _expect(types.is_int(statement.var.dtype), "a loop variable must be an integer", span)
            self.block(statement.body, in_loop=True, in_parallel=in_parallel)
        elif isinstance(statement, nodes.ParallelFor):
            for part in statement.extents:
                self.expression(part, span, in_parallel)
            self.owned.append(set())
            self.block(statement.body, in_loop=False, in_parallel=True)
            self.owned.pop()
        elif isinstance(statement, nodes.While):
            self.block(statement.cond_pre, in_loop=False, in_parallel=in_parallel)
            self.condition(statement.cond, span, in_parallel)
            self.block(statement.body, in_loop=True, in_parallel=in_parallel)
        elif isinstance(statement, (nodes.Break, nodes.Continue)):
            _expect(in_loop, "break or continue outside a loop", span)
        elif isinstance(statement, nodes.Assert):
            self.condition(statement.cond, span, in_parallel)
        elif isinstance(statement, nodes.Barrier):
            _expect(not in_parallel, "a barrier inside T.Parallel", span)
        elif isinstance(statement, nodes.TILE_OPS):
            _expect(not in_parallel, "a tile operation inside T.Parallel", span)

    def condition(self, value: Expr, span: Span, in_parallel: bool) -> None:
        _expect(value.dtype == "bool", "a condition must be bool", span)
        self.expression(value, span, in_parallel)

    def expression(self, value: Expr, span: Span, in_parallel: bool) -> None:
        if isinstance(value, (nodes.Load, nodes.Atomic, nodes.AddressOf)):
            self.access(value.buffer, value.indices, value.span or span, in_parallel)
        if isinstance(value, nodes.Binary):
            _expect(value.left.dtype == value.right.dtype, f"{value.op} of two dtypes", span)
        for child in nodes.children(value):
            self.expression(child, span, in_parallel)

    def access(self, buffer: Buffer, indices: tuple[Expr, ...], span: Span, in_parallel: bool) -> None:
        rank = 0 if buffer.scope == "var" else len(buffer.shape)
        _expect(len(indices) == rank, f"`{buffer.name}` has rank {rank}", span)
        for index in indices:
            _expect(types.is_int(index.dtype), f"an index of `{buffer.name}` is not an integer", span)
        if buffer.scope == "fragment" and not in_parallel and any(extent != 1 for extent in buffer.shape):
            raise TileLangError(
                f"the fragment `{buffer.name}` is spread over the block's threads: outside T.Parallel and tile "
                "operations an element access means another element on every thread",
                span,
            )


def _expect(condition: bool, message: str, span: Span) -> None:
    if not condition:
        raise TileLangError(message, span)
