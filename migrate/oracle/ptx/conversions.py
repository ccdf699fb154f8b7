"""mov, cvt, cvta and the like."""

from __future__ import annotations

from migrate.oracle.ptx.handlers import ROUNDINGS, Handler
from migrate.oracle.ptx.model import Instruction, PtxError, Register, Symbol, Vector, type_bytes
from migrate.oracle.ptx.scope import (
    FLOATS,
    PAIRS,
    Names,
    allow,
    assigned,
    items,
    the_type,
    types_of,
    unsupported,
    value,
)

_INTEGRAL = {"rni": "NEAREST", "rzi": "TO_ZERO", "rmi": "DOWN", "rpi": "UP"}


def _move(names: Names, instruction: Instruction) -> str:
    allow(instruction)
    kind, line = the_type(instruction), instruction.line
    target, source = instruction.operands
    if isinstance(target, Vector):
        width = 8 * type_bytes(kind) // len(target.items)
        whole = 8 * type_bytes(kind)
        parts = " ".join(
            assigned(names, item, f"(u{width})(whole_ >> {width * i})", line)
            for i, item in enumerate(target.items)
            if item is not None
        )
        return f"{{ const u{whole} whole_ = {value(names, source, kind, line)}; {parts} }}"
    if isinstance(source, Vector):
        width = 8 * type_bytes(kind) // len(source.items)
        whole = 8 * type_bytes(kind)
        parts = " | ".join(
            f"(u{whole})(u{width})({value(names, item, f'b{width}', line)}) << {width * i}"
            for i, item in enumerate(source.items)
        )
        return assigned(names, target, parts, line)
    return assigned(names, target, value(names, source, kind, line), line)


def _signed(kind: str, expression: str) -> str:
    """A narrow signed result fills a wider register with its sign."""
    return f"widened<{kind.upper()}>({expression})" if kind[0] == "s" else expression


def _convert(names: Names, instruction: Instruction) -> str:
    kinds, line, words = types_of(instruction), instruction.line, set(instruction.modifiers)
    allow(instruction, "ftz", "sat", "relu", "rna", *ROUNDINGS, *_INTEGRAL)
    if len(kinds) != 2:
        raise unsupported(instruction)
    to, source = kinds
    flush = "true" if "ftz" in words else "false"
    mode = next((text for word, text in ROUNDINGS.items() if word in words), "NEAREST")
    if to in PAIRS:
        if source != "f32" or len(instruction.operands) != 3:
            raise unsupported(instruction)
        half = PAIRS[to].upper()
        parts = [
            _finished(f"float_to_float<{half}, F32, {mode}, {flush}>({value(names, o, 'f32', line)})", half, words)
            for o in instruction.operands[1:]
        ]
        return assigned(names, instruction.operands[0], f"pair_of({parts[1]}, {parts[0]})", line)
    operand = value(names, instruction.operands[1], source, line)
    if to == "tf32":
        mode = "AWAY" if "rna" in words else "NEAREST"
        if "rz" in words or "relu" in words or "sat" in words:
            raise unsupported(instruction)
        return assigned(names, instruction.operands[0], f"to_tf32<{mode}>({operand})", line)
    tag, from_tag = to.upper(), source.upper()
    whole = next((text for word, text in _INTEGRAL.items() if word in words), "")
    if to in FLOATS and source in FLOATS:
        if whole and to == source:
            call = f"float_integral<{tag}, {whole}, {flush}>({operand})"
        elif whole:
            raise unsupported(instruction)
        else:
            call = f"float_to_float<{tag}, {from_tag}, {mode}, {flush}>({operand})"
        return assigned(names, instruction.operands[0], _finished(call, tag, words), line)
    if source in FLOATS:
        call = f"float_to_int<{tag}, {from_tag}, {whole or 'TO_ZERO'}, {flush}>({operand})"
        return assigned(names, instruction.operands[0], _signed(to, call), line)
    if to in FLOATS:
        call = f"int_to_float<{tag}, {from_tag}, {mode}>({operand})"
        return assigned(names, instruction.operands[0], _finished(call, tag, words), line)
    name = "int_to_int_sat" if "sat" in words else "int_to_int"
    return assigned(names, instruction.operands[0], _signed(to, f"{name}<{tag}, {from_tag}>({operand})"), line)


def _finished(call: str, tag: str, words: set[str]) -> str:
    if "sat" in words:
        call = f"saturated<{tag}>({call})"
    return f"rectified<{tag}>({call})" if "relu" in words else call


def _space_address(names: Names, instruction: Instruction) -> str:
    """cvta: only shared addresses differ from generic ones here."""
    allow(instruction, "to", "global", "shared", "shared::cta", "const", "local", "param", "param::entry")
    line = instruction.line
    source = value(names, instruction.operands[1], the_type(instruction), line)
    if "shared" in instruction.modifiers or "shared::cta" in instruction.modifiers:
        function = "generic_to_shared" if "to" in instruction.modifiers else "from_shared"
        source = f"{function}({source})"
    return assigned(names, instruction.operands[0], source, line)


def _in_space(names: Names, instruction: Instruction) -> str:
    """isspacep: shared memory is known; whether an address is local or global is not."""
    if instruction.modifiers not in (("shared",), ("shared::cta",)):
        raise unsupported(instruction)
    source = value(names, instruction.operands[1], "u64", instruction.line)
    return assigned(names, instruction.operands[0], f"in_shared_memory({source})", instruction.line)


def register_items(instruction: Instruction, position: int) -> list[Register | Symbol]:
    """The registers of a vector operand, none of them ``_``."""
    found = items(instruction.operands[position], instruction.line)
    result = [item for item in found if isinstance(item, (Register, Symbol))]
    if len(result) != len(found):
        raise PtxError(f"{instruction.spelled()} needs registers", instruction.line)
    return result


HANDLERS: dict[str, Handler] = {"mov": _move, "cvt": _convert, "cvta": _space_address, "isspacep": _in_space}
