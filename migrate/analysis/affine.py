"""Index expressions as polynomials over thread indices, loop variables and parameters.

Integer casts are looked through: the form holds as long as no part of the index wraps (what `migrate.analysis.ranges`
can show). An index is affine in its moving parts if no term has two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from migrate.analysis.walk import own_expressions, sub_statements, walk_expressions
from migrate.ir import kernel as k

Monomial = tuple[str, ...]
TERM_LIMIT = 64
_MOVING = ("threadIdx.", "blockIdx.", "laneid.", "warpid.")


@dataclass(frozen=True)
class Polynomial:
    """Sum of coefficient times product of atoms; the empty product is the constant. Terms are sorted, none is zero.

    Atoms: ``threadIdx.x`` and the like, parameters by name, loop variables and other locals by ``$name``.
    """

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(terms: Mapping[Monomial, int]) -> Polynomial:
        """From a mapping, zero terms dropped."""
        return Polynomial(tuple(sorted((atoms, factor) for atoms, factor in terms.items() if factor)))

    @property
    def constant(self) -> int:
        """The term without atoms."""
        return dict(self.terms).get((), 0)

    def atoms(self) -> frozenset[str]:
        """All atoms."""
        return frozenset(atom for atoms, _ in self.terms for atom in atoms)

    def is_affine(self) -> bool:
        """Whether every term has at most one moving part (thread index or local); parameters may multiply it."""
        return all(sum(is_moving(atom) for atom in atoms) <= 1 for atoms, _ in self.terms)

    def stride_of(self, atom: str) -> Polynomial:
        """What the index grows by when ``atom`` grows by one (only meaningful for affine forms)."""
        return Polynomial.of(
            {
                tuple(one for one in atoms if one != atom): factor
                for atoms, factor in self.terms
                if atoms.count(atom) == 1
            }
        )

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The value with all atoms given; KeyError for a missing one."""
        total = 0
        for atoms, factor in self.terms:
            for atom in atoms:
                factor *= values[atom]  # noqa: PLW2901
            total += factor
        return total


def is_moving(atom: str) -> bool:
    """Whether an atom differs between threads or iterations."""
    return atom.startswith(("$", *_MOVING))


def _sum(left: Polynomial, right: Polynomial, sign: int) -> Polynomial:
    total = dict(left.terms)
    for atoms, factor in right.terms:
        total[atoms] = total.get(atoms, 0) + sign * factor
    return Polynomial.of(total)


def _product(left: Polynomial, right: Polynomial) -> Polynomial | None:
    if len(left.terms) * len(right.terms) > TERM_LIMIT:
        return None
    total: dict[Monomial, int] = {}
    for first, factor in left.terms:
        for second, other in right.terms:
            atoms = tuple(sorted((*first, *second)))
            total[atoms] = total.get(atoms, 0) + factor * other
    return Polynomial.of(total)


def polynomial(expr: k.Expr, locals_: Mapping[str, k.Expr]) -> Polynomial | None:
    """``expr`` as a polynomial; ``locals_``: initialisers of locals that never change. None for anything else in it."""
    if isinstance(expr, k.Const):
        return Polynomial.of({(): int(expr.value)}) if isinstance(expr.value, int) else None
    if isinstance(expr, k.ParamRef):
        return Polynomial.of({(expr.name,): 1})
    if isinstance(expr, k.Builtin):
        return Polynomial.of({(f"{expr.kind}.{expr.axis}",): 1})
    if isinstance(expr, k.LocalRef):
        inner = polynomial(locals_[expr.var.name], locals_) if expr.var.name in locals_ else None
        return inner if inner is not None else Polynomial.of({(f"${expr.var.name}",): 1})
    if isinstance(expr, k.Cast):
        whole = expr.dtype.startswith(("int", "uint")) and getattr(expr.operand, "dtype", "").startswith(
            ("int", "uint")
        )
        return polynomial(expr.operand, locals_) if whole else None
    if isinstance(expr, k.Unary) and expr.op == "neg":
        operand = polynomial(expr.operand, locals_)
        return None if operand is None else _sum(Polynomial(()), operand, -1)
    if isinstance(expr, k.Binary):
        left, right = polynomial(expr.left, locals_), polynomial(expr.right, locals_)
        if left is None or right is None:
            return None
        if expr.op in ("add", "sub"):
            return _sum(left, right, 1 if expr.op == "add" else -1)
        if expr.op == "mul":
            return _product(left, right)
        if expr.op == "shl" and not right.atoms() and 0 <= right.constant < 32:
            return _product(left, Polynomial.of({(): 1 << right.constant}))
    return None


@dataclass(frozen=True)
class Access:
    """One access in the kernel's own body. ``form`` has one entry a dimension; None where it is no polynomial."""

    buffer: str
    kind: str
    form: tuple[Polynomial | None, ...]
    span: object = None


def accesses(kernel: k.Kernel) -> list[Access]:
    """All loads, stores and atomics of the kernel's body (kept functions excluded), local arrays excluded."""
    locals_ = {
        statement.var.name: statement.init
        for statement in sub_statements(kernel.body)
        if isinstance(statement, k.Declare) and statement.init is not None and not statement.var.mutable
    }
    found: list[Access] = []

    def note(buffer: k.Buffer, kind: str, indices: tuple[k.Expr, ...], span: object) -> None:
        if buffer.scope != k.Scope.LOCAL:
            found.append(Access(buffer.name, kind, tuple(polynomial(one, locals_) for one in indices), span))

    for statement in sub_statements(kernel.body):
        for expr in own_expressions(statement):
            for part in walk_expressions(expr):
                if isinstance(part, k.Load):
                    note(part.buffer, "load", part.indices, part.span)
        if isinstance(statement, k.Store):
            note(statement.buffer, "store", statement.indices, statement.span)
        elif isinstance(statement, k.Atomic):
            note(statement.buffer, "atomic", statement.indices, statement.span)
    return found
