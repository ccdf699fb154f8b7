"""Comparison, selection and tests of floating-point classes."""

from __future__ import annotations

from migrate.oracle.ptx.handlers import Handler, each_half, flush
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

_RELATIONS = {
    "eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "lo": "LT", "ls": "LE", "hi": "GT",
    "hs": "GE", "equ": "EQU", "neu": "NEU", "ltu": "LTU", "leu": "LEU", "gtu": "GTU", "geu": "GEU", "num": "NUM",
    "nan": "NAN_EITHER",
}  # fmt: skip
_COMBINE = {"and": "&&", "or": "||", "xor": "!="}


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
            _comparison(PAIRS[kind], relation, flush(instruction), [f"(u16)(({s}) >> {shift})" for s in sources])
            for shift in (0, 16)
        )
        both = (combined(low), combined(high))
    else:
        text = _comparison(kind, relation, flush(instruction), sources)
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
        return f"({_comparison(half, relation, flush(instruction), sources)} ? {true} : 0)"

    return each_half(names, instruction, kind, write)


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
    "setp": _compare, "set": _set, "selp": _select, "slct": _select, "testp": _test,
}  # fmt: skip
