"""C++ text of statements and of whole launches."""

from __future__ import annotations

from tilelang_runtime.ir import nodes
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Stmt, TileLangError, Var
from tilelang_runtime.ir.shape import Shape, shows_order
from tilelang_runtime.native.ctypes_names import MEMORY, SIZE, VALUE, literal
from tilelang_runtime.native.expressions import ExpressionWriter, Site
from tilelang_runtime.native.tiles import TileWriter

UNROLL_LIMIT = 16  # copies of a body over all enclosing loops: compile time counts in verification


class LaunchWriter(TileWriter):
    """Writes the functions of one launch."""

    def __init__(self, launch: nodes.Launch, program: nodes.Program, sites: list[Site], shape: Shape):
        ExpressionWriter.__init__(self, sites)
        self.launch = launch
        self.program = program
        self.shape = shape
        self.top: list[str] = []  # declarations at the start of the function
        self.shared_bytes = 0
        self.local_bytes = 0
        self.in_parallel = False
        self.unrolled = 1

    # --- function ---------------------------------------------------------------------------------------------------

    def function(self, name: str) -> str:
        """``name``_grid and ``name``_block or ``name``_thread, as C++ text."""
        self.parameters()
        x, y, z = self.launch.thread_vars
        for axis, var in enumerate(self.launch.blocks):
            block = self.declare(var)
            self.top.append(f"const i32 {block} = c->block[{axis}]; (void){block};")
            self.ranges.known[var] = (0, 2**31 - 1)
        for axis, (var, parameter) in enumerate(zip((x, y, z), ("tx", "ty", "tz"), strict=True)):
            self.names[id(var)] = parameter
            self.ranges.known[var] = (0, self.launch.threads[axis] - 1)
        self.lines = []
        self.block(self.launch.body)
        body = self.lines
        head = f"INLINE void {name}_body(Context* c, void** A, i32 tx, i32 ty, i32 tz) {{"
        text = "\n".join([head, *self.top, *body, "}"])
        tx, ty, tz = self.launch.threads
        if self.shape.per_block:
            entry = f'extern "C" void {name}_block(Context* c, void** A) {{ {name}_body(c, A, 0, 0, 0); }}'
        elif self.shape.synchronises:
            unpack = f"i32 t = c->thread; {name}_body(c, A, t % {tx}, t / {tx} % {ty}, t / {tx * ty});"
            entry = f'extern "C" void {name}_thread(Context* c, void** A) {{ {unpack} }}'
        else:
            loops = (
                f"i32 t = 0; for (i32 z = 0; z < {tz}; z++) for (i32 y = 0; y < {ty}; y++) "
                f"for (i32 x = 0; x < {tx}; x++) {{ c->thread = t++; {name}_body(c, A, x, y, z); }}"
            )
            if shows_order(self.launch.body):
                # Other threads that never wait cannot tell one order from another.
                backwards = (
                    f"for (i32 t = {tx * ty * tz} - 1; t >= 0; t--) "
                    f"{{ c->thread = t; {name}_body(c, A, t % {tx}, t / {tx} % {ty}, t / {tx * ty}); }}"
                )
                loops = f"if (c->reversed) {{ {backwards} return; }} {loops}"
            entry = f'extern "C" void {name}_block(Context* c, void** A) {{ {loops} }}'
        return "\n".join([text, entry, self.grid(name)])

    def grid(self, name: str) -> str:
        """The host function that computes the grid."""
        writer = LaunchWriter(self.launch, self.program, self.sites, self.shape)
        writer.parameters()
        writer.span = self.launch.span
        lines = [f"g[{axis}] = (i64){writer.expr(extent)};" for axis, extent in enumerate(self.launch.grid)]
        body = "\n".join([*writer.top, *writer.lines, *lines])
        return f'extern "C" void {name}_grid(Context* c, void** A, i64* g) {{\n{body}\n}}'

    def parameters(self) -> None:
        """Scalars, sizes and argument pointers as constants."""
        position = 0
        buffers: list[Buffer] = []
        for parameter in self.program.params:
            if isinstance(parameter, Buffer):
                name = self.declare(parameter)
                kind = MEMORY[parameter.dtype]
                self.top.append(f"{kind}* const {name} = ({kind}*)A[{position}]; (void){name};")
                buffers.append(parameter)
            else:
                self.scalar(parameter, position, VALUE[parameter.dtype])
            position += 1
        for symbol in self.program.symbols:
            self.scalar(symbol, position, "i64")
            self.ranges.known[symbol] = (0, 2**31 - 1 if symbol.dtype == "int32" else 2**62)
            position += 1
        for buffer in buffers:
            self.argument_bounds(buffer)

    def scalar(self, var: Var, position: int, stored: str) -> None:
        """A scalar argument or dynamic size as a constant."""
        name = self.declare(var)
        if var.dtype in ("bool", "float16", "bfloat16") and stored != "i64":
            text = f"get(*({MEMORY[var.dtype]}*)A[{position}])"
        else:
            text = f"({VALUE[var.dtype]})*({stored}*)A[{position}]"
        self.top.append(f"const {VALUE[var.dtype]} {name} = {text}; (void){name};")

    def argument_bounds(self, buffer: Buffer) -> None:
        """Constants for the extents and strides of an argument."""
        sizes: list[str] = []
        for axis, size in enumerate(buffer.shape):
            name = self.fresh(f"{buffer.name}_n{axis}")
            value = str(size) if isinstance(size, int) else self.expr(size)
            self.top.append(f"const i64 {name} = {value}; (void){name};")
            sizes.append(name)
        strides: list[str] = []
        if buffer.strides is not None:
            strides = [str(part) if isinstance(part, int) else f"(i64){self.expr(part)}" for part in buffer.strides]
        else:
            step = "1"
            for axis in range(len(sizes) - 1, -1, -1):
                strides.insert(0, step)
                if axis:
                    name = self.fresh(f"{buffer.name}_s{axis - 1}")
                    self.top.append(f"const i64 {name} = {step} * {sizes[axis]}; (void){name};")
                    step = name
        self.bounds[id(buffer)] = sizes, strides

    # --- statements -------------------------------------------------------------------------------------------------

    def block(self, body: list[Stmt]) -> None:
        """Statements in order."""
        for statement in body:
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        """Appends the C++ of one statement."""
        self.span = statement.span if statement.span.line else self.span
        if isinstance(statement, nodes.Bind):
            text = self.expr(statement.value)
            interval = self.ranges.of(statement.value)
            name = self.declare(statement.var)
            if interval is not None:
                self.ranges.known[statement.var] = interval
            self.lines.append(f"const {VALUE[statement.var.dtype]} {name} = {text}; (void){name};")
        elif isinstance(statement, nodes.Store):
            self.store(statement)
        elif isinstance(statement, nodes.Allocate):
            self.allocate(statement)
        elif isinstance(statement, nodes.Evaluate):
            self.evaluate(statement)
        elif isinstance(statement, nodes.If):
            self.lines.append(f"if ({self.expr(statement.cond)}) {{")
            self.block(statement.then)
            if statement.otherwise:
                self.lines.append("} else {")
                self.block(statement.otherwise)
            self.lines.append("}")
        elif isinstance(statement, nodes.For):
            self.loop(statement)
        elif isinstance(statement, nodes.ParallelFor):
            self.parallel(statement)
        elif isinstance(statement, nodes.While):
            self.while_loop(statement)
        elif isinstance(statement, nodes.Break):
            self.lines.append("break;")
        elif isinstance(statement, nodes.Continue):
            self.lines.append("continue;")
        elif isinstance(statement, nodes.ThreadReturn):
            if self.shape.per_block and self.in_parallel:
                raise TileLangError("T.thread_return inside T.Parallel", self.span)
            self.lines.append("return;")
        elif isinstance(statement, nodes.Barrier):
            self.barrier(statement)
        elif isinstance(statement, nodes.Assert):
            site = self.site(statement.message)
            self.lines.append(f"if (!{self.expr(statement.cond)}) c->fail(c, FAIL_ASSERT, {site}, 0);")
        elif isinstance(statement, (nodes.Fence, nodes.Print)):
            pass
        elif isinstance(statement, nodes.TILE_OPS):
            self.tile(statement)
        else:
            raise TileLangError(f"{type(statement).__name__} is not available in the native engine", self.span)

    def store(self, statement: nodes.Store) -> None:
        """Indices, then the value, then the write."""
        buffer = statement.buffer
        effects = self.has_effect(statement.value)
        indices = []
        for index in statement.indices:
            text = self.expr(index)
            indices.append(
                self.temporary(index.dtype, text) if effects and not isinstance(index, (Const, Var)) else text
            )
        value = self.expr(statement.value)
        if buffer.scope == "var":
            self.lines.append(f"{self.name_of(buffer)} = {value};")
            return
        what = f"write of {buffer.name}"
        place = self.place(buffer, indices, self.intervals(statement.indices), what, self.span)
        self.lines.append(self.store_at(buffer, place, value, self.span))

    def allocate(self, statement: nodes.Allocate) -> None:
        """A declaration; shared memory and fragments get a place in the block's memory."""
        buffer = statement.buffer
        if buffer.scope == "var":
            kind = VALUE[buffer.dtype]
            if statement.init is not None:
                value = self.expr(statement.init)
            elif buffer.dtype in ("float16", "bfloat16"):
                value = '__builtin_nanf("")'
            elif buffer.dtype == "bool":
                value = "true"
            else:
                value = f"undefined_value<{kind}>()"
            self.lines.append(f"{kind} {self.declare(buffer)} = {value};")
            return
        if buffer.alias is not None:
            kind, origin = MEMORY[buffer.dtype], self.name_of(buffer.alias)
            name = self.declare(buffer)
            self.lines.append(f"{kind}* const {name} = ({kind}*){origin}; (void){name};")
            return
        count = 1
        for size in buffer.shape:
            if not isinstance(size, int):
                raise TileLangError(f"`{buffer.name}` has an extent that is only known at run time", self.span)
            count *= size
        kind = MEMORY[buffer.dtype]
        name = self.declare(buffer)
        if buffer.scope == "local":
            self.local_bytes += count * SIZE[buffer.dtype]
            self.lines.append(f"alignas(16) {kind} {name}[{count}]; __builtin_memset({name}, 0xff, sizeof {name});")
            return
        if buffer.scope == "fragment" and not (self.shape.per_block or self.shape.has_tiles):
            raise TileLangError(f"the fragment `{buffer.name}` in a thread-level program", self.span)
        self.shared_bytes = (self.shared_bytes + 63) // 64 * 64
        self.top.append(f"{kind}* const {name} = ({kind}*)(c->shared + {self.shared_bytes}); (void){name};")
        self.shared_bytes += count * SIZE[buffer.dtype]

    def evaluate(self, statement: nodes.Evaluate) -> None:
        """An expression for its effect; at tile level an atomic repeats for every thread of the block."""
        value = statement.value
        repeats = self.shape.per_block and not self.in_parallel and isinstance(value, nodes.Atomic)
        if repeats and isinstance(value, nodes.Atomic) and value.op not in ("load", "store"):
            # every thread of the block executes it, as on hardware
            x, y, z = self.launch.threads
            self.lines.append(f"for (i32 each = 0; each < {x * y * z}; each++) {{")
            self.expr(value)
            self.lines.append("}")
            return
        text = self.expr(value)
        if text:
            self.lines.append(f"(void){text};")

    def loop(self, statement: nodes.For) -> None:
        """for, with constant bounds unrolled as far as compile time allows."""
        var, kind = statement.var, VALUE[statement.var.dtype]
        start, stop = self.expr(statement.start), self.expr(statement.stop)
        first, last = self.ranges.of(statement.start), self.ranges.of(statement.stop)
        if first is not None and last is not None:
            self.ranges.known[var] = (first[0], max(first[0], last[1] - 1))
        name = self.declare(var)
        step, outer = statement.step, self.unrolled
        self.lines.append("{")
        if isinstance(step, Const) and step.value == 1:
            self.lines.append(f"const {kind} stop_{name} = {stop};")
            trip = _constant_trip(statement)
            if trip is not None and trip > 0 and trip * self.unrolled <= UNROLL_LIMIT:
                self.lines.append(f"#pragma GCC unroll {trip}")
                self.unrolled *= trip
            self.lines.append(f"for ({kind} {name} = {start}; {name} < stop_{name}; {name}++) {{")
        else:
            site = self.site("loop step")
            self.ranges.known.pop(var, None)
            count = f"count_{name}"
            self.lines += [
                f"const i64 first_{name} = (i64){start}, stop_{name} = (i64){stop};",
                f"const i64 step_{name} = (i64){self.expr(step)};",
                f"if (step_{name} == 0) c->fail(c, FAIL_STEP, {site}, 0);",
                f"for (i64 {count} = first_{name}; step_{name} > 0 ? {count} < stop_{name} : {count} > stop_{name}; "
                f"{count} += step_{name}) {{",
                f"const {kind} {name} = ({kind}){count};",
            ]
        self.block(statement.body)
        self.unrolled = outer
        self.lines += ["}", "}"]

    def while_loop(self, statement: nodes.While) -> None:
        """while; a condition with effects is evaluated inside."""
        outer, self.lines = self.lines, []
        self.block(statement.cond_pre)
        test = self.expr(statement.cond)
        before, self.lines = self.lines, outer
        if before:
            self.lines += ["while (true) {", *before, f"if (!{test}) break;"]
        else:
            self.lines.append(f"while ({test}) {{")
        self.block(statement.body)
        self.lines.append("}")

    def barrier(self, statement: nodes.Barrier) -> None:
        """T.sync_threads and T.sync_warp."""
        if self.shape.per_block:
            return  # the whole block is one sequence
        if statement.kind == "block":
            self.lines.append(f"c->barrier(c, {self.site('T.sync_threads')}, VOTE_NONE, 0);")
            return
        mask = "0xffffffffu" if statement.mask is None else self.expr(statement.mask)
        self.lines.append(f"c->collective(c, {self.site('T.sync_warp')}, SYNC, {mask}, 0, 0);")

    def parallel(self, statement: nodes.ParallelFor) -> None:
        """All iterations in order; in a thread-level program each thread takes its share between two barriers."""
        extents = [self.temporary("int64", f"(i64){self.expr(extent)}", "extent") for extent in statement.extents]
        names = []
        for var, extent in zip(statement.variables, statement.extents, strict=True):
            names.append(self.declare(var))
            known = self.ranges.of(extent)
            if known is not None:
                self.ranges.known[var] = (0, max(0, known[1] - 1))
        outer, self.in_parallel = self.in_parallel, True
        if self.shape.per_block:
            self.versioned(statement, names, extents)
        else:
            site = self.site("T.Parallel")
            x, y, z = self.launch.threads
            total = " * ".join(extents)
            self.lines += [
                f"c->barrier(c, {site}, VOTE_NONE, 0);",
                f"for (i64 flat = c->thread; flat < {total}; flat += {x * y * z}) {{",
                "i64 rest = flat;",
            ]
            for position in range(len(names) - 1, -1, -1):
                kind = VALUE[statement.variables[position].dtype]
                self.lines.append(f"const {kind} {names[position]} = ({kind})(rest % {extents[position]});")
                self.lines.append(f"rest /= {extents[position]};")
            self.block(statement.body)
            self.lines += ["}", f"c->barrier(c, {site}, VOTE_NONE, 0);"]
        self.in_parallel = outer

    def versioned(self, statement: nodes.ParallelFor, names: list[str], extents: list[str]) -> None:
        """The loops of a block-level T.Parallel, with an unchecked version where all accesses are inside."""
        from tilelang_runtime.native.versions import inside_test

        test, buffers = inside_test(self, statement, extents)
        if test is not None:
            self.lines.append(f"if ({test}) {{")
            before = set(self.proven)
            self.proven |= buffers
            self.nest(statement, names, extents, vector=True)
            self.proven = before
            self.lines.append("} else {")
        self.nest(statement, names, extents, vector=False)
        if test is not None:
            self.lines.append("}")

    def nest(self, statement: nodes.ParallelFor, names: list[str], extents: list[str], *, vector: bool) -> None:
        """The nested loops themselves."""
        for position, (var, name, extent) in enumerate(zip(statement.variables, names, extents, strict=True)):
            kind = VALUE[var.dtype]
            if vector and position == len(names) - 1 and self.shape.independent(statement):
                self.lines.append("#pragma GCC ivdep")
            self.lines.append(f"for ({kind} {name} = 0; {name} < {extent}; {name}++) {{")
        self.block(statement.body)
        self.lines += ["}"] * len(names)


def _constant_trip(statement: nodes.For) -> int | None:
    if isinstance(statement.start, Const) and isinstance(statement.stop, Const):
        return int(statement.stop.value) - int(statement.start.value)
    return None


__all__ = ["Expr", "LaunchWriter", "literal"]
