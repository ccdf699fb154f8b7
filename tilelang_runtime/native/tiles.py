"""C++ text of tile operations, each executed once by the block."""

from __future__ import annotations

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Expr, Region, TileLangError, Var
from tilelang_runtime.ir.shape import Shape
from tilelang_runtime.native.ctypes_names import MEMORY, VALUE
from tilelang_runtime.native.expressions import ExpressionWriter
from tilelang_runtime.native.ranges import Interval

GEMM_INPUT = {"float32": 0, "float16": 1, "bfloat16": 2, "float64": 3, "int8": 4, "uint8": 5, "int32": 6}
GEMM_ACCUMULATOR = {"float32": 0, "float16": 16, "float64": 32, "int32": 48, "bfloat16": 64}


class TileWriter(ExpressionWriter):
    """Adds tile operations to the expression writer."""

    shape: Shape
    launch: nodes.Launch

    def tile(self, statement: nodes.Stmt) -> None:
        """One tile operation; in a thread-level program one thread does it between two barriers."""
        if not self.shape.per_block:
            site = self.site("tile operation")
            self.lines += [f"c->barrier(c, {site}, VOTE_NONE, 0);", "if (c->first_live(c)) {"]
        self.lines.append("{")
        if isinstance(statement, nodes.TileCopy):
            self.copy(statement)
        elif isinstance(statement, nodes.TileFill):
            self.fill(statement)
        elif isinstance(statement, nodes.TileGemm):
            self.gemm(statement)
        elif isinstance(statement, nodes.TileReduce):
            self.reduce(statement)
        elif isinstance(statement, nodes.TileScan):
            self.scan(statement)
        elif isinstance(statement, nodes.TileAtomic):
            self.atomic_tile(statement)
        elif isinstance(statement, nodes.TileTranspose):
            self.transpose(statement)
        self.lines.append("}")
        if not self.shape.per_block:
            self.lines += ["}", f"c->barrier(c, {site}, VOTE_NONE, 0);"]

    # --- regions ----------------------------------------------------------------------------------------------------

    def starts(self, region: Region) -> list[str]:
        """First indices as 64-bit constants."""
        return [self.temporary("int64", f"(i64){self.expr(start)}", "start") for start in region.starts]

    def extents(self, region: Region) -> list[str]:
        """Extents as C++ text."""
        return [str(e) if isinstance(e, int) else f"(i64){self.expr(e)}" for e in region.extents]

    def moving(self, region: Region) -> list[int]:
        """Dimensions whose extent is not 1 (the last one if there is none)."""
        found = [axis for axis, extent in enumerate(region.extents) if not (isinstance(extent, int) and extent == 1)]
        return found

    def element(self, region: Region, starts: list[str], offsets: dict[int, str], what: str) -> str:
        """The flat place of start + offset (offsets by dimension, others 0)."""
        indices: list[str] = []
        known: list[Interval | None] = []
        for axis, (start, extent) in enumerate(zip(starts, region.extents, strict=True)):
            offset = offsets.get(axis)
            indices.append(start if offset is None else f"({start} + {offset})")
            first = self.ranges.of(region.starts[axis])
            last = self.ranges.of(extent)
            whole = first is not None and last is not None
            known.append((first[0], first[1] + last[1] - 1) if whole and first and last else None)
        return self.place(region.buffer, indices, known, what, self.span)

    def value_at(self, region: Region, starts: list[str], offsets: dict[int, str]) -> str:
        """A read of an element."""
        if region.buffer.scope == "var":
            return self.name_of(region.buffer)
        place = self.element(region, starts, offsets, f"read of {region.buffer.name}")
        return self.load_at(region.buffer, place, self.span)

    def put_at(self, region: Region, starts: list[str], offsets: dict[int, str], value: str) -> None:
        """A write of an element."""
        place = self.element(region, starts, offsets, f"write of {region.buffer.name}")
        self.lines.append(self.store_at(region.buffer, place, value, self.span))

    def open_loops(self, extents: list[str]) -> list[str]:
        """Nested loops over a box; returns the variables."""
        names = []
        for extent in extents:
            name = self.fresh("e")
            names.append(name)
            self.lines.append(f"for (i64 {name} = 0; {name} < {extent}; {name}++) {{")
        return names

    def close_loops(self, names: list[str]) -> None:
        """Closes what `open_loops` opened."""
        self.lines += ["}"] * len(names)

    # --- operations -------------------------------------------------------------------------------------------------

    def copy(self, statement: nodes.TileCopy) -> None:
        """T.copy, a row at a time."""
        source, target = statement.source, statement.target
        from_axes, to_axes = self.moving(source), self.moving(target)
        if len(from_axes) != len(to_axes):
            raise TileLangError("T.copy between regions of different rank", self.span)
        from_starts, to_starts = self.starts(source), self.starts(target)
        extents = self.extents(target)
        if not to_axes:
            from_axes, to_axes = [len(from_starts) - 1], [len(to_starts) - 1]
        outer = self.open_loops([extents[axis] for axis in to_axes[:-1]])
        parts = []
        for region, starts, axes in ((target, to_starts, to_axes), (source, from_starts, from_axes)):
            parts.append(
                self.row(region, starts, dict(zip(axes[:-1], outer, strict=True)), axes[-1], extents[to_axes[-1]])
            )
        kinds = f"{MEMORY[target.buffer.dtype]}, {MEMORY[source.buffer.dtype]}"
        self.lines.append(f"copy_row<{kinds}>({parts[0]}, {parts[1]}, {extents[to_axes[-1]]});")
        self.close_loops(outer)

    def row(self, region: Region, starts: list[str], offsets: dict[int, str], axis: int, extent: str) -> str:
        """Base pointer, step and valid part of a row along ``axis``, as arguments of copy_row."""
        buffer = region.buffer
        if buffer.scope == "var":
            raise TileLangError("T.copy of a scalar variable: assign it", self.span)
        sizes, strides = self.layout(buffer)
        inside, terms = [], []
        for position, start in enumerate(starts):
            index = f"({start} + {offsets[position]})" if position in offsets else start
            terms.append(f"{index} * {strides[position]}")
            if position != axis:
                inside.append(f"(u64){index} < (u64){sizes[position]}")
        test = " && ".join(inside) or "true"
        part = self.fresh("part")
        self.lines.append(f"const Span1 {part} = valid_part({starts[axis]}, {extent}, {sizes[axis]}, {test});")
        if buffer.scope != "global":
            site = self.site(f"T.copy of {buffer.name}")
            self.lines.append(
                f"if ({part}.low != 0 || {part}.high < {extent}) "
                f"inside(c, {site}, outside(c, {starts[axis]}, 0, 0, 0));"
            )
        return f"{self.name_of(buffer)} + ({' + '.join(terms)}), {strides[axis]}, {part}"

    def layout(self, buffer: Buffer) -> tuple[list[str], list[str]]:
        """Extents and strides as C++ text."""
        if buffer.scope == "global":
            return self.bounds[id(buffer)]
        sizes = [int(size) for size in buffer.shape if isinstance(size, int)]
        strides = [1] * len(sizes)
        for axis in range(len(sizes) - 2, -1, -1):
            strides[axis] = strides[axis + 1] * sizes[axis + 1]
        return [str(size) for size in sizes], [str(stride) for stride in strides]

    def fill(self, statement: nodes.TileFill) -> None:
        """T.fill."""
        region = statement.target
        value = self.temporary(statement.value.dtype, self.expr(statement.value), "value")
        starts, extents = self.starts(region), self.extents(region)
        names = self.open_loops(extents)
        self.put_at(region, starts, dict(enumerate(names)), value)
        self.close_loops(names)

    def gemm(self, statement: nodes.TileGemm) -> None:
        """T.gemm, by the scheduler library."""
        left, right, target = statement.left, statement.right, statement.target
        source, result = left.buffer.dtype, target.buffer.dtype
        integers = types.is_int(source)
        if source not in GEMM_INPUT or result not in GEMM_ACCUMULATOR or integers != (result == "int32"):
            raise TileLangError(f"T.gemm of {source} into {result}", self.span)
        if (source == "float64") != (result == "float64"):
            raise TileLangError(f"T.gemm of {source} into {result}", self.span)
        pointers = []
        for region, swap in ((left, statement.transpose_left), (right, statement.transpose_right), (target, False)):
            if region.buffer.scope == "global":
                raise TileLangError("T.gemm works on shared memory and fragments", self.span)
            _, strides = self.layout(region.buffer)
            starts = self.starts(region)
            corner = self.element(region, starts, {}, f"T.gemm operand {region.buffer.name}")
            row, column = strides[-2:] if not swap else strides[-2:][::-1]
            pointers.append(f"{self.name_of(region.buffer)} + {corner}, {row}, {column}")
        rows, columns = (int(extent) for extent in target.extents[-2:] if isinstance(extent, int))
        depth = left.extents[-2 if statement.transpose_left else -1]
        kind = GEMM_INPUT[source] | GEMM_ACCUMULATOR[result]
        self.lines.append(
            f"c->gemm({kind}, {', '.join(pointers)}, {rows}, {columns}, {depth}, {int(statement.clear)});"
        )

    def reduce(self, statement: nodes.TileReduce) -> None:
        """T.reduce_*, ascending along the dimension."""
        source, target, axis, op = statement.source, statement.target, statement.dim, statement.op
        starts, to_starts = self.starts(source), self.starts(target)
        extents = self.extents(source)
        kept = [d for d in range(len(extents)) if d != axis and extents[d] != "1"]
        to_axes = self.moving(target)
        if len(kept) != len(to_axes):
            raise TileLangError(f"T.reduce_{op}: the result has another rank", self.span)
        outer = self.open_loops([extents[d] for d in kept])
        offsets = dict(zip(kept, outer, strict=True))
        to_offsets = dict(zip(to_axes, outer, strict=True))
        dtype = target.buffer.dtype
        kind, memory = VALUE[dtype], MEMORY[dtype]
        total, step = self.fresh("total"), self.fresh("r")
        old = self.value_at(target, to_starts, to_offsets) if not statement.clear else None
        self.lines.append(f"{kind} {total} = {old if old is not None else _identity(op, dtype)};")
        self.lines.append(f"for (i64 {step} = 0; {step} < {extents[axis]}; {step}++) {{")
        text = self.value_at(source, starts, {**offsets, axis: step})
        term = self.temporary(dtype, f"Convert<{memory}>::from({text})", "term")
        if op in ("abssum", "absmax") and types.is_float(dtype):
            term = f"__builtin_fabs{'' if dtype == 'float64' else 'f'}({term})"
        elif op in ("abssum", "absmax"):
            term = f"({kind})({term} < 0 ? -{term} : {term})"
        combined = self.combine(op, dtype, total, term)
        if statement.nan_propagate and op in ("max", "min", "absmax") and types.is_float(dtype):
            combined = f"{total} != {total} ? {total} : {term} != {term} ? {term} : {combined}"
        self.lines += [f"{total} = {combined};", "}"]
        self.put_at(target, to_starts, to_offsets, total)
        self.close_loops(outer)

    def combine(self, op: str, dtype: str, left: str, right: str) -> str:
        """``left op right`` of a reduction."""
        names = {"sum": "add", "abssum": "add", "max": "max", "absmax": "max", "min": "min", "add": "add"}
        x = Var("x", dtype)
        return self.binary(nodes.Binary(names.get(op, op), x, x, dtype), left, right)

    def scan(self, statement: nodes.TileScan) -> None:
        """T.cumsum, T.cummax."""
        source, target, axis = statement.source, statement.target, statement.dim
        starts, to_starts = self.starts(source), self.starts(target)
        extents = self.extents(source)
        if len(extents) != len(target.extents):
            raise TileLangError("a scan into a buffer of another rank", self.span)
        axes = [d for d in range(len(extents)) if d != axis]
        outer = self.open_loops([extents[d] for d in axes])
        dtype = target.buffer.dtype
        total, step = self.fresh("total"), self.fresh("r")
        place = f"({extents[axis]} - 1 - {step})" if statement.reverse else step
        offsets = {**dict(zip(axes, outer, strict=True)), axis: place}
        self.lines += [
            f"{VALUE[dtype]} {total} = {_identity(statement.op, dtype)};",
            f"for (i64 {step} = 0; {step} < {extents[axis]}; {step}++) {{",
        ]
        term = self.temporary(
            dtype, f"Convert<{MEMORY[dtype]}>::from({self.value_at(source, starts, offsets)})", "term"
        )
        first = f"{step} == 0 ? {term} : " if types.is_float(dtype) else ""
        self.lines.append(f"{total} = {first}{self.combine(statement.op, dtype, total, term)};")
        self.put_at(target, to_starts, offsets, total)
        self.lines.append("}")
        self.close_loops(outer)

    def atomic_tile(self, statement: nodes.TileAtomic) -> None:
        """T.atomic_* of a region."""
        target, source = statement.target, statement.source
        to_starts, extents = self.starts(target), self.extents(target)
        to_axes = self.moving(target)
        dtype = target.buffer.dtype
        value = "" if isinstance(source, Region) else self.temporary(dtype, self.expr(source), "value")
        starts = self.starts(source) if isinstance(source, Region) else []
        outer = self.open_loops([extents[d] for d in to_axes])
        if isinstance(source, Region):
            axes = self.moving(source)
            if len(axes) != len(to_axes):
                raise TileLangError(f"T.atomic_{statement.op} between regions of different rank", self.span)
            text = self.value_at(source, starts, dict(zip(axes, outer, strict=True)))
            value = self.temporary(dtype, f"Convert<{MEMORY[dtype]}>::from({text})", "value")
        place = self.element(
            target, to_starts, dict(zip(to_axes, outer, strict=True)), f"atomic on {target.buffer.name}"
        )
        site = self.site(f"atomic on {target.buffer.name}")
        kind = VALUE[dtype]
        new = self.combine(statement.op, dtype, "x", value)
        self.lines.append(
            f"modify(c, {site}, {self.name_of(target.buffer)}, {place}, [&]({kind} x) -> {kind} {{ return {new}; }});"
        )
        self.close_loops(outer)

    def transpose(self, statement: nodes.TileTranspose) -> None:
        """T.transpose."""
        source, target = statement.source, statement.target
        starts, to_starts = self.starts(source), self.starts(target)
        i, j = self.open_loops(self.extents(source))
        text = self.value_at(source, starts, {0: i, 1: j})
        self.put_at(target, to_starts, {0: j, 1: i}, f"Convert<{MEMORY[target.buffer.dtype]}>::from({text})")
        self.close_loops([i, j])


def _identity(op: str, dtype: str) -> str:
    """The neutral element as C++ text."""
    if op in ("sum", "abssum", "bitor", "bitxor", "absmax"):
        return f"({VALUE[dtype]})0"
    if op == "bitand":
        return f"({VALUE[dtype]})-1"
    if types.is_float(dtype):
        text = "__builtin_inf()" if dtype == "float64" else "__builtin_inff()"
        return text if op == "min" else f"-{text}"
    width = types.bits(dtype)
    if types.is_signed(dtype):
        high = f"({VALUE[dtype]})(((u64)1 << {width - 1}) - 1)"
        return high if op == "min" else f"({VALUE[dtype]})((u64)1 << {width - 1})"
    return f"({VALUE[dtype]})-1" if op == "min" else f"({VALUE[dtype]})0"


__all__ = ["Expr", "TileWriter"]
