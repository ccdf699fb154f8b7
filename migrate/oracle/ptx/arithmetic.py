"""Integer, logic, bit and floating-point instructions, comparison and selection."""

from __future__ import annotations

from collections.abc import Callable

from migrate.oracle.ptx.model import Both, Instruction, Operand
from migrate.oracle.ptx.scope import (
    FLOATS,
    PAIRS,
    Names,
    allow,
    assigned,
    raw_type,
    the_type,
    types_of,
    unsupported,
    value,
)

Handler = Callable[[Names, Instruction], str]
ROUNDINGS = {"rn": "NEAREST", "rz": "TO_ZERO", "rm": "DOWN", "rp": "UP"}
_RELATIONS = {
    "eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "lo": "LT", "ls": "LE", "hi": "GT",
    "hs": "GE", "equ": "EQU", "neu": "NEU", "ltu": "LTU", "leu": "LEU", "gtu": "GTU", "geu": "GEU", "num": "NUM",
    "nan": "NAN_EITHER",
}  # fmt: skip
_COMBINE = {"and": "&&", "or": "||", "xor": "!="}


def _boolean(flag: bool) -> str:
    return "true" if flag else "false"


def _flush(instruction: Instruction) -> str:
    return _boolean("ftz" in instruction.modifiers)


def _operands(names: Names, instruction: Instruction, kind: str, first: int = 1) -> list[str]:
    return [value(names, o, kind, instruction.line) for o in instruction.operands[first:]]


def _each_half(names: Names, instruction: Instruction, kind: str, write: Callable[[str, list[str]], str]) -> str:
    """``write`` applied to a type and values; to both halves where the type is a pair."""
    line = instruction.line
    sources = _operands(names, instruction, kind)
    if kind not in PAIRS:
        return assigned(names, instruction.operands[0], write(kind, sources), line)
    held = "".join(f"const u32 x{i}_ = {s}; " for i, s in enumerate(sources))
    low = write(PAIRS[kind], [f"(u16)x{i}_" for i in range(len(sources))])
    high = write(PAIRS[kind], [f"(u16)(x{i}_ >> 16)" for i in range(len(sources))])
    return "{ " + held + assigned(names, instruction.operands[0], f"pair_of({low}, {high})", line) + " }"


def _float_arithmetic(names: Names, instruction: Instruction, operation: str) -> str:
    allow(instruction, "ftz", "sat", "relu", "approx", "full", *ROUNDINGS)
    words = set(instruction.modifiers)
    mode = next((text for word, text in ROUNDINGS.items() if word in words), "NEAREST")

    def write(kind: str, sources: list[str]) -> str:
        if mode != "NEAREST" and kind not in ("f32", "f64"):
            raise unsupported(instruction)
        tag = kind.upper()
        call = f"float_compute<{tag}, {operation}, {mode}, {_flush(instruction)}>({', '.join(sources)})"
        if "sat" in words:
            call = f"saturated<{tag}>({call})"
        return f"rectified<{tag}>({call})" if "relu" in words else call

    return _each_half(names, instruction, the_type(instruction), write)


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
        call = f"{name}<{kind.upper()}>({', '.join(_operands(names, instruction, kind))})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _carried(names: Names, instruction: Instruction, kind: str) -> str:
    """add.cc, addc, sub.cc, subc: the carry is a variable of the function."""
    allow(instruction, "cc")
    a, b = _operands(names, instruction, kind)
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
    a, b = _operands(names, instruction, kind)[:2]
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
    sources = _operands(names, instruction, kind)
    call = f"int_mul24_{'hi' if 'hi' in instruction.modifiers else 'lo'}<{kind.upper()}>({sources[0]}, {sources[1]})"
    if instruction.opcode == "mad24":
        call = f"int_add<{kind.upper()}>({call}, {sources[2]})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _divide(names: Names, instruction: Instruction) -> str:
    kind = the_type(instruction)
    if kind in FLOATS:
        return _float_arithmetic(names, instruction, "DIV")
    allow(instruction)
    a, b = _operands(names, instruction, kind)
    call = f"int_{instruction.opcode}<{kind.upper()}>({a}, {b}, HERE)"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _call(name: str, *words: str) -> Handler:
    """An instruction that is one function of the headers over its type."""

    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction, *words)
        kind = the_type(instruction)
        call = f"{name}<{kind.upper()}>({', '.join(_operands(names, instruction, kind))})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _logic(name: str, predicate: str) -> Handler:
    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction)
        kind = the_type(instruction)
        sources = _operands(names, instruction, kind)
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
    sources = ", ".join(_operands(names, instruction, "b32"))
    call = f"{name}({sources}, {_boolean('wrap' in instruction.modifiers)})"
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
    call = f"find_bit<{kind.upper()}>({source}, {_boolean('shiftamt' in instruction.modifiers)})"
    return assigned(names, instruction.operands[0], call, instruction.line)


_PERMUTE = {"f4e": "FORWARD4", "b4e": "BACKWARD4", "rc8": "REPLICATE8", "ecl": "EDGE_LEFT", "ecr": "EDGE_RIGHT",
            "rc16": "REPLICATE16"}  # fmt: skip


def _permute(names: Names, instruction: Instruction) -> str:
    allow(instruction, *_PERMUTE)
    mode = next((text for word, text in _PERMUTE.items() if word in instruction.modifiers), "BY_SELECTOR")
    call = f"permute_bytes({', '.join(_operands(names, instruction, 'b32'))}, {mode})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _logic3(names: Names, instruction: Instruction) -> str:
    allow(instruction)
    if len(instruction.operands) != 5:
        raise unsupported(instruction)
    call = f"logic3({', '.join(_operands(names, instruction, 'b32'))})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _dot(names: Names, instruction: Instruction) -> str:
    allow(instruction, "lo", "hi")
    left, right = types_of(instruction)
    wide = {"u32": "U", "s32": "S"}
    sources = ", ".join(_operands(names, instruction, "b32"))
    if instruction.opcode == "dp4a":
        call = f"dot4<{wide[left]}8, {wide[right]}8>({sources})"
    else:
        call = f"dot2<{wide[left]}16, {wide[right]}8>({sources}, {_boolean('hi' in instruction.modifiers)})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _sign(name: str, integer: str) -> Handler:
    """neg and abs."""

    def write(names: Names, instruction: Instruction) -> str:
        allow(instruction, "ftz")
        kind = the_type(instruction)
        if kind in FLOATS or kind in PAIRS:
            return _each_half(
                names, instruction, kind, lambda k, s: f"{name}<{k.upper()}, {_flush(instruction)}>({s[0]})"
            )
        call = f"{integer}<{kind.upper()}>({value(names, instruction.operands[1], kind, instruction.line)})"
        return assigned(names, instruction.operands[0], call, instruction.line)

    return write


def _extreme(larger: bool) -> Handler:
    def write(names: Names, instruction: Instruction) -> str:
        kind = the_type(instruction)
        if kind in FLOATS or kind in PAIRS:
            allow(instruction, "ftz", "NaN")
            flags = f"{_boolean(larger)}, {_flush(instruction)}, {_boolean('NaN' in instruction.modifiers)}"
            if len(instruction.operands) != 3:
                raise unsupported(instruction)
            return _each_half(
                names, instruction, kind, lambda k, s: f"float_extreme<{k.upper()}, {flags}>({', '.join(s)})"
            )
        allow(instruction)
        call = f"int_{'max' if larger else 'min'}<{kind.upper()}>({', '.join(_operands(names, instruction, kind))})"
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
            call = f"float_compute<{tag}, DIV, {mode}, {_flush(instruction)}>({one}, {source})"
            return assigned(names, instruction.operands[0], call, line)
        allow(instruction, "ftz", "approx")
        return _each_half(
            names, instruction, kind, lambda k, s: f"float_function<{k.upper()}, {name}, {_flush(instruction)}>({s[0]})"
        )

    return write


def _square_root(names: Names, instruction: Instruction) -> str:
    return _float_arithmetic(names, instruction, "SQRT")


def _copy_sign(names: Names, instruction: Instruction) -> str:
    allow(instruction)
    kind = the_type(instruction)
    call = f"copied_sign<{kind.upper()}>({', '.join(_operands(names, instruction, kind))})"
    return assigned(names, instruction.operands[0], call, instruction.line)


def _comparison(kind: str, relation: str, flush: str, sources: list[str]) -> str:
    tag = kind.upper()
    if kind in FLOATS:
        return f"float_compare<{tag}, {relation}, {flush}>({sources[0]}, {sources[1]})"
    return f"int_compare<{tag}, {relation}>({sources[0]}, {sources[1]})"


def _compare(names: Names, instruction: Instruction) -> str:
    """setp: one or two predicates, perhaps combined with a third."""
    allow(instruction, "ftz", *_RELATIONS, *_COMBINE)
    kind, line = the_type(instruction), instruction.line
    relation = next(_RELATIONS[m] for m in instruction.modifiers if m in _RELATIONS)
    combine = next((_COMBINE[m] for m in instruction.modifiers if m in _COMBINE), "")
    sources = [value(names, o, kind, line) for o in instruction.operands[1:3]]
    third = value(names, instruction.operands[3], "pred", line) if len(instruction.operands) > 3 else ""
    if bool(combine) != bool(third):
        raise unsupported(instruction)
    target = instruction.operands[0]
    first, second = (target.first, target.second) if isinstance(target, Both) else (target, None)

    def combined(text: str) -> str:
        return f"({text}) {combine} ({third})" if combine else text

    if kind in PAIRS:
        low, high = (
            _comparison(PAIRS[kind], relation, _flush(instruction), [f"(u16)(({s}) >> {shift})" for s in sources])
            for shift in (0, 16)
        )
        both = (combined(low), combined(high))
    else:
        text = _comparison(kind, relation, _flush(instruction), sources)
        both = (combined(text), combined(f"!{text}"))
    if second is None:
        return assigned(names, first, both[0], line)
    head = f"{{ const bool first_ = {both[0]}, second_ = {both[1]}; "
    return head + assigned(names, first, "first_", line) + " " + assigned(names, second, "second_", line) + " }"


_TRUE = {"f32": "0x3f800000u", "f16": "(u16)0x3c00", "bf16": "(u16)0x3f80"}


def _set(names: Names, instruction: Instruction) -> str:
    """set: all ones or 1.0 where the relation holds."""
    allow(instruction, "ftz", *_RELATIONS, *_COMBINE)
    if any(m in _COMBINE for m in instruction.modifiers):
        raise unsupported(instruction)
    result, kind = types_of(instruction)[-2:]
    relation = next(_RELATIONS[m] for m in instruction.modifiers if m in _RELATIONS)

    def write(half: str, sources: list[str]) -> str:
        wanted = PAIRS.get(result, result)
        true = _TRUE.get(wanted, f"({raw_type(wanted)})-1" if half == kind else "(u16)0xffff")
        return f"({_comparison(half, relation, _flush(instruction), sources)} ? {true} : 0)"

    return _each_half(names, instruction, kind, write)


def _select(names: Names, instruction: Instruction) -> str:
    """selp by a predicate, slct by the sign of a third operand."""
    kind, line = the_type(instruction), instruction.line
    if instruction.opcode == "slct":
        allow(instruction, "ftz")
        kind, by = types_of(instruction)
        third = value(names, instruction.operands[3], by, line)
        condition = f"F32::get({third}) >= 0" if by == "f32" else f"(s32)({third}) >= 0"
    else:
        allow(instruction)
        condition = value(names, instruction.operands[3], "pred", line)
    a, b = (value(names, o, kind, line) for o in instruction.operands[1:3])
    return assigned(names, instruction.operands[0], f"({condition}) ? {a} : {b}", line)


_PROPERTIES = {"finite": "FINITE", "infinite": "INFINITE", "number": "IS_NUMBER", "notanumber": "NOT_A_NUMBER",
               "normal": "NORMAL", "subnormal": "SUBNORMAL"}  # fmt: skip


def _test(names: Names, instruction: Instruction) -> str:
    allow(instruction, *_PROPERTIES)
    kind = the_type(instruction)
    name = next(text for word, text in _PROPERTIES.items() if word in instruction.modifiers)
    source: Operand | None = instruction.operands[1]
    call = f"float_property<{kind.upper()}, {name}>({value(names, source, kind, instruction.line)})"
    return assigned(names, instruction.operands[0], call, instruction.line)


HANDLERS: dict[str, Handler] = {
    "add": _arithmetic("int_add", "ADD"), "sub": _arithmetic("int_sub", "SUB"), "addc": _add_carry, "subc": _add_carry,
    "mul": _multiply, "mad": _multiply, "madc": _multiply, "fma": _multiply, "mul24": _multiply24, "mad24": _multiply24,
    "div": _divide, "rem": _divide, "neg": _sign("float_neg", "int_neg"), "abs": _sign("float_abs", "int_abs"),
    "min": _extreme(False), "max": _extreme(True), "sad": _call("int_sad"),
    "and": _logic("bit_and", "&&"), "or": _logic("bit_or", "||"), "xor": _logic("bit_xor", "!="),
    "not": _logic("bit_not", ""), "cnot": _call("bit_cnot"), "shl": _shift("shift_left"), "shr": _shift("shift_right"),
    "shf": _funnel, "popc": _call("count_ones"), "clz": _call("count_leading"), "brev": _call("reversed_bits"),
    "bfe": _bits, "bfi": _bits, "bfind": _find, "prmt": _permute, "lop3": _logic3, "dp4a": _dot, "dp2a": _dot,
    "sqrt": _square_root, "rcp": _function("RCP"), "rsqrt": _function("RSQRT"), "ex2": _function("EX2"),
    "lg2": _function("LG2"), "sin": _function("SINE"), "cos": _function("COSINE"), "tanh": _function("TANH"),
    "copysign": _copy_sign, "setp": _compare, "set": _set, "selp": _select, "slct": _select, "testp": _test,
}  # fmt: skip
