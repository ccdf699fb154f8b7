"""Whole PTX texts: control flow, memory, calls, barriers, collectives, matrices, coverage, checks, refusals."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from migrate.oracle.ptx.model import Immediate, Instruction, PtxError
from migrate.oracle.ptx.parser import parse
from tests.oracle.ptx.bench import HEAD, build_text, marks, run_text

F32, U32 = np.float32, np.uint32
POINTERS = ".visible .entry k(.param .u64 k0, .param .u64 k1)"
LOAD = (
    ".reg .b64 %rd<20>; .reg .b32 %r<60>; .reg .f32 %f<20>; .reg .pred %p<10>; .reg .b16 %h<10>;\n"
    "ld.param.u64 %rd1, [k0]; ld.param.u64 %rd2, [k1]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
    "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3; ld.global.u32 %r2, [%rd4];\n"
)
STORE = "st.global.u32 [%rd5], %r9; ret; }"


def two(body: str, before: str = "") -> str:
    """A kernel of (in, out): ``body`` makes %r9 of %r2 = in[thread]; %r1 is the thread."""
    return f"{HEAD}{marks('k', [(8, True), (8, True)])}{before}\n{POINTERS} {{\n{LOAD}{body}\n{STORE}\n"


def through(tmp_path: Path, text: str, values: np.ndarray, kind="run", **more):
    built = build_text(text, tmp_path / "build", kind)
    done, arrays = run_text(built, tmp_path / "case", 1, values.size, values, np.zeros(values.size, U32), **more)
    return done, arrays[1] if arrays else np.zeros(0, U32)


VALUES = (np.arange(64, dtype=U32) * 2654435761 + 12345).astype(U32)


def test_a_loop_with_labels_and_guards(tmp_path):
    # Collatz steps, at most 50.
    body = """
    mov.u32 %r9, 0; and.b32 %r3, %r2, 255;
    LOOP: setp.le.u32 %p1, %r3, 1; @%p1 bra DONE; setp.ge.u32 %p1, %r9, 50; @%p1 bra DONE;
    and.b32 %r4, %r3, 1; setp.eq.u32 %p2, %r4, 0; @%p2 shr.u32 %r3, %r3, 1; @%p2 bra NEXT;
    mad.lo.u32 %r3, %r3, 3, 1;
    NEXT: add.u32 %r9, %r9, 1; bra.uni LOOP;
    DONE:
    """

    def steps(v: int) -> int:
        n = 0
        while v > 1 and n < 50:
            v, n = v // 2 if v % 2 == 0 else 3 * v + 1, n + 1
        return n

    done, got = through(tmp_path, two(body), VALUES)
    assert done.status == "ok"
    assert got.tolist() == [steps(int(v) & 255) for v in VALUES]


def test_a_call_passes_parameters_and_a_result(tmp_path):
    function = """
.func (.param .b32 out) twice_and(.param .b32 x, .param .align 4 .b8 pair[8]) {
  .reg .b32 %r<4>; ld.param.b32 %r1, [x]; ld.param.b32 %r2, [pair+4]; shl.b32 %r1, %r1, 1; add.u32 %r3, %r1, %r2;
  st.param.b32 [out+0], %r3; ret; }
"""
    body = """
    { .param .b32 a; st.param.b32 [a+0], %r2; .param .align 4 .b8 b[8]; st.param.b32 [b], 7; st.param.b32 [b+4], %r1;
      .param .b32 retval; call.uni (retval), twice_and, (a, b); ld.param.b32 %r9, [retval]; }
    """
    done, got = through(tmp_path, two(body, function), VALUES)
    assert done.status == "ok"
    np.testing.assert_array_equal(got, VALUES * U32(2) + np.arange(64, dtype=U32))


def test_scopes_of_inline_assembly_shadow_names_and_labels(tmp_path):
    body = """
    mov.u32 %r9, 5;
    { .reg .b32 x; .reg .pred p; mov.u32 x, %r2; setp.gt.u32 p, x, 100; @p bra L; add.u32 %r9, %r9, 1; L: }
    { .reg .b32 x; .reg .pred p; mov.u32 x, %r1; setp.gt.u32 p, x, 9; @p bra L; add.u32 %r9, %r9, 10; L: }
    """
    _, got = through(tmp_path, two(body), VALUES)
    expected = 5 + np.where(VALUES > 100, 0, 1) + np.where(np.arange(64) > 9, 0, 10)
    np.testing.assert_array_equal(got, expected.astype(U32))


def test_shared_memory_static_and_dynamic_with_barriers(tmp_path):
    body = """
    .shared .align 4 .b8 mine[256];
    mov.u32 %r3, mine; shl.b32 %r4, %r1, 2; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r2;
    mov.u32 %r5, dynamic; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5+8], %r1; bar.sync 0;
    xor.b32 %r6, %r1, 63; shl.b32 %r6, %r6, 2; mov.u32 %r7, mine; add.u32 %r7, %r7, %r6; ld.shared.u32 %r9, [%r7];
    mov.u32 %r7, dynamic; add.u32 %r7, %r7, %r6; cvt.u64.u32 %rd6, %r7; cvta.shared.u64 %rd7, %rd6;
    ld.u32 %r8, [%rd7+8]; add.u32 %r9, %r9, %r8;
    """
    _, got = through(tmp_path, two(body, ".extern .shared .align 16 .b8 dynamic[];"), VALUES, "check", shared=512)
    np.testing.assert_array_equal(got, VALUES[::-1] + np.arange(64, dtype=U32)[::-1])


@pytest.mark.parametrize("schedule", ["contract", "reversed", 5])
@pytest.mark.parametrize(
    ("mode", "b", "c", "source"),
    [
        ("up", 3, 0, lambda lane: lane - 3 if lane >= 3 else lane),
        ("down", 5, 31, lambda lane: lane + 5 if lane + 5 < 32 else lane),
        ("bfly", 12, 31, lambda lane: lane ^ 12),
        ("idx", 9, 31, lambda lane: 9),
        ("idx", 3, 0x181F, lambda lane: (lane & 24) | 3),
        ("down", 2, 0x1C1F, lambda lane: lane + 2 if (lane & 3) < 2 else lane),
    ],
)
def test_shuffles(tmp_path, schedule, mode, b, c, source):
    body = f"shfl.sync.{mode}.b32 %r9|%p1, %r2, {b}, {c}, -1; selp.u32 %r3, 1, 0, %p1; xor.b32 %r9, %r9, %r3;"
    done, got = through(tmp_path, two(body), VALUES, schedule=schedule)
    assert done.status == "ok" and not done.findings
    for lane in range(32):
        inside = source(lane) != lane or mode in ("idx", "bfly")
        assert int(got[lane]) == int(VALUES[source(lane)]) ^ int(inside), lane


def test_votes_matches_and_reductions(tmp_path):
    body = """
    and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 1; vote.sync.ballot.b32 %r4, %p1, -1;
    vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, !%p1, -1; and.b32 %r5, %r2, 3;
    match.any.sync.b32 %r6, %r5, -1; redux.sync.max.s32 %r7, %r2, -1; redux.sync.add.s32 %r8, %r2, -1;
    bar.red.popc.u32 %r10, 0, %p1;
    selp.u32 %r11, 1, 0, %p2; selp.u32 %r12, 2, 0, %p3; or.b32 %r11, %r11, %r12;
    mul.lo.u32 %r9, %r4, 3; xor.b32 %r9, %r9, %r6; add.u32 %r9, %r9, %r7; xor.b32 %r9, %r9, %r8; add.u32 %r9, %r9, %r10;
    add.u32 %r9, %r9, %r11;
    """
    _, got = through(tmp_path, two(body), VALUES)
    odd = VALUES & 1
    for thread in range(64):
        warp = slice(thread // 32 * 32, thread // 32 * 32 + 32)
        lanes = VALUES[warp]
        ballot = sum(int(v) << i for i, v in enumerate(odd[warp]))
        match = sum(int(v & 3 == VALUES[thread] & 3) << i for i, v in enumerate(lanes))
        largest, total = int(lanes.astype(np.int32).max()), int(lanes.astype(np.uint64).sum())
        wanted = (ballot * 3 & 0xFFFFFFFF) ^ match
        wanted = (((wanted + largest) & 0xFFFFFFFF) ^ (total & 0xFFFFFFFF)) + int(odd.sum())
        wanted += int(odd[warp].any()) + (2 if not odd[warp].any() else 0)
        assert int(got[thread]) == wanted & 0xFFFFFFFF


def test_atomics_return_the_old_value_in_the_schedules_order(tmp_path):
    body = """
    cvta.to.global.u64 %rd6, %rd2; atom.global.add.u32 %r9, [%rd6+1024], 3; red.global.max.u32 [%rd6+1028], %r2;
    atom.global.cas.b32 %r3, [%rd6+1032], 0, %r1; atom.global.inc.u32 %r4, [%rd6+1036], 4;
    red.global.add.f32 [%rd6+1040], 0f3F800000; red.global.add.noftz.f16x2 [%rd6+1044], %r5;
    """
    body = "mov.b32 %r5, 0x3c004000;" + body
    built = build_text(two(body), tmp_path / "build", "check")
    out = np.zeros(300, U32)
    _, arrays = run_text(built, tmp_path / "case", 1, 64, VALUES, out)
    got = arrays[1]
    np.testing.assert_array_equal(got[:64], np.arange(64, dtype=U32) * 3)
    assert got[256] == 192 and got[257] == VALUES.max() and got[258] == 1 and got[259] == 64 % 5
    assert got[260:261].view(F32)[0] == 64
    np.testing.assert_array_equal(got[261:262].view(np.float16), [128, 64])


def test_local_memory_vectors_and_byte_accesses(tmp_path):
    body = """
    .local .align 16 .b8 depot[32]; .reg .b64 %SP; mov.u64 %SP, depot; cvta.local.u64 %SP, %SP;
    st.local.v4.u32 [%SP], {%r2, %r1, %r1, %r2}; ld.local.v2.u32 {%r3, %r4}, [%SP+8]; ld.local.s8 %r5, [%SP+3];
    ld.local.u16 %h1, [%SP+1]; cvt.u32.u16 %r6, %h1; add.u32 %r9, %r3, %r4;
    add.u32 %r9, %r9, %r5; add.u32 %r9, %r9, %r6;
    """
    _, got = through(tmp_path, two(body), VALUES)
    raw = VALUES.view(np.uint8).reshape(-1, 4)
    top = raw[:, 3].view(np.int8).astype(np.int32).view(U32)
    middle = raw[:, 1].astype(U32) | raw[:, 2].astype(U32) << U32(8)
    np.testing.assert_array_equal(got, np.arange(64, dtype=U32) + VALUES + top + middle)


def test_carries_reach_the_next_word(tmp_path):
    body = "add.cc.u32 %r3, %r2, %r2; addc.u32 %r9, %r2, 0; sub.cc.u32 %r4, %r1, %r2; subc.u32 %r9, %r9, 0;"
    _, got = through(tmp_path, two(body), VALUES)
    thread = np.arange(64, dtype=U32)
    np.testing.assert_array_equal(got, VALUES + (VALUES >> U32(31)) - (thread < VALUES))


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_matrix_product_of_a_warp(tmp_path, kind):
    """D = A x B + C with A and B read by ldmatrix from shared memory; compared with numpy in double."""
    dtype = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}[kind]
    body = f"""
    .shared .align 16 .b8 tile[1024];
    ld.global.u32 %r3, [%rd4+128]; ld.global.u32 %r4, [%rd4+256]; ld.global.u32 %r5, [%rd4+384];
    ld.global.u32 %r6, [%rd4+512]; ld.global.u32 %r7, [%rd4+640];
    mov.u32 %r8, tile; shl.b32 %r10, %r1, 2; add.u32 %r8, %r8, %r10; st.shared.u32 [%r8], %r2;
    st.shared.u32 [%r8+128], %r3;
    st.shared.u32 [%r8+256], %r4; st.shared.u32 [%r8+384], %r5;
    st.shared.u32 [%r8+512], %r6; st.shared.u32 [%r8+640], %r7;
    bar.sync 0;
    and.b32 %r11, %r1, 15; shl.b32 %r11, %r11, 5; shr.u32 %r12, %r1, 4; shl.b32 %r12, %r12, 4; add.u32 %r11, %r11, %r12;
    mov.u32 %r13, tile; add.u32 %r11, %r11, %r13;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r20, %r21, %r22, %r23}}, [%r11];
    and.b32 %r14, %r1, 15; shl.b32 %r14, %r14, 4; add.u32 %r14, %r14, %r13;
    ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{%r24, %r25}}, [%r14+512];
    mov.f32 %f1, 0f3F800000;
    mma.sync.aligned.m16n8k16.row.col.f32.{kind}.{kind}.f32 {{%f5, %f6, %f7, %f8}}, {{%r20, %r21, %r22, %r23}},
      {{%r24, %r25}}, {{%f1, %f1, %f1, %f1}};
    mul.wide.u32 %rd6, %r1, 16; add.s64 %rd6, %rd6, %rd2;
    st.global.v4.f32 [%rd6+128], {{%f5, %f6, %f7, %f8}}; mov.u32 %r9, 0;
    """
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(s).astype(dtype) for s in ((16, 16), (16, 8)))
    packed = np.concatenate([a.ravel().view(np.uint16), b.ravel().view(np.uint16)]).view(U32)
    built = build_text(two(body), tmp_path / "build", "check")
    done, arrays = run_text(built, tmp_path / "case", 1, 32, packed, np.zeros(32 + 128, U32))
    assert done.status == "ok" and not done.findings, done
    fragments = arrays[1][32:].view(F32).reshape(32, 4)
    got = np.zeros((16, 8), F32)
    for lane in range(32):
        for e in range(4):
            got[lane // 4 + 8 * (e // 2), 2 * (lane % 4) + e % 2] = fragments[lane, e]
    wanted = (a.astype(np.float64) @ b.astype(np.float64) + 1).astype(F32)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)


def test_fragments_keep_their_elements(tmp_path):
    body = """
    wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, [%rd1], 16;
    wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, [%rd1+512], 16;
    mov.f32 %f1, 0f00000000;
    wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9},
      {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37},
      {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1};
    wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2+128], {%f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9}, 16;
    mov.u32 %r9, 0;
    """
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-8, 8, (16, 16)).astype(np.float16) for _ in "ab")
    packed = np.concatenate([a.ravel(), b.T.ravel()]).view(U32)
    built = build_text(two(body), tmp_path / "build")
    _, arrays = run_text(built, tmp_path / "case", 1, 32, packed, np.zeros(32 + 256, U32))
    np.testing.assert_array_equal(arrays[1][32:].view(F32).reshape(16, 16), a.astype(F32) @ b.astype(F32))


def test_branch_outcomes_are_counted_at_lines_of_the_original(tmp_path):
    text = two(".loc 1 7 3\nsetp.gt.u32 %p1, %r1, 99; mov.u32 %r9, 0; @%p1 bra X; .loc 1 9 3\nadd.u32 %r9, %r9, 1; X:")
    text += f'.file 1 "{tmp_path / "build" / "k.cu"}"\n'
    built = build_text(text, tmp_path / "build", files=("k.cu",))
    done, _ = run_text(built, tmp_path / "case", 1, 64, VALUES, np.zeros(64, U32))
    assert [(a.file, a.line, a.text, a.outcome) for a in built.arcs] == [
        ("k.cu", 7, "line 7", "taken"),
        ("k.cu", 7, "line 7", "not taken"),
    ]
    assert done.arcs_taken == b"\x00\x01"


def test_the_check_build_sees_races_bounds_and_alignment(tmp_path):
    body = """
    .shared .align 4 .b8 one[4]; mov.u32 %r9, 1; st.shared.u32 [one], %r1; ld.shared.u32 %r9, [one];
    ld.global.u32 %r3, [%rd1+4096]; ld.global.u16 %h1, [%rd1+1]; div.u32 %r9, %r9, %r10;
    """
    built = build_text(two("mov.u32 %r10, 0;" + body), tmp_path / "build", "check")
    done, _ = run_text(built, tmp_path / "case", 1, 64, VALUES, np.zeros(64, U32))
    assert done.status == "out_of_bounds"
    assert {"race", "out_of_bounds"} <= {f.kind for f in done.findings}
    assert {"misaligned", "division_by_zero"} <= {e.kind for e in done.events}


def test_a_barrier_that_not_all_reach_is_a_deadlock(tmp_path):
    body = "mov.u32 %r9, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra X; bar.warp.sync -1; X: bar.sync 0;"
    done, _ = through(tmp_path, two(body), VALUES)
    assert done.status == "deadlock"


@pytest.mark.parametrize(
    "line",
    [
        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];", "mbarrier.init.shared.b64 [%rd1], 1;", "bar.sync 1, 32;",
        "add.frob.f32 %f1, %f1, %f1;", "mov.u32 %r9, %smid;", "isspacep.local %p1, %rd1;", "wgmma.fence.sync.aligned;",
        "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;", "ld.global.u32 %r9, [nowhere];", "@%p1 bra NOWHERE;",
        "add.s32 %r9, %r1, %unknown;", "call nobody;",
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_with_its_line(tmp_path, line):
    text = two(f"mov.u32 %r9, 0;\n{line}")
    wanted = 1 + text[: text.index(line)].count("\n")
    with pytest.raises(PtxError) as caught:
        build_text(text, tmp_path / "build")
    assert caught.value.line in (wanted, 0)
    assert caught.value.message


@pytest.mark.parametrize("text", [".version 8.0\n.frob 3;", ".version 8.0\n.entry k() { add.u32 %r1 %r2; }", "`"])
def test_broken_text_is_an_error(text):
    with pytest.raises(PtxError):
        parse(text)


def test_literals_and_operands():
    module = parse(
        HEAD + ".entry k() { .reg .f32 %f<2>; .reg .b32 a; mov.f32 %f1, 0f3F800000; @!%p1 add.u32 a, a, -5; "
        "st.global.v2.u32 [%rd1+-8], {a, _}; }"
    )
    body = [s for s in module.functions["k"].body or () if isinstance(s, Instruction)]
    assert body[0].operands[1] == Immediate(0x3F800000, 32)
    assert body[1].guard is not None and body[1].guard.negated and body[1].operands[2] == Immediate(-5)
    assert body[2].spelled() == "st.global.v2.u32"
