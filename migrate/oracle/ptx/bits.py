"""Logic and bit instructions, and dot products of bytes."""

from __future__ import annotations

from migrate.oracle.ptx.handlers import Handler, boolean, operands, plain_call
from migrate.oracle.ptx.model import Instruction
from migrate.oracle.ptx.scope import (
    Names,
    allow,
    assigned,
    the_type,
    types_of,
    unsupported,
    value,
)


def _logic(name: str, predicate: str) -> Handler:
    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction)
        kind = the_type(instruction)
        sources = operands(names, instruction, kind)
        if kind == "pred":
            call = f"!({sources[0]})" if len(sources) == 1 else f"({sources[0]}) {predicate} ({sources[1]})"
        else:
            call = f"{name}<{kind.upper()}>({', '.join(sources)})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _shift(name: str) -> Handler:
    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction)
        kind = the_type(instruction)
        amount = value(names, instruction.operands[2], "u32", instruction.line)
        call = f"{name}<{kind.upper()}>({value(names, instruction.operands[1], kind, instruction.line)}, {amount})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _funnel(names: Names, instruction: Instruction) -> str:
    allow(instruction, "l", "r", "wrap", "clamp")
    name = "funnel_left" if "l" in instruction.modifiers else "funnel_right"
    sources = ", ".join(operands(names, instruction, "b32"))
    call = f"{name}({sources}, {boolean('wrap' in instruction.modifiers)})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _bits(names: Names, instruction: Instruction) -> str:
    """bfe and bfi: positions and lengths are 32-bit operands."""
    allow(instruction)
    kind, line = the_type(instruction), instruction.line
    wide = 1 if instruction.opcode == "bfe" else 2
    sources = [value(names, o, kind, line) for o in instruction.operands[1 : 1 + wide]]
    sources += [value(names, o, "u32", line) for o in instruction.operands[1 + wide :]]
    name = "extract_bits" if instruction.opcode == "bfe" else "insert_bits"
    return assigned(names, instruction.operands[0], f"{name}<{kind.upper()}>({', '.join(sources)})", line)


def _find(names: Names, instruction: Instruction) -> str:
    allow(instruction, "shiftamt")
    kind = the_type(instruction)
    source = value(names, instruction.operands[1], kind, instruction.line)
    call = f"find_bit<{kind.upper()}>({source}, {boolean('shiftamt' in instruction.modifiers)})"
    return assigned(names, instruction.operands[0], call, instruction.line)


_PERMUTE = {"f4e": "FORWARD4", "b4e": "BACKWARD4", "rc8": "REPLICATE8", "ecl": "EDGE_LEFT", "ecr": "EDGE_RIGHT",
            "rc16": "REPLICATE16"}  # fmt: skip


def _permute(names: Names, instruction: Instruction) -> str:
    allow(instruction, *_PERMUTE)
    mode = next((text for word, text in _PERMUTE.items() if word in instruction.modifiers), "BY_SELECTOR")
    call = f"permute_bytes({', '.join(operands(names, instruction, 'b32'))}, {mode})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _logic3(names: Names, instruction: Instruction) -> str:
    allow(instruction)
    if len(instruction.operands) != 5:
        raise unsupported(instruction)
    call = f"logic3({', '.join(operands(names, instruction, 'b32'))})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _dot(names: Names, instruction: Instruction) -> str:
    allow(instruction, "lo", "hi")
    left, right = types_of(instruction)
    wide = {"u32": "U", "s32": "S"}
    sources = ", ".join(operands(names, instruction, "b32"))
    if instruction.opcode == "dp4a":
        call = f"dot4<{wide[left]}8, {wide[right]}8>({sources})"
    else:
        call = f"dot2<{wide[left]}16, {wide[right]}8>({sources}, {boolean('hi' in instruction.modifiers)})"
    return assigned(names, instruction.operands[0], call, instruction.line)


HANDLERS: dict[str, Handler] = {
    "and": _logic("bit_and", "&&"), "or": _logic("bit_or", "||"), "xor": _logic("bit_xor", "!="),
    "not": _logic("bit_not", ""), "cnot": plain_call("bit_cnot"), "lop3": _logic3, "shf": _funnel,
    "shl": _shift("shift_left"), "shr": _shift("shift_right"), "popc": plain_call("count_ones"),
    "clz": plain_call("count_leading"), "brev": plain_call("reversed_bits"), "bfe": _bits, "bfi": _bits,
    "bfind": _find, "prmt": _permute, "dp4a": _dot, "dp2a": _dot,
}  # fmt: skip
