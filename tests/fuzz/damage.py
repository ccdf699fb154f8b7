"""Damaged CUDA files, reproducible: what a bad merge, a broken disk, a careless generator or an enemy leaves behind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
Damage = Callable[[random.Random, bytes], bytes]

_FENCE = re.compile(r"```(?:cuda|cpp|c\+\+)?\n(.*?)```", re.DOTALL)
_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d+|<<<|>>>|->|::|[^\w\s]")
_EXPLOSIVES = (
    b"__global__ ", b"<<<", b">>>", b"template <", b"#if 0\n", b"\n#endif\n", b"\n#else\n", b"\n#define k ", b'"', b"'",
    b"/*", b"*/", b"//", b'R"(', b"\\\n", b"??/", b"#include __FILE__\n", b"\n#line 7 \"elsewhere.cu\"\n", b"operator",
    b"__shared__ ", b"extern \"C\" {", b"namespace {", b"@", b"asm(", b"[[", b"= delete;", b"requires ", b"__device__",
    b"\n#pragma unroll(", b"\xef\xbb\xbf", b"\x00", b"\x1a", b"\r", b"\xc3\x28", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80",
    b"goto a; a:", b"typedef", b"struct {", b"return", b"0x1p", b"1e99999", b"99999999999999999999999", b"1'0'",
    b";" * 99,
)  # fmt: skip


def sources() -> list[tuple[str, bytes]]:
    """Where damage starts: the corpus, and kernels that stand in the documentation."""
    found = [(path.name, path.read_bytes()) for path in sorted((REPOSITORY / "corpus").rglob("*.cu"))]
    for page in sorted((REPOSITORY / "docs").glob("*.md")):
        for number, match in enumerate(_FENCE.finditer(page.read_text(encoding="utf-8"))):
            if "__global__" in match.group(1):
                found.append((f"{page.stem}{number}.cu", match.group(1).encode()))
    return found


def _span(random_: random.Random, data: bytes, longest: int = 400) -> tuple[int, int]:
    start = random_.randrange(len(data) + 1)
    return start, min(len(data), start + random_.randrange(1, longest))


def flip_bytes(random_: random.Random, data: bytes) -> bytes:
    """A few bits."""
    changed = bytearray(data)
    for _ in range(random_.choice((1, 2, 8, 64))):
        if changed:
            changed[random_.randrange(len(changed))] ^= 1 << random_.randrange(8)
    return bytes(changed)


def delete_span(random_: random.Random, data: bytes) -> bytes:
    """A piece is gone."""
    start, end = _span(random_, data)
    return data[:start] + data[end:]


def duplicate_span(random_: random.Random, data: bytes) -> bytes:
    """A piece stands there several times."""
    start, end = _span(random_, data)
    return data[:end] + data[start:end] * random_.choice((1, 1, 2, 50)) + data[end:]


def swap_tokens(random_: random.Random, data: bytes) -> bytes:
    """Words change places."""
    for _ in range(random_.choice((1, 3, 20))):
        tokens = list(_TOKEN.finditer(data))
        if len(tokens) < 2:
            break
        a, b = sorted(random_.sample(tokens, 2), key=lambda t: t.start())
        data = data[: a.start()] + b.group() + data[a.end() : b.start()] + a.group() + data[b.end() :]
    return data


def drop_tokens(random_: random.Random, data: bytes) -> bytes:
    """Words are missing."""
    rate = random_.choice((0.003, 0.02, 0.2))
    return _TOKEN.sub(lambda token: b" " if random_.random() < rate else token.group(), data)


def truncate(random_: random.Random, data: bytes) -> bytes:
    """The rest was not written."""
    return data[: random_.randrange(len(data) + 1)]


def unbalance(random_: random.Random, data: bytes) -> bytes:
    """One bracket too many, or too few."""
    places = [m.start() for m in re.finditer(rb"[{}()\[\]<>]", data)]
    for _ in range(random_.choice((1, 2, 5))):
        place = min(random_.choice(places or [0]), len(data))
        kept = random_.random() < 0.5
        data = (
            data[:place] + (random_.choice((b"{", b"}", b"(", b")", b"]", b"<")) if kept else b"") + data[place + 1 :]
        )
    return data


def insert_explosive(random_: random.Random, data: bytes) -> bytes:
    """Something with a meaning of its own, in a place where it does not belong."""
    for _ in range(random_.choice((1, 2, 6))):
        place = random_.randrange(len(data) + 1)
        data = data[:place] + random_.choice(_EXPLOSIVES) + data[place:]
    return data


def insert_noise(random_: random.Random, data: bytes) -> bytes:
    """Bytes that are no text."""
    place = random_.randrange(len(data) + 1)
    return data[:place] + random_.randbytes(random_.choice((1, 3, 200, 5000))) + data[place:]


def swap_lines(random_: random.Random, data: bytes) -> bytes:
    """Lines change places."""
    lines = data.splitlines(keepends=True)
    for _ in range(random_.choice((1, 3, 10))):
        if len(lines) > 1:
            a, b = random_.sample(range(len(lines)), 2)
            lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def huge_macro(random_: random.Random, data: bytes) -> bytes:
    """Macros that are long, that call themselves, or that grow with every level."""
    kind = random_.randrange(4)
    if kind == 0:
        made = b"#define BIG " + b"x += 1; " * random_.choice((100, 20000)) + b"\n"
    elif kind == 1:
        levels = random_.choice((6, 12))
        steps = (b"#define M%d(x) M%d(x) + M%d(x)\n" % (i, i - 1, i - 1) for i in range(1, levels))
        made = b"#define M0(x) x\n" + b"".join(steps) + b"__global__ void m(int* p) { *p = M%d(1); }\n" % (levels - 1)
    elif kind == 2:
        made = b"#define A B\n#define B A\n#define __global__ __global__ A\n"
    else:
        made = b"#define KERNEL(n) __global__ void n##_made(int* p) { *p = 1; }\n" + b"".join(
            b"KERNEL(k%d)\n" % i for i in range(random_.choice((3, 40)))
        )
    place = data.find(b"\n", random_.randrange(len(data) + 1)) + 1
    return data[:place] + made + data[place:]


def nest_deeply(random_: random.Random, data: bytes) -> bytes:
    """Brackets in brackets, past what recursive code stands."""
    depth = random_.choice((50, 300, 3000, 20000))
    left, middle, right = random_.choice(
        (
            (b"{", b"", b"}"), (b"(", b"1", b")"), (b"if (1) {", b"", b"}"), (b"-", b"1", b""), (b"(int)", b"1", b""),
            (b"1 ? 2 : ", b"3", b""), (b"a[", b"0", b"]"), (b"1 + ", b"1", b""),
            (b"vector<", b"int", b">"), (b"f(", b"", b")"),
            (b"#if 1\n", b"\n", b"\n#endif\n"), (b"/*", b"", b"*/"), (b"namespace n {", b"", b"}"),
            (b"for (;;) ", b";", b""), (b"&", b"p", b""), (b"[]() { return ", b"1;", b" ;}"),
        )
    )  # fmt: skip
    place = random_.randrange(len(data) + 1)
    brace = data.find(b"{", place)
    place = brace + 1 if brace >= 0 and random_.random() < 0.7 else place
    return data[:place] + left * depth + middle + right * depth + b";" + data[place:]


KINDS: tuple[Damage, ...] = (
    flip_bytes, delete_span, duplicate_span, swap_tokens, drop_tokens, truncate, unbalance, insert_explosive,
    insert_noise, swap_lines, huge_macro, nest_deeply,
)  # fmt: skip


def damaged(number: int, known: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    """File ``number`` of the endless list: a name and its bytes. Every kind of damage comes round in turn."""
    random_ = random.Random(number)
    name, data = known[random_.randrange(len(known))]
    kinds = [KINDS[number % len(KINDS)]]
    while random_.random() < 0.3:
        kinds.append(random_.choice(KINDS))
    for kind in kinds:
        data = kind(random_, data)
    return f"{number:05}_{Path(name).stem}.cu", data
