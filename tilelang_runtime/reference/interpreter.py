"""The reference interpreter: one Python coroutine a thread, nothing clever. The check on the native engine."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from tilelang_runtime.arguments import BoundArguments
from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Load, Program, Span, Stmt, Var
from tilelang_runtime.ir.operators import has_effect
from tilelang_runtime.ir.shape import Shape, classify
from tilelang_runtime.reference import scalars
from tilelang_runtime.reference.checks import Actor, Checker
from tilelang_runtime.reference.memory import Memory, Recorder, read_element, undefined
from tilelang_runtime.reference.schedule import Collective, run_block
from tilelang_runtime.reference.tiles import run_tile
from tilelang_runtime.report import Event, RunError

Steps = Generator[Collective, Any, Any]
BREAK, CONTINUE, RETURN = "break", "continue", "return"


@dataclass
class Block:
    """What the threads of a block share."""

    launch: nodes.Launch
    shape: Shape
    memory: Memory
    index: tuple[int, int, int]
    shared: dict[int, np.ndarray] = field(default_factory=dict)
    sites: dict[int, int] = field(default_factory=dict)


class Thread:
    """One thread (or, at tile level, the whole block)."""

    def __init__(self, block: Block, linear: int):
        self.block = block
        self.linear = linear
        x, y, _ = block.launch.threads
        position = (linear % x, linear // x % y, linear // (x * y))
        self.values: dict[int, Any] = dict(block.memory.scalars)
        for var, value in zip(block.launch.thread_vars, position, strict=True):
            self.values[id(var)] = value
        for var, value in zip(block.launch.blocks, block.index, strict=True):
            self.values[id(var)] = value
        self.locals: dict[int, Any] = {}
        self.unset: set[int] = set()  # scalars (scope var) that nothing has been stored to; kept for the checker
        self.where = f"block {block.index}, thread {position}"
        self.in_parallel = False
        self.rounds: tuple[int, ...] = ()  # which iterations of T.Parallel this is
        self.span = block.launch.span
        self.checker = block.memory.checker

    # --- expressions ------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Any:
        """A pure expression's value."""
        if isinstance(expr, Const):
            return expr.value
        if isinstance(expr, Var):
            return self.values[id(expr)]
        if isinstance(expr, nodes.Select):
            return self.value(expr.then if self.value(expr.cond) else expr.otherwise)
        if isinstance(expr, nodes.Binary) and expr.op in ("and", "or"):
            left = self.value(expr.left)
            return (left and self.value(expr.right)) if expr.op == "and" else (left or self.value(expr.right))
        return self.apply(expr, [self.value(child) for child in nodes.children(expr)])

    def effect(self, expr: Expr) -> Steps:
        """Any expression's value; operands from left to right."""
        if not has_effect(expr):
            return self.value(expr)
        if isinstance(expr, nodes.Select):
            test = yield from self.effect(expr.cond)
            return (yield from self.effect(expr.then if test else expr.otherwise))
        if isinstance(expr, nodes.Binary) and expr.op in ("and", "or"):
            left = yield from self.effect(expr.left)
            if left == (expr.op == "or"):
                return left
            return (yield from self.effect(expr.right))
        operands = []
        for child in nodes.children(expr):
            operands.append((yield from self.effect(child)))
        if isinstance(expr, nodes.Shuffle):
            return (yield self.collective("shuffle", expr, operands))
        if isinstance(expr, nodes.Vote):
            return (yield from self.vote(expr, operands))
        return self.apply(expr, operands)

    def apply(self, expr: Expr, operands: list[Any]) -> Any:
        """One operation on operand values."""
        span = expr.span if expr.span.line else self.span
        if isinstance(expr, nodes.Binary):
            try:
                return scalars.binary(expr.op, operands[0], operands[1], expr.left.dtype)
            except scalars.DivisionByZero:
                raise RunError(f"{span}: integer division by zero ({self.where})", span) from None
        if isinstance(expr, nodes.Unary):
            if expr.op == "not":
                return not operands[0]
            return scalars.settle(-operands[0] if expr.op == "neg" else ~operands[0], expr.dtype)
        if isinstance(expr, nodes.Cast):
            return scalars.convert(operands[0], expr.operand.dtype, expr.dtype, expr.rounding)
        if isinstance(expr, nodes.Reinterpret):
            return scalars.from_bits(scalars.bits_of(operands[0], expr.operand.dtype), expr.dtype)
        if isinstance(expr, nodes.Call):
            return scalars.call(expr, operands)
        if isinstance(expr, Load):
            return self.load(expr.buffer, tuple(operands), span)
        if isinstance(expr, nodes.Atomic):
            return self.atomic(expr, operands, span)
        raise nodes.TileLangError(f"{type(expr).__name__} cannot be a value", span)

    # --- memory -----------------------------------------------------------------------------------------------------

    def array(self, buffer: Buffer) -> np.ndarray:
        """Where the buffer's elements are."""
        if buffer.scope == "global":
            return self.block.memory.arrays[id(buffer)]
        store = self.locals if buffer.scope == "local" else self.block.shared
        return store[id(buffer)]

    def actor(self) -> Actor:
        """Who accesses memory now, for the checker."""
        recorder = self.block.memory.recorder
        warp = -1 if self.rounds or self.block.shape.per_block else self.linear // 32
        identity = (-1, *self.rounds) if self.rounds else (self.linear,)
        return Actor(self.block.index, identity, warp, recorder.epoch, recorder.warp_epochs.get(warp, 0))

    def load(self, buffer: Buffer, indices: tuple[int, ...], span: Span) -> Any:
        """An element; 0 where a guard holds."""
        if buffer.scope == "var":
            if self.checker is not None and id(buffer) in self.unset:
                what = f"{buffer.name} (var) is read where nothing was written"
                self.block.memory.recorder.add("uninitialised_read", span, what, ())
            return self.locals[id(buffer)]
        array = self.array(buffer)
        place = self.block.memory.place(array, buffer, indices, f"read of {buffer.name}", span, self.where)
        if self.checker is not None and place is not None:
            self.checker.read(self.actor(), buffer, array, place, span)
        return scalars.settle(0, buffer.dtype) if place is None else read_element(array, place, buffer.dtype)

    def store(self, buffer: Buffer, indices: tuple[int, ...], value: Any, span: Span) -> None:
        """Writes an element; dropped where a guard holds."""
        if buffer.scope == "var":
            self.unset.discard(id(buffer))
            self.locals[id(buffer)] = value
            return
        array = self.array(buffer)
        place = self.block.memory.place(array, buffer, indices, f"write of {buffer.name}", span, self.where)
        if place is not None:
            before = array[place].tobytes() if self.checker is not None else b""
            array[place] = value
            if self.checker is not None:
                changes = array[place].tobytes() != before
                self.checker.write(self.actor(), buffer, array, place, span, changes=changes)

    def atomic(self, expr: nodes.Atomic, operands: list[Any], span: Span) -> Any:
        """Read, modify, write."""
        count = len(expr.indices)
        indices, values = tuple(operands[:count]), operands[count:]
        buffer, op, dtype = expr.buffer, expr.op, expr.dtype
        array = self.array(buffer)
        place = self.block.memory.place(array, buffer, indices, f"atomic on {buffer.name}", span, self.where)
        if place is None:
            return scalars.settle(0, dtype)
        if self.checker is not None:
            self.checker.atomic(self.actor(), buffer, array, place, span)
        if dtype != buffer.dtype:  # through a pointer cast
            array = array.view(types.numpy_dtype(dtype))
        old = read_element(array, place, dtype)
        names = {"and": "bitand", "or": "bitor", "xor": "bitxor"}
        if op == "load":
            new = old
        elif op in ("exch", "store"):
            new = values[0]
        elif op == "cas":
            new = values[1] if old == values[0] else old
        elif op == "inc":
            new = 0 if old >= values[0] else old + 1
        elif op == "dec":
            new = values[0] if old == 0 or old > values[0] else old - 1
        else:
            new = scalars.binary(names.get(op, op), old, values[0], dtype)
        array[place] = new
        return old

    # --- warp and block operations ----------------------------------------------------------------------------------

    def collective(self, kind: str, expr: Any, operands: list[Any]) -> Collective:
        """What the scheduler completes."""
        if isinstance(expr, nodes.Shuffle):
            value, lane, width, mask = operands
            source = source_lane(expr.mode, self.linear % 32, lane, width)
            return Collective("shuffle", mask & 0xFFFFFFFF, value, source, expr.span, f"shuffle ({expr.mode})")
        return Collective(kind, operands[-1] & 0xFFFFFFFF, operands[0], 0, expr.span, kind)

    def vote(self, expr: nodes.Vote, operands: list[Any]) -> Steps:
        """Votes and butterflies."""
        mode, dtype = expr.mode, expr.dtype
        if mode.startswith("block_"):
            return (yield Collective(mode, 0, operands[0], 0, expr.span, mode))
        if mode == "activemask":
            return (yield Collective("activemask", 0, None, 0, expr.span, mode))
        if mode.startswith("reduce_"):
            value, mask = operands
            op = mode.removeprefix("reduce_").replace("sum", "add")
            for distance in (16, 8, 4, 2, 1):
                source = source_lane("xor", self.linear % 32, distance, 32)
                other = yield Collective("shuffle", mask & 0xFFFFFFFF, value, source, expr.span, mode)
                value = scalars.binary(op, value, other, dtype)
            return value
        if mode.startswith("lanes_"):
            return (yield from self._over_lanes(expr, *operands))
        if mode.startswith("match"):
            assert expr.value is not None
            operands = [scalars.bits_of(operands[0], expr.value.dtype), operands[1]]
        result = yield self.collective(mode, expr, operands)
        return int(result) if mode in ("any", "all") else scalars.settle(result, dtype)

    def _over_lanes(self, expr: nodes.Vote, value: Any, mask: int) -> Steps:
        """A reduction over the live lanes of the mask, lowest first."""
        mask &= 0xFFFFFFFF
        members = yield Collective("ballot", mask, True, 0, expr.span, expr.mode)
        result: Any = None
        for lane in range(32):
            if members >> lane & 1:
                other = yield Collective("shuffle", mask, value, lane, expr.span, expr.mode)
                result = (
                    other
                    if result is None
                    else scalars.binary(expr.mode.removeprefix("lanes_"), result, other, expr.dtype)
                )
        return result

    # --- statements -------------------------------------------------------------------------------------------------

    def run(self, body: list[Stmt]) -> Steps:
        """Statements in order; the result tells how they were left."""
        for statement in body:
            left = yield from self.statement(statement)
            if left is not None:
                return left
        return None

    def statement(self, statement: Stmt) -> Steps:
        """One statement."""
        if statement.span.line:
            self.span = statement.span
        if isinstance(statement, nodes.Bind):
            self.values[id(statement.var)] = yield from self.effect(statement.value)
        elif isinstance(statement, nodes.Store):
            indices = []
            for index in statement.indices:
                indices.append((yield from self.effect(index)))
            value = yield from self.effect(statement.value)
            self.store(statement.buffer, tuple(indices), value, statement.span)
        elif isinstance(statement, nodes.Allocate):
            yield from self.allocate(statement)
        elif isinstance(statement, nodes.Evaluate):
            repeats = self.block.shape.per_block and not self.in_parallel and isinstance(statement.value, nodes.Atomic)
            x, y, z = self.block.launch.threads
            plain = isinstance(statement.value, nodes.Atomic) and statement.value.op in ("load", "store")
            for _ in range(x * y * z if repeats and not plain else 1):
                yield from self.effect(statement.value)
        elif isinstance(statement, nodes.If):
            test = yield from self.effect(statement.cond)
            return (yield from self.run(statement.then if test else statement.otherwise))
        elif isinstance(statement, nodes.For):
            return (yield from self.loop(statement))
        elif isinstance(statement, nodes.While):
            while True:
                yield from self.run(statement.cond_pre)
                if not (yield from self.effect(statement.cond)):
                    return None
                left = yield from self.run(statement.body)
                if left == BREAK:
                    return None
                if left == RETURN:
                    return left
        elif isinstance(statement, nodes.ParallelFor):
            return (yield from self.parallel(statement))
        elif isinstance(statement, nodes.Break):
            return BREAK
        elif isinstance(statement, nodes.Continue):
            return CONTINUE
        elif isinstance(statement, nodes.ThreadReturn):
            return RETURN
        elif isinstance(statement, nodes.Barrier):
            yield from self.barrier(statement)
        elif isinstance(statement, nodes.Assert):
            if not (yield from self.effect(statement.cond)):
                message = f"{statement.span}: assertion failed: {statement.message} ({self.where})"
                raise RunError(message, statement.span)
        elif isinstance(statement, nodes.Print):
            print(statement.message, *[self.value(value) for value in statement.values], f"({self.where})")
        elif isinstance(statement, nodes.TILE_OPS):
            yield from self.tile(statement)
        return None

    def allocate(self, statement: nodes.Allocate) -> Steps:
        """A buffer comes into scope, undefined."""
        buffer = statement.buffer
        if buffer.alias is not None:
            shown = self.array(buffer.alias).reshape(-1).view(types.numpy_dtype(buffer.dtype)).reshape(_static(buffer))
            (self.locals if buffer.scope == "local" else self.block.shared)[id(buffer)] = shown
            if self.checker is not None:
                self.checker.alias(shown, self.array(buffer.alias))
        elif buffer.scope == "var":
            self.unset.discard(id(buffer))
            if statement.init is not None:
                self.locals[id(buffer)] = yield from self.effect(statement.init)
            else:
                self.unset.add(id(buffer))
                self.locals[id(buffer)] = read_element(undefined((1,), buffer.dtype), (0,), buffer.dtype)
        elif buffer.scope == "local" or id(buffer) not in self.block.shared:
            array = undefined(_static(buffer), buffer.dtype)
            (self.locals if buffer.scope == "local" else self.block.shared)[id(buffer)] = array
            if self.checker is not None:
                self.checker.fresh(array)

    def loop(self, statement: nodes.For) -> Steps:
        """for."""
        start = yield from self.effect(statement.start)
        stop = yield from self.effect(statement.stop)
        step = yield from self.effect(statement.step)
        if step == 0:
            raise RunError(f"{statement.span}: the step of a loop is zero ({self.where})", statement.span)
        for value in range(start, stop, step):
            self.values[id(statement.var)] = value
            left = yield from self.run(statement.body)
            if left == BREAK:
                return None
            if left == RETURN:
                return left
        return None

    def parallel(self, statement: nodes.ParallelFor) -> Steps:
        """All rounds at tile level; this thread's share otherwise."""
        extents = [self.value(extent) for extent in statement.extents]
        rounds: Iterator[tuple[int, ...]] = product(*[range(extent) for extent in extents])
        outer, self.in_parallel = self.in_parallel, True
        shared = not self.block.shape.per_block
        if shared:
            yield Collective("barrier", 0, None, 0, statement.span, "T.Parallel")
            x, y, z = self.block.launch.threads
            rounds = (r for number, r in enumerate(rounds) if number % (x * y * z) == self.linear)
        above = self.rounds
        self._pass_epoch(shared)
        for values in rounds:
            self.rounds = (*above, *values)
            for var, value in zip(statement.variables, values, strict=True):
                self.values[id(var)] = value
            left = yield from self.run(statement.body)
            if left == RETURN:
                return left
        self.rounds = above
        self._pass_epoch(shared)
        if shared:
            yield Collective("barrier", 0, None, 0, statement.span, "T.Parallel")
        self.in_parallel = outer
        return None

    def _pass_epoch(self, by_barriers: bool) -> None:
        """Where the block runs as one, nothing but this orders T.Parallel after what stands before it."""
        if not by_barriers and not self.rounds:
            self.block.memory.recorder.epoch += 1

    def barrier(self, statement: nodes.Barrier) -> Steps:
        """T.sync_threads, T.sync_warp."""
        if self.block.shape.per_block:
            return
        if statement.kind == "block":
            yield Collective("barrier", 0, None, 0, statement.span, "T.sync_threads")
            return
        mask = 0xFFFFFFFF if statement.mask is None else self.value(statement.mask)
        yield Collective("sync", mask, None, 0, statement.span, "T.sync_warp")

    def tile(self, statement: Any) -> Steps:
        """A tile operation: once a block."""
        if self.block.shape.per_block:
            run_tile(self, statement)
            return
        yield Collective("barrier", 0, None, 0, statement.span, "tile operation")
        if (yield Collective("elect", 0, None, 0, statement.span, "tile operation")):
            run_tile(self, statement)
        yield Collective("barrier", 0, None, 0, statement.span, "tile operation")


def _static(buffer: Buffer) -> tuple[int, ...]:
    return tuple(int(size) for size in buffer.shape)


def source_lane(mode: str, lane: int, operand: int, width: int) -> int:
    """The lane that a shuffle reads, by the width-wide groups."""
    first = lane // width * width
    last = first + width - 1
    operand &= 31
    if mode == "idx":
        return first + operand % width
    other = lane - operand if mode == "up" else lane + operand if mode == "down" else lane ^ operand
    inside = other >= first if mode == "up" else other <= last
    return other if inside else lane


def run_program(program: Program, bound: BoundArguments, *, unguarded: bool, checked: bool = False) -> list[Event]:
    """Runs every launch under the schedule contract. Raises RunError. ``checked``: watch every access."""
    recorder = Recorder()
    checker = Checker(recorder) if checked else None
    memory = Memory(program, bound, unguarded, recorder, checker)
    for launch in program.launches:
        if checker is not None:
            checker.start_launch(launch)
        shape = classify(launch)
        host = Thread(Block(launch, shape, memory, (0, 0, 0)), 0)
        grid = [*(host.value(extent) for extent in launch.grid), 1, 1][:3]
        x, y, z = launch.threads
        for index in product(*(range(size) for size in reversed(grid))):
            block = Block(launch, shape, memory, (index[2], index[1], index[0]))
            if checker is not None:
                checker.start_block()
            count = 1 if shape.per_block else x * y * z
            threads = [Thread(block, linear).run(launch.body) for linear in range(count)]
            run_block(threads, recorder, f"block {block.index}")
    return recorder.events()
