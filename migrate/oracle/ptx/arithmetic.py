"""Integer and floating-point arithmetic."""

from __future__ import annotations

from migrate.oracle.ptx.handlers import ROUNDINGS, Handler, boolean, each_half, flush, operands, plain_call
from migrate.oracle.ptx.model import Instruction
from migrate.oracle.ptx.scope import (
    FLOATS,
    PAIRS,
    Names,
    allow,
    assigned,
    the_type,
    unsupported,
    value,
)


def _float_arithmetic(names: Names, instruction: Instruction, operation: str) -> str:
    allow(instruction, "ftz", "sat", "relu", "approx", "full", *ROUNDINGS)
    words = set(instruction.modifiers)
    mode = next((text for word, text in ROUNDINGS.items() if word in words), "NEAREST")

    def write(kind: str, sources: list[str]) -> str:
        if mode != "NEAREST" and kind not in ("f32", "f64"):
            raise unsupported(instruction)
        tag = kind.upper()
        call = f"float_compute<{tag}, {operation}, {mode}, {flush(instruction)}>({', '.join(sources)})"
        if "sat" in words:
            call = f"saturated<{tag}>({call})"
        return f"rectified<{tag}>({call})" if "relu" in words else call

    return each_half(names, instruction, the_type(instruction), write)


def _arithmetic(integer: str, floating: str) -> Handler:
    def write(names: Names, instruction: Instruction) -> str:
        kind = the_type(instruction)
        if kind in FLOATS or kind in PAIRS:
            return _float_arithmetic(names, instruction, floating)
        if "cc" in instruction.modifiers:
            return _carried(names, instruction, kind)
        allow(instruction, "sat")
        if kind in ("u16x2", "s16x2"):
            raise unsupported(instruction)
        name = integer + ("_sat" if "sat" in instruction.modifiers else "")
        call = f"{name}<{kind.upper()}>({', '.join(operands(names, instruction, kind))})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _carried(names: Names, instruction: Instruction, kind: str) -> str:
    """add.cc, addc, sub.cc, subc: the carry is a variable of the function."""
    allow(instruction, "cc")
    a, b = operands(names, instruction, kind)
    function = "add_carry" if instruction.opcode.startswith("add") else "sub_borrow"
    taken = "carry_" if instruction.opcode.endswith("c") else "false"
    given = "&carry_" if "cc" in instruction.modifiers else "nullptr"
    call = f"{function}<{kind.upper()}>({a}, {b}, {taken}, {given})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _add_carry(names: Names, instruction: Instruction) -> str:
    return _carried(names, instruction, the_type(instruction))


def _multiply(names: Names, instruction: Instruction) -> str:
    kind = the_type(instruction)
    if kind in FLOATS or kind in PAIRS:
        return _float_arithmetic(names, instruction, "MUL" if instruction.opcode == "mul" else "FMA")
    allow(instruction, "lo", "hi", "wide", "cc", "sat")
    words, tag, line = set(instruction.modifiers), kind.upper(), instruction.line
    a, b = operands(names, instruction, kind)[:2]
    if "wide" in words:
        result = kind[0] + str(2 * int(kind[1:]))
        call = f"int_mul_wide<{tag}>({a}, {b})"
    else:
        result = kind
        call = f"int_mul_{'hi' if 'hi' in words else 'lo'}<{tag}>({a}, {b})"
    if instruction.opcode in ("mad", "madc"):
        third = value(names, instruction.operands[2 + 1], result, line)
        if instruction.opcode == "madc" or "cc" in words:
            taken = "carry_" if instruction.opcode == "madc" else "false"
            given = "&carry_" if "cc" in words else "nullptr"
            call = f"add_carry<{result.upper()}>({call}, {third}, {taken}, {given})"
        else:
            call = f"int_add{'_sat' if 'sat' in words else ''}<{result.upper()}>({call}, {third})"
    return assigned(names, instruction.operands[0], call, line)


def _multiply24(names: Names, instruction: Instruction) -> str:
    allow(instruction, "lo", "hi")
    kind = the_type(instruction)
    sources = operands(names, instruction, kind)
    call = f"int_mul24_{'hi' if 'hi' in instruction.modifiers else 'lo'}<{kind.upper()}>({sources[0]}, {sources[1]})"
    if instruction.opcode == "mad24":
        call = f"int_add<{kind.upper()}>({call}, {sources[2]})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _divide(names: Names, instruction: Instruction) -> str:
    kind = the_type(instruction)
    if kind in FLOATS:
        return _float_arithmetic(names, instruction, "DIV")
    allow(instruction)
    a, b = operands(names, instruction, kind)
    call = f"int_{instruction.opcode}<{kind.upper()}>({a}, {b}, HERE)"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _sign(name: str, integer: str) -> Handler:
    """neg and abs."""

    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction, "ftz")
        kind = the_type(instruction)
        if kind in FLOATS or kind in PAIRS:
            return each_half(
                names, instruction, kind, lambda k, s: f"{name}<{k.upper()}, {flush(instruction)}>({s[0]})"
            )
        call = f"{integer}<{kind.upper()}>({value(names, instruction.operands[1], kind, instruction.line)})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _extreme(larger: bool) -> Handler:
    def write(names: Names, instruction: Instruction) -> str:
        kind = the_type(instruction)
        if kind in FLOATS or kind in PAIRS:
            allow(instruction, "ftz", "NaN")
            flags = f"{boolean(larger)}, {flush(instruction)}, {boolean('NaN' in instruction.modifiers)}"
            if len(instruction.operands) != 3:
                raise unsupported(instruction)
            return each_half(
                names, instruction, kind, lambda k, s: f"float_extreme<{k.upper()}, {flags}>({', '.join(s)})"
            )
        allow(instruction)
        call = f"int_{'max' if larger else 'min'}<{kind.upper()}>({', '.join(operands(names, instruction, kind))})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _function(name: str) -> Handler:
    """One-operand functions: exact under a rounding modifier, one formula where hardware approximates."""

    def write(names: Names, instruction: Instruction) -> str:
        words = set(instruction.modifiers)
        kind = the_type(instruction)
        if instruction.opcode == "rcp" and "approx" not in words:
            allow(instruction, "ftz", *ROUNDINGS)
            mode = next(text for word, text in ROUNDINGS.items() if word in words)
            tag, line = kind.upper(), instruction.line
            one = {"f32": "0x3f800000u", "f64": "0x3ff0000000000000ull"}[kind]
            source = value(names, instruction.operands[1], kind, line)
            call = f"float_compute<{tag}, DIV, {mode}, {flush(instruction)}>({one}, {source})"
            return assigned(names, instruction.operands[0], call, line)
        allow(instruction, "ftz", "approx")
        return each_half(
            names, instruction, kind, lambda k, s: f"float_function<{k.upper()}, {name}, {flush(instruction)}>({s[0]})"
        )

    return write


def _square_root(names: Names, instruction: Instruction) -> str:
    return _float_arithmetic(names, instruction, "SQRT")


def _copy_sign(names: Names, instruction: Instruction) -> str:
    allow(instruction)
    kind = the_type(instruction)
    call = f"copied_sign<{kind.upper()}>({', '.join(operands(names, instruction, kind))})"
    return assigned(names, instruction.operands[0], call, instruction.line)


HANDLERS: dict[str, Handler] = {
    "add": _arithmetic("int_add", "ADD"), "sub": _arithmetic("int_sub", "SUB"), "addc": _add_carry, "subc": _add_carry,
    "mul": _multiply, "mad": _multiply, "madc": _multiply, "fma": _multiply, "mul24": _multiply24,
    "mad24": _multiply24, "div": _divide, "rem": _divide, "neg": _sign("float_neg", "int_neg"),
    "abs": _sign("float_abs", "int_abs"), "min": _extreme(False), "max": _extreme(True), "sad": plain_call("int_sad"),
    "sqrt": _square_root, "rcp": _function("RCP"), "rsqrt": _function("RSQRT"), "ex2": _function("EX2"),
    "lg2": _function("LG2"), "sin": _function("SINE"), "cos": _function("COSINE"), "tanh": _function("TANH"),
    "copysign": _copy_sign,
}  # fmt: skip
