"""What the handlers of instructions share: operands, modifiers, pairs of 16-bit values."""

from __future__ import annotations

from collections.abc import Callable

from migrate.oracle.ptx.model import Instruction
from migrate.oracle.ptx.scope import (
    PAIRS,
    Names,
    allow,
    assigned,
    the_type,
    value,
)

Handler = Callable[[Names, Instruction], str]
ROUNDINGS = {"rn": "NEAREST", "rz": "TO_ZERO", "rm": "DOWN", "rp": "UP"}


def boolean(flag: bool) -> str:
    """C++'s word for ``flag``."""
    return "true" if flag else "false"


def flush(instruction: Instruction) -> str:
    """Whether subnormal numbers become zeros, as a C++ word."""
    return boolean("ftz" in instruction.modifiers)


def operands(names: Names, instruction: Instruction, kind: str, first: int = 1) -> list[str]:
    """The operands from number ``first`` on, as C++ values of the PTX type ``kind``."""
    return [value(names, o, kind, instruction.line) for o in instruction.operands[first:]]


def each_half(names: Names, instruction: Instruction, kind: str, write: Callable[[str, list[str]], str]) -> str:
    """``write`` applied to a type and values; to both halves where the type is a pair."""
    line = instruction.line
    sources = operands(names, instruction, kind)
    if kind not in PAIRS:
        return assigned(names, instruction.operands[0], write(kind, sources), line)
    held = "".join(f"const u32 x{i}_ = {s}; " for i, s in enumerate(sources))
    low = write(PAIRS[kind], [f"(u16)x{i}_" for i in range(len(sources))])
    high = write(PAIRS[kind], [f"(u16)(x{i}_ >> 16)" for i in range(len(sources))])
    return "{ " + held + assigned(names, instruction.operands[0], f"pair_of({low}, {high})", line) + " }"


def plain_call(name: str, *words: str) -> Handler:
    """An instruction that is one function of the headers over its type."""

    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction, *words)
        kind = the_type(instruction)
        call = f"{name}<{kind.upper()}>({', '.join(operands(names, instruction, kind))})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write
