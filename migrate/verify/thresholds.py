"""Constants that a kernel compares with: values near them take both ways of its branches."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from migrate.ir.kernel import Binary, Cast, Const, Declare, Expr, Kernel, Load, LocalRef, MathCall, ParamRef

_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
# Constants below this are no marks that a program would put into index data.
SMALLEST_SENTINEL = 1 << 16
_BOUNDING = ("fmin", "fmax", "min_", "max_")


@dataclass(frozen=True)
class Thresholds:
    """``data``: constants compared with something that is not a plain scalar parameter; ``scalars``: by parameter."""

    data: tuple[float, ...] = ()
    scalars: dict[str, tuple[float, ...]] = field(default_factory=dict)


def walk(node: Any) -> Iterator[Any]:
    """``node`` and every dataclass node below it, in source order."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type):
        yield node
        for entry in dataclasses.fields(node):
            if entry.name not in ("span", "buffer", "var"):
                value = getattr(node, entry.name)
                if isinstance(value, tuple) or dataclasses.is_dataclass(value):
                    yield from walk(value)


def _stripped(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def find_thresholds(kernel: Kernel) -> Thresholds:
    """The constants of comparisons (and of min/max) in ``kernel`` and its device functions."""
    data: set[float] = set()
    scalars: dict[str, set[float]] = {}

    def note(constant: Expr, other: Expr) -> None:
        if not isinstance(constant, Const) or not math.isfinite(float(constant.value)):
            return
        if isinstance(other, ParamRef):
            scalars.setdefault(other.name, set()).add(float(constant.value))
        else:
            data.add(float(constant.value))

    bodies = (kernel.body, *(function.body for function in kernel.functions))
    for node in walk(bodies):
        if isinstance(node, Binary) and node.op in _COMPARISONS:
            left, right = _stripped(node.left), _stripped(node.right)
            note(left, right)
            note(right, left)
        elif isinstance(node, MathCall) and node.name.startswith(_BOUNDING) and len(node.args) == 2:
            left, right = _stripped(node.args[0]), _stripped(node.args[1])
            note(left, right)
            note(right, left)
    return Thresholds(tuple(sorted(data)), {name: tuple(sorted(found)) for name, found in scalars.items()})


def compared_data(kernel: Kernel) -> dict[str, tuple[int, ...]]:
    """Integer constants that a kernel compares elements of its buffers with, by buffer (through unchanged locals)."""
    found: dict[str, set[int]] = {}
    for name, other in _comparisons_of_data(kernel):
        if isinstance(other, Const) and isinstance(other.value, int):
            found.setdefault(name, set()).add(int(other.value))
    return {name: tuple(sorted(constants)) for name, constants in found.items()}


def compared_bounds(kernel: Kernel) -> dict[str, tuple[str, ...]]:
    """Integer parameters that a kernel compares elements of its buffers with (``k >= size``), by buffer."""
    found: dict[str, set[str]] = {}
    for name, other in _comparisons_of_data(kernel):
        if isinstance(other, ParamRef) and "int" in other.dtype:
            found.setdefault(name, set()).add(other.name)
    return {name: tuple(sorted(bounds)) for name, bounds in found.items()}


def _comparisons_of_data(kernel: Kernel) -> Iterator[tuple[str, Expr]]:
    """Buffers whose elements are compared (through unchanged locals), each with what they are compared with."""
    bodies = (kernel.body, *(function.body for function in kernel.functions))
    nodes = list(walk(bodies))
    loaded = {
        node.var.name: source.buffer.name
        for node in nodes
        if isinstance(node, Declare) and node.init is not None and isinstance(source := _stripped(node.init), Load)
    }
    for node in nodes:
        if not isinstance(node, Binary) or node.op not in _COMPARISONS:
            continue
        left, right = _stripped(node.left), _stripped(node.right)
        for element, other in ((left, right), (right, left)):
            name = element.buffer.name if isinstance(element, Load) else None
            if isinstance(element, LocalRef):
                name = loaded.get(element.var.name)
            if name is not None:
                yield name, other


def sentinels_of(compared: Iterable[int], dtype: str) -> tuple[int, ...]:
    """Negative marks ("no neighbour", padding) that a kernel looks for in index data, from what it compares them with.

    ``c == -1`` names its mark; ``c < 0`` means any negative value.
    """
    if not dtype.startswith("int"):
        return ()
    named = tuple(sorted(value for value in set(compared) if -SMALLEST_SENTINEL <= value < 0))
    return named or ((-1,) if 0 in compared else ())


def bounding_parameters(kernel: Kernel) -> list[str]:
    """Integer parameters that something other than a constant is ordered against (``i < n``), in source order."""
    found: dict[str, None] = {}
    for node in walk((kernel.body, *(function.body for function in kernel.functions))):
        if isinstance(node, Binary) and node.op in ("lt", "le", "gt", "ge"):
            left, right = _stripped(node.left), _stripped(node.right)
            for side, other in ((left, right), (right, left)):
                if isinstance(side, ParamRef) and "int" in side.dtype and not isinstance(other, Const | ParamRef):
                    found.setdefault(side.name)
    return list(found)


def bounding_products(kernel: Kernel) -> list[tuple[str, ...]]:
    """Products of integer parameters that something is ordered against (``i < rows * width``), in source order."""
    found: dict[tuple[str, ...], None] = {}
    for node in walk((kernel.body, *(function.body for function in kernel.functions))):
        if isinstance(node, Binary) and node.op in ("lt", "le", "gt", "ge"):
            for side in (_stripped(node.left), _stripped(node.right)):
                names = _factors(side)
                if names is not None and len(names) > 1 and len(set(names)) == len(names):
                    found.setdefault(names)
    return list(found)


def _factors(expr: Expr) -> tuple[str, ...] | None:
    bare = _stripped(expr)
    if isinstance(bare, ParamRef):
        return (bare.name,) if "int" in bare.dtype else None
    if isinstance(bare, Binary) and bare.op == "mul":
        left, right = _factors(bare.left), _factors(bare.right)
        return None if left is None or right is None else (*left, *right)
    return None
