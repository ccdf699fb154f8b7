"""Barrier epochs."""

from handmade_kernels import builtin, const, kernel, pointer

from migrate.analysis.epochs import barrier_epochs
from migrate.analysis.walk import sub_statements
from migrate.ir import kernel as k


def stores(body: tuple[k.Stmt, ...]) -> list[k.Store]:
    return [one for one in sub_statements(body) if isinstance(one, k.Store)]


def test_a_tree_reduction_has_three_epochs(tree: k.Kernel) -> None:
    epochs = barrier_epochs(tree)
    load, add, final = stores(tree.body)
    assert epochs.count == 3
    assert epochs.of[id(load)] == {0}
    assert epochs.of[id(add)] == {1, 2}
    assert epochs.of[id(final)] == {1, 2}
    assert epochs.in_loop == {2}
    assert not epochs.may_meet(load, add)
    assert epochs.may_meet(add, final)


def test_branches_with_a_barrier_join() -> None:
    out = pointer("out", "float32", 0)
    first, second = (k.Store(out.buffer, (const(n),), k.Const("float32", 0.0)) for n in (1, 2))
    cond = k.Binary("lt", builtin("blockIdx"), const(1), "bool")
    body = (first, k.If(cond, (k.Barrier("block"),)), second)
    made = kernel((out,), body)
    epochs = barrier_epochs(made)
    assert epochs.of[id(second)] == {0, 1}


def test_a_warp_barrier_starts_no_epoch_and_a_returned_path_ends() -> None:
    out = pointer("out", "float32", 0)
    last = k.Store(out.buffer, (const(1),), k.Const("float32", 0.0))
    cond = k.Binary("lt", builtin("threadIdx"), const(1), "bool")
    body = (k.Barrier("warp"), k.If(cond, (k.Barrier("block"), k.Return())), last)
    epochs = barrier_epochs(kernel((out,), body))
    assert epochs.of[id(last)] == {0}


def test_break_and_continue_carry_their_epochs() -> None:
    out = pointer("out", "float32", 0)
    inside, after = (k.Store(out.buffer, (const(n),), k.Const("float32", 0.0)) for n in (1, 2))
    cond = k.Binary("lt", builtin("threadIdx"), const(1), "bool")
    loop = k.Loop("while", (), (), None, (), (inside, k.Barrier("block"), k.If(cond, (k.Break(),)), k.Continue()))
    epochs = barrier_epochs(kernel((out,), (loop, after)))
    assert epochs.of[id(inside)] == {0, 1}
    assert epochs.of[id(after)] == {1}
