"""C++ text of expressions. Effects are bound to temporaries, so that operands are evaluated from left to right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilelang_runtime.ir import nodes, operators, types
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Span, TileLangError, Var
from tilelang_runtime.native.calls import call_text
from tilelang_runtime.native.ctypes_names import MEMORY, VALUE, literal
from tilelang_runtime.native.ranges import Interval, Ranges

SHUFFLES = {"idx": "MODE_IDX", "up": "MODE_UP", "down": "MODE_DOWN", "xor": "MODE_XOR"}
COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "div": "/", "bitand": "&", "bitor": "|", "bitxor": "^"}
DIVISIONS = {"truncdiv": "trunc_div", "truncmod": "trunc_mod", "floordiv": "floor_div", "floormod": "floor_mod"}


@dataclass(frozen=True)
class Site:
    """A place in the program that errors and notes point at."""

    span: Span
    what: str
    rank: int = 1  # how many indices an out-of-range access has


class ExpressionWriter:
    """Writes expressions of one launch; statements that they need go to ``self.lines``."""

    def __init__(self, sites: list[Site]):
        self.sites = sites
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.kept: list[Any] = []  # keeps nodes alive, so that ids stay unique
        self.counter = 0
        self.ranges = Ranges()
        self.effects: dict[int, bool] = {}
        self.bounds: dict[int, tuple[list[str], list[str]]] = {}  # dimensions and strides of argument buffers
        self.proven: set[int] = set()  # argument buffers whose accesses are known to be inside (versioned loops)
        self.span = nodes.NO_SPAN

    # --- names ------------------------------------------------------------------------------------------------------

    def site(self, what: str, span: Span | None = None, buffer: Buffer | None = None) -> int:
        """Number of a place for errors and notes."""
        rank = len(buffer.shape) if buffer is not None else 2
        self.sites.append(Site(span if span is not None and span.line else self.span, what, rank))
        return len(self.sites) - 1

    def fresh(self, hint: str) -> str:
        """A new C++ name."""
        self.counter += 1
        clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in hint)
        return f"{clean}_{self.counter}"

    def declare(self, thing: Var | Buffer, hint: str | None = None) -> str:
        """A C++ name for a variable or buffer."""
        name = self.fresh(hint or thing.name)
        self.names[id(thing)] = name
        self.kept.append(thing)
        return name

    def name_of(self, thing: Var | Buffer) -> str:
        """The declared name. Raises for a variable that is not in scope."""
        name = self.names.get(id(thing))
        if name is None:
            raise TileLangError(f"`{thing.name}` is used but not defined in this kernel", self.span)
        return name

    def temporary(self, dtype: str, text: str, hint: str = "t") -> str:
        """Binds ``text`` to a new constant."""
        name = self.fresh(hint)
        self.lines.append(f"const {VALUE[dtype]} {name} = {text};")
        return name

    # --- expressions ------------------------------------------------------------------------------------------------

    def has_effect(self, value: Expr) -> bool:
        """Cached `operators.has_effect`."""
        known = self.effects.get(id(value))
        if known is None:
            known = isinstance(value, (nodes.Shuffle, nodes.Vote, nodes.Atomic)) or any(
                self.has_effect(child) for child in nodes.children(value)
            )
            self.effects[id(value)] = known
            self.kept.append(value)
        return known

    def expr(self, value: Expr) -> str:
        """C++ text whose type is ``VALUE[value.dtype]``; pure unless statements were added."""
        if isinstance(value, Const):
            return literal(value)
        if isinstance(value, Var):
            return self.name_of(value)
        if not self.has_effect(value):
            return self.pure(value, [self.expr(child) for child in nodes.children(value)])
        if isinstance(value, nodes.Select):
            return self.lazy(value.dtype, value.cond, value.then, value.otherwise)
        if isinstance(value, nodes.Binary) and value.op in ("and", "or"):
            no, yes = Const("bool", False), Const("bool", True)
            first, second = (value.right, no) if value.op == "and" else (yes, value.right)
            return self.lazy("bool", value.left, first, second)
        return self.ordered(value)

    def lazy(self, dtype: str, cond: Expr, then: Expr, otherwise: Expr) -> str:
        """A conditional whose sides have effects."""
        test = self.expr(cond)
        name = self.fresh("chosen")
        self.lines += [f"{VALUE[dtype]} {name};", f"if ({test}) {{"]
        text = self.expr(then)
        self.lines += [f"{name} = {text};", "} else {"]
        text = self.expr(otherwise)
        self.lines += [f"{name} = {text};", "}"]
        return name

    def ordered(self, value: Expr) -> str:
        """Every operand is evaluated before the next one, then the operation itself."""
        operands = []
        for child in nodes.children(value):
            text = self.expr(child)
            if not isinstance(child, (Const, Var)) and child.dtype != "handle":
                text = self.temporary(child.dtype, text)
            operands.append(text)
        if isinstance(value, nodes.Shuffle):
            return self.temporary(value.dtype, self.shuffle(value, operands), "lane")
        if isinstance(value, nodes.Vote):
            return self.temporary(value.dtype, self.vote(value, operands), "vote")
        if isinstance(value, nodes.Atomic):
            return self.atomic(value, operands)
        return self.pure(value, operands)

    def pure(self, value: Expr, operands: list[str]) -> str:
        """An operation on given operand texts."""
        if isinstance(value, nodes.Binary):
            return self.binary(value, operands[0], operands[1])
        if isinstance(value, nodes.Load):
            return self.load(value, operands)
        if isinstance(value, nodes.Unary):
            return self.unary(value, operands[0])
        if isinstance(value, nodes.Cast):
            return self.cast(operands[0], value.operand.dtype, value.dtype, value.rounding)
        if isinstance(value, nodes.Select):
            return f"({operands[0]} ? {operands[1]} : {operands[2]})"
        if isinstance(value, nodes.Reinterpret):
            return self.reinterpret(value, operands[0])
        if isinstance(value, nodes.Call):
            return call_text(value, operands)
        raise TileLangError(f"{type(value).__name__} cannot be a value here", value.span or self.span)

    @staticmethod
    def rounded(dtype: str, text: str) -> str:
        """A result brought back into the dtype after C++ promoted it."""
        if dtype == "float16":
            return f"to_half({text})"
        if dtype == "bfloat16":
            return f"to_bfloat({text})"
        if dtype in ("int8", "uint8", "int16", "uint16", "bool"):
            return f"(({VALUE[dtype]})({text}))"
        return f"({text})"

    def unary(self, value: nodes.Unary, operand: str) -> str:
        """neg, bitnot, not."""
        if value.op == "not":
            return f"(!{operand})"
        return self.rounded(value.dtype, ("-" if value.op == "neg" else "~") + operand)

    def binary(self, value: nodes.Binary, left: str, right: str) -> str:
        """A two-operand operation on given texts."""
        op, dtype = value.op, value.dtype
        if op in COMPARE:
            return f"({left} {COMPARE[op]} {right})"
        if op in ("and", "or"):
            return f"({left} {'&&' if op == 'and' else '||'} {right})"
        kind = VALUE[dtype]
        if op in ("min", "max"):
            name = "smaller" if op == "min" else "larger"
            return f"{name}{'_float' if types.is_float(dtype) else ''}<{kind}>({left}, {right})"
        constant = value.right.value if isinstance(value.right, Const) else None
        if op in DIVISIONS:
            return self.division(value, left, right, constant)
        if op in ("shl", "shr"):
            if constant is not None and 0 <= constant < types.bits(dtype):
                unsigned = "u64" if types.bits(dtype) == 64 else "u32"
                return (
                    f"(({kind})(({unsigned}){left} << {int(constant)}))"
                    if op == "shl"
                    else f"(({kind})({left} >> {int(constant)}))"
                )
            return f"shift_{'left' if op == 'shl' else 'right'}<{kind}>({left}, {right})"
        return self.rounded(dtype, f"{left} {ARITHMETIC[op]} {right}")

    def division(self, value: nodes.Binary, left: str, right: str, constant: int | float | None) -> str:
        """Integer division; plain C++ where neither sign nor zero matters."""
        kind = VALUE[value.dtype]
        if constant is not None and constant > 0:
            known = self.ranges.of(value.left)
            if value.op.startswith("trunc") or types.is_unsigned(value.dtype) or (known is not None and known[0] >= 0):
                return f"(({kind})({left} {'/' if value.op.endswith('div') else '%'} {right}))"
        site = self.site("integer division", value.span)
        return f"{DIVISIONS[value.op]}<{kind}>(c, {site}, {left}, {right})"

    def cast(self, text: str, source: str, target: str, rounding: str = "") -> str:
        """Value conversion between dtypes."""
        if source == target:
            return text
        kind = VALUE[target]
        if rounding:
            functions = {"rn": "rint", "rz": "trunc", "ru": "ceil", "rd": "floor"}
            if rounding not in functions or not types.is_int(target) or not types.is_float(source):
                raise TileLangError(f"cast {source} to {target} with rounding {rounding}", self.span)
            suffix = "" if source == "float64" else "f"
            return f"to_int<{kind}>(__builtin_{functions[rounding]}{suffix}({text}))"
        if target == "bool":
            return f"({text} != 0)"
        if target in ("float16", "bfloat16"):
            name = "to_half" if target == "float16" else "to_bfloat"
            if source == "float64" or types.is_int(source):  # an integer rounds once, not in float32 first
                return f"{name}_f64((f64){text})"
            return f"{name}((f32){text})"
        if types.is_int(target) and types.is_float(source):
            return f"to_int<{kind}>({text})"
        return f"(({kind}){text})"

    def reinterpret(self, value: nodes.Reinterpret, text: str) -> str:
        """Same bits, by way of the memory form."""
        source, target = value.operand.dtype, value.dtype
        memory = text
        if source == "float16":
            memory = f"float_to_half({text})"
        elif source == "bfloat16":
            memory = f"float_to_bfloat({text})"
        elif source == "bool":
            memory = f"((u8){text})"
        if target == "float16":
            return f"half_to_float(bits_of<u16>({memory}))"
        if target == "bfloat16":
            return f"bfloat_to_float(bits_of<u16>({memory}))"
        if target == "bool":
            return f"({memory} != 0)"
        return f"bits_of<{VALUE[target]}>({memory})"

    # --- memory -----------------------------------------------------------------------------------------------------

    def place(self, buffer: Buffer, indices: list[str], known: list[Interval | None], what: str, span: Span) -> str:
        """The flat element index: checked, unless it is known to be inside."""
        if buffer.scope == "global":
            dimensions, strides = self.bounds[id(buffer)]
        else:
            sizes = [int(size) for size in buffer.shape if isinstance(size, int)]
            dimensions, strides = [str(size) for size in sizes], _row_major(sizes)
        inside = id(buffer) in self.proven or (
            buffer.scope != "global"
            and all(
                part is not None and part[0] >= 0 and part[1] < int(size)
                for part, size in zip(known, dimensions, strict=True)
            )
        )
        plain = len(indices) == 1 and strides[0] == "1"
        if inside:
            if plain:
                return indices[0]
            return (
                "("
                + " + ".join(
                    f"(i64){i} * {s}" if s != "1" else f"(i64){i}" for i, s in zip(indices, strides, strict=True)
                )
                + ")"
            )
        if len(indices) > 4:
            raise TileLangError(f"`{buffer.name}` has more than four dimensions", span)
        if plain:
            checked = f"at(c, {indices[0]}, {dimensions[0]})"
        elif len(indices) == 1:
            checked = f"at(c, {indices[0]}, {dimensions[0]}, {strides[0]}, 0, 1, 0)"
        else:
            parts = [f"{i}, {n}, {s}" for i, n, s in zip(indices, dimensions, strides, strict=True)]
            checked = f"at(c, {', '.join(parts)})"
        if buffer.scope == "global":
            return checked
        return f"inside(c, {self.site(what, span, buffer)}, {checked})"

    def intervals(self, indices: tuple[Expr, ...]) -> list[Interval | None]:
        """What is known about each index."""
        return [self.ranges.of(index) for index in indices]

    def load_at(self, buffer: Buffer, place: str, span: Span) -> str:
        """An element read at a flat index from `place`."""
        name = self.name_of(buffer)
        if buffer.scope == "global" and id(buffer) not in self.proven:
            return f"load_global(c, {self.site(f'read of {buffer.name}', span, buffer)}, {name}, {place})"
        return f"get({name}[{place}])"

    def load(self, value: nodes.Load, operands: list[str]) -> str:
        """A read of an element or variable."""
        buffer = value.buffer
        if buffer.scope == "var":
            return self.name_of(buffer)
        place = self.place(buffer, operands, self.intervals(value.indices), f"read of {buffer.name}", value.span)
        return self.load_at(buffer, place, value.span)

    def store_at(self, buffer: Buffer, place: str, value: str, span: Span) -> str:
        """The statement that writes an element."""
        name = self.name_of(buffer)
        if buffer.scope == "global" and id(buffer) not in self.proven:
            return f"store_global(c, {self.site(f'write of {buffer.name}', span, buffer)}, {name}, {place}, {value});"
        return f"{name}[{place}] = Memory<{MEMORY[buffer.dtype]}>::put({value});"

    # --- effects ----------------------------------------------------------------------------------------------------

    def shuffle(self, value: nodes.Shuffle, operands: list[str]) -> str:
        """A call of the scheduler for a warp exchange."""
        site = self.site(f"shuffle ({value.mode})", value.span)
        arguments = ", ".join(operands)
        return f"shuffle<{VALUE[value.dtype]}>(c, {site}, {SHUFFLES[value.mode]}, {arguments})"

    def vote(self, value: nodes.Vote, operands: list[str]) -> str:
        """A call of the scheduler for a vote, or a butterfly of exchanges."""
        site = self.site(value.mode, value.span)
        mode = value.mode
        if mode.startswith("block_"):
            return f"c->barrier(c, {site}, VOTE_{mode.removeprefix('block_').upper()}, {operands[0]})"
        if mode == "activemask":
            return f"({VALUE[value.dtype]})c->live(c)"
        mask = operands[1]
        if mode.startswith("reduce_"):
            assert value.value is not None
            kind = VALUE[value.dtype]
            op = {"sum": "add", "max": "max", "min": "min", "bitand": "bitand", "bitor": "bitor"}[
                mode.removeprefix("reduce_")
            ]
            combine = self.binary(nodes.Binary(op, value.value, value.value, value.dtype), "a", "b")
            return (
                f"butterfly<{kind}>(c, {site}, {operands[0]}, {mask}, [&]({kind} a, {kind} b) {{ return {combine}; }})"
            )
        if mode.startswith("lanes_"):
            assert value.value is not None
            kind = VALUE[value.dtype]
            same = nodes.Binary(mode.removeprefix("lanes_"), value.value, value.value, value.dtype)
            combine = f"[&]({kind} a, {kind} b) {{ return {self.binary(same, 'a', 'b')}; }}"
            return f"reduce_lanes<{kind}>(c, {site}, {operands[0]}, {mask}, {combine})"
        assert value.value is not None
        kinds = {
            "ballot": "BALLOT",
            "any": "BALLOT",
            "all": "BALLOT",
            "match_any": "MATCH_ANY",
            "match_all": "MATCH_ALL",
        }
        # "all" asks whether no lane says no: which lanes are still live is no longer known when the vote returns.
        test = "==" if mode == "all" else "!="
        packed = f"pack({operands[0]})" if mode.startswith("match") else f"(u64)({operands[0]} {test} 0)"
        raw = f"c->collective(c, {site}, {kinds[mode]}, {mask}, {packed}, 0)"
        if mode == "any":
            return f"({raw} != 0)"
        if mode == "all":
            return f"({raw} == 0)"
        return f"({VALUE[value.dtype]}){raw}"

    def atomic(self, value: nodes.Atomic, operands: list[str]) -> str:
        """A read-modify-write; the old content in a temporary."""
        buffer = value.buffer
        count = len(value.indices)
        indices, values = operands[:count], operands[count:]
        kind = VALUE[value.dtype]
        if buffer.scope == "var":
            raise TileLangError("an atomic on a thread's variable", value.span)
        place = self.place(buffer, indices, self.intervals(value.indices), f"atomic on {buffer.name}", value.span)
        x = nodes.Var("x", value.dtype)
        new = self.atomic_update(value, x, values)
        site = self.site(f"atomic on {buffer.name}", value.span, buffer)
        pointer = self.name_of(buffer)
        if value.dtype != buffer.dtype:  # through a pointer cast
            pointer = f"(({MEMORY[value.dtype]}*){pointer})"
        text = f"modify(c, {site}, {pointer}, {place}, [&]({kind} x) -> {kind} {{ return {new}; }})"
        return self.temporary(value.dtype, text, "old")

    def atomic_update(self, value: nodes.Atomic, x: Var, values: list[str]) -> str:
        """The new content as C++ text over the old one, ``x``."""
        op, dtype = value.op, value.dtype
        simple = {
            "add": "add",
            "sub": "sub",
            "min": "min",
            "max": "max",
            "and": "bitand",
            "or": "bitor",
            "xor": "bitxor",
        }
        if op in simple:
            return self.binary(nodes.Binary(simple[op], x, x, dtype), "x", values[0])
        if op == "load":
            return "x"
        if op in ("exch", "store"):
            return values[0]
        if op == "cas":
            return f"x == {values[0]} ? {values[1]} : x"
        if op == "inc":
            return self.rounded(dtype, f"x >= {values[0]} ? 0 : x + 1")
        if op == "dec":
            return self.rounded(dtype, f"x == 0 || x > {values[0]} ? {values[0]} : x - 1")
        raise TileLangError(f"atomic {op}", value.span)


def _row_major(sizes: list[int]) -> list[str]:
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(str(step))
        step *= size
    return strides[::-1]


__all__ = ["ExpressionWriter", "Site", "operators"]
