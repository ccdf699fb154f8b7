"""The body of one PTX function as C++: statements, branches, calls, and counters of branch outcomes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from migrate.oracle.ptx import arithmetic, bits, comparisons, control, conversions, matrices, memory, model
from migrate.oracle.ptx.handlers import Handler
from migrate.oracle.ptx.scope import Names, cpp_name, raw_type, register_name, symbol_address, unsupported, value

# A thread's stack has 256 KiB; the rest is for what the compiler keeps there.
LOCAL_LIMIT = 128 * 1024
HANDLERS: dict[str, Handler] = {
    **arithmetic.HANDLERS,
    **bits.HANDLERS,
    **comparisons.HANDLERS,
    **conversions.HANDLERS,
    **memory.HANDLERS,
    **control.HANDLERS,
    **matrices.HANDLERS,
}
# Prints nothing: what a kernel prints is no result.
IGNORED_CALLS = frozenset(("vprintf",))


@dataclass(frozen=True)
class Outcome:
    """One way out of a branch, by its place in the original: (file, line); ``text``: ``taken`` or ``not taken``."""

    place: tuple[str, int]
    function: str
    text: str


@dataclass
class Unit:
    """What all functions of a module share while it is written.

    ``find``: (file, line) in the original of a place; None for code of headers. ``outcomes``: those counted so far;
    ``counts``: whether any are counted. ``libm``: device name → the C function that stands for it.
    """

    module: model.Module
    find: Callable[[model.Place], tuple[str, int] | None]
    libm: Mapping[str, tuple[str, str]]
    counts: bool
    outcomes: list[Outcome] = field(default_factory=list)
    ignored: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    shared_bytes: int = 0


def head(function: model.Function) -> str:
    """The C++ declaration: arguments by address, the result to an address."""
    return f"static void {cpp_name('f_', function.name)}(void* result_, void** a_)"


def write_function(unit: Unit, function: model.Function) -> str:
    """The C++ definition. Raises PtxError for what cannot be translated."""
    return _Body(unit, function).text()


class _Body:
    def __init__(self, unit: Unit, function: model.Function):
        self.unit = unit
        self.function = function
        self.names = Names(unit.module, function, unit.shared_bytes)
        self.lines: list[str] = []
        self.inlined: dict[model.Place, model.Place] = {}
        self.place: tuple[str, int] | None = None
        self.opened = 0

    def text(self) -> str:
        self.lines = [f"{head(self.function)} {{", "(void)result_; (void)a_; bool carry_ = false; (void)carry_;"]
        for statement in self.function.body or ():
            self.statement(statement)
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def emit(self, text: str) -> None:
        """Everything of one line of the original stands on one line: ``#line`` then holds for all of it."""
        self.lines[-1] += " " + text

    def statement(self, statement: object) -> None:
        if isinstance(statement, model.Instruction):
            self.emit(self.guarded(statement))
        elif isinstance(statement, model.Label):
            self.emit(f"{self.names.label(statement.name, 0)}:;")
        elif isinstance(statement, model.Location):
            self.locate(statement)
        elif isinstance(statement, model.Scope):
            self.scope(statement.opens)
        elif isinstance(statement, model.Registers):
            for name in statement.names:
                self.names.registers[-1][name] = statement.type
            held = raw_type(statement.type)
            for name in statement.names:
                variable = register_name(name)
                self.emit(f"{held} {variable}; {variable} = ({held})UNSET; (void){variable};")
        elif isinstance(statement, model.Variable):
            self.variable(statement)
        elif not isinstance(statement, model.Table):
            raise model.PtxError("a statement of an unknown kind", self.function.line)

    def scope(self, opens: bool) -> None:
        names = self.names
        if opens:
            names.registers.append({})
            names.variables.append({})
            # Numbered as `Names` numbered them: in the order in which they open.
            self.opened += 1
            names.scopes.append(self.opened)
            self.emit("{")
        else:
            names.registers.pop()
            names.variables.pop()
            names.scopes.pop()
            self.emit(";}")

    def variable(self, variable: model.Variable) -> None:
        if variable.space in ("shared", "global", "const"):
            return  # written at the module's level
        if variable.values:
            raise model.PtxError(f"{variable.name} has an initial value", variable.line)
        if variable.bytes > LOCAL_LIMIT:
            raise model.PtxError(
                f"{variable.bytes} bytes of local memory are more than a thread's stack", variable.line
            )
        self.names.variables[-1][variable.name] = variable
        name = cpp_name("v_", variable.name)
        alignment = max(variable.alignment, 16)
        self.emit(f"alignas({alignment}) u8 {name}[{max(variable.bytes, 1)}];")
        if variable.space == "local":
            self.emit(f"__builtin_memset({name}, UNSET & 255, sizeof {name});")

    def locate(self, location: model.Location) -> None:
        if location.inlined_at is not None:
            self.inlined[location.place] = location.inlined_at
        place: model.Place | None = location.place
        found = None
        for _ in range(64):
            if place is None:
                break
            found = self.unit.find(place)
            if found is not None:
                break
            place = self.inlined.get(place)
        if place is not None and place.line == 0:
            return  # compiler-made code keeps the line of what is before it
        if found != self.place:
            self.place = found
            file, line = found or ("/oracle/headers/device code", 1)
            self.lines.append(f"#line {line} {json.dumps(file)}")
            self.lines.append("")

    # Instructions

    def guarded(self, instruction: model.Instruction) -> str:
        guard = instruction.guard
        if instruction.opcode in ("bra", "brx"):
            return self.branch(instruction)
        text = self.instruction(instruction)
        if guard is None:
            if instruction.opcode == "selp":
                condition = value(self.names, instruction.operands[3], "pred", instruction.line)
                return f"{{ if ({condition}) {{ {self.count('true')} }} else {{ {self.count('false')} }} }} {text}"
            return text
        condition = value(self.names, guard, "pred", instruction.line)
        return f"if ({condition}) {{ {self.count('true')} {text} }} else {{ {self.count('false')} }}"

    def count(self, text: str) -> str:
        unit = self.unit
        if not unit.counts or self.place is None:
            return ""
        unit.outcomes.append(Outcome(self.place, self.function.name, text))
        return f"outcomes_[{len(unit.outcomes) - 1}]++;"

    def branch(self, instruction: model.Instruction) -> str:
        line, operands = instruction.line, instruction.operands
        if instruction.opcode == "brx":
            table = self.names.tables.get(getattr(operands[1], "name", ""))
            if instruction.modifiers[:1] != ("idx",) or table is None or instruction.guard is not None:
                raise unsupported(instruction)
            cases = " ".join(
                f"case {i}: {self.count(f'case {i}')} goto {self.names.label(name, line)};"
                for i, name in enumerate(table.labels)
            )
            return f"switch ({value(self.names, operands[0], 'u32', line)}) {{ {cases} default: __builtin_trap(); }}"
        if len(operands) != 1 or not isinstance(operands[0], model.Symbol):
            raise unsupported(instruction)
        jump = f"goto {self.names.label(operands[0].name, line)};"
        if instruction.guard is None:
            return jump
        condition = value(self.names, instruction.guard, "pred", line)
        return f"if ({condition}) {{ {self.count('taken')} {jump} }} {self.count('not taken')}"

    def instruction(self, instruction: model.Instruction) -> str:
        opcode = instruction.opcode
        if opcode == "ret":
            return "return;"
        if opcode == "exit":
            if not self.function.entry:
                raise unsupported(instruction)
            return "return;"
        if opcode == "call":
            return self.call(instruction)
        handler = HANDLERS.get(opcode)
        if handler is None:
            raise unsupported(instruction)
        try:
            return handler(self.names, instruction)
        except (StopIteration, ValueError, IndexError, KeyError):
            raise unsupported(instruction) from None

    def call(self, instruction: model.Instruction) -> str:
        operands = list(instruction.operands)
        result = ""
        if operands and isinstance(operands[0], model.Arguments):
            result = self.storage(operands.pop(0), instruction)[0]
        target = operands.pop(0)
        arguments: list[str] = []
        if operands and isinstance(operands[0], model.Arguments):
            arguments = self.storage(operands.pop(0), instruction)
        name = target.name if isinstance(target, (model.Symbol, model.Register)) else ""
        held = f"void* passed_[] = {{{', '.join(f'(void*)({a})' for a in arguments) or 'nullptr'}}};"
        into = f"(void*)({result})" if result else "nullptr"
        if name in IGNORED_CALLS:
            self.unit.ignored.add(name)
            return f"store<u32>({result}, 0);" if result else ";"
        if name == "__assertfail":
            return f'oracle_trap("a device assertion failed", {control.LINE});'
        if name in self.unit.libm:
            return self.libm(name, result, arguments)
        if self.names.type_of(name) is not None:
            return f"{{ {held} ((void (*)(void*, void**)){register_name(name)})({into}, passed_); }}"
        function = self.unit.module.functions.get(name)
        if function is None or function.body is None:
            raise model.PtxError(f"the function {name} is not in the text", instruction.line)
        self.unit.called.add(name)
        return f"{{ {held} {cpp_name('f_', name)}({into}, passed_); }}"

    def storage(self, operand: model.Operand | None, instruction: model.Instruction) -> list[str]:
        """Addresses of the parameter variables of a call."""
        if not isinstance(operand, model.Arguments):
            raise unsupported(instruction)
        found: list[str] = []
        for item in operand.items:
            if not isinstance(item, model.Symbol) or self.names.variable(item.name) is None:
                raise model.PtxError("a call passes something that is no parameter variable", instruction.line)
            found.append(symbol_address(self.names, item, instruction.line))
        return found

    def libm(self, name: str, result: str, arguments: list[str]) -> str:
        """A call of the C library's function: ``f`` float, ``d`` double, ``i`` int; the result first."""
        function, shape = self.unit.libm[name]
        tags = {"f": "F32", "d": "F64"}
        bits = {"f": 32, "d": 64, "i": 32}
        values = [
            f"{tags[k]}::get(load<u{bits[k]}>({a}))" if k in tags else f"(int)load<u32>({a})"
            for k, a in zip(shape[1:], arguments, strict=True)
        ]
        return f"store<u{bits[shape[0]]}>({result}, {tags[shape[0]]}::put({function}({', '.join(values)})));"
