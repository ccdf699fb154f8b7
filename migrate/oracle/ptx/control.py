"""Barriers, warp collectives, and what else concerns threads. Branches and calls: `functions`."""

from __future__ import annotations

from migrate.oracle.ptx.handlers import Handler
from migrate.oracle.ptx.model import Both, Immediate, Instruction
from migrate.oracle.ptx.scope import Names, allow, assigned, the_type, unsupported, value

_SHUFFLES = {"up": "SHUFFLE_UP", "down": "SHUFFLE_DOWN", "bfly": "SHUFFLE_BUTTERFLY", "idx": "SHUFFLE_INDEX"}
# The line that a barrier or collective is known by: `#line` keeps it that of the original.
LINE = "__LINE__"


def _full_barrier(instruction: Instruction, operands: tuple[object, ...]) -> None:
    """Only barrier 0 of all threads: others join a part of the block."""
    if len(operands) != 1 or operands[0] != Immediate(0):
        raise unsupported(instruction)


def _barrier(names: Names, instruction: Instruction) -> str:
    words = [m for m in instruction.modifiers if m not in ("cta", "aligned")]
    line = instruction.line
    if words == ["warp", "sync"]:
        return f"sync_warp({value(names, instruction.operands[0], 'b32', line)}, {LINE});"
    if words == ["sync"]:
        _full_barrier(instruction, instruction.operands)
        return f"oracle_barrier({LINE});"
    if words[:1] == ["red"]:
        allow(instruction, "red", "cta", "aligned", "popc", "and", "or")
        _full_barrier(instruction, instruction.operands[1:-1])
        kind = "ORACLE_COUNT" if "popc" in words else "ORACLE_AND" if "and" in words else "ORACLE_OR"
        condition = value(names, instruction.operands[-1], "pred", line)
        call = f"oracle_barrier_reduce(({condition}) ? 1 : 0, {kind}, {LINE})"
        return assigned(names, instruction.operands[0], call if "popc" in words else f"{call} != 0", line)
    raise unsupported(instruction)


def _shuffle(names: Names, instruction: Instruction) -> str:
    allow(instruction, "sync", *_SHUFFLES)
    if "sync" not in instruction.modifiers:
        raise unsupported(instruction)
    line, target = instruction.line, instruction.operands[0]
    mode = next(text for word, text in _SHUFFLES.items() if word in instruction.modifiers)
    sources = ", ".join(value(names, o, "b32", line) for o in instruction.operands[1:5])
    first, second = (target.first, target.second) if isinstance(target, Both) else (target, None)
    text = f"{{ bool inside_; const u32 got_ = shuffle({mode}, {sources}, &inside_, {LINE}); "
    text += assigned(names, first, "got_", line)
    return text + (" " + assigned(names, second, "inside_", line) if second is not None else "") + " }"


_VOTES = {"all": "VOTE_ALL", "any": "VOTE_ANY", "uni": "VOTE_UNIFORM"}


def _vote(names: Names, instruction: Instruction) -> str:
    allow(instruction, "sync", "ballot", *_VOTES)
    if "sync" not in instruction.modifiers:
        raise unsupported(instruction)
    line = instruction.line
    condition = value(names, instruction.operands[1], "pred", line)
    mask = value(names, instruction.operands[2], "b32", line)
    if "ballot" in instruction.modifiers:
        call = f"ballot({condition}, {mask}, {LINE})"
    else:
        kind = next(text for word, text in _VOTES.items() if word in instruction.modifiers)
        call = f"vote({kind}, {condition}, {mask}, {LINE})"
    return assigned(names, instruction.operands[0], call, line)


def _match(names: Names, instruction: Instruction) -> str:
    allow(instruction, "sync", "any", "all")
    line, target, kind = instruction.line, instruction.operands[0], the_type(instruction)
    first, second = (target.first, target.second) if isinstance(target, Both) else (target, None)
    every = "true" if "all" in instruction.modifiers else "false"
    source = value(names, instruction.operands[1], kind, line)
    mask = value(names, instruction.operands[2], "b32", line)
    text = f"{{ bool same_; const u32 got_ = match<u{kind[1:]}>({every}, {source}, {mask}, &same_, {LINE}); "
    text += assigned(names, first, "got_", line)
    return text + (" " + assigned(names, second, "same_", line) if second is not None else "") + " }"


_REDUCTIONS = {"add": "int_add", "min": "int_min", "max": "int_max", "and": "bit_and", "or": "bit_or", "xor": "bit_xor"}


def _reduce(names: Names, instruction: Instruction) -> str:
    allow(instruction, "sync", *_REDUCTIONS)
    kind, line = the_type(instruction), instruction.line
    if kind not in ("u32", "s32", "b32"):
        raise unsupported(instruction)
    name = next(text for word, text in _REDUCTIONS.items() if word in instruction.modifiers)
    source, mask = (value(names, o, "b32", line) for o in instruction.operands[1:3])
    join = f"[](u32 a, u32 b) {{ return {name}<{kind.upper()}>(a, b); }}"
    return assigned(names, instruction.operands[0], f"reduce_lanes({source}, {mask}, {LINE}, {join})", line)


def _active(names: Names, instruction: Instruction) -> str:
    return assigned(names, instruction.operands[0], "oracle_live_lanes()", instruction.line)


def _fence(names: Names, instruction: Instruction) -> str:
    del names
    if any(m.startswith(("proxy", "mbarrier")) for m in instruction.modifiers):
        raise unsupported(instruction)
    return "oracle_fence();"


def _trap(names: Names, instruction: Instruction) -> str:
    del names, instruction
    return f'oracle_trap("trap", {LINE});'


def _nothing(names: Names, instruction: Instruction) -> str:
    """Waiting and tracing: no value changes."""
    del names, instruction
    return ";"


HANDLERS: dict[str, Handler] = {
    "bar": _barrier, "barrier": _barrier, "shfl": _shuffle, "vote": _vote, "match": _match, "redux": _reduce,
    "activemask": _active, "membar": _fence, "fence": _fence, "trap": _trap, "nanosleep": _nothing,
    "pmevent": _nothing, "brkpt": _nothing,
}  # fmt: skip
