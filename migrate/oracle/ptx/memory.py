"""Loads, stores, atomics and asynchronous copies."""

from __future__ import annotations

from typing import cast

from migrate.oracle.ptx.handlers import Handler
from migrate.oracle.ptx.model import Instruction, Space, type_bytes
from migrate.oracle.ptx.scope import (
    FLOATS,
    PAIRS,
    Names,
    address,
    allow,
    assigned,
    items,
    the_type,
    unsupported,
    value,
)

_SPACE_WORDS = {"global": "global", "shared": "shared", "shared::cta": "shared", "local": "local", "const": "const",
                "param": "param", "param::entry": "param", "param::func": "param"}  # fmt: skip
_SCOPES = ("cta", "gpu", "sys", "cluster")
# How an access is cached or ordered changes no value: threads run one at a time.
_HINTS = ("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "volatile", "relaxed", "acquire", "release", "acq_rel",
          "weak", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
          "L2::64B", "L2::128B", "L2::256B", "L2::evict_normal", "L2::evict_first", "L2::evict_last", "level",
          "L2::cache_hint", "unified", "noftz", *_SCOPES)  # fmt: skip
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}


def space_of(instruction: Instruction) -> Space | None:
    """The state space of a memory instruction; None: generic."""
    found = next((_SPACE_WORDS[m] for m in instruction.modifiers if m in _SPACE_WORDS), None)
    return cast("Space | None", found)


def _watched(space: Space | None) -> bool:
    return space not in ("local", "param", "const")


def _access(instruction: Instruction) -> tuple[str, int, int]:
    """Type, elements and bytes of all of them."""
    allow(instruction, *_HINTS, *_SPACE_WORDS, *_VECTORS)
    kind = the_type(instruction)
    if kind in ("pred", "tf32", *PAIRS):
        raise unsupported(instruction)
    count = next((_VECTORS[m] for m in instruction.modifiers if m in _VECTORS), 1)
    return kind, count, count * type_bytes(kind)


def _hooks(name: str, size: int) -> str:
    if size > 16:
        return "".join(f"{name}(at_ + {i}, 16); " for i in range(0, size, 16))
    return f"{name}(at_, {size}); "


def _load(names: Names, instruction: Instruction) -> str:
    kind, count, size = _access(instruction)
    line, space = instruction.line, space_of(instruction)
    each = type_bytes(kind)
    hook = _hooks("READS", size) if _watched(space) else ""
    parts: list[str] = []
    for i, item in enumerate(items(instruction.operands[0], line)):
        loaded = f"load<u{8 * each}>(at_ + {each * i})"
        if kind[0] == "s":
            loaded = f"widened<{kind.upper()}>({loaded})"
        if item is not None:
            parts.append(assigned(names, item, loaded, line))
    if len(items(instruction.operands[0], line)) != count:
        raise unsupported(instruction)
    return f"{{ const u64 at_ = {address(names, instruction.operands[1], space, line)}; {hook}{' '.join(parts)} }}"


def _store(names: Names, instruction: Instruction) -> str:
    kind, count, size = _access(instruction)
    line, space = instruction.line, space_of(instruction)
    each = type_bytes(kind)
    hook = _hooks("WRITES", size) if _watched(space) else ""
    sources = items(instruction.operands[1], line)
    if len(sources) != count:
        raise unsupported(instruction)
    parts = " ".join(
        f"store<u{8 * each}>(at_ + {each * i}, (u{8 * each})({value(names, item, kind, line)}));"
        for i, item in enumerate(sources)
    )
    return f"{{ const u64 at_ = {address(names, instruction.operands[0], space, line)}; {hook}{parts} }}"


def _changed(instruction: Instruction, kind: str, operation: str, sources: list[str]) -> str:
    """The value an atomic leaves, from ``old_`` and its operands."""
    tag = kind.upper()
    if kind in PAIRS:
        half = PAIRS[kind]
        low, high = (
            _changed(instruction, half, operation, [f"(u16)(({s}) >> {shift})" for s in sources]).replace(
                "old_", f"(u16)(old_ >> {shift})"
            )
            for shift in (0, 16)
        )
        return f"pair_of({low}, {high})"
    if kind in FLOATS:
        known = {
            "add": f"float_compute<{tag}, ADD, NEAREST, false>(old_, {sources[0]})",
            "min": f"float_extreme<{tag}, false, false, false>(old_, {sources[0]})",
            "max": f"float_extreme<{tag}, true, false, false>(old_, {sources[0]})",
        }
    else:
        known = {
            "add": f"int_add<{tag}>(old_, {sources[0]})",
            "min": f"int_min<{tag}>(old_, {sources[0]})",
            "max": f"int_max<{tag}>(old_, {sources[0]})",
            "and": f"bit_and<{tag}>(old_, {sources[0]})",
            "or": f"bit_or<{tag}>(old_, {sources[0]})",
            "xor": f"bit_xor<{tag}>(old_, {sources[0]})",
            "inc": f"atomic_inc<{tag}>(old_, {sources[0]})",
            "dec": f"atomic_dec<{tag}>(old_, {sources[0]})",
            "exch": sources[0],
            "cas": f"(old_ == ({sources[0]}) ? {sources[-1]} : old_)",
        }
    if operation not in known:
        raise unsupported(instruction)
    return known[operation]


_OPERATIONS = ("add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas")


def _atomic(names: Names, instruction: Instruction) -> str:
    allow(instruction, *_HINTS, *_SPACE_WORDS, *_OPERATIONS)
    kind, line = the_type(instruction), instruction.line
    operation = next((m for m in instruction.modifiers if m in _OPERATIONS), "")
    bits = 8 * type_bytes(kind)
    returns = instruction.opcode == "atom"
    at = 1 if returns else 0
    wanted = 2 if operation == "cas" else 1
    operands = instruction.operands[at + 1 : at + 1 + wanted]
    if bits not in (16, 32, 64) or len(operands) != wanted:
        raise unsupported(instruction)
    held = "".join(f"const u{bits} x{i}_ = {value(names, o, kind, line)}; " for i, o in enumerate(operands))
    new = _changed(instruction, kind, operation, [f"x{i}_" for i in range(wanted)])
    text = (
        f"{{ const u64 at_ = {address(names, instruction.operands[at], space_of(instruction), line)}; {held}"
        f"const u{bits} old_ = load<u{bits}>(at_); EXCHANGED(at_, {bits}, (u{bits})({new})); "
    )
    return text + (assigned(names, instruction.operands[0], "old_", line) if returns else "") + " }"


def _copy(names: Names, instruction: Instruction) -> str:
    """cp.async: done at once. What a program may see of a copy is the same, as it must wait before it looks."""
    words, line = instruction.modifiers, instruction.line
    if words[:2] in (("async", "commit_group"), ("async", "wait_group"), ("async", "wait_all")):
        return ";"
    if words[:1] != ("async",) or "bulk" in words or "mbarrier" in words:
        raise unsupported(instruction)
    allow(instruction, "async", *_HINTS, *_SPACE_WORDS)
    operands = [o for o in instruction.operands if o is not None]
    size_text = value(names, operands[2], "u32", line)
    size = int(size_text.split("0x")[1].rstrip("u"), 16)
    if size not in (4, 8, 16):
        raise unsupported(instruction)
    given = f"{size}u"
    if len(operands) > 3 and "L2::cache_hint" not in words:
        if getattr(operands[3], "name", "") and names.type_of(operands[3].name) == "pred":  # type: ignore[union-attr]
            given = f"({value(names, operands[3], 'pred', line)} ? 0u : {size}u)"
        else:
            given = value(names, operands[3], "u32", line)
    elif len(operands) > 4:
        given = value(names, operands[3], "u32", line)
    to, source = address(names, operands[0], "shared", line), address(names, operands[1], "global", line)
    return (
        f"{{ const u64 to_ = {to}, from_ = {source}; const u32 given_ = {given}; u8 bytes_[{size}] = {{0}}; "
        f"if (given_ >= {size}) {{ READS(from_, {size}); }} "
        f"else for (u32 i_ = 0; i_ < given_; i_++) {{ READS(from_ + i_, 1); }} "
        f"__builtin_memcpy(bytes_, (const void*)from_, given_ < {size} ? given_ : {size}); "
        f"WRITES(to_, {size}); __builtin_memcpy((void*)to_, bytes_, {size}); }}"
    )


def _nothing(names: Names, instruction: Instruction) -> str:
    """Cache control: no value changes."""
    del names, instruction
    return ";"


HANDLERS: dict[str, Handler] = {
    "ld": _load, "ldu": _load, "st": _store, "atom": _atomic, "red": _atomic, "cp": _copy,
    "prefetch": _nothing, "prefetchu": _nothing, "applypriority": _nothing, "createpolicy": _nothing,
}  # fmt: skip
