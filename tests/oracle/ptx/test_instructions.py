"""Every instruction on chosen and random bits, against the meanings written down in `instructions`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracle.ptx.bench import HEAD, build_text, marks, run_text
from tests.oracle.ptx.instructions import INSTRUCTIONS, NAN, WIDTH, One, real

MASK = (1 << 64) - 1
SPECIAL = [
    0, 1, 2, 7, 31, 32, 33, 63, 64, 255, 0x7F, 0x80, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, MASK,
    1 << 63, (1 << 63) - 1, 0x3C00, 0x7C00, 0xFC00, 0x7E00, 0x0001, 0x8001, 0x03FF, 0x7BFF, 0x3F80, 0x7F80, 0x3F800000,
    0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00800000, 0x007FFFFF, 0x7F7FFFFF, 0x4F000000, 0xCF000000,
    0x5F000000, 0x4B000001, 0x3F000000, 0x3FC00000, 0x40200000, 0x3FF0000000000000, 0xBFF0000000000000,
    0x7FF0000000000000,
    0x7FF8000000000000, 0x41DFFFFFFFC00000, 0x43E0000000000000, 0x3FE0000000000000, 0x0010000000000000,
    0x000FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x47EFFFFFF0000000, 0x36A0000000000000, 0x3810000000000000,
]  # fmt: skip
_REGISTER = {"pred": ".pred", 16: ".b16", 32: ".b32", 64: ".b64"}


def width(kind: str) -> int:
    return WIDTH[kind] if kind in WIDTH else 1 if kind == "pred" else int(kind[1:])


def kernel(instructions: list[One]) -> str:
    """out[k * n + i] = instruction k of (a[i], b[i], c[i])."""
    lines = [HEAD, marks("k", [(8, True)] * 4 + [(4, False)])]
    lines.append(".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u32 p4)\n{")
    lines.append(".reg .b64 %rd<40>; .reg .b32 %r<20>; .reg .pred %p<4>;")
    lines.append("ld.param.u32 %r1, [p4]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;")
    lines.append("mad.lo.s32 %r5, %r3, %r4, %r2; setp.ge.u32 %p1, %r5, %r1; @%p1 bra DONE;")
    for i in range(4):
        lines.append(f"ld.param.u64 %rd{i}, [p{i}]; cvta.to.global.u64 %rd{i}, %rd{i};")
        lines.append(f"mad.wide.u32 %rd{10 + i}, %r5, 8, %rd{i};")
        if i < 3:
            lines.append(f"ld.global.u64 %rd{20 + i}, [%rd{10 + i}];")
    lines.append("mul.wide.u32 %rd30, %r1, 8;")
    for one in instructions:
        kinds = one.kinds
        names = {"d": "d0"}
        lines.append(f"{{ .reg {_REGISTER['pred' if kinds[0] == 'pred' else width(kinds[0])]} d0; .reg .b64 out;")
        for i, (name, kind) in enumerate(zip("abc", kinds[1:], strict=False)):
            w = width(kind)
            lines.append(f".reg {_REGISTER[w]} x{i}; cvt.u{w}.u64 x{i}, %rd{20 + i};")
            names[name] = f"x{i}"
        lines.append(one.text.format(**names))
        if kinds[0] == "pred":
            lines.append("selp.u64 out, 1, 0, d0;")
        elif width(kinds[0]) == 64:
            lines.append("mov.b64 out, d0;")
        else:
            lines.append(f"cvt.u64.u{width(kinds[0])} out, d0;")
        lines.append("st.global.u64 [%rd13], out; add.s64 %rd13, %rd13, %rd30; }")
    lines.append("DONE: ret;\n}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("instructions")
    built = build_text(kernel(INSTRUCTIONS), folder / "build")

    def run(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        out = np.zeros(len(INSTRUCTIONS) * a.size, np.uint64)
        done, arrays = run_text(built, folder / "case", -(-a.size // 128), 128, a, b, c, out, np.uint32(a.size))
        assert done.status == "ok", done.message
        return arrays[3].reshape(len(INSTRUCTIONS), a.size)

    return run


def wrong(one: One, got: np.ndarray, operands: list[np.ndarray]) -> list[str]:
    kinds = one.kinds
    found = []
    for i, value in enumerate(got):
        given = [int(o[i]) & ((1 << width(k)) - 1) for o, k in zip(operands, kinds[1:], strict=False)]
        wanted = one.meaning(*given) & ((1 << width(kinds[0])) - 1)
        if int(value) != wanted and not _both_nan(one, int(value), wanted):
            found.append(f"{one.text} of {', '.join(map(hex, given))}: {int(value):#x}, {wanted:#x} wanted")
    return found


def _both_nan(one: One, got: int, wanted: int) -> bool:
    """A NaN that passes through a minimum keeps its bits; any NaN is as good."""
    kind = one.kinds[0]
    if kind not in WIDTH:
        return False
    return real(got, kind) != real(got, kind) and real(wanted, kind) != real(wanted, kind)


def check(results, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    got = results(a, b, c)
    bad = [text for one, row in zip(INSTRUCTIONS, got, strict=True) for text in wrong(one, row, [a, b, c])]
    assert bad[:5] == []


def test_the_table_is_large() -> None:
    assert len(INSTRUCTIONS) > 300
    assert all(NAN[w] for w in (16, 32, 64))


def test_special_values(results) -> None:
    pairs = [(x, y) for x in SPECIAL for y in (x, SPECIAL[(x * 31 + 5) % len(SPECIAL)])]
    a = np.array([p[0] for p in pairs], np.uint64)
    b = np.array([p[1] for p in pairs], np.uint64)
    c = np.array([SPECIAL[(i * 7) % len(SPECIAL)] for i in range(len(pairs))], np.uint64)
    check(results, a, b, c)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(*(st.integers(0, MASK) for _ in range(3))), min_size=1, max_size=12))
def test_random_bits(results, values) -> None:
    check(results, *(np.array([v[i] for v in values], np.uint64) for i in range(3)))


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32 - 1))
def test_values_near_each_other(results, seed) -> None:
    """Operands of like size: sums that cancel, ties, exponents that meet."""
    rng = np.random.default_rng(seed)
    values = (rng.standard_normal((3, 12)) * 2.0 ** rng.integers(-3, 4, (3, 12))).astype(np.float32)
    low = values.view(np.uint32).astype(np.uint64)
    check(results, *(low | low << np.uint64(32)))
    check(results, *values.astype(np.float64).view(np.uint64))
    halves = values.astype(np.float16).view(np.uint16).astype(np.uint64)
    check(results, *(halves | halves << np.uint64(16)))
