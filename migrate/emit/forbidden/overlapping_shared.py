"""More than one dynamic shared array: upstream overlaps those whose lifetimes look disjoint, without a barrier."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.emit.forbidden.facts import Body, Finding
from migrate.ir import port as p
from migrate.ir.port_walk import statements

CODE = "TLM912"


def find(body: Body) -> Iterator[Finding]:
    """The second and later arrays of scope shared.dyn."""
    arrays = [s for s in statements(body.statements) if isinstance(s, p.AllocShared) and s.scope == "shared.dyn"]
    for array in arrays[1:]:
        yield Finding(array.name, array.span)
