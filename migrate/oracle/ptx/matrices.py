"""mma, wmma and ldmatrix."""

from __future__ import annotations

import re

from migrate.oracle.ptx.control import LINE
from migrate.oracle.ptx.conversions import register_items
from migrate.oracle.ptx.handlers import Handler
from migrate.oracle.ptx.memory import space_of
from migrate.oracle.ptx.model import Instruction, Operand
from migrate.oracle.ptx.scope import Names, address, allow, assigned, items, types_of, unsupported, value

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)$")
_OPERANDS = {"f16": "M16", "bf16": "MB16", "tf32": "MTF32", "s8": "MS8", "u8": "MU8", "s4": "MS4", "u4": "MU4"}
_ACCUMULATORS = {"f32": "AF32", "f16": "AF16", "s32": "AS32"}
_PER = {"f16": 2, "bf16": 2, "tf32": 1, "s8": 4, "u8": 4, "s4": 8, "u4": 8, "f32": 1, "s32": 1}
# Element types of stored wmma matrices, with their bytes.
_STORED = {"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "s8": 1, "u8": 1, "s32": 4}


def _shape(instruction: Instruction) -> tuple[int, int, int]:
    found = next((m for m in map(_SHAPE.match, instruction.modifiers) if m), None)
    if found is None:
        raise unsupported(instruction)
    return int(found.group(1)), int(found.group(2)), int(found.group(3))


def _words(names: Names, operand: Operand | None, line: int) -> str:
    return ", ".join(value(names, item, "b32", line) for item in items(operand, line))


def _results(names: Names, instruction: Instruction, position: int, source: str = "d_") -> str:
    targets = register_items(instruction, position)
    return " ".join(assigned(names, t, f"{source}[{i}]", instruction.line) for i, t in enumerate(targets))


def _multiply(names: Names, instruction: Instruction) -> str:
    """mma.sync with both operands dense."""
    m, n, k = _shape(instruction)
    words, line = instruction.modifiers, instruction.line
    kinds = types_of(instruction)
    allow(instruction, f"m{m}n{n}k{k}", "sync", "aligned", "row", "col", "satfinite", "and", "popc", "xor")
    if n != 8 or len(kinds) != 4 or [w for w in words if w in ("row", "col")] != ["row", "col"]:
        raise unsupported(instruction)
    if kinds == ["f64"] * 4 and (m, k) == (8, 4):
        sources = [value(names, items(instruction.operands[i], line)[0], "f64", line) for i in (1, 2)]
        third = ", ".join(value(names, item, "f64", line) for item in items(instruction.operands[3], line))
        call = f"multiply_f64(d_, {sources[0]}, {sources[1]}, c_, {LINE});"
        return f"{{ u64 d_[2]; const u64 c_[2] = {{{third}}}; {call} {_results(names, instruction, 0)} }}"
    to, left, right, third_kind = kinds
    if left not in _OPERANDS or right not in _OPERANDS or _PER[left] != _PER[right]:
        raise unsupported(instruction)
    a, b, c = (items(instruction.operands[i], line) for i in (1, 2, 3))
    per = 32 * _PER[left]
    fits = len(a) * per == m * k and len(b) * per == n * k and len(c) * 32 * _PER[third_kind] == m * n
    if not fits or m not in (8, 16) or (m == 8 and k == 4) or {"and", "popc", "xor"} & set(words):
        raise unsupported(instruction)
    tags = f"{_OPERANDS[left]}, {_OPERANDS[right]}, {_ACCUMULATORS[third_kind]}, {_ACCUMULATORS[to]}, {m}, {k}"
    finite = "true" if "satfinite" in words else "false"
    count = len(items(instruction.operands[0], line))
    return (
        f"{{ const u32 a_[] = {{{_words(names, instruction.operands[1], line)}}}; "
        f"const u32 b_[] = {{{_words(names, instruction.operands[2], line)}}}; "
        f"const u32 c_[] = {{{_words(names, instruction.operands[3], line)}}}; u32 d_[{count}]; "
        f"multiply<{tags}>(d_, a_, {len(a)}, b_, {len(b)}, c_, {finite}, {LINE}); "
        f"{_results(names, instruction, 0)} }}"
    )


def _load_matrix(names: Names, instruction: Instruction) -> str:
    allow(instruction, "sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta")
    line = instruction.line
    count = len(register_items(instruction, 0))
    transposed = "true" if "trans" in instruction.modifiers else "false"
    at = address(names, instruction.operands[1], "shared", line)
    return (
        f"{{ u32 d_[4]; load_matrices(d_, {count}, {transposed}, {at}, {LINE}, "
        f"[](u64 at) {{ (void)at; READS(at, 2); }}); {_results(names, instruction, 0)} }}"
    )


def _fragments(names: Names, instruction: Instruction) -> str:
    """wmma.load, wmma.store, wmma.mma."""
    what = instruction.modifiers[0]
    m, n, k = _shape(instruction)
    if what == "mma":
        return _fragment_product(names, instruction, m, n, k)
    line = instruction.line
    allow(instruction, "load", "store", "a", "b", "c", "d", "sync", "aligned", "row", "col", f"m{m}n{n}k{k}", "global",
          "shared", "shared::cta")  # fmt: skip
    kind = types_of(instruction)[-1]
    if kind not in _STORED:
        raise unsupported(instruction)
    rows, columns = {"a": (m, k), "b": (k, n)}.get(instruction.modifiers[1], (m, n))
    storing = what == "store"
    registers = register_items(instruction, 1 if storing else 0)
    per, size = _PER[kind], _STORED[kind]
    row_major = "row" in instruction.modifiers
    stride = (
        value(names, instruction.operands[2], "u32", line)
        if len(instruction.operands) > 2
        else f"{columns if row_major else rows}u"
    )
    place = (
        f"int row_, column_; fragment_place({per * len(registers)}, i_, {rows}, {columns}, &row_, &column_); "
        f"const u64 one_ = element_address(at_, row_, column_, stride_, {'true' if row_major else 'false'}, {size}); "
    )
    at = address(names, instruction.operands[0 if storing else 1], space_of(instruction), line)
    head = f"{{ const u64 at_ = {at}; const u32 stride_ = {stride}; "
    bits, shift, mask = 8 * size, f"{8 * size} * (i_ % {per})", hex((1 << 8 * size) - 1) + "u"
    loop = f"for (int i_ = 0; i_ < {per * len(registers)}; i_++) {{ {place}"
    if storing:
        held = ", ".join(value(names, r, "b32", line) for r in registers)
        return (
            f"{head}const u32 w_[] = {{{held}}}; {loop}WRITES(one_, {size}); "
            f"store<u{bits}>(one_, (u{bits})(w_[i_ / {per}] >> {shift})); }} sync_warp(~0u, {LINE}); }}"
        )
    return (
        f"{head}sync_warp(~0u, {LINE}); u32 d_[{len(registers)}] = {{0}}; {loop}READS(one_, {size}); "
        f"d_[i_ / {per}] |= ((u32)load<u{bits}>(one_) & {mask}) << ({shift}); }} {_results(names, instruction, 0)} }}"
    )


def _fragment_product(names: Names, instruction: Instruction, m: int, n: int, k: int) -> str:
    words, line = instruction.modifiers, instruction.line
    kinds = types_of(instruction)
    allow(instruction, "mma", "sync", "aligned", "row", "col", f"m{m}n{n}k{k}", "satfinite", "rn")
    to, third = kinds[0], kinds[-1]
    left, right = (kinds[1], kinds[2]) if len(kinds) == 4 else ("f16", "f16")
    if left not in _OPERANDS or to not in _ACCUMULATORS or third not in _ACCUMULATORS:
        raise unsupported(instruction)
    a, b, c = (items(instruction.operands[i], line) for i in (1, 2, 3))
    count = len(items(instruction.operands[0], line))
    tags = f"{_OPERANDS[left]}, {_OPERANDS[right]}, {_ACCUMULATORS[third]}, {_ACCUMULATORS[to]}, {m}, {n}, {k}"
    finite = "true" if "satfinite" in words and to == "s32" else "false"
    if len(c) * _PER[third] != count * _PER[to] or len(a) + len(b) > 24 or ("satfinite" in words and to != "s32"):
        raise unsupported(instruction)
    return (
        f"{{ const u32 a_[] = {{{_words(names, instruction.operands[1], line)}}}; "
        f"const u32 b_[] = {{{_words(names, instruction.operands[2], line)}}}; "
        f"const u32 c_[] = {{{_words(names, instruction.operands[3], line)}}}; u32 d_[{count}] = {{0}}; "
        f"multiply_fragments<{tags}>(d_, {count}, a_, {len(a)}, b_, {len(b)}, c_, {finite}, {LINE}); "
        f"{_results(names, instruction, 0)} }}"
    )


HANDLERS: dict[str, Handler] = {"mma": _multiply, "wmma": _fragments, "ldmatrix": _load_matrix}
