"""Names, operands and addresses of one function while it is written as C++."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from migrate.oracle.lex import word_set
from migrate.oracle.ptx.model import (
    Address,
    Function,
    Immediate,
    Instruction,
    Label,
    Module,
    Operand,
    PtxError,
    Register,
    Scope,
    Space,
    Symbol,
    Table,
    Variable,
    Vector,
    type_bytes,
)

_THREE = {"tid": "oracle_thread_index", "ntid": "oracle_block_extent", "ctaid": "oracle_block_index",
          "nctaid": "oracle_grid_extent"}  # fmt: skip
_SPECIAL = {
    "%laneid": "lane_index()",
    "%warpid": "(thread_rank() >> 5)",
    "%nwarpid": "((oracle_block_extent.x * oracle_block_extent.y * oracle_block_extent.z + 31) / 32)",
    "%lanemask_eq": "(1u << lane_index())",
    "%lanemask_lt": "((1u << lane_index()) - 1)",
    "%lanemask_le": "((2u << lane_index()) - 1)",
    "%lanemask_gt": "~((2u << lane_index()) - 1)",
    "%lanemask_ge": "~((1u << lane_index()) - 1)",
    "%clock": "(u32)clock_ticks()",
    "%clock64": "clock_ticks()",
    "%globaltimer": "clock_ticks()",
    "%dynamic_smem_size": "oracle_dynamic_bytes",
}


def cpp_name(prefix: str, name: str) -> str:
    """A C++ identifier for a PTX name: letters, digits and ``_`` stay, every other character is spelled out."""
    return prefix + re.sub(r"[^A-Za-z0-9_]", lambda m: f"_{ord(m.group()):x}_", name)


def register_name(name: str) -> str:
    """The C++ variable of a register."""
    return "r_" + name[1:].replace("$", "_S_") if name.startswith("%") else cpp_name("n_", name)


def raw_type(name: str) -> str:
    """The C++ type that holds a register of a PTX type."""
    return "bool" if name == "pred" else f"u{8 * type_bytes(name)}"


@dataclass
class Names:
    """What the names of one function mean. ``registers``: innermost scope last; ``scopes``: numbers of open scopes."""

    module: Module
    function: Function
    shared_bytes: int
    registers: list[dict[str, str]] = field(default_factory=lambda: [{}])
    variables: list[dict[str, Variable]] = field(default_factory=lambda: [{}])
    scopes: list[int] = field(default_factory=lambda: [0])
    labels: dict[tuple[int, str], str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        opened, stack = 0, [0]
        for statement in self.function.body or ():
            if isinstance(statement, Scope):
                if statement.opens:
                    opened += 1
                    stack.append(opened)
                else:
                    stack.pop()
            elif isinstance(statement, Label):
                self.labels[stack[-1], statement.name] = cpp_name(f"L{stack[-1]}_", statement.name)
            elif isinstance(statement, Table):
                self.tables[statement.name] = statement

    def label(self, name: str, line: int) -> str:
        """The C++ label that ``name`` means here."""
        for scope in reversed(self.scopes):
            if (scope, name) in self.labels:
                return self.labels[scope, name]
        raise PtxError(f"no label {name}", line)

    def type_of(self, name: str) -> str | None:
        """The type of a register; None when no such register is declared here."""
        for scope in reversed(self.registers):
            if name in scope:
                return scope[name]
        return None

    def variable(self, name: str) -> Variable | None:
        """The variable that a name means here."""
        for scope in reversed(self.variables):
            if name in scope:
                return scope[name]
        return self.module.variables.get(name)

    def parameter(self, name: str) -> str | None:
        """The address of a parameter or result of this function."""
        for position, parameter in enumerate(self.function.parameters):
            if parameter.name == name:
                return f"(u64)(uintptr_t)a_[{position}]"
        if any(result.name == name for result in self.function.results):
            return "(u64)(uintptr_t)result_"
        return None


def literal(value: int, bits: int) -> str:
    """``value`` as an unsigned constant of that width."""
    suffix = "ull" if bits > 32 else "u"
    return f"(u{bits})0x{value & ((1 << bits) - 1):x}{suffix}"


def value(names: Names, operand: Operand | None, type_name: str, line: int) -> str:
    """The raw bits of an operand of an instruction of type ``type_name`` (``pred``: a bool)."""
    if isinstance(operand, Immediate):
        if type_name == "pred":
            return "true" if operand.value else "false"
        bits = 8 * type_bytes(type_name)
        if operand.width == 64 and bits == 32:
            raise PtxError("a double literal in an instruction of 32 bits", line)
        return literal(operand.value, bits)
    if isinstance(operand, Register):
        text = _register(names, operand, line)
        return f"!{text}" if operand.negated else text
    if isinstance(operand, Symbol):
        if names.type_of(operand.name) is not None and not operand.offset:
            return register_name(operand.name)
        if operand.name == "WARP_SZ":
            return "32u"
        return symbol_address(names, operand, line)
    raise PtxError("an operand of another kind is expected", line)


def _register(names: Names, register: Register, line: int) -> str:
    name = register.name
    if register.component:
        if name[1:] in _THREE and register.component in "xyz":
            return f"{_THREE[name[1:]]}.{register.component}"
        raise PtxError(f"the register {name}.{register.component} is not supported", line)
    if names.type_of(name) is not None:
        return register_name(name)
    if name == "%total_smem_size":
        return f"(oracle_dynamic_bytes + {names.shared_bytes}u)"
    if name in _SPECIAL:
        return _SPECIAL[name]
    raise PtxError(f"the register {name} is not supported", line)


def host_address(variable: Variable) -> str:
    """Where a variable's first byte lies in this process."""
    if variable.space == "shared":
        data = "oracle_dynamic_shared" if variable.count == 0 else cpp_name("s_", variable.name) + "()"
        return f"(u64)(uintptr_t){data}"
    return f"(u64)(uintptr_t){cpp_name('v_', variable.name)}"


def symbol_address(names: Names, symbol: Symbol, line: int) -> str:
    """The address of a variable in its own space, of a parameter, or of a function."""
    offset = f" + {symbol.offset}" if symbol.offset else ""
    parameter = names.parameter(symbol.name)
    if parameter is not None:
        return f"({parameter}{offset})"
    variable = names.variable(symbol.name)
    if variable is not None:
        text = host_address(variable)
        return f"(generic_to_shared({text}){offset})" if variable.space == "shared" else f"({text}{offset})"
    if symbol.name in names.module.functions and not offset:
        return f"(u64)(uintptr_t)&{cpp_name('f_', symbol.name)}"
    raise PtxError(f"no variable or function {symbol.name}", line)


def address(names: Names, operand: Operand | None, space: Space | None, line: int) -> str:
    """The address in this process that a memory operand names. ``space`` None: generic."""
    if not isinstance(operand, Address):
        raise PtxError("an address is expected", line)
    offset = f" + {operand.offset}" if operand.offset > 0 else f" - {-operand.offset}" if operand.offset else ""
    base = operand.base
    if isinstance(base, Symbol) and names.type_of(base.name) is None:
        parameter = names.parameter(base.name)
        variable = names.variable(base.name)
        if parameter is None and variable is None:
            raise PtxError(f"no variable {base.name}", line)
        return f"({parameter or host_address(variable)}{offset})"  # type: ignore[arg-type]
    text = "0" if base is None else register_name(base.name)
    if base is not None and names.type_of(base.name) is None:
        raise PtxError(f"no register {base.name}", line)
    return f"from_shared((u64){text}{offset})" if space == "shared" else f"((u64){text}{offset})"


def items(operand: Operand | None, line: int) -> tuple[Operand | None, ...]:
    """The elements of a vector operand; a single operand is a vector of one."""
    if isinstance(operand, Vector):
        return operand.items
    return (operand,)


def assigned(names: Names, target: Operand | None, expression: str, line: int) -> str:
    """``target = expression;``, which is evaluated even where the target is ``_``."""
    if target is None:
        return f"(void)({expression});"
    name = target.name if isinstance(target, (Register, Symbol)) else ""
    kind = names.type_of(name) if name else None
    if kind is None:
        raise PtxError("the destination is no register", line)
    return f"{register_name(name)} = ({raw_type(kind)})({expression});"


TYPES = word_set("u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 b128 f16 f16x2 bf16 bf16x2 f32 f64 tf32 pred s4 u4")
FLOATS = frozenset(("f16", "bf16", "f32", "f64"))
PAIRS: Mapping[str, str] = {"f16x2": "f16", "bf16x2": "bf16"}


def types_of(instruction: Instruction) -> list[str]:
    """The type modifiers in order."""
    return [m for m in instruction.modifiers if m in TYPES]


def the_type(instruction: Instruction) -> str:
    """The last type modifier: that of the operands."""
    found = types_of(instruction)
    if not found:
        raise PtxError(f"{instruction.spelled()} has no type", instruction.line)
    return found[-1]


def unsupported(instruction: Instruction) -> PtxError:
    """The refusal of an instruction or of a form of it."""
    return PtxError(f"the instruction {instruction.spelled()} is not supported", instruction.line)


def allow(instruction: Instruction, *words: str) -> None:
    """Refuses modifiers besides types and ``words``: an unknown one may change the meaning."""
    known = set(words) | TYPES
    for modifier in instruction.modifiers:
        if modifier not in known:
            raise unsupported(instruction)
