"""The kinds of mistakes, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from migrate.mutate import arithmetic, control, indexing
from migrate.mutate.view import BuilderView, Mutation

Operator = Callable[[BuilderView], Iterator[Mutation]]

OPERATORS: Mapping[str, Operator] = {
    function.__name__: function
    for function in (
        control.dropped_barrier,
        control.moved_barrier,
        indexing.off_by_one_index,
        indexing.off_by_one_bound,
        indexing.swapped_axes,
        indexing.shared_stride,
        indexing.swapped_launch,
        control.lost_tail,
        arithmetic.wrong_cast,
        control.lost_mask,
        arithmetic.floor_division,
        arithmetic.wrong_initial,
        control.stale_value,
        arithmetic.swapped_operands,
        control.comparison,
        arithmetic.changed_constant,
        arithmetic.wrong_operator,
        control.dropped_statement,
        control.shuffle,
    )
}
# Known to lie beyond what verification can reach; run only when asked for by name.
BEYOND_REACH: Mapping[str, Operator] = {"index_width": arithmetic.index_width}


def mutations(view: BuilderView, names: tuple[str, ...] = ()) -> list[Mutation]:
    """All sites of the operators called ``names`` (default: all but those beyond reach), without repeated texts.

    Raises KeyError for an unknown operator.
    """
    known = {**OPERATORS, **BEYOND_REACH}
    found: list[Mutation] = []
    seen = {view.text}
    for name in names or tuple(OPERATORS):
        for mutation in known[name](view):
            text = mutation.apply(view.text)
            if text not in seen:
                seen.add(text)
                found.append(mutation)
    return found
