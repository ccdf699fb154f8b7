"""Where mistakes are made in a port, and which of them are proven to be none."""

from __future__ import annotations

import ast

import pytest

from migrate.mutate.campaign import choose
from migrate.mutate.equivalence import idle_barrier, same_code
from migrate.mutate.model import MutantResult, MutationReport, text_lines
from migrate.mutate.operators import BEYOND_REACH, OPERATORS, mutations
from migrate.mutate.view import BuilderView

PORT = '''"""TileLang ports of the kernels in k.cu."""

import tilelang.language as T


def _k(block_x: int, block_y: int):
    x_len, y_len = T.dynamic("x_len, y_len", "int64")

    @T.macro
    def total(v):
        v_2 = T.alloc_var("float32", init=v)
        v_2 = v_2 + T.shfl_down(v_2, 16)

    @T.prim_func
    def k_kernel(
        x: T.Tensor((x_len,), "float32"),
        y: T.Tensor((y_len,), "float32"),
        n: T.int32,
        grid_x: T.int32,
        grid_y: T.int32,
    ):
        with T.Kernel(grid_x, grid_y, threads=(block_x, block_y)) as (bx, by):
            tx = T.get_thread_binding(0)
            ty = T.get_thread_binding(1)
            s = T.alloc_shared((512,), "float32", scope="shared")
            i = bx * block_x + tx
            if i >= n:
                T.thread_return()
            acc = T.alloc_var("float32", init=T.float32(0.0))
            s[ty * 32 + tx] = x[T.cast(i, "int64")]
            T.sync_threads()
            for j in T.serial(4):
                acc = acc + s[j]
                acc = acc * T.float32(0.5)
            T.sync_threads()
            if i < n and acc > T.float32(1.0):
                y[i] = T.cast(T.truncdiv(T.cast(acc, "int32"), 3), "float32")
            T.sync_threads()

    return k_kernel
'''


def notes(operator: str) -> list[tuple[int, str]]:
    return [(item.line, item.note) for item in mutations(BuilderView(PORT, "_k"), (operator,))]


@pytest.mark.parametrize("name", [*OPERATORS, *BEYOND_REACH])
def test_every_operator_finds_sites_and_leaves_python_behind(name):
    found = mutations(BuilderView(PORT, "_k"), (name,))
    assert found, name
    for mutation in found:
        text = mutation.apply(PORT)
        assert text != PORT and ast.dump(ast.parse(text)) != ast.dump(ast.parse(PORT)), mutation


def test_sites_are_the_expected_ones():
    assert [line for line, _ in notes("dropped_barrier")] == [31, 35, 38]
    assert notes("swapped_axes")[0] == (26, "tx becomes ty")
    assert notes("shared_stride") == [(30, "stride one larger")]
    assert notes("index_width") == [(30, "index not widened")]
    assert {note for _, note in notes("lost_tail")} == {
        "no early return", "guard always open", "without `i < n`", "without `acc > T.float32(1.0)`",
    }  # fmt: skip
    assert (37, "rounds down") in notes("floor_division")
    assert (37, "rounds down instead of toward zero") in notes("wrong_cast")
    assert ("`acc` is read before it is updated") in [note for _, note in notes("stale_value")]


def test_no_two_mutants_are_the_same_text():
    texts = [item.apply(PORT) for item in mutations(BuilderView(PORT, "_k"))]
    assert len(texts) == len(set(texts)) and PORT not in texts


def test_texts_outside_ascii_are_spliced_by_bytes():
    port = PORT.replace("j in T.serial(4)", 'j in T.serial(4 if "é" else 4)')
    found = mutations(BuilderView(port, "_k"), ("off_by_one_bound",))
    assert any('(4 if "é" else 4) - 1' in item.apply(port) for item in found)


def test_barriers_that_order_nothing_are_proven_idle():
    view = BuilderView(PORT, "_k")
    dropped = {item.line: item for item in mutations(view, ("dropped_barrier",))}
    assert not idle_barrier(view, dropped[31])  # stores before it are read behind it
    assert idle_barrier(view, dropped[35])  # reads of `s` before it, nothing but `y` behind it
    assert idle_barrier(view, dropped[38])  # the last statement
    looped = PORT.replace("                acc = acc * T.float32(0.5)\n", "                s[tx] = acc\n")
    view = BuilderView(looped, "_k")
    dropped = {item.line: item for item in mutations(view, ("dropped_barrier",))}
    assert not idle_barrier(view, dropped[31]) and idle_barrier(view, dropped[38])


def test_a_barrier_that_a_loop_comes_back_to_is_not_idle():
    port = (
        PORT.replace("                acc = acc * T.float32(0.5)\n", "                T.sync_threads()\n")
        .replace('            s[ty * 32 + tx] = x[T.cast(i, "int64")]\n            T.sync_threads()\n', "")
        .replace("acc = acc + s[j]", "s[tx + j] = acc + s[j]")
    )
    view = BuilderView(port, "_k")
    inner = next(item for item in mutations(view, ("dropped_barrier",)) if item.line == 32)
    assert not idle_barrier(view, inner)


def test_moving_a_barrier_past_private_work_is_proven_idle():
    before = "            T.sync_threads()\n            for j"
    port = PORT.replace(before, before.replace("            for j", "            acc = acc + 1.0\n            for j"))
    view = BuilderView(port, "_k")
    moved = {(item.line, item.note): item for item in mutations(view, ("moved_barrier",))}
    assert idle_barrier(view, moved[(31, "one statement later")])
    assert not idle_barrier(view, moved[(30, "one statement earlier")])


def test_same_code_is_about_bytes(tmp_path):
    for name, content in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        (tmp_path / name).write_bytes(content)
    a, b, c = (str(tmp_path / name) for name in "abc")
    assert same_code([a], [b]) and not same_code([a], [c]) and not same_code([], []) and not same_code([a], [a, a])


def test_a_sample_is_seeded_and_bounded():
    sites = [(0, item) for item in mutations(BuilderView(PORT, "_k"))]
    chosen, counts = choose(sites, 2, 7)
    assert chosen == choose(sites, 2, 7)[0] and sum(counts.values()) == len(sites)
    per = {name: sum(item.operator == name for _, item in chosen) for name in counts}
    assert all(per[name] == min(2, counts[name]) for name in counts)
    assert len(choose(sites, 0, 7)[0]) == len(sites)


def test_invalid_and_equivalent_mutants_are_counted_apart():
    outcomes = ("killed", "killed", "survived", "invalid", "equivalent", "undecided")
    results = [MutantResult("shuffle", "k", "k_tl.py", n, 0, "n", "-a\n+b", one) for n, one in enumerate(outcomes)]
    report = MutationReport(1, {"shuffle": 9}, results)
    own, together = report.summaries()
    assert own.run == together.run == 4 and own.killed_share == 0.5
    text = "\n".join(text_lines(report))
    assert "survived: k_tl.py:2:1" in text and "undecided: k_tl.py:5:1" in text and "50.0%" in text
