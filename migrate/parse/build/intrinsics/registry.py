"""The table of all intrinsics: name → handler, one family a module."""

from __future__ import annotations

from functools import cache, partial
from types import MappingProxyType

from migrate.parse.build.intrinsics.spans import with_span
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand


@cache
def _table() -> MappingProxyType[str, Intrinsic]:
    from migrate.parse.build.intrinsics import (
        asynchronous_copies,
        atomics,
        barriers,
        bit_casts,
        bits,
        complex_numbers,
        constructors,
        cooperative_groups,
        elementary,
        extrema,
        fast_math,
        group_reductions,
        half_arithmetic,
        half_conversions,
        half_functions,
        half_pairs,
        hints,
        memory_hints,
        outputs,
        rounding_casts,
        shuffles,
        textures,
        unsupported,
        utilities,
        votes,
    )

    table: dict[str, Intrinsic] = {}
    for family in (
        asynchronous_copies,
        atomics,
        barriers,
        bit_casts,
        bits,
        complex_numbers,
        constructors,
        cooperative_groups,
        elementary,
        extrema,
        fast_math,
        group_reductions,
        half_arithmetic,
        half_conversions,
        half_functions,
        half_pairs,
        hints,
        memory_hints,
        outputs,
        rounding_casts,
        shuffles,
        textures,
        unsupported,
        utilities,
        votes,
    ):
        twice = table.keys() & family.TABLE.keys()
        if twice:
            raise RuntimeError(f"{family.__name__} defines again: {sorted(twice)}")
        table.update(family.TABLE)
    return MappingProxyType(table)


def lookup(qualified_name: str) -> Intrinsic | None:
    """The handler for a function that our headers declare, or None (``cuda::std::`` counts as ``std::``)."""
    name = qualified_name.removeprefix("::")
    if name.startswith("cuda::std::"):
        name = name.removeprefix("cuda::")
    handler = _table().get(name)
    return None if handler is None else partial(_with_position, handler)


def _with_position(handler: Intrinsic, call: IntrinsicCall) -> Operand | None:
    return with_span(handler(call), call.span)


def known_names() -> frozenset[str]:
    """All names that have a handler, refusing ones included."""
    return frozenset(_table())
